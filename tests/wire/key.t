key list
> {"fingerprint":["SHA256:u8f+/="],"name":["laptop"]}
GET /v1/keys?name=laptop&fingerprint=SHA256%3Au8f%2B%2F%3D
< 200 data/key/list.json
= n=1 0.name=laptop

key get key_2b9w4e
GET /v1/keys/key_2b9w4e
< 200 data/key/get.json
= fingerprint=SHA256:u8fJqA2v0bM3mQ1y0Zx5c7d9e1f3g5h7i9j1k3l5m7n

key create
> data/key/create.request.json
POST /v1/keys
  Idempotency-Key: *
  data/key/create.request.json
< 201 data/key/get.json
= id=key_2b9w4e

key create
> {"name":"laptop","public_key":"ssh-rsa A"}
POST /v1/keys
  {"name":"laptop","public_key":"ssh-rsa A"}
< 409 data/key/error.json
! conflict field=public_key

key update key_2b9w4e
> {"name":"desktop"}
PATCH /v1/keys/key_2b9w4e
  {"name":"desktop"}
< 200 data/key/get.json
= version=1

key delete key_2b9w4e
DELETE /v1/keys/key_2b9w4e
< 200 data/key/get.json
= id=key_2b9w4e
