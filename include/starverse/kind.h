/* SPDX-License-Identifier: MIT */
/** @file kind.h
 * Reflection: every resource is described by rows, and everything that reads or writes one reads
 * the rows. The library owns all of them; they are constant, live for ever and only grow at their
 * ends. Reach a row by pointer or by the functions below, never by an index into an array: its size
 * is not yours. */
#ifndef STARVERSE_KIND_H
#define STARVERSE_KIND_H

#include <starverse/common.h>
#include <starverse/error.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** C member and wire form of a field. */
enum sv_type {
	SV_STR = 1, /**< const char *; string */
	SV_BOOL,    /**< int; true or false */
	SV_INT,     /**< int64_t; integral number within 2^53 */
	SV_GIB,     /**< int64_t; the same, a size in GiB */
	SV_BYTES,   /**< int64_t; the same, a size in bytes */
	SV_SECONDS, /**< int64_t; the same, a duration */
	SV_NUM,     /**< double; number, never money */
	SV_TIME,    /**< int64_t; RFC 3339 string, seconds since the epoch, UTC */
	SV_MONEY,   /**< int64_t; decimal string of at most 6 places, micro-yuan */
	SV_STRS,    /**< struct sv_strs; array of strings */
	SV_OBJ,     /**< struct sv_x *; object, NULL when absent */
	SV_LIST,    /**< struct sv_list; array of objects */
	SV_MAP,     /**< struct sv_map; object of strings */
	SV_JSON,    /**< const char *; any JSON value, as compact text */
	SV_PERCENT  /**< int64_t; decimal string of at most 6 places, millionths of a percent */
};

/** What a row allows and how it shows. */
enum sv_flag {
	SV_ID = 1 << 0,        /**< the resource's id */
	SV_NAME = 1 << 1,      /**< the resource's name */
	SV_CREATE = 1 << 2,    /**< may be sent in a create body */
	SV_UPDATE = 1 << 3,    /**< may be sent in an update */
	SV_IN = SV_CREATE | SV_UPDATE,
	SV_REQUIRED = 1 << 4,  /**< a create body without it and one that nulls it are
				  refused; an answer always has it */
	SV_COL = 1 << 5,       /**< a column of the default table */
	SV_WIDE = 1 << 6,      /**< a column of the wide table */
	SV_SECRET = 1 << 7,    /**< masked by every writer but the wire's, wiped when freed */
	SV_STATE = 1 << 8,     /**< says how far a resource is; see struct sv_word settled */
	SV_POSITIONAL = 1 << 9,/**< taken as a plain word on the command line */
	SV_ALWAYS = 1 << 10,   /**< every answer carries it, perhaps as null */
	SV_SIGNED = 1 << 11,   /**< an integer or money that may be negative */
	SV_NOARG = 1 << 12,    /**< no command-line option of its own */
	SV_PROSE = 1 << 13     /**< what the service says to people, in English */
};

/** What a state means to a person who glances at it. A passing one is busy. */
enum sv_mood { SV_PLAIN, SV_GOOD, SV_BUSY, SV_BAD, SV_IDLE };

/** One word of a closed vocabulary. */
struct sv_word {
	const char *word, *help;
	int settled; /**< 1 when a resource in this state waits for nobody */
	int mood;    /**< enum sv_mood; of states */
};

/** One field. */
struct sv_field {
	const char *name;            /**< wire key, YAML key, option and column: one spelling */
	const char *help;            /**< a phrase, no full stop */
	const char *ref;             /**< names another kind whose id this is, or NULL */
	const struct sv_word *words; /**< closed vocabulary, or NULL */
	const struct sv_kind *kind;  /**< element of OBJ and LIST */
	uint16_t type, flags, offset;
	const char *option;          /**< long option where the name does not give it */
	const char *example;         /**< a value for documents, or NULL */
	const char *since;           /**< first release that has it */
};

/** HTTP methods. */
enum sv_method { SV_GET = 1, SV_POST, SV_PATCH, SV_DELETE };

/** What a verb is like. */
enum sv_verb_flag {
	SV_MANY = 1 << 0,    /**< answers a page of .out */
	SV_KEYED = 1 << 1,   /**< sent with an idempotency key */
	SV_MASKED = 1 << 2,  /**< sends exactly the marked members */
	SV_CONFIRM = 1 << 3, /**< loses data: the command line asks */
	SV_ASYNC = 1 << 4,   /**< answers 202 with the resource in its passing state */
	SV_STREAM = 1 << 5,  /**< may answer an event stream */
	SV_BILLS = 1 << 6,   /**< may begin or raise a bill: spooled before it is sent */
	SV_NOKEY = 1 << 7,   /**< works without an API key */
	SV_TEXT = 1 << 8,    /**< answers text, not JSON */
	SV_LOCAL = 1 << 9,   /**< only the local platform has it */
	SV_HAND = 1 << 10    /**< the command line has a command of its own for it */
};

/** One call of the contract. Path arguments stand in braces: "/v1/disks/{id}/attach". */
struct sv_verb {
	const char *name; /**< word, snake_case: "save_image" */
	int method;       /**< enum sv_method */
	const char *path;
	const char *help; /**< a phrase, no full stop */
	const struct sv_kind *query, *in, *out; /**< query string, body, answer; NULL for none */
	uint32_t flags;
	/** Where it makes sense, "type=data status=available,error": each field with words of its
	 * own; completion narrows by them. NULL: everywhere, or the answers say it themselves. */
	const char *when;
};

/** A resource, a body, a query or a nested object. */
struct sv_kind {
	const char *name, *plural; /**< "disk", "disks"; plural NULL for what is not a resource */
	const char *prefix;        /**< of ids: "dsk_", or NULL */
	const char *help;          /**< a phrase, no full stop */
	const struct sv_field *fields;
	uint32_t n, size;          /**< rows; bytes of the C struct */
	/** Rules between fields, or NULL. SV_OK, or SV_INVALID with *err filled. */
	int (*check)(const void *obj, struct sv_error *err);
	const struct sv_verb *verbs; /**< ended by a row without a name, or NULL */
};

/** The i-th resource in the order of names, or NULL past the end. */
SV_API const struct sv_kind *sv_kinds(size_t i);
/** The resource with this name or plural, or NULL. */
SV_API const struct sv_kind *sv_kind_find(const char *name);
/** The resource whose ids begin as this one does, or NULL. */
SV_API const struct sv_kind *sv_kind_of_id(const char *id);
/** The verb of a resource, '-' and '_' alike, or NULL. */
SV_API const struct sv_verb *sv_verb_find(const struct sv_kind *kind, const char *name);
/** The field with this name, '-' and '_' alike, or NULL. */
SV_API const struct sv_field *sv_field_find(const struct sv_kind *kind, const char *name);
/** The field with this flag, or NULL. */
SV_API const struct sv_field *sv_field_flagged(const struct sv_kind *kind, int flag);
/** 1 when the state word is settled (waits for nobody), 0 when passing, -1 when the word is not
 * known. */
SV_API int sv_settled(const struct sv_field *field, const char *word);
/** What the state word means at a glance, an enum sv_mood; SV_PLAIN when nothing or not known. */
SV_API int sv_mood(const struct sv_field *field, const char *word);

/** Presence of a field by its row. */
SV_API int sv_field_has(const struct sv_field *field, const void *obj);
/** 1 when the field is null. */
SV_API int sv_field_is_null(const struct sv_field *field, const void *obj);
/** Marks a field by its row. */
SV_API void sv_field_mark(const struct sv_field *field, void *obj);
/** Marks a field as null by its row. */
SV_API void sv_field_mark_null(const struct sv_field *field, void *obj);

/** Sets a field from text as a person writes it: "8", "40GiB", "2h", "true", "a,b" (appends), "k=v"
 * (adds). Memory comes from root; obj is root or an object inside it. A bare size is GiB for
 * SV_GIB; a bare duration is refused; times are RFC 3339, "23:30" (the next), "+7d". SV_INVALID
 * fills *err. */
SV_API int sv_field_parse(void *root, void *obj, const struct sv_field *field, const char *text,
	struct sv_error *err);
/** Writes a field as one cell of text, at most size bytes with the NUL; "" when absent or null.
 * Exact: money as on the wire, times RFC 3339, lists joined by commas, maps as k=v, objects as
 * JSON. Secrets are masked. Returns the length it would have, as snprintf. */
SV_API size_t sv_cell(const struct sv_field *field, const void *obj, char *buf, size_t size);

/** Which fields a walk visits. */
enum sv_walk_mode {
	SV_WALK_ALL,    /**< whatever is present; secrets masked */
	SV_WALK_WIRE,   /**< whatever is present, secrets as they are (answers of a platform) */
	SV_WALK_CREATE, /**< SV_CREATE rows that are marked or not zero, secrets as they are */
	SV_WALK_UPDATE  /**< SV_UPDATE rows that are marked, secrets as they are */
};

/** Receives a walk. Every callback returns SV_OK or a negative code, which ends the walk. field is
 * NULL for what has no row (list elements, map keys). */
struct sv_writer {
	int (*begin)(struct sv_writer *w, int list);
	int (*end)(struct sv_writer *w, int list);
	int (*key)(struct sv_writer *w, const char *key, const struct sv_field *field);
	int (*string)(struct sv_writer *w, const char *s);
	int (*integer)(struct sv_writer *w, int64_t v);
	int (*number)(struct sv_writer *w, double v);
	int (*boolean)(struct sv_writer *w, int v);
	int (*null)(struct sv_writer *w);
	int (*json)(struct sv_writer *w,
		const char *text); /**< a whole JSON value, valid and compact */
};

/** Tells the writer obj, in the order of the rows. */
SV_API int sv_walk(const struct sv_kind *kind, const void *obj, int mode, struct sv_writer *w);
/** Walks JSON text into the writer, keeping the order, numbers as their text through json().
 * SV_PROTO when not valid. */
SV_API int sv_walk_json(const char *text, size_t len, struct sv_writer *w);

/** obj as JSON text, compact or (indent > 0) indented; *ret is ended by sv_free_text(). */
SV_API int sv_to_json(
	const struct sv_kind *kind, const void *obj, int mode, int indent, char **ret);
/** Ends what sv_to_json(), sv_run_json() and the like gave; NULL is allowed. */
SV_API void sv_free_text(char *text);
/** Decodes an answer of the contract: unknown keys are passed over, a wrong type is SV_PROTO naming
 * the field. */
SV_API int sv_from_json(
	const struct sv_kind *kind, const char *text, size_t len, void **ret, struct sv_error *err);
/** Reads a body as a person wrote it: unknown and duplicate keys, tabs, aliases beyond a ceiling
 * and deep nesting are SV_INVALID with file:line:column in the message. JSON is YAML. A create body
 * may say `kind: NOUN`. name is for messages. *ret is a root. */
SV_API int sv_from_yaml(const struct sv_kind *kind, const char *name, const char *text, size_t len,
	void **ret, struct sv_error *err);
/** Reads a file of documents: each a map with `kind: NOUN` beside the fields of that resource's
 * create body, read and checked as by sv_from_yaml(). When all of them are good, fn gets each in
 * turn with its first line; the body is then fn's, a root. Empty documents are passed over. SV_OK,
 * SV_INVALID with file:line:column in the message, or what fn returned, which ends it. */
SV_API int sv_read_documents(const char *name, const char *text, size_t len,
	int (*fn)(void *data, const struct sv_kind *kind, void *body, int line), void *data,
	struct sv_error *err);
/** Required fields, words and the kind's own rules, for a body in mode SV_WALK_CREATE or
 * SV_WALK_UPDATE; every refused field is in err->errors. SV_OK or SV_INVALID. */
SV_API int sv_check(const struct sv_kind *kind, const void *obj, int mode, struct sv_error *err);

#ifdef __cplusplus
}
#endif

#endif
