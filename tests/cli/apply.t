# Documents: plan, apply, nothing the second time, changes, refusals, prune, delete, export.
$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.org -o name -q
me@example.org
$ printf '%s\n' '# a stack' '--- # note' 'kind: instance' 'name: trainer' 'gpu: tpu-sim' 'gpu_count: 1' 'image: pytorch-2.2' 'disks: [ckpt:/root/ckpt]' 'models: [llama-3-8b]' 'auto_stop: {max_cost: 5.00}' 'labels: {team: no}' '---' '---' 'kind: disk' 'name: ckpt' 'size_gib: 10' '...' > s.yaml; svctl apply -f s.yaml --dry-run
+ instance trainer, 7.00 an hour
    gpu: "tpu-sim"
    gpu_count: 1
    image: "img_#"
    disks: [{"disk":"ckpt","path":"/root/ckpt"}]
    models: ["mdl_#"]
    auto_stop: {"max_cost":"5.000000"}
    labels: {"team":"no"}
+ disk ckpt, 0.001389 an hour
    size_gib: 10
2 documents, 2 to create; new: 7.001389 an hour
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl instance list -o name
$ svctl diff -f s.yaml --exit-code -o json | head -5
[
  {
    "action": "create",
    "kind": "instance",
    "name": "trainer",
$ svctl diff -f s.yaml --exit-code > /dev/null
? 16
$ svctl apply -f s.yaml
ACTION   KIND       NAME      ID                         PRICE_PER_HOUR
create   instance   trainer   ins_#   7.00
create   disk       ckpt      dsk_#   0.001389
! + instance trainer, 7.00 an hour
!     gpu: "tpu-sim"
!     gpu_count: 1
!     image: "img_#"
!     disks: [{"disk":"ckpt","path":"/root/ckpt"}]
!     models: ["mdl_#"]
!     auto_stop: {"max_cost":"5.000000"}
!     labels: {"team":"no"}
! + disk ckpt, 0.001389 an hour
!     size_gib: 10
! 2 documents, 2 to create; new: 7.001389 an hour
! svctl: made an SSH key: $STATE/state/starverse/ssh/id_ed25519
! ckpt: make done
! trainer: prepare done
! trainer: boot done
$ svctl apply -f s.yaml
ACTION   KIND       NAME      ID                         PRICE_PER_HOUR
none     instance   trainer   ins_#   -
none     disk       ckpt      dsk_#   -
! = instance trainer (ins_#)
! = disk ckpt (dsk_#)
! 2 documents, nothing to do
$ svctl diff -f s.yaml --exit-code -o csv
action,kind,name,id,price_per_hour^M
none,instance,trainer,ins_#,^M
none,disk,ckpt,dsk_#,^M
$ svctl diff -f s.yaml -f s.yaml
! svctl: s.yaml:3: instance trainer stands twice, first in s.yaml:3
? 2
$ svctl export disk
---
kind: disk
name: ckpt
size_gib: 10
$ svctl export instance trainer
---
kind: instance
name: trainer
gpu: tpu-sim
gpu_count: 1
backend: tpu
image: pytorch-2.2
system_disk_gib: 30
disks:
- disk: ckpt
  path: /root/ckpt
models:
- llama-3-8b
network: none
auto_stop:
  max_cost: "5.000000"
labels:
  team: "no"
$ (svctl export disk; svctl export instance; svctl export key) | svctl apply -f - -o tsv --columns action,kind,name -q
action	kind	name
none	disk	ckpt
none	instance	trainer
none	key	svctl
$ sed -i 's/5.00/6.00/; s/team: no/team: 0o17/' s.yaml; svctl diff -f s.yaml
~ instance trainer (ins_#)
    auto_stop.max_cost: 5.00 -> 6.00
    labels.team: no -> 0o17
= disk ckpt (dsk_#)
2 documents, 1 to change, 1 as described
$ svctl apply -f s.yaml -q -o json --columns action,name,changes
[
  {
    "action": "update",
    "name": "trainer",
    "changes": [{"field":"auto_stop.max_cost","from":"5.00","to":"6.00"},{"field":"labels.team","from":"no","to":"0o17"}]
  },
  {
    "action": "none",
    "name": "ckpt",
    "changes": []
  }
]
$ svctl diff -f s.yaml --exit-code
= instance trainer (ins_#)
= disk ckpt (dsk_#)
2 documents, nothing to do
$ sed 's/size_gib: 10/size_gib: 20/' s.yaml > t.yaml; svctl apply -f t.yaml
! = instance trainer (ins_#)
! ! disk ckpt (dsk_#)
!     size_gib: 10 -> 20   cannot be changed
! 2 documents, 1 refused, 1 as described
! svctl: t.yaml:14: disk ckpt: size_gib cannot be changed from 10 to 20
!   Hint: svctl disk resize ckpt --size 20
? 6
$ sed 's/gpu: tpu-sim/gpu: rtx-4090/' s.yaml > t.yaml; svctl apply -f t.yaml -q -o json
! {"error":{"code":"conflict","message":"t.yaml:3: instance trainer: gpu cannot be changed from tpu-sim to rtx-4090","hint":"svctl instance switch trainer --gpu rtx-4090","suggestions":[],"http_status":0,"request_id":null,"exit_code":6,"retryable":false,"details":{"errors":[],"context":{}}}}
? 6
$ sed 's/llama-3-8b/llama-4-70b/' s.yaml > t.yaml; svctl apply -f t.yaml -q
! svctl: t.yaml:3: instance trainer: models cannot be changed from ["mdl_#"] to ["mdl_#"]
!   Hint: svctl instance delete trainer, and apply again, makes it anew
? 6
$ printf 'kind: instance\nname: other\ngpu: tpu-sim\nimage: pytorch-2.2\ncommand: sleep 1\nkeys: []\n' > c.yaml; svctl apply -f c.yaml -q -o name
other
$ sed -i 's/sleep 1/sleep 2/' c.yaml; svctl apply -f c.yaml -q
! svctl: c.yaml:1: instance other: command cannot be changed from sleep 1 to sleep 2
!   Hint: svctl instance delete other, and apply again, makes it anew
? 6
$ printf 'kind: disk\nname: ckpt\nsize_gib: 10\n' > s.yaml; svctl diff -f s.yaml --prune
= disk ckpt (dsk_#)
- instance trainer (ins_#)
1 document, 1 to delete, 1 as described
$ svctl apply -f s.yaml --prune -q
! svctl: apply deletes 1 and cannot ask here: stdin and stderr are not a terminal
!   Hint: add --yes to do it without being asked
? 2
$ svctl apply -f s.yaml --prune -q --yes
ACTION   KIND       NAME      ID                         PRICE_PER_HOUR
none     disk       ckpt      dsk_#   -
delete   instance   trainer   ins_#   -
$ svctl apply -f - --prune < s.yaml
! svctl: --prune of what comes from stdin needs --stack NAME
!   Usage: svctl apply -f FILE... [--dry-run] [--prune] [--stack NAME]
? 2
$ svctl apply -f s.yaml --stack ../x
! svctl: --stack ../x: must be a plain word
!   Usage: svctl apply -f FILE... [--dry-run] [--prune] [--stack NAME]
? 2
$ svctl delete -f s.yaml -q
! svctl: delete deletes 1 and cannot ask here: stdin and stderr are not a terminal
!   Hint: add --yes to do it without being asked
? 2
$ svctl delete -f s.yaml -n
- disk ckpt (dsk_#)
1 document, 1 to delete
$ svctl delete -f s.yaml --yes
ACTION   KIND   NAME   ID                         PRICE_PER_HOUR
delete   disk   ckpt   dsk_#   -
! - disk ckpt (dsk_#)
! 1 document, 1 to delete
! ckpt: remove done
$ svctl delete -f s.yaml --yes
ACTION   KIND   NAME   ID   PRICE_PER_HOUR
gone     disk   ckpt   -    -
! = disk ckpt, already gone
! 1 document, 1 already gone, nothing to do
# What is wrong is said before anything is sent.
$ svctl apply
! svctl: which file? give -f FILE, - for stdin
!   Usage: svctl apply -f FILE... [--dry-run] [--prune] [--stack NAME]
? 2
$ svctl apply -f nosuch.yaml
! svctl: nosuch.yaml: No such file or directory
? 2
$ svctl apply -f /dev/null
! svctl: /dev/null: nothing to apply: no document in it
? 2
$ printf '# nothing\n---\n---\n' | svctl apply -f -
! svctl: stdin: nothing to apply: no document in it
? 2
$ printf 'kind: disk\nname: a\nsize_gib: 1\n---\nkind: disk\nname: b\nsize_gib: 1\n---\nkind: disk\nname: c\nsize: 1\n' | svctl apply -f -; svctl disk list -o name
other-system
! svctl: stdin:11:1: unknown key size
!   code validation_failed
$ printf 'kind: instance\nname: a\ngpu_cuont: 1\n' | svctl apply -f -
! svctl: stdin:3:1: unknown key gpu_cuont; did you mean gpu_count?
!   code validation_failed
? 2
$ printf 'kind: instance\nname: a\ngpu: g\nimage: i\nAuto_stop:\n  max_cost: 1\n' | svctl apply -f -
! svctl: stdin:5:1: unknown key Auto_stop; did you mean auto_stop?
!   code validation_failed
? 2
$ printf 'kind: disk\nname: a\nsize_gib: 1\nsize_gib: 2\n' | svctl apply -f -
! svctl: stdin:4:1: key size_gib stands twice, first in line 3
!   code validation_failed
? 2
$ printf 'kind: disk\nname: a\n\tsize_gib: 1\n' | svctl apply -f -
! svctl: stdin:3:1: found a tab character that violates indentation while scanning a plain scalar
!   code validation_failed
? 2
$ printf 'kind: disk\nname: a\377\nsize_gib: 1\n' | svctl apply -f -
! svctl: stdin:2:8: invalid leading UTF-8 octet
!   code validation_failed
? 2
$ printf 'kind: disk\nname: a\0b\nsize_gib: 1\n' | svctl apply -f -
! svctl: stdin:2:8: control characters are not allowed
!   code validation_failed
? 2
$ printf 'x: &a {size_gib: 1}\nkind: disk\nname: a\n<<: *a\n' | svctl apply -f -
! svctl: stdin:1:1: unknown key x
!   code validation_failed
? 2
$ printf 'kind: disk\nname: a\nsize_gib: 1\n---\nkind: disk\nname: a\nsize_gib: 2\n' | svctl apply -f -
! svctl: stdin:5: disk a stands twice, first in stdin:1
? 2
$ printf 'kind: gpu\nname: a\n' | svctl apply -f - -o json
! {"error":{"code":"validation_failed","message":"stdin:1:1: kind: \"gpu\": cannot be created","hint":null,"suggestions":[],"http_status":0,"request_id":null,"exit_code":2,"retryable":false,"details":{"errors":[],"context":{}}}}
? 2
$ (ldd $(command -v svctl) | grep -q asan || ulimit -v 500000; (echo 'a0: &a0 [x,x,x,x,x,x,x,x,x]'; for i in 1 2 3 4 5 6 7 8 9; do j=$((i-1)); echo "a$i: &a$i [*a$j,*a$j,*a$j,*a$j,*a$j,*a$j,*a$j,*a$j,*a$j]"; done) | timeout 5 svctl apply -f -)
! svctl: stdin:4:10: too many expanded nodes by aliases
!   code validation_failed
? 2
$ (ulimit -s 256; head -c 100000 /dev/zero | tr '\0' '[' | timeout 5 svctl apply -f -)
! svctl: stdin:1:64: nested deeper than 64
!   code validation_failed
? 2
$ (ulimit -s 256; yes -- '- ' | head -c 200000 | tr -d '\n' | timeout 5 svctl apply -f -)
! svctl: stdin:1:127: nested deeper than 64
!   code validation_failed
? 2
# A name that two have.
$ svctl disk create two --size 1GiB -qo name; svctl disk create two --size 1GiB -qo name
two
two
$ printf 'kind: disk\nname: two\nsize_gib: 1\n' | svctl apply -f - 2>&1 | sed 's/dsk_[a-z0-9]*/dsk_#/g'
svctl: stdin:1: the name two matches two: dsk_# and dsk_#
  Hint: rename or delete one of them: a document is known by kind and name
$ svctl export disk > e.yaml
! svctl: warning: two are called two; apply will refuse to choose between them
# Strings stay what they are.
$ printf 'kind: disk\nname: on\nsize_gib: 1\nlabels: {a: no, b: 0123, c: 1.20, d: 12:30, e: 1e10, f: ~, g: 0o17, h: "true"}\n' | svctl apply -f - -q -o name
on
$ svctl export disk on | tee o.yaml
---
kind: disk
name: "on"
size_gib: 1
labels:
  a: "no"
  b: "0123"
  c: "1.20"
  d: "12:30"
  e: "1e10"
  f: "~"
  g: "0o17"
  h: "true"
$ svctl apply -f o.yaml -q --columns action,name; svctl disk get on -o yaml | grep -A8 labels
ACTION   NAME
none     on
labels:
  a: "no"
  b: "0123"
  c: "1.20"
  d: "12:30"
  e: "1e10"
  f: "~"
  g: "0o17"
  h: "true"
# What the service refuses to price is refused before the first call; what fails leaves the rest to the next run.
$ printf 'kind: disk\nname: first\nsize_gib: 1\n---\nkind: instance\nname: i\ngpu: rtx-4090\nimage: pytorch-2.2\nbackend: rocm\n' | svctl apply -f -; svctl disk list -o name --name first
! svctl: stdin:5: instance i: rtx-4090 is not driven by rocm
!   Hint: rtx-4090 is driven by cuda
!   code incompatible, request req_#
$ printf '%s\n' 'kind: instance' 'name: i' 'gpu: rtx-4090' 'image: pytorch-2.2' 'backend: rocm' 'disks: ["first:/x"]' '---' 'kind: disk' 'name: first' 'size_gib: 1' > later.yaml; svctl apply -f later.yaml -n
! svctl: later.yaml:1: instance i: rtx-4090 is not driven by rocm
!   Hint: rtx-4090 is driven by cuda
!   code incompatible, request req_#
? 2
$ printf '%s\n' 'kind: group' 'name: g' 'desired: 2' 'template: {gpu: tpu-sim, image: pytorch-2.2, storages: ["later:/x"]}' '---' 'kind: storage' 'name: later' 'size_gib: 1' > later.yaml; svctl apply -f later.yaml -n; sed -i 's/tpu-sim/nosuch/' later.yaml; svctl apply -f later.yaml -n
+ group g, 14.00 an hour
    template: {"gpu":"tpu-sim","image":"img_#","storages":[{"storage":"later","path":"/x"}]}
    desired: 2
+ storage later, 0.000069 an hour
    size_gib: 1
2 documents, 2 to create; new: 14.000069 an hour
! svctl: later.yaml:1: group g: there is no card nosuch
!   Hint: svctl gpu list
!   code not_found, request req_#
? 5
$ printf '%s\n' 'kind: snapshot' 'name: snap' 'disk: other-system' '---' 'kind: instance' 'name: from' 'gpu: tpu-sim' 'snapshot: snap' > snap.yaml; svctl apply -f snap.yaml -n
+ snapshot snap
    disk: "dsk_#"
+ instance from, price not known yet
    gpu: "tpu-sim"
    snapshot: "snap"
2 documents, 2 to create
$ svctl local fault 'POST /v1/instances' 403 1; printf 'kind: disk\nname: first\nsize_gib: 1\n---\nkind: instance\nname: i\ngpu: tpu-sim\nimage: pytorch-2.2\ndisks: ["first:/x"]\n' > r.yaml; svctl apply -f r.yaml -q -o csv --columns action,name
action,name^M
create,first^M
! svctl: instance i: a failure that was asked for
!   code forbidden, request req_#
? 11
$ svctl apply -f r.yaml -q -o csv --columns action,name
action,name^M
none,first^M
create,i^M
# An answer that is lost is asked for by the same key: one disk.
$ svctl local fault 'POST /v1/disks' 0 2; printf 'kind: disk\nname: once\nsize_gib: 1\n' | svctl apply -f - -qo name; svctl disk list -o name --name once
once
once
$ svctl disk create --skeleton | sed 's/^/|/'
|# a disk to create
|kind: disk
|# name, need not be unique (required)
|name: ckpt
|# capacity (required)
|size_gib: 100
|# snapshot of a disk to fill it from
|#snapshot: snapshot
|# free-form labels
|#labels: {}
$ svctl disk create --skeleton | svctl disk create -f - -qo name
ckpt
$ svctl instance create --skeleton | sed -e 's/^#\([^ ]\|  \)/\1/' -e '/^snapshot\|^app/d' | svctl apply -f -
! svctl: stdin:2: instance trainer: disk "disk" not found
!   Hint: svctl disk list
!   code not_found
? 5
$ svctl instance update --skeleton | sed 's/^/|/'
|# a machine with accelerators, rented by the second
|# name, need not be unique
|#name: trainer
|# what stops it by itself
|#auto_stop:
|  # stop at this time
|#  stop_at: TIME
|  # stop after running so long
|#  max_runtime_seconds: 3600
|  # stop when idle
|#  idle:
|    # idle for so long (required)
|#    after_seconds: 1800
|    # cards used less than so many percent
|#    gpu_util_below: 5
|    # processors used less than so many percent of one core
|#    cpu_util_below: 5
|  # stop before compute costs more
|#  max_cost: 1.00
|  # stop or release: stop, release
|#  action: stop
|  # command run inside before stopping
|#  hook: ""
|  # release after being stopped so long
|#  release_after_stopped_seconds: 3600
|# free-form labels
|#labels: {}
$ svctl export nosuch
! svctl: nosuch: no such resource, or none that is created
!   Usage: svctl export NOUN [NAME...]
? 2
$ svctl export disk nosuch
! svctl: disk "nosuch" not found
!   Hint: svctl disk list
!   code not_found
? 5
$ svctl apply -f r.yaml -o nosuch
! svctl: -o nosuch: not one of table, wide, json, jsonl, yaml, csv, tsv, name, id
!   Usage: svctl apply -f FILE... [--dry-run] [--prune] [--stack NAME]
? 2
# Whatever has a create body and a name.
$ svctl account top-up --amount 1000 -q -o id > /dev/null
$ printf '%s\n' 'kind: group' 'name: web' 'desired: 1' 'minimum: 0' 'maximum: 3' 'template: {gpu: tpu-sim, image: pytorch-2.2, storages: ["team:/data"]}' '---' 'kind: storage' 'name: team' 'size_gib: 10' '---' 'kind: webhook' 'name: hook' 'url: http://127.0.0.1:9/x' 'events: ["instance.*"]' '---' 'kind: budget' 'name: b' 'amount: "100.00"' 'period: month' '---' 'kind: token' 'name: ro' 'scopes: [read]' > all.yaml; svctl apply -f all.yaml -q --columns action,kind,name
ACTION   KIND      NAME
create   group     web
create   storage   team
create   webhook   hook
create   budget    b
create   token     ro
$ svctl diff -f all.yaml --exit-code | sed 's/_[a-z0-9]*/_#/; s/, failing//'
= group web (grp_#)
= storage team (sto_#)
= webhook hook (whk_#)
= budget b (bud_#)
= token ro (tok_#)
5 documents, nothing to do
$ for n in storage webhook budget token group; do svctl export $n; done > ex.yaml; svctl diff -f ex.yaml --exit-code -o tsv --columns action,kind,name
action	kind	name
none	storage	team
none	webhook	hook
none	budget	b
none	token	ro
none	group	web
$ sed -i 's/maximum: 3/maximum: 4/; s/100.00/50/; s/size_gib: 10/size_gib: 5/' all.yaml; svctl diff -f all.yaml | sed 's/_[a-z0-9]\{20\}/_#/; s/, failing//'
~ group web (grp_#)
    maximum: 3 -> 4
~ storage team (sto_#)
    size_gib: 10 -> 5
= webhook hook (whk_#)
~ budget b (bud_#)
    amount: 100.00 -> 50.00
= token ro (tok_#)
5 documents, 3 to change, 2 as described
$ printf 'kind: token\nname: told\nscopes: [read]\n' | svctl apply -f - -o json --columns name,secret | sed 's/svt_[a-z0-9]*/svt_#/'
[
  {
    "name": "told",
    "secret": "svt_#"
  }
]
# What no answer tells is known by what was applied: a secret that is another is set, one that is not is no change.
$ printf 'kind: webhook\nname: signed\nurl: http://127.0.0.1:9/\nsecret: whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n' > w.yaml; svctl apply -f w.yaml -qo csv --columns action,name,changes
action,name,changes^M
create,signed,[]^M
$ svctl apply -f w.yaml -qo csv --columns action,name,changes
action,name,changes^M
none,signed,[]^M
$ sed -i 's/AAAA$/BBBB/' w.yaml; svctl diff -f w.yaml
~ webhook signed (whk_#)
    secret: *** -> ***
1 document, 1 to change
$ sed -i 's/127.0.0.1:9/&9/' w.yaml; svctl apply -f w.yaml -qo csv --columns action,name,changes; svctl webhook get signed --get url
action,name,changes^M
update,signed,"[{""field"":""url"",""from"":""http://127.0.0.1:9/"",""to"":""http://127.0.0.1:99/""},{""field"":""secret"",""from"":""***"",""to"":""***""}]"^M
http://127.0.0.1:99/
$ grep -c 'whsec\|AAAA' state/starverse/apply/local/w-*.jsonl
0
? 1
$ svctl delete -f w.yaml --yes -qo name
signed
# Null takes away, inside of objects too; an empty list as well.
$ printf '%s\n' 'kind: instance' 'name: guarded' 'gpu: tpu-sim' 'image: pytorch-2.2' 'keys: []' 'auto_stop: {max_cost: 5.00, idle: {after_seconds: 600, cpu_util_below: 5}}' > n.yaml; svctl apply -f n.yaml -qo csv --columns action,name
action,name^M
create,guarded^M
$ sed -i 's/5.00/null/; s/{after.*}/null}/' n.yaml; svctl apply -f n.yaml -qo csv --columns action,name,changes
action,name,changes^M
update,guarded,"[{""field"":""auto_stop.idle"",""from"":""{\""after_seconds\"":600,\""cpu_util_below\"":5}"",""to"":null},{""field"":""auto_stop.max_cost"",""from"":""5.00"",""to"":null}]"^M
$ svctl apply -f n.yaml -qo csv --columns action,name,changes; svctl instance get guarded --get auto_stop
action,name,changes^M
none,guarded,[]^M
{"stop_at":null,"max_runtime_seconds":null,"idle":null,"max_cost":null,"action":null,"hook":null,"release_after_stopped_seconds":null}
$ printf 'kind: webhook\nname: heard\nurl: http://127.0.0.1:9/\nevents: [disk.*]\nlabels: {a: b}\n' > v.yaml; svctl apply -f v.yaml -qo name; sed -i 's/\[.*\]/[]/; s/{.*}/{}/' v.yaml; svctl apply -f v.yaml -qo csv --columns action,changes; svctl apply -f v.yaml -qo csv --columns action,changes
heard
action,changes^M
update,"[{""field"":""events"",""from"":""[\""disk.*\""]"",""to"":null},{""field"":""labels"",""from"":""{\""a\"":\""b\""}"",""to"":null}]"^M
action,changes^M
none,[]^M
$ printf 'kind: webhook\nname: heard\nurl: http://127.0.0.1:9/\nformat: null\n' | svctl apply -f - -q
! svctl: stdin:1: webhook heard: format: cannot be null
!   code validation_failed
? 2
# What is gone already, and what is never deleted.
$ printf 'kind: disk\nname: never\nsize_gib: 1\n---\nkind: instance\nname: guarded\n' | sed 's/guarded/&\ngpu: tpu-sim\nimage: x/' > g.yaml; svctl delete -f g.yaml -n
= disk never, already gone
- instance guarded (ins_#)
2 documents, 1 to delete, 1 already gone
$ svctl delete -f g.yaml --yes -qo csv --columns action,name
action,name^M
gone,never^M
delete,guarded^M
$ printf 'kind: job\nname: j\ncommand: [a]\ngpu: tpu-sim\nimage: pytorch-2.2\n' | svctl delete -f - --yes
! svctl: stdin:1: job j: there is no svctl job delete
? 2
# Of several errors each says what it is about.
$ printf 'kind: disk\nname: " a"\nsize_gib: 1\n---\nkind: disk\nname: "b "\nsize_gib: 1\n' | svctl apply -f - -o json | sed 's/,"hint.*//'
[]
! {"error":{"code":"validation_failed","message":"disk  a: name: must not begin or end with a blank","hint":null,"suggestions":[],"http_status":422,"request_id":"req_#","exit_code":2,"retryable":false,"details":{"errors":[{"field":"name","code":"value","message":"must not begin or end with a blank"}],"context":{}}}}
! {"error":{"code":"validation_failed","message":"disk b : name: must not begin or end with a blank","hint":null,"suggestions":[],"http_status":422,"request_id":"req_#","exit_code":2,"retryable":false,"details":{"errors":[{"field":"name","code":"value","message":"must not begin or end with a blank"}],"context":{}}}}
# A group makes its instances: they are no documents of their own, unless asked for.
$ svctl export instance | grep -c 'name: web-1'
0
! svctl: instance web-1 is left out: group web makes it
? 1
$ svctl export instance web-1 | head -3
---
kind: instance
name: web-1
# A reference by id orders as one by name does.
$ svctl disk create byid --size 1GiB -qo name; printf 'kind: disk\nname: byid\nsize_gib: 1\n---\nkind: instance\nname: user\ngpu: mlu370-x8\nimage: pytorch-2.2\nkeys: []\ndisks: [{disk: %s, path: /d}]\n' $(svctl disk get byid -o id) > id.yaml; svctl apply -f id.yaml -qo csv --columns action,name; svctl delete -f id.yaml --yes -qo csv --columns action,name
byid
action,name^M
none,byid^M
create,user^M
action,name^M
delete,byid^M
delete,user^M
# A job's instance is told beside what it was made of: a document has one of them.
$ printf 'kind: job\nname: train\ngpu: rtx-4090\nimage: pytorch-2.2\ncommand: ["true"]\n' > j.yaml; for i in 1 2; do svctl apply -f j.yaml --no-wait -qo csv --columns action,name; done; svctl export job | tee ej.yaml; svctl diff -f ej.yaml -qo csv --columns action,name
action,name^M
create,train^M
action,name^M
none,train^M
---
kind: job
name: train
instance: train
command:
- "true"
workdir: /root
then: stop
action,name^M
none,train^M
