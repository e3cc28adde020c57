// SPDX-License-Identifier: MIT
// The data of a PLY file, element by element: ASCII or binary (both byte orders), any types. Each
// element is checked against the bytes that are left before anything is allocated for it.
#pragma once
#include "mesh/io/ply_header.h"

typedef struct firn_ply_data {
    const char* path;             // borrowed; stands in messages
    firn_ply_header* header;      // owned
    const char *data, *at, *end;  // borrowed: the file, where we are, its end
    int64_t line;                 // of `at`, for ASCII
    const char* item_at;          // where the item last read begins
    int64_t item_line;
    const firn_ply_property* list;  // whose numbers are kept in `numbers`; null: none
    firn_local list_max;            // longer ones are refused
    double* numbers;                // owned; of that list in the item last read
    firn_local number_count, number_capacity;
    firn_error* error;  // borrowed
} firn_ply_data;

// Reads the header. FIRN_REFUSED_SCENE: `error` names the line. Close it in any case.
firn_result firn_ply_open(const char* path, const char* data, size_t bytes, firn_ply_data* out_ply,
                          firn_error* error);
void firn_ply_close(firn_ply_data* ply);
const firn_ply_element* firn_ply_find_element(const firn_ply_data* ply,
                                              const char* name);  // null: none
// Which property of the element has the name: -1 when none has and it is not `required`. Refused
// when it is, or when the property is a list.
firn_result firn_ply_find_scalar(const firn_ply_data* ply, const firn_ply_element* element,
                                 const char* name, bool required, int* out_index);
// Refuses a count that the rest of the file cannot hold. Call when `at` is the element's first
// item.
firn_result firn_ply_check_count(const firn_ply_data* ply, const firn_ply_element* element);
// Reads the next item of the element: a value per property, for a list its length.
firn_result firn_ply_read_item(firn_ply_data* ply, const firn_ply_element* element,
                               double values[FIRN_PLY_PROPERTIES_MAX]);
// Skips all items of an element.
firn_result firn_ply_skip(firn_ply_data* ply, const firn_ply_element* element);
// "wall.ply:12: " or "wall.ply: byte 345: " for messages about the item last read.
void firn_ply_location(const firn_ply_data* ply, char* out_text, size_t size);
