group list
> {"status":["ready"],"labels":{"team":"a"},"all":true}
GET /v1/groups?status=ready&labels.team=a&all=true
< 200 data/group/list.json
= n=1 0.name=web 0.template.gpu=rtx-4090 0.maximum= 0.cost=0.015556

group get grp_4t7w2e
GET /v1/groups/grp_4t7w2e
< 200 data/group/get.json
= desired=3 instances=ins_7c2q9x,ins_8d3r0y status_reason.code=insufficient_capacity
= template.auto_stop.max_cost=20.00 template.max_price_per_hour=15.00

group create
> data/group/create.request.json
POST /v1/groups
  Idempotency-Key: *
  data/group/create.request.json
< 202 data/group/get.json
= id=grp_4t7w2e

group update grp_4t7w2e
> data/group/update.request.json
PATCH /v1/groups/grp_4t7w2e
  Idempotency-Key: -
  {"name":"serve","minimum":0,"maximum":8,"labels":{}}
< 200 data/group/get.json
= version=9

group scale grp_4t7w2e
> data/group/scale.request.json
POST /v1/groups/grp_4t7w2e/scale
  Idempotency-Key: *
  {"desired":4}
< 202 data/group/get.json
= status=error

group scale grp_4t7w2e
> {"desired":9}
POST /v1/groups/grp_4t7w2e/scale
  {"desired":9}
< 422 data/group/error.json
! validation_failed field=desired

group delete grp_4t7w2e
DELETE /v1/groups/grp_4t7w2e
< 202 data/group/get.json
= id=grp_4t7w2e
