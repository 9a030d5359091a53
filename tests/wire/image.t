image list
> {"status":["ready"],"name":["pytorch-2.2"],"labels":{"run":"3"},"search":"pytorch"}
GET /v1/images?status=ready&name=pytorch-2.2&labels.run=3&search=pytorch
< 200 data/image/list.json
= n=1 0.visibility=private 0.size_gib= 0.backends=mlu,gcu 0.price_per_hour=0.50

image get img_9s3h1v
GET /v1/images/img_9s3h1v
< 200 data/image/get.json
= frameworks=pytorch=2.2,tensorflow=2.15,deepspeed=0.14,megatron-lm=0.6
= backends=cuda,rocm,tpu,ascend size_gib=18

image update img_1q2w3e
> {"name":"epoch-3"}
PATCH /v1/images/img_1q2w3e
  {"name":"epoch-3"}
< 200 data/image/get.json
= name=pytorch-2.2

image delete img_1q2w3e
DELETE /v1/images/img_1q2w3e
< 202 data/image/get.json
= status=ready

image delete img_9s3h1v
DELETE /v1/images/img_9s3h1v
< 422 data/image/error.json
! incompatible field=image
