// SPDX-License-Identifier: MIT
// Builds height fields: the pyramid of maximum slopes, and heights from noise.
#include "geometry/sdf/height_field.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/sdf/field_build.h"
#include "geometry/sdf/shape_check.h"
#include "math/noise.h"

#define SAMPLES_PER_FEATURE 6  // linear interpolation of one octave is then within 2 %
#define NOISE_SIDE_MAX 2048    // 4 million values: a quarter of a second
#define NOISE_SLICE 0.37       // y coordinate of the slice: off the lattice planes of every octave

firn_result firn_height_field_create(firn_local nx, firn_local nz, firn_height_field* out_field,
                                     firn_error* error)
{
    if (nx < 2 || nz < 2 || nx > FIRN_FIELD_SIDE_MAX || nz > FIRN_FIELD_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "height field: %d x %d values, each side must have 2 to %d", (int)nx,
                         (int)nz, FIRN_FIELD_SIDE_MAX);
    const size_t count = (size_t)nx * (size_t)nz;
    if (count > FIRN_FIELD_VALUES_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "height field: %d x %d is %zu values, at most %d are taken", (int)nx,
                         (int)nz, count, FIRN_FIELD_VALUES_MAX);
    firn_height_field field = {.nx = nx, .nz = nz};
    field.value = firn_alloc(count, sizeof(firn_real));
    field.steep = firn_alloc(firn_steep_count(nx, nz, &field.steep_levels), sizeof(firn_real));
    if (field.value == NULL || field.steep == NULL) {
        firn_free(field.value);
        firn_free(field.steep);
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "no memory for a height field of %d x %d values", (int)nx, (int)nz);
    }
    *out_field = field;
    return FIRN_OK;
}

void firn_height_field_destroy(firn_height_field* field)
{
    firn_free(field->value);
    firn_free(field->steep);
    *field = (firn_height_field){0};
}

firn_result firn_height_field_copy(const firn_height_field* field, firn_height_field* out_copy)
{
    FIRN_TRY(firn_height_field_create(field->nx, field->nz, out_copy, NULL));
    int32_t levels;
    const size_t steep_count = firn_steep_count(field->nx, field->nz, &levels);
    memcpy(out_copy->value, field->value,
           (size_t)field->nx * (size_t)field->nz * sizeof(firn_real));
    memcpy(out_copy->steep, field->steep, steep_count * sizeof(firn_real));
    out_copy->highest = field->highest;
    return FIRN_OK;
}

// Level 0 of the pyramid from the heights.
static void measure_blocks(firn_height_field* field)
{
    const firn_local side = firn_steep_side(field->nx - 1, 0);
    for (firn_local j = 0; j < field->nz - 1; j++)
        for (firn_local i = 0; i < field->nx - 1; i++) {
            firn_real* at = field->steep + 2 * ((size_t)(j / FIRN_STEEP_BLOCK) * (size_t)side +
                                                (size_t)(i / FIRN_STEEP_BLOCK));
            const firn_steps steps = firn_steps_cell(field, i, j, (firn_steps){at[0], at[1]});
            at[0] = steps.x;
            at[1] = steps.z;
        }
}

// A level from the one below: each entry covers 2x2 of those.
static void measure_level(const firn_height_field* field, int level, const firn_real* below,
                          firn_real* blocks)
{
    const firn_local side = firn_steep_side(field->nx - 1, level);
    const firn_local side_below = firn_steep_side(field->nx - 1, level - 1);
    const firn_local rows_below = firn_steep_side(field->nz - 1, level - 1);
    for (firn_local j = 0; j < rows_below; j++)
        for (firn_local i = 0; i < side_below; i++) {
            const firn_real* from = below + 2 * ((size_t)j * (size_t)side_below + (size_t)i);
            firn_real* to = blocks + 2 * ((size_t)(j / 2) * (size_t)side + (size_t)(i / 2));
            to[0] = firn_max(to[0], from[0]);
            to[1] = firn_max(to[1], from[1]);
        }
}

void firn_height_field_finish(firn_height_field* field)
{
    const size_t count = (size_t)field->nx * (size_t)field->nz;
    field->highest = 0;
    for (size_t k = 0; k < count; k++) field->highest = firn_max(field->highest, field->value[k]);
    measure_blocks(field);
    firn_real* below = field->steep;
    for (int level = 1; level < field->steep_levels; level++) {
        firn_real* blocks = below + 2 * (size_t)firn_steep_side(field->nx - 1, level - 1) *
                                        (size_t)firn_steep_side(field->nz - 1, level - 1);
        measure_level(field, level, below, blocks);
        below = blocks;
    }
}

firn_result firn_shapes_add_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                  firn_height_field* field, firn_local* out_shape,
                                  firn_error* error)
{
    firn_result result = FIRN_BROKEN_MEMORY;
    if (!firn_reserve((void**)&shapes->fields, &shapes->field_capacity, shapes->field_count + 1,
                      sizeof *field)) {
        firn_fail(error, result, "no memory for height field %d", (int)shapes->field_count + 1);
    } else {
        const firn_shape_node node = {
            .kind = FIRN_SHAPE_HEIGHT_FIELD,
            .a = shapes->field_count,
            .p = {origin.x, origin.y, origin.z, size.x, size.y, size.z, 0}};
        shapes->fields[shapes->field_count++] = *field;
        result = firn_shapes_add(shapes, &node, out_shape, error);
        if (result == FIRN_OK) return FIRN_OK;
        shapes->fields[--shapes->field_count] = (firn_height_field){0};
    }
    firn_height_field_destroy(field);
    return result;
}

// Number of samples along a side of `length` that resolve the smallest feature.
static firn_local noise_side(double length, double smallest)
{
    const double side = ceil(length / smallest * SAMPLES_PER_FEATURE) + 1;
    return side < 2 ? 2 : side > NOISE_SIDE_MAX ? NOISE_SIDE_MAX : (firn_local)side;
}

firn_result firn_shapes_add_noise_field(firn_shapes* shapes, firn_vec3 origin, firn_vec3 size,
                                        firn_real scale, int octaves, uint64_t seed,
                                        firn_local* out_shape, firn_error* error)
{
    FIRN_TRY(firn_height_field_check(origin, size, error));
    if (!((double)scale >= FIRN_SHAPE_LENGTH_MIN && (double)scale <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "height field: the scale of its noise is %g m, must be between %g and %g",
                         (double)scale, FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
    if (octaves < 1 || octaves > 16)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "height field: %d octaves of noise, must be 1 to 16", octaves);
    const double smallest = (double)scale / (double)(1 << (octaves - 1));
    firn_height_field field;
    FIRN_TRY(firn_height_field_create(noise_side((double)size.x, smallest),
                                      noise_side((double)size.z, smallest), &field, error));
    const double step_x = (double)size.x / (field.nx - 1), step_z = (double)size.z / (field.nz - 1);
    for (firn_local j = 0; j < field.nz; j++)
        for (firn_local i = 0; i < field.nx; i++) {
            const double x = ((double)origin.x + i * step_x) / (double)scale;
            const double z = ((double)origin.z + j * step_z) / (double)scale;
            const double value = 0.5 + 0.5 * firn_noise_octaves(seed, x, NOISE_SLICE, z, octaves);
            field.value[(size_t)j * (size_t)field.nx + (size_t)i] =
                (firn_real)(value < 0   ? 0
                            : value > 1 ? 1
                                        : value);
        }
    firn_height_field_finish(&field);
    return firn_shapes_add_field(shapes, origin, size, &field, out_shape, error);
}
