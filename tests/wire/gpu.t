gpu list
GET /v1/gpus
< 200 data/gpu/list.json
= n=2 0.minimum_seconds=3600 0.unit_price_per_hour=12.00 1.backends=tpu 1.free= 1.simulated=true

gpu list
> {"name":["a100-80g"],"vendor":["nvidia"],"backend":["cuda","rocm"],"availability":["high"],"min_memory_gib":40,"max_memory_gib":80,"min_free":1,"min_max_count":8}
GET /v1/gpus?name=a100-80g&vendor=nvidia&backend=cuda&backend=rocm&availability=high&min_memory_gib=40&max_memory_gib=80&min_free=1&min_max_count=8
< 200 {"items":[],"next_cursor":null}
= n=0

gpu get a100-80g
GET /v1/gpus/a100-80g
< 200 data/gpu/get.json
= id=a100-80g promo.unit_price_per_hour=0.70 promo.max_cards=1 fabric=nvlink+rdma availability=high

gpu get a100-80g
> {"after_version":12}
GET /v1/gpus/a100-80g?after_version=12
< 429 data/gpu/error.json
! rate_limited
