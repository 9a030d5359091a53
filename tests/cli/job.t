$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.org -qo name
me@example.org
$ svctl job run
! svctl: which command? it stands after --
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run -h | grep -oE -- '^  --(checkpoint|max-cost|max-runtime) [A-Z:]+'
  --checkpoint NAME:PATH
  --max-runtime DURATION
  --max-cost AMOUNT
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2
! svctl: which command? it stands after --
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --instance t --gpu rtx-4090 -- true
! svctl: --gpu: is for a new instance; instance names one
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --max-cost 0 -- true
! svctl: --max-cost: must be more than 0
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --max-runtime 5 -- true
! svctl: --max-runtime: needs a unit, such as 90s, 30m, 2h or 7d
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --then forget -- true
! svctl: --then: must be one of stop release keep
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --checkpoint ckpt -- true
! svctl: --checkpoint: must be THING:PATH with an absolute path
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --detach --follow -- true
! svctl: --detach and --follow exclude each other
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --send nowhere -- true
! svctl: --send nowhere: no such directory
!   Usage: svctl job run [NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- COMMAND...
? 2
$ svctl job run j --gpu rtx-4090:4 --image none -- true
! svctl: no configuration: using the local platform on this machine (profile local)
! svctl: image "none" not found
!   Hint: svctl image list
!   code not_found
? 5
$ svctl job run j --gpu rtx-4090:4 --image pytorch-2.2 --env STARVERSE_X=1 -- true
! svctl: made an SSH key: $STATE/state/starverse/ssh/id_ed25519
! svctl: job run: --env: "STARVERSE_X": STARVERSE_ names are the platform's
!   code validation_failed, request req_#
? 2
$ svctl job run j --gpu rtx-4090:4 --image id:img_x --max-cost 5 --checkpoint id:dsk_x:/c -n -- python3 train.py --lr 0.1
! svctl: image id:img_x: image "img_x" not found
!   Hint: svctl image list
!   code not_found
? 5
$ svctl job run dear --gpu rtx-4090:4 --image pytorch-2.2 --max-cost 0.10 --no-wait -qo name -- train
dear
$ svctl job get dear --get status
running
$ svctl local step 1h -q --get clock
stepped
$ svctl job list
NAME   STATUS   REASON     EXIT_CODE   INSTANCE   GPU        GPU_COUNT   COST       STARTED_AT
dear   failed   max_cost   -           dear       rtx-4090   4           0.093333   TIME
$ svctl job list -o wide --columns name,status,reason,message,cost,then
NAME   STATUS   REASON     MESSAGE                             COST       THEN
dear   failed   max_cost   the cost limit of 0.10 is reached   0.093333   stop
$ svctl job wait dear
! dear: failed
! svctl: job dear: job_#: the cost limit of 0.10 is reached
!   code failed
? 10
$ svctl job wait dear --for running
! svctl: job dear is failed and will not be running
? 10
$ svctl instance list --columns name,status,stopped_by,cost
NAME   STATUS    STOPPED_BY   COST
dear   stopped   job          0.093333
$ svctl job run a --gpu rtx-4090:4 --image pytorch-2.2 --detach -qo name -- sleep 100
a
$ svctl job run b --gpu tpu-sim:4 --image pytorch-2.2 --detach -qo name --then release -- sleep 80
b
$ svctl local step 10m -q --get clock
stepped
$ svctl job wait a b --columns name,status,exit_code,cost
NAME   STATUS      EXIT_CODE   COST
a      succeeded   0           1.555556
b      succeeded   0           0.622222
! a: succeeded
! b: succeeded
$ svctl job compare a b
JOB                  a           b
status               succeeded   succeeded
gpu                  rtx-4090    tpu-sim
gpu count            4           4
time                 1m40s       1m20s (-20.0 %)
steps                -           -
steps a second       -           -
peak memory          -           -
price an hour        56.00       28.00 (-50.0 %)
cost                 1.555556    0.622222 (-60.0 %)
cost of 1000 steps   -           -
$ svctl job compare a b -o csv --columns name,seconds,cost,difference.seconds
name,seconds,cost,difference.seconds^M
a,100,1.555556,^M
b,80,0.622222,-20^M
$ svctl job compare a b -o json | jq -c '[.[] | [.name, .seconds, .cost, .difference.price_per_hour]]'
[["a",100,"1.555556",null],["b",80,"0.622222",-50]]
$ svctl job compare a
! svctl: which jobs? two to 8 of them
!   Usage: svctl job compare JOB JOB... [--chart] [--html FILE]
? 2
$ svctl job compare a none
! svctl: job "none" not found
!   Hint: svctl job list
!   code not_found
? 5
$ svctl job metrics a
NAME   COUNT   LAST   MINIMUM   MAXIMUM
$ svctl job metrics a -o json
[]
$ svctl job logs a
! svctl: job_#: the engine none keeps no logs
!   code internal, request req_#
? 9
$ svctl job run ok --gpu rtx-4090:1 --image pytorch-2.2 --columns name,status,exit_code -q -- true
NAME   STATUS      EXIT_CODE
ok     succeeded   0
$ svctl job run bad --gpu rtx-4090:1 --image pytorch-2.2 --columns name,status,reason,exit_code -q -- false
NAME   STATUS   REASON      EXIT_CODE
bad    failed   exit_code   1
! svctl: job bad: job_#: exit code 1
!   code failed
? 10
$ svctl job run c --gpu rtx-4090:1 --image pytorch-2.2 --detach -qo name -- train
c
$ svctl job cancel c --columns name,status,reason
NAME   STATUS      REASON
c      cancelled   cancelled
! c: stopping
! c: cancelled
$ svctl job cancel c -q --get status
cancelled
$ svctl job wait c
! c: cancelled
! svctl: job c was cancelled
? 10
$ svctl job update c --name d --label k=v -q --columns name,labels
NAME   LABELS
d      k=v
$ svctl job start d
! svctl: job start d: the job is cancelled
!   code invalid_state, request req_#
? 6
$ svctl job delete d
! svctl: job: unknown verb "delete"
!   Usage: svctl job VERB [NAME...] [OPTION...]
? 2
$ svctl billing usage --kind compute --columns name,seconds,cost
NAME   SECONDS   COST
dear   6s        0.093333
a      1m40s     1.555556
b      1m20s     0.622222
ok     0s        0.00
bad    0s        0.00
c      0s        0.00
