# Owning against renting; the figures are those of the mission.
$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.org -q --get name
me@example.org
# To the beginning of a day, so that no day and no month ends in here.
$ svctl local step $((86460 - $(date +%s) % 86400))s -q --get clock
stepped
$ svctl billing tco --own-capex 1100000 --own-monthly 3500 --cards 8 --price 1.9 --years 3 --use 50% --at-cost 340000
ITEM                 OWN          RENT         AT_COST
use                  -            50 %         85.1 %
one-off              1100000.00   -            -
a month              3500.00      5548.00      -
3 years              1226000.00   199728.00    340000.00
saving               -            1026272.00   886000.00
saving, share        -            83.7 %       72.3 %
break-even, months   538          -            -
break-even, hours    392090       -            -
break-even, use      306.9 %      -            -
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl billing tco --own-capex 1000000 --own-monthly 3000 --cards 4 --price 2.5 --years 3 --use 50%
ITEM                 OWN          RENT
use                  -            50 %
one-off              1000000.00   -
a month              3000.00      3650.00
3 years              1108000.00   131400.00
saving               -            976600.00
saving, share        -            88.1 %
break-even, months   1539         -
break-even, hours    1123077      -
break-even, use      421.6 %      -
$ svctl billing tco --own-capex 1000000 --price 2.5 --use 62.5 --get use_percent
62.50
$ svctl billing tco --own-capex 1000000 --price 2.5 -o csv
years,use_percent,own_total,rent_total,saving,saving_percent,break_even_months^M
3,100.00,1000000.00,65700.00,934300.00,93.43,548^M
$ svctl billing tco --own-capex 1000000 --price 2.5 --use 101%
! svctl: --use: must be more than 0 and at most 100
!   code validation_failed, request req_#
? 2
$ svctl billing tco --own-capex 1000000 --price 2.5 --use half
! svctl: --use: must be a percentage such as 62.5%, with at most 6 places
!   Usage: svctl billing tco --own-capex AMOUNT --price AMOUNT [--cards N] [--use PERCENT] ...
? 2
$ svctl billing tco --own-capex 1000000
! svctl: --price: is required
!   Usage: svctl billing tco --own-capex AMOUNT --price AMOUNT [--cards N] [--use PERCENT] ...
? 2
# What was metered, summed up by the platform; the clock is stepped, so every second is known.
$ svctl account top-up 1000 --get balance.cash
1000.00
$ svctl instance create a --gpu rtx-4090:4 --image pytorch-2.2 --label team=x -o name -q
a
$ svctl local step 2h -q --get clock
stepped
$ svctl instance create b --gpu tpu-sim:4 --image pytorch-2.2 -o name -q
b
$ svctl local step 1h -q --get clock
stepped
$ svctl billing usage --by instance --since 1d --columns name,seconds,cost
NAME   SECONDS   COST
a      3h        168.00
b      1h        28.00
-      4h        0.00
$ svctl billing usage --by gpu
KEY        SECONDS   COST
rtx-4090   3h        168.00
tpu-sim    1h        28.00
-          4h        0.00
$ svctl billing usage --by kind -o csv
key,seconds,cost^M
compute,14400,196.00^M
disk,14400,0.00^M
$ svctl billing usage --by label:team -o csv
key,compute_seconds,cost^M
x,10800,168.00^M
,3600,28.00^M
$ svctl billing usage --by month -o csv | cut -d, -f 2-
compute_seconds,cost^M
14400,196.00^M
$ svctl billing usage --by kind --instance a --get cost
168.00
$ svctl billing usage --instance nobody
KIND   NAME   GPU   STARTED_AT   SECONDS   PRICE_PER_HOUR   COST
! svctl: there is no instance nobody now; shown is what was called so
$ svctl billing usage --by colour
! svctl: by: must be hour, day, month, instance, resource, name, job, gpu, kind or label:KEY
!   code validation_failed, request req_#
? 2
$ svctl billing usage --by gpu --until yesterday
! svctl: --until: must be a time such as 23:30, +7d or TIME
!   Usage: svctl billing usage [--since TIME] [--by WORD]
? 2
# A budget stops compute at the last second that fits; what it leaves is not enough for a start.
$ svctl instance delete a b --yes -q -o name
a
b
$ svctl budget create month --amount 250 --warn 50,80 --action warn --label for=me -o csv --columns name,period,warn_percents,action,labels
name,period,warn_percents,action,labels^M
month,month,"50,80",warn,for=me^M
$ svctl budget create none --amount 0
! svctl: --amount: must be more than 0
!   Usage: svctl budget create NAME --amount AMOUNT [OPTION...]
? 2
$ svctl budget create none --amount 1 --warn 101
! svctl: --warn: must be percentages above 0 and up to 100, such as 80
!   Usage: svctl budget create NAME --amount AMOUNT [OPTION...]
? 2
$ svctl billing budgets --columns name,status,amount,used,remaining
NAME    STATUS   AMOUNT   USED     REMAINING
month   ok       250.00   196.00   54.00
$ svctl budget create today --amount 206 --period day -o name
today
$ svctl instance create c --gpu rtx-4090:4 --image pytorch-2.2 -q -o csv --columns name,next_stop.cause
name,next_stop.cause^M
c,budget^M
$ svctl local step 1h -q --get clock
stepped
$ svctl instance get c -o csv --columns status,stopped_by
status,stopped_by^M
stopped,budget^M
$ svctl instance start c
! svctl: instance start c: budget today (206.00 a day) leaves 0.013333, and at least 0.015556 is needed
!   Hint: svctl budget update bud_# --amount AMOUNT
!   code budget_exceeded, request req_#
? 7
$ svctl budget update today --amount 900 -o csv --columns name,status
name,status^M
today,ok^M
$ svctl instance start c -q -o csv --columns status
status^M
running^M
$ svctl budget delete today --yes -o name
today
$ svctl event list --type budget.warning -o csv --columns type,message
type,message^M
budget.warning,"budget month (250.00 a month): 196.00 are spent, 78 % of it"^M
budget.warning,"budget today (206.00 a day): 196.00 are spent, 95 % of it"^M
budget.warning,"budget month (250.00 a month): 200.013333 are spent, 80 % of it"^M
$ svctl account update --balance-alert 990 --get balance_alert
990.00
$ svctl local step 10s -q --get clock
stepped
$ svctl event list --type account.balance_low -o name | wc -l
1
$ svctl account update --no-balance-alert -o csv --columns balance_alert --no-header
^M
# The month as lines and totals, and as bars.
$ svctl billing statement -o csv --columns name,kind,gpu,seconds
name,kind,gpu,seconds^M
a-system,disk,,10800^M
a,compute,rtx-4090,10800^M
b-system,disk,,3600^M
b,compute,tpu-sim,3600^M
c-system,disk,,3610^M
c,compute,rtx-4090,652^M
$ svctl billing statement | tail -3
expired             0.00
used                -206.142223
balance after       803.857777
$ svctl billing statement --month november
! svctl: --month november: must be a month such as 2026-11
!   Usage: svctl billing statement [--month YYYY-MM] [--html FILE]
? 2
$ svctl billing usage --by gpu --chart
cost by gpu, from 0; all of it 206.142223
rtx-4090 │██████████████████████████████████████████████████████████ 178.142223
tpu-sim  │█████████▏                                                      28.00
(none)   │                                                                 0.00
$ LC_ALL=C svctl billing usage --by kind --chart
cost by kind, from 0; all of it 206.142223
compute |########################################################### 206.142223
disk    |                                                                  0.00
$ svctl billing usage --by gpu --chart -o json
! {"error":{"code":"usage","message":"--chart is a picture: it has no -o, --get or --columns","hint":null,"suggestions":[],"http_status":0,"request_id":null,"exit_code":2,"retryable":false,"details":{"errors":[],"context":{}}}}
? 2
# Vouchers: a code once, for its cards alone where it names some.
$ svctl billing redeem WELCOME -o csv --columns name,status,amount,scope
name,status,amount,scope^M
WELCOME,active,20.00,""^M
$ svctl billing redeem WELCOME
! svctl: billing redeem: voucher WELCOME has been redeemed already
!   code conflict, request req_#
? 6
$ svctl billing redeem TPU-WEEK -o csv --columns name,remaining,scope,kinds
name,remaining,scope,kinds^M
a week of TPUs,50.00,tpu-sim,compute^M
$ svctl billing redeem LAUNCH-2025
! svctl: billing redeem: voucher LAUNCH-2025 has expired, TIME
!   code validation_failed, request req_#
? 2
$ svctl billing redeem nothing
! svctl: billing redeem: there is no voucher nothing
!   code not_found, request req_#
? 5
$ svctl billing redeem
! svctl: --code: is required
!   Usage: svctl billing redeem CODE [OPTION...]
? 2
$ svctl billing vouchers --columns name,status,amount,remaining,scope
NAME             STATUS   AMOUNT   REMAINING   SCOPE
trial credit     used     10.00    0.00        -
WELCOME          active   20.00    20.00       -
a week of TPUs   active   50.00    50.00       tpu-sim
$ svctl billing charges --kind voucher -o csv --columns kind,amount,note
kind,amount,note^M
voucher,20.00,WELCOME^M
voucher,50.00,a week of TPUs^M
# Prices before anything exists, and what goes on costing when it is off.
$ svctl quote job --gpu h100-80g:2 --image pytorch-2.3 -o json --columns kind,price_per_hour,minimum_seconds,minimum_charge -- python3 train.py
{
  "kind": "job",
  "price_per_hour": "9.600000",
  "minimum_seconds": 3600,
  "minimum_charge": "9.600000"
}
$ svctl quote job --app llama-3-8b-pretrain --get price_per_hour
56.00
$ svctl quote storage --size 100GiB --get price_per_day
0.166667
$ svctl disk create d --size 50GiB -q -o name
d
$ svctl instance create e --gpu tpu-sim --image pytorch-2.2 --disk d:/root/d --max-price 6.99
! svctl: instance create: it costs 7.006944 an hour, above the limit of 6.99
!   code price_exceeds_limit, request req_#
? 7
$ svctl instance create e --gpu tpu-sim --image pytorch-2.2 --disk d:/root/d --max-price 7.1 -q -o name
e
$ svctl instance list --name e -o csv --columns name,status
name,status^M
e,running^M
$ svctl instance stop e -o csv --columns name,status
name,status^M
e,stopped^M
! e: halt done
! svctl: e is off; its disks go on costing 0.166667 a day
$ svctl instance create f --gpu tpu-sim --image pytorch-2.2 -q -o name
f
$ svctl instance stop f -o csv --columns name,status
name,status^M
f,stopped^M
! f: halt done
! svctl: f is off, and nothing of it goes on costing
# Who divides gets more: 50 of it pays for other cards only.
$ svctl billing balance --columns available,burn_rate_per_hour,runway_seconds,currency
AVAILABLE    BURN_RATE_PER_HOUR   RUNWAY      CURRENCY
873.857777   56.006945            14h42m35s   CNY
! svctl: some vouchers do not count towards RUNWAY: they expire too early, or pay for other things only; see svctl billing vouchers
$ svctl billing balance -q --get runway_seconds
52955
$ svctl instance delete f --yes -q -o name
f
$ svctl billing usage --instance f --kind compute -o csv --columns name,gpu
name,gpu^M
f,tpu-sim^M
! svctl: there is no instance f now; shown is what was called so
