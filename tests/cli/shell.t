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
! svctl: no profile is called "nosuch" (chosen by flag)
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
$ printf 'use local\nconfig list | grep -c profile\n' | STARVERSE_PROFILE=nosuch svctl shell
1
