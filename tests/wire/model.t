model list
> {"name":["llama-3-8b"],"min_size_gib":1}
GET /v1/models?name=llama-3-8b&min_size_gib=1
< 200 data/model/list.json
= n=1 next=bWRsXzNuOHI1dA== 0.path=/library/models/llama-3-8b 0.tokens=

model get mdl_3n8r5t
GET /v1/models/mdl_3n8r5t
< 200 data/model/get.json
= tokens=15000000000000 license=llama3

model copy mdl_3n8r5t
> {"instance":"trainer","path":"/root/model"}
POST /v1/models/mdl_3n8r5t/copy
  Idempotency-Key: *
  {"instance":"trainer","path":"/root/model"}
< 202 data/model/copy.json
= id=op_9k7j5h type=model.copy steps.0.name=copy steps.0.ended_at=

model copy llama-9
> {"instance":"trainer","path":"/root/model"}
POST /v1/models/llama-9/copy
  {"instance":"trainer","path":"/root/model"}
< 404 data/model/error.json
! not_found
