storage list
GET /v1/storages
< 200 data/storage/list.json
= n=2 next= 0.used_bytes=0 1.used_bytes= 1.endpoint= 0.price_per_gib_month=0.000001

storage list
> {"limit":2,"cursor":"a b&c=d","sort":"-name","name":["team","数据"],"labels":{"k v":"w&x"}}
GET /v1/storages?limit=2&cursor=a%20b%26c%3Dd&sort=-name&name=team&name=%E6%95%B0%E6%8D%AE&labels.k%20v=w%26x
< 200 {"items":[],"next_cursor":"more"}
= n=0 next=more

storage get sto_6t1h9c
GET /v1/storages/sto_6t1h9c
< 200 data/storage/get.json
= id=sto_6t1h9c name=team size_gib=100 used_bytes=8589934592 endpoint=http://127.0.0.1:21000
= price_per_gib_month=0.05 labels=keep=yes created_at=2026-11-30T05:59:00Z

storage get a/../b
GET /v1/storages/a%2F..%2Fb
< 404 data/model/error.json
! not_found

storage create
> data/storage/create.request.json
POST /v1/storages
  Idempotency-Key: *
  Content-Type: application/json
  data/storage/create.request.json
< 201 data/storage/get.json
= id=sto_6t1h9c

storage update sto_6t1h9c
> data/storage/update.request.json
PATCH /v1/storages/sto_6t1h9c
  Idempotency-Key: -
  {"name":"shared","size_gib":200,"labels":{}}
< 200 data/storage/get.json
= version=4

storage delete sto_6t1h9c
DELETE /v1/storages/sto_6t1h9c
  Content-Type: -
< 409 data/storage/error.json
! invalid_state

storage credentials sto_6t1h9c
POST /v1/storages/sto_6t1h9c/credentials
  Idempotency-Key: *
< 200 data/storage/credentials.json
= access_key=sv0123456789abcdefgh region=us-east-1 bucket=sto_6t1h9c endpoint=http://127.0.0.1:21000

storage get sto_1
GET /v1/storages/sto_1
< 200 {"id":"sto_1","used_bytes":"1"}
! -
