// SPDX-License-Identifier: MIT
// Volumes of shapes by stratified Monte Carlo: one random point per cell of a grid over the bounds.
// The error falls like samples^(-2/3), because only cells at the surface contribute.
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "geometry/sdf/evaluate.h"
#include "math/elementary.h"
#include "math/random.h"

#define SEED 0x766f6c756d65ull

// Cells along each side of a box so that about `samples` of them are nearly cubic; at least one.
static void divide(const double size[3], int64_t samples, int64_t count[3])
{
    const double edge = firn_cbrt_double(size[0] * size[1] * size[2] / (double)samples);
    for (int i = 0; i < 3; i++) {
        const double n = edge > 0 ? ceil(size[i] / edge) : 1;
        count[i] = n < 1 ? 1 : n > (double)samples ? samples : (int64_t)n;
    }
}

typedef struct sample_job {
    const firn_shapes* shapes;
    firn_local shape;
    firn_real level;
    const double *low, *size;  // of the bounds [m]
    const int64_t* n;          // cells along each axis
    int64_t* inside;
} sample_job;

// Counts the samples of layers [begin, end) of cells.
static void count_inside(const void* self, firn_local begin, firn_local end)
{
    const sample_job* s = self;
    const double *low = s->low, *size = s->size;
    const int64_t* n = s->n;
    int64_t inside = 0;
    for (int64_t k = begin; k < end; k++)
        for (int64_t j = 0; j < n[1]; j++)
            for (int64_t i = 0; i < n[0]; i++) {
                const uint64_t at = 3 * (uint64_t)((k * n[1] + j) * n[0] + i);
                const double u = firn_random_unit(SEED, at), v = firn_random_unit(SEED, at + 1),
                             w = firn_random_unit(SEED, at + 2);
                const firn_vec3 x =
                    firn_v3((firn_real)(low[0] + size[0] * ((double)i + u) / (double)n[0]),
                            (firn_real)(low[1] + size[1] * ((double)j + v) / (double)n[1]),
                            (firn_real)(low[2] + size[2] * ((double)k + w) / (double)n[2]));
                inside += firn_shape_distance(s->shapes, s->shape, x) <= s->level;
            }
    firn_atomic_add(s->inside, inside);
}

double firn_shape_volume(const firn_shapes* shapes, firn_local shape, int64_t samples)
{
    return firn_shape_volume_below(shapes, shape, 0, samples);
}

double firn_shape_volume_below(const firn_shapes* shapes, firn_local shape, double depth,
                               int64_t samples)
{
    const firn_box3 b = firn_shape_bounds(shapes, shape);
    const double low[3] = {(double)b.low.x, (double)b.low.y, (double)b.low.z};
    const double high[3] = {(double)b.high.x, (double)b.high.y, (double)b.high.z};
    double size[3];
    for (int i = 0; i < 3; i++) {
        size[i] = high[i] - low[i];
        if (!(size[i] > 0)) return 0;
        if (low[i] <= -(double)FIRN_REAL_MAX || high[i] >= (double)FIRN_REAL_MAX) return INFINITY;
    }
    int64_t n[3];
    divide(size, samples < 1 ? 1 : samples, n);
    int64_t inside = 0;
    firn_share((firn_local)n[2], 1, count_inside,
               &(sample_job){shapes, shape, (firn_real)-depth, low, size, n, &inside});
    const double total = (double)n[0] * (double)n[1] * (double)n[2];
    return size[0] * size[1] * size[2] * (double)inside / total;
}
