$ svctl local start --engine none --clock stepped --columns engine,clock
ENGINE   CLOCK
none     stepped
$ svctl account register --phone 13800000000 -o name
13800000000
! svctl: no configuration: using the local platform on this machine (profile local)
! svctl: the key is kept in $STATE/config/starverse/credentials.yaml for profile local
$ svctl account top-up 100000 -qo name
13800000000
$ svctl gpu list --columns name,free,max_count,unit_price_per_hour
NAME          FREE   MAX_COUNT   UNIT_PRICE_PER_HOUR
rtx-4090      64     8           14.00
a100-80g      64     8           1.90
h100-80g      32     8           4.80
mi300x        16     8           3.60
ascend-910b   64     8           6.00
mlu370-x8     32     8           4.20
enflame-s60   32     8           3.90
tpu-sim       64     8           7.00
$ for n in 1 2 3 4; do svctl instance create full --gpu h100-80g:8 --image pytorch-2.2 -qo id; done
ins_#
ins_#
ins_#
ins_#
# What is free instead is said; a list of offers is tried in its order, below the price that is allowed.
$ svctl instance create t --gpu h100-80g:2 --image pytorch-2.2
! svctl: instance create: not enough h100-80g (free 0, asked for 2)
!   Hint: free now and fitting: rtx-4090:2, a100-80g:2, mi300x:2, ascend-910b:2, mlu370-x8:2, enflame-s60:2, tpu-sim:2; or wait: --wait-capacity
!   code insufficient_capacity, request req_#
? 7
$ svctl instance create t --gpu h100-80g:2 --image pytorch-2.2 -o json
! {"error":{"code":"insufficient_capacity","message":"instance create: not enough h100-80g (free 0, asked for 2)","hint":"free now and fitting: rtx-4090:2, a100-80g:2, mi300x:2, ascend-910b:2, mlu370-x8:2, enflame-s60:2, tpu-sim:2; or wait: --wait-capacity","suggestions":[],"http_status":409,"request_id":"req_#","exit_code":7,"retryable":true,"details":{"errors":[{"field":"gpu_count","code":"insufficient_capacity","message":"not enough h100-80g (free 0, asked for 2)"}],"context":{"free":0,"gpu":"h100-80g"}}}}
? 7
$ svctl instance create t --gpu h100-80g:2 --image pytorch-2.2 --fallback rtx-4090:2,tpu-sim:2 --max-price 20
NAME   STATUS    GPU       GPU_COUNT   PRICE_PER_HOUR   COST
t      running   tpu-sim   2           14.00            0.00
! t: prepare done
! t: boot done
$ svctl instance create u --gpu h100-80g:2 --image pytorch-2.2 --fallback tpu-sim:many
! svctl: instance create: --fallback: "tpu-sim:many" is not MODEL or MODEL:COUNT
!   code validation_failed, request req_#
? 2
$ svctl instance create u --gpu h100-80g:2 --image pytorch-2.2 --fallback tpu-sin
! svctl: instance create: --fallback: there is no card tpu-sin
!   code validation_failed, request req_#
? 2
$ svctl instance create u --gpu h100-80g:2 --image cuda-devel --fallback tpu-sim
! svctl: instance create: cuda-devel runs on cuda, and tpu-sim is driven by tpu
!   Hint: images that fit tpu-sim: pytorch-2.2, pytorch-2.3, PyTorch 2.3 + Llama-4 70B, tensorflow-2.15, deepspeed, megatron-lm
!   code incompatible, request req_#
? 2
# Waiting: it can be seen, it costs nothing, it goes on without svctl, it can be given up.
$ svctl instance create w --gpu h100-80g:2 --image pytorch-2.2 --wait-capacity --timeout 1s --columns name,status
NAME   STATUS
w      queued
! w: queued
! svctl: instance w (ins_#): the time ran out; the work goes on
? 8
$ svctl local step 1h -o json --get clock
stepped
$ svctl instance get w -o json --columns status,status_reason,cost,allowed_actions
{
  "status": "queued",
  "status_reason": {"code":"waiting_for_capacity","message":"waits until the cards are free"},
  "cost": "0.000000",
  "allowed_actions": ["delete","logs","update"]
}
$ svctl instance create x --gpu h100-80g:2 --image pytorch-2.2 --wait-capacity --timeout 1s --rollback -q
NAME   STATUS   GPU        GPU_COUNT   PRICE_PER_HOUR   COST
x      queued   h100-80g   2           9.60             0.00
! svctl: instance x (ins_#): the time ran out; the work goes on
? 8
$ svctl instance list --name x --all --columns name,status,cost
NAME   STATUS     COST
x      released   0.00
$ svctl instance create y --gpu h100-80g:2 --image pytorch-2.2 --wait-capacity --no-wait --columns name,status
NAME   STATUS
y      queued
$ svctl operation cancel "$(svctl instance get y --get operation_id)" --columns type,status
TYPE              STATUS
instance.create   cancelled
$ svctl instance wait y
! y: error
! svctl: instance y: ins_#: cancelled while it waited for capacity
!   code failed
? 10
$ printf 'kind: instance\nname: y\ngpu: h100-80g\ngpu_count: 2\nimage: pytorch-2.2\n' | svctl diff -f -
= instance y (ins_#), error
1 document, nothing to do
# A file: what was taken instead is as described; what an earlier run did not wait for is waited for.
$ printf 'kind: instance\nname: any\ngpu: h100-80g\nimage: pytorch-2.2\nkeys: []\nfallback: ["rtx-4090:2", tpu-sim]\n' > any.yaml; svctl apply -f any.yaml -qo csv --columns action,name; svctl instance get any --columns gpu,gpu_count; svctl apply -f any.yaml -qo csv --columns action,name; svctl export instance any | svctl diff -f - --exit-code -q -o csv --columns action,name
action,name^M
create,any^M
GPU        GPU_COUNT
rtx-4090   2
action,name^M
none,any^M
action,name^M
none,any^M
$ sed -i 's/:2"/:3"/; s/, tpu-sim//' any.yaml; svctl diff -f any.yaml | grep gpu
    gpu: rtx-4090 -> h100-80g   cannot be changed
$ svctl delete -f any.yaml --yes -qo name
any
$ printf 'kind: instance\nname: late\ngpu: h100-80g\nimage: pytorch-2.2\nkeys: []\nwait_capacity: true\n' > late.yaml; svctl apply -f late.yaml --no-wait -qo csv --columns action,name; svctl apply -f late.yaml --no-wait -qo csv --columns action,name; svctl apply -f late.yaml --timeout 1s -q
action,name^M
create,late^M
action,name^M
none,late^M
ACTION   KIND   NAME   ID   PRICE_PER_HOUR
! svctl: instance late (ins_#): the time ran out; the work goes on
? 8
$ svctl delete -f late.yaml --yes -qo name
late
$ svctl instance delete y --yes --columns name,status
NAME   STATUS
y      released
! y: halt done
! y: remove done
! y: release done
# The cards come back: the one that waits longest has them.
$ svctl instance stop "$(svctl instance list --name full --sort created_at --limit 1 -o id)" -q --columns name,status
NAME   STATUS
full   stopped
$ svctl instance list --name w --columns name,status,gpu,gpu_count
NAME   STATUS    GPU        GPU_COUNT
w      running   h100-80g   2
$ svctl event list --filter type=instance.dequeued --columns type,message
TYPE                MESSAGE
instance.dequeued   w takes 2 x h100-80g
# Without cards: cheap, and with nothing that says there were some.
$ svctl instance stop w -qo name
w
$ svctl instance start w --mode no_gpu -q --columns name,status,gpu_count,vcpus,ram_gib,price_per_hour,env
NAME   STATUS    GPU_COUNT   VCPUS   RAM    PRICE_PER_HOUR   ENV
w      running   0           2       4GiB   0.10             STARVERSE_GPU_COUNT=0
$ svctl instance resize w --gpu-count 2 -q
NAME   STATUS    GPU        GPU_COUNT   PRICE_PER_HOUR   COST
w      running   h100-80g   2           9.60             9.60
$ svctl instance stop w -qo name
w
$ svctl instance start w -q --columns name,status,gpu_count,vcpus,price_per_hour
NAME   STATUS    GPU_COUNT   VCPUS   PRICE_PER_HOUR
w      running   2           40      9.60
