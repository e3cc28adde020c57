// SPDX-License-Identifier: MIT
#include "render/path/shutter.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/elementary.h"
#include "render/camera_path.h"
#include "render/fluid/fluids.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "state/volume/density_anisotropic.h"
#include "state/volume/density_detail.h"

#define DETAIL_PIXELS 2.0  // across a voxel of kernel `detail`
#define DETAIL_FINEST 4.0  // such voxels along a particle spacing
#define SMALL_SUN 4e-3f    // 1 - cosine of its radius: one ray tells how much of it arrives (5 deg)

// [m] finer than the particle spacing: lumps of a few particles are resolved, single ones are soft.
static double voxel_of(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    const double voxel = scene->render.medium.voxel;
    return voxel > 0 ? voxel : snow->cell / 3;
}

double firn_shutter_spacing(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    double per_cell = scene->snow_count > 0 ? scene->snow[0].particles_per_cell : 8;
    for (firn_local k = 1; k < scene->snow_count; k++)
        per_cell = fmin(per_cell, scene->snow[k].particles_per_cell);
    return per_cell > 0 ? snow->cell / firn_cbrt_double(per_cell) : snow->cell;
}

// [m] of the voxels of kernel `detail`, an integer part of the particle spacing: what two pixels
// see at the distance that the camera looks at, but not finer than light travels between two
// scatterings. The same for all frames of a run, unless the camera has keys.
static double detail_voxel(const firn_scene_data* scene, double spacing)
{
    const firn_render_block* r = &scene->render;
    const firn_medium_block* m = &r->medium;
    double away = 0;
    for (int d = 0; d < 3; d++) away += (r->look_at[d] - r->eye[d]) * (r->look_at[d] - r->eye[d]);
    const double pixel =
        2 * tan(r->fov_deg * 3.14159265358979 / 360) / (double)r->height * sqrt(away);
    const double path = m->extinction > 0 ? 1 / m->extinction : 0;
    const double wanted = fmax(DETAIL_PIXELS * pixel, path);
    const double parts = wanted > 0 ? floor(spacing / wanted + 0.5) : DETAIL_FINEST;
    return spacing / fmin(fmax(parts, 1), DETAIL_FINEST);
}

static firn_result build_detail(const firn_scene_data* scene, const firn_picture_snow* snow,
                                const firn_vec3* x, firn_density_volume* out_volume,
                                firn_error* error)
{
    const double spacing = firn_shutter_spacing(scene, snow), voxel = scene->render.medium.voxel;
    return firn_density_detail_build(
        &(firn_density_detail_def){.x = x,
                                   .mass = snow->mass,
                                   .id = snow->id,
                                   .count = snow->count,
                                   .spacing = spacing,
                                   .voxel = voxel > 0 ? voxel : detail_voxel(scene, spacing)},
        out_volume, error);
}

static firn_result build_volume(const firn_scene_data* scene, const firn_picture_snow* snow,
                                const firn_vec3* x, firn_density_volume* out_volume,
                                firn_error* error)
{
    const double voxel = voxel_of(scene, snow);
    if (scene->render.medium.kernel == FIRN_MEDIUM_DETAIL)
        return build_detail(scene, snow, x, out_volume, error);
    if (scene->render.medium.kernel == FIRN_MEDIUM_ANISOTROPIC)
        return firn_density_anisotropic_build(x, NULL, snow->mass, snow->count,
                                              firn_shutter_spacing(scene, snow), voxel, out_volume,
                                              error);
    return firn_density_volume_build(x, NULL, snow->mass, snow->count, voxel, out_volume, error);
}

typedef struct move_args {
    const firn_picture_snow* snow;
    firn_real offset;
    firn_vec3* x;
} move_args;

static void move_range(const void* self, firn_local begin, firn_local end)
{
    const move_args* a = self;
    for (firn_local p = begin; p < end; p++)
        a->x[p] = firn_v3_madd(a->snow->x[p], a->offset, a->snow->v[p]);
}

// Positions `offset` [s] from the frame's time. Null: out of memory.
static firn_vec3* positions_at(const firn_picture_snow* snow, double offset)
{
    const move_args a = {snow, (firn_real)offset, firn_alloc((size_t)snow->count + 1, sizeof *a.x)};
    if (a.x != NULL) firn_share(snow->count, 4096, move_range, &a);
    return a.x;
}

static firn_result build_medium(firn_medium* medium, const firn_scene_data* scene,
                                const firn_picture_snow* snow, double offset, firn_error* error)
{
    const firn_medium_block* block = &scene->render.medium;
    firn_vec3* own = NULL;
    if (offset != 0) {
        own = positions_at(snow, offset);
        if (own == NULL)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d particles of a picture",
                             (int)snow->count);
    }
    firn_density_volume volume = {0};
    firn_result result = build_volume(scene, snow, own != NULL ? own : snow->x, &volume, error);
    firn_free(own);
    if (result != FIRN_OK) return result;
    result = firn_medium_create(medium, &volume, block->extinction / block->density, block->albedo,
                                block->anisotropy, error);
    firn_density_volume_destroy(&volume);
    medium->glints = (float)block->glints;
    return result;
}

// Bounds of snow, fluids and eye, for colliders without bounds.
static void box_of(const firn_medium* m, const firn_fluids* fluids, firn_vec3 eye, firn_vec3* low,
                   firn_vec3* high)
{
    const double width = m->voxel * FIRN_MEDIUM_BLOCK;
    *low = *high = eye;
    firn_fluids_bound(fluids, low, high);
    if (m->size[0] == 0) return;
    const firn_vec3 a = firn_v3((firn_real)m->low[0], (firn_real)m->low[1], (firn_real)m->low[2]);
    const firn_vec3 size = firn_v3((firn_real)(width * m->size[0]), (firn_real)(width * m->size[1]),
                                   (firn_real)(width * m->size[2]));
    *low = firn_v3_min(*low, a);
    *high = firn_v3_max(*high, firn_v3_add(a, size));
}

typedef struct mark_args {
    firn_medium* medium;
    const firn_geometry* geometry;
} mark_args;

static void mark_blocks(const void* self, firn_local begin, firn_local end)
{
    const mark_args* a = self;
    firn_medium* m = a->medium;
    const float radius = (float)(0.87 * m->voxel);  // half of a cell's diagonal, rounded up
    for (firn_local b = begin; b < end; b++) {
        const float x = (float)(8 * m->at[b][0]), y = (float)(8 * m->at[b][1]),
                    z = (float)(8 * m->at[b][2]);
        const firn_f3 center = {x + 4, y + 4, z + 4};
        const bool near =
            firn_geometry_near(a->geometry, firn_medium_to_world(m, center), 8 * radius);
        for (int k = 0; k < 512; k++) {
            const firn_f3 at = {x + (float)(k % 8) + 0.5f, y + (float)(k / 8 % 8) + 0.5f,
                                z + (float)(k / 64) + 0.5f};
            if (near && firn_geometry_near(a->geometry, firn_medium_to_world(m, at), radius))
                m->cells[b][k] |= FIRN_CELL_NEAR_SURFACE;
            else
                m->cells[b][k] &= (uint8_t)~FIRN_CELL_NEAR_SURFACE;
        }
    }
}

// Sets FIRN_CELL_NEAR_SURFACE of cells near a surface and clears it elsewhere.
static void mark_cells_near_surfaces(firn_medium* m, const firn_geometry* geometry)
{
    const mark_args a = {m, geometry};
    firn_share(m->block_count, 4, mark_blocks, &a);
}

// What pictures are made of: snow, and all particles, some of which may be fluids.
typedef struct picture_parts {
    firn_picture_snow snow;
    const firn_picture_snow* all;
    firn_vec3 *x, *v;  // owned; of the snow, where there are fluids
    firn_real* mass;   // owned
    uint32_t* id;      // owned
} picture_parts;

static void destroy_parts(picture_parts* parts)
{
    firn_free(parts->x);
    firn_free(parts->v);
    firn_free(parts->mass);
    firn_free(parts->id);
}

static firn_fluid_particles fluid_particles(const firn_picture_snow* all)
{
    return (firn_fluid_particles){.x = all->x,
                                  .mass = all->mass,
                                  .material = all->material,
                                  .count = all->count,
                                  .cell = all->cell};
}

// Copies the particles that are not fluids.
static firn_result select_snow(picture_parts* parts, const firn_scene_data* scene)
{
    const firn_picture_snow* all = parts->all;
    const size_t room = (size_t)all->count + 1;
    firn_local* list = firn_alloc(room, sizeof *list);
    parts->x = firn_alloc(room, sizeof *parts->x);
    parts->v = all->v != NULL ? firn_alloc(room, sizeof *parts->v) : NULL;
    parts->mass = all->mass != NULL ? firn_alloc(room, sizeof *parts->mass) : NULL;
    parts->id = firn_alloc(room, sizeof *parts->id);
    const bool good = list != NULL && parts->x != NULL && (all->v == NULL || parts->v != NULL) &&
                      (all->mass == NULL || parts->mass != NULL) && parts->id != NULL;
    const firn_fluid_particles particles = fluid_particles(all);
    const firn_local count = good ? firn_fluids_list_snow(scene, &particles, list) : 0;
    for (firn_local k = 0; k < count; k++) {
        parts->x[k] = all->x[list[k]];
        parts->id[k] = all->id != NULL ? all->id[list[k]] : (uint32_t)list[k];
        if (parts->v != NULL) parts->v[k] = all->v[list[k]];
        if (parts->mass != NULL) parts->mass[k] = all->mass[list[k]];
    }
    firn_free(list);
    parts->snow.x = parts->x;
    parts->snow.v = parts->v;
    parts->snow.mass = parts->mass;
    parts->snow.id = parts->id;
    parts->snow.count = count;
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result build_fluids(firn_fluids* fluids, const firn_scene_data* scene,
                                const firn_picture_snow* all, double time, double offset,
                                firn_error* error)
{
    *fluids = (firn_fluids){.count = 0};
    if (!firn_fluids_exist(scene)) return FIRN_OK;
    firn_fluid_particles particles = fluid_particles(all);
    firn_vec3* own = offset != 0 ? positions_at(all, offset) : NULL;
    if (offset != 0 && own == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d particles of a picture",
                         (int)all->count);
    if (own != NULL) particles.x = own;
    const firn_result r = firn_fluids_create(fluids, scene, &particles, time, error);
    firn_free(own);
    return r;
}

static firn_result build_geometry(firn_shutter_sample* m, const firn_scene_data* scene,
                                  const firn_picture_snow* all, double offset, firn_error* error)
{
    firn_fluids fluids;
    FIRN_TRY(build_fluids(&fluids, scene, all, m->time, offset, error));
    firn_vec3 low, high;
    box_of(&m->medium, &fluids, m->camera.eye, &low, &high);
    const firn_result r = firn_geometry_create(scene, &fluids, m->time, m->camera.eye, low, high,
                                               &m->geometry, error);
    for (int32_t k = 0; k < fluids.count; k++) m->has_interfaces |= fluids.items[k].look.ior > 0;
    firn_fluids_destroy(&fluids);
    if (r == FIRN_OK) m->submerged = firn_geometry_submerged(m->geometry, m->camera.eye);
    return r;
}

static firn_result create_sample(firn_shutter_sample* m, const firn_scene_data* scene,
                                 const picture_parts* parts, const firn_lights* lights,
                                 double offset, firn_error* error)
{
    const firn_picture_snow* snow = &parts->snow;
    m->time = snow->time + offset;
    m->camera = firn_camera_of_scene(&scene->render, m->time);
    m->lens = firn_lens_make(&m->camera, scene->render.lens, scene->render.focus);
    FIRN_TRY(build_medium(&m->medium, scene, snow, offset, error));
    FIRN_TRY(build_geometry(m, scene, parts->all, offset, error));
    mark_cells_near_surfaces(&m->medium, m->geometry);
    if (lights->only_sun && lights->sun_one_minus_cos < SMALL_SUN)
        firn_medium_set_nee_by_sun(&m->medium, lights->sun_to);
    else
        firn_medium_set_nee_by_depth(&m->medium);
    return FIRN_OK;
}

// Equal masses for snow without masses, such that eight particles per cell have the density for
// which the extinction is given.
static firn_real* equal_masses(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    const double mass = scene->render.medium.density * snow->cell * snow->cell * snow->cell / 8;
    firn_real* masses = firn_alloc((size_t)snow->count + 1, sizeof *masses);
    for (firn_local p = 0; masses != NULL && p < snow->count; p++) masses[p] = (firn_real)mass;
    return masses;
}

static firn_result create_samples(firn_shutter* shutter, const firn_scene_data* scene,
                                  const picture_parts* parts, const firn_lights* lights,
                                  firn_error* error)
{
    const firn_picture_snow* snow = parts->all;
    const double open = snow->v != NULL ? scene->render.shutter * snow->frame_time : 0;
    const int32_t count = open > 0 ? FIRN_SHUTTER_SAMPLES : 1;
    for (int32_t k = 0; k < count; k++) {
        const double offset = open > 0 ? open * ((k + 0.5) / count - 0.5) : 0;
        shutter->count++;
        const firn_result result =
            create_sample(&shutter->at[k], scene, parts, lights, offset, error);
        if (result == FIRN_OK) continue;
        firn_shutter_destroy(shutter);
        return result;
    }
    return FIRN_OK;
}

firn_result firn_shutter_create(firn_shutter* shutter, const firn_scene_data* scene,
                                const firn_picture_snow* snow, const firn_lights* lights,
                                firn_error* error)
{
    *shutter = (firn_shutter){0};
    picture_parts parts = {.snow = *snow, .all = snow};
    firn_result result = firn_fluids_exist(scene) ? select_snow(&parts, scene) : FIRN_OK;
    if (result == FIRN_OK && parts.snow.mass == NULL) {
        parts.snow.mass = parts.mass = equal_masses(scene, &parts.snow);
        if (parts.mass == NULL) result = FIRN_BROKEN_MEMORY;
    }
    if (result == FIRN_OK)
        result = create_samples(shutter, scene, &parts, lights, error);
    else
        firn_fail(error, result, "no memory for %d particles of a picture", (int)snow->count);
    destroy_parts(&parts);
    return result;
}

void firn_shutter_destroy(firn_shutter* shutter)
{
    for (int32_t k = 0; k < shutter->count; k++) {
        firn_medium_destroy(&shutter->at[k].medium);
        firn_geometry_destroy(shutter->at[k].geometry);
    }
    *shutter = (firn_shutter){0};
}

int64_t firn_shutter_bytes(const firn_shutter* shutter)
{
    int64_t bytes = 0;
    for (int32_t k = 0; k < shutter->count; k++) bytes += firn_medium_bytes(&shutter->at[k].medium);
    return bytes;
}
