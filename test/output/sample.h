// SPDX-License-Identifier: MIT
// A small cloud of particles and files made of it, for the tests of the output folder.
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "disk.h"
#include "output/frame/frame.h"
#include "seed.h"

// Any material will do.
static const firn_value_limits sample_limits = {.material_count = 256};

static inline firn_frame_info sample_info(void)
{
    return (firn_frame_info){.frame = 7,
                             .step = 1234567890123,
                             .time = 7.0 / 24 + 1e-16,
                             .fps = 24,
                             .cell = 0.0048,
                             .scene_hash = 0xfedcba9876543210u,
                             .state_hash = 1,
                             .scene = "snow \"ball\" \xc3\xa4",
                             .solver = "mpm",
                             .real_bytes = sizeof(firn_real)};
}

// All fields that a frame can hold, filled with numbers that use all their bits.
static inline firn_particles sample_particles(firn_local count, uint64_t seed)
{
    firn_particles p = {0};
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        firn_particles_add_field(&p, firn_field_table[f].name, firn_field_table[f].unit,
                                 firn_field_table[f].type);
    assert_int_equal(firn_particles_reserve(&p, count), FIRN_OK);
    p.count = count;
    any_source r = {seed, 0};
    for (int f = 0; f < p.field_count; f++) {
        const firn_field* field = &p.fields[f];
        const bool real = field->type != FIRN_FIELD_U8 && field->type != FIRN_FIELD_U32;
        const size_t each = real ? field->size / sizeof(firn_real) : field->size;
        for (size_t k = 0; k < (size_t)count * each; k++) {
            if (real)
                ((firn_real*)field->data)[k] =
                    (firn_real)any_between(&r, f == FIRN_FRAME_MASS ? 0.001 : -2, 2);
            else
                ((uint8_t*)field->data)[k] = (uint8_t)any_below(&r, 256);
        }
    }
    uint32_t* id = p.fields[FIRN_FRAME_ID].data;
    for (firn_local k = 0; k < count; k++) id[k] = (uint32_t)k * 2654435761u;  // odd: no id twice
    return p;
}

// A frame in memory that borrows all fields of `p`, which have no arrays when there are no
// particles.
static inline firn_frame sample_frame(const firn_particles* p)
{
    static firn_real nothing[1];
    firn_frame frame = {.info = sample_info(), .count = p->count};
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        const firn_field* field = firn_particles_find(p, firn_field_table[f].name);
        if (field != NULL) frame.fields[f] = field->data != NULL ? field->data : nothing;
    }
    return frame;
}

static inline void sample_write_frame(const char* path, const firn_particles* p, int compression)
{
    const firn_frame frame = sample_frame(p);
    firn_error error = {0};
    if (firn_frame_write(path, &frame, compression, &error) != FIRN_OK) fail_msg("%s", error.text);
}

// All bytes of a file; free with firn_free. Not inlined: gcc 12 would warn of a dangling pointer
// that is none.
__attribute__((noinline, unused)) static char* sample_bytes(const char* path, size_t* out_bytes)
{
    char* data = NULL;
    firn_error error;
    if (firn_file_read(path, (size_t)1 << 30, &data, out_bytes, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return data;
}

// Writes plainly, for files that are meant to be damaged. A new file each time: some file systems
// flush one that is overwritten, which would make thousands of these take minutes.
static inline void sample_put(const char* path, const void* data, size_t bytes)
{
    unlink(path);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static inline bool sample_exists(const char* path)
{
    return access(path, F_OK) == 0;
}
