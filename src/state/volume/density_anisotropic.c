// SPDX-License-Identifier: MIT
// Anisotropic kernels after Yu and Turk 2013, "Reconstructing surfaces of particle-based fluids
// using anisotropic kernels" (ACM Transactions on Graphics 32): the shape of a kernel follows the
// covariance of the particle's neighbours.
//
//        . . . . . . .        at a surface an ellipsoid: wide along it, so that neighbours blend;
//      ( = = = o = = = )      thin across it, so that it stays sharp
//        . . . . . . .
//
// Same as in the paper: weights, clamped ratios, and eigenvalues (not their roots) as widths.
// Different:
//   - the result is a density, not a level set: weights are normalised over the voxels of a kernel,
//     so that mass is conserved;
//   - kernels are convolved with a voxel (variances add), so that none falls between grid points;
//   - the kernel changes continuously between many and few neighbours; in the paper it jumps, which
//     would flicker where snow breaks;
//   - particles are not smoothed (lambda = 0). With the paper's 0.9 the surface of a slab sinks by
//     0.7 spacings: snow would look too thin, with gaps to the colliders below it.
#include "state/volume/density_anisotropic.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/svd3.h"
#include "state/block_spread.h"
#include "state/neighbours.h"

#define SEARCH 3.0   // [spacings] search radius: 113 neighbours in packed snow
#define SUPPORT 2.0  // [spacings] radius of a kernel inside the snow
#define RATIO 4.0    // k_r: largest ratio of widths
#define ROUND 0.5    // k_n: width of an isolated particle's kernel relative to one inside the snow
#define LONGEST 1.5  // largest width; particles in a line have 1.48
#define FEW 20.0     // neighbours: with fewer, a particle counts as isolated,
#define ENOUGH 35.0  //             with more, its kernel is anisotropic. A flat surface has 57
#define BLUR 1.0     // [voxels] added to the width of kernels
#define CROWD \
    4096  // approximate number of particles sampled per kernel; packed snow has 729 in
          // 27 cells
// Variance along an axis of a ball full of neighbours, over its radius squared:
// 1/3 int d^4 (1 - d^3) dd / int d^2 (1 - d^3) dd from 0 to 1.
#define FULL 0.15

// The kernel is (1 - q)^3 with q = r^T A^-1 r, r in voxels from the particle.
typedef struct shape {
    float A[6];   // [voxels^2] xx, yy, zz, xy, xz, yz
    float scale;  // 1 / sum of the kernel over all voxels
} shape;

typedef struct ellipsoids {
    const firn_vec3 *x, *v;  // v may be null
    const firn_real* mass;
    double voxel;
    shape* shapes;  // owned; [count]
} ellipsoids;

// Sums over the neighbours of one particle.
typedef struct moments {
    firn_local step;  // only every step-th neighbour is sampled
    double weight;
    double first[3];   // [m]
    double second[6];  // [m^2] as in shape.A
} moments;

// Weights fall from 1 to 0 at the radius: w = 1 - (d/r)^3. A particle is its own neighbour.
static void add_run(moments* m, const firn_vec3* x, firn_local begin, firn_local end,
                    firn_vec3 center, firn_real radius)
{
    const firn_real radius2 = radius * radius, per_radius = 1 / radius;
    for (firn_local k = begin; k < end; k += m->step) {
        const firn_vec3 d = firn_v3_sub(x[k], center);
        const firn_real d2 = firn_v3_dot(d, d);
        if (!(d2 < radius2)) continue;
        const firn_real s = firn_sqrt(d2) * per_radius;
        const double w = (double)(1 - s * s * s);
        const double wx = w * (double)d.x, wy = w * (double)d.y, wz = w * (double)d.z;
        m->weight += w;
        m->first[0] += wx;
        m->first[1] += wy;
        m->first[2] += wz;
        m->second[0] += wx * (double)d.x;
        m->second[1] += wy * (double)d.y;
        m->second[2] += wz * (double)d.z;
        m->second[3] += wx * (double)d.y;
        m->second[4] += wx * (double)d.z;
        m->second[5] += wy * (double)d.z;
    }
}

// Covariance about the weighted mean; 1 along each axis inside the snow.
static firn_mat3 covariance(const moments* m, double radius)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    firn_mat3 C;
    for (int k = 0; k < 6; k++) {
        const int i = row[k], j = column[k];
        const double mean2 = m->first[i] * m->first[j] / m->weight;
        const double c = (m->second[k] - mean2) / (m->weight * FULL * radius * radius);
        C.m[i][j] = C.m[j][i] = (firn_real)c;
    }
    return C;
}

// Widths along the eigenvectors from the eigenvalues of the covariance; 1 inside the snow.
static void find_widths(const moments* m, firn_vec3 eigenvalues, double out_width[3])
{
    const double value[3] = {(double)eigenvalues.x, (double)eigenvalues.y, (double)eigenvalues.z};
    const double longest = fmin(fmax(value[0], ROUND), LONGEST);
    const double neighbours = 2 * m->weight * m->step;  // their average weight is 1/2
    const double share = fmin(fmax((neighbours - FEW) / (ENOUGH - FEW), 0), 1);
    for (int k = 0; k < 3; k++) {
        const double width = fmin(fmax(value[k], longest / RATIO), longest);
        out_width[k] = ROUND + share * (width - ROUND);
    }
}

// `unit` [voxels]: length of a width of 1.
static void find_shape(const moments* m, double radius, double unit, shape* out)
{
    // possibly no particle was sampled, not even this one
    const firn_svd3 e = firn_svd3_of(m->weight > 0 ? covariance(m, radius) : firn_m3_identity());
    double width[3], A[6] = {0};
    find_widths(m, e.s, width);
    for (int k = 0; k < 3; k++) {
        const firn_vec3 u = firn_m3_column(e.U, k);
        const double a2 = unit * unit * width[k] * width[k] + BLUR * BLUR;
        const double ux = (double)u.x, uy = (double)u.y, uz = (double)u.z;
        const double outer[6] = {ux * ux, uy * uy, uz * uz, ux * uy, ux * uz, uy * uz};
        for (int n = 0; n < 6; n++) A[n] += a2 * outer[n];
    }
    for (int n = 0; n < 6; n++) out->A[n] = (float)A[n];
}

// One kernel, prepared for evaluation.
typedef struct kernel {
    double at[3];             // [voxels]
    double inverse[6];        // A^-1
    int32_t low[3], high[3];  // bounding box in voxels
} kernel;

static kernel open_kernel(const ellipsoids* c, firn_local p)
{
    const float* f = c->shapes[p].A;
    const double a = (double)f[0], b = (double)f[1], d = (double)f[2];
    const double e = (double)f[3], g = (double)f[4], h = (double)f[5];
    const double cofactor[6] = {b * d - h * h, a * d - g * g, a * b - e * e,
                                g * h - e * d, e * h - g * b, e * g - h * a};
    const double det = a * cofactor[0] + e * cofactor[3] + g * cofactor[4];
    kernel k = {{c->x[p].x / c->voxel, c->x[p].y / c->voxel, c->x[p].z / c->voxel}, {0}, {0}, {0}};
    for (int n = 0; n < 6; n++) k.inverse[n] = cofactor[n] / det;
    for (int n = 0; n < 3; n++) {
        const double reach = sqrt((double)f[n]);
        k.low[n] = (int32_t)ceil(k.at[n] - reach);
        k.high[n] = (int32_t)floor(k.at[n] + reach);
    }
    return k;
}

// One row of voxels along z: q = a + 2 b z + c z^2, z relative to the particle.
typedef struct row {
    double a, b, c;
    int32_t low, high;  // voxels with q < 1; none if low > high
} row;

static row open_row(const kernel* k, int32_t i, int32_t j)
{
    const double x = i - k->at[0], y = j - k->at[1];
    const double* Q = k->inverse;
    row r = {Q[0] * x * x + Q[1] * y * y + 2 * Q[3] * x * y, Q[4] * x + Q[5] * y, Q[2], 0, -1};
    const double root2 = r.b * r.b - r.c * (r.a - 1);
    if (!(root2 > 0)) return r;
    const double middle = k->at[2] - r.b / r.c, half = sqrt(root2) / r.c;
    r.low = (int32_t)ceil(middle - half);
    r.high = (int32_t)floor(middle + half);
    return r;
}

static double weigh(const row* r, double z)
{
    const double rest = 1 - (r->a + z * (2 * r->b + z * r->c));
    return rest > 0 ? rest * rest * rest : 0;
}

static void find_scale(const ellipsoids* c, firn_local p)
{
    const kernel k = open_kernel(c, p);
    double sum = 0;
    for (int32_t i = k.low[0]; i <= k.high[0]; i++) {
        for (int32_t j = k.low[1]; j <= k.high[1]; j++) {
            const row r = open_row(&k, i, j);
            for (int32_t n = r.low; n <= r.high; n++) sum += weigh(&r, n - k.at[2]);
        }
    }
    c->shapes[p].scale = (float)(1 / sum);
}

static void locate(const void* ctx, firn_local p, int32_t out_voxel[3])
{
    const ellipsoids* c = ctx;
    const double at[3] = {c->x[p].x / c->voxel, c->x[p].y / c->voxel, c->x[p].z / c->voxel};
    for (int d = 0; d < 3; d++) out_voxel[d] = (int32_t)floor(at[d]);
}

static void touch(const void* ctx, firn_local p, firn_touched* touched)
{
    const kernel k = open_kernel(ctx, p);
    for (int32_t i = k.low[0]; i <= k.high[0]; i++) {
        for (int32_t j = k.low[1]; j <= k.high[1]; j++) {
            const row r = open_row(&k, i, j);
            if (r.low > r.high) continue;
            for (int32_t b = r.low >> 3; b <= r.high >> 3; b++)
                firn_touched_mark(touched, i >> 3, j >> 3, b);
        }
    }
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void add(const void* ctx, firn_local p, const int32_t origin[3],
                double sums[FIRN_SPREAD_VOXELS][4])
{
    const ellipsoids* c = ctx;
    const kernel k = open_kernel(c, p);
    const double m = (double)c->mass[p] * (double)c->shapes[p].scale;
    const firn_vec3 v = c->v != NULL ? c->v[p] : firn_v3(0, 0, 0);
    const int32_t *o = origin, last[3] = {o[0] + 7, o[1] + 7, o[2] + 7};
    for (int32_t i = larger(k.low[0], o[0]); i <= smaller(k.high[0], last[0]); i++) {
        for (int32_t j = larger(k.low[1], o[1]); j <= smaller(k.high[1], last[1]); j++) {
            const row r = open_row(&k, i, j);
            double(*line)[4] = sums + ((i - o[0]) * 8 + j - o[1]) * 8;
            for (int32_t n = larger(r.low, o[2]); n <= smaller(r.high, last[2]); n++) {
                const double m_n = m * weigh(&r, n - k.at[2]);
                line[n - o[2]][0] += m_n;
                if (c->v == NULL) continue;
                line[n - o[2]][1] += m_n * (double)v.x;
                line[n - o[2]][2] += m_n * (double)v.y;
                line[n - o[2]][3] += m_n * (double)v.z;
            }
        }
    }
}

typedef struct shape_job {
    const ellipsoids* kernels;
    const firn_neighbours* n;
    double unit;
} shape_job;

// Particles of cells [begin, end); a particle belongs to one cell.
static void find_shapes(const void* self, firn_local begin, firn_local end)
{
    const shape_job* job = self;
    const ellipsoids* c = job->kernels;
    const firn_neighbours* n = job->n;
    const firn_real radius = (firn_real)n->radius;
    for (firn_local cell = begin; cell < end; cell++) {
        const firn_neighbour_runs runs = firn_neighbours_of_cell(n, cell);
        firn_local all = 0;
        for (int r = 0; r < runs.count; r++) all += runs.end[r] - runs.begin[r];
        const firn_local step = 1 + all / CROWD;  // else N particles at one point would cost N^2
        for (firn_local k = n->begin[cell]; k < n->begin[cell + 1]; k++) {
            const firn_local p = n->order != NULL ? n->order[k] : k;
            moments m = {.step = step};
            for (int r = 0; r < runs.count; r++)
                add_run(&m, n->x, runs.begin[r], runs.end[r], n->x[k], radius);
            find_shape(&m, n->radius, job->unit, &c->shapes[p]);
            find_scale(c, p);
        }
    }
}

static firn_result make_shapes(ellipsoids* c, firn_local count, double spacing, firn_error* error)
{
    firn_neighbours n = {0};
    c->shapes = firn_alloc((size_t)count + 1, sizeof *c->shapes);
    if (c->shapes == NULL || firn_neighbours_create(c->x, count, SEARCH * spacing, &n) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "out of memory for the kernels of %d particles: use kernel: spline",
                         (int)count);
    firn_share(n.cell_count, 1, find_shapes, &(shape_job){c, &n, SUPPORT * spacing / c->voxel});
    firn_neighbours_destroy(&n);
    return FIRN_OK;
}

firn_result firn_density_anisotropic_build(const firn_vec3* x, const firn_vec3* v,
                                           const firn_real* mass, firn_local count, double spacing,
                                           double voxel, firn_density_volume* out_volume,
                                           firn_error* error)
{
    FIRN_TRY(firn_spread_check(x, v, mass, count, voxel, error));
    if (!(spacing > 0) || !isfinite(spacing))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a particle spacing of %g m: use a length above 0", spacing);
    const double longest = LONGEST * SUPPORT * spacing / voxel;         // [voxels]
    const double reach = sqrt(longest * longest + BLUR * BLUR) + 0.01;  // allows for rounding
    const double reach_max = 8 * FIRN_SPREAD_REACH_MAX - 1;
    if (!(reach < reach_max))
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "a voxel of %g m is too small for anisotropic kernels with a spacing of %g "
            "m: use %g m or more, or kernel: spline",
            voxel, spacing, LONGEST * SUPPORT * spacing / (reach_max - 1));
    ellipsoids c = {.x = x, .v = v, .mass = mass, .voxel = voxel};
    const firn_spread spread = {.count = count,
                                .voxel = voxel,
                                .reach = (int32_t)(reach / 8) + 1,
                                .wants_velocity = v != NULL,
                                .kernel = &c,
                                .locate = locate,
                                .touch = touch,
                                .add = add};
    firn_result result = make_shapes(&c, count, spacing, error);
    if (result == FIRN_OK) result = firn_spread_run(&spread, out_volume, error);
    firn_free(c.shapes);
    return result;
}
