budget list
> {"name":["november"],"period":["month","day"],"labels":{"team":"nlp"}}
GET /v1/billing/budgets?name=november&period=month&period=day&labels.team=nlp
< 200 data/budget/list.json
= n=2 0.status=warned 0.remaining=99.891111 0.warn_percents=50,80 1.action=warn 1.stops_at=

budget get bud_3c6m9p
GET /v1/billing/budgets/bud_3c6m9p
< 200 data/budget/get.json
= used=400.108889 ends_at=2026-12-01T00:00:00Z stops_at=2026-11-30T07:47:01Z

budget create
> data/budget/create.request.json
POST /v1/billing/budgets
  Idempotency-Key: *
  data/budget/create.request.json
< 201 data/budget/get.json
= id=bud_3c6m9p

budget create
> {"name":"x","amount":"1.000000"}
POST /v1/billing/budgets
  {"name":"x","amount":"1.000000"}
< 402 data/budget/error.json
! budget_exceeded

budget update bud_3c6m9p
> data/budget/update.request.json
PATCH /v1/billing/budgets/bud_3c6m9p
  data/budget/update.request.json
< 200 data/budget/get.json
= version=2

budget delete bud_3c6m9p
DELETE /v1/billing/budgets/bud_3c6m9p
< 200 data/budget/get.json
= id=bud_3c6m9p
