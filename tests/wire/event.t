event list
> {"type":["instance.running"],"resource":["ins_7c2q9x"],"since":"2026-11-30T06:00:00Z","limit":50}
GET /v1/events?limit=50&type=instance.running&resource=ins_7c2q9x&since=2026-11-30T06%3A00%3A00Z
< 200 data/event/list.json
= n=2 0.type=instance.created 0.actor=acc_1h5y8u 1.message=实例 trainer 已开机

event list
GET /v1/events
< 503 data/event/error.json
! unavailable

event follow
> {"follow":true}
GET /v1/events?follow=true
  Accept: text/event-stream
< 200 data/event/stream.txt
= n=2 last=evt_000000000042
