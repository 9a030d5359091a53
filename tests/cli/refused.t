# Nothing of what is refused here makes or bills anything; each refusal names what is wrong.
$ svctl local start --engine none --clock stepped --columns engine,clock
ENGINE   CLOCK
none     stepped
$ svctl account register --phone 13800000000 -o name
13800000000
! svctl: no configuration: using the local platform on this machine (profile local)
! svctl: the key is kept in $STATE/config/starverse/credentials.yaml for profile local
$ svctl disk create d --size 10GiB -qo name
d
$ svctl disk create d2 --size 10GiB -qo name
d2
$ svctl instance create host --gpu rtx-4090:1 --image pytorch-2.2 -qo name
host
$ svctl instance create a --gqu rtx-4090 --image pytorch-2.2
! svctl: unknown option --gqu
!   Did you mean: --gpu?
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4091 --image pytorch-2.2
! svctl: instance create: there is no card rtx-4091
!   Did you mean: rtx-4090?
!   code not_found, request req_#
? 5
$ svctl instance create a --gpu rtx-4090:0 --image pytorch-2.2
! svctl: --gpu MODEL:COUNT: must be at least 1
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090:-1 --image pytorch-2.2
! svctl: --gpu MODEL:COUNT: must not be negative
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090:x --image pytorch-2.2
! svctl: --gpu MODEL:COUNT: must be an integer
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090:64 --image pytorch-2.2
! svctl: instance create: --gpu MODEL:COUNT: rtx-4090 comes with at most 8 cards in one instance
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --backend rocm --image pytorch-2.2
! svctl: instance create: rtx-4090 is not driven by rocm
!   Hint: rtx-4090 is driven by cuda
!   code incompatible, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --backend cudo --image pytorch-2.2
! svctl: --backend: unknown word; did you mean cuda?
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090
! svctl: --image: give exactly one of image, snapshot and app
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --snapshot s
! svctl: --image: give exactly one of image, snapshot and app
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --system-disk -5GiB
! svctl: --system-disk: must not be negative
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --system-disk 50GB
! svctl: --system-disk: must be whole GiB
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --system-disk 5m
! svctl: --system-disk: must be a size such as 40GiB or 1.5TiB
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --system-disk 99999999GiB
! svctl: instance create: --system-disk: must be at most 4096 GiB
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-runtime 30
! svctl: --max-runtime: needs a unit, such as 90s, 30m, 2h or 7d
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-runtime -5m
! svctl: --max-runtime: must be a duration such as 90s, 30m, 2h or 7d
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-cost 0
! svctl: --max-cost: must be more than 0
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-cost 1.2345678
! svctl: --max-cost: must be an amount such as 12.50, with at most 6 places
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-cost twenty
! svctl: --max-cost: must be an amount such as 12.50, with at most 6 places
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --stop-at 2020-01-01T00:00:00Z
! svctl: instance create: --stop-at: is in the past
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --auto-stop.idle.gpu-util-below 5 --idle 5m
! svctl: instance create: --auto-stop.idle.gpu-util-below: simulated cards have no utilisation
!   Hint: use cpu_util_below
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --auto-stop.idle.cpu-util-below 5
! svctl: --idle: is required
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --auto-stop.action destroy
! svctl: --auto-stop.action: must be one of stop release
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --dataset fineweb
! svctl: dataset "fineweb" not found
!   Hint: svctl dataset list
!   code not_found
? 5
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --model llama
! svctl: model "llama" not found
!   Hint: svctl model list
!   code not_found
? 5
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --disk d:/
! svctl: instance create: --disk.path: "/" is the root of the instance
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --disk d:/etc
! svctl: instance create: --disk.path: "/etc" lies in a directory of the system
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --disk d:root/x
! svctl: --disk: must be THING:PATH with an absolute path
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --disk d
! svctl: --disk: must be THING:PATH with an absolute path
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --disk nodisk:/data
! svctl: disk "nodisk" not found
!   Hint: svctl disk list
!   code not_found
? 5
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --disk d:/data --disk d2:/data
! svctl: instance create: --disk.path: "/data" and the mount on "/data" are in each other's way
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --env 1A=x
! svctl: instance create: --env: "1A" is no name of a variable
!   code validation_failed, request req_#
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --network internet
! svctl: --network: must be one of outbound none
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create '' --gpu rtx-4090 --image pytorch-2.2
! svctl: an argument is empty
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl disk create a
! svctl: --size: is required
!   Usage: svctl disk create NAME --size SIZE [OPTION...]
? 2
$ svctl disk create a --size 0
! svctl: --size: must be at least 1 GiB
!   Usage: svctl disk create NAME --size SIZE [OPTION...]
? 2
$ svctl disk create a --size -1GiB
! svctl: --size: must not be negative
!   Usage: svctl disk create NAME --size SIZE [OPTION...]
? 2
$ svctl disk create a --size 1.5GiB
! svctl: --size: must be whole GiB
!   Usage: svctl disk create NAME --size SIZE [OPTION...]
? 2
$ svctl disk create a --size 10MiB
! svctl: --size: must be whole GiB
!   Usage: svctl disk create NAME --size SIZE [OPTION...]
? 2
$ svctl disk create a --size 10X
! svctl: --size: must be a size such as 40GiB or 1.5TiB
!   Usage: svctl disk create NAME --size SIZE [OPTION...]
? 2
$ svctl disk resize d --size 5GiB
! svctl: disk resize d: --size: must not be less than the 10 GiB it has: disks only grow
!   code validation_failed, request req_#
? 2
$ svctl disk attach d host:/
! svctl: disk attach d: --path: "/" is the root of the instance
!   code validation_failed, request req_#
? 2
$ svctl disk attach d host:/usr
! svctl: disk attach d: --path: "/usr" lies in a directory of the system
!   code validation_failed, request req_#
? 2
$ svctl disk attach d host
! svctl: "host": must be NAME:PATH with an absolute path
!   Usage: svctl disk attach NAME INSTANCE:PATH [OPTION...]
? 2
$ svctl disk attach d nohost:/data
! svctl: instance "nohost" not found
!   Did you mean: host (ins_#, running)?
!   Hint: svctl instance list
!   code not_found
? 5
$ svctl disk detach host-system
! svctl: disk detach host-system: a system disk cannot be detached
!   Hint: make a snapshot of it, or release the instance
!   code invalid_state, request req_#
? 6
$ svctl disk attach host-system host:/data
! svctl: disk attach host-system: a system disk stays with its instance
!   code invalid_state, request req_#
? 6
$ svctl disk delete host-system --yes
! svctl: disk delete host-system: a system disk lives as long as its instance
!   Hint: release the instance instead
!   code invalid_state, request req_#
? 6
$ svctl instance resize host --gpu-count 0
! svctl: --gpu-count: must be at least 1
!   Usage: svctl instance resize NAME... --gpu-count GPU-COUNT [OPTION...]
? 2
$ svctl instance resize host --gpu-count 100
! svctl: instance resize host: --gpu-count: rtx-4090 comes with at most 8 cards in one instance
!   code validation_failed, request req_#
? 2
$ svctl instance switch host --gpu tpu-sin
! svctl: instance switch host: there is no card tpu-sin
!   Did you mean: tpu-sim?
!   code not_found, request req_#
? 5
$ svctl instance extend host --by 5m
! svctl: instance extend host: nothing stops the instance at a time
!   Hint: auto_stop.stop_at or auto_stop.max_runtime_seconds does
!   code invalid_state, request req_#
? 6
$ svctl instance extend host --by 5
! svctl: --by: needs a unit, such as 90s, 30m, 2h or 7d
!   Usage: svctl instance extend NAME... --by BY [OPTION...]
? 2
$ svctl webhook create w
! svctl: --url: is required
!   Usage: svctl webhook create NAME --url URL [OPTION...]
? 2
$ svctl webhook create w --url example.com
! svctl: --url: must begin with http:// or https://
!   Usage: svctl webhook create NAME --url URL [OPTION...]
? 2
$ svctl webhook create w --url https://example.com/x --event instanze.stopped
! svctl: --event: "instanze.stopped" names no kind of thing: instance.stopped, disk.*
!   Usage: svctl webhook create NAME --url URL [OPTION...]
? 2
$ svctl webhook create w --url https://example.com/x --event webhook.test
! svctl: --event: "webhook.test" is not told of: webhooks do not tell of webhooks
!   Usage: svctl webhook create NAME --url URL [OPTION...]
? 2
$ svctl webhook create w --url https://example.com/x --format slack
! svctl: --format: must be one of generic feishu dingtalk wecom
!   Usage: svctl webhook create NAME --url URL [OPTION...]
? 2
$ svctl webhook create w --url https://example.com/x --secret short
! svctl: webhook create: --secret: must be whsec_ and the base64 of 16 to 64 bytes
!   code validation_failed, request req_#
? 2
$ svctl webhook create w --url https://example.com/x --format wecom --secret x
! svctl: webhook create: --secret: is not what this robot signs with: its address is the secret
!   code validation_failed, request req_#
? 2
# What was made is what was there before.
$ svctl instance list --columns name,status,cost
NAME   STATUS    COST
host   running   0.00
$ svctl disk list --columns name,size_gib,status
NAME          SIZE    STATUS
d             10GiB   available
d2            10GiB   available
host-system   30GiB   attached
$ svctl webhook list -o json
[]
$ svctl operation list --columns type,status
TYPE              STATUS
disk.create       succeeded
disk.create       succeeded
instance.create   succeeded
$ svctl billing charges -o json
[
  {
    "id": "chg_#",
    "time": "TIME",
    "kind": "credit",
    "amount": "10.000000",
    "currency": "CNY",
    "resource": null,
    "interval": null,
    "note": "trial credit",
    "balance": "10.000000"
  }
]
