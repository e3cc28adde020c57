// SPDX-License-Identifier: MIT
// A particle contributes to voxel i by the product of three cubic B-splines, one per axis,
//
//     N((i h - x) / w) / sum_j N((j h - x) / w),
//
// h the voxel size and w the width. The sum is h / w where w is a multiple of h; elsewhere it
// varies by a few percent with the position between voxels, so that dividing by it is what
// conserves mass.
#include "state/volume/density_sized.h"

#include <math.h>

#include "math/vec3.h"
#include "state/block_spread.h"

#define REACH 2                                                    // [widths] of a cubic B-spline
#define NODES_MAX ((int)(2 * REACH * FIRN_DENSITY_WIDTH_MAX) + 2)  // along an axis

typedef struct sized {
    const firn_vec3 *x, *v;  // v may be null
    const firn_real *mass, *width;
    double voxel;  // [m]
} sized;

// Along one axis: the first voxel, and the number of voxels.
typedef struct span {
    int32_t first, count;
    double at, width;  // [voxels]
} span;

static double coordinate(firn_vec3 x, int axis)
{
    return axis == 0 ? (double)x.x : axis == 1 ? (double)x.y : (double)x.z;
}

static span span_of(const sized* c, firn_local p, int axis)
{
    const double width = fmin(fmax((double)c->width[p] / c->voxel, 1), FIRN_DENSITY_WIDTH_MAX);
    const double at = coordinate(c->x[p], axis) / c->voxel;
    const double first = ceil(at - REACH * width), last = floor(at + REACH * width);
    return (span){(int32_t)first, (int32_t)(last - first) + 1, at, width};
}

static double cubic(double r)
{
    r = fabs(r);
    if (r >= 2) return 0;
    const double rest = 2 - r;
    return r < 1 ? (0.5 * r - 1) * r * r + 2.0 / 3 : rest * rest * rest / 6;
}

// The weights of all voxels of the span; their sum is 1.
static void find_weights(const span* s, double out_weight[NODES_MAX])
{
    double sum = 0;
    for (int32_t k = 0; k < s->count; k++) {
        out_weight[k] = cubic((s->first + k - s->at) / s->width);
        sum += out_weight[k];
    }
    for (int32_t k = 0; k < s->count; k++) out_weight[k] /= sum;
}

static void locate(const void* kernel, firn_local p, int32_t out_voxel[3])
{
    const sized* c = kernel;
    for (int d = 0; d < 3; d++) out_voxel[d] = (int32_t)floor(coordinate(c->x[p], d) / c->voxel);
}

static void touch(const void* kernel, firn_local p, firn_touched* touched)
{
    int32_t low[3], high[3];
    for (int d = 0; d < 3; d++) {
        const span s = span_of(kernel, p, d);
        low[d] = s.first >> 3;
        high[d] = (s.first + s.count - 1) >> 3;
    }
    for (int32_t i = low[0]; i <= high[0]; i++)
        for (int32_t j = low[1]; j <= high[1]; j++)
            for (int32_t k = low[2]; k <= high[2]; k++) firn_touched_mark(touched, i, j, k);
}

static void add(const void* kernel, firn_local p, const int32_t origin[3],
                double sums[FIRN_SPREAD_VOXELS][4])
{
    const sized* c = kernel;
    double w[3][NODES_MAX];
    int32_t base[3], from[3], to[3];
    for (int d = 0; d < 3; d++) {
        const span s = span_of(c, p, d);
        base[d] = s.first - origin[d];
        from[d] = base[d] < 0 ? -base[d] : 0;
        to[d] = base[d] + s.count > 8 ? 8 - base[d] : s.count;
        if (from[d] >= to[d]) return;
        find_weights(&s, w[d]);
    }
    const double m = (double)c->mass[p];
    const firn_vec3 v = c->v != NULL ? c->v[p] : firn_v3(0, 0, 0);
    for (int a = from[0]; a < to[0]; a++)
        for (int b = from[1]; b < to[1]; b++) {
            const double m_ab = m * w[0][a] * w[1][b];
            double(*row)[4] = sums + ((base[0] + a) * 8 + base[1] + b) * 8 + base[2];
            for (int k = from[2]; k < to[2]; k++) {
                const double m_k = m_ab * w[2][k];
                row[k][0] += m_k;
                row[k][1] += m_k * (double)v.x;
                row[k][2] += m_k * (double)v.y;
                row[k][3] += m_k * (double)v.z;
            }
        }
}

firn_result firn_density_sized_build(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                                     const firn_real* width, firn_local count, double voxel,
                                     firn_density_volume* out_volume, firn_error* error)
{
    FIRN_TRY(firn_spread_check(x, v, mass, count, voxel, error));
    double widest = 1;
    for (firn_local p = 0; p < count; p++) {
        if (!(isfinite(width[p]) && width[p] >= 0))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT, "particle %d has a kernel of %g m",
                             (int)p, (double)width[p]);
        widest = fmax(widest, fmin((double)width[p] / voxel, FIRN_DENSITY_WIDTH_MAX));
    }
    const sized kernel = {.x = x, .v = v, .mass = mass, .width = width, .voxel = voxel};
    const firn_spread spread = {.count = count,
                                .voxel = voxel,
                                .reach = (int32_t)(REACH * widest / 8) + 1,
                                .wants_velocity = v != NULL,
                                .kernel = &kernel,
                                .locate = locate,
                                .touch = touch,
                                .add = add};
    return firn_spread_run(&spread, out_volume, error);
}
