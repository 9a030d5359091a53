$ svctl local start --engine none --clock stepped --columns engine,clock
ENGINE   CLOCK
none     stepped
$ svctl account register --phone 13800000000 -o name
13800000000
! svctl: no configuration: using the local platform on this machine (profile local)
! svctl: the key is kept in $STATE/config/starverse/credentials.yaml for profile local
$ svctl account top-up 1000 --columns name,balance
NAME          BALANCE
13800000000   1010.00
$ svctl account get | grep ^balance
balance              available=1010.00,cash=1000.00,credit=10.00,frozen=0.00,arrears=0.00,currency=CNY
$ svctl quote instance --gpu a100-80g:8 --image pytorch-2.3
ITEM          DESCRIPTION            QUANTITY   UNIT_PRICE_PER_HOUR   PRICE_PER_HOUR
accelerator   a100-80g (simulated)   8          1.90                  15.20

PRICE_PER_HOUR   PRICE_PER_DAY   RESIDUAL_PRICE_PER_DAY   MINIMUM   MINIMUM_CHARGE   CURRENCY   AVAILABLE   RUNWAY
15.20            364.80          0.00                     0s        0.00             CNY        true        2d18h26m50s
$ svctl instance create t --gpu rtx-4090:4 --image pytorch-2.2 --label owner=me --max-cost 20 --idle 30m -n -o json
{"method":"POST","path":"/v1/instances","body":{"name":"t","gpu":"rtx-4090","gpu_count":4,"image":"img_#","auto_stop":{"idle":{"after_seconds":1800,"cpu_util_below":5},"max_cost":"20.000000"},"labels":{"owner":"me"}},"quote":{"kind":"instance","items":[{"item":"accelerator","description":"rtx-4090 (simulated)","quantity":4,"unit_price_per_hour":"14.000000","price_per_hour":"56.000000"}],"price_per_hour":"56.000000","price_per_day":"1344.000000","residual_price_per_day":"0.000000","minimum_seconds":0,"minimum_charge":"0.000000","currency":"CNY","available":true,"runway_seconds":64928}}
$ svctl instance create t --gpu rtx-4090:4 --image pytorch-2.2 --label owner=me -n
POST /v1/instances
{"name":"t","gpu":"rtx-4090","gpu_count":4,"image":"img_#","labels":{"owner":"me"}}
price 56.00 an hour
$ svctl instance create t --gpu rtx-4090:4 --image pytorch-2.2 --label owner=me --max-cost 900
NAME   STATUS    GPU        GPU_COUNT   PRICE_PER_HOUR   COST
t      running   rtx-4090   4           56.00            0.00
! svctl: made an SSH key: $STATE/state/starverse/ssh/id_ed25519
! t: prepare done
! t: boot done
$ svctl instance list
NAME   STATUS    GPU        GPU_COUNT   PRICE_PER_HOUR   COST
t      running   rtx-4090   4           56.00            0.00
$ svctl instance list -o json --columns name,status,gpu,gpu_count,price_per_hour,cost,labels
[
  {
    "name": "t",
    "status": "running",
    "gpu": "rtx-4090",
    "gpu_count": 4,
    "price_per_hour": "56.000000",
    "cost": "0.000000",
    "labels": {"owner":"me"}
  }
]
$ svctl instance list -o yaml --columns name,status,gpu,gpu_count,price_per_hour,cost,labels,auto_stop
- name: t
  status: running
  gpu: rtx-4090
  gpu_count: 4
  price_per_hour: "56.000000"
  cost: "0.000000"
  labels:
    owner: me
  auto_stop:
    stop_at: null
    max_runtime_seconds: null
    idle: null
    max_cost: "900.000000"
    action: null
    hook: null
    release_after_stopped_seconds: null
$ svctl instance get t --columns name,labels.owner,auto_stop.max_cost,ssh.host
NAME   LABELS.OWNER   AUTO_STOP.MAX_COST   SSH.HOST
t      me             900.00               -
$ svctl local step 1h -o json --get clock
stepped
$ svctl instance get t --get cost
56.00
$ svctl billing usage --since 7d --by instance
NAME   KEY                        SECONDS   COST
t      ins_#   1h        56.00
-      -                          1h        0.00
$ svctl instance update t --max-cost 950 --label owner=you --columns name,labels,auto_stop
NAME   LABELS      AUTO_STOP
t      owner=you   max_cost=950.00
$ svctl instance update t --no-auto-stop -o json --columns auto_stop
{
  "auto_stop": null
}
$ svctl instance create t --gpu tpu-sim:1 --image pytorch-2.2 -o name -q
t
$ svctl instance get t
! svctl: "t" means 2 instances
!   t (ins_#, running)
!   t (ins_#, running)
!   Hint: say id:ID or name:NAME, or use an id
!   code conflict
? 6
$ svctl instance get trainer
! svctl: instance "trainer" not found
!   Hint: svctl instance list
!   code not_found
? 5
$ svctl instance get tt
! svctl: instance "tt" not found
!   Did you mean: t (ins_#, running)?
!   Hint: svctl instance list
!   code not_found
? 5
$ svctl instance create a --gpu tpu-sim:1 --image cuda-devel
! svctl: instance create: cuda-devel runs on cuda, and tpu-sim is driven by tpu
!   Hint: images that fit tpu-sim: pytorch-2.2, pytorch-2.3, PyTorch 2.3 + Llama-4 70B, tensorflow-2.15, deepspeed, megatron-lm
!   code incompatible, request req_#
? 2
$ svctl instance create a --gpu rtx-4090:8 --image pytorch-2.2 --max-price 10
! svctl: instance create: it costs 112.00 an hour, above the limit of 10.00
!   code price_exceeds_limit, request req_#
? 7
$ svctl instance create a --gpu rtx-4090:8 --image pytorch-2 -o json
! {"error":{"code":"not_found","message":"image \"pytorch-2\" not found","hint":"svctl image list","suggestions":["pytorch-2.2 (img_#, ready)"],"http_status":0,"request_id":null,"exit_code":5,"retryable":false,"details":{"errors":[],"context":{"near":[{"id":"img_#","name":"pytorch-2.2","status":"ready"},{"id":"img_#","name":"pytorch-2.3","status":"ready"}]}}}}
? 5
$ svctl instance create 训练机-01 --gpu tpu-sim:1 --image pytorch-2.2 -qo id
ins_#
$ svctl instance create 'job🚀' --gpu tpu-sim:1 --image pytorch-2.2 -qo id
ins_#
$ svctl instance create "$(printf 'e\314\201cole')" --gpu tpu-sim:1 --image pytorch-2.2 -qo id
ins_#
$ svctl instance create '=1+1,"x"' --gpu tpu-sim:1 --image pytorch-2.2 -qo id
ins_#
$ svctl instance list --filter gpu=tpu-sim --columns name,status
NAME        STATUS
t           running
训练机-01   running
job🚀       running
école       running
=1+1,"x"    running
$ LC_ALL=C svctl instance list --filter gpu=tpu-sim --columns name,status --no-header
t           running
训练机-01   running
job🚀       running
école       running
=1+1,"x"    running
$ svctl instance list --filter gpu=tpu-sim --columns name,status -o csv
name,status^M
t,running^M
训练机-01,running^M
job🚀,running^M
école,running^M
"'=1+1,""x""",running^M
$ svctl instance list --filter 'gpu_count<4' --sort -name -o name
训练机-01
t
job🚀
école
=1+1,"x"
$ svctl instance list --name nosuch -o json
[]
$ svctl instance list --name nosuch -o yaml
[]
$ svctl instance list --name nosuch -o csv
name,status,gpu,gpu_count,price_per_hour,cost^M
$ svctl instance list --name nosuch
NAME   STATUS   GPU   GPU_COUNT   PRICE_PER_HOUR   COST
$ svctl instance stop 训练机-01 nosuch école
NAME        STATUS    GPU       GPU_COUNT   PRICE_PER_HOUR   COST
训练机-01   stopped   tpu-sim   1           7.00             0.00
! svctl: instance "nosuch" not found
!   Hint: svctl instance list
!   code not_found
! svctl: instance "école" not found
!   Did you mean: école (ins_#)?
!   Hint: svctl instance list
!   code not_found
! 训练机-01: halt done
! svctl: 训练机-01 is off, and nothing of it goes on costing
? 11
$ svctl instance start 训练机-01 -q --columns name,status
NAME        STATUS
训练机-01   running
$ svctl instance stop '../t'
! svctl: instance "../t" not found
!   Hint: svctl instance list
!   code not_found
? 5
$ svctl instance stop 训练机-01 -o yaml -q --columns status,stopped_by
status: stopped
stopped_by: user
$ svctl instance wait 训练机-01 --for stopped --columns name,status
NAME        STATUS
训练机-01   stopped
$ svctl instance wait 训练机-01 --for running --timeout 1s
! 训练机-01: stopped
! svctl: instance 训练机-01 (ins_#) is still stopped
? 8
$ svctl instance switch "$(printf 'e\314\201cole')" --gpu ascend-910b:2
NAME    STATUS    GPU           GPU_COUNT   PRICE_PER_HOUR   COST
école   running   ascend-910b   2           12.00            0.00
! école: freeze done
! école: snapshot done
! école: create done
! école: boot done
! école: verify done
! école: take_over done
! école: halt_old done
$ svctl instance ssh 训练机-01 -- true
! svctl: instance 训练机-01 cannot be logged in to: it is stopped
? 6
$ svctl instance list > /dev/full
! svctl: write error: No space left on device
? 1
$ svctl instance list -o json > /dev/full
! {"error":{"code":"error","message":"write error: No space left on device","hint":null,"suggestions":[],"http_status":0,"request_id":null,"exit_code":1,"retryable":false,"details":{"errors":[],"context":{}}}}
? 1
$ svctl instance list -o yaml >&-
! svctl: write error: Bad file descriptor
? 1
$ set -o pipefail; svctl instance list | head -1
NAME        STATUS    GPU           GPU_COUNT   PRICE_PER_HOUR   COST
$ trap '' PIPE; svctl instance list | :
$ svctl instance delete nosuch --yes
! svctl: instance "nosuch" not found
!   Hint: svctl instance list
!   code not_found
? 5
$ svctl instance delete 'job🚀' 训练机-01 --yes --columns name,status
NAME        STATUS
job🚀       released
训练机-01   released
! job🚀: halt done
! job🚀: remove done
! job🚀: release done
! 训练机-01: halt done
! 训练机-01: remove done
! 训练机-01: release done
$ svctl instance list --all --filter status=released --columns name,status --sort name
NAME        STATUS
job🚀       released
训练机-01   released
