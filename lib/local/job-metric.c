/* SPDX-License-Identifier: MIT */
/* What jobs measure, read from what they say: lines "::metric NAME=VALUE... [step=N]" of the log,
 * and the objects of metrics.jsonl, one a line, among which are the lines that came when the log
 * was full. Each line is read once, since how far reading has come is written with what was read.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/job-inside.h"

#define MARK       "::metric "
#define LINE_MOST  65536            /* a longer line measures nothing */
#define TURN_MOST  (4 << 20) /* bytes read in one turn, so that others are not kept waiting */
#define END_MOST   (256 << 20)      /* and when it ends */
#define NAME_MOST  64
#define NAMES_MOST 64               /* of one job: further ones are passed over */
#define KEPT_MOST  20000            /* points of one name: then every second one goes */

int job_metrics_open(struct store *s)
{
	static const char *const tables[] = {
		"CREATE TABLE IF NOT EXISTS metric(job TEXT NOT NULL, name TEXT NOT NULL, seq "
		"INTEGER"
		" NOT NULL, step REAL, value REAL, at INTEGER NOT NULL,"
		" PRIMARY KEY(job, name, seq)) WITHOUT ROWID",
		"CREATE TABLE IF NOT EXISTS metric_name(job TEXT NOT NULL, name TEXT NOT NULL,"
		" count INTEGER NOT NULL, kept INTEGER NOT NULL, stride INTEGER NOT NULL, last "
		"REAL,"
		" minimum REAL, maximum REAL, PRIMARY KEY(job, name)) WITHOUT ROWID",
	};
	int rc = SV_OK;

	for (size_t i = 0; !rc && i < sizeof(tables) / sizeof(tables[0]); i++)
		rc = store_run(s, store_stmt(s, tables[i]));
	return rc;
}

/* One line's measurements. */
struct line {
	size_t n;
	double step;
	int has_step;
	struct {
		char name[NAME_MOST + 1];
		double value;
		int is_number;
	} v[NAMES_MOST];
};

static int name_ok(const char *s, size_t len)
{
	if (!len || len > NAME_MOST || sv_is_digit(s[0]))
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!sv_is_alnum(s[i]) && !strchr("_-./%", s[i]))
			return 0;
	return 1;
}

/* text NULL: a value that is no number, as nan is. */
static void take(struct line *l, const char *name, size_t len, const char *text)
{
	double v = 0;
	int number = text && sv_parse_num(text, &v) == SV_OK;

	if (len == 4 && !memcmp(name, "step", 4)) {
		l->step = v;
		l->has_step = number;
		return;
	}
	if (!name_ok(name, len) || l->n == NAMES_MOST)
		return;
	memcpy(l->v[l->n].name, name, len);
	l->v[l->n].name[len] = '\0';
	l->v[l->n].value = v;
	l->v[l->n++].is_number = number;
}

static int is_no_number(const char *s)
{
	static const char *const words[] = { "nan", "NaN", "inf", "-inf", "Infinity", "-Infinity" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], s))
			return 1;
	return 0;
}

/* "::metric loss=2.5 step=100"; text is cut apart. */
static void read_words(struct line *l, char *text)
{
	double unused;

	for (char *at = text; *at;) {
		size_t len = strcspn(at, " \t\r");
		char *next = at + len + strspn(at + len, " \t\r"), *eq;

		at[len] = '\0';
		eq = strchr(at, '=');
		if (eq && (is_no_number(eq + 1) || sv_parse_num(eq + 1, &unused) == SV_OK))
			take(l, at, (size_t)(eq - at), is_no_number(eq + 1) ? NULL : eq + 1);
		at = next;
	}
}

/* An object's numbers, by a walk. */
struct object {
	struct sv_writer w;
	struct line *l;
	const char *key;
	int depth;
};

static int begin(struct sv_writer *w, int list)
{
	(void)list;
	((struct object *)w)->depth++;
	return SV_OK;
}

static int end(struct sv_writer *w, int list)
{
	(void)list;
	((struct object *)w)->depth--;
	return SV_OK;
}

static int key(struct sv_writer *w, const char *name, const struct sv_field *field)
{
	(void)field;
	((struct object *)w)->key = name;
	return SV_OK;
}

static int string(struct sv_writer *w, const char *s)
{
	(void)w;
	(void)s;
	return SV_OK;
}

static int integer(struct sv_writer *w, int64_t v)
{
	(void)w;
	(void)v;
	return SV_OK;
}

static int number(struct sv_writer *w, double v)
{
	(void)w;
	(void)v;
	return SV_OK;
}

static int boolean(struct sv_writer *w, int v)
{
	(void)w;
	(void)v;
	return SV_OK;
}

static int null(struct sv_writer *w)
{
	(void)w;
	return SV_OK;
}

/* A number, as its text. When it was is no measurement. */
static int json(struct sv_writer *w, const char *text)
{
	struct object *o = (struct object *)w;

	if (o->depth == 1 && o->key && strcmp(o->key, "time") != 0 &&
		strcmp(o->key, "timestamp") != 0)
		take(o->l, o->key, strlen(o->key), text);
	return SV_OK;
}

static void read_object(struct line *l, const char *text, size_t len)
{
	struct object o = { .w = { begin, end, key, string, integer, number, boolean, null, json },
		.l = l };

	sv_walk_json(text, len, &o.w);
}

static void bind_real(sqlite3_stmt *st, int at, double v, int known)
{
	if (known)
		sqlite3_bind_double(st, at, v);
	else
		sqlite3_bind_null(st, at);
}

static int run_on(struct store *s, const char *sql, const char *job, const char *name)
{
	sqlite3_stmt *st = store_stmt(s, sql);

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, job, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	return store_run(s, st);
}

/* How many of a name there were, how many are kept, and that every so-manieth is. */
struct kept {
	int64_t count, kept, stride;
};

static int kept_of(struct store *s, const char *job, const char *name, struct kept *ret)
{
	sqlite3_stmt *st =
		store_stmt(s, "SELECT count, kept, stride FROM metric_name WHERE job=? AND name=?");

	*ret = (struct kept){ 0, 0, 1 };
	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, job, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW) {
		ret->count = sqlite3_column_int64(st, 0);
		ret->kept = sqlite3_column_int64(st, 1);
		ret->stride = sqlite3_column_int64(st, 2);
	}
	sqlite3_reset(st);
	return SV_OK;
}

static int names_full(struct store *s, const char *job)
{
	sqlite3_stmt *st = store_stmt(s, "SELECT count(*) FROM metric_name WHERE job=?");
	int full = 1;

	if (!st)
		return 1;
	sqlite3_bind_text(st, 1, job, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		full = sqlite3_column_int(st, 0) >= NAMES_MOST;
	sqlite3_reset(st);
	return full;
}

/* Every second one goes, and from now on every second one is not kept. */
static int thin_out(struct store *s, const char *job, const char *name)
{
	int rc = run_on(s,
		"UPDATE metric_name SET stride=2*stride, kept=(kept+1)/2 WHERE job=?1 AND name=?2",
		job, name);

	return rc ? rc
		  : run_on(s,
			    "DELETE FROM metric WHERE job=?1 AND name=?2 AND (seq-1) % (SELECT "
			    "stride"
			    " FROM metric_name WHERE job=?1 AND name=?2) <> 0",
			    job, name);
}

static int add_point(
	struct platform *p, const char *job, const struct line *l, size_t k, int64_t seq)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"INSERT INTO metric(job, name, seq, step, value, at) VALUES(?, ?, ?, ?, ?, ?)");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, job, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, l->v[k].name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 3, seq);
	bind_real(st, 4, l->step, l->has_step);
	bind_real(st, 5, l->v[k].value, l->v[k].is_number);
	sqlite3_bind_int64(st, 6, platform_now(p));
	return store_run(p->store, st);
}

static int keep_one(struct platform *p, const char *job, const struct line *l, size_t k)
{
	const char *name = l->v[k].name;
	struct kept had;
	sqlite3_stmt *st;
	int rc = kept_of(p->store, job, name, &had), kept;

	if (rc || (!had.count && names_full(p->store, job)))
		return rc;
	kept = had.count % had.stride == 0;
	if (kept)
		rc = add_point(p, job, l, k, had.count + 1);
	st = rc ? NULL
		: store_stmt(p->store,
			  "INSERT INTO metric_name(job, name, count, kept, stride, last, minimum,"
			  " maximum) VALUES(?1, ?2, 1, 1, 1, ?3, ?3, ?3)"
			  " ON CONFLICT(job, name) DO UPDATE SET count=count+1, kept=kept+?4,"
			  " last=?3, minimum=coalesce(min(minimum, ?3), minimum, ?3),"
			  " maximum=coalesce(max(maximum, ?3), maximum, ?3)");
	if (!st)
		return rc ? rc : SV_SERVER;
	sqlite3_bind_text(st, 1, job, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
	bind_real(st, 3, l->v[k].value, l->v[k].is_number);
	sqlite3_bind_int(st, 4, kept);
	rc = store_run(p->store, st);
	return rc || had.kept + kept < KEPT_MOST ? rc : thin_out(p->store, job, name);
}

static int read_line(struct platform *p, const char *job, char *text, size_t len, int objects)
{
	struct line l = { .n = 0 };
	int rc = SV_OK;

	if (objects && text[0] == '{')
		read_object(&l, text, len);
	else if (!strncmp(text, MARK, sizeof(MARK) - 1))
		read_words(&l, text + sizeof(MARK) - 1);
	for (size_t k = 0; !rc && k < l.n; k++)
		rc = keep_one(p, job, &l, k);
	return rc;
}

/* Reads whole lines from an offset on; *at moves on. last 1: what has no end is a line, too. */
static int read_lines(struct platform *p, const char *job, int fd, int64_t *at, int64_t most,
	int objects, int last)
{
	char *buf = sv_malloc(LINE_MOST + 1);
	int64_t begin_at = *at;
	ssize_t n = 0;
	int rc = buf ? SV_OK : SV_NOMEM;

	while (!rc && *at - begin_at < most && (n = pread(fd, buf, LINE_MOST, *at)) > 0) {
		char *line = buf, *nl;

		while (!rc && (nl = memchr(line, '\n', (size_t)(buf + n - line)))) {
			*nl = '\0';
			rc = read_line(p, job, line, (size_t)(nl - line), objects);
			line = nl + 1;
		}
		if (line == buf && n < LINE_MOST && !last)
			break;
		if (line == buf && n < LINE_MOST) {
			buf[n] = '\0';
			rc = read_line(p, job, buf, (size_t)n, objects);
		}
		*at += line == buf ? n : line - buf;
	}
	sv_mfree(buf);
	return rc ? rc : n > 0 && *at - begin_at >= most;
}

/* What was read, and is on record as read, takes no room any more: who writes goes by that. */
static void give_back(int fd, int64_t until)
{
	if (until > 0)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, until);
}

static int read_file(struct platform *p, const char *job, const char *name, int all)
{
	char path[PATH_MAX], fact[32];
	int objects = !strcmp(name, "metrics"), fd, rc;
	int64_t at, was;

	snprintf(fact, sizeof(fact), "%s_at", name);
	if (p->ops->task_path(p->engine, job, name, path, sizeof(path)))
		return SV_OK;
	fd = open(path, (objects ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return SV_OK;
	was = at = job_fact(p, job, fact, 0);
	rc = read_lines(p, job, fd, &at, all ? END_MOST : TURN_MOST, objects, all);
	if (objects && at != was)
		give_back(fd, was);
	close(fd);
	if (rc >= 0 && at != was && job_fact_set(p, job, fact, at))
		return SV_SERVER;
	return rc;
}

int job_metrics_read(struct platform *p, const char *id, int all)
{
	int rc = store_mark(p->store), more = 0;

	if (rc)
		return rc;
	rc = read_file(p, id, "log", all);
	more = rc == 1;
	if (rc >= 0)
		rc = read_file(p, id, "metrics", all);
	more |= rc == 1;
	store_release(p->store, rc >= 0);
	return rc < 0 ? rc : more;
}
