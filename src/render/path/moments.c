// SPDX-License-Identifier: MIT
#include "render/path/moments.h"

#include <math.h>

#include "core/memory.h"
#include "math/elementary.h"
#include "render/camera_path.h"
#include "state/density_anisotropic.h"

// [m] narrower than particles are apart: crumbs of a few particles show, and single ones are soft.
static double voxel_of(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    const double asked = scene->render.medium.voxel;
    return asked > 0 ? asked : snow->cell / 3;
}

// [m] between particles of packed snow, those of the coarsest body. Out of the scene, not out of
// the frame: kernels that changed from frame to frame would flicker.
static double spacing_of(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    double per_cell = scene->snow_count > 0 ? scene->snow[0].particles_per_cell : 8;
    for (firn_local k = 1; k < scene->snow_count; k++)
        per_cell = fmin(per_cell, scene->snow[k].particles_per_cell);
    return per_cell > 0 ? snow->cell / firn_cbrt_double(per_cell) : snow->cell;
}

static firn_result build_volume(const firn_scene_data* scene, const firn_picture_snow* snow,
                                const firn_vec3* x, int threads, firn_density_volume* out_volume,
                                firn_error* error)
{
    const double voxel = voxel_of(scene, snow);
    if (scene->render.medium.kernel == FIRN_MEDIUM_ANISOTROPIC)
        return firn_density_anisotropic_build(x, snow->mass, snow->count, spacing_of(scene, snow),
                                              voxel, threads, out_volume, error);
    return firn_density_volume_build(x, NULL, snow->mass, snow->count, voxel, threads, out_volume,
                                     error);
}

// Where the particles are `offset` [s] from the frame's time. Null: memory is out.
static firn_vec3* moved(const firn_picture_snow* snow, double offset, int threads)
{
    firn_vec3* x = firn_alloc((size_t)snow->count + 1, sizeof *x);
    if (x == NULL) return NULL;
#pragma omp parallel for num_threads(threads)
    for (firn_local p = 0; p < snow->count; p++)
        x[p] = firn_v3_madd(snow->x[p], (firn_real)offset, snow->v[p]);
    return x;
}

static firn_result build_medium(firn_medium* medium, const firn_scene_data* scene,
                                const firn_picture_snow* snow, double offset, int threads,
                                firn_error* error)
{
    const firn_medium_block* block = &scene->render.medium;
    firn_vec3* own = NULL;
    if (offset != 0) {
        own = moved(snow, offset, threads);
        if (own == NULL)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d particles of a picture",
                             (int)snow->count);
    }
    firn_density_volume volume = {0};
    firn_result result =
        build_volume(scene, snow, own != NULL ? own : snow->x, threads, &volume, error);
    firn_free(own);
    if (result != FIRN_OK) return result;
    result = firn_medium_create(medium, &volume, block->extinction / block->density, block->albedo,
                                block->anisotropy, error);
    firn_density_volume_destroy(&volume);
    return result;
}

// Where the snow is, for bodies without an end of their own.
static void box_of(const firn_medium* m, firn_vec3 eye, firn_vec3* low, firn_vec3* high)
{
    const double width = m->voxel * FIRN_MEDIUM_BLOCK;
    *low = *high = eye;
    if (m->size[0] == 0) return;
    const firn_vec3 a = firn_v3((firn_real)m->low[0], (firn_real)m->low[1], (firn_real)m->low[2]);
    const firn_vec3 size = firn_v3((firn_real)(width * m->size[0]), (firn_real)(width * m->size[1]),
                                   (firn_real)(width * m->size[2]));
    *low = firn_v3_min(eye, a);
    *high = firn_v3_max(eye, firn_v3_add(a, size));
}

// Cells that no body comes near need not ask for bodies.
static void set_guards(firn_medium* m, const firn_geometry* geometry, int threads)
{
    const float radius = (float)(0.87 * m->voxel);  // half of a cell's diagonal, rounded up
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int32_t b = 0; b < m->block_count; b++) {
        const float x = (float)(8 * m->at[b][0]), y = (float)(8 * m->at[b][1]),
                    z = (float)(8 * m->at[b][2]);
        const firn_f3 center = {x + 4, y + 4, z + 4};
        const bool near = firn_geometry_near(geometry, firn_medium_to_world(m, center), 8 * radius);
        for (int k = 0; k < 512; k++) {
            const firn_f3 at = {x + (float)(k % 8) + 0.5f, y + (float)(k / 8 % 8) + 0.5f,
                                z + (float)(k / 64) + 0.5f};
            if (near && firn_geometry_near(geometry, firn_medium_to_world(m, at), radius))
                m->cells[b][k] |= FIRN_CELL_GUARDED;
            else
                m->cells[b][k] &= (uint8_t)~FIRN_CELL_GUARDED;
        }
    }
}

static firn_result create_moment(firn_moment* m, const firn_scene_data* scene,
                                 const firn_picture_snow* snow, double offset, int threads,
                                 firn_error* error)
{
    m->time = snow->time + offset;
    m->camera = firn_camera_of_scene(&scene->render, m->time);
    m->lens = firn_lens_make(&m->camera, scene->render.lens, scene->render.focus);
    FIRN_TRY(build_medium(&m->medium, scene, snow, offset, threads, error));
    firn_vec3 low, high;
    box_of(&m->medium, m->camera.eye, &low, &high);
    FIRN_TRY(firn_geometry_create(scene, m->time, m->camera.eye, low, high, &m->geometry, error));
    set_guards(&m->medium, m->geometry, threads);
    firn_medium_find_depth(&m->medium, threads);
    return FIRN_OK;
}

// Masses for snow that has none: all alike, so that eight particles in a cell are as dense as the
// medium's extinction is given for.
static firn_real* even_masses(const firn_scene_data* scene, const firn_picture_snow* snow)
{
    const double mass = scene->render.medium.density * snow->cell * snow->cell * snow->cell / 8;
    firn_real* masses = firn_alloc((size_t)snow->count + 1, sizeof *masses);
    for (firn_local p = 0; masses != NULL && p < snow->count; p++) masses[p] = (firn_real)mass;
    return masses;
}

static firn_result create_moments(firn_moments* moments, const firn_scene_data* scene,
                                  const firn_picture_snow* snow, int threads, firn_error* error)
{
    *moments = (firn_moments){0};
    const double open = snow->v != NULL ? scene->render.shutter * snow->frame_time : 0;
    const int32_t count = open > 0 ? FIRN_MOMENTS : 1;
    for (int32_t k = 0; k < count; k++) {
        const double offset = open > 0 ? open * ((k + 0.5) / count - 0.5) : 0;
        moments->count++;
        const firn_result result =
            create_moment(&moments->at[k], scene, snow, offset, threads, error);
        if (result == FIRN_OK) continue;
        firn_moments_destroy(moments);
        return result;
    }
    return FIRN_OK;
}

firn_result firn_moments_create(firn_moments* moments, const firn_scene_data* scene,
                                const firn_picture_snow* snow, int threads, firn_error* error)
{
    if (snow->mass != NULL) return create_moments(moments, scene, snow, threads, error);
    *moments = (firn_moments){0};
    firn_real* masses = even_masses(scene, snow);
    if (masses == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %d particles of a picture",
                         (int)snow->count);
    firn_picture_snow with_mass = *snow;
    with_mass.mass = masses;
    const firn_result result = create_moments(moments, scene, &with_mass, threads, error);
    firn_free(masses);
    return result;
}

void firn_moments_destroy(firn_moments* moments)
{
    for (int32_t k = 0; k < moments->count; k++) {
        firn_medium_destroy(&moments->at[k].medium);
        firn_geometry_destroy(moments->at[k].geometry);
    }
    *moments = (firn_moments){0};
}

int64_t firn_moments_bytes(const firn_moments* moments)
{
    int64_t bytes = 0;
    for (int32_t k = 0; k < moments->count; k++) bytes += firn_medium_bytes(&moments->at[k].medium);
    return bytes;
}
