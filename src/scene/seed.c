// SPDX-License-Identifier: MIT
// The scene's particles before any solver: every body of snow filled or read, then given mass,
// velocity and variation. Each particle stands for cell^3 / particles_per_cell of snow.
#include "core/memory.h"
#include "math/noise.h"
#include "scene/scene.h"
#include "shape/ply_points.h"

#define FACTOR_MIN 0.05  // of stiffness and density by noise: snow never vanishes (scene.h)

// One body on its way into the seeds.
typedef struct body {
    const firn_scene_data* scene;
    const firn_snow* snow;
    firn_local index;       // in scene->snow, for messages
    firn_local first, end;  // its particles
    double cell;            // [m], as the grid has it
    firn_ply_points file;   // owned; of a body from a file
    firn_vec3 center;       // of its bounds [m]
} body;

// Puts the body's place in front of what went wrong.
static firn_result fail_at(const body* b, firn_result code, const firn_error* cause,
                           firn_error* error)
{
    return firn_fail(error, code, "snow.%d: %s", (int)b->index, cause->text);
}

// All arrays but the positions; they have the same capacity.
static bool grow(firn_seeds* seeds, firn_local capacity)
{
    firn_local had[4] = {seeds->capacity, seeds->capacity, seeds->capacity, seeds->capacity};
    return firn_reserve((void**)&seeds->velocity, &had[0], capacity, sizeof *seeds->velocity) &&
           firn_reserve((void**)&seeds->mass, &had[1], capacity, sizeof *seeds->mass) &&
           firn_reserve((void**)&seeds->stiffness, &had[2], capacity, sizeof *seeds->stiffness) &&
           firn_reserve((void**)&seeds->material, &had[3], capacity, sizeof *seeds->material);
}

static firn_result check_body(const body* b, firn_error* error)
{
    const firn_snow* snow = b->snow;
    if (snow->material < 0 || snow->material >= b->scene->material_count)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: there is no material %d, only %d",
                         (int)b->index, (int)snow->material, (int)b->scene->material_count);
    if (snow->material > UINT8_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: material %d, but snow can use the first %d only", (int)b->index,
                         (int)snow->material, UINT8_MAX + 1);
    if (!(snow->particles_per_cell > 0))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: particles_per_cell is %g, must be above 0", (int)b->index,
                         snow->particles_per_cell);
    if (snow->shape < 0 && snow->file == NULL)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: has neither shape nor file",
                         (int)b->index);
    if (snow->shape < 0 && snow->vary.shell_thickness > 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "snow.%d: vary.shell needs a shape: particles from a file have no surface",
                         (int)b->index);
    return FIRN_OK;
}

// Appends the file's points and keeps the rest of it in the body.
static firn_result read_file(body* b, firn_points* points, firn_error* error)
{
    firn_error cause;
    const firn_result result = firn_ply_read_points(b->snow->file, &b->file, &cause);
    if (result != FIRN_OK) return fail_at(b, result, &cause, error);
    const firn_local count = b->file.count;
    if (count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: %s has no points", (int)b->index,
                         b->snow->file);
    if (count > INT32_MAX - points->count)
        return firn_fail(error, FIRN_REFUSED_SCENE, "snow.%d: more than %d particles in all",
                         (int)b->index, INT32_MAX);
    if (!firn_reserve((void**)&points->position, &points->capacity, points->count + count,
                      sizeof *points->position))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "snow.%d: no memory for %d particles",
                         (int)b->index, (int)count);
    for (firn_local p = 0; p < count; p++)
        points->position[points->count + p] = b->file.position[p];
    points->count += count;
    return FIRN_OK;
}

// Positions of the body, and the centre of its bounds.
static firn_result place(body* b, firn_points* points, firn_error* error)
{
    const firn_snow* snow = b->snow;
    firn_box3 bounds;
    b->first = points->count;
    if (snow->shape < 0) {
        FIRN_TRY(read_file(b, points, error));
        bounds.low = bounds.high = points->position[b->first];
        for (firn_local p = b->first; p < points->count; p++) {
            bounds.low = firn_v3_min(bounds.low, points->position[p]);
            bounds.high = firn_v3_max(bounds.high, points->position[p]);
        }
    } else {
        firn_error cause;
        const firn_result result = firn_seed_shape(
            &b->scene->shapes, snow->shape, (firn_real)b->cell, snow->particles_per_cell,
            snow->seeding, (uint64_t)snow->seed, points, &cause);
        if (result != FIRN_OK)
            return fail_at(b, result == FIRN_REFUSED_ARGUMENT ? FIRN_REFUSED_SCENE : result, &cause,
                           error);
        bounds = firn_shape_bounds(&b->scene->shapes, snow->shape);
    }
    b->end = points->count;
    const firn_real half = (firn_real)0.5;
    b->center = firn_v3_madd(firn_v3_scale(bounds.low, half), half, bounds.high);
    return FIRN_OK;
}

static double noise_factor(const firn_vary_noise* noise, firn_vec3 x)
{
    if (!(noise->scale > 0)) return 1;
    const double s = 1 / noise->scale;
    const double n = firn_noise_octaves((uint64_t)noise->seed, s * (double)x.x, s * (double)x.y,
                                        s * (double)x.z, (int)noise->octaves);
    const double factor = 1 + noise->amount * n;
    return factor > FACTOR_MIN ? factor : FACTOR_MIN;
}

// [kg] before variation: from the file, or density times the volume a particle stands for.
static double plain_mass(const body* b, firn_local p)
{
    const firn_local in_file = p - b->first;
    if (b->file.mass != NULL) return (double)b->file.mass[in_file];
    const double density = b->file.density != NULL
                               ? (double)b->file.density[in_file]
                               : (double)b->scene->materials[b->snow->material].snow.density;
    return density * b->cell * b->cell * b->cell / b->snow->particles_per_cell;
}

// Everything but the position. Particles do not depend on each other.
static void dress(const body* b, firn_seeds* seeds)
{
    const firn_snow* snow = b->snow;
    const firn_vec3 velocity = firn_v3((firn_real)snow->velocity[0], (firn_real)snow->velocity[1],
                                       (firn_real)snow->velocity[2]);
    const firn_vec3 spin =
        firn_v3((firn_real)snow->spin[0], (firn_real)snow->spin[1], (firn_real)snow->spin[2]);
#pragma omp parallel for schedule(static)
    for (firn_local p = b->first; p < b->end; p++) {
        const firn_vec3 x = seeds->position[p];
        firn_vec3 v = firn_v3_add(velocity, firn_v3_cross(spin, firn_v3_sub(x, b->center)));
        if (b->file.velocity != NULL) v = firn_v3_add(v, b->file.velocity[p - b->first]);
        double stiffness = noise_factor(&snow->vary.stiffness, x);
        double density = noise_factor(&snow->vary.density, x);
        if (snow->vary.shell_thickness > 0 &&
            -(double)firn_shape_distance(&b->scene->shapes, snow->shape, x) <
                snow->vary.shell_thickness) {
            stiffness *= snow->vary.shell_stiffness;
            density *= snow->vary.shell_density;
        }
        seeds->velocity[p] = v;
        seeds->mass[p] = (firn_real)(plain_mass(b, p) * density);
        seeds->stiffness[p] = (firn_real)stiffness;
        seeds->material[p] = (uint8_t)snow->material;
    }
}

static firn_result add_body(body* b, firn_seeds* seeds, firn_error* error)
{
    FIRN_TRY(check_body(b, error));
    // positions grow first; the other arrays follow, all to the same capacity
    firn_points points = {seeds->position, seeds->count, seeds->capacity};
    const firn_result result = place(b, &points, error);
    seeds->position = points.position;
    if (result != FIRN_OK) return result;
    if (!grow(seeds, points.capacity))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "snow.%d: no memory for %d particles",
                         (int)b->index, (int)points.count);
    seeds->capacity = points.capacity;
    seeds->count = points.count;
    dress(b, seeds);
    return FIRN_OK;
}

firn_result firn_scene_seed(const firn_scene_data* scene, double cell, firn_seeds* out_seeds,
                            firn_error* error)
{
    firn_seeds seeds = {0};
    if (!(cell > 0 && cell <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "cells of %g m, must be above 0", cell);
    for (firn_local i = 0; i < scene->snow_count; i++) {
        body b = {
            .scene = scene, .snow = &scene->snow[i], .index = i, .cell = (double)(firn_real)cell};
        const firn_result result = add_body(&b, &seeds, error);
        firn_ply_points_destroy(&b.file);
        if (result == FIRN_OK) continue;
        firn_seeds_destroy(&seeds);
        return result;
    }
    *out_seeds = seeds;
    return FIRN_OK;
}

void firn_seeds_destroy(firn_seeds* seeds)
{
    firn_free(seeds->position);
    firn_free(seeds->velocity);
    firn_free(seeds->mass);
    firn_free(seeds->stiffness);
    firn_free(seeds->material);
    *seeds = (firn_seeds){0};
}
