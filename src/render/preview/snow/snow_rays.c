// SPDX-License-Identifier: MIT
// Ray marching through the snow volume. Transmittance is e^-(optical depth), the integral of an
// extinction per voxel that grows with occupancy. Real snow is opaque within millimetres (724/m at
// 400 kg/m^3, Stomakhin 2013, section 9); here within a voxel or two, whatever their size, which
// avoids stair-step aliasing at edges.
#include "render/preview/snow/snow_rays.h"

#include "math/rgb.h"

#define STEP 0.7f            // [voxels] of camera rays
#define OPAQUE 5.0f          // optical depth at which a camera ray ends
#define AIR 0.08f            // occupancy below which a camera ray takes double steps
#define SAMPLES_MAX 96       // stored samples for locating the surface
#define SUN_EXTINCTION 1.6f  // per voxel of packed snow
#define SHADOW_FINE 5.0f     // [voxels] after which a sun ray samples the `mid` level

// Extinction per voxel for camera rays. A smooth threshold removes loose snow: packed snow gets a
// clear edge, and lone particles are drawn as crumbs, which are sharper than a voxel.
static float eye_extinction(float occupancy)
{
    return 4.5f * occupancy * firn_smooth_between(0.22f, 0.75f, occupancy);
}

// A ray direction with its inverse.
typedef struct grid_ray {
    firn_grid_point d;  // unit
    float inverse[3];   // 1 / component; huge where it is 0
} grid_ray;

static grid_ray make_grid_ray(firn_vec3 direction)
{
    grid_ray r = {{(float)direction.x, (float)direction.y, (float)direction.z}, {0, 0, 0}};
    const float d[3] = {r.d.x, r.d.y, r.d.z};
    for (int a = 0; a < 3; a++) r.inverse[a] = d[a] > 1e-6f || d[a] < -1e-6f ? 1 / d[a] : 1e6f;
    return r;
}

// Distance along one axis from `at` to the face of the lattice cell of this width [voxels].
static inline float exit_distance_on_axis(float at, float inverse, float width)
{
    const float s = at / width;
    const int32_t below = (int32_t)s - (s < 0);
    return ((float)(below + (inverse > 0)) * width - at) * inverse;
}

// Distance from p to the exit of its cell in the lattice of spacing `width` [voxels].
static inline float exit_distance(firn_grid_point p, const grid_ray* r, float width)
{
    const float x = exit_distance_on_axis(p.x, r->inverse[0], width),
                y = exit_distance_on_axis(p.y, r->inverse[1], width);
    const float z = exit_distance_on_axis(p.z, r->inverse[2], width);
    const float least = x < y ? (x < z ? x : z) : (y < z ? y : z);
    return least > 0 && least < 1e4f ? least : 0;
}

// The same in steps, rounded up so that the last one is outside.
static inline int32_t steps_to_leave(firn_grid_point p, const grid_ray* r, float width, float step)
{
    return 1 + (int32_t)(exit_distance(p, r, width) / step);
}

// Position where half of the final opacity is reached [steps].
static float find_half_cover(const float* depth, const float* at, int count, float total)
{
    // cover is 1 - e^-depth; half of it is at -ln(1 - cover/2), within 7 % of this
    const float wanted = 0.693f * (1 - firn_fade(0.72f * total));
    int k = 0;
    while (k < count - 1 && depth[k] < wanted) k++;
    const float before = k > 0 ? depth[k - 1] : 0;
    const float part = depth[k] > before ? (wanted - before) / (depth[k] - before) : 1;
    return at[k] - 1 + firn_clamp01(part);
}

// State of a camera ray. Samples lie at integer multiples of the step from the eye, wherever the
// march starts: positions that depended on blocks or depth-map cells would cause visible patterns.
typedef struct eye_march {
    firn_grid_point start;  // of sample 0
    grid_ray ray;
    int32_t n, last;  // sample
    bool skipped;     // sample n - 1 was skipped
    float total;      // optical depth
    int count;
    float depth[SAMPLES_MAX], at[SAMPLES_MAX];  // optical depth after each sample, and its number
} eye_march;

// Marches through one block, up to but excluding sample `end`. It reads only this block's values,
// so the processor can prefetch those of the next sample.
static void march_block(const firn_snow_volume* v, int32_t block, int32_t end, eye_march* w)
{
    const firn_grid_point corner = {(float)(v->at[block][0] * FIRN_SNOW_BLOCK),
                                    (float)(v->at[block][1] * FIRN_SNOW_BLOCK),
                                    (float)(v->at[block][2] * FIRN_SNOW_BLOCK)};
    const firn_grid_point start = firn_grid_madd(w->start, -1, corner);
    const float* fine = v->fine + (size_t)block * FIRN_SNOW_FINE;
    const uint32_t solid = v->solid[block];
    while (w->n < end && w->total < OPAQUE) {
        const firn_grid_point p = firn_grid_madd(start, (float)w->n * STEP, w->ray.d);
        const int eighth = (p.x >= 4) + 2 * (p.y >= 4) + 4 * (p.z >= 4);
        if (!(solid >> eighth & 1u)) {
            w->n += steps_to_leave(p, &w->ray, FIRN_SNOW_BLOCK / 2, STEP);
            w->skipped = false;
            continue;
        }
        const float occupancy =
            firn_snow_trilinear(fine, 10, 100, p.x + 0.5f, p.y + 0.5f, p.z + 0.5f);
        if (w->skipped && occupancy > AIR) {  // entering snow: go back to the skipped sample
            w->skipped = false;
            w->n--;
            return;
        }
        w->skipped = occupancy <= AIR;
        w->n += w->skipped ? 2 : 1;
        const float s = STEP * eye_extinction(occupancy);
        if (s <= 0) continue;
        w->total += s;
        if (w->count < SAMPLES_MAX) {
            w->depth[w->count] = w->total;
            w->at[w->count++] = (float)w->n;
        }
    }
}

firn_snow_hit firn_snow_trace(const firn_snow_volume* v, firn_ray ray, firn_real t0, firn_real t1)
{
    const firn_snow_hit none = {0, 0};
    const firn_real metre = STEP * v->voxel;
    const firn_real first = firn_floor(t0 / metre);
    if (!(t1 > t0) || !(first >= 0) || first > 1e9f) return none;
    const firn_real span = (t1 - first * metre) / metre;
    eye_march w;
    w.start = firn_snow_to_grid(v, firn_v3_madd(ray.origin, first * metre, ray.direction));
    w.ray = make_grid_ray(ray.direction);
    w.last = span < 1e6f ? (int32_t)span : 1000000;
    w.n = w.count = 0;
    w.skipped = false;
    w.total = 0;
    while (w.n <= w.last && w.total < OPAQUE) {
        const firn_grid_point p = firn_grid_madd(w.start, (float)w.n * STEP, w.ray.d);
        const int32_t block = firn_snow_block_at(v, p);
        const int32_t end = w.n + steps_to_leave(p, &w.ray, FIRN_SNOW_BLOCK, STEP);
        if (block >= 0 && v->solid[block] != 0) {
            march_block(v, block, end <= w.last ? end : w.last + 1, &w);
        } else {
            w.n = end;
            w.skipped = false;
        }
    }
    if (w.count == 0) return none;
    const float cover = w.total >= OPAQUE ? 1 : 1 - firn_fade(w.total);
    const float half = find_half_cover(w.depth, w.at, w.count, w.total);
    const firn_real t = (first - 0.5f + half) * metre;
    return (firn_snow_hit){cover, firn_min(firn_max(t, t0), t1)};
}

firn_vec3 firn_snow_normal(const firn_snow_volume* v, firn_vec3 x, firn_vec3 fallback)
{
    const firn_grid_point g = firn_snow_to_grid(v, x);
    float slope[3];
    for (int a = 0; a < 3; a++) {
        const firn_grid_point e = {a == 0, a == 1, a == 2};
        const float fine = firn_snow_fine(v, firn_grid_madd(g, -0.8f, e)) -
                           firn_snow_fine(v, firn_grid_madd(g, 0.8f, e));
        const float mid = firn_snow_mid(v, firn_grid_madd(g, -2.0f, e)) -
                          firn_snow_mid(v, firn_grid_madd(g, 2.0f, e));
        slope[a] = 0.32f * fine + 0.68f * mid;
    }
    const firn_vec3 n = firn_v3(slope[0], slope[1], slope[2]);
    return firn_v3_dot(n, n) > 1e-8f ? firn_v3_normalize(n, fallback) : fallback;
}

// Optical depth along the ray in one block, from *s to `end` [voxels]; advances *s. Samples `fine`
// while *s is below `fine_end`, then `mid`.
static float sun_depth_in_block(const firn_snow_volume* v, int32_t block, firn_grid_point g,
                                const grid_ray* r, float fine_end, float* s, float end)
{
    const int32_t* at = v->at[block];
    const firn_grid_point local = {g.x - (float)(at[0] * FIRN_SNOW_BLOCK),
                                   g.y - (float)(at[1] * FIRN_SNOW_BLOCK),
                                   g.z - (float)(at[2] * FIRN_SNOW_BLOCK)};
    const float* fine = v->fine + (size_t)block * FIRN_SNOW_FINE;
    const float* mid = v->mid + (size_t)block * FIRN_SNOW_MID;
    float total = 0;
    while (*s < end) {
        const firn_grid_point p = firn_grid_madd(local, *s, r->d);
        const bool near = *s < fine_end;
        const float step = near ? 1 : 2;
        total +=
            step * (near ? firn_snow_trilinear(fine, 10, 100, p.x + 0.5f, p.y + 0.5f, p.z + 0.5f)
                         : firn_snow_trilinear(mid, 6, 36, 0.5f * p.x + 0.5f, 0.5f * p.y + 0.5f,
                                               0.5f * p.z + 0.5f));
        *s += step;
    }
    return SUN_EXTINCTION * total;
}

float firn_snow_sun_depth(const firn_snow_volume* v, const firn_depth_map* sun, firn_vec3 x,
                          float start)
{
    if (v->block_count == 0) return 0;
    const firn_depth_span span = firn_depth_map_toward_sun(sun, x);
    const float here = (float)firn_v3_dot(x, sun->to), scale = 1 / (float)v->voxel;
    // start at the nearest snow, so that float positions stay accurate however far it is
    float skip = (span.near - here) * scale;
    skip = skip > 0 ? skip : 0;
    const float end = (span.far - here) * scale - skip;
    float s = start > skip ? start - skip : 0;
    if (!(s < end)) return 0;
    const firn_vec3 from = firn_v3_madd(x, skip * v->voxel, sun->to);
    const firn_grid_point g = firn_snow_to_grid(v, from);
    const grid_ray r = make_grid_ray(sun->to);
    float total = 0;
    while (s < end && total < 20) {
        const firn_grid_point p = firn_grid_madd(g, s, r.d);
        const int32_t block = firn_snow_block_at(v, p);
        // slightly past the face, so that rounding cannot stop the ray there
        const float out = s + exit_distance(p, &r, FIRN_SNOW_BLOCK) + 0.01f;
        if (block >= 0)
            total +=
                sun_depth_in_block(v, block, g, &r, SHADOW_FINE - skip, &s, out < end ? out : end);
        if (s < out) s = out;
    }
    return total;
}

bool firn_snow_near(const firn_snow_volume* v, firn_grid_point g)
{
    const float reach = 44;  // [voxels] of ambient cones (ambient.c)
    return v->block_count > 0 && g.x > -reach && g.y > -reach && g.z > -reach &&
           g.x < (float)(v->size[0] * FIRN_SNOW_BLOCK) + reach &&
           g.y < (float)(v->size[1] * FIRN_SNOW_BLOCK) + reach &&
           g.z < (float)(v->size[2] * FIRN_SNOW_BLOCK) + reach;
}
