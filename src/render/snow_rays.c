// SPDX-License-Identifier: MIT
// Rays through the snow. Light fades by e^-(optical depth), the integral of an extinction per voxel
// that grows with occupancy. Real snow is opaque within millimetres (724/m at 400 kg/m^3, Stomakhin
// 2013, section 9); here within a voxel or two, whatever their size, which keeps edges soft and
// free of stair steps.
#include "render/snow_rays.h"

#include "render/colour.h"

#define STEP 0.6f         // [voxels] of the eye's rays
#define OPAQUE 5.0f       // optical depth at which an eye's ray ends
#define TRAIL_MAX 96      // samples remembered to find the surface
#define SHADOW_FINE 5.0f  // [voxels] after which a sun ray reads the coarser level

// Extinction per voxel as the eye sees it. Loose snow is cut off smoothly: bodies get a clear edge
// and single particles are left to the crumbs, which are sharper than a voxel.
static float eye_extinction(float occupancy)
{
    return 4.5f * occupancy * firn_smooth_between(0.22f, 0.75f, occupancy);
}

// Steps until the ray has left the cube of the lattice of spacing `width` [voxels] around p.
static int32_t steps_to_leave(firn_grid_point p, firn_grid_point d, float width, float step)
{
    const float at[3] = {p.x, p.y, p.z}, dir[3] = {d.x, d.y, d.z};
    float least = 1e6f;
    for (int a = 0; a < 3; a++) {
        if (dir[a] > -1e-6f && dir[a] < 1e-6f) continue;
        const float low = floorf(at[a] / width) * width;
        const float gap = ((dir[a] > 0 ? low + width : low) - at[a]) / dir[a];
        least = gap < least ? gap : least;
    }
    return 1 + (int32_t)(least / step);
}

// Whether p lies in an eighth of its block that holds a body of snow.
static bool in_solid(const firn_snow_volume* v, int32_t block, firn_grid_point p)
{
    const uint32_t x = (uint32_t)(int32_t)p.x, y = (uint32_t)(int32_t)p.y,
                   z = (uint32_t)(int32_t)p.z;
    return v->solid[block] >> ((x >> 2 & 1u) | (y >> 2 & 1u) << 1 | (z >> 2 & 1u) << 2) & 1u;
}

// Along the trail of optical depths, where half of the final cover is reached [steps].
static float half_way(const float* depth, const float* at, int count, float total)
{
    // cover is 1 - e^-depth; half of it is at -ln(1 - cover/2), within 7 % of this
    const float wanted = 0.693f * (1 - firn_fade(0.72f * total));
    int k = 0;
    while (k < count - 1 && depth[k] < wanted) k++;
    const float before = k > 0 ? depth[k - 1] : 0;
    const float part = depth[k] > before ? (wanted - before) / (depth[k] - before) : 1;
    return at[k] - 1 + firn_clamp01(part);
}

firn_snow_hit firn_snow_look(const firn_snow_volume* v, firn_ray ray, firn_real t0, firn_real t1)
{
    const firn_snow_hit none = {0, 0};
    // samples sit at whole multiples of the step from the eye, wherever the ray is entered: a
    // sampling pattern that depended on the block or on the cell of the depth map would show
    const firn_real metre = STEP * v->voxel;
    const firn_real first = firn_floor(t0 / metre);
    if (!(t1 > t0) || !(first >= 0) || first > 1e9f) return none;
    const firn_grid_point g =
        firn_snow_to_grid(v, firn_v3_madd(ray.origin, first * metre, ray.direction));
    const firn_grid_point d = {(float)ray.direction.x, (float)ray.direction.y,
                               (float)ray.direction.z};
    const firn_real span = (t1 - first * metre) / metre;
    const int32_t last = span < 1e6f ? (int32_t)span : 1000000;
    float depth[TRAIL_MAX], at[TRAIL_MAX], total = 0;
    int count = 0;
    for (int32_t n = 0; n <= last && total < OPAQUE;) {
        const firn_grid_point p = firn_grid_madd(g, (float)n * STEP, d);
        const int32_t block = firn_snow_block_at(v, p);
        const bool empty = block < 0 || v->solid[block] == 0;
        if (empty || !in_solid(v, block, p)) {
            n += steps_to_leave(p, d, empty ? FIRN_SNOW_BLOCK : FIRN_SNOW_BLOCK / 2, STEP);
            continue;
        }
        const float s = STEP * eye_extinction(firn_snow_fine_in(v, block, p));
        n++;
        if (s <= 0) continue;
        total += s;
        if (count < TRAIL_MAX) {
            depth[count] = total;
            at[count++] = (float)n;
        }
    }
    if (count == 0) return none;
    const float cover = total >= OPAQUE ? 1 : 1 - firn_fade(total);
    const firn_real t = (first - 0.5f + half_way(depth, at, count, total)) * metre;
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

float firn_snow_sun_depth(const firn_snow_volume* v, const firn_depth_map* sun, firn_vec3 x,
                          float start)
{
    if (v->block_count == 0) return 0;
    const firn_depth_span span = firn_depth_map_toward_sun(sun, x);
    const float here = (float)firn_v3_dot(x, sun->to), scale = 1 / (float)v->voxel;
    const float end = (span.far - here) * scale;
    const float begin = (span.near - here) * scale;
    float s = begin > start ? begin : start;
    if (!(s < end)) return 0;
    const firn_grid_point g = firn_snow_to_grid(v, x);
    const firn_grid_point d = {(float)sun->to.x, (float)sun->to.y, (float)sun->to.z};
    float total = 0;
    while (s < end && total < 20) {
        const firn_grid_point p = firn_grid_madd(g, s, d);
        const int32_t block = firn_snow_block_at(v, p);
        if (block < 0) {
            s += (float)steps_to_leave(p, d, FIRN_SNOW_BLOCK, 1);
        } else if (s < SHADOW_FINE) {
            total += 1.6f * firn_snow_fine_in(v, block, p);
            s += 1;
        } else {
            total += 2 * 1.6f * firn_snow_mid_in(v, block, p);
            s += 2;
        }
    }
    return total;
}

bool firn_snow_near(const firn_snow_volume* v, firn_grid_point g)
{
    const float reach = 44;  // [voxels] of firn_snow_open
    return v->block_count > 0 && g.x > -reach && g.y > -reach && g.z > -reach &&
           g.x < (float)(v->size[0] * FIRN_SNOW_BLOCK) + reach &&
           g.y < (float)(v->size[1] * FIRN_SNOW_BLOCK) + reach &&
           g.z < (float)(v->size[2] * FIRN_SNOW_BLOCK) + reach;
}

float firn_snow_open(const firn_snow_volume* v, firn_grid_point g, firn_vec3 dir)
{
    const firn_grid_point d = {(float)dir.x, (float)dir.y, (float)dir.z};
    float total = 2.0f * firn_snow_mid(v, firn_grid_madd(g, 2.2f, d));
    total += 3.5f * firn_snow_mid(v, firn_grid_madd(g, 5.0f, d));
    total += 8.0f * firn_snow_coarse(v, firn_grid_madd(g, 10.5f, d));
    if (total > 12) return 0;
    total += 16.0f * firn_snow_coarse(v, firn_grid_madd(g, 22.0f, d));
    total += 24.0f * firn_snow_coarse(v, firn_grid_madd(g, 42.0f, d));
    return firn_fade(0.45f * total);
}
