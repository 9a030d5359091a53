billing balance
GET /v1/account
< 200 data/account/get.json
= balance.available=9.782222 balance.cash=0.00 balance.credit=9.891111
= burn_rate_per_hour=56.048611 runway_seconds=628

billing usage
GET /v1/billing/usage
< 200 data/billing/usage.json
= n=2 next=dXNlXzQy
= 0.seconds=7 0.price_per_hour=56.00 0.cost=0.108889 0.labels=owner=me
= 1.ended_at= 1.gpu= 1.kind=disk

billing usage
> {"limit":1000,"cursor":"dXNlXzQy","since":"2026-11-30T06:00:00Z","until":"2026-12-01T00:00:00Z","resource":["ins_7c2q9x"],"kind":["compute","disk"],"name":["trainer"],"gpu":["rtx-4090"],"labels":{"owner":"me"}}
GET /v1/billing/usage?limit=1000&cursor=dXNlXzQy&since=2026-11-30T06%3A00%3A00Z&until=2026-12-01T00%3A00%3A00Z&resource=ins_7c2q9x&kind=compute&kind=disk&name=trainer&gpu=rtx-4090&labels.owner=me
< 200 {"items":[],"next_cursor":null}
= n=0

billing charges
> {"kind":["usage"]}
GET /v1/billing/charges?kind=usage
< 200 data/billing/charges.json
= n=2 1.amount=-0.108889 1.balance=9.891111 1.interval=use_000000000041 0.note=trial credit

billing charges
GET /v1/billing/charges
< 200 {"items":[{"id":"chg_1","amount":0.5}],"next_cursor":null}
! -

billing vouchers
GET /v1/billing/vouchers
< 200 data/billing/vouchers.json
= n=1 0.remaining=9.891111 0.scope=rtx-4090,tpu-sim

billing invoices
GET /v1/billing/invoices
< 200 data/billing/invoices.json
= n=1 0.period=2026-11 0.status=open

billing quote
> data/billing/quote.request.json
POST /v1/billing/quote
  Idempotency-Key: -
  data/billing/quote.request.json
< 200 data/billing/quote.json
= price_per_hour=0.714583 price_per_day=17.15 minimum_seconds=0
= items.0.item=accelerator items.2.price_per_hour=-1.20 available=true

billing quote
> {"kind":"instance","body":{"gpu":"h100-80g"}}
POST /v1/billing/quote
  {"kind":"instance","body":{"gpu":"h100-80g"}}
< 402 data/billing/error.json
! insufficient_balance

billing tco
> data/billing/tco.request.json
POST /v1/billing/tco
  Idempotency-Key: -
  {"own_capex":"1100000.000000","own_monthly":"3500.000000","cards":8,"unit_price_per_hour":"1.900000","years":3,"use_percent":"50.000000","at_cost":"340000.000000"}
< 200 data/billing/tco.json
= own_total=1226000.00 rent_total=199728.00 saving_percent=83.708972 at_cost_use_percent=85.115757
= break_even_months=538 break_even_hours=392090 use_percent=50.00

billing tco
> {"own_capex":"1","unit_price_per_hour":"1"}
POST /v1/billing/tco
  {"own_capex":"1.000000","unit_price_per_hour":"1.000000"}
< 200 {"use_percent":50}
! -

billing sums
> {"by":"label:owner","since":"2026-11-30T06:00:00Z","instance":["ins_7c2q9x"],"job":["job_1"]}
GET /v1/billing/usage/sums?by=label%3Aowner&since=2026-11-30T06%3A00%3A00Z&instance=ins_7c2q9x&job=job_1
< 200 data/billing/sums.json
= n=2 next==2026-11-30
= 0.key= 0.cost=0.000905 0.seconds=67 0.compute_seconds=0 1.compute_seconds=7 1.key=2026-11-30 1.intervals=2 1.started_at=2026-11-30T00:00:00Z

billing redeem
> data/billing/redeem.request.json
POST /v1/billing/vouchers
  Idempotency-Key: *
  data/billing/redeem.request.json
< 201 data/billing/redeem.json
= id=vch_000000000007 remaining=50.00 scope=tpu-sim kinds=compute

billing redeem
> {"code":"LAUNCH-2025"}
POST /v1/billing/vouchers
  {"code":"LAUNCH-2025"}
< 422 {"type":"about:blank","title":"x","status":422,"code":"validation_failed","detail":"voucher LAUNCH-2025 has expired, 2025-12-31T00:00:00Z","request_id":"req_1","retryable":false,"errors":[{"field":"code","code":"validation_failed","message":"voucher LAUNCH-2025 has expired"}],"context":{}}
! validation_failed field=code
