/* SPDX-License-Identifier: MIT */
/* Colour, decided for each stream by itself, and the pager. */
#ifndef SVCTL_STYLE_H
#define SVCTL_STYLE_H

#include "app.h"

/* Decides both streams by --color, NO_COLOR, CLICOLOR_FORCE, TERM and what they are. 0, or -1 when
 * --color is none of auto, always and never. */
int style_choose(struct app *a);
/* What puts a mood's colour on, and what takes it off; "" where there is none. */
const char *style_on(int colored, int mood);
const char *style_off(int colored, int mood);

/* From here to the end of the command stdout goes through the pager, where stdout is a terminal and
 * there is one. */
void pager_begin(struct app *a);
/* Waits for it; the terminal is left as it was. status, or what a failed write made of it. */
void pager_end(struct app *a);

#endif
