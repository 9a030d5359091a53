instance list
GET /v1/instances
< 200 data/instance/list.json
= n=2 next=YWZ0ZXI6Mg==
= 0.status=stopped 0.status_reason.code=switched 0.switched_to=ins_7c2q9x 0.release_at=2026-12-07T05:48:30Z
= 1.status=hibernating 1.cost=9223372036854.775807 1.version=9007199254740991 1.created_at=1970-01-01T00:00:00Z
= 1.name= 1.ssh.host=::1

instance list
> {"limit":100,"sort":"-created_at","status":["running","stopped"],"name":["trainer"],"gpu":["rtx-4090","tpu-sim"],"labels":{"owner":"me","team":"a"},"all":true}
GET /v1/instances?limit=100&sort=-created_at&status=running&status=stopped&name=trainer&gpu=rtx-4090&gpu=tpu-sim&labels.owner=me&labels.team=a&all=true
< 200 {"items":[],"next_cursor":null}
= n=0 next=

instance get ins_7c2q9x
> {"after_version":5,"timeout_seconds":60}
GET /v1/instances/ins_7c2q9x?after_version=5&timeout_seconds=60
< 200 data/instance/get.json
= status=running gpu=rtx-4090 gpu_count=4 price_per_hour=56.00 cost=0.108889 billing_active=true
= mounts.0.path=/root/ckpt mounts.1.read_only=true ssh.port=20417 ssh.user=root
= auto_stop.max_cost=100.00 auto_stop.idle.cpu_util_below=7.5 auto_stop.stop_at=2026-12-01T15:30:00Z
= next_stop.cause=max_cost usage.gpu.0.util_percent=87.5 usage.gpu.1.util_percent= usage.ram_gib=0.125
= allowed_actions=stop,restart,resize,switch,save_image,extend,exec,clone

instance create
> {"name":"trainer","gpu":"a100-80g","image":"pytorch-2.3"}
POST /v1/instances
  Authorization: Bearer wire-key
  Idempotency-Key: *
  Content-Type: application/json
  {"name":"trainer","gpu":"a100-80g","image":"pytorch-2.3"}
< 202 data/instance/create.json
= id=ins_7c2q9x status=provisioning operation_id=op_5m1x8c mounts.0.state=planned

instance create
> data/instance/create.request.json
POST /v1/instances
  data/instance/create.request.json
< 202 data/instance/create.json
= status=provisioning

instance create
> {"name":"big","gpu":"h100-80g","gpu_count":16,"snapshot":"before-upgrade","auto_stop":{"max_cost":"0.1"}}
POST /v1/instances
  {"name":"big","gpu":"h100-80g","gpu_count":16,"snapshot":"before-upgrade","auto_stop":{"max_cost":"0.100000"}}
< 409 data/instance/error.json
! insufficient_capacity field=gpu_count

instance update ins_7c2q9x
> {"auto_stop":{"max_cost":"20","hook":null}}
PATCH /v1/instances/ins_7c2q9x
  {"auto_stop":{"max_cost":"20.000000","hook":null}}
< 200 data/instance/get.json
= version=5

instance update ins_7c2q9x
> {"auto_stop":null}
PATCH /v1/instances/ins_7c2q9x
  {"auto_stop":null}
< 200 data/instance/get.json
= version=5

instance delete ins_7c2q9x
DELETE /v1/instances/ins_7c2q9x
  Content-Type: -
< 202 data/instance/create.json
= operation_id=op_5m1x8c

instance start ins_7c2q9x
> data/instance/start.request.json
POST /v1/instances/ins_7c2q9x/start
  Idempotency-Key: *
  {"mode":"gpu","gpu":"tpu-sim","gpu_count":2,"fallback":["a100-80g:1","h100-80g:1"],"wait_capacity":true,"max_price_per_hour":"20.000000"}
< 202 data/instance/create.json
= desired_status=running

instance start ins_7c2q9x
> {"mode":"no_gpu"}
POST /v1/instances/ins_7c2q9x/start
  {"mode":"no_gpu"}
< 200 data/instance/get.json
= status=running

instance stop ins_7c2q9x
> {"save_image":"after-epoch-3"}
POST /v1/instances/ins_7c2q9x/stop
  {"save_image":"after-epoch-3"}
< 202 data/instance/create.json
= operation_id=op_5m1x8c

instance stop ins_7c2q9x
> {}
POST /v1/instances/ins_7c2q9x/stop
  {}
< 200 data/instance/get.json
= status=running

instance restart ins_7c2q9x
POST /v1/instances/ins_7c2q9x/restart
  Idempotency-Key: *
< 202 data/instance/create.json
= id=ins_7c2q9x

instance resize ins_7c2q9x
> {"gpu_count":2}
POST /v1/instances/ins_7c2q9x/resize
  {"gpu_count":2}
< 202 data/instance/create.json
= id=ins_7c2q9x

instance switch ins_7c2q9x
> {"gpu":"tpu-sim","gpu_count":4,"release_old":true}
POST /v1/instances/ins_7c2q9x/switch
  Idempotency-Key: *
  {"gpu":"tpu-sim","gpu_count":4,"release_old":true}
< 202 data/instance/create.json
= operation_id=op_5m1x8c

instance save_image ins_7c2q9x
> {"name":"after-epoch-3"}
POST /v1/instances/ins_7c2q9x/save_image
  {"name":"after-epoch-3"}
< 202 data/instance/create.json
= id=ins_7c2q9x

instance extend ins_7c2q9x
> {"seconds":7200}
POST /v1/instances/ins_7c2q9x/extend
  Idempotency-Key: *
  {"seconds":7200}
< 200 data/instance/get.json
= next_stop.at=2026-11-30T07:47:08Z

instance exec ins_7c2q9x
> data/instance/exec.request.json
POST /v1/instances/ins_7c2q9x/exec
  Idempotency-Key: *
  {"command":["sh","-c","echo 你好; exit 7"],"timeout_seconds":30}
< 200 data/instance/exec.json
= exit_code=7 stdout=你好| stderr= truncated=false

instance logs ins_7c2q9x
GET /v1/instances/ins_7c2q9x/logs
< 200 data/instance/logs.txt
= text=booted in 0.2 s|$ python3 /root/train.py --backend cuda|step 1 loss 4.1589|

instance logs ins_7c2q9x
> {"offset":17}
GET /v1/instances/ins_7c2q9x/logs?offset=17
< 200 rest
= text=rest

instance clone ins_7c2q9x
> {"name":"trainer-copy"}
POST /v1/instances/ins_7c2q9x/clone
  Idempotency-Key: *
  {"name":"trainer-copy"}
< 202 data/instance/create.json
= status=provisioning
