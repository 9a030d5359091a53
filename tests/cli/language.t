# The language of messages: by --lang or the environment, on a machine that has no locale of it. What scripts read stays.
$ env LC_ALL= LANG=zh_CN.UTF-8 svctl instance get ''
! svctl: 有一个参数是空的
!   用法：svctl instance get NAME... [选项...]
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
!   用法：svctl instance get NAME... [选项...]
? 2
$ svctl instance get '' --lang=zh-cn
! svctl: 有一个参数是空的
!   用法：svctl instance get NAME... [选项...]
? 2
$ env LC_ALL= LANG=zh_CN.UTF-8 svctl --lang en instance get ''
! svctl: an argument is empty
!   Usage: svctl instance get NAME... [OPTION...]
? 2
$ svctl --lang fr version
! svctl: --lang fr: must be en or zh_CN
!   Usage: svctl version
? 2
$ svctl --lang zh_CN help filters
  FIELD=VALUE, FIELD!=VALUE   字段等于或不等于此值
  FIELD<VALUE <= > >=         小于或大于：数字、容量、时长、时间和金额按值比较，
                              文本按字节比较
  auto_stop.max_cost>5        嵌套字段用点号
  labels.owner=me             一个标签
  size_gib>=1TiB, created_at<-7d
                              值的写法与选项相同

多个 --filter 须同时满足。服务端支持的条件由服务端筛选，即 list 同名选项的相等条
件；其余由 svctl 逐页筛选。未知的值既不小于也不大于任何值。字段名见 svctl
explain 资源。
$ svctl --lang zh_CN help disk create
用法：svctl disk create NAME --size SIZE [选项...]

创建云硬盘

示例：
  svctl disk create ckpt --size 100GiB
      一块数据盘

选项：
  --name TEXT                 名称，可重复
  --size SIZE                 容量
  --snapshot NAME             用于填充内容的云硬盘快照
  --label KEY=VALUE           自定义标签
  -n, --dry-run               显示将发送的内容及其价格；不做任何更改
  -f, --file FILE             从 YAML 或 JSON 读取请求体；选项会覆盖其中的值
  --skeleton                  只打印可填写的 YAML 请求体模板
  --rollback                  创建失败时释放残留资源
  -w, --wait[=ssh]            等待完成（默认），或等到可以登录

所有命令通用的选项：svctl help。
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
! {"error":{"code":"not_found","message":"未找到云硬盘“nope”","hint":"svctl disk list","suggestions":[],"http_status":0,"request_id":null,"exit_code":5,"retryable":false,"details":{"errors":[],"context":{}}}}
? 5
$ svctl disk get nope --lang zh_CN
! svctl: 未找到云硬盘“nope”
!   提示：svctl disk list
!   错误码 not_found
? 5
$ svctl disk create e --size 0 --lang zh_CN
! svctl: --size：不能小于 1 GiB
!   用法：svctl disk create NAME --size SIZE [选项...]
? 2
$ svctl instance create t --gpu rtx-4090 --image pytorch-2.2 --max-price 0.01 --lang zh_CN
! svctl: 已生成 SSH 密钥：$STATE/state/starverse/ssh/id_ed25519
! svctl: instance create：每小时 14.00，超过上限 0.01
!   错误码 price_exceeds_limit，请求 req_#
? 7
$ svctl event list --lang zh_CN --columns type,message --filter type=disk.created
类型           消息
disk.created   d 已创建
$ svctl event list --lang zh_CN --columns type,message --filter type=disk.created -o csv
type,message^M
disk.created,d is created^M
# What stands under one another stands there in columns of a terminal, not in bytes.
$ svctl local step 1d -q >step; svctl billing statement --lang zh_CN | tail -n 5 | sed 's|[-0-9.]*$|=|'
期初余额     =
充值与赠金   =
已过期       =
已使用       =
期末余额     =
# A document's fault has its line and column; what the C library says is told, too.
$ printf 'kind: disk\nname: x\nsise: 2\n' > key.yaml; svctl --lang zh_CN apply -f key.yaml --dry-run
! svctl: key.yaml:3:1：未知的键 sise
!   错误码 validation_failed
? 2
$ svctl storage create team --size 1GiB -q -o name && svctl --lang zh_CN storage cp nowhere.txt team:/x
team
! svctl: team:/x：nowhere.txt：没有那个文件或目录
!   错误码 io
? 1
$ echo a >f && svctl storage cp f team:/x -q >sent && svctl --lang zh_CN storage cp team:/x f/x -q 2>&1 | grep -o '：不是目录'
：不是目录
$ svctl --lang zh_CN storage ls team: | head -n 1
键   大小   修改时间
# Origins and credits are words of the platform's.
$ svctl --lang zh_CN config list --show-origin --columns name,origin | grep -E '^(名称|retries)'
名称               来源
retries            默认
$ svctl --lang zh_CN billing vouchers --columns name,status
名称     状态
体验金   active
$ svctl --lang zh_CN billing vouchers --columns name -o csv
name^M
trial credit^M
$ svctl disk create --skeleton --lang zh_CN | grep '必填' | tr -d '# '
名称，可重复（必填）
容量（必填）
$ svctl instance create --skeleton --lang zh_CN | grep -m 1 '# .*：' | tr -d '# '
后端，用于支持多种后端的加速卡：cuda,rocm,tpu,ascend,gcu,mlu
$ svctl --lang zh_CN local doctor
引擎   可用   说明
none   true   实例只是记录：不运行任何程序
$ svctl --lang zh_CN help | head -n 1
用法：svctl [选项...] 资源 动作 [NAME...] [选项...]
