/* SPDX-License-Identifier: MIT */
/* The lists that name functions of the nouns' files: what behaves, what is computed, what falls
 * due. Sorted. */
#include "local/due.h"
#include "local/event.h"
#include "local/platform.h"
#include "local/register.h"

const struct behave behaviours[] = {
	{ "account", "register", local_account_register },
	{ "event", "follow", local_event_follow },
	{ "event", "get", local_event_get },
	{ "event", "list", local_event_list },
	{ 0 },
};

const struct present presents[] = {
	{ 0 },
};

const struct due_handler due_handlers[] = {
	{ 0 },
};
