$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.org -o name -q
me@example.org
$ svctl instance create t --gpu tpu-sim:1 --image pytorch-2.2 -qo name
t
$ svctl quote disk --size 100GiB
ITEM   DESCRIPTION   QUANTITY   UNIT_PRICE_PER_HOUR   PRICE_PER_HOUR
disk   data disk     100        0.000139              0.013889

PRICE_PER_HOUR   PRICE_PER_DAY   RESIDUAL_PRICE_PER_DAY   MINIMUM   MINIMUM_CHARGE   CURRENCY   AVAILABLE   RUNWAY
0.013889         0.333333        0.333333                 0s        0.00             CNY        true        1h25m32s
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl disk create ckpt --size 10GiB
NAME   SIZE    TYPE   STATUS      ATTACHMENT
ckpt   10GiB   data   available   -
! ckpt: make done
$ svctl disk create b --size 1TiB -n
POST /v1/disks
{"name":"b","size_gib":1024}
price 0.142222 an hour
$ printf 'name: c\nsize_gib: 5\n' | svctl disk create -f - -qo name
c
$ printf 'name: c\nsize_gb: 5\n' | svctl disk create -f -
! svctl: stdin:2:1: unknown key size_gb; did you mean size_gib?
!   code validation_failed
? 2
$ printf '{"name": "d", "size_gib": 5}' > d.json; svctl disk create -f d.json --size 6GiB -q
NAME   SIZE   TYPE   STATUS      ATTACHMENT
d      6GiB   data   available   -
$ svctl disk list --filter type=data
NAME   SIZE    TYPE   STATUS      ATTACHMENT
ckpt   10GiB   data   available   -
c      5GiB    data   available   -
d      6GiB    data   available   -
$ svctl disk list -o wide --columns name,size_gib,attachment.path --sort size_gib
NAME       SIZE    ATTACHMENT.PATH
c          5GiB    -
d          6GiB    -
ckpt       10GiB   -
t-system   30GiB   /
$ svctl disk attach ckpt t:/root/ckpt -q --columns name,attachment.path
NAME   ATTACHMENT.PATH
ckpt   /root/ckpt
# What it refers to is shown by name, in tables and in errors; programs get the id.
$ svctl disk list --columns name,attachment --filter name=ckpt; svctl disk list -o csv --columns name,attachment.instance --filter name=ckpt
NAME   ATTACHMENT
ckpt   instance=t,path=/root/ckpt,state=attached
name,attachment.instance^M
ckpt,ins_#^M
$ svctl disk attach ckpt t:/x
! svctl: disk attach ckpt: the disk is attached to t (ins_#) already
!   Hint: detach it first
!   code invalid_state, request req_#
? 6
$ svctl disk delete ckpt -y
! svctl: disk delete ckpt: the disk is attached to t (ins_#)
!   Hint: detach it first
!   code invalid_state, request req_#
? 6
$ svctl snapshot create s --disk ckpt -q && svctl snapshot list && svctl snapshot delete s -yq
NAME   DISK   INSTANCE   SIZE    STATUS
s      ckpt   -          10GiB   ready
NAME   DISK   INSTANCE   SIZE    STATUS
s      ckpt   -          10GiB   ready
NAME   DISK   INSTANCE   SIZE    STATUS
s      ckpt   -          10GiB   deleted
$ svctl disk attach c /root/c:t -q --columns name,attachment.path
NAME   ATTACHMENT.PATH
c      /root/c
$ svctl disk detach ckpt
NAME   SIZE    TYPE   STATUS      ATTACHMENT
ckpt   10GiB   data   available   -
! ckpt: unmount done
$ svctl disk resize ckpt --size 5GiB
! svctl: disk resize ckpt: --size: must not be less than the 10 GiB it has: disks only grow
!   code validation_failed, request req_#
? 2
$ svctl disk resize ckpt --size 20GiB -q
NAME   SIZE    TYPE   STATUS      ATTACHMENT
ckpt   20GiB   data   available   -
$ svctl snapshot create s --instance t -q --columns name,size_gib,status
NAME   SIZE    STATUS
s      30GiB   ready
$ svctl snapshot create s
! svctl: --instance: give exactly one of instance and disk
!   Usage: svctl snapshot create NAME [OPTION...]
? 2
$ svctl disk delete ckpt d --yes -q --columns name,status
NAME   STATUS
ckpt   deleted
d      deleted
$ svctl key create laptop --public-key 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJQzH4vGpmfyBtiHbMCJRx1XJzvtBH3iJJBhIOzEkTnY me'
NAME     FINGERPRINT                                          CREATED_AT
laptop   SHA256:#   TIME
$ printf 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJQzH4vGpmfyBtiHbMCJRx1XJzvtBH3iJJBhIOzEkTnX me\n' > k; svctl key create desk --public-key @k -o name
desk
$ svctl key list --columns name
NAME
svctl
laptop
desk
$ svctl key delete laptop --yes
NAME     FINGERPRINT                                          CREATED_AT
laptop   SHA256:#   TIME
$ svctl operation list --limit 2 --columns type,status
TYPE              STATUS
instance.create   succeeded
disk.create       succeeded
$ svctl event list --limit 2 --columns type,message
TYPE                 MESSAGE
account.registered   registered me@example.org
key.created          key created
$ svctl api GET '/v1/disks?limit=1' | cut -c1-10
{"items":[
$ svctl api GET /v1/nosuch
{"type":"about:blank","title":"no such resource","status":404,"code":"not_found","detail":"no such request: GET /v1/nosuch","suggestion":null,"request_id":"req_#","retryable":false,"retry_after_seconds":null,"errors":[],"context":{}} (no end)
! svctl: no such request: GET /v1/nosuch
!   code not_found, request req_#
? 5
$ svctl api POST /v1/disks --field name=z --field size_gib:=1 | cut -c1-9
{"id":"ds
$ svctl api GET '/v1/disks?limit=2' --paginate | grep -c items
2
$ svctl billing charges --columns kind,amount,note
KIND     AMOUNT   NOTE
credit   10.00    trial credit
$ svctl local fault 'GET /v1/disks' 503 2
$ svctl disk list -o name
t-system
c
z
$ svctl local fault 'POST /v1/disks' 0 1; svctl disk create once --size 1GiB -qo name; svctl disk list --name once -o json --columns name
once
[
  {
    "name": "once"
  }
]
