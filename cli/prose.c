/* SPDX-License-Identifier: MIT */
/* What no row says: a paragraph for a noun where one is needed, and examples. */
#include <string.h>

#include "doc.h"

static const struct {
	const char *noun, *text;
} prose[] = {
#include "prose.inc"
	{ NULL, NULL },
};

const char *prose_of(const char *noun)
{
	for (size_t i = 0; prose[i].noun; i++)
		if (!strcmp(prose[i].noun, noun))
			return prose[i].text;
	return NULL;
}

static const struct example examples[] = {
	{ "account", "register", "svctl account register --email me@example.org",
		N_("an account with its trial credit, on the local platform") },
	{ "api", "", "svctl api GET '/v1/instances?limit=1'", N_("the answer as received") },
	{ "app", "deploy",
		"svctl app deploy llama-3-8b-pretrain --name trainer --gpu rtx-4090:4 --wait=ssh",
		N_("an instance from a template, waited for until one can log in") },
	{ "app", "list", "svctl app list --search pretrain",
		N_("templates with a word in name, title or summary") },
	{ "apply", "", "svctl apply -f stack.yaml --dry-run",
		N_("what would be done, and what it would cost") },
	{ "apply", "", "svctl apply -f stack.yaml --prune",
		N_("and delete what the file no longer names") },
	{ "billing", "redeem", "svctl billing redeem WELCOME", N_("credit of a voucher") },
	{ "billing", "report", "svctl billing report --since 30d --html costs.html",
		N_("a page of costs by day, instance and card, and the balance's course") },
	{ "billing", "statement", "svctl billing statement --month 2026-11 --html november.html",
		N_("a month to print; -o csv for a spreadsheet") },
	{ "billing", "tco",
		"svctl billing tco --own-capex 1100000 --own-monthly 3500 --cards 8 --price 1.9"
		" --use 50%",
		N_("three years of eight cards of one's own, and of rented ones") },
	{ "billing", "usage", "svctl billing usage --since 7d --by instance",
		N_("what each instance cost in a week") },
	{ "completion", "", "source <(svctl completion bash)", N_("TAB in this bash") },
	{ "config", "list", "svctl config list --show-origin",
		N_("every setting and where it came from") },
	{ "config", "set", "svctl config set profiles.cloud.endpoint https://api.example.com",
		N_("a profile of one's own") },
	{ "disk", "attach", "svctl disk attach ckpt trainer:/root/ckpt",
		N_("seen inside at once") },
	{ "disk", "create", "svctl disk create ckpt --size 100GiB", N_("a data disk") },
	{ "diff", "", "svctl diff -f stack.yaml --exit-code", N_("16 when something differs") },
	{ "explain", "", "svctl explain instance.status", N_("its words, and who takes them") },
	{ "export", "", "svctl export disk > disks.yaml", N_("all disks as documents") },
	{ "gpu", "list", "svctl gpu list --available --min-memory 40GiB --sort unit_price_per_hour",
		N_("what is free and large enough, the cheapest first") },
	{ "instance", "cp", "svctl instance cp ./data trainer:/root/",
		N_("a directory into an instance") },
	{ "instance", "create",
		"svctl instance create trainer --gpu rtx-4090:4 --image pytorch-2.2 --max-cost 20",
		N_("four cards, stopped by the platform before they cost more than 20 yuan") },
	{ "instance", "delete", "svctl instance delete trainer --yes",
		N_("released without being asked") },
	{ "instance", "exec", "svctl instance exec trainer -- df -h",
		N_("its exit status is passed on") },
	{ "instance", "list",
		"svctl instance list --filter status=running --columns name,gpu,cost --sort -cost",
		N_("the dearest first") },
	{ "instance", "ssh", "svctl instance ssh trainer -L 8888:localhost:8888",
		N_("with a port forwarded") },
	{ "instance", "stop", "svctl instance stop trainer other",
		N_("several at once, each reported") },
	{ "instance", "switch", "svctl instance switch trainer --gpu tpu-sim:4",
		N_("the same files and disks on another card") },
	{ "instance", "wait", "svctl instance wait trainer --for running",
		N_("until it runs, or cannot any more") },
	{ "job", "compare", "svctl job compare cuda tpu",
		N_("time, speed, memory, price and cost, with the difference to the first") },
	{ "job", "logs", "svctl job logs sft --follow", N_("as it is said, from any machine") },
	{ "job", "run",
		"svctl job run sft --app llama-4-70b-sft --gpu a100-80g:8 --checkpoint "
		"ckpt:/root/ckpt "
		"--then stop -- python3 train.py",
		N_("a machine of its own, which stops when the command ends") },
	{ "job", "run",
		"svctl job run --instance trainer --send ./train --max-cost 5 --follow -- python3 "
		"train.py",
		N_("on a machine that runs, with the files that have changed") },
	{ "local", "fault", "svctl local fault 'POST /v1/instances' 503 3",
		N_("three failures, to see the retries") },
	{ "local", "start", "svctl local start --engine none --clock stepped",
		N_("records alone, and time by hand") },
	{ "model", "copy", "svctl model copy llama-3-8b trainer:/root/model",
		N_("weights from the public library") },
	{ "quote", "instance", "svctl quote instance --gpu a100-80g:8 --image pytorch-2.3",
		N_("the price by items, nothing created") },
	{ "ssh-config", "", "svctl ssh-config --install; rsync -a data/ trainer:data/",
		N_("instances by name, for every program that asks OpenSSH") },
	{ "shell", "", "svctl shell -e < morning.svctl",
		N_("a file of commands, up to the first that fails") },
	{ "snapshot", "create", "svctl snapshot create before --instance trainer",
		N_("its system disk, frozen") },
	{ "storage", "cp", "svctl storage cp ./corpus team:/corpus",
		N_("a tree; the same again goes on where it broke off") },
	{ "storage", "cp", "tar c . | svctl storage cp - team:/backup.tar",
		N_("what another program writes, of any length") },
	{ "storage", "rm", "svctl storage rm -r team:/old", N_("all below, asked for first") },
	{ "storage", "sync", "svctl storage sync ./corpus team:/corpus --delete --dry-run",
		N_("what would be moved and deleted") },
};

const struct example *example_at(size_t i)
{
	return i < COUNT(examples) ? &examples[i] : NULL;
}
