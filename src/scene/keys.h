// SPDX-License-Identifier: MIT
// The tables of keys: name, type, unit, range, default and one line of help for every key of a
// block. Parsing, validation, the manual's scene reference and the JSON schema all come from them.
// A solver brings the table of its own block (solver.h); the parser knows no solver.
#pragma once
#include "core/result.h"

typedef enum firn_key_type {
    FIRN_KEY_BOOL,     // bool
    FIRN_KEY_INT,      // int64_t
    FIRN_KEY_REAL,     // double
    FIRN_KEY_VEC3,     // double[3]
    FIRN_KEY_ENUM,     // int32_t: index into `choices`
    FIRN_KEY_FLAGS,    // uint32_t: list of choices, bit per index
    FIRN_KEY_TEXT,     // char*: owned by the struct it is parsed into
    FIRN_KEY_BLOCK     // a nested struct described by `block`
} firn_key_type;

typedef struct firn_key {
    const char* name;
    firn_key_type type;
    size_t offset;                   // in the struct
    const char* unit;                // "m", "Pa", "-", ... ; null where none applies
    double low, high;                // allowed range, inclusive; low > high: no limit
    const char* fallback;            // default as the reference prints it ("0.95", "chosen by the solver")
    const char* const* choices;      // enum and flags: null-terminated names
    const struct firn_key_block* block;
    const char* help;                // one line, a sentence
} firn_key;

typedef struct firn_key_block {
    const char* name;                // "mpm"
    const char* help;
    const firn_key* keys;
    size_t key_count;
    size_t size;                     // of the struct
    void (*set_defaults)(void* at);  // writes the whole struct
} firn_key_block;
