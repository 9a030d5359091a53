webhook list
> {"status":["failing"],"name":["群机器人"]}
GET /v1/webhooks?status=failing&name=%E7%BE%A4%E6%9C%BA%E5%99%A8%E4%BA%BA
< 200 data/webhook/list.json
= n=2 0.format=dingtalk 1.last_delivery.http_status= 1.last_delivery.type=webhook.test

webhook get whk_4r7t2m
GET /v1/webhooks/whk_4r7t2m
< 200 data/webhook/get.json
= events=instance.stopped,job.* pending=3 last_delivery.attempt=2 last_delivery.status=retrying

webhook create
> data/webhook/create.request.json
POST /v1/webhooks
  Idempotency-Key: *
  data/webhook/create.request.json
< 201 data/webhook/create.json
= id=whk_4r7t2m

webhook create
> {"name":"x","url":"ftp://example.com"}
POST /v1/webhooks
  {"name":"x","url":"ftp://example.com"}
< 422 data/webhook/error.json
! validation_failed field=url

webhook update whk_4r7t2m
> {"events":[],"format":"wecom"}
PATCH /v1/webhooks/whk_4r7t2m
  {"events":[],"format":"wecom"}
< 200 data/webhook/get.json
= version=5

webhook delete whk_4r7t2m
DELETE /v1/webhooks/whk_4r7t2m
  Idempotency-Key: -
< 200 data/webhook/get.json
= id=whk_4r7t2m

webhook test whk_4r7t2m
POST /v1/webhooks/whk_4r7t2m/test
  Idempotency-Key: *
< 202 data/webhook/get.json
= status=failing

webhook rotate whk_4r7t2m
> data/webhook/rotate.request.json
POST /v1/webhooks/whk_4r7t2m/rotate
  Idempotency-Key: *
  {"secret":"SEC000000000000000000000"}
< 200 data/webhook/get.json
= id=whk_4r7t2m

webhook rotate whk_4r7t2m
POST /v1/webhooks/whk_4r7t2m/rotate
  {}
< 200 data/webhook/get.json
= id=whk_4r7t2m
