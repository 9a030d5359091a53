# Aliases: the words take the name's place, and what is typed goes on behind them.
$ svctl config set aliases.v 'version -o json' && svctl v
{"version":"0.1.0"}
$ svctl config set aliases.q "config 'list'" && svctl q --show-origin | grep -c profile
1
$ svctl config set aliases.round 'round list' && svctl round
! svctl: an alias stands for "round", which is no command of svctl
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl config set aliases.again 'v' && svctl again
! svctl: an alias stands for "v", which is no command of svctl
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl config set aliases.bad 'version; version' && svctl bad
! svctl: the alias bad is no command: see aliases.bad of the configuration
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl config set aliases.open "version 'x" && svctl open
! svctl: the alias open is no command: see aliases.open of the configuration
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl config set aliases.instance 'version'
! svctl: instance: svctl has a command of this name itself
!   Usage: svctl config set KEY VALUE
? 2
$ svctl config set aliases.keys 'version'
! svctl: keys: svctl has a command of this name itself
!   Usage: svctl config set KEY VALUE
? 2
$ printf 'aliases: {disk: version}\n' > other.yaml; STARVERSE_CONFIG=other.yaml svctl help | grep -A1 '^Of your own'
Of your own:
  disk                        an alias without effect: svctl has this itself
$ svctl -q v -o yaml
svctl 0.1.0
$ svctl help | sed -n '/^Of your own/,/^$/p' | grep -v -e 'on PATH' -e '^$'
Of your own:
  v                           version -o json
  q                           config 'list'
  round                       round list
  again                       v
  bad                         version; version
  open                        version 'x
$ svctl help v | head -1
Usage: svctl version
$ svctl vv
! svctl: unknown command "vv"
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl __complete --cword 0 -- v
v	version -o json
version	show the version
$ svctl __complete -- q --show
--show-origin	say where each setting came from
$ printf 'v\n' | svctl shell
{"version":"0.1.0"}
# Programs called svctl-NAME: the words as they are, the key and where to send it, and the status passed on.
$ mkdir bin && printf '#!/bin/sh\nprintf "<%%s>" "$@"; echo; env | grep ^STARVERSE_ | grep -v COMMAND | sort; exit 42\n' > bin/svctl-hello && chmod 755 bin/svctl-hello
$ PATH=$PWD/bin:$PATH STARVERSE_API_KEY=sv_k svctl --endpoint http://127.0.0.1:9 hello -o 'a b' --help -- x
<-o><a b><--help><--><x>
STARVERSE_API_KEY=sv_k
STARVERSE_ENDPOINT=http://127.0.0.1:9
STARVERSE_PROFILE=local
? 42
$ PATH=$PWD/bin:$PATH STARVERSE_API_KEY=sv_k STARVERSE_TIMEOUT=9s svctl --cacert ca.pem --strict --timeout 7s hello | grep -v _API_
<>
STARVERSE_CACERT=ca.pem
STARVERSE_ENDPOINT=local:
STARVERSE_PROFILE=local
STARVERSE_STRICT=true
STARVERSE_TIMEOUT=7s
$ printf '#!/bin/sh\necho "${NO_COLOR-}|${CLICOLOR_FORCE-}"\n' > bin/svctl-hue; chmod 755 bin/svctl-hue; for c in auto never always; do PATH=$PWD/bin:$PATH NO_COLOR=x svctl --color $c hue; done
x|
1|
|1
$ PATH=$PWD/bin:$PATH STARVERSE_API_KEY=sv_k svctl help hello | head -1
<--help>
$ printf 'hello 1 | cat\nversion\nhello 2\n' | PATH=$PWD/bin:$PATH STARVERSE_API_KEY=sv_k svctl shell
<1>
STARVERSE_API_KEY=sv_k
STARVERSE_ENDPOINT=local:
STARVERSE_PROFILE=local
svctl 0.1.0
<2>
STARVERSE_API_KEY=sv_k
STARVERSE_ENDPOINT=local:
STARVERSE_PROFILE=local
? 42
$ PATH=$PWD/bin:$PATH svctl help | grep hello
  hello                       a program on PATH
$ PATH=$PWD/bin:$PATH svctl __complete --cword 0 -- hel
hello	a program on PATH
help	show help
$ PATH=$PWD/bin:$PATH svctl helo
! svctl: unknown command "helo"
!   Did you mean: help?
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ PATH=bin:$PATH svctl hello
! svctl: unknown command "hello"
!   Did you mean: help?
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ cp bin/svctl-hello bin/svctl-instance; PATH=$PWD/bin:$PATH svctl instance | head -1
Usage: svctl instance VERB [NAME...] [OPTION...]
$ printf 'nonsense' > bin/svctl-broken; chmod 755 bin/svctl-broken; PATH=$PWD/bin:$PATH svctl broken
! svctl: $STATE/bin/svctl-broken: Exec format error
? 1
$ printf '#!/bin/sh\nkill -TERM $$\n' > bin/svctl-killed; chmod 755 bin/svctl-killed; echo killed | PATH=$PWD/bin:$PATH svctl shell
? 143
# Guesses: commands, verbs, options, words, names.
$ svctl instnace list
! svctl: unknown command "instnace"
!   Did you mean: instance?
!   Usage: svctl [OPTION...] NOUN VERB [NAME...] [OPTION...]
? 2
$ svctl instance lst
! svctl: instance: unknown verb "lst"
!   Did you mean: list?
!   Usage: svctl instance VERB [NAME...] [OPTION...]
? 2
$ svctl instance list --filtre a=b
! svctl: unknown option --filtre
!   Did you mean: --filter?
!   Usage: svctl instance list [OPTION...]
? 2
$ svctl version -o jsno
svctl 0.1.0
