# The language of messages: by --lang or the environment, on a machine that has no locale of it. What scripts read stays.
$ env LC_ALL= LANG=zh_CN.UTF-8 svctl instance get ''
! svctl: 有一个参数是空的
!   用法：svctl instance get NAME... [OPTION...]
? 2
$ env LC_ALL= LANG=zh_CN.UTF-8 LANGUAGE=en svctl instance get ''
! svctl: an argument is empty
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ env LC_ALL=en_US.UTF-8 LANG=zh_CN.UTF-8 svctl instance get ''
! svctl: an argument is empty
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ env LC_ALL=C LANGUAGE=zh_CN svctl instance get ''
! svctl: an argument is empty
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ env LC_ALL=C svctl --lang zh_CN instance get ''
! svctl: 有一个参数是空的
!   用法：svctl instance get NAME... [OPTION...]
? 2
$ svctl instance get '' --lang=zh-cn
! svctl: 有一个参数是空的
!   用法：svctl instance get NAME... [OPTION...]
? 2
$ env LC_ALL= LANG=zh_CN.UTF-8 svctl --lang en instance get ''
! svctl: an argument is empty
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ svctl --lang fr version
! svctl: --lang fr: must be en or zh_CN
!   Usage: svctl version
? 2
$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.org --lang en -o name
me@example.org
! svctl: no configuration: using the local platform on this machine (profile local)
! svctl: the key is kept in $STATE/config/starverse/credentials.yaml for profile local
$ svctl disk create d --size 5GiB -q -o name
d
$ svctl disk list --lang zh_CN
名称   容量   类型   状态        挂载于
d      5GiB   data   available   -
$ svctl disk list --lang zh_CN -o csv
name,size_gib,type,status,attachment^M
d,5,data,available,^M
$ svctl disk get d --lang zh_CN -o name
d
$ svctl disk get nope --lang zh_CN -o json
! {"error":{"code":"not_found","message":"disk \"nope\" not found","hint":"svctl disk list","suggestions":[],"http_status":0,"request_id":null,"exit_code":5,"retryable":false,"details":{"errors":[],"context":{}}}}
? 5
