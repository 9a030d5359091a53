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
! svctl: a quote is not closed
? 2
$ svctl shell < /dev/null
$ printf 'use nosuch\n' | svctl shell
! svctl: no profile is called "nosuch" (chosen by flag)
!   Hint: svctl config list shows what there is
!   code configuration
? 3
