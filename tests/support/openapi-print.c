/* SPDX-License-Identifier: MIT */
/* Prints the contract from the tables: `openapi-print >lib/openapi.yaml` after a change of rows. */
#include <stdio.h>

#include "model/openapi.h"

int main(void)
{
	struct sv_buf b;
	int r;

	sv_buf_init(&b, (size_t)16 << 20);
	r = sv_openapi(&b);
	if (!r)
		r = fwrite(b.data, 1, b.len, stdout) != b.len || fflush(stdout);
	sv_buf_free(&b);
	return r != 0;
}
