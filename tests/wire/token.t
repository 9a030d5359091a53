token list
> {"name":["ci"],"scope":["read","jobs"]}
GET /v1/tokens?name=ci&scope=read&scope=jobs
< 200 data/token/list.json
= n=1 0.name=ci 0.scopes=read 0.expires_at=

token get tok_9d4f1s
GET /v1/tokens/tok_9d4f1s
< 200 data/token/get.json
= scopes=read,jobs expires_at=2027-02-28T00:00:00Z last_used_at=2026-11-30T06:10:00Z

token create
> data/token/create.request.json
POST /v1/tokens
  Idempotency-Key: *
  data/token/create.request.json
< 201 data/token/create.json
= id=tok_9d4f1s secret=******** last_used_at=

token create
> {"name":"ci","scopes":["read"]}
POST /v1/tokens
  {"name":"ci","scopes":["read"]}
< 403 data/token/error.json
! forbidden

token update tok_9d4f1s
> data/token/update.request.json
PATCH /v1/tokens/tok_9d4f1s
  Idempotency-Key: -
  {"name":"ci-2"}
< 200 data/token/get.json
= version=1

token delete tok_9d4f1s
DELETE /v1/tokens/tok_9d4f1s
< 200 data/token/get.json
= id=tok_9d4f1s
