operation list
> {"status":["running","failed"],"resource":["ins_7c2q9x"]}
GET /v1/operations?status=running&status=failed&resource=ins_7c2q9x
< 200 data/operation/list.json
= n=1 0.status=succeeded 0.progress_percent=100

operation get op_5m1x8c
> {"after_version":8,"timeout_seconds":30}
GET /v1/operations/op_5m1x8c?after_version=8&timeout_seconds=30
< 200 data/operation/get.json
= status=failed error.code=insufficient_capacity steps.1.status=failed steps.2.started_at=

operation cancel op_5m1x8c
POST /v1/operations/op_5m1x8c/cancel
< 409 data/operation/error.json
! invalid_state

operation cancel op_5m1x8c
POST /v1/operations/op_5m1x8c/cancel
< 200 data/operation/get.json
= resource=ins_7c2q9x
