/* SPDX-License-Identifier: MIT */
#include "i18n.h"

#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define DOMAIN "svctl"

const char *i18n(const char *s)
{
	return *s ? dgettext(DOMAIN, s) : s;
}

const char *i18n_errno(int e)
{
	static const char context[] = "message\004";
	const char *s = strerror(e), *told;
	char id[128];

	snprintf(id, sizeof(id), "%s%s", context, s);
	told = dgettext(DOMAIN, id);
	return told == id ? s : told;
}

const char *i18n_language(const char *word)
{
	static const struct {
		const char *begin, *language;
	} known[] = { { "zh", "zh_CN" }, { "en", "en" }, { "C", "en" }, { "POSIX", "en" } };
	size_t len = word ? strcspn(word, "_-.@:") : 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (len == strlen(known[i].begin) && !strncasecmp(word, known[i].begin, len))
			return known[i].language;
	return NULL;
}

/* Before the arguments are read, since their errors are told in that language, too. */
static const char *asked(size_t n, char *const *args)
{
	static const char option[] = "--lang";
	const char *last = NULL;

	for (size_t i = 0; i < n && strcmp(args[i], "--") != 0; i++)
		if (!strncmp(args[i], option, sizeof(option) - 1)) {
			if (args[i][sizeof(option) - 1] == '=')
				last = args[i] + sizeof(option);
			else if (!args[i][sizeof(option) - 1] && i + 1 < n)
				last = args[i + 1];
		}
	return i18n_language(last);
}

/* LANGUAGE chooses among languages, not whether there is one. */
static const char *from_environment(const char *locale, const char *languages)
{
	const char *language = i18n_language(locale), *first = i18n_language(languages);

	return language && strcmp(language, "en") != 0 && first ? first : language;
}

/* Beside a program that was built and not installed, else where it is installed. */
static void bind(const char *language)
{
	char self[PATH_MAX], dir[PATH_MAX + 8], file[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));

	while (n > 0 && self[n - 1] != '/')
		n--;
	snprintf(dir, sizeof(dir), "%.*spo", n > 0 ? (int)n : 0, self);
	snprintf(file, sizeof(file), "%s/%s/LC_MESSAGES/" DOMAIN ".mo", dir, language);
	bindtextdomain(DOMAIN, n > 0 && !access(file, R_OK) ? dir : SVCTL_LOCALES);
	bind_textdomain_codeset(DOMAIN, "UTF-8");
}

int i18n_file(char path[I18N_PATH])
{
	static const char begin[] =
		"Language: "; /* in the head of a catalogue, where there is one */
	const char *language = strstr(dgettext(DOMAIN, ""), begin),
		   *dir = bindtextdomain(DOMAIN, NULL);
	int n;

	if (!language || !dir)
		return 0;
	language += sizeof(begin) - 1;
	n = snprintf(path, I18N_PATH, "%s/%.*s/LC_MESSAGES/" DOMAIN ".mo", dir,
		(int)strcspn(language, "\n"), language);
	return n > 0 && n < I18N_PATH;
}

void i18n_open(size_t n, char *const *args, const char *locale, const char *languages)
{
	static const char plain[] = "C.UTF-8"; /* in every C library, whatever was generated */
	const char *option = asked(n, args);
	const char *language = option ? option : from_environment(locale, languages);

	/* Numbers keep their point in every locale: only these two are set. */
	if (!setlocale(LC_CTYPE, ""))
		setlocale(LC_CTYPE, plain);
	if (!language || !strcmp(language, "en"))
		return; /* the texts are English, and LC_MESSAGES is C */
	if (option && strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, plain);
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return; /* its terminal could not show them */
	setlocale(LC_MESSAGES, plain);
	setenv("LANGUAGE", language, 1);
	bind(language);
}
