// SPDX-License-Identifier: MIT
#include "render/fluid/fluids.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "state/surface/smooth_surface.h"

// The looks of a scene: which fluid a material belongs to, -1: snow.
typedef struct assignment {
    firn_fluids* fluids;
    int8_t fluid[256];  // by material
    bool has_one;       // the scene has one material
} assignment;

static bool is_same(const firn_material_look* a, const firn_material_look* b)
{
    return memcmp(a, b, sizeof *a) == 0;  // no padding: all members have 4 bytes
}

// Materials of one look are one body.
static void assign(assignment* a, const firn_scene_data* scene)
{
    memset(a->fluid, -1, sizeof a->fluid);
    a->has_one = scene->material_count == 1;
    for (firn_local m = 0; m < scene->material_count && m < 256; m++) {
        const firn_material_look look = firn_material_look_of(&scene->materials[m]);
        if (!firn_look_is_smooth(&look)) continue;
        int32_t k = 0;
        while (k < a->fluids->count && !is_same(&a->fluids->items[k].look, &look)) k++;
        if (k == FIRN_FLUIDS_MAX) continue;
        a->fluids->items[k].look = look;
        if (k == a->fluids->count) a->fluids->count++;
        a->fluid[m] = (int8_t)k;
    }
}

static int fluid_of(const assignment* a, const firn_fluid_particles* particles, firn_local p)
{
    if (particles->material == NULL) return a->has_one ? a->fluid[0] : -1;
    return a->fluid[particles->material[p]];
}

bool firn_fluids_exist(const firn_scene_data* scene)
{
    for (firn_local m = 0; m < scene->material_count; m++) {
        const firn_material_look look = firn_material_look_of(&scene->materials[m]);
        if (firn_look_is_smooth(&look)) return true;
    }
    return false;
}

firn_local firn_fluids_list_snow(const firn_scene_data* scene,
                                 const firn_fluid_particles* particles, firn_local* out_list)
{
    firn_fluids looks = {.count = 0};
    assignment a = {.fluids = &looks};
    assign(&a, scene);
    firn_local count = 0;
    for (firn_local p = 0; p < particles->count; p++)
        if (fluid_of(&a, particles, p) < 0) out_list[count++] = p;
    return count;
}

// [m^3] of a particle at rest.
static double volume_of(const firn_scene_data* scene, const firn_fluid_particles* particles,
                        firn_local p)
{
    const firn_local m = particles->material != NULL ? particles->material[p] : 0;
    if (particles->mass != NULL)
        return (double)particles->mass[p] / (double)scene->materials[m].snow.density;
    const double per_cell = scene->snow_count > 0 ? scene->snow[0].particles_per_cell : 8;
    const double cell = particles->cell;
    return cell * cell * cell / (per_cell > 0 ? per_cell : 1);
}

// The particles of one fluid.
typedef struct body {
    firn_vec3* x;       // owned
    firn_real* volume;  // owned
    firn_local count;
    double spacing;  // [m]
} body;

static void gather(const assignment* a, int fluid, const firn_scene_data* scene,
                   const firn_fluid_particles* particles, body* out)
{
    double sum = 0;
    out->count = 0;
    for (firn_local p = 0; p < particles->count; p++) {
        const firn_vec3 x = particles->x[p];
        if (fluid_of(a, particles, p) != fluid) continue;
        if (!(isfinite(x.x) && isfinite(x.y) && isfinite(x.z))) continue;
        const double volume = volume_of(scene, particles, p);
        out->x[out->count] = x;
        out->volume[out->count++] = (firn_real)volume;
        sum += volume;
    }
    out->spacing = out->count > 0 ? firn_cbrt_double(sum / out->count) : 0;
}

static firn_result create_all(assignment* a, const firn_scene_data* scene,
                              const firn_fluid_particles* particles, double time, body* b,
                              firn_error* error)
{
    for (int k = 0; k < a->fluids->count; k++) {
        firn_isosurface* surface = &a->fluids->items[k].surface;
        gather(a, k, scene, particles, b);
        if (!(b->spacing > 0)) continue;
        const firn_smooth_surface_def def = {
            .x = b->x, .volume = b->volume, .count = b->count, .spacing = b->spacing, .passes = -1};
        FIRN_TRY(firn_smooth_surface_make(&def, surface, error));
        FIRN_TRY(firn_fluid_touch_colliders(surface, scene, time, b->spacing, error));
    }
    return FIRN_OK;
}

firn_result firn_fluids_create(firn_fluids* fluids, const firn_scene_data* scene,
                               const firn_fluid_particles* particles, double time,
                               firn_error* error)
{
    *fluids = (firn_fluids){.count = 0};
    assignment a = {.fluids = fluids};
    assign(&a, scene);
    if (fluids->count == 0) return FIRN_OK;
    body b = {firn_alloc((size_t)particles->count + 1, sizeof *b.x),
              firn_alloc((size_t)particles->count + 1, sizeof *b.volume), 0, 0};
    firn_result r = FIRN_BROKEN_MEMORY;
    if (b.x == NULL || b.volume == NULL)
        firn_fail(error, r, "no memory for %d particles of a fluid", (int)particles->count);
    else
        r = create_all(&a, scene, particles, time, &b, error);
    firn_free(b.x);
    firn_free(b.volume);
    if (r != FIRN_OK) firn_fluids_destroy(fluids);
    return r;
}

void firn_fluids_destroy(firn_fluids* fluids)
{
    for (int32_t k = 0; k < fluids->count; k++) firn_isosurface_destroy(&fluids->items[k].surface);
    *fluids = (firn_fluids){.count = 0};
}

void firn_fluids_bound(const firn_fluids* fluids, firn_vec3* low, firn_vec3* high)
{
    for (int32_t k = 0; k < fluids->count; k++) {
        const firn_isosurface* s = &fluids->items[k].surface;
        for (firn_local v = 0; v < s->vertex_count; v++) {
            *low = firn_v3_min(*low, s->vertices[v]);
            *high = firn_v3_max(*high, s->vertices[v]);
        }
    }
}
