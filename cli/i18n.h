/* SPDX-License-Identifier: MIT */
/* Messages in the user's language: gettext's catalogue, chosen without the locales that a machine
 * happens to have. */
#ifndef SVCTL_I18N_H
#define SVCTL_I18N_H

#include <stddef.h>

/* Translatable text: every string that a person reads passes here. */
#define _(s) i18n(s)
/* The same in a table, where no call can stand. */
#define N_(s) s

/* s in the user's language, or s. */
const char *i18n(const char *s) __attribute__((format_arg(1)));
/* strerror(), also where the C library has no such language. */
const char *i18n_errno(int e);
/* From --lang among the arguments; else locale, which is the value of LC_ALL, LC_MESSAGES or LANG,
 * and where that is not English, languages, which is LANGUAGE's. */
void i18n_open(size_t n, char *const *args, const char *locale, const char *languages);
/* Where the catalogue of the user's language is. 0 where the texts are English. */
#define I18N_PATH 4200
int i18n_file(char path[I18N_PATH]);
/* The language that a word means, or NULL: "en" and "zh_CN" in their usual spellings. */
const char *i18n_language(const char *word);

#endif
