/* SPDX-License-Identifier: MIT */
/* What something will cost and whether it can be had, before any money is spent: used by quote,
 * create, start, resize and switch alike. The cards are in capacity.h. */
#ifndef SV_LOCAL_QUOTE_H
#define SV_LOCAL_QUOTE_H

#include <starverse/error.h>
#include <starverse/instance.h>

#include "local/capacity.h"
#include "local/ledger.h"

struct platform;

/* What is asked for. -1 and NULL where nothing is said. */
struct quote_ask {
	const char *account;
	const char *gpu; /* model name; NULL: no card at all (mode no_gpu) */
	int64_t gpu_count;
	const char *backend; /* NULL: the card's only one, or the first that the image fits too */
	const char *image;   /* id; NULL: backends decides (a snapshot, a disk of its own) */
	const struct sv_strs
		*backends;          /* what the system disk fits where there is no image, or NULL */
	int64_t system_disk_gib;    /* of a system disk that will be made; 0: none */
	int64_t existing_per_month; /* of disks that are billed already; shown, not checked */
	int64_t storage_per_month;  /* of storages, likewise */
	const char *instance; /* that is asked for: its own cards and its own cost count as free */
	int64_t max_price_per_hour, max_cost;
	int check; /* 0: price only (a quote); else QUOTE_... */
};
enum {
	QUOTE_CAPACITY = 1, /* cards and quotas */
	QUOTE_MONEY = 2,    /* price limit, cap, balance */
	QUOTE_ALL = 3
};

/* What it is, and what it costs. */
struct quote {
	struct price price;
	char gpu[64], backend[16], fabric[64], zone[64], image[64];
	int64_t gpu_count, vcpus, ram_gib;
	int64_t unit_price_per_hour;                /* of one card, without the promotion */
	int64_t system_disk_gib, system_disk_price; /* price: micro-yuan per GiB and month */
	int64_t system_disk_per_hour;
	int64_t existing_per_month, storage_per_month;
	int simulated, available; /* available: enough cards are free */
	int64_t runway_seconds;   /* of the balance with this added, -1: for ever */
};

/* SV_OK, or *err: not_found, incompatible (suggesting what fits), insufficient_capacity,
 * quota_exceeded, price_exceeds_limit, budget_exceeded, insufficient_balance. */
int quote_ask(
	struct platform *p, const struct quote_ask *ask, struct quote *ret, struct sv_error *err);
/* The ask that a create body (with its app's defaults filled in, names or ids) makes, answered.
 * check: as above. */
int quote_create(struct platform *p, const char *account,
	const struct sv_instance_create_body *body, int check, struct quote *ret,
	struct sv_error *err);

/* Finds out anew how long the balance of an account lasts with it. */
int quote_runway(struct platform *p, const char *account, struct quote *q);

#endif
