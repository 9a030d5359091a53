snapshot list
> {"status":["creating"],"instance":["ins_7c2q9x"],"sort":"created_at"}
GET /v1/snapshots?sort=created_at&status=creating&instance=ins_7c2q9x
< 200 data/snapshot/list.json
= n=1 0.progress_percent=42 0.instance=

snapshot get snp_4k8d2a
GET /v1/snapshots/snp_4k8d2a
< 200 data/snapshot/get.json
= disk=dsk_0a4s6d size_gib=50 labels=reason=升级

snapshot create
> {"name":"before-upgrade","disk":"ckpt"}
POST /v1/snapshots
  Idempotency-Key: *
  {"name":"before-upgrade","disk":"ckpt"}
< 202 data/snapshot/get.json
= status=ready

snapshot create
> data/snapshot/create.request.json
POST /v1/snapshots
  data/snapshot/create.request.json
< 409 data/snapshot/error.json
! invalid_state

snapshot update snp_4k8d2a
> {"name":"after-upgrade"}
PATCH /v1/snapshots/snp_4k8d2a
  {"name":"after-upgrade"}
< 200 data/snapshot/get.json
= version=3

snapshot delete snp_4k8d2a
DELETE /v1/snapshots/snp_4k8d2a
  Idempotency-Key: -
< 202 data/snapshot/get.json
= id=snp_4k8d2a
