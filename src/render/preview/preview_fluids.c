// SPDX-License-Identifier: MIT
#include "render/preview/preview_fluids.h"

#include <string.h>

#include "core/memory.h"
#include "render/preview/fluid/fluid_shade.h"

// ---- particles ----------------------------------------------------------------------------------

static void* copy_of(const void* from, const firn_local* list, firn_local count, size_t size,
                     bool* good)
{
    if (from == NULL) return NULL;
    char* to = firn_alloc((size_t)count + 1, size);
    if (to == NULL) {
        *good = false;
        return NULL;
    }
    for (firn_local k = 0; k < count; k++)
        memcpy(to + (size_t)k * size, (const char*)from + (size_t)list[k] * size, size);
    return to;
}

static firn_result select_snow(firn_preview_snow* snow, firn_snow_points* points,
                               const firn_local* list, firn_local count)
{
    bool good = true;
    snow->x = copy_of(points->x, list, count, sizeof *snow->x, &good);
    snow->mass = copy_of(points->mass, list, count, sizeof *snow->mass, &good);
    snow->density = copy_of(points->density, list, count, sizeof *snow->density, &good);
    snow->radius = copy_of(points->radius, list, count, sizeof *snow->radius, &good);
    snow->id = copy_of(points->id, list, count, sizeof *snow->id, &good);
    *points = (firn_snow_points){.x = snow->x,
                                 .mass = snow->mass,
                                 .density = snow->density,
                                 .id = snow->id,
                                 .count = count,
                                 .radius = snow->radius};
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

firn_result firn_preview_split(firn_preview_snow* snow, firn_view* view,
                               const firn_scene_data* scene, double cell, double time,
                               firn_error* error)
{
    if (!firn_fluids_exist(scene)) return FIRN_OK;
    firn_snow_points* points = &view->points;
    const firn_fluid_particles particles = {.x = points->x,
                                            .mass = points->mass,
                                            .material = points->material,
                                            .count = points->count,
                                            .cell = cell};
    FIRN_TRY(firn_fluids_create(&view->fluids, scene, &particles, time, error));
    firn_local* list = firn_alloc((size_t)points->count + 1, sizeof *list);
    firn_result r = FIRN_BROKEN_MEMORY;
    if (list != NULL) {
        const firn_local count = firn_fluids_list_snow(scene, &particles, list);
        r = select_snow(snow, points, list, count);
    }
    firn_free(list);
    if (r != FIRN_OK) firn_fail(error, r, "no memory for the particles of a picture");
    return r;
}

void firn_preview_snow_destroy(firn_preview_snow* snow)
{
    firn_free(snow->x);
    firn_free(snow->mass);
    firn_free(snow->density);
    firn_free(snow->radius);
    firn_free(snow->id);
    *snow = (firn_preview_snow){0};
}

// ---- pixels -------------------------------------------------------------------------------------

firn_fluid_pixel firn_fluid_pixel_find(const firn_view* view, const firn_tile* tile, int32_t pixel)
{
    firn_fluid_pixel p;
    p.count = 0;
    p.behind_snow = false;
    for (int32_t k = 0; k < view->layer.count; k++) {
        const int32_t px = tile->x0 + pixel % FIRN_TILE, py = tile->y0 + pixel / FIRN_TILE;
        const firn_fluid_span span =
            firn_fluid_layer_at(&view->layer, &view->camera, k, px, py, tile->ray[pixel]);
        if (!(span.cover > 0) || !(span.t < tile->collider[pixel].t)) continue;
        int32_t at = p.count++;
        for (; at > 0 && p.span[at - 1].t > span.t; at--) {
            p.span[at] = p.span[at - 1];
            p.fluid[at] = p.fluid[at - 1];
        }
        p.span[at] = span;
        p.fluid[at] = k;
    }
    if (p.count > 0)
        p.behind_snow = tile->snow_cover[pixel] > 0.002f && tile->snow_t[pixel] < p.span[0].t;
    return p;
}

firn_rgb firn_fluid_pixel_shade(const firn_view* view, const firn_fluid_pixel* pixel, firn_ray ray,
                                firn_real end, firn_rgb c, firn_sky_memo* memo)
{
    // the farthest one refracts; those before it show what is behind them straight on
    for (int32_t k = pixel->count - 1; k >= 0; k--) {
        const firn_fluid_span* span = &pixel->span[k];
        if (!(span->t < end)) continue;
        const bool last = k == pixel->count - 1;
        const firn_rgb own =
            firn_shade_fluid(view, pixel->fluid[k], span, ray, last ? NULL : &c, end, memo);
        c = firn_rgb_mix(c, own, span->cover);
        end = span->t;
    }
    return c;
}
