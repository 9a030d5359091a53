# The command line itself: nothing of this reaches a platform.
$ svctl instnce list
! svctl: unknown command "instnce"
!   Did you mean: instance?
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl instance lst
! svctl: instance: unknown verb "lst"
!   Did you mean: list?
!   Usage: svctl instance VERB [NAME...] [OPTION...]
? 2
$ svctl instance list --fliter status=running
! svctl: unknown option --fliter
!   Did you mean: --filter?
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list -o tabel
! svctl: -o tabel: not one of table, wide, json, jsonl, yaml, csv, tsv, name, id
!   Did you mean: table?
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list --columns nmae
! svctl: no such field: nmae
!   Did you mean: name?
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list --sort nmae
! svctl: --sort: no such field: nmae
!   Did you mean: name?
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list --filter status
! svctl: --filter "status": must be FIELD=VALUE; also != < <= > >=
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list --limit 0
! svctl: --limit must be at least 1
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance get
! svctl: which instance?
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ svctl instance get ""
! svctl: an argument is empty
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ svctl instance delete " " --yes
! svctl: an argument is empty
!   Usage: svctl instance delete NAME... [OPTION...]
? 2
$ svctl instance delete a
! svctl: instance delete loses data and cannot ask here: stdin and stderr are not a terminal
!   Hint: add --yes to do it without being asked
? 2
$ svctl instance delete a -o json
! {"error":{"code":"usage","message":"instance delete loses data and cannot ask here: stdin and stderr are not a terminal","hint":"add --yes to do it without being asked","suggestions":[],"http_status":0,"request_id":null,"exit_code":2,"retryable":false,"details":{"errors":[],"context":{}}}}
? 2
$ svctl instance create
! svctl: --image: give exactly one of image, snapshot and app
!   --gpu: is required
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --image pytorch-2.2
! svctl: --gpu: is required
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090:x --image pytorch-2.2
! svctl: --gpu MODEL:COUNT: must be an integer
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --gpu-count 0 --image pytorch-2.2
! svctl: --gpu-count: must be at least 1
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-runtime 30
! svctl: --max-runtime: needs a unit, such as 90s, 30m, 2h or 7d
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-runtime 9223372036854775807d
! svctl: --max-runtime: is out of range: at most 9007199254740992
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --max-cost 1.0000001
! svctl: --max-cost: must be an amount such as 12.50, with at most 6 places
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --system-disk 0.3
! svctl: --system-disk: must be a size such as 40GiB or 1.5TiB
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --network wan
! svctl: --network: must be one of outbound none
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a b --gpu rtx-4090 --image pytorch-2.2
! svctl: one word too many: b
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --name b --gpu rtx-4090 --image pytorch-2.2
! svctl: --name is given twice, as a word and as an option
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image pytorch-2.2 --wait=up
! svctl: --wait=up: only ssh can be named
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance create a --gpu rtx-4090 --image ""
! svctl: --image: the value is empty
!   Usage: svctl instance create [NAME] [OPTION...]
? 2
$ svctl instance update a
! svctl: nothing to change: give at least one field
!   Usage: svctl instance update NAME... [OPTION...]
? 2
$ svctl instance stop a --timeout 5
! svctl: --timeout 5: needs a unit, such as 90s, 30m, 2h or 7d
!   Usage: svctl instance stop NAME... [OPTION...]
? 2
$ svctl instance list --yes=maybe
! svctl: --yes takes no value
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list --no-output
! svctl: there is no --no-output: --output takes a value
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance wait a --for runing
! svctl: --for runing: no such state
!   Did you mean: running?
!   Usage: svctl instance wait NAME... [--for STATE]
? 2
$ svctl disk attach ckpt trainer
! svctl: "trainer": must be NAME:PATH with an absolute path
!   Usage: svctl disk attach NAME INSTANCE:PATH [OPTION...]
? 2
$ svctl disk attach ckpt trainer:root
! svctl: "trainer:root": must be NAME:PATH with an absolute path
!   Usage: svctl disk attach NAME INSTANCE:PATH [OPTION...]
? 2
$ svctl disk create a --size 10GiB --file /nonexistent
! svctl: /nonexistent: No such file or directory
? 2
$ svctl api FETCH /v1/instances
! svctl: not a method: FETCH
!   Usage: svctl api METHOD PATH [--body FILE | --field KEY=VALUE...] [--paginate]
? 2
$ svctl api GET v1/instances
! svctl: a method and a path that begins with / are needed
!   Usage: svctl api METHOD PATH [--body FILE | --field KEY=VALUE...] [--paginate]
? 2
$ svctl login sk_secret
! svctl: a key is never given on the command line; use --api-key-file
!   Usage: svctl login [--api-key-file FILE|-]
? 2
$ svctl login
! svctl: there is no terminal to ask for the key
!   Hint: --api-key-file FILE takes it from a file, - from stdin
? 2
$ printf 'tok\001en' | svctl login --api-key-file -
! svctl: the key has a character that cannot be in one, at position 4
? 2
$ printf ' \n' | svctl login --api-key-file -
! svctl: the key is empty
? 2
$ printf '\033[200~ sk_good \033[201~\r\n' | svctl login --api-key-file - && grep -c sk_good $XDG_CONFIG_HOME/starverse/credentials.yaml
1
! svctl: the key is kept in $STATE/config/starverse/credentials.yaml for profile local
$ svctl help nosuch
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl help exit-codes
  0                           done, also an empty list
  1                           unclassified
  2                           usage, or refused as invalid, or a confirmation
                              that could not be asked; nothing was created
  3                           configuration: no key, an unreadable or unsafe
                              file; nothing was sent
  4                           refused: no key, a wrong one, or one that may not
                              do this
  5                           not found
  6                           conflict, wrong state, exists, ambiguous
  7                           no capacity, quota, balance, budget, or the price
                              is above the limit
  8                           waiting ran out; the work goes on
  9                           unreachable, TLS, a failure of the service, too
                              many requests
  10                          the awaited thing failed
  11                          some of several targets failed
  12                          the user said no
  16                          something differs (diff --exit-code)
  130                         interrupted; also 141 and 143 after signals

instance ssh and instance exec pass the status of the program on.
$ svctl help disk
Usage: svctl disk VERB [NAME...] [OPTION...]

a block device that outlives instances

Verbs:
  attach                      attach a disk to an instance
  create                      create a disk
  delete                      delete a disk with all that is on it
  detach                      detach a disk from its instance
  get                         show one disk
  list                        list disks
  resize                      grow a disk
  update                      change a disk's name or labels

Examples:
  svctl disk attach ckpt trainer:/root/ckpt
      seen inside at once
  svctl disk create ckpt --size 100GiB
      a data disk
$ svctl disk resize -h
Usage: svctl disk resize NAME... --size SIZE [OPTION...]

grow a disk

Options:
  --size SIZE                 new capacity, never less than before
  -n, --dry-run               show what would be sent, and its price; change
                              nothing
  -f, --file FILE             read the body from YAML or JSON; options come on
                              top
  --skeleton                  print the body as YAML to fill in, and nothing
                              else
  --rollback                  release what a failed create left
  -w, --wait[=ssh]            wait until done (the default), or until one can
                              log in

Options of every command: svctl help.
$ svctl version > /dev/full
! svctl: write error: No space left on device
? 1
$ svctl help > /dev/full
! svctl: write error: No space left on device
? 1
$ svctl version >&-
! svctl: write error: Bad file descriptor
? 1
$ svctl instance list --status runing
! svctl: status "runing": must be one of queued provisioning starting running stopping stopped restarting resizing switching saving_image suspended error releasing released
!   Did you mean: running?
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl instance list --filter stopped_by!=usr -o json
! {"error":{"code":"usage","message":"stopped_by \"usr\": must be one of user instance stop_at max_runtime max_cost idle arrears budget job group switch platform","hint":null,"suggestions":["user"],"http_status":0,"request_id":null,"exit_code":2,"retryable":false,"details":{"errors":[],"context":{}}}}
? 2
$ svctl disk list --filter type=system,data
! svctl: type "system,data": must be one of system data
!   Usage: svctl disk list [OPTION...]
? 2
