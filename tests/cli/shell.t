$ printf 'version\nversion -o json # twice\n' | svctl shell
svctl 0.1.0
{"version":"0.1.0"}
$ printf "version; version && version\nnosuch || version\nversion 'a\nb'\n" | svctl shell
svctl 0.1.0
svctl 0.1.0
svctl 0.1.0
svctl 0.1.0
svctl 0.1.0
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
$ printf 'nosuch\nversion\n' | svctl shell
svctl 0.1.0
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
$ printf 'nosuch\nversion\n' | svctl shell -e
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ printf 'version &&& version\n' | svctl shell
! svctl: an operator stands where none can: & version
? 2
$ printf 'exit\nversion\n' | svctl shell
$ printf "version 'open\n" | svctl shell
! svctl: the line is not complete: version 'open
? 2
$ svctl shell < /dev/null
$ printf 'use nosuch\n' | svctl shell
! svctl: no profile is called "nosuch"
!   Hint: svctl config list shows what there is
!   code configuration
? 3
# Files, pipes, programs.
$ printf 'version > "a b"; version >> "a b"; !wc -l < "a b"\n' | svctl shell
2
$ printf 'version > /nosuch/x\nversion\n' | svctl shell -e
! svctl: /nosuch/x: No such file or directory
? 1
$ printf 'version -o json | tr a-z A-Z | head -1\n' | svctl shell
{"VERSION":"0.1.0"}
$ printf 'nosuch | cat\n' | svctl shell
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ printf 'version | exit 7\n' | svctl shell
? 7
$ printf 'version | head -0\n' | svctl shell
$ printf "version | sed 's/svctl;/x/' && version || nosuch\n" | svctl shell
svctl 0.1.0
svctl 0.1.0
$ printf '!echo a; echo b | cat && exit 3\n' | svctl shell
a
b
? 3
$ printf '!echo "${STARVERSE_API_KEY-unset}"\nversion | echo ${STARVERSE_API_KEY-unset}\n' | STARVERSE_API_KEY=sv_secret svctl shell
unset
unset
$ printf 'version 2> x\n' | svctl shell
! svctl: an operator stands where none can: 2> x
? 2
$ printf 'version > x > y\n' | svctl shell
! svctl: an operator stands where none can: > y
? 2
$ printf 'version &&\n' | svctl shell
! svctl: the line is not complete: version &&
? 2
$ printf 'version &&\nversion\nversion |\ncat\n' | svctl shell
svctl 0.1.0
svctl 0.1.0
svctl 0.1.0
$ printf 'version > /dev/full\n' | svctl shell
! svctl: write error: No space left on device
? 1
# In the background: a script waits for what is left.
$ printf 'version &\n' | svctl shell
svctl 0.1.0
$ printf 'nosuch & wait\n' | svctl shell
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ printf 'version | tr a-z A-Z > up & wait && !cat up\n' | svctl shell
SVCTL 0.1.0
# What fits.
$ printf 'instance st ?\nconfig ?\nuse ?\n' | svctl shell
! (nothing that is known)
! get     show one key of the configuration file
! list    show the settings in force
! set     set one key of the configuration file
! unset   remove one key of the configuration file
! use     make a profile the current one
! local
$ printf 'watch\nwatch nosuch\nshell\n' | svctl shell
! svctl: watch [SECONDS] COMMAND
! svctl: unknown command "nosuch"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
! svctl: this is the shell
? 2
# Another profile is reached by what it says itself, not by what was given for the one before.
$ printf 'config list | grep -e cacert -e insecure\nuse local\nconfig list | grep -e cacert -e insecure\n' | svctl --cacert ./ca.pem --insecure shell
cacert             ./ca.pem
insecure           true
? 1
$ printf 'version: 1\nodd: 1\n' > odd.yaml; printf 'config list &\nwait\n' | STARVERSE_CONFIG=odd.yaml svctl --strict shell
! svctl: odd.yaml:2: unknown key odd
? 3
$ printf 'nosuch &\nwait\n' | svctl --lang zh_CN shell
! svctl: 未知命令“nosuch”
!   用法：svctl [选项...] 资源 动作 [NAME...] [选项...]
? 2
$ svctl account register --email me@example.org -q -o name && svctl instance create a --gpu rtx-4090:1 --image pytorch-2.2 -q -o name
me@example.org
a
$ printf 'instance list --no-header --columns status &\nwait\n' | svctl -q --color always shell
[32mrunning[0m
# What fits is asked for where the line says, not where the shell is connected.
$ printf 'instance get ?\n--endpoint http://127.0.0.1:1 instance get ?\ninstance get ?\n' | svctl shell
! a   running, rtx-4090, gpu_count 1, ¥14.00
! (nothing that is known)
! a   running, rtx-4090, gpu_count 1, ¥14.00
$ printf 'use local\nconfig list | grep -c profile\n' | STARVERSE_PROFILE=nosuch svctl shell
1
