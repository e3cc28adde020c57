// SPDX-License-Identifier: MIT
// The tables of keys: name, type, unit, range, default and one line of help for every key of a
// block. Parsing, validation, the manual's scene reference and the JSON schema all come from them.
// A solver provides the table of its own block (solver.h); the parser does not depend on solvers.
#pragma once
#include "core/result.h"

struct firn_doc_node;
struct firn_scene_reader;

typedef enum firn_key_type {
    FIRN_KEY_BOOL,   // bool
    FIRN_KEY_INT,    // int64_t
    FIRN_KEY_REAL,   // double
    FIRN_KEY_VEC3,   // double[3]
    FIRN_KEY_ENUM,   // int32_t: index into `choices`
    FIRN_KEY_FLAGS,  // uint32_t: list of choices, bit per index
    FIRN_KEY_TEXT,   // char*: owned by the struct it is parsed into
    FIRN_KEY_BLOCK,  // a nested struct described by `block`
    // The types below are for the blocks that all solvers share.
    FIRN_KEY_PATH,  // char*: a file, made absolute against the scene's folder; owned like a text
    FIRN_KEY_ROTATION,  // double[4]: unit quaternion w, x, y, z; in the file also 3 Euler angles
    FIRN_KEY_LIST,      // list of `block`; each item goes to the block's `finish`
    FIRN_KEY_ROWS,      // list of `low` to `high` of `block`, kept in the struct: see firn_rows
    FIRN_KEY_MAP,       // name -> `block`; each item goes to the block's `finish`
    FIRN_KEY_SHAPE,     // firn_local: index in the scene's shapes
    FIRN_KEY_SHAPES,    // firn_shape_list: at least `low` of them
    FIRN_KEY_SOLVER,    // the block of a solver; `offset` is its index
    FIRN_KEY_VARIANTS   // name -> partial scene; resolved before the tables are used
} firn_key_type;

typedef struct firn_key {
    const char* name;
    firn_key_type type;
    size_t offset;               // in the struct
    const char* unit;            // "m", "Pa", "-", ... ; null where none applies
    double low, high;            // allowed range, inclusive; low >= high: no limit
    const char* fallback;        // default as the reference prints it ("0.95", "chosen by the
                                 // solver"); null: the key must be given
    const char* const* choices;  // enum and flags: null-terminated names
    const struct firn_key_block* block;
    const char* help;  // one line, a sentence
} firn_key;

typedef struct firn_key_block {
    const char* name;  // "mpm"
    const char* help;
    const firn_key* keys;
    size_t key_count;
    size_t size;                     // of the struct
    void (*set_defaults)(void* at);  // writes the whole struct; null for a block inside another
    // After all keys were read (may be null): checks that need several keys, or the rest of the
    // scene. For items of a list or map, and for shapes, it also adds the item to what the key's
    // offset names. `valid` is false when a key was invalid: then only look for further errors.
    void (*finish)(struct firn_scene_reader* reader, const struct firn_doc_node* node, void* item,
                   void* at, bool valid);
} firn_key_block;

// A solver as the parser sees it.
typedef struct firn_scene_solver {
    const char* name;
    const firn_key_block* keys;
} firn_scene_solver;

// A list inside the struct: a count at the key's offset and, right behind it, room for the items.
// Items own nothing; the block's `finish` checks one (`at` is the rows so far), the reader adds it.
// In the file an item may also be a plain list: the values of all its keys, in their order.
typedef struct firn_rows {
    int32_t count;
    int32_t gap;  // items begin at a multiple of 8 bytes
} firn_rows;
#define FIRN_ROWS_FIT(type, count, items)                \
    (offsetof(type, count) % _Alignof(firn_rows) == 0 && \
     offsetof(type, items) == offsetof(type, count) + sizeof(firn_rows))
static inline const void* firn_rows_items(const firn_rows* rows)
{
    return rows + 1;
}

#define FIRN_KEY_COUNT(keys) (sizeof(keys) / sizeof *(keys))

// Makes `copy`, a bytewise copy of an item, own its strings. False: out of memory, `copy` owns the
// strings that it has and the others are null. Not for blocks with lists or shapes.
bool firn_keys_own(const firn_key_block* block, void* copy);
// Frees what the keys of a block own inside `item` (texts, paths, lists of shapes).
void firn_keys_release(const firn_key_block* block, void* item);
