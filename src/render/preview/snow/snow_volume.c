// SPDX-License-Identifier: MIT
// Layout of the snow volume: voxel size, window, blocks with snow, particles of each block.
// snow_fill.c then computes the values.
#include "render/preview/snow/snow_volume.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "math/elementary.h"
#include "render/preview/snow/snow_build.h"
#include "render/preview/snow/snow_sample.h"

#define SAMPLE 4096  // particles sampled for medians: error below 2 % of a quartile

static int compare_doubles(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Median; `fallback` if count is 0.
static double median(double* values, size_t count, double fallback)
{
    if (count == 0) return fallback;
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

// Particles that medians are taken of: powder has its own masses, and there may be more of it.
static firn_local counted(const firn_snow_points* points)
{
    const firn_local snow = points->count - points->powder_count;
    return snow > 0 ? snow : points->count;
}

static firn_local samples_of(const firn_snow_points* points)
{
    return counted(points) < SAMPLE ? counted(points) : SAMPLE;
}

// Index of the k-th of SAMPLE particles, evenly strided.
static firn_local sampled(const firn_snow_points* points, firn_local k)
{
    const firn_local count = counted(points);
    return count <= SAMPLE ? k : (firn_local)((int64_t)k * count / SAMPLE);
}

// Median of a particle field; `fallback` if the field is null.
static double typical(const firn_snow_points* points, const firn_real* field, firn_local samples,
                      double fallback, double* scratch)
{
    size_t n = 0;
    for (firn_local k = 0; field != NULL && k < samples; k++) {
        const double value = (double)field[sampled(points, k)];
        if (value > 0 && value < 1e30) scratch[n++] = value;
    }
    return median(scratch, n, fallback);
}

// Median volume of snow per particle [m^3]: (2 r)^3, mass / density, or 1/8 cell if neither is
// known.
static double typical_volume(const firn_snow_points* points, firn_local samples, double cell,
                             double* scratch)
{
    size_t n = 0;
    const bool weighed = points->mass != NULL && points->density != NULL;
    for (firn_local k = 0; (weighed || points->radius != NULL) && k < samples; k++) {
        const firn_local p = sampled(points, k);
        const double edge = points->radius != NULL ? 2 * (double)points->radius[p] : 0;
        const double volume = points->radius != NULL
                                  ? edge * edge * edge
                                  : (double)points->mass[p] / (double)points->density[p];
        if (volume > 0 && volume < 1e30) scratch[n++] = volume;
    }
    const double volume = median(scratch, n, cell * cell * cell / 8);
    const double least = cell * cell * cell / 128, most = cell * cell * cell * 2;
    return volume < least ? least : volume > most ? most : volume;
}

// The value of cell * 2^(-k/2), k = 0..4, nearest to the particle spacing. Quantised, because a
// voxel size that followed the changing density would make the surface swim from frame to frame.
static double choose_voxel(double volume, double cell)
{
    double voxel = cell;
    // compare with the geometric mean of this volume and the next: 2^(-3/4)
    for (int k = 0; k < 4 && volume < voxel * voxel * voxel * 0.59460355750136051; k++)
        voxel *= 0.70710678118654752;
    return voxel;
}

typedef struct bounds {
    double low[3], high[3];  // [blocks], fractional
} bounds;

typedef struct bounds_args {
    const firn_snow_points* points;
    firn_real* most;  // [6] largest -x, -y, -z, x, y, z
} bounds_args;

static void widen_bounds(const void* self, firn_local begin, firn_local end)
{
    const bounds_args* a = self;
    firn_vec3 low = firn_v3(INFINITY, INFINITY, INFINITY), high = firn_v3_scale(low, -1);
    for (firn_local p = begin; p < end; p++) {
        const firn_vec3 x = a->points->x[p];
        if (!firn_v3_is_finite(x)) continue;
        low = firn_v3_min(low, x);
        high = firn_v3_max(high, x);
    }
    const firn_real most[6] = {-low.x, -low.y, -low.z, high.x, high.y, high.z};
    for (int k = 0; k < 6; k++) firn_atomic_max(&a->most[k], most[k]);
}

static bounds find_bounds(const firn_snow_points* points, double block)
{
    firn_real most[6];
    for (int k = 0; k < 6; k++) most[k] = -INFINITY;
    const bounds_args a = {points, most};
    firn_share(points->count, 2048, widen_bounds, &a);
    const double s = 1 / block;
    bounds b;
    for (int k = 0; k < 3; k++) {
        b.low[k] = -(double)most[k] * s;
        b.high[k] = (double)most[3 + k] * s;
    }
    return b;
}

// Median position of the particles [blocks]: a window that is too large is cropped around it.
static void find_middle(const firn_snow_points* points, firn_local samples, double block,
                        double* scratch, double out_middle[3])
{
    for (int a = 0; a < 3; a++) {
        size_t n = 0;
        for (firn_local k = 0; k < samples; k++) {
            const firn_vec3 x = points->x[sampled(points, k)];
            if (!firn_v3_is_finite(x)) continue;
            scratch[n++] = (double)(a == 0 ? x.x : a == 1 ? x.y : x.z) / block;
        }
        out_middle[a] = median(scratch, n, 0);
    }
}

// Window around all particles plus one block of air, at most 2 * reach blocks a side; reach is
// halved until the window fits. Particles outside it are drawn as crumbs only.
static void choose_window(firn_snow_volume* v, const bounds* b, const double middle[3],
                          double block)
{
    for (double reach = 1024;; reach *= 0.5) {
        int64_t cells = 1;
        for (int a = 0; a < 3; a++) {
            const double low = floor(fmax(b->low[a], middle[a] - reach)) - 1;
            const double high = floor(fmin(b->high[a], middle[a] + reach)) + 2;
            v->low[a] = low * block;
            v->size[a] = high > low ? (int32_t)(high - low) : 0;
            cells *= v->size[a];
        }
        if (cells <= FIRN_SNOW_WINDOW_MAX) return;
    }
}

int32_t firn_snow_window_cell(const firn_snow_volume* v, firn_grid_point p)
{
    const float s = 1.0f / FIRN_SNOW_BLOCK;
    const float x = p.x * s, y = p.y * s, z = p.z * s;
    // the outermost blocks stay air, so that every block with particles has all 26 neighbours
    if (!(x >= 1 && y >= 1 && z >= 1 && x < (float)(v->size[0] - 1) &&
          y < (float)(v->size[1] - 1) && z < (float)(v->size[2] - 1)))
        return -1;
    return ((int32_t)z * v->size[1] + (int32_t)y) * v->size[0] + (int32_t)x;
}

static void find_cells(const void* self, firn_local begin, firn_local end)
{
    const snow_build* b = self;
    const firn_snow_volume* v = b->volume;
    for (firn_local p = begin; p < end; p++)
        b->cell_of[p] = firn_v3_is_finite(b->points->x[p])
                            ? firn_snow_window_cell(v, firn_snow_to_grid(v, b->points->x[p]))
                            : -1;
}

// Counting sort of particles by window cell; stable, so the result does not depend on threads.
static firn_result sort_particles(snow_build* b, firn_error* error)
{
    const firn_snow_volume* v = b->volume;
    b->window = v->size[0] * v->size[1] * v->size[2];
    b->start = firn_alloc((size_t)b->window + 2, sizeof *b->start);
    if (b->start == NULL) return firn_snow_no_memory(error);
    const firn_local count = b->points->count;
    firn_share(count, 1024, find_cells, b);
    // counts are stored two entries ahead: after the prefix sum start[c + 1] is where cell c
    // begins, and after filling where it ends
    int32_t* start = b->start;
    for (firn_local p = 0; p < count; p++)
        if (b->cell_of[p] >= 0) start[b->cell_of[p] + 2]++;
    b->full_count = 0;
    for (int32_t c = 0; c < b->window; c++) {
        b->full_count += start[c + 2] > 0;
        start[c + 2] += start[c + 1];
    }
    for (firn_local p = 0; p < count; p++)
        if (b->cell_of[p] >= 0) b->order[start[b->cell_of[p] + 1]++] = p;
    b->full = firn_alloc((size_t)b->full_count + 1, sizeof *b->full);
    if (b->full == NULL) return firn_snow_no_memory(error);
    int32_t n = 0;
    for (int32_t c = 0; c < b->window; c++)
        if (start[c + 1] > start[c]) b->full[n++] = c;
    return FIRN_OK;
}

#define ALL_AROUND ((1u << 27) - 1)

// Mask of the 27 blocks around a cell that its particles reach, by the kernel (one voxel) or by
// interpolation (one more). Bit (dx+1) + 3 (dy+1) + 9 (dz+1).
static uint32_t reached(const snow_build* b, int32_t cell)
{
    const firn_snow_volume* v = b->volume;
    uint32_t mask = 0;
    for (int32_t k = b->start[cell]; k < b->start[cell + 1] && mask != ALL_AROUND; k++) {
        const firn_grid_point g = firn_snow_to_grid(v, b->points->x[b->order[k]]);
        const float at[3] = {g.x, g.y, g.z};
        uint32_t axis[3];  // bits -1, 0, +1 reached along the axis
        for (int a = 0; a < 3; a++) {
            const int32_t i = (int32_t)at[a] % FIRN_SNOW_BLOCK;
            axis[a] = 2u | (i <= 1 ? 1u : 0u) | (i >= FIRN_SNOW_BLOCK - 2 ? 4u : 0u);
        }
        uint32_t plane = 0;
        for (int c = 0; c < 3; c++)
            if (axis[1] >> c & 1u) plane |= axis[0] << (3 * c);
        for (int c = 0; c < 3; c++)
            if (axis[2] >> c & 1u) mask |= plane << (9 * c);
    }
    return mask;
}

typedef struct reach_args {
    const snow_build* b;
    uint32_t* mask;  // [full_count]
} reach_args;

static void find_reached(const void* self, firn_local begin, firn_local end)
{
    const reach_args* a = self;
    for (firn_local f = begin; f < end; f++) a->mask[f] = reached(a->b, a->b->full[f]);
}

// Allocates block indices in the order of the window.
static firn_result number_blocks(snow_build* b, firn_error* error)
{
    firn_snow_volume* v = b->volume;
    uint32_t* mask = firn_alloc((size_t)b->full_count + 1, sizeof *mask);
    v->table = firn_alloc((size_t)b->window + 1, sizeof *v->table);
    if (mask == NULL || v->table == NULL) {
        firn_free(mask);
        return firn_snow_no_memory(error);
    }
    const reach_args a = {b, mask};
    firn_share(b->full_count, 2, find_reached, &a);
    const int32_t nx = v->size[0], nxy = v->size[0] * v->size[1];
    for (int32_t f = 0; f < b->full_count; f++)
        for (int c = 0; c < 27; c++)
            if (mask[f] >> c & 1u)
                v->table[b->full[f] + (c % 3 - 1) + (c / 3 % 3 - 1) * nx + (c / 9 - 1) * nxy] = 1;
    firn_free(mask);
    v->block_count = 0;
    for (int32_t c = 0; c < b->window; c++) v->table[c] = v->table[c] != 0 ? v->block_count++ : -1;
    return FIRN_OK;
}

// Builds the layout for one voxel size; the caller doubles it if there are too many blocks.
static firn_result try_voxel(snow_build* b, double voxel, double* scratch, firn_error* error)
{
    firn_snow_volume* v = b->volume;
    const firn_local samples = samples_of(b->points);
    const double block = voxel * FIRN_SNOW_BLOCK;
    v->voxel = (firn_real)voxel;
    const bounds box = find_bounds(b->points, block);
    if (!(box.high[0] >= box.low[0])) return FIRN_OK;  // no finite position: no snow
    double middle[3];
    find_middle(b->points, samples, block, scratch, middle);
    choose_window(v, &box, middle, block);
    FIRN_TRY(sort_particles(b, error));
    return number_blocks(b, error);
}

static void drop_try(snow_build* b)
{
    firn_free(b->start);
    firn_free(b->full);
    firn_free(b->volume->table);
    b->start = b->full = b->volume->table = NULL;
    b->volume->block_count = b->full_count = 0;
}

static firn_result build(snow_build* b, double cell, firn_error* error)
{
    firn_snow_volume* v = b->volume;
    double* scratch = firn_alloc(SAMPLE, sizeof *scratch);
    if (scratch == NULL) return firn_snow_no_memory(error);
    const firn_local samples = samples_of(b->points);
    const double volume = typical_volume(b->points, samples, cell, scratch);
    v->volume = (firn_real)volume;
    v->spacing = (firn_real)firn_cbrt_double(volume);
    const firn_snow_points* points = b->points;
    v->mass = (firn_real)typical(points, points->mass, samples, 1, scratch);
    v->radius = (firn_real)typical(points, points->radius, samples, 0, scratch);
    if (points->radius != NULL && points->density != NULL)
        v->mass = (firn_real)(volume * typical(points, points->density, samples, 1, scratch));
    double voxel = choose_voxel(volume, cell);
    firn_result result = try_voxel(b, voxel, scratch, error);
    while (result == FIRN_OK && v->block_count > FIRN_SNOW_BLOCKS_MAX) {
        drop_try(b);
        voxel *= 2;
        result = try_voxel(b, voxel, scratch, error);
    }
    firn_free(scratch);
    if (result == FIRN_OK && v->block_count > 0) result = firn_snow_fill(b, error);
    return result;
}

firn_result firn_snow_no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "no memory for the preview's snow volume: switch it off (output.preview: "
                     "false) or raise the memory cap");
}

firn_result firn_snow_volume_build(firn_snow_volume* volume, const firn_snow_points* points,
                                   double cell, firn_error* error)
{
    *volume = (firn_snow_volume){.voxel = (firn_real)(0.5 * cell), .mass = 1};
    volume->volume = (firn_real)(cell * cell * cell / 8);
    volume->spacing = (firn_real)(0.5 * cell);
    if (points->count <= 0) return FIRN_OK;
    snow_build b = {.volume = volume, .points = points};
    b.cell_of = firn_alloc((size_t)points->count, sizeof *b.cell_of);
    b.order = firn_alloc((size_t)points->count, sizeof *b.order);
    const firn_result result =
        b.cell_of == NULL || b.order == NULL ? firn_snow_no_memory(error) : build(&b, cell, error);
    firn_free(b.cell_of);
    firn_free(b.order);
    firn_free(b.start);
    firn_free(b.full);
    if (result != FIRN_OK) firn_snow_volume_destroy(volume);
    return result;
}

void firn_snow_volume_destroy(firn_snow_volume* volume)
{
    firn_free(volume->table);
    firn_free(volume->coarse);
    firn_free(volume->at);
    firn_free(volume->fine);
    firn_free(volume->mid);
    firn_free(volume->solid);
    *volume = (firn_snow_volume){0};
}
