// SPDX-License-Identifier: MIT
// Stages of the preview: build colliders, snow volume and light; sort particles into tiles; draw
// tile by tile (primary rays, splats, shading).
//
// Threads: the view is constant while tiles are drawn; each tile is drawn by one thread into its
// own pixels.
#include "render/preview/preview.h"

#include "core/memory.h"
#include "core/threads/team.h"
#include "render/camera_path.h"
#include "render/daylight_scene.h"
#include "render/image/image.h"
#include "render/image/tone_map.h"
#include "render/preview/preview_fluids.h"
#include "render/preview/snow/snow_rays.h"
#include "render/preview/splats.h"
#include "scene/data/scene.h"

#define PNG_EFFORT 3  // zlib level: twice as fast as the default, for 5 % more bytes

static void destroy_view(firn_view* view)
{
    firn_preview_colliders_destroy(&view->colliders);
    firn_snow_volume_destroy(&view->volume);
    firn_depth_map_destroy(&view->eye_map);
    firn_depth_map_destroy(&view->sun_map);
    firn_snow_light_destroy(&view->light);
    firn_fluid_layer_destroy(&view->layer);
    firn_fluids_destroy(&view->fluids);
}

// Radiance of the unshadowed ground: of the first plane that faces up, or else haze.
static firn_rgb ground_of(const firn_view* view)
{
    const firn_daylight* day = &view->day;
    for (int32_t i = 0; i < view->colliders.count; i++) {
        const firn_preview_collider* b = &view->colliders.items[i];
        if (!b->is_plane || b->normal.y < 0.7f) continue;
        const float facing = firn_clamp01((float)firn_v3_dot(b->normal, day->sun));
        return firn_rgb_mul(b->albedo, firn_rgb_madd(day->dome, facing, day->direct));
    }
    return day->haze;
}

// Fills `view`; after a failure the caller destroys what was built.
static firn_result prepare_view(firn_view* view, const firn_scene_data* scene, double cell,
                                double time, firn_error* error)
{
    const firn_render_block* r = &scene->render;
    view->camera = firn_camera_of_scene(r, time);
    view->day = firn_daylight_of_scene(r);
    view->tone = r->tone;
    FIRN_TRY(firn_preview_colliders_create(&view->colliders, scene->colliders,
                                           scene->collider_count, &scene->shapes, time,
                                           &view->camera, error));
    FIRN_TRY(firn_preview_colliders_paint(&view->colliders, scene, time, error));
    FIRN_TRY(firn_snow_volume_build(&view->volume, &view->points, cell, error));
    FIRN_TRY(firn_fluid_layer_create(&view->layer, &view->fluids, &view->camera, error));
    FIRN_TRY(firn_depth_map_camera(&view->eye_map, &view->volume, &view->camera, error));
    FIRN_TRY(firn_depth_map_sun(&view->sun_map, &view->volume, view->day.sun, error));
    view->cones = firn_sky_cones_make(&view->day, ground_of(view));
    view->medium = firn_snow_medium_make(&r->medium, &view->volume, view->points.mass != NULL);
    return firn_snow_light_build(view, error);
}

// Traces the primary ray of each pixel.
static void trace_primary(const firn_view* view, firn_tile* tile)
{
    for (int32_t y = 0; y < tile->height; y++)
        for (int32_t x = 0; x < tile->width; x++) {
            const int32_t px = tile->x0 + x, py = tile->y0 + y, i = y * FIRN_TILE + x;
            const firn_ray ray =
                firn_camera_ray(&view->camera, (firn_real)px + 0.5f, (firn_real)py + 0.5f);
            tile->ray[i] = ray;
            tile->collider[i] = firn_preview_colliders_trace(&view->colliders, ray);
            const firn_depth_span span = firn_depth_map_pixel(&view->eye_map, px, py);
            const firn_real end = firn_min((firn_real)span.far, tile->collider[i].t);
            firn_snow_hit hit = {0, 0};
            if (span.near < span.far) hit = firn_snow_trace(&view->volume, ray, span.near, end);
            tile->snow_cover[i] = hit.cover;
            tile->snow_t[i] = hit.t;
        }
}

// Cached ambient light of neighbouring pixels, for colliders, snow and fluids.
typedef struct memos {
    firn_sky_memo collider, snow, fluid;
} memos;

static firn_rgb shade_colliders(const firn_view* view, const firn_tile* tile, int32_t i,
                                memos* memo)
{
    const firn_ray ray = tile->ray[i];
    const firn_collider_hit* hit = &tile->collider[i];
    firn_rgb c = firn_daylight_sky(&view->day, ray.direction);
    if (hit->collider >= 0)
        c = firn_shade_collider(view, hit->collider,
                                firn_v3_madd(ray.origin, hit->t, ray.direction), ray, hit->t,
                                &memo->collider);
    if (hit->fringe_collider < 0) return c;
    const firn_vec3 x = firn_v3_madd(ray.origin, hit->fringe_t, ray.direction);
    const firn_rgb edge =
        firn_shade_collider(view, hit->fringe_collider, x, ray, hit->fringe_t, NULL);
    return firn_rgb_mix(c, edge, hit->fringe);
}

// Mean colour of the particles near a pixel's surface; light grey if there are none.
static firn_rgb tint_of(const firn_view* view, const firn_tile* tile, int32_t i)
{
    if (view->tint.value == NULL) return firn_rgb_of(1, 1, 1);
    const float pale = 1e-3f;
    const firn_rgb sum = firn_rgb_madd(tile->tint[i], pale, firn_rgb_of(0.9f, 0.9f, 0.9f));
    return firn_rgb_scale(sum, 1 / (tile->tint_weight[i] + pale));
}

// Composites back to front: colliders and sky, snow, crumbs; fluids behind the snow or before it.
static firn_rgb shade_pixel(const firn_view* view, const firn_tile* tile, int32_t i, memos* memo)
{
    const float cover = tile->snow_cover[i];
    const firn_fluid_pixel fluids = firn_fluid_pixel_find(view, tile, i);
    firn_rgb c = {0, 0, 0};
    if (cover < 0.998f) c = shade_colliders(view, tile, i, memo);
    if (fluids.count > 0 && fluids.behind_snow)
        c = firn_fluid_pixel_shade(view, &fluids, tile->ray[i], tile->collider[i].t, c,
                                   &memo->fluid);
    if (cover > 0.002f) {
        const firn_ray ray = tile->ray[i];
        firn_grain grain = tile->grain[i];
        const float s = 1 / (tile->grain_weight[i] + 0.25f);
        grain = (firn_grain){grain.tilt_x * s, grain.tilt_y * s, grain.tone * s, grain.glint * s};
        const firn_rgb snow =
            firn_shade_snow(view, firn_v3_madd(ray.origin, tile->snow_t[i], ray.direction),
                            firn_v3_scale(ray.direction, -1), grain, &memo->snow);
        c = firn_rgb_mix(c, firn_rgb_mul(tint_of(view, tile, i), snow), cover);
    }
    if (fluids.count > 0 && !fluids.behind_snow) {
        const firn_real end = cover > 0.5f ? tile->snow_t[i] : tile->collider[i].t;
        c = firn_fluid_pixel_shade(view, &fluids, tile->ray[i], end, c, &memo->fluid);
    }
    if (tile->crumb_weight[i] > 0)
        c = firn_rgb_mix(firn_rgb_scale(tile->crumb[i], 1 / tile->crumb_weight[i]), c,
                         tile->crumb_clear[i]);
    return c;
}

static void shade(const firn_view* view, const firn_tile* tile, const firn_tone* tone,
                  firn_image* image)
{
    // quads of 2 x 2 pixels share their ambient light where possible
    for (int32_t quad = 0; quad < FIRN_TILE_PIXELS / 4; quad++) {
        memos memo = {0};
        for (int32_t k = 0; k < 4; k++) {
            const int32_t x = quad % (FIRN_TILE / 2) * 2 + (k & 1);
            const int32_t y = quad / (FIRN_TILE / 2) * 2 + (k >> 1);
            if (x >= tile->width || y >= tile->height) continue;
            const firn_rgb c = shade_pixel(view, tile, y * FIRN_TILE + x, &memo);
            uint8_t* out =
                image->rgb +
                ((size_t)(tile->y0 + y) * (size_t)image->width + (size_t)(tile->x0 + x)) * 3;
            const firn_rgb shown = firn_tone_map(view->tone, c);
            out[0] = firn_tone_code(tone, shown.r);
            out[1] = firn_tone_code(tone, shown.g);
            out[2] = firn_tone_code(tone, shown.b);
        }
    }
}

typedef struct draw_args {
    const firn_view* view;
    firn_splats splats;
    firn_tone tone;
    firn_image* image;
} draw_args;

static void draw_tiles(const void* self, firn_local begin, firn_local end)
{
    const draw_args* a = self;
    const int32_t width = a->image->width, height = a->image->height;
    for (firn_local t = begin; t < end; t++) {
        firn_tile tile;
        tile.x0 = t % a->splats.nx * FIRN_TILE;
        tile.y0 = t / a->splats.nx * FIRN_TILE;
        tile.width = width - tile.x0 < FIRN_TILE ? width - tile.x0 : FIRN_TILE;
        tile.height = height - tile.y0 < FIRN_TILE ? height - tile.y0 : FIRN_TILE;
        trace_primary(a->view, &tile);
        firn_splats_draw(&a->splats, a->view, &tile);
        shade(a->view, &tile, &a->tone, a->image);
    }
}

static firn_result draw(const firn_view* view, firn_image* image, firn_error* error)
{
    draw_args a = {.view = view, .image = image};
    FIRN_TRY(firn_splats_sort(&a.splats, view, error));
    firn_tone_init(&a.tone);
    firn_share(a.splats.nx * a.splats.ny, 1, draw_tiles, &a);
    firn_splats_destroy(&a.splats);
    return FIRN_OK;
}

firn_result firn_preview_draw(const firn_scene_data* scene, double cell, double time,
                              const firn_snow_points* points, const firn_real* value,
                              firn_image* out_image, firn_error* error)
{
    if (!(cell > 0 && cell < 1e9))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a preview needs the grid spacing in metres, not %g", cell);
    if (scene->render.width > FIRN_IMAGE_SIDE_MAX || scene->render.height > FIRN_IMAGE_SIDE_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a picture of %lld x %lld pixels is too large: each side may have %d",
                         (long long)scene->render.width, (long long)scene->render.height,
                         FIRN_IMAGE_SIDE_MAX);
    firn_image image;
    FIRN_TRY(firn_image_create(&image, (int32_t)scene->render.width, (int32_t)scene->render.height,
                               error));
    const firn_colour_block* colour = &scene->render.colour_by;
    firn_view view = {.points = *points, .tint = firn_tint_make(colour, value)};
    firn_preview_snow snow = {0};
    firn_result result = FIRN_OK;
    if (value == NULL) result = firn_preview_split(&snow, &view, scene, cell, time, error);
    if (result == FIRN_OK) result = prepare_view(&view, scene, cell, time, error);
    if (result == FIRN_OK) result = draw(&view, &image, error);
    destroy_view(&view);
    firn_preview_snow_destroy(&snow);
    if (result == FIRN_OK)
        *out_image = image;
    else
        firn_image_destroy(&image);
    return result;
}

firn_result firn_preview_save(const char* path, const firn_image* image, firn_error* error)
{
    return firn_png_write(path, image, PNG_EFFORT, error);
}

firn_result firn_preview_write(const char* path, const firn_scene_data* scene, double cell,
                               double time, const firn_snow_points* points, const firn_real* value,
                               firn_error* error)
{
    firn_image image;
    FIRN_TRY(firn_preview_draw(scene, cell, time, points, value, &image, error));
    const firn_result result = firn_preview_save(path, &image, error);
    firn_image_destroy(&image);
    return result;
}
