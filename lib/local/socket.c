/* SPDX-License-Identifier: MIT */
/* Listening sockets. */
#include "local/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/str.h"

#define BACKLOG 1024

static int failed(char *message, size_t size, const char *what)
{
	snprintf(message, size, "%.200s: %s", what, strerrordesc_np(errno));
	return SV_IO;
}

/* The directory of a socket must not let others replace it. */
static int check_parent(const char *path, char *message, size_t size)
{
	char dir[PATH_MAX];
	struct stat st;
	char *slash;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (!slash)
		snprintf(dir, sizeof(dir), ".");
	else if (slash == dir)
		dir[1] = '\0';
	else
		*slash = '\0';
	if (mkdir(dir, 0700) && errno != EEXIST)
		return failed(message, size, dir);
	if (stat(dir, &st))
		return failed(message, size, dir);
	if ((st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX)) {
		snprintf(message, size,
			"%.200s: everybody may write there; choose another place for the socket",
			dir);
		return SV_CONFIG;
	}
	return SV_OK;
}

static int address_of(
	const char *path, struct sockaddr_un *ret, socklen_t *len, char *message, size_t size)
{
	size_t n = strlen(path);

	memset(ret, 0, sizeof(*ret));
	ret->sun_family = AF_UNIX;
	if (!n || n >= sizeof(ret->sun_path)) {
		snprintf(message, size,
			"the socket's path is %s%zu bytes long; at most %zu are possible",
			n ? "" : "empty, ", n, sizeof(ret->sun_path) - 1);
		return SV_INVALID;
	}
	memcpy(ret->sun_path, path, n);
	*len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
	if (*path == '@') {
		ret->sun_path[0] = '\0';
		(*len)--;
	}
	return SV_OK;
}

/* What lies at the path: SV_OK when nothing does any more. */
static int clear_stale(
	const char *path, const struct sockaddr_un *addr, socklen_t len, char *message, size_t size)
{
	struct stat st;
	int fd, refused;

	if (lstat(path, &st))
		return errno == ENOENT ? SV_OK : failed(message, size, path);
	if (!S_ISSOCK(st.st_mode)) {
		snprintf(message, size,
			"%.200s: something that is no socket lies there; it was left alone", path);
		return SV_CONFLICT;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return failed(message, size, "socket");
	/* A full backlog (EAGAIN) is a living daemon, too. */
	refused = connect(fd, (const struct sockaddr *)addr, len) && errno == ECONNREFUSED;
	close(fd);
	if (!refused) {
		snprintf(message, size, "%.200s: another program listens there", path);
		return SV_CONFLICT;
	}
	return unlink(path) && errno != ENOENT ? failed(message, size, path) : SV_OK;
}

int socket_unix(const char *path, int *ret, struct stat *st, char *message, size_t size)
{
	int named = *path != '@', fd, rc, bound;
	struct sockaddr_un addr;
	socklen_t len;
	mode_t mask;

	rc = address_of(path, &addr, &len, message, size);
	if (rc == SV_OK && named)
		rc = check_parent(path, message, size);
	if (rc == SV_OK && named)
		rc = clear_stale(path, &addr, len, message, size);
	if (rc)
		return rc;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return failed(message, size, "socket");
	mask = umask(0177);
	bound = !bind(fd, (struct sockaddr *)&addr, len);
	umask(mask);
	if (!bound || listen(fd, BACKLOG) || (named && lstat(path, st))) {
		rc = errno == EADDRINUSE ? SV_CONFLICT : SV_IO;
		failed(message, size, path);
		close(fd);
		return rc;
	}
	*ret = fd;
	return SV_OK;
}

int socket_unix_deep(const char *path, int *ret, struct stat *st, char *message, size_t size)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX], near[64];
	int dir, rc;

	if (strlen(path) < sizeof(((struct sockaddr_un *)0)->sun_path) || !slash)
		return socket_unix(path, ret, st, message, size);
	snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
	dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return failed(message, size, parent);
	snprintf(near, sizeof(near), "/proc/self/fd/%d%s", dir, slash);
	rc = socket_unix(near, ret, st, message, size);
	close(dir);
	return rc;
}

void socket_unlink(const char *path, const struct stat *st)
{
	struct stat now;

	if (*path != '@' && !lstat(path, &now) && now.st_dev == st->st_dev &&
		now.st_ino == st->st_ino)
		unlink(path);
}

/* Cuts "HOST:PORT"; a missing host is the loopback's. */
static int cut(const char *address, char *host, size_t size, char *port, size_t port_size)
{
	const char *colon = strrchr(address, ':');
	const char *at = colon ? colon + 1 : address;
	size_t n = colon ? (size_t)(colon - address) : 0;
	int64_t number;

	if (n >= 2 && address[0] == '[' && address[n - 1] == ']') {
		address++;
		n -= 2;
	} else if (n && memchr(address, ':', n)) {
		return 0;
	}
	if (n + 1 > size || sv_parse_int(at, &number) || number < 0 || number > 65535)
		return 0;
	snprintf(host, size, "%.*s", (int)n, address);
	if (!n || !strcmp(host, "localhost"))
		snprintf(host, size, "127.0.0.1");
	snprintf(port, port_size, "%d", (int)number);
	return 1;
}

static int loopback(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

static int wildcard(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET)
		return !((const struct sockaddr_in *)a)->sin_addr.s_addr;
	return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

/* What Host must say, once the port is known. */
static void gate_fill(int fd, int tls, const char *host, struct gate *gate)
{
	struct sockaddr_storage own;
	socklen_t len = sizeof(own);
	const struct sockaddr *a = (struct sockaddr *)&own;
	int port = 0;

	memset(gate, 0, sizeof(*gate));
	if (!getsockname(fd, (struct sockaddr *)&own, &len))
		port = ntohs(a->sa_family == AF_INET ? ((struct sockaddr_in *)&own)->sin_port
						     : ((struct sockaddr_in6 *)&own)->sin6_port);
	snprintf(gate->host, sizeof(gate->host), strchr(host, ':') ? "[%.50s]:%d" : "%.50s:%d",
		host, port);
	if (loopback(a))
		snprintf(gate->other, sizeof(gate->other), "localhost:%d", port);
	gate->any = wildcard(a) || (tls && !loopback(a));
}

static int listen_on(
	const struct addrinfo *ai, const char *address, int *ret, char *message, size_t size)
{
	int fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;

	if (fd < 0)
		return failed(message, size, address);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, ai->ai_addr, ai->ai_addrlen) && !listen(fd, BACKLOG)) {
		*ret = fd;
		return SV_OK;
	}
	if (errno == EADDRINUSE)
		snprintf(message, size, "--listen %.100s: another program listens there already",
			address);
	else
		snprintf(message, size, "--listen %.100s: %s", address, strerrordesc_np(errno));
	close(fd);
	return errno == EADDRINUSE ? SV_CONFLICT : SV_IO;
}

int socket_tcp(
	const char *address, int tls, int *ret, struct gate *gate, char *message, size_t size)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
		.ai_socktype = SOCK_STREAM };
	struct addrinfo *ai = NULL;
	char host[64], port[8];
	int rc;

	if (!cut(address, host, sizeof(host), port, sizeof(port)) ||
		getaddrinfo(host, port, &hints, &ai)) {
		snprintf(message, size,
			"--listen %.100s: not an address and a port, as in 127.0.0.1:8080",
			address);
		return SV_INVALID;
	}
	if (!tls && !loopback(ai->ai_addr)) {
		snprintf(message, size,
			"--listen %.100s: keys would travel in clear; give --tls-cert and "
			"--tls-key",
			address);
		rc = SV_CONFIG;
	} else {
		rc = listen_on(ai, address, ret, message, size);
	}
	freeaddrinfo(ai);
	if (rc == SV_OK)
		gate_fill(*ret, tls, host, gate);
	return rc;
}
