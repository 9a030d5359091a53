disk list
GET /v1/disks
< 200 data/disk/list.json
= n=2 next= 0.attachment= 1.attachment.state=attaching 1.price_per_gib_month=0.000001

disk list
> {"limit":2,"cursor":"a b&c=d","sort":"name","status":["available","attached"],"name":["a","数据"],"instance":["ins_7c2q9x"],"labels":{"k v":"w&x"},"all":true}
GET /v1/disks?limit=2&cursor=a%20b%26c%3Dd&sort=name&status=available&status=attached&name=a&name=%E6%95%B0%E6%8D%AE&instance=ins_7c2q9x&labels.k%20v=w%26x&all=true
< 200 {"items":[],"next_cursor":"more"}
= n=0 next=more

disk get dsk_8f3k2m
GET /v1/disks/dsk_8f3k2m
< 200 data/disk/get.json
= id=dsk_8f3k2m name=ckpt size_gib=100 type=data status=attached
= attachment.instance=ins_7c2q9x attachment.path=/root/ckpt attachment.read_only=false
= price_per_gib_month=0.35 snapshot=snp_4k8d2a labels=keep=yes created_at=2026-11-30T05:59:00Z

# What looks like a path is an id like any other.
disk get a/../b
GET /v1/disks/a%2F..%2Fb
< 404 data/model/error.json
! not_found

disk get ..
! validation_failed field=id

disk get x?y#z
GET /v1/disks/x%3Fy%23z
< 404 data/model/error.json
! not_found

# Nothing is sent for nothing.
disk get ""
! validation_failed field=id

disk create
> {"name":"ckpt","size_gib":100}
POST /v1/disks
  Idempotency-Key: *
  Content-Type: application/json
  {"name":"ckpt","size_gib":100}
< 201 data/disk/get.json
= id=dsk_8f3k2m

disk create
> data/disk/create.request.json
POST /v1/disks
  data/disk/create.request.json
< 202 data/disk/get.json
= operation_id=op_3w5e7r

# A number where a string of money stands, and the other way round.
disk get dsk_1
GET /v1/disks/dsk_1
< 200 {"id":"dsk_1","price_per_gib_month":0.35}
! -

disk get dsk_1
GET /v1/disks/dsk_1
< 200 {"id":"dsk_1","size_gib":"100"}
! -

disk get dsk_1
GET /v1/disks/dsk_1
< 200 {"id":"dsk_1","version":9007199254740993000}
! -

disk update dsk_8f3k2m
> {"labels":{}}
PATCH /v1/disks/dsk_8f3k2m
  Idempotency-Key: -
  {"labels":{}}
< 200 data/disk/get.json
= name=ckpt

disk update dsk_8f3k2m
> data/disk/update.request.json
PATCH /v1/disks/dsk_8f3k2m
  {"name":"checkpoints","labels":{}}
< 200 data/disk/get.json
= version=4

disk delete dsk_8f3k2m
DELETE /v1/disks/dsk_8f3k2m
  Idempotency-Key: -
  Content-Type: -
< 202 data/disk/get.json
= operation_id=op_3w5e7r

disk attach dsk_8f3k2m
> {"instance":"trainer","path":"/root/ckpt"}
POST /v1/disks/dsk_8f3k2m/attach
  {"instance":"trainer","path":"/root/ckpt"}
< 202 data/disk/get.json
= attachment.state=attached

disk attach dsk_8f3k2m
> data/disk/attach.request.json
POST /v1/disks/dsk_8f3k2m/attach
  {"instance":"trainer","path":"/root/ckpt","read_only":true}
< 200 data/disk/get.json
= attachment.read_only=false

disk detach dsk_8f3k2m
POST /v1/disks/dsk_8f3k2m/detach
< 409 data/disk/error.json
! disk_busy

disk resize dsk_8f3k2m
> {"size_gib":200}
POST /v1/disks/dsk_8f3k2m/resize
  Idempotency-Key: *
  {"size_gib":200}
< 202 data/disk/get.json
= size_gib=100
