/* SPDX-License-Identifier: MIT */
/* SSH public keys of an account: checked when they come, authorized in instances when these are
 * made. */
#include "local/key.h"

#include <string.h>

#include <starverse/key.h>

#include "local/crud.h"
#include "local/instance-inside.h"

int local_key_create(struct call *c)
{
	struct sv_key *b = c->in;
	char line[8100], fingerprint[80];
	const char *wrong = doc_name_wrong(b->name);

	if (wrong)
		sv_err_field(&c->err, "name", "value", "%s", wrong);
	wrong = key_text_read(b->public_key ? b->public_key : "", line, sizeof(line), fingerprint,
		sizeof(fingerprint));
	if (wrong)
		sv_err_field(&c->err, "public_key", "value", "%s", wrong);
	if (c->err.code)
		return c->err.code;
	doc_text(b, b, public_key, line);
	doc_text(b, b, fingerprint, fingerprint);
	return crud_create(c);
}
