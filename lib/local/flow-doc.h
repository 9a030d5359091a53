/* SPDX-License-Identifier: MIT */
/* What is written of a flow: the operation that people read, and where it stands for the next
 * daemon. */
#ifndef SV_LOCAL_FLOW_DOC_H
#define SV_LOCAL_FLOW_DOC_H

#include "local/flow.h"

/* shown: what the operation names as its resource. */
int flow_doc_make(struct flow *f, const char *shown);
void flow_doc_save(struct flow *f);
void flow_doc_end(struct flow *f, int ok);
/* What the step it is at came to, where that is not for its place to tell: "failed" after the point
 * of no return, or "skipped". It stays. */
void flow_doc_step(struct flow *f, const char *status);
int flow_doc_load(struct flow *f);
/* Calls for each operation that is open in the store. */
int flow_doc_each(
	struct platform *p, int (*fn)(struct platform *p, const char *id, const char *type));

#endif
