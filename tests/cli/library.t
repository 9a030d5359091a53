$ svctl local start --engine none --clock stepped -q --get engine
none
$ svctl account register --email me@example.com -o name -q
me@example.com
$ svctl app list --search "Llama-3-8B 预训练" -o name
llama-3-8b-pretrain
! svctl: no configuration: using the local platform on this machine (profile local)
$ svctl app search 预训练 llama -o name
llama-3-8b-pretrain
$ svctl app search ＬＬＡＭＡ－４－７０Ｂ -o name
llama-4-70b-sft
$ svctl model search "LLAMA 3" --columns name,title,path
NAME         TITLE        PATH
llama-3-8b   Llama 3 8B   /library/models/llama-3-8b
$ svctl dataset search 语料 redpajama --columns name,path,aligned_models
NAME           PATH                             ALIGNED_MODELS
redpajama-v2   /library/datasets/redpajama-v2   llama-3-8b,llama-4-70b
$ svctl image search transformers -o json --columns name,frameworks,plugins
[
  {
    "name": "PyTorch 2.3 + Llama-4 70B",
    "frameworks": {"pytorch":"2.3.1","python":"3.11","transformers":"4.51"},
    "plugins": {"torch_xla":"2.3.0","torch_npu":"2.3.1"}
  }
]
$ svctl key list x
! svctl: list takes no names; use --name or --filter
!   Usage: svctl key list [OPTION...]
? 2
$ svctl app list a --search b
! svctl: --search is given twice, as a word and as an option
!   Usage: svctl app list [OPTION...]
? 2
$ svctl account top-up 1000 -qo name
me@example.com
$ svctl app deploy llama-3-8b-pretrain -q --columns name,gpu,gpu_count,mounts
NAME                  GPU        GPU_COUNT   MOUNTS
llama-3-8b-pretrain   rtx-4090   4           {kind=model,name=llama-3-8b,path=/library/models/llama-3-8b,read_only=true,state=attached} {kind=dataset,name=fineweb-edu,path=/library/datasets/fineweb-edu,read_only=true,state=attached}
$ svctl app deploy llama-3-8b-pretrain -qo name
llama-3-8b-pretrain-1
$ svctl instance create --gpu a100-80g:8 --image "PyTorch 2.3 + Llama-4 70B" -qo json --columns name,fabric,env
{
  "name": "a100-80g-1",
  "fabric": "nvlink+rdma",
  "env": {"STARVERSE_BACKEND":"cuda","STARVERSE_GPU":"a100-80g","STARVERSE_GPU_COUNT":"8","NCCL_P2P_LEVEL":"NVL","NCCL_IB_DISABLE":"0","NCCL_NET_GDR_LEVEL":"PHB","NCCL_SOCKET_IFNAME":"^lo,docker0"}
}
$ svctl instance create --gpu a100-80g:8 --image pytorch-2.2 -qo name
a100-80g-2
$ svctl instance create --gpu mlu370-x8 --image tensorflow-2.15
! svctl: instance create: tensorflow-2.15 runs on cuda, rocm, tpu, ascend, and mlu370-x8 is driven by mlu
!   Hint: images that fit mlu370-x8: pytorch-2.2, pytorch-2.3
!   code incompatible, request req_#
? 2
# Progress is told by the name of what is made.
$ svctl app deploy llama-3-8b-pretrain --name mine -o name
mine
! mine: prepare done
! mine: boot done
$ svctl instance clone mine --name copied -o name
copied
! copied: freeze done
! copied: copy done
! copied: thaw done
! copied: prepare done
! copied: boot done
$ svctl local reset --yes
! svctl: the account is gone with the rest: svctl account register makes a new one
