// SPDX-License-Identifier: MIT
// PLY files for tests: written by hand, read back, expected to be good or bad.
#pragma once
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/sampling/ply_points.h"

#define PATH FIRN_TEST_TMP "/points.ply"

// A file under construction.
typedef struct text {
    char data[20000];
    size_t length;
} text;

static inline void add(text* t, const char* words)
{
    const size_t n = strlen(words);
    memcpy(t->data + t->length, words, n + 1);
    t->length += n;
}

// A number as the type of the given name, in either byte order.
static inline void add_binary(text* t, const char* type, double value, bool big)
{
    unsigned char bytes[8];
    size_t size;
    if (strcmp(type, "float") == 0) {
        const float f = (float)value;
        memcpy(bytes, &f, size = 4);
    } else if (strcmp(type, "double") == 0) {
        memcpy(bytes, &value, size = 8);
    } else {
        const int64_t i = (int64_t)value;
        size = strstr(type, "char") ? 1 : strstr(type, "short") ? 2 : 4;
        memcpy(bytes, &i, size);  // this machine is little-endian, as is all we build for
    }
    for (size_t k = 0; k < size; k++) t->data[t->length++] = (char)bytes[big ? size - 1 - k : k];
}

static inline void write_file(const char* data, size_t bytes)
{
    remove(PATH);
    FILE* file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

static inline void read_good(const text* t, firn_ply_points* points)
{
    firn_error error = {0};
    write_file(t->data, t->length);
    if (firn_ply_read_points(PATH, points, &error) != FIRN_OK) fail_msg("%s", error.text);
}

// Refused with these words in the message and nothing left behind.
static inline void read_bad(const char* data, size_t bytes, const char* words)
{
    firn_ply_points points = {0};
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    write_file(data, bytes);
    assert_int_equal(firn_ply_read_points(PATH, &points, &error), FIRN_REFUSED_SCENE);
    assert_null(points.position);
    assert_equal(firn_memory_read().bytes, before);
    if (words != NULL && strstr(error.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, words);
    assert_contains(error.text, PATH);
}

static inline void bad_text(const char* data, const char* words)
{
    read_bad(data, strlen(data), words);
}

#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
