// SPDX-License-Identifier: MIT
#include "render/preview/ambient.h"

#include "render/preview/snow/snow_rays.h"

#define CONES 5           // per hemisphere
#define EXTINCTION 0.45f  // per voxel of packed snow, averaged over a wide cone
#define UNDER 0.35f       // ground radiance below a collider or snow, relative to open ground

// Accumulated along a cone: transmittance and radiance of the snow so far.
typedef struct gather {
    float open;
    firn_rgb light;
} gather;

static void add_snow(gather* a, float occupancy, float length, firn_rgb radiance)
{
    const float through = firn_fade(EXTINCTION * length * occupancy);
    a->light = firn_rgb_madd(a->light, a->open * (1 - through), radiance);
    a->open *= through;
}

// The coarse level at p: occupancy, and radiance of the snow surfaces.
static float read_coarse(const firn_view* view, firn_grid_point p, firn_rgb* out_radiance)
{
    const firn_snow_volume* v = &view->volume;
    *out_radiance = firn_rgb_of(0, 0, 0);
    if (view->light.coarse == NULL) return firn_snow_coarse(v, p);
    firn_grid_point q;
    if (!firn_snow_coarse_point(v, p, &q)) return 0;
    float c[4];
    firn_snow_mix4((const float(*)[4])view->light.coarse, v->size[0],
                   (int64_t)v->size[0] * v->size[1], q.x, q.y, q.z, c);
    if (!(c[3] > 1e-4f)) return 0;
    *out_radiance = firn_rgb_scale(firn_rgb_of(c[0], c[1], c[2]), 1 / c[3]);
    return c[3];
}

static void sample_mid(const firn_view* view, firn_grid_point p, float length, gather* a)
{
    const firn_snow_volume* v = &view->volume;
    const int32_t block = firn_snow_block_at(v, p);
    if (block < 0) return;
    float occupancy = firn_snow_mid_in(v, block, p);
    occupancy *= firn_smooth_between(0.06f, 0.26f, occupancy);  // ignore crumbs
    if (!(occupancy > 0)) return;
    firn_rgb radiance;
    // inside packed snow: use the radiance of nearby surfaces that the cone has crossed
    if (!firn_snow_light_in(v, view->light.surface, block, p, &radiance))
        read_coarse(view, p, &radiance);
    add_snow(a, occupancy, length, radiance);
}

static void sample_coarse(const firn_view* view, firn_grid_point p, float length, gather* a)
{
    firn_rgb radiance;
    const float occupancy = read_coarse(view, p, &radiance);
    if (occupancy > 0) add_snow(a, occupancy, length, radiance);
}

static gather trace_cone(const firn_view* view, firn_grid_point g, firn_vec3 dir)
{
    const firn_grid_point d = {(float)dir.x, (float)dir.y, (float)dir.z};
    gather a = {1, {0, 0, 0}};
    sample_mid(view, firn_grid_madd(g, 2.2f, d), 2.0f, &a);
    sample_mid(view, firn_grid_madd(g, 5.0f, d), 3.5f, &a);
    sample_coarse(view, firn_grid_madd(g, 10.5f, d), 8, &a);
    if (a.open < 0.005f) return a;
    sample_coarse(view, firn_grid_madd(g, 22, d), 16, &a);
    sample_coarse(view, firn_grid_madd(g, 42, d), 24, &a);
    return a;
}

firn_rgb firn_ambient_light(const firn_view* view, firn_vec3 x, firn_vec3 n, int32_t own)
{
    const firn_snow_volume* v = &view->volume;
    const firn_vec3 side = firn_abs(n.y) < 0.9f ? firn_v3(0, 1, 0) : firn_v3(1, 0, 0);
    const firn_vec3 a = firn_v3_normalize(firn_v3_cross(side, n), firn_v3(1, 0, 0));
    const firn_vec3 b = firn_v3_cross(n, a);
    const firn_grid_point g = firn_snow_to_grid(v, x);
    const bool snow = firn_snow_near(v, g);
    // one cone along the normal, four at 57 degrees to it: each a fifth of the cosine-weighted
    // hemisphere
    static const float lean[CONES][3] = {
        {0, 0, 1}, {0.84f, 0, 0.54f}, {0, 0.84f, 0.54f}, {-0.84f, 0, 0.54f}, {0, -0.84f, 0.54f}};
    firn_rgb sum = {0, 0, 0};
    for (int k = 0; k < CONES; k++) {
        firn_vec3 d = firn_v3_scale(n, lean[k][2]);
        d = firn_v3_madd(firn_v3_madd(d, lean[k][0], a), lean[k][1], b);
        float open = 1, below;
        if (view->colliders.count > (own >= 0))
            open = firn_preview_colliders_visibility(&view->colliders, x, d, 24 * v->voxel, own);
        const firn_rgb sky = firn_sky_cone(&view->cones, d, &below);
        firn_rgb c = firn_rgb_scale(sky, open);
        const firn_rgb* ground = &view->cones.ground;
        c = firn_rgb_madd(c, below * (UNDER + (1 - UNDER) * open), *ground);
        c = firn_rgb_madd(c, (1 - below) * (1 - open) * UNDER, *ground);  // sides of colliders
        if (snow) {
            const gather s = trace_cone(view, g, d);
            c = firn_rgb_madd(s.light, s.open, c);
        }
        sum = firn_rgb_madd(sum, 1.0f / CONES, c);
    }
    return sum;
}

float firn_sun_visibility(const firn_view* view, firn_vec3 x, float start)
{
    const float visible = firn_preview_colliders_sun(&view->colliders, x, view->day.sun, -1);
    if (visible <= 0) return 0;
    return visible * firn_fade(firn_snow_sun_depth(&view->volume, &view->sun_map, x, start));
}
