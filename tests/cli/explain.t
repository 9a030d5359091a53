# What says how things are: explain, doctor, ssh-config, --curl, --strict, --color, topics of help.
$ svctl explain instance.gpu_count
instance.gpu_count: number of cards

Holds:
  integer
  such as 4

Taken by:
  create --gpu-count
  start --gpu-count
  resize --gpu-count
  switch --gpu-count
$ svctl explain disk.size_gib
disk.size_gib: capacity

Holds:
  size in GiB; create needs it
  such as 100

Taken by:
  create --size
  resize --size
$ svctl explain instance.status | sed -n '1,/queued/p'
instance.status: state

Holds:
  text

Taken by:
  list --status

Words:
  queued                      waits for its turn or for capacity
$ svctl explain disk.attachment --columns name,type
NAME                   TYPE
attachment.instance    text
attachment.path        text
attachment.read_only   true or false
attachment.state       text
$ svctl explain instance.auto_stop.idle.after_seconds -o json
{
  "name": "auto_stop.idle.after_seconds",
  "type": "duration in seconds",
  "help": "idle for so long",
  "refers_to": null,
  "words": [],
  "options": [
    "create --idle",
    "update --idle"
  ],
  "example": "1800",
  "required": false,
  "secret": false
}
$ svctl explain key.public_key -o yaml
name: public_key
type: text
help: one line as in id_ed25519.pub
refers_to: null
words: []
options:
- create --public-key
example: "ssh-ed25519 AAAAC3Nza me@laptop"
required: true
secret: false
$ svctl explain instance -o name | grep -cx 'max_price_per_hour\|auto_stop'
2
$ svctl explain nosuch
! svctl: no such resource: nosuch
!   Usage: svctl explain NOUN[.FIELD]
? 2
$ svctl explain instance.staus
! svctl: instance has no field staus
!   Did you mean: status?
!   Usage: svctl explain NOUN[.FIELD]
? 2
$ svctl explain
! svctl: explain what? such as instance, or instance.status
!   Usage: svctl explain NOUN[.FIELD]
? 2
$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl doctor --columns check,result,advice; echo $?
CHECK           RESULT   ADVICE
configuration   ok       -
permissions     ok       -
state           ok       -
key             fail     svctl login, or svctl account register on the local platform
service         fail     svctl login, or svctl account register
ssh             ok       -
engine          ok       -
3
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl account register --email me@example.org -o name -q
me@example.org
$ svctl doctor --columns check,result; echo $?
CHECK           RESULT
configuration   ok
permissions     ok
state           ok
key             ok
service         ok
clock           ok
ssh             ok
engine          ok
0
$ svctl doctor --endpoint http://nosuch.invalid --columns check,result -o csv
check,result^M
configuration,ok^M
permissions,ok^M
state,ok^M
dns,fail^M
proxy,ok^M
key,ok^M
service,fail^M
ssh,ok^M
? 9
$ mkdir -p config/starverse; printf 'version: 1\nendpont: x\n' > config/starverse/config.yaml; svctl gpu list -o name --limit 1
rtx-4090
! svctl: warning: $STATE/config/starverse/config.yaml:2: unknown key endpont
$ svctl gpu list -o name --limit 1 --strict
! svctl: $STATE/config/starverse/config.yaml:2: unknown key endpont
? 3
$ svctl doctor -q --columns check,result,found | sed -n 2p
configuration   warn     $STATE/config/starverse/config.yaml:2: unknown key endpont
$ rm config/starverse/config.yaml; svctl gpu list -o name --limit 1 --strict
rtx-4090
$ svctl instance create t --gpu tpu-sim --image pytorch-2.2 -qo name
t
$ svctl ssh-config
Include "$STATE/state/starverse/ssh/config"
! svctl: instances that can be logged in to: 0; ssh finds them by:
$ head -1 state/starverse/ssh/config | cut -c 3-
Written by svctl ssh-config; written anew by the next one.
$ svctl disk create "it's" --size 10 --curl | sed 's/sv-[0-9a-f]*/sv-#/'
curl -sS --globoff --path-as-is -X POST \
  --unix-socket '$STATE/run/starverse/local.sock' \
  -H 'User-Agent: libstarverse/0.1.0' \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json' \
  -H "Authorization: Bearer $STARVERSE_API_KEY" \
  -H 'X-Request-Id: req_#' \
  -H 'Idempotency-Key: sv-#' \
  --data-raw '{"name":"it'\''s","size_gib":10}' \
  --url 'http://localhost/v1/disks'
$ svctl instance list --filter status=running --filter cost=0 --curl | tail -1
  --url 'http://localhost/v1/instances?limit=500&status=running'
$ svctl instance stop t --curl | grep -e -X -e url | sed 's/ins_[a-z0-9]*/ins_#/'
curl -sS --globoff --path-as-is -X POST \
  --url 'http://localhost/v1/instances/ins_#/stop'
$ svctl instance get t --curl | tail -1; svctl instance list -o name
  --url 'http://localhost/v1/instances/ins_#'
t
$ STARVERSE_API_KEY=$(sed -n 's/.*api_key: *//p' config/starverse/credentials.yaml | tr -d \'\"); export STARVERSE_API_KEY; bash -c "$(svctl disk create curled --size 1 --curl)" | cut -c 1-9; svctl disk list --name curled -o name
{"id":"ds
curled
$ svctl instance list --columns name,status --color always | cat -v
NAME   STATUS
t      ^[[32mrunning^[[0m
$ CLICOLOR_FORCE=1 svctl instance list --columns status --no-header | cat -v
^[[32mrunning^[[0m
$ CLICOLOR_FORCE=1 NO_COLOR=1 svctl instance list --columns status --no-header | cat -v
running
$ NO_COLOR=1 svctl instance list --columns status --no-header --color=always | cat -v
^[[32mrunning^[[0m
$ CLICOLOR_FORCE=1 svctl instance list --columns status --color never --no-header | cat -v
running
$ svctl instance list --color sometimes
! svctl: --color sometimes: must be auto, always or never
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl help filters | head -4
  FIELD=VALUE, FIELD!=VALUE   the field is, or is not, exactly this
  FIELD<VALUE <= > >=         less or more: numbers, sizes, durations, times and
                              money by their value, text by its bytes
  auto_stop.max_cost>5        nested fields with dots
$ svctl help environment | grep PAGER
  PAGER                       as SVCTL_PAGER, after it
  SVCTL_PAGER                 program that long answers go through on a
