account get
GET /v1/account
  Authorization: Bearer wire-key
  X-Request-Id: *
  Accept: application/json
< 200 data/account/get.json
= id=acc_1h5y8u email=me@example.com verified=true version=7
= balance.available=9.782222 balance.credit=9.891111 balance.currency=CNY
= burn_rate_per_hour=56.048611 runway_seconds=628 limits.disk_retention_seconds=1296000

account get
> {"after_version":7,"timeout_seconds":30}
GET /v1/account?after_version=7&timeout_seconds=30
< 200 data/account/get.json
= version=7

account get
GET /v1/account
< 401 data/account/error.json
! unauthenticated

account update
> {"name":"we","labels":{"team":"platform"}}
PATCH /v1/account
  Idempotency-Key: -
  {"name":"we","labels":{"team":"platform"}}
< 200 data/account/get.json
= name=me labels=team=research

account register
> {"email":"me@example.com"}
POST /v1/account/register
  Authorization: -
  Idempotency-Key: *
  {"email":"me@example.com"}
< 201 data/account/register.json
= account.phone=+8613800000000 account.balance.credit=10.00 api_key=********

account register
> data/account/register.request.json
POST /v1/account/register
  data/account/register.request.json
< 201 data/account/register.json
= account.id=acc_1h5y8u

account register
> {"phone":"13800000000"}
POST /v1/account/register
  {"phone":"13800000000"}
< 409 {"type":"about:blank","title":"in conflict","status":409,"code":"conflict","detail":"is registered","errors":[{"field":"phone","code":"exists","message":"is registered"}]}
! conflict field=phone

account top_up
> {"amount":"50"}
POST /v1/account/top_up
  Idempotency-Key: *
  {"amount":"50.000000"}
< 200 data/account/get.json
= balance.cash=0.00
