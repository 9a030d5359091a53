# Objects of the platform's storages, as a user has them.
$ svctl local start --engine none --clock stepped -q --get engine && svctl account register --email me@example.org -q -o name
none
me@example.org
$ svctl storage create team --size 5GiB --columns name,size_gib,used_bytes
NAME   SIZE   USED_BYTES
team   5GiB   0
! svctl: no configuration: using the local platform on this machine (profile local)
$ mkdir -p corpus/b && printf one > corpus/a.txt && printf three > corpus/b/c.txt
$ svctl storage cp ./corpus team:/corpus
ACTION   SOURCE             TARGET                 SIZE_BYTES
upload   ./corpus/a.txt     team:/corpus/a.txt     3
upload   ./corpus/b/c.txt   team:/corpus/b/c.txt   5
$ svctl storage ls team:/ --columns key,size_bytes
KEY       SIZE_BYTES
corpus/   -
$ svctl storage ls team:/corpus --columns key,size_bytes
KEY            SIZE_BYTES
corpus/a.txt   3
corpus/b/      -
$ svctl storage ls -r team:/ -o name
corpus/a.txt
corpus/b/c.txt
$ svctl storage ls team:/corpus/a.txt -o jsonl --columns key,size_bytes,etag
{"key":"corpus/a.txt","size_bytes":3,"etag":"f97c5d29941bfb1b2fdab0874906ab82"}
$ svctl storage ls team:/nosuch
! svctl: team:/nosuch: no object is called nosuch
!   code not_found
? 5
$ svctl storage ls nosuch:/
! svctl: nosuch: storage "nosuch" not found
!   Hint: svctl storage list
!   code not_found
? 5
$ svctl storage ls team
! svctl: team is no NAME:/PATH
!   Usage: svctl storage ls NAME:/[PATH]
? 2
$ svctl storage cp team:/corpus/a.txt -
one (no end)
$ printf two | svctl storage cp - team:/b -o json
[
  {
    "action": "upload",
    "source": "-",
    "target": "team:/b",
    "size_bytes": 3,
    "sent_bytes": 3,
    "resumed_bytes": 0,
    "etag": "b8a9f715dbb64fd5c56e7783c6820a61"
  }
]
$ svctl storage cp team:/b team:/c -o csv
action,source,target,size_bytes^M
copy,team:/b,team:/c,3^M
$ svctl storage cp -r team:/corpus out && cat out/b/c.txt
ACTION     SOURCE                 TARGET        SIZE_BYTES
download   team:/corpus/a.txt     out/a.txt     3
download   team:/corpus/b/c.txt   out/b/c.txt   5
three (no end)
$ svctl storage cp team:/corpus out2
! svctl: team:/corpus: no object is called corpus
!   code not_found
! svctl: team:/corpus/ holds objects: --recursive copies them
? 5
$ svctl storage sync corpus team:/corpus --dry-run
ACTION   SOURCE   TARGET   SIZE_BYTES
$ rm corpus/a.txt && svctl storage sync corpus team:/corpus --delete --dry-run
ACTION   SOURCE               TARGET   SIZE_BYTES
delete   team:/corpus/a.txt   -        -
$ svctl storage sync corpus team:/corpus --delete
! svctl: storage sync loses data and cannot ask here: stdin and stderr are not a terminal
!   Hint: add --yes to do it without being asked
? 2
$ svctl storage sync corpus team:/corpus --delete --yes
ACTION   SOURCE               TARGET   SIZE_BYTES
delete   team:/corpus/a.txt   -        -
$ svctl storage rm -r team:/corpus
! svctl: storage rm loses data and cannot ask here: stdin and stderr are not a terminal
!   Hint: add --yes to do it without being asked
? 2
$ svctl storage rm -r team:/corpus --yes
ACTION   SOURCE                 TARGET   SIZE_BYTES
delete   team:/corpus/b/c.txt   -        -
$ svctl storage rm team:/b -q
ACTION   SOURCE    TARGET   SIZE_BYTES
delete   team:/b   -        -
$ svctl storage rm team
! svctl: team is no NAME:/PATH
!   Usage: svctl storage rm NAME:/PATH...
? 2
$ svctl storage cp a b
! svctl: one side must be in a storage: NAME:/PATH
!   Usage: svctl storage cp SOURCE... TARGET   (here, NAME:/PATH, or -)
? 2
$ svctl __complete -- storage ls te
team:/	5GiB, 3	+
$ svctl __complete -- storage cp x te
team:/	5GiB, 3	+
	files
$ svctl storage list -o name
team
$ svctl storage delete team --yes -q -o name
team
