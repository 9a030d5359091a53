/* SPDX-License-Identifier: MIT */
/* An instance's /etc: of the host's only what holds no secret and names nobody, the rest written
 * here. */
#include "sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <starverse/common.h>

/* Packages' own settings. No keys, no accounts, no host names, no mounts. */
static const char *const copied[] = { "alternatives", "apt/sources.list", "apt/sources.list.d",
	"apt/trusted.gpg.d", "apt/preferences.d", "bash_completion.d", "bindresvport.blacklist",
	"ca-certificates", "ca-certificates.conf", "debconf.conf", "debian_version",
	"dpkg/dpkg.cfg", "dpkg/origins", "fonts", "gai.conf", "groff", "host.conf", "inputrc",
	"issue", "issue.net", "java-17-openjdk", "ld.so.cache", "ld.so.conf", "ld.so.conf.d",
	"locale.alias", "localtime", "login.defs", "magic", "magic.mime", "mailcap",
	"manpath.config", "mime.types", "mke2fs.conf", "netconfig", "networks", "pam.conf", "pam.d",
	"perl", "protocols", "python3", "python3.11", "python3.12", "python3.13", "rmt", "rpc",
	"security/limits.conf", "security/namespace.conf", "security/pam_env.conf", "services",
	"skel", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone", "ucf.conf", "update-motd.d",
	"vim", "wgetrc", "xattr.conf", NULL };

struct text {
	const char *path;
	unsigned mode;
	const char *text;
};

/* In a namespace with one id everybody is root: sshd then gives up its rights by staying who it is.
 */
static const char passwd_many[] =
	"root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
	"bin:x:2:2:bin:/bin:/usr/sbin/nologin\nsys:x:3:3:sys:/dev:/usr/sbin/nologin\n"
	"sync:x:4:65534:sync:/bin:/bin/sync\ngames:x:5:60:games:/usr/games:/usr/sbin/nologin\n"
	"man:x:6:12:man:/var/cache/man:/usr/sbin/nologin\nlp:x:7:7:lp:/var/spool/lpd:/usr/sbin/"
	"nologin\n"
	"mail:x:8:8:mail:/var/mail:/usr/sbin/nologin\nnews:x:9:9:news:/var/spool/news:/usr/sbin/"
	"nologin\n"
	"proxy:x:13:13:proxy:/bin:/usr/sbin/nologin\nwww-data:x:33:33:www-data:/var/www:/usr/sbin/"
	"nologin\n"
	"backup:x:34:34:backup:/var/backups:/usr/sbin/nologin\n_apt:x:42:65534::/nonexistent:/usr/"
	"sbin/nologin\n"
	"sshd:x:74:65534::/run/sshd:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/"
	"usr/sbin/nologin\n";
static const char passwd_single[] =
	"root:x:0:0:root:/root:/bin/bash\n_apt:x:0:0::/nonexistent:/usr/sbin/nologin\n"
	"man:x:0:0:man:/var/cache/man:/usr/sbin/nologin\nsshd:x:0:0::/run/sshd:/usr/sbin/nologin\n"
	"nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
static const char group_many[] = "root:x:0:\ndaemon:x:1:\nbin:x:2:\nsys:x:3:\nadm:x:4:\ntty:x:5:"
				 "\ndisk:x:6:\nlp:x:7:\nmail:x:8:\nnews:x:9:\n"
				 "man:x:12:\nproxy:x:13:\nkmem:x:15:\ndialout:x:20:\ncdrom:x:24:"
				 "\ntape:x:26:\nsudo:x:27:\naudio:x:29:\n"
				 "www-data:x:33:\nbackup:x:34:\noperator:x:37:\nsrc:x:40:\nshadow:"
				 "x:42:\nutmp:x:43:\nvideo:x:44:\n"
				 "plugdev:x:46:\nstaff:x:50:\ngames:x:60:\nusers:x:100:\nssl-cert:"
				 "x:101:\nnogroup:x:65534:\n";
static const char group_single[] = "root:x:0:\nadm:x:0:\ntty:x:0:\nmail:x:0:\nman:x:0:\nsudo:x:0:"
				   "\nshadow:x:0:\nutmp:x:0:\nstaff:x:0:\nusers:x:0:\n"
				   "nogroup:x:65534:\n";
static const char shadow_text[] =
	"root:*:19000:0:99999:7:::\nsshd:!:19000::::::\nnobody:*:19000:0:99999:7:::\n";
static const char profile_text[] = "if [ \"${PS1-}\" ]; then\n\tif [ \"${BASH-}\" ] && [ -f "
				   "/etc/bash.bashrc ]; then\n\t\t. /etc/bash.bashrc\n"
				   "\telse\n\t\tPS1='# '\n\tfi\nfi\nfor i in /etc/profile.d/*.sh; "
				   "do\n\t[ -r \"$i\" ] && . \"$i\"\ndone\nunset i\n";
static const char bashrc_text[] =
	"[ -z \"$PS1\" ] && return\nshopt -s checkwinsize\nPS1='\\u@\\h:\\w\\$ '\n"
	"alias ls='ls --color=auto'\n";
static const char smi_text[] =
	"#!/bin/sh\n# What this instance was given. Nothing here asks a driver.\n"
	". /etc/environment 2>/dev/null\n"
	"n=${STARVERSE_GPU_COUNT:-0}\n"
	"echo \"backend: ${STARVERSE_BACKEND:-none}\"\n"
	"echo \"gpu:     ${STARVERSE_GPU:-none} x $n\"\n"
	"i=0\nwhile [ \"$i\" -lt \"$n\" ]; do\n"
	"\techo \"card $i:  ${STARVERSE_GPU:-unknown} (simulated)\"\n\ti=$((i + 1))\ndone\n"
	"echo 'These cards are simulated: no accelerator is behind them. Processes, disks and "
	"files are real.'\n";

static const struct text texts[] = {
	{ "root/etc/shadow", 0640, shadow_text },
	{ "root/etc/profile", 0644, profile_text },
	{ "root/etc/bash.bashrc", 0644, bashrc_text },
	{ "root/etc/nsswitch.conf", 0644,
		"passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n"
		"networks: files\nprotocols: files\nservices: files\nethers: files\nrpc: files\n" },
	{ "root/etc/shells", 0644, "/bin/sh\n/usr/bin/sh\n/bin/bash\n/usr/bin/bash\n" },
	{ "root/etc/fstab", 0644, "" },
	{ "root/etc/motd", 0644, "" },
	{ "root/etc/machine-id", 0444, "" },
	{ "root/root/.bashrc", 0644, "[ -f /etc/bash.bashrc ] && . /etc/bash.bashrc\n" },
	{ "root/root/.profile", 0644,
		"if [ \"$BASH\" ] && [ -f ~/.bashrc ]; then\n\t. ~/.bashrc\nfi\n" },
	/* The host's names groups that are not here, and dpkg then refuses to work. */
	{ "root/var/lib/dpkg/statoverride", 0644, "" },
	{ "usr/local/bin/starverse-smi", 0755, smi_text },
	/* apt gives up its rights to a user of its own, which a namespace with one id does not
	   have. */
	{ "root/etc/apt/apt.conf.d/90sandbox", 0644, "APT::Sandbox::User \"root\";\n" },
	{ 0 },
};

static int put(const char *dst, const char *path, const char *text, unsigned mode)
{
	char full[BOX_PATH_MAX], *slash;
	int code;

	if (snprintf(full, sizeof(full), "%s/%s", dst, path) >= (int)sizeof(full))
		return -1;
	slash = strrchr(full, '/');
	*slash = '\0';
	code = sv_dirs_make(full, 0755);
	*slash = '/';
	return code || sv_file_write(full, text, strlen(text), mode) ? -1 : 0;
}

int sv_etc_write(const char *dst, int single)
{
	if (put(dst, "root/etc/passwd", single ? passwd_single : passwd_many, 0644) ||
		put(dst, "root/etc/group", single ? group_single : group_many, 0644))
		return -1;
	for (const struct text *t = texts; t->path; t++)
		if (put(dst, t->path, t->text, t->mode))
			return -1;
	return 0;
}

static int copy_one(const char *dst, const char *name, const struct tree_options *o)
{
	char from[256], to[BOX_PATH_MAX], target[256], buf[BOX_SMALL_FILE * 16];
	struct stat st;
	ssize_t n;
	size_t len;

	snprintf(from, sizeof(from), "/etc/%s", name);
	if (snprintf(to, sizeof(to), "%s/root/etc/%s", dst, name) >= (int)sizeof(to))
		return -1;
	if (lstat(from, &st))
		return 0;
	*strrchr(to, '/') = '\0';
	if (sv_dirs_make(to, 0755))
		return -1;
	to[strlen(to)] = '/';
	if (S_ISDIR(st.st_mode)) {
		sv_tree_copy(
			from, to, o, NULL); /* what cannot be read is not for the instance either */
		return 0;
	}
	if (S_ISLNK(st.st_mode)) {
		n = readlink(from, target, sizeof(target) - 1);
		target[n < 0 ? 0 : n] = '\0';
		return n > 0 && symlink(target, to) && errno != EEXIST ? -1 : 0;
	}
	/* Only what everybody may read. */
	if (!(st.st_mode & 04) || sv_file_read(from, buf, sizeof(buf), &len))
		return 0;
	return sv_file_write(to, buf, len, st.st_mode & 0755) ? -1 : 0;
}

int sv_etc_copy(const char *dst, const struct tree_options *o)
{
	for (size_t i = 0; copied[i]; i++)
		if (copy_one(dst, copied[i], o))
			return -1;
	return 0;
}
