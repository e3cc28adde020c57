// SPDX-License-Identifier: MIT
// Adds snow: the shape of another scene is seeded with this simulation's solver and materials, in
// the shape's own coordinates, and then moved to its placement.
#include <stddef.h>
#include <string.h>

#include "device/device.h"
#include "math/vec3.h"
#include "scene/data/snow.h"
#include "sim/edit/clear_seeds.h"
#include "sim/edit/edit.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/scene/scene_fit.h"
#include "sim/sim_ids.h"

static bool same_constants(const firn_snow_material* a, const firn_snow_material* b)
{
    // the structs may have padding after the number of rows
    const size_t rows = sizeof *a->young_at * (size_t)a->young_count;
    return memcmp(a, b, offsetof(firn_snow_material, young_count)) == 0 &&
           a->young_count == b->young_count && memcmp(a->young_at, b->young_at, rows) == 0 &&
           memcmp(&a->cam_clay, &b->cam_clay, sizeof a->cam_clay) == 0;
}

// Finds the simulation's material for material `index` of the other scene.
static firn_result find_material(const firn_sim* sim, const firn_scene_data* prefabs,
                                 firn_local index, firn_local* out_index, firn_error* error)
{
    *out_index = 0;
    if (prefabs->material_count == 0 && sim->scene.material_count > 0) return FIRN_OK;
    const firn_material* wanted = &prefabs->materials[index];
    for (firn_local m = 0; m < sim->scene.material_count && m <= UINT8_MAX; m++) {
        *out_index = m;
        if (same_constants(&sim->scene.materials[m].snow, &wanted->snow)) return FIRN_OK;
    }
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "the simulation has no material with the constants of '%.60s': give its scene "
                     "this material, too",
                     wanted->name);
}

// Velocity and spin are in world axes; seeds are made in those of the shape.
static void turn_back(const firn_edit_pose* pose, double v[3])
{
    if (!pose->turned) return;
    const firn_vec3 x = firn_m3_transposed_mul_v3(
        pose->rotation, firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]));
    v[0] = (double)x.x;
    v[1] = (double)x.y;
    v[2] = (double)x.z;
}

static void place(const firn_edit_pose* pose, firn_seeds* seeds)
{
    for (firn_local p = 0; p < seeds->count; p++) {
        if (pose->turned) {
            seeds->position[p] = firn_m3_mul_v3(pose->rotation, seeds->position[p]);
            seeds->velocity[p] = firn_m3_mul_v3(pose->rotation, seeds->velocity[p]);
            if (seeds->spin != NULL)
                seeds->spin[p] = firn_m3_mul_v3(pose->rotation, seeds->spin[p]);
        }
        seeds->position[p] = firn_v3_add(seeds->position[p], pose->position);
    }
}

// Seeds a snow body of `prefabs` as the simulation's scene would be.
static firn_result make_seeds(const firn_sim* sim, const firn_scene_data* prefabs, firn_snow* snow,
                              firn_seeds* out_seeds, firn_error* error)
{
    const firn_solver* solver = sim->solver;
    firn_scene_data scene = sim->scene;  // all of it is borrowed
    scene.shapes = prefabs->shapes;
    scene.snow = snow;
    scene.snow_count = 1;
    if (solver->set_cell != NULL) {
        scene.solver_def = firn_alloc(1, scene.solver_keys->size);
        if (scene.solver_def == NULL)
            return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for a copy of the scene");
        memcpy(scene.solver_def, sim->scene.solver_def, scene.solver_keys->size);
        solver->set_cell(scene.solver_def, sim->cell);
    }
    firn_error why = {0};
    firn_result r = FIRN_OK;
    if (sim->device == FIRN_DEVICE_CPU)  // as when it was created
        r = firn_scene_fit_quick(&scene, 1, sim->memory_cap, &why);
    if (r == FIRN_OK)
        r = firn_scene_seed_one(&scene, 0, sim->cell, solver->lattice, solver->pitch, out_seeds,
                                &why);
    const bool varies = firn_scene_varies(&scene);
    if (solver->set_cell != NULL) firn_free(scene.solver_def);
    if (r != FIRN_OK) {
        const char* text = strncmp(why.text, "snow.0: ", 8) == 0 ? why.text + 8 : why.text;
        return firn_fail(error, r > 0 ? r : FIRN_REFUSED_ARGUMENT, "%.1900s", text);
    }
    const firn_particles* store = solver->particles(sim->self);
    if (!varies || firn_particles_find(store, "stiffness") == NULL ||
        firn_particles_find(store, "hardening") != NULL)
        return FIRN_OK;
    firn_seeds_destroy(out_seeds);
    return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                     "it varies hardening or a threshold, and the particles of this simulation "
                     "have no such factors: its scene needs snow that varies them");
}

static firn_result check_seeds(const firn_sim* sim, const firn_seeds* seeds, firn_error* error)
{
    if (seeds->count == 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "there is no room for a particle: the shape is too small, or existing "
                         "snow is where it is");
    FIRN_TRY(firn_sim_check_room(sim, (int64_t)firn_sim_count(sim) + seeds->count, error));
    const double reach = sim->solver->reach(sim->self);
    for (firn_local p = 0; p < seeds->count; p++) {
        const firn_vec3 x = seeds->position[p];
        const firn_real far = firn_max(firn_max(firn_abs(x.x), firn_abs(x.y)), firn_abs(x.z));
        if (!((double)far < reach) || !firn_v3_is_finite(x))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "a particle would be at (%g, %g, %g) m; the solver reaches %g m",
                             (double)x.x, (double)x.y, (double)x.z, reach);
    }
    return FIRN_OK;
}

// Gives the particles to the solver and the body an id.
static firn_result take_seeds(firn_sim* sim, const firn_seeds* seeds, firn_snow_id* out_id)
{
    if (!firn_reserve((void**)&sim->added, &sim->added_capacity, sim->added_count + 1,
                      sizeof *sim->added))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for another snow body");
    FIRN_TRY(sim->solver->add(sim->self, seeds, &sim->next_id, &sim->error));
    const uint32_t count = (uint32_t)seeds->count;
    sim->added[sim->added_count++] = (firn_added_snow){sim->next_id - count, count};
    const uint32_t slot1 = (uint32_t)(sim->scene.snow_count + sim->added_count);
    if (out_id != NULL) *out_id = (firn_snow_id){slot1, sim->owner};
    firn_sim_edited(sim);
    return FIRN_OK;
}

static firn_result add(firn_sim* sim, const firn_scene_data* prefabs, const firn_snow_def* def,
                       const firn_edit_pose* pose, firn_snow* snow, firn_snow_id* out_id)
{
    firn_seeds seeds = {0};
    FIRN_TRY(find_material(sim, prefabs, snow->material, &snow->material, &sim->error));
    turn_back(pose, snow->velocity);
    turn_back(pose, snow->spin);
    FIRN_TRY(make_seeds(sim, prefabs, snow, &seeds, &sim->error));
    place(pose, &seeds);
    const firn_particles* store = sim->solver->particles(sim->self);
    firn_result r = firn_seeds_keep_clear(&seeds, (double)def->clearance,
                                          firn_particles_find(store, "position")->data,
                                          store->count, &sim->error);
    if (r == FIRN_OK) r = check_seeds(sim, &seeds, &sim->error);
    if (r == FIRN_OK) r = take_seeds(sim, &seeds, out_id);
    firn_seeds_destroy(&seeds);
    return r;
}

firn_result firn_sim_add_snow(firn_sim* sim, const firn_scene* prefabs, const firn_snow_def* def,
                              const firn_placement* where, firn_snow_id* out_id)
{
    FIRN_TRY(firn_sim_edit_begin(sim, "firn_sim_add_snow"));
    if (prefabs == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_add_snow needs the scene that the shape is of");
    firn_edit_pose pose;
    firn_snow snow;
    firn_snow_def own;
    FIRN_TRY(firn_edit_pose_of(where, &pose, &sim->error));
    FIRN_TRY(firn_def_take(FIRN_DEF_SNOW, def, &own, &sim->error));
    FIRN_TRY(firn_snow_build(prefabs, &own, &snow, &sim->error));
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = add(sim, &prefabs->data, &own, &pose, &snow, out_id);
    firn_leave(entry);
    firn_vary_release(&snow.vary);
    return r;
}

firn_result firn_sim_snow_particles(const firn_sim* sim, firn_snow_id snow, uint32_t* out_first,
                                    int64_t* out_count)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    // only the error message is written; a firn_sim is never defined const
    firn_error* error = &((firn_sim*)sim)->error;
    const firn_id_list list = {"snow body", sim->owner, sim->scene.snow_count + sim->added_count};
    firn_local index;
    FIRN_TRY(firn_id_find(&list, snow.slot1, snow.owner, &index, error));
    const firn_local k = index - sim->scene.snow_count;
    if (k < 0 || out_first == NULL || out_count == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_snow_particles needs the id of snow that was added, and room "
                         "for two numbers");
    *out_first = sim->added[k].first_id;
    *out_count = sim->added[k].count;
    return FIRN_OK;
}
