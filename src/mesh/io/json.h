// SPDX-License-Identifier: MIT
// JSON (RFC 8259) as a flat list of values in the order of the text, for glTF. Every value knows
// its offset, so that a message can point at it. The text is borrowed and must outlive the list.
#pragma once
#include "core/result.h"

#define FIRN_JSON_DEPTH_MAX 100

typedef enum firn_json_type {
    FIRN_JSON_NULL,
    FIRN_JSON_BOOL,
    FIRN_JSON_NUMBER,
    FIRN_JSON_STRING,
    FIRN_JSON_ARRAY,
    FIRN_JSON_OBJECT
} firn_json_type;

typedef struct firn_json_value {
    firn_json_type type;
    firn_local count;   // elements of an array, members of an object
    firn_local next;    // first value behind this one and all that it holds
    size_t begin, end;  // [bytes] in the text; of a string without its quotes
} firn_json_value;

// An array's elements follow it, an object's members too: name (a string), value, name, value, ...
typedef struct firn_json {
    const char* text;         // borrowed
    firn_json_value* values;  // owned; [0] is the whole
    firn_local count, capacity;
    size_t base;  // [bytes] offset of the text in its file, for messages
} firn_json;

// `path` stands in messages. FIRN_REFUSED_SCENE: `error` names the byte in the file.
firn_result firn_json_parse(const char* path, const char* text, size_t bytes, size_t base,
                            firn_json* out_json, firn_error* error);
void firn_json_destroy(firn_json* json);
// The value of a member; -1 when `object` is no object (or -1) or has no such member.
firn_local firn_json_member(const firn_json* json, firn_local object, const char* name);
// False when `value` is no number (or -1) or not finite.
bool firn_json_number(const firn_json* json, firn_local value, double* out_number);
bool firn_json_is_true(const firn_json* json, firn_local value);
// Is it a string of these letters?
bool firn_json_equals(const firn_json* json, firn_local value, const char* text);
// A string with its escapes resolved, owned by the caller; null when memory is out. "" for what is
// no string.
char* firn_json_string(const firn_json* json, firn_local value);
size_t firn_json_offset(const firn_json* json, firn_local value);  // [bytes] in the file
