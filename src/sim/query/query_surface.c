// SPDX-License-Identifier: MIT
// The surface of the snow: each particle spreads the volume that it has in packed snow over voxels,
// so that inside of packed snow these add up to 1 whatever its density. Halfway to the 0 outside is
// the surface; that of a ball of radius R is too small by 3 (sigma / R)^2 of its volume, sigma^2 =
// voxel^2 / 3 being the variance of the kernel.
#include <math.h>

#include "geometry/sampling/packing.h"
#include "scene/data/snow.h"
#include "sim/collider_info.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/query/query.h"
#include "state/surface/isosurface.h"
#include "state/volume/density_anisotropic.h"

// [spacings] of the default voxel. Where particles lie at random, one in a cube of the spacing, the
// density varies by 0.33 (voxel / spacing)^-1.5 of its mean: with 1 some voxels inside would be
// below the threshold 0.5, with 1.5 that is 2.8 standard deviations away.
#define VOXEL 1.5

// The particles that the surface is made of.
typedef struct snow_part {
    firn_vec3* x;                          // owned; [count] [m]
    firn_real* volume;                     // owned; [count] [m^3] in packed snow
    firn_vec3* carried[FIRN_CARRIED_MAX];  // owned; velocity; temperature along x; null: none
    firn_local count;
} snow_part;

static void destroy_part(snow_part* part)
{
    firn_free(part->x);
    firn_free(part->volume);
    for (int c = 0; c < FIRN_CARRIED_MAX; c++) firn_free(part->carried[c]);
}

static firn_result check_def(const firn_sim* sim, const firn_surface_def* def)
{
    firn_error* error = &firn_query_open(sim)->error;
    if (!(def->voxel >= 0 && isfinite(def->voxel)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a surface with voxels of %g m: use a length, or 0 for 1.5 spacings of "
                         "packed snow",
                         def->voxel);
    if (!(def->threshold > 0 && isfinite(def->threshold)))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a surface with the threshold %g: use a share of packed snow above 0, "
                         "such as 0.5",
                         def->threshold);
    if (def->anisotropic && (def->velocities || def->temperatures))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "an anisotropic surface has no velocities and temperatures: leave out "
                         "one or the other");
    return FIRN_OK;
}

static bool is_chosen(const firn_surface_def* def, firn_vec3 x)
{
    if (!(isfinite(x.x) && isfinite(x.y) && isfinite(x.z))) return false;
    if (!def->use_box) return true;
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int d = 0; d < 3; d++)
        if (!(at[d] >= def->low[d] && at[d] <= def->high[d])) return false;
    return true;
}

// [m^3] Volume of a particle in packed snow.
typedef struct packed_volume {
    const firn_real* radius;  // null: by mass
    const firn_real* mass;
    const uint8_t* material;
    const firn_scene_data* scene;
} packed_volume;

static double volume_of(const packed_volume* v, firn_local p)
{
    if (v->radius != NULL) {
        const double side = 2 * (double)v->radius[p];
        return side * side * side / FIRN_PACKING_DENSITY;
    }
    const bool known = v->material[p] < v->scene->material_count;
    const double density = known ? (double)v->scene->materials[v->material[p]].snow.density : 0;
    return density > 0 ? (double)v->mass[p] / density : 0;
}

static firn_result reserve_part(snow_part* part, firn_local count, const bool wants[2])
{
    part->x = firn_alloc((size_t)count + 1, sizeof *part->x);
    part->volume = firn_alloc((size_t)count + 1, sizeof *part->volume);
    bool good = part->x != NULL && part->volume != NULL;
    for (int c = 0; c < FIRN_CARRIED_MAX; c++)
        if (wants[c]) {
            part->carried[c] = firn_alloc((size_t)count + 1, sizeof *part->carried[c]);
            good = good && part->carried[c] != NULL;
        }
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result choose(const firn_sim* sim, const firn_surface_def* def, snow_part* part)
{
    firn_error* error = &firn_query_open(sim)->error;
    firn_height_snow snow;
    FIRN_TRY(firn_query_snow(sim, &snow));
    firn_field_view mass, material, velocity, temperature;
    FIRN_TRY(firn_sim_find_field(sim, "mass", &mass));
    FIRN_TRY(firn_sim_find_field(sim, "material", &material));
    FIRN_TRY(firn_sim_find_field(sim, "velocity", &velocity));
    if (def->temperatures && firn_sim_find_field(sim, "temperature", &temperature) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "the snow has no temperatures: solver '%s' computes none in this scene",
                         sim->solver->name);
    const bool wants[FIRN_CARRIED_MAX] = {def->velocities, def->temperatures};
    if (reserve_part(part, snow.count, wants) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a surface of %d particles",
                         (int)snow.count);
    const packed_volume volume = {snow.radius, mass.data, material.data, &sim->scene};
    for (firn_local p = 0; p < snow.count; p++) {
        if (!is_chosen(def, snow.position[p])) continue;
        const firn_local k = part->count++;
        part->x[k] = snow.position[p];
        part->volume[k] = (firn_real)volume_of(&volume, p);
        if (def->velocities) part->carried[0][k] = ((const firn_vec3*)velocity.data)[p];
        if (def->temperatures)
            part->carried[1][k] = firn_v3(((const firn_real*)temperature.data)[p], 0, 0);
    }
    return FIRN_OK;
}

static firn_result contour(const firn_surface_def* def, const snow_part* part, double spacing,
                           firn_isosurface* out_surface, firn_error* error)
{
    const double voxel = def->voxel > 0 ? def->voxel : VOXEL * spacing;
    firn_density_volume volume[FIRN_CARRIED_MAX] = {0};
    firn_isosurface_def iso = {.volume = &volume[0], .level = def->threshold};
    firn_result r = def->anisotropic
                        ? firn_density_anisotropic_build(part->x, NULL, part->volume, part->count,
                                                         spacing, voxel, &volume[0], error)
                        : firn_density_volume_build(part->x, part->carried[0], part->volume,
                                                    part->count, voxel, &volume[0], error);
    iso.carried[0] = volume[0].velocity;
    // the same particles have the same blocks
    if (r == FIRN_OK && part->carried[1] != NULL) {
        r = firn_density_volume_build(part->x, part->carried[1], part->volume, part->count, voxel,
                                      &volume[1], error);
        iso.carried[1] = volume[1].velocity;
    }
    if (r == FIRN_OK) r = firn_isosurface_make(&iso, out_surface, error);
    for (int c = 0; c < FIRN_CARRIED_MAX; c++) firn_density_volume_destroy(&volume[c]);
    return r;
}

static firn_result make_mesh(const firn_sim* sim, const firn_surface_def* def,
                             firn_surface_mesh* out_mesh)
{
    snow_part part = {0};
    firn_isosurface s = {0};
    firn_error* error = &firn_query_open(sim)->error;
    firn_result r = choose(sim, def, &part);
    if (r == FIRN_OK)
        r = contour(def, &part, firn_view_info_of(&sim->scene, sim->time).spacing, &s, error);
    destroy_part(&part);
    if (r != FIRN_OK) return r;
    *out_mesh = (firn_surface_mesh){.vertices = s.vertices,
                                    .normals = s.normals,
                                    .velocities = s.carried[0],
                                    .vertex_count = s.vertex_count,
                                    .triangles = (int32_t*)s.triangles,
                                    .triangle_count = s.triangle_count};
    if (s.carried[1] == NULL) return FIRN_OK;
    // temperatures take the place of the vectors that carried them
    out_mesh->temperatures = (firn_real*)s.carried[1];
    for (firn_local k = 0; k < s.vertex_count; k++) out_mesh->temperatures[k] = s.carried[1][k].x;
    return FIRN_OK;
}

firn_result firn_sim_surface(const firn_sim* sim, const firn_surface_def* def,
                             firn_surface_mesh* out_mesh)
{
    if (!firn_sim_begin(sim) || out_mesh == NULL) return firn_call_null(__func__);
    firn_surface_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_SURFACE, def, &own, &firn_query_open(sim)->error));
    def = &own;
    FIRN_TRY(check_def(sim, def));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = make_mesh(sim, def, out_mesh);
    firn_leave(entry);
    return r;
}

void firn_surface_mesh_free(firn_surface_mesh* mesh)
{
    if (mesh == NULL) return;
    firn_free(mesh->vertices);
    firn_free(mesh->normals);
    firn_free(mesh->velocities);
    firn_free(mesh->temperatures);
    firn_free(mesh->triangles);
    *mesh = (firn_surface_mesh){0};
}
