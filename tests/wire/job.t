job list
> {"status":["running","failed"],"gpu":["rtx-4090"],"instance":["ins_2h6f0p"],"labels":{"owner":"me"},"limit":1}
GET /v1/jobs?limit=1&status=running&status=failed&gpu=rtx-4090&instance=ins_2h6f0p&labels.owner=me
< 200 data/job/list.json
= n=1 next=c.1a.2b 0.reason=max_cost 0.exit_code=143 0.cost=0.093333 0.checkpoint=

job get job_2w7p4e
GET /v1/jobs/job_2w7p4e
< 200 data/job/get.json
= name=sft exit_code=0 checkpoint.disk=dsk_8f3k2m checkpoint.every_seconds=60 cost=30.429556 peak_memory_bytes=1288490188

job get a/b
GET /v1/jobs/a%2Fb
< 404 data/job/error.json
! invalid_state

job create
> data/job/create.request.json
POST /v1/jobs
  Idempotency-Key: *
  data/job/create.request.json
< 202 data/job/create.json
= status=queued reason=instance exit_code= cost=0.00

job create
> {"name":"again","instance":"trainer","command":["python3","train.py"],"max_cost":"0.10","then":"keep"}
POST /v1/jobs
  Idempotency-Key: *
  {"name":"again","instance":"trainer","command":["python3","train.py"],"then":"keep","max_cost":"0.100000"}
< 409 data/job/error.json
! invalid_state

job update job_2w7p4e
> {"name":"sft-2","labels":{"owner":"me"}}
PATCH /v1/jobs/job_2w7p4e
  {"name":"sft-2","labels":{"owner":"me"}}
< 200 data/job/get.json
= version=9

job start job_2w7p4e
POST /v1/jobs/job_2w7p4e/start
  Idempotency-Key: *
< 200 data/job/create.json
= status=queued

job cancel job_2w7p4e
POST /v1/jobs/job_2w7p4e/cancel
  Idempotency-Key: *
< 202 data/job/get.json
= id=job_2w7p4e

job logs job_2w7p4e
GET /v1/jobs/job_2w7p4e/logs
< 200 data/job/logs.txt
= text=step 1 loss 4.1589|::metric_loss|完成|

job logs job_2w7p4e
> {"offset":17}
GET /v1/jobs/job_2w7p4e/logs?offset=17
< 200 rest
= text=rest

job metrics job_2w7p4e
> {"name":["loss","temperature"],"points":100}
GET /v1/jobs/job_2w7p4e/metrics?name=loss&name=temperature&points=100
< 200 data/job/metrics.json
= job=job_2w7p4e

job compare
> {"id":["job_2w7p4e","job_6t3r8y"]}
GET /v1/jobs/compare?id=job_2w7p4e&id=job_6t3r8y
< 200 {"jobs":[{"id":"job_2w7p4e","cost":"1.5"}]}
= jobs=[{"id":"job_2w7p4e","cost":"1.500000"}]
