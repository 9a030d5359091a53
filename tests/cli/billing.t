# Owning against renting; the figures are those of the mission.
$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.org -q --get name
me@example.org
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
