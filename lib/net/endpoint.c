/* SPDX-License-Identifier: MIT */
/* Endpoints. Strict on purpose: what is guessed here sends a key to the wrong place. */
#include "net/endpoint.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include "base/err.h"
#include "base/str.h"

static int refuse(struct sv_error *err, const char *why)
{
	sv_err(err, SV_CONFIG, "endpoint: %s", why);
	if (err)
		snprintf(err->field, sizeof(err->field), "endpoint");
	sv_err_hint(err,
		"an endpoint is https://HOST[:PORT], http://HOST[:PORT], unix:/PATH or local:");
	return SV_CONFIG;
}

int sv_endpoint_socket(struct sv_endpoint *e, const char *path, struct sv_error *err)
{
	size_t most = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;

	if (path[0] != '/' && path[0] != '@')
		return refuse(err, "the socket's path must be absolute");
	if (strlen(path) > most)
		return refuse(err, "the socket's path is longer than 107 bytes");
	snprintf(e->socket, sizeof(e->socket), "%s", path);
	snprintf(e->base, sizeof(e->base), "http://localhost");
	if (!e->local)
		snprintf(e->shown, sizeof(e->shown), "unix:%s", path);
	return SV_OK;
}

/* What stands between '[' and ']'. */
static int ipv6(const char *s, size_t len)
{
	const char *zone = memchr(s, '%', len);
	size_t n = zone ? (size_t)(zone - s) : len;
	struct in6_addr addr;
	char text[64];

	if (n >= sizeof(text))
		return 0;
	memcpy(text, s, n);
	text[n] = '\0';
	if (inet_pton(AF_INET6, text, &addr) != 1)
		return 0;
	if (!zone)
		return 1;
	if (len - n < 4 || strncmp(zone, "%25", 3))
		return 0;
	for (const char *p = zone + 3; p < s + len; p++)
		if (!sv_is_alnum(*p) && !strchr("-._~", *p))
			return 0;
	return 1;
}

/* Length of the host, with its brackets; 0 when it is none. */
static size_t host_len(const char *s)
{
	const char *end;
	size_t n = 0;

	if (*s == '[') {
		end = strchr(s, ']');
		return end && ipv6(s + 1, (size_t)(end - s) - 1) ? (size_t)(end - s) + 1 : 0;
	}
	while (sv_is_alnum(s[n]) || (s[n] && strchr("-._", s[n])))
		n++;
	return n <= 253 ? n : 0;
}

/* ":PORT" or nothing; the length, or -1. */
static int port_len(const char *s)
{
	int n = 1, port = 0;

	if (*s != ':')
		return 0;
	for (; sv_is_digit(s[n]) && n < 6; n++)
		port = port * 10 + (s[n] - '0');
	return n > 1 && port > 0 && port < 65536 ? n : -1;
}

/* A prefix of plain segments, its length without slashes at the end; -1 when it holds anything
 * else. */
static int prefix_len(const char *s)
{
	int n = (int)strlen(s);

	for (const char *p = s; *p; p++) {
		size_t seg = strcspn(p, "/");

		if (!sv_is_alnum(*p) && !strchr("/-._~%!$&'()*+,;=:@", *p))
			return -1;
		if (p > s && p[-1] == '/' && (seg == 1 || seg == 2) && !strncmp(p, "..", seg))
			return -1;
	}
	while (n && s[n - 1] == '/')
		n--;
	return n;
}

static int web(const char *scheme, const char *rest, struct sv_endpoint *e, struct sv_error *err)
{
	size_t host = host_len(rest), authority = strcspn(rest, "/?#");
	int port, prefix;

	/* Looked for first, so that no later message has a reason to show it. */
	if (memchr(rest, '@', strlen(rest)))
		return refuse(err, "it must not hold a user or a password");
	if (strpbrk(rest, "?#"))
		return refuse(err, "it must not hold a query or a fragment");
	if (!host)
		return refuse(err, authority ? "its host is malformed (IPv6 stands in brackets)"
					     : "it has no host");
	port = port_len(rest + host);
	if (port < 0)
		return refuse(err, "its port must be a number from 1 to 65535");
	if (host + (size_t)port != authority)
		return refuse(err, "its host is malformed (IPv6 stands in brackets)");
	prefix = prefix_len(rest + authority);
	if (prefix < 0)
		return refuse(err, "its path is malformed");
	if (strlen(scheme) + authority + (size_t)prefix + 4 > sizeof(e->base) ||
		authority >= sizeof(e->shown))
		return refuse(err, "it is too long");
	snprintf(e->base, sizeof(e->base), "%s://%.*s%.*s", scheme, (int)authority, rest, prefix,
		rest + authority);
	for (char *p = e->base; *p && p < e->base + strlen(scheme) + 3 + authority; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p | 0x20);
	snprintf(e->shown, sizeof(e->shown), "%.*s", (int)authority, rest);
	return SV_OK;
}

int sv_endpoint_parse(const char *text, struct sv_endpoint *ret, struct sv_error *err)
{
	struct sv_endpoint e = { .base = "" };
	int r;

	if (!text || !*text)
		return refuse(err, "it is empty");
	if (!strcasecmp(text, "local:")) {
		e.local = 1;
		snprintf(e.shown, sizeof(e.shown), "local");
		r = SV_OK;
	} else if (!strncasecmp(text, "unix:", 5)) {
		r = sv_endpoint_socket(&e, text + (strncmp(text + 5, "///", 3) ? 5 : 7), err);
	} else if (!strncasecmp(text, "https://", 8)) {
		r = web("https", text + 8, &e, err);
	} else if (!strncasecmp(text, "http://", 7)) {
		r = web("http", text + 7, &e, err);
	} else if (strstr(text, "://")) {
		r = refuse(err, "only https, http, unix: and local: are known");
	} else {
		r = refuse(err, "it has no scheme");
	}
	if (!r)
		*ret = e;
	return r;
}
