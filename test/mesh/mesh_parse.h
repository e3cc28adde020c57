// SPDX-License-Identifier: MIT
// For tests of mesh readers: texts that must be read or refused, damage, memory that runs out.
#pragma once
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "mesh/mesh.h"
#include "seed.h"

typedef firn_result parse_fn(const char* path, const char* data, size_t bytes, firn_mesh* out,
                             firn_error* error);

// The reader sees a block that ends exactly where the file does, so that the address sanitizer
// notices a look beyond it; what it gives back keeps the promises of firn_mesh_read.
static inline firn_result parse_block(parse_fn* parse, const char* path, const char* data,
                                      size_t bytes, firn_mesh* out, firn_error* error)
{
    char* block = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(block);
    memcpy(block, data, bytes);
    memset(out, 0x55, sizeof *out);  // overwritten in any case
    const firn_result result = parse(path, block, bytes, out, error);
    free(block);
    if (result != FIRN_OK) {
        assert_null(out->vertices);
        assert_null(out->triangles);
        assert_int_equal(out->vertex_count, 0);
        return result;
    }
    assert_greater(out->triangle_count, 0);
    for (firn_local i = 0; i < out->vertex_count; i++)
        assert_true(firn_v3_is_finite(out->vertices[i]));
    for (firn_local k = 0; k < out->triangle_count; k++)
        for (int i = 0; i < 3; i++) {
            assert_at_least(out->triangles[k][i], 0);
            assert_less(out->triangles[k][i], out->vertex_count);
        }
    return result;
}

static inline void parse_good(parse_fn* parse, const char* path, const char* data, size_t bytes,
                              firn_mesh* out)
{
    firn_error error = {0};
    if (parse_block(parse, path, data, bytes, out, &error) != FIRN_OK) fail_msg("%s", error.text);
}

// Refused with these words at the start of the message, and nothing left behind.
static inline void parse_bad(parse_fn* parse, const char* path, const char* data, size_t bytes,
                             const char* words)
{
    firn_mesh mesh;
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    assert_int_equal(parse_block(parse, path, data, bytes, &mesh, &error), FIRN_REFUSED_SCENE);
    assert_equal(firn_memory_read().bytes, before);
    if (words != NULL && strncmp(error.text, words, strlen(words)) != 0)
        fail_msg("'%s' does not begin with '%s'", error.text, words);
}

// Bytes changed, lost or doubled at random: read or refused, never more.
static inline int parse_damaged(parse_fn* parse, const char* data, size_t bytes, int rounds,
                                any_source* r)
{
    int accepted = 0;
    char* copy = malloc(bytes + 8);
    assert_non_null(copy);
    for (int q = 0; q < rounds; q++) {
        size_t length = bytes;
        memcpy(copy, data, bytes);
        for (int k = any_below(r, 4); k >= 0 && length > 1; k--) {
            const size_t at = (size_t)any_below(r, (int)length);
            switch (any_below(r, 5)) {
            case 0: copy[at] = (char)any_below(r, 256); break;
            case 1: copy[at] = (char)('0' + any_below(r, 10)); break;
            case 2: copy[at] ^= (char)(1 << any_below(r, 8)); break;
            case 3: length = at + 1; break;
            default: memmove(copy + at, copy + at + 1, length - at - 1), length--; break;
            }
        }
        firn_mesh mesh;
        const uint64_t before = firn_memory_read().bytes;
        accepted += parse_block(parse, "damaged", copy, length, &mesh, NULL) == FIRN_OK;
        firn_mesh_destroy(&mesh);
        assert_equal(firn_memory_read().bytes, before);
    }
    free(copy);
    print_message("%d of %d accepted\n", accepted, rounds);
    return accepted;
}

// Each allocation fails once, and then all from each on. Returns how many there are.
static inline uint64_t parse_without_memory(parse_fn* parse, const char* data, size_t bytes)
{
    const uint64_t before = firn_memory_read().bytes;
    uint64_t k = 1;
    for (int forever = 0; forever < 2; forever++) {
        k = 1;
        for (bool done = false; !done; k++) {
            firn_mesh mesh;
            firn_error error = {0};
            firn_memory_fail_at(k, forever);
            const firn_result result = parse_block(parse, "wall", data, bytes, &mesh, &error);
            firn_memory_fail_at(0, false);
            done = result == FIRN_OK;
            if (!done) {
                assert_int_equal(result, FIRN_BROKEN_MEMORY);
                assert_contains(error.text, "wall: no memory");
            }
            firn_mesh_destroy(&mesh);
            assert_equal(firn_memory_read().bytes, before);
        }
    }
    return k - 2;
}
