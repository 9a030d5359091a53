app list
GET /v1/apps
< 200 data/app/list.json
= n=1 next= 0.name=llama-4-70b-sft 0.title=Llama-4-70B-SFT 0.gpu_count=8

app list
> {"limit":2,"sort":"-name","category":["training","fine-tuning"],"search":"Llama-3-8B 预训练"}
GET /v1/apps?limit=2&sort=-name&category=training&category=fine-tuning&search=Llama-3-8B%20%E9%A2%84%E8%AE%AD%E7%BB%83
< 200 {"items":[],"next_cursor":null}
= n=0 next=

app get app_6v2j7k
GET /v1/apps/app_6v2j7k
< 200 data/app/get.json
= title=Llama-3-8B 预训练
= ports=8888,6006 models=llama-3-8b disk_gib=100 simulated=true

app deploy app_6v2j7k
> {"name":"trainer","gpu":"rtx-4090","gpu_count":4,"max_price_per_hour":"50"}
POST /v1/apps/app_6v2j7k/deploy
  Idempotency-Key: *
  {"name":"trainer","gpu":"rtx-4090","gpu_count":4,"max_price_per_hour":"50.000000"}
< 422 data/app/error.json
! price_exceeds_limit field=max_price_per_hour

app deploy app_6v2j7k
> data/app/deploy.request.json
POST /v1/apps/app_6v2j7k/deploy
  Idempotency-Key: *
  data/app/deploy.request.json
< 202 data/instance/create.json
= id=ins_7c2q9x status=provisioning operation_id=op_5m1x8c
