dataset list
> {"min_size_gib":1024,"max_size_gib":16384,"min_tokens":1000000000000,"search":"FineWeb"}
GET /v1/datasets?search=FineWeb&min_size_gib=1024&max_size_gib=16384&min_tokens=1000000000000
< 200 data/dataset/list.json
= n=1 0.name=fineweb-edu 0.tokens=1300000000000

dataset list
> {"limit":0}
GET /v1/datasets?limit=0
< 422 data/dataset/error.json
! validation_failed field=limit

dataset get dst_7b5v3c
GET /v1/datasets/dst_7b5v3c
< 200 data/dataset/get.json
= size_gib=15360 path=/library/datasets/redpajama-v2 aligned_models=llama-3-8b,llama-4-70b
