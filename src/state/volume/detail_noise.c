// SPDX-License-Identifier: MIT
// A wave cos(k r + a) is the real part of a product of three rotations, one per axis, and the
// window a product of three bumps (1 - d^2)^2: the inner loop has neither sines nor roots.
#include "state/volume/detail_noise.h"

#include <math.h>

#include "math/elementary.h"
#include "math/random.h"

#define ROW_MAX 48  // voxels across a window
#define TWO_PI 6.283185307179586

enum { WAVES = FIRN_DETAIL_WAVES };

// A wave along one axis: cosine and sine at each voxel.
typedef struct turn {
    float c[ROW_MAX], s[ROW_MAX];
} turn;

// A particle's window and waves along the three axes.
typedef struct grain {
    int first[3], count[3];  // voxels of the region
    float window[3][ROW_MAX];
    turn wave[3][WAVES];
} grain;

// False: the window does not reach the region.
static bool place(grain* g, const firn_detail_noise* noise, const double at[3], int side)
{
    const float reach = noise->reach;
    for (int d = 0; d < 3; d++) {
        int first = (int)ceil(at[d] - (double)reach), last = (int)floor(at[d] + (double)reach);
        first = first < 0 ? 0 : first;
        last = last >= side ? side - 1 : last;
        if (first > last) return false;
        last = last - first < ROW_MAX ? last : first + ROW_MAX - 1;
        g->first[d] = first;
        g->count[d] = last - first + 1;
        for (int k = 0; k < g->count[d]; k++) {
            const float r = (float)(first + k - at[d]) / reach, rest = 1 - r * r;
            g->window[d][k] = rest > 0 ? rest * rest : 0;
        }
    }
    return true;
}

// `rate` [radians per voxel], `start` [radians] at the first voxel.
static void turn_along(turn* t, int count, double start, double rate)
{
    double s, c, step_s, step_c;
    firn_sincos_double(start, &s, &c);
    firn_sincos_double(rate, &step_s, &step_c);
    for (int k = 0; k < count; k++) {
        t->c[k] = (float)c;
        t->s[k] = (float)s;
        const double next = c * step_c - s * step_s;
        s = s * step_c + c * step_s;
        c = next;
    }
}

static void make_waves(grain* g, const firn_detail_noise* noise, uint32_t id, const double at[3])
{
    for (int m = 0; m < WAVES; m++) {
        double u[4];
        for (int k = 0; k < 4; k++)
            u[k] = firn_random_unit(0x6772616e, (uint64_t)id * (4 * WAVES) + (uint64_t)(4 * m + k));
        const double ratio = (double)noise->shortest / (double)noise->longest;
        // more short waves than long ones: those are what makes it fine
        const double length =
            (double)noise->longest * firn_exp_double(sqrt(u[0]) * firn_log_double(ratio));
        const double z = 2 * u[1] - 1, across = sqrt(fmax(0, 1 - z * z));
        double s, c;
        firn_sincos_double(TWO_PI * u[2], &s, &c);
        const double rate = TWO_PI / length;
        const double k[3] = {rate * across * c, rate * across * s, rate * z};
        for (int d = 0; d < 3; d++)
            turn_along(&g->wave[d][m], g->count[d],
                       k[d] * (g->first[d] - at[d]) + (d == 0 ? TWO_PI * u[3] : 0), k[d]);
    }
}

// One row along z at voxel (i, j) of the window.
static void add_row(const grain* g, int i, int j, float* FIRN_RESTRICT sum,
                    float* FIRN_RESTRICT square, float* FIRN_RESTRICT all)
{
    const float w = g->window[0][i] * g->window[1][j];
    float c[WAVES], s[WAVES];
    for (int m = 0; m < WAVES; m++) {
        const turn *x = &g->wave[0][m], *y = &g->wave[1][m];
        c[m] = w * (x->c[i] * y->c[j] - x->s[i] * y->s[j]);
        s[m] = w * (x->s[i] * y->c[j] + x->c[i] * y->s[j]);
    }
    const float* z = g->window[2];
    const turn* t = g->wave[2];
    const int count = g->count[2];
#pragma omp simd
    for (int k = 0; k < count; k++) {
        float v = c[0] * t[0].c[k] - s[0] * t[0].s[k];
        v += c[1] * t[1].c[k] - s[1] * t[1].s[k];
        sum[k] += z[k] * v;
        square[k] += (w * z[k]) * (w * z[k]);
        all[k] += w * z[k];
    }
}

// The same of a particle without waves.
static void add_plain_row(const grain* g, int i, int j, float* FIRN_RESTRICT all)
{
    const float w = g->window[0][i] * g->window[1][j];
    const float* z = g->window[2];
    const int count = g->count[2];
#pragma omp simd
    for (int k = 0; k < count; k++) all[k] += w * z[k];
}

static void add_grain(const grain* g, bool waves, int32_t side, float* out[3])
{
    for (int i = 0; i < g->count[0]; i++)
        for (int j = 0; j < g->count[1]; j++) {
            const size_t line =
                (size_t)(g->first[0] + i) * (size_t)side + (size_t)(g->first[1] + j);
            const size_t row = line * (size_t)side + (size_t)g->first[2];
            if (waves)
                add_row(g, i, j, out[0] + row, out[1] + row, out[2] + row);
            else
                add_plain_row(g, i, j, out[2] + row);
        }
}

void firn_detail_noise_add(const firn_detail_noise* noise, const firn_detail_region* region,
                           int32_t side, const firn_local* list, firn_local count, float* out[3])
{
    for (firn_local n = 0; n < count; n++) {
        const bool deep = list[n] < 0;
        const firn_local p = deep ? ~list[n] : list[n];
        const firn_vec3 x = noise->x[p];
        const double at[3] = {(double)x.x / noise->voxel - (double)region->at[0] * side,
                              (double)x.y / noise->voxel - (double)region->at[1] * side,
                              (double)x.z / noise->voxel - (double)region->at[2] * side};
        grain g;
        if (!place(&g, noise, at, side)) continue;
        if (!deep) make_waves(&g, noise, noise->id != NULL ? noise->id[p] : (uint32_t)p, at);
        add_grain(&g, !deep, side, out);
    }
}
