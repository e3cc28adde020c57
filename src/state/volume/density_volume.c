// SPDX-License-Identifier: MIT
// Cubic B-splines as the kernel: a particle contributes to 4x4x4 voxels from its base voxel on. It
// is owned by the block of the base, and may reach the next block along each axis.
#include "state/volume/density_volume.h"

#include <math.h>

#include "core/memory.h"
#include "math/bspline.h"
#include "state/block_spread.h"

typedef struct splines {
    const firn_vec3 *x, *v;
    const firn_real* mass;
    double voxel;  // [m]
} splines;

// Base voxel of a particle, and the offset in its cell. In double, because a float x/voxel far from
// the origin would lose the fraction that determines the weights.
static void find_base(const splines* c, firn_local p, int32_t out_base[3], double out_t[3])
{
    const double at[3] = {c->x[p].x / c->voxel, c->x[p].y / c->voxel, c->x[p].z / c->voxel};
    for (int d = 0; d < 3; d++) {
        const double cell = floor(at[d]);
        out_base[d] = (int32_t)cell - 1;
        out_t[d] = at[d] - cell;
    }
}

static void locate(const void* kernel, firn_local p, int32_t out_voxel[3])
{
    double t[3];
    find_base(kernel, p, out_voxel, t);
}

// A particle whose base is voxel 5, 6 or 7 of its block reaches the next block along that axis.
static void touch(const void* kernel, firn_local p, firn_touched* touched)
{
    int32_t base[3];
    double t[3];
    find_base(kernel, p, base, t);
    const int32_t* h = touched->block;
    const int over[3] = {(base[0] & 7) > 4, (base[1] & 7) > 4, (base[2] & 7) > 4};
    for (int a = 0; a <= over[0]; a++)
        for (int b = 0; b <= over[1]; b++)
            for (int c = 0; c <= over[2]; c++)
                firn_touched_mark(touched, h[0] + a, h[1] + b, h[2] + c);
}

static void add(const void* kernel, firn_local p, const int32_t origin[3],
                double sums[FIRN_SPREAD_VOXELS][4])
{
    const splines* c = kernel;
    int32_t base[3], from[3], to[3];
    double t[3];
    firn_real w[3][4];
    find_base(c, p, base, t);
    for (int d = 0; d < 3; d++) {
        base[d] -= origin[d];
        from[d] = base[d] < 0 ? -base[d] : 0;
        to[d] = base[d] > 4 ? 8 - base[d] : 4;
        if (from[d] >= to[d]) return;
        firn_bspline_weights((firn_real)t[d], w[d]);
    }
    const double m = c->mass[p];
    const firn_vec3 v = c->v != NULL ? c->v[p] : firn_v3(0, 0, 0);
    for (int a = from[0]; a < to[0]; a++) {
        for (int b = from[1]; b < to[1]; b++) {
            const double m_ab = m * w[0][a] * w[1][b];
            double(*row)[4] = sums + ((base[0] + a) * 8 + base[1] + b) * 8 + base[2];
            for (int k = from[2]; k < to[2]; k++) {
                const double m_k = m_ab * w[2][k];
                row[k][0] += m_k;
                row[k][1] += m_k * v.x;
                row[k][2] += m_k * v.y;
                row[k][3] += m_k * v.z;
            }
        }
    }
}

firn_result firn_density_volume_build(const firn_vec3* x, const firn_vec3* v, const firn_real* mass,
                                      firn_local count, double voxel,
                                      firn_density_volume* out_volume, firn_error* error)
{
    const splines kernel = {.x = x, .v = v, .mass = mass, .voxel = voxel};
    const firn_spread spread = {.count = count,
                                .voxel = voxel,
                                .reach = 1,
                                .wants_velocity = v != NULL,
                                .kernel = &kernel,
                                .locate = locate,
                                .touch = touch,
                                .add = add};
    FIRN_TRY(firn_spread_check(x, v, mass, count, voxel, error));
    return firn_spread_run(&spread, out_volume, error);
}

void firn_density_volume_destroy(firn_density_volume* volume)
{
    firn_free(volume->origin);
    firn_free(volume->density);
    firn_free(volume->velocity);
    *volume = (firn_density_volume){0};
}
