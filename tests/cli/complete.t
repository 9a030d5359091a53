$ svctl account register --email me@example.org -q -o name
me@example.org
$ svctl __complete --cword 0 -- inst
instance	a machine with accelerators, rented by the second
$ svctl __complete -- instance s
save-image	make a private image of the system disk
ssh	log in to an instance
start	start a stopped instance
stop	stop a running instance; its files stay
switch	move an instance to another card
$ svctl __complete -- instances ST
$ svctl __complete -- nosuch ''
$ svctl __complete -- instance nosuch ''
$ svctl __complete -- -o j
json	one object, or an array; prices are strings, as on the wire
jsonl	one object a line
$ svctl __complete -- -oj
-ojson	one object, or an array; prices are strings, as on the wire
-ojsonl	one object a line
$ svctl __complete -- --output=j
--output=json	one object, or an array; prices are strings, as on the wire
--output=jsonl	one object a line
$ svctl __complete -- instance list --no-h
--no-header	--no-header leaves the header out
$ svctl __complete -- instance list --columns name,stat
name,status	state
name,status_reason.	why it is in its state	+
$ svctl __complete -- instance list --columns ssh.
ssh.host	host name or address
ssh.host_keys	public host keys
ssh.port	port
ssh.user	user to log in as
$ svctl __complete -- instance list --filter statu
status=	state	+
status_reason.	why it is in its state	+
$ svctl __complete -- instance list --filter status=run
status=running	runs and is billed
$ svctl __complete -- instance list --sort -pri
-price_per_hour	price while running, all of it
$ svctl __complete -- instance list --status=st
--status=starting	booting
--status=stopped	stopped; only its disks are billed
--status=stopping	being stopped; compute is not billed any more
$ svctl __complete -- instance create --auto-stop.idle.
--auto-stop.idle.after	idle for so long
--auto-stop.idle.cpu-util-below	processors used less than so many percent of one core
--auto-stop.idle.gpu-util-below	cards used less than so many percent
$ svctl __complete -- instance create --max-cost 5 --ma
--max-price	refuse when it would cost more an hour
--max-runtime	stop after running so long
$ svctl __complete -- instance create --label a=b --lab
--label	free-form label
$ svctl __complete -- instance create --backend ro
rocm	AMD ROCm
$ svctl __complete -- instance create --wait=
--wait=ssh	wait until done (the default), or until one can log in
$ svctl __complete -- instance create --gpu ''
a100-80g	nvidia, 80GiB, cuda, max_count 8, free 64, ¥1.90, high
ascend-910b	huawei, 64GiB, ascend, max_count 8, free 64, ¥6.00, high
enflame-s60	enflame, 48GiB, gcu, max_count 8, free 32, ¥3.90, high
h100-80g	nvidia, 80GiB, cuda, max_count 8, free 32, ¥4.80, high
mi300x	amd, 192GiB, rocm, max_count 8, free 16, ¥3.60, high
mlu370-x8	cambricon, 48GiB, mlu, max_count 8, free 32, ¥4.20, high
rtx-4090	nvidia, 24GiB, cuda, max_count 8, free 64, ¥14.00, high
tpu-sim	starverse, 32GiB, tpu, max_count 8, free 64, ¥7.00, high
$ svctl __complete -- instance create --gpu rtx-4090:
rtx-4090:1	
rtx-4090:2	
rtx-4090:4	
rtx-4090:8	
$ svctl __complete -- instance create --image pyt
pytorch-2.2	public, ready, cuda,rocm,tpu,ascend,gcu,mlu
pytorch-2.3	public, ready, cuda,rocm,tpu,ascend,gcu,mlu
# Names: as they are, by id where the name would be read as something else, and only where the verb is allowed.
$ for n in "my name" a:b "it's" 'q"uote' -dash id:x same same 训练 🚀; do svctl instance create "--name=$n" --gpu rtx-4090:1 --image pytorch-2.2 -y -q -o name; done
my name
a:b
it's
q"uote
-dash
id:x
same
same
训练
🚀
$ svctl __complete -- instance get ''
a:b	running, rtx-4090, gpu_count 1, ¥14.00
ins_#	-dash: running, rtx-4090, gpu_count 1, ¥14.00
ins_#	id:x: running, rtx-4090, gpu_count 1, ¥14.00
ins_#	same: running, rtx-4090, gpu_count 1, ¥14.00
ins_#	same: running, rtx-4090, gpu_count 1, ¥14.00
it's	running, rtx-4090, gpu_count 1, ¥14.00
my name	running, rtx-4090, gpu_count 1, ¥14.00
q"uote	running, rtx-4090, gpu_count 1, ¥14.00
训练	running, rtx-4090, gpu_count 1, ¥14.00
🚀	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete -- instance get ins_ | wc -l
10
$ svctl __complete -- instance start ''
$ svctl instance stop 训练 -q -o name
训练
$ svctl __complete -- instance start ''
训练	stopped, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete -- instance stop 训
$ svctl __complete -- instance stop a:b it
it's	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete -- instance stop it\'s it
$ svctl __complete -- disk attach x my
my name:	running, rtx-4090, gpu_count 1, ¥14.00	+
$ svctl __complete -- disk attach x "my name:"
my name:/root/	where it is seen inside	+
$ svctl __complete -- instance cp ./x my
my name:	running, rtx-4090, gpu_count 1, ¥14.00	+
	files
$ svctl __complete -- instance cp ./x
	files
# Where the object does not say what may be done with it, the verb's row does.
$ for n in free used; do svctl disk create $n --size 1 -q -o name; done; svctl disk attach used "my name:/data" -q -o name
free
used
used
$ svctl __complete -- disk attach ''
free	1GiB, data, available
$ svctl __complete -- disk delete ''
free	1GiB, data, available
$ svctl __complete -- disk detach ''
used	1GiB, data, attached
$ svctl __complete -- disk resize u
used	1GiB, data, attached
$ svctl __complete -- operation cancel ''
$ svctl __complete -- instance exec my
my name	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete -- instance exec "my name" -- l
$ svctl __complete -- key create --public-key @
	files
# What bash needs: quoted as it was begun, and only what comes after the last of its breaks.
$ svctl __complete --breaks ' "'"'"'=:' --line 'svctl instance get my'
my\ name	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete --breaks ' "'"'"'=:' --line "svctl instance get 'my na"
my name	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete --breaks ' "'"'"'=:' --line 'svctl instance get "q'
q\"uote	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete --breaks ' "'"'"'=:' --line 'svctl instance get a:'
b	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete --breaks ' "'"'"'=:' --line 'svctl disk attach x my\ name:'
/root/	where it is seen inside	+
$ svctl __complete --breaks ' "'"'"'=:' --line 'svctl instance create --gpu=rtx-4090:'
1	
2	
4	
8	
$ svctl __complete --breaks ' "'"'"'=' --line 'svctl instance create --gpu=rtx-4090:'
rtx-4090:1	
rtx-4090:2	
rtx-4090:4	
rtx-4090:8	
$ svctl __complete --breaks ' "'"'"'=:' --line 'svctl instance get i' --menu
it\'s	running, rtx-4090, gpu_count 1, ¥14.00
$ svctl __complete --breaks ' ' --line 'svctl instance list > /tm'
	files
# Other words.
$ svctl config set profiles.cloud.endpoint https://api.example.com; svctl __complete -- --profile ''
cloud	
local	
$ svctl __complete -- config use c
cloud	
$ svctl __complete -- config set profiles.cloud.end
profiles.cloud.endpoint	https://HOST, http://HOST, unix:/PATH or local:
$ svctl __complete -- help in
instance	a machine with accelerators, rented by the second
$ svctl __complete -- help instance sto
stop	stop a running instance; its files stay
$ svctl __complete -- api GE
GET	
$ svctl __complete -- api GET /v1/disk
/v1/disks	list disks
/v1/disks/		+
$ svctl __complete -- local start --clock ''
real	
stepped	
$ svctl __complete -- instance wait x --for sto
stopped	stopped; only its disks are billed
stopping	being stopped; compute is not billed any more
$ svctl __complete -- completion ''
bash	
fish	
zsh	
$ svctl __complete --cword 9 -- a
! svctl: --cword 9: there are 1 words
!   Usage: svctl __complete [--cword N] -- WORD... | --line LINE
? 2
$ svctl completion tcsh
! svctl: no completion for tcsh: bash, zsh or fish
!   Did you mean: bash?
!   Usage: svctl completion bash|zsh|fish
? 2
$ svctl completion
! svctl: of which shell: bash, zsh or fish?
!   Usage: svctl completion bash|zsh|fish
? 2
$ svctl completion bash | grep -c .
22
# The cache is private, and what changes something empties it.
$ svctl __complete -- key get '' && svctl __complete -- instance get 🚀 && stat -c '%a' cache/starverse/names cache/starverse/names/*-instance
svctl	SHA256:#
🚀	running, rtx-4090, gpu_count 1, ¥14.00
700
600
$ svctl key delete nosuch -y || ls cache/starverse/names
! svctl: key "nosuch" not found
!   Hint: svctl key list
!   code not_found
# Nothing is started, asked or said where nobody answers.
$ svctl local stop -q; svctl __complete -- instance get ''; test -e state/starverse/local.sock || echo nobody
nobody
$ svctl --endpoint http://127.0.0.1:9 __complete -- instance get ''
$ svctl __complete -- --endpoint=http://127.0.0.1:9 instance get ''
$ svctl __complete -- --profile nosuch instance get ''
