$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.com -o name -q
me@example.com
$ svctl account top-up 1000 -q -o name
me@example.com
$ svctl quote group --gpu tpu-sim:2 --image pytorch-2.2 --desired 3 --columns price_per_hour,available -o json
{
  "price_per_hour": "42.000000",
  "available": true
}
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl group create web --gpu tpu-sim:2 --image pytorch-2.2 --desired 3 -n
POST /v1/groups
{"name":"web","template":{"gpu":"tpu-sim","gpu_count":2,"image":"img_#"},"desired":3}
price 42.00 an hour
$ svctl group create web --template.gpu tpu-sim:2 --template.image pytorch-2.2 --max-cost 50 --desired 2 --maximum 4 --columns name,desired,status
NAME   DESIRED   STATUS
web    2         ready
! web: scaling
! web: ready
$ svctl instance list --columns name,status,auto_stop.max_cost
NAME    STATUS    AUTO_STOP.MAX_COST
web-1   running   50.00
web-2   running   50.00
$ svctl group scale web 4 --columns name,desired,status
NAME   DESIRED   STATUS
web    4         ready
! web: scaling
! web: ready
$ svctl group scale web 5
! svctl: group scale web: --desired: must be at most 4, the group's maximum
!   code validation_failed, request req_#
? 2
$ svctl instance list -o name
web-1
web-2
web-3
web-4
$ svctl group scale web 1 -q --columns name,desired,status
NAME   DESIRED   STATUS
web    1         ready
$ svctl local step 1h -q --get clock
stepped
$ svctl group get web -o json --columns name,desired,maximum,status,cost
{
  "name": "web",
  "desired": 1,
  "maximum": 4,
  "status": "ready",
  "cost": "14.000000"
}
$ svctl instance stop web-1 -q --columns name,status
NAME    STATUS
web-1   stopped
$ svctl group list --columns name,desired,status,status_reason
NAME   DESIRED   STATUS   STATUS_REASON
web    1         error    code=stopped,message=1 of 1 are stopped
$ svctl group create x --gpu tpu-sim:1 --image pytorch-2.2 --desired 1 --max-price 1
! svctl: group create: it costs 7.00 an hour, above the limit of 1.00
!   code price_exceeds_limit, request req_#
? 7
$ svctl group create x --gpu tpu-sim:1 --image pytorch-2.2
! svctl: --desired: is required
!   Usage: svctl group create NAME --template TEMPLATE --desired DESIRED [OPTION...]
? 2
$ echo '{"gpu":"tpu-sim","image":"pytorch-2.2"}' > t.json; svctl group create y --template @t.json --desired 1 -qo name
y
$ svctl group delete y web --yes --columns name,status
NAME   STATUS
y      deleted
web    deleted
! y: deleting
! y: deleted
! web: deleting
! web: deleted
$ svctl group list --all --columns name,status
NAME   STATUS
web    deleted
y      deleted
$ svctl local reset --yes -q
