# What a first user sees.
$ svctl version
svctl 0.1.0
$ svctl version -o json
{"version":"0.1.0"}
$ svctl --version
svctl 0.1.0
$ svctl local start --engine none -q --get engine
none
$ svctl gpu list -o name
! svctl: no API key for profile local
!   Hint: svctl login, or svctl account register
? 3
$ svctl gpu list -o name
! svctl: no API key for profile local
!   Hint: svctl login, or svctl account register
? 3
$ svctl account register --email me@example.org -o json --columns email,balance
{
  "email": "me@example.org",
  "balance": {"available":"10.000000","cash":"0.000000","credit":"10.000000","frozen":"0.000000","arrears":"0.000000","currency":"CNY"}
}
! svctl: no configuration: using the local platform on this machine (profile local)
! svctl: the key is kept in $STATE/config/starverse/credentials.yaml for profile local
$ stat -c %a $XDG_CONFIG_HOME/starverse/credentials.yaml
600
$ svctl gpu list
NAME          VENDOR      MEMORY   BACKENDS   MAX_COUNT   FREE   UNIT_PRICE_PER_HOUR   AVAILABILITY
rtx-4090      nvidia      24GiB    cuda       8           64     14.00                 high
a100-80g      nvidia      80GiB    cuda       8           64     1.90                  high
h100-80g      nvidia      80GiB    cuda       8           32     4.80                  high
mi300x        amd         192GiB   rocm       8           16     3.60                  high
ascend-910b   huawei      64GiB    ascend     8           64     6.00                  high
mlu370-x8     cambricon   48GiB    mlu        8           32     4.20                  high
enflame-s60   enflame     48GiB    gcu        8           32     3.90                  high
tpu-sim       starverse   32GiB    tpu        8           64     7.00                  high
$ svctl gpu list --available --min-memory 64GiB --sort unit_price_per_hour --columns name,unit_price_per_hour
NAME          UNIT_PRICE_PER_HOUR
a100-80g      1.90
mi300x        3.60
h100-80g      4.80
ascend-910b   6.00
$ svctl gpu list --filter 'memory_gib>=80' --sort -memory_gib,name -o csv --columns name,memory_gib,backends
name,memory_gib,backends^M
mi300x,192,rocm^M
a100-80g,80,cuda^M
h100-80g,80,cuda^M
$ svctl gpu list --limit 2 -o tsv --no-header
rtx-4090	nvidia	24	cuda	8	64	14.00	high
a100-80g	nvidia	80	cuda	8	64	1.90	high
$ svctl gpu get rtx-4090 --get unit_price_per_hour
14.00
$ svctl gpus ls --limit 1 -o jsonl --columns name,free
{"name":"rtx-4090","free":64}
$ svctl billing balance
AVAILABLE   CASH   CREDIT   FROZEN   ARREARS   BURN_RATE_PER_HOUR   RUNWAY   CURRENCY
10.00       0.00   10.00    0.00     0.00      0.00                 -        CNY
$ svctl billing balance -o json
{
  "available": "10.000000",
  "cash": "0.000000",
  "credit": "10.000000",
  "frozen": "0.000000",
  "arrears": "0.000000",
  "burn_rate_per_hour": "0.000000",
  "runway_seconds": null,
  "balance_alert": null,
  "currency": "CNY"
}
$ svctl local stop
$ svctl local status
! svctl: the local platform is not running
!   Hint: svctl local start
? 9
$ svctl local step 1h
! svctl: the local platform is not running
!   Hint: svctl local start
? 9
$ svctl config list --columns name,value | grep -c .
15
$ svctl config set profiles.cloud.endpoint https://api.example.com
$ svctl config get profiles.cloud.endpoint
https://api.example.com
$ svctl config use cloud
$ svctl config list --show-origin | grep endpoint | tr -s ' '
endpoint https://api.example.com file $STATE/config/starverse/config.yaml:3
$ STARVERSE_ENDPOINT=http://127.0.0.1:1 svctl config list --show-origin | grep endpoint | tr -s ' '
endpoint http://127.0.0.1:1 environment STARVERSE_ENDPOINT
$ svctl config use nosuch
! svctl: there is no profile nosuch
!   Hint: svctl config set profiles.NAME.endpoint URL makes one
? 5
# What nobody would read is not written.
$ for k in current_profil nosuch profile.a.endpoint profiles.a profiles.a.endpont defaults.outptu aliases version.x storages.a.buket x-mine; do svctl config set $k cloud; echo $?; done
2
2
2
2
2
2
2
2
2
0
! svctl: no such key: current_profil
!   Did you mean: current_profile?
!   Usage: svctl config set KEY VALUE
! svctl: no such key: nosuch
!   Usage: svctl config set KEY VALUE
! svctl: no such key: profile.a.endpoint
!   Did you mean: profiles?
!   Usage: svctl config set KEY VALUE
! svctl: no such key: profiles.a; the form is profiles.NAME.SETTING
!   Usage: svctl config set KEY VALUE
! svctl: no such setting: endpont
!   Did you mean: endpoint?
!   Usage: svctl config set KEY VALUE
! svctl: no such setting: outptu
!   Did you mean: output?
!   Usage: svctl config set KEY VALUE
! svctl: no such key: aliases; the form is aliases.NAME
!   Usage: svctl config set KEY VALUE
! svctl: no such key: version.x; the form is version
!   Usage: svctl config set KEY VALUE
! svctl: no such setting: buket
!   Did you mean: bucket?
!   Usage: svctl config set KEY VALUE
$ svctl config get x-mine; svctl config unset x-mine; cat $XDG_CONFIG_HOME/starverse/config.yaml
cloud
profiles:
  cloud:
    endpoint: https://api.example.com
current_profile: cloud
$ svctl config unset profiles.cloud
$ svctl config get profiles.cloud
! svctl: the configuration file has no profiles.cloud
? 5
# A platform that is stuck is told from one that is slow, and soon.
$ svctl config use local; svctl local start --engine none -q --get pid > pid; kill -STOP $(cat pid); timeout 30 svctl local status 2>&1 | sed 's/process [0-9]*/process N/'; kill -CONT $(cat pid)
svctl: unix:$STATE/run/starverse/local.sock: not answering: no answer within the time allowed (process N)
  code unreachable
