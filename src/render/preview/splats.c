// SPDX-License-Identifier: MIT
// Particles as small soft discs. A disc on the snow surface perturbs its normal and tone; a
// particle with few neighbours is drawn as a crumb.
#include "render/preview/splats.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/elementary.h"
#include "render/preview/snow/snow_rays.h"
#include "render/texture.h"

#define NO_TILES UINT32_MAX
#define RADIUS_MIN 0.75f     // [pixels] smaller discs are drawn at this size, but fainter
#define RADIUS_MAX 200.0f    // [pixels] a disc touches at most 14 tiles along a side
#define TINT_REACH 2.2f      // [radii] colours overlap so that they leave no gaps
#define TINT_DEPTH 3.0f      // depth range of colours, relative to that of grain
#define POWDER_RADIUS 0.62f  // [spacings] of a point of powder with the mass of a particle
#define POWDER_FAINT 0.35f   // opacity of a point of powder
#define GLINT_SHARE 40u      // one particle in this many has a facet that may reflect the sun

// A particle's disc in screen space.
typedef struct disc {
    float px, py;  // [pixels]
    float radius;  // [pixels]
    float reach;   // [pixels] radius of influence; >= radius
    float faint;   // opacity 0..1: below 1 if the radius was raised to RADIUS_MIN
    firn_real t;   // [m] from the eye
} disc;

// Radius of the sphere of snow that a particle represents [m], varied by up to 35 % by its id.
static firn_real grain_radius(const firn_view* view, firn_local p)
{
    const firn_snow_volume* v = &view->volume;
    const float share = firn_snow_share(v, &view->points, p);
    if (firn_snow_is_powder(&view->points, p))
        return POWDER_RADIUS * v->spacing * (firn_real)firn_cbrt_double((double)share);
    const float size = share < 1 ? 0.5f + 0.5f * share : 1 + 0.14f * (share - 1);  // ~ cube root
    const float vary = 1 + 0.35f * firn_hash_signed(firn_snow_id(&view->points, p) * 3u + 1u);
    // 0.62 would be a sphere of the particle's own volume
    return 0.55f * v->spacing * size * vary;
}

static bool project(const firn_view* view, firn_local p, disc* out)
{
    const firn_vec3 x = view->points.x[p];
    firn_real px, py, depth;
    if (!firn_v3_is_finite(x) || !firn_camera_project(&view->camera, x, &px, &py, &depth))
        return false;
    const firn_real r = grain_radius(view, p) / (depth * view->camera.pixel);
    out->faint = 1;
    out->radius = (float)firn_min(r, RADIUS_MAX);
    if (out->radius < RADIUS_MIN) {
        const float s = out->radius / RADIUS_MIN;
        out->faint = firn_clamp01(0.12f + 0.88f * s * s);  // a distant crumb stays visible
        out->radius = RADIUS_MIN;
    }
    if (firn_snow_is_powder(&view->points, p)) out->faint *= POWDER_FAINT;
    out->reach = out->radius;
    if (view->tint.value != NULL) out->reach = fminf(TINT_REACH * out->radius, RADIUS_MAX);
    const firn_real m = out->reach;
    if (!(px > -m && py > -m && px < (firn_real)view->camera.width + m &&
          py < (firn_real)view->camera.height + m))
        return false;
    out->px = (float)px;
    out->py = (float)py;
    out->t = firn_v3_length(firn_v3_sub(x, view->camera.eye));
    return true;
}

// Culling: deep in the snow, with more snow towards the eye.
static bool is_buried(const firn_view* view, firn_vec3 x)
{
    const firn_snow_volume* v = &view->volume;
    const firn_grid_point g = firn_snow_to_grid(v, x);
    if (firn_snow_mid(v, g) < 0.75f) return false;
    const firn_vec3 d = firn_v3_normalize(firn_v3_sub(view->camera.eye, x), firn_v3(0, 1, 0));
    const firn_grid_point e = {(float)d.x, (float)d.y, (float)d.z};
    return firn_snow_mid(v, firn_grid_madd(g, 3, e)) > 0.75f;
}

// The tiles that a disc touches, packed: first tile, then the number of further ones in y and x
// (4 bits each).
static uint32_t tiles_of(const firn_splats* splats, const disc* d)
{
    const float s = 1.0f / FIRN_TILE;
    const int32_t x0 = (int32_t)fmaxf((d->px - d->reach) * s, 0);
    const int32_t y0 = (int32_t)fmaxf((d->py - d->reach) * s, 0);
    const int32_t x1 = (int32_t)fminf((d->px + d->reach) * s, (float)(splats->nx - 1));
    const int32_t y1 = (int32_t)fminf((d->py + d->reach) * s, (float)(splats->ny - 1));
    if (x1 < x0 || y1 < y0) return NO_TILES;
    return (uint32_t)(y0 * splats->nx + x0) << 8 | (uint32_t)(y1 - y0) << 4 | (uint32_t)(x1 - x0);
}

// Counts the particle in each tile of a packed set, or inserts it there. Returns the number of
// tiles.
static int32_t visit_tiles(firn_splats* splats, uint32_t packed, firn_local p, bool insert)
{
    if (packed == NO_TILES) return 0;
    const int32_t more_x = (int32_t)(packed & 15u), more_y = (int32_t)(packed >> 4 & 15u);
    for (int32_t y = 0; y <= more_y; y++)
        for (int32_t x = 0; x <= more_x; x++) {
            const int32_t tile = (int32_t)(packed >> 8) + y * splats->nx + x;
            if (insert)
                splats->list[splats->start[tile + 1]++] = p;
            else
                splats->start[tile + 2]++;
        }
    return (more_x + 1) * (more_y + 1);
}

static firn_result no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "no memory for the preview's particles: switch it off (output.preview: false) "
                     "or raise the memory cap");
}

static firn_result sort_into_tiles(firn_splats* splats, const uint32_t* tiles, firn_local count,
                                   firn_error* error)
{
    const int32_t tile_count = splats->nx * splats->ny;
    splats->start = firn_alloc((size_t)tile_count + 2, sizeof *splats->start);
    if (splats->start == NULL) return no_memory(error);
    int64_t total = 0;
    for (firn_local p = 0; p < count; p++) total += visit_tiles(splats, tiles[p], p, false);
    if (total > INT32_MAX) return no_memory(error);
    for (int32_t c = 0; c < tile_count; c++) splats->start[c + 2] += splats->start[c + 1];
    splats->list = firn_alloc((size_t)total + 1, sizeof *splats->list);
    if (splats->list == NULL) return no_memory(error);
    for (firn_local p = 0; p < count; p++) visit_tiles(splats, tiles[p], p, true);
    return FIRN_OK;
}

typedef struct project_args {
    const firn_splats* splats;
    const firn_view* view;
    uint32_t* tiles;  // [points.count]
} project_args;

static void project_range(const void* self, firn_local begin, firn_local end)
{
    const project_args* a = self;
    for (firn_local p = begin; p < end; p++) {
        disc d;
        const bool seen = project(a->view, p, &d) && !is_buried(a->view, a->view->points.x[p]);
        a->tiles[p] = seen ? tiles_of(a->splats, &d) : NO_TILES;
    }
}

firn_result firn_splats_sort(firn_splats* splats, const firn_view* view, firn_error* error)
{
    *splats = (firn_splats){.nx = (view->camera.width + FIRN_TILE - 1) / FIRN_TILE,
                            .ny = (view->camera.height + FIRN_TILE - 1) / FIRN_TILE};
    firn_stamp_init(&splats->stamp);
    const firn_local count = view->points.count;
    uint32_t* tiles = firn_alloc((size_t)count + 1, sizeof *tiles);
    if (tiles == NULL) return no_memory(error);
    const project_args a = {splats, view, tiles};
    firn_share(count, 64, project_range, &a);
    const firn_result result = sort_into_tiles(splats, tiles, count, error);
    firn_free(tiles);
    if (result != FIRN_OK) firn_splats_destroy(splats);
    return result;
}

void firn_splats_destroy(firn_splats* splats)
{
    firn_free(splats->start);
    firn_free(splats->list);
    *splats = (firn_splats){0};
}

// A particle's contribution to the pixels of its disc.
typedef struct splat {
    disc d;
    uint32_t id;
    float loose;  // 1: a crumb, 0: part of packed snow
    bool alone;   // no packed snow nearby
    float rough;  // strength of the bump texture: 0 if the disc is only a few pixels wide
    firn_grain grain;
    firn_rgb tint;  // white where snow is not coloured
    bool lit;       // `light` and `normal` are valid
    firn_light light;
    firn_vec3 normal;
    firn_real depth;  // [m] maximum distance from the surface to affect it
} splat;

// Facets have random normals; one along the half vector of sun and eye reflects the sun.
static float find_glint(const firn_view* view, firn_vec3 x, uint32_t id)
{
    if (firn_hash32(id * 5u + 3u) % GLINT_SHARE != 0) return 0;
    const firn_vec3 eye = firn_v3_normalize(firn_v3_sub(view->camera.eye, x), firn_v3(0, 1, 0));
    const firn_vec3 half = firn_v3_normalize(firn_v3_add(eye, view->day.sun), eye);
    const firn_vec3 facet =
        firn_v3_normalize(firn_v3(firn_hash_signed(id * 5u + 11u), firn_hash_signed(id * 5u + 12u),
                                  firn_hash_signed(id * 5u + 13u)),
                          half);
    return firn_smooth_between(0.80f, 0.97f, (float)firn_v3_dot(facet, half));
}

static bool load_splat(const firn_view* view, firn_local p, splat* b)
{
    if (!project(view, p, &b->d)) return false;
    const firn_vec3 x = view->points.x[p];
    const uint32_t id = firn_snow_id(&view->points, p);
    const firn_grid_point g = firn_snow_to_grid(&view->volume, x);
    const float occupancy = firn_snow_fine(&view->volume, g);
    b->id = firn_hash32(id);
    const float around = firn_snow_mid(&view->volume, g);
    // a particle at the surface of packed snow is none: the surface has its own grain
    b->loose = 1 - fmaxf(firn_smooth_between(0.40f, 0.62f, occupancy),
                         firn_smooth_between(FIRN_SNOW_SOLID, 0.40f, around));
    b->rough = firn_clamp01((b->d.radius - 1.5f) / 3);
    b->alone = around < FIRN_SNOW_SOLID;
    b->lit = false;
    b->depth = 1.1f * view->volume.voxel;
    b->grain.tilt_x = 0.40f * firn_hash_signed(id * 7u + 1u);
    b->grain.tilt_y = 0.40f * firn_hash_signed(id * 7u + 2u);
    b->grain.tone = firn_hash_signed(id * 7u + 3u);
    b->grain.glint = find_glint(view, x, id);
    b->tint = view->tint.value != NULL ? firn_tint_colour(&view->tint, view->tint.value[p])
                                       : firn_rgb_of(1, 1, 1);
    return true;
}

// (u, v): position in the disc, -1..1 along the camera's right and up; r2 = u^2 + v^2 < 1.
static void splat_on_surface(firn_tile* tile, int32_t i, const splat* b, float u, float v, float r2,
                             firn_stamp_texel texel)
{
    // the surface lies outside the outermost particles, farther the denser they are
    float off = (float)((b->d.t - tile->snow_t[i]) / b->depth);
    if (off > 0) off *= 0.5f;
    const float near = 1 - off * off;
    if (near <= 0) return;
    const float w = near * (1 - r2) * (1 - r2) * b->d.faint, rough = b->rough;
    firn_grain* g = &tile->grain[i];
    g->tilt_x += w * (b->grain.tilt_x + 0.15f * u + 0.9f * rough * texel.slope_x);
    g->tilt_y += w * (b->grain.tilt_y + 0.15f * v + 0.9f * rough * texel.slope_y);
    g->tone += w * (b->grain.tone + 1.2f * rough * texel.height);
    g->glint += w * b->grain.glint;
    tile->grain_weight[i] += w;
}

// Colour, over a larger radius than the grain: r2 is in units of the reach.
static void splat_tint(firn_tile* tile, int32_t i, const splat* b, float r2)
{
    const float off = (float)(b->d.t - tile->snow_t[i]) / (TINT_DEPTH * (float)b->depth);
    const float near = 1 - off * off;
    if (near <= 0 || r2 >= 1) return;
    const float w = near * (1 - r2) * (1 - r2);
    tile->tint[i] = firn_rgb_madd(tile->tint[i], w, b->tint);
    tile->tint_weight[i] += w;
}

// Light on a crumb and its normal: that of the packed snow that it lies on or, if alone, roughly
// towards the eye and up.
static void light_splat(const firn_view* view, firn_local p, splat* b)
{
    const firn_vec3 x = view->points.x[p], up = firn_v3(0, 1, 0);
    if (b->alone) {
        b->light = firn_light_on_crumb(view, x);
        b->normal = firn_v3_madd(firn_v3_scale(view->camera.forward, -0.7f), 0.35f, up);
    } else {
        b->normal = firn_snow_normal(&view->volume, x, up);
        b->light = firn_light_on_snow(view, x, b->normal, NULL);
    }
    b->lit = true;
}

static void splat_crumb(const firn_view* view, firn_local p, firn_tile* tile, int32_t i, splat* b,
                        float u, float v, float r2, firn_stamp_texel texel)
{
    // flecks, fewer towards the outline, with edges of a pixel
    const float rough = b->rough;
    const float ragged = r2 * (1.15f + 0.35f * rough) + rough * (0.35f - 1.6f * texel.height);
    const float edge = firn_clamp01((1 - sqrtf(ragged > 0 ? ragged : 0)) * b->d.radius + 0.2f);
    const float cover = b->loose * b->d.faint * edge;
    if (cover <= 0) return;
    if (!b->lit) light_splat(view, p, b);
    const firn_camera* c = &view->camera;
    const float x = 0.45f * u + b->grain.tilt_x + 0.6f * rough * texel.slope_x;
    const float y = 0.45f * v + b->grain.tilt_y + 0.6f * rough * texel.slope_y;
    const firn_vec3 n = firn_v3_madd(firn_v3_madd(b->normal, x, c->right), y, c->up);
    const firn_rgb shade =
        firn_shade_crumb(view, &b->light, firn_v3_normalize(n, c->up), b->grain.tone);
    tile->crumb[i] = firn_rgb_madd(tile->crumb[i], cover, firn_rgb_mul(b->tint, shade));
    tile->crumb_weight[i] += cover;
    tile->crumb_clear[i] *= 1 - cover;
}

static void draw_disc(const firn_splats* splats, const firn_view* view, firn_local p,
                      firn_tile* tile, splat* b)
{
    const disc* d = &b->d;
    const float left = d->px - (float)tile->x0, top = d->py - (float)tile->y0;
    const int32_t x0 = (int32_t)fmaxf(left - d->reach, 0), y0 = (int32_t)fmaxf(top - d->reach, 0);
    const int32_t x1 = (int32_t)fminf(left + d->reach, (float)(tile->width - 1));
    const int32_t y1 = (int32_t)fminf(top + d->reach, (float)(tile->height - 1));
    const float s = 1 / d->radius, widen = d->radius / d->reach;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            const float u = ((float)x + 0.5f - left) * s, v = (top - (float)y - 0.5f) * s;
            const float r2 = u * u + v * v;
            const int32_t i = y * FIRN_TILE + x;
            if (d->t > tile->collider[i].t + 1.5f * b->depth) continue;
            const bool solid = tile->snow_cover[i] > 0.35f;
            if (view->tint.value != NULL) splat_tint(tile, i, b, r2 * widen * widen);
            if (!(r2 < 1)) continue;
            const firn_stamp_texel texel = firn_stamp_at(&splats->stamp, b->id, u, v);
            if (solid) splat_on_surface(tile, i, b, u, v, r2, texel);
            if (b->loose > 0 && !(solid && d->t > tile->snow_t[i] - 0.2f * b->depth))
                splat_crumb(view, p, tile, i, b, u, v, r2,
                            firn_stamp_at(&splats->stamp, b->id, 2 * u, 2 * v));
        }
}

void firn_splats_draw(const firn_splats* splats, const firn_view* view, firn_tile* tile)
{
    memset(tile->grain, 0, sizeof tile->grain);
    memset(tile->grain_weight, 0, sizeof tile->grain_weight);
    memset(tile->tint, 0, sizeof tile->tint);
    memset(tile->tint_weight, 0, sizeof tile->tint_weight);
    memset(tile->crumb, 0, sizeof tile->crumb);
    memset(tile->crumb_weight, 0, sizeof tile->crumb_weight);
    for (int32_t i = 0; i < FIRN_TILE_PIXELS; i++) tile->crumb_clear[i] = 1;
    const int32_t t = tile->y0 / FIRN_TILE * splats->nx + tile->x0 / FIRN_TILE;
    for (int32_t k = splats->start[t]; k < splats->start[t + 1]; k++) {
        splat b;
        if (load_splat(view, splats->list[k], &b))
            draw_disc(splats, view, splats->list[k], tile, &b);
    }
}
