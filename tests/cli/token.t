$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.com -o name -q
me@example.com
$ svctl token create ci --scope read,jobs --expires-at +30d --label team=a | sed 's/svt_[0-9a-z]*/svt_#/'
NAME   SCOPES      EXPIRES_AT             LAST_USED_AT   SECRET
ci     read,jobs   TIME   -              svt_#
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl token create short --scope read -o json --columns name,scopes,secret | sed 's/svt_[0-9a-z]*/svt_#/'
{
  "name": "short",
  "scopes": ["read"],
  "secret": "svt_#"
}
$ svctl token list --columns name,scopes,last_used_at
NAME    SCOPES      LAST_USED_AT
ci      read,jobs   -
short   read        -
$ svctl token get ci -o json --columns name,scopes,expires_at,last_used_at,secret
{
  "name": "ci",
  "scopes": ["read","jobs"],
  "expires_at": "TIME",
  "last_used_at": null,
  "secret": null
}
$ svctl token create x --scope everything
! svctl: --scope: must be one of read account disks instances jobs keys storage tokens webhooks
!   Usage: svctl token create NAME --scope SCOPE [OPTION...]
? 2
$ svctl token create x
! svctl: --scope: is required
!   Usage: svctl token create NAME --scope SCOPE [OPTION...]
? 2
$ svctl token create x --scope read --expires-at 2020-01-01T00:00:00Z
! svctl: token create: --expires-at: is in the past
!   code validation_failed, request req_#
? 2
$ svctl token create x --scope read --get secret > key; STARVERSE_API_KEY_FILE=key svctl token list -o name
ci
short
x
$ STARVERSE_API_KEY_FILE=key svctl disk create d --size 10
! svctl: disk create: this token has no scope "disks", which disk create needs
!   Hint: svctl token create NAME --scope disks
!   code forbidden, request req_#
? 4
$ STARVERSE_API_KEY_FILE=key svctl instance create i --gpu tpu-sim:1 --image pytorch-2.2
! svctl: made an SSH key: $STATE/state/starverse/ssh/id_ed25519
! svctl: registering the SSH key: this token has no scope "keys", which key create needs
!   Hint: svctl token create NAME --scope keys
!   code forbidden, request req_#
? 4
$ STARVERSE_API_KEY_FILE=key svctl --debug token list 2>&1 | grep -c svt_
0
? 1
$ svctl token update x --name y --columns name
NAME
y
$ svctl token delete y --yes --columns name
NAME
y
$ STARVERSE_API_KEY_FILE=key svctl token list
! svctl: the API key is not known here
!   Hint: svctl login, or svctl account register
!   code unauthenticated, request req_#
? 4
$ svctl local reset --yes -q
