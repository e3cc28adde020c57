// SPDX-License-Identifier: MIT
// Creates and destroys a simulation.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/simd/simd.h"
#include "core/threads/cores.h"
#include "core/words.h"
#include "device/device.h"
#include "geometry/collider/collider.h"
#include "scene/run/flakes.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/features.h"
#include "sim/host/host_threads.h"
#include "sim/query/query.h"
#include "sim/scene/scene_fit.h"
#include "sim/sim.h"

static firn_result check_def(const firn_scene* scene, const firn_sim_def* def, firn_error* error)
{
    FIRN_TRY(firn_threads_check(def->threads, def->jobs, error));
    if (def->output_dir != NULL && !firn_features_has_runs())
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "output_dir = '%s': libfirn-core writes no files; leave it null and use "
                         "firn_sim_save, or link libfirn",
                         def->output_dir);
    if (def->particles_max < 0 || def->particles_max > INT32_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "particles_max = %lld: use 0 (as many as the scene has) to %d",
                         (long long)def->particles_max, INT32_MAX);
    const firn_scene_data* data = &scene->data;
    if (data->snow_count == 0 && data->emitter_count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the scene has no snow: add a shape under 'snow:', or snowfall under "
                         "'emitters:'");
    if (data->emitter_count > 0 && !firn_solvers[data->solver]->emits)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "solver '%s' does not support emitters: remove them or use another solver",
                         firn_solvers[data->solver]->name);
    for (firn_local c = 0; c < data->collider_count; c++)
        if (data->colliders[c].mass > 0 && !firn_solvers[data->solver]->free_bodies) {
            char others[64];
            firn_solver_names_with(offsetof(firn_solver, free_bodies), others, sizeof others);
            return firn_fail(
                error, FIRN_REFUSED_SCENE,
                "colliders.%d: solver '%s' does not support rigid bodies: remove `mass` or use %s",
                (int)c, firn_solvers[data->solver]->name, others);
        }
    return FIRN_OK;
}

// Opens the device and checks that the scene's solver supports it.
static firn_result open_device(firn_sim* sim, const firn_sim_def* def, firn_error* error)
{
    FIRN_TRY(firn_device_open(def->backend, &sim->device, error));
    const firn_solver* solver = sim->solver;
    const char* kind = sim->device == FIRN_DEVICE_CPU ? "cpu" : "cuda";
    if (!firn_words_have(solver->backends, kind))
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "solver '%s' has no backend '%s' (it has: %s)", solver->name, def->backend,
                         solver->backends);
    if (def->deterministic && !firn_words_have(solver->deterministic, kind))
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "solver '%s' on backend '%s' is not bitwise reproducible; these backends "
                         "are: %s",
                         solver->name, def->backend, solver->deterministic);
    if (sim->device == FIRN_DEVICE_CPU)
        snprintf(sim->backend, sizeof sim->backend, "cpu");
    else
        snprintf(sim->backend, sizeof sim->backend, "cuda:%d", sim->device);
    firn_device_describe(sim->device, sim->device_name, sizeof sim->device_name);
    return FIRN_OK;
}

// Before anything is filled.
static firn_result check_memory(const firn_sim* sim, const firn_sim_def* def, firn_error* error)
{
    if (sim->device == FIRN_DEVICE_CPU)
        return firn_scene_fit_quick(&sim->scene, firn_comm_count(sim->comm), def->memory_cap_bytes,
                                    error);
    char name[sizeof sim->backend + sizeof sim->device_name + 4];
    snprintf(name, sizeof name, "%s (%s)", sim->backend, sim->device_name);
    const firn_scene_card card = {name, firn_device_memory(sim->device)};
    return firn_scene_fit_device_quick(&sim->scene, &card, def->memory_cap_bytes, error);
}

firn_result firn_sim_seed(const firn_scene_data* scene, double cell, firn_comm* comm,
                          firn_seeds* out_seeds, firn_error* error)
{
    const firn_solver* solver = firn_solvers[scene->solver];
    if (solver->lattice)
        return firn_scene_seed_lattice(scene, cell, solver->pitch, out_seeds, error);
    if (firn_comm_count(comm) > 1)
        return firn_scene_seed_ranks(scene, cell, comm, out_seeds, error);
    return firn_scene_seed(scene, cell, out_seeds, error);
}

static firn_result create_solver(firn_sim* sim, const firn_sim_def* def, firn_error* error)
{
    const firn_solver_estimate estimate = sim->solver->estimate(&sim->scene);
    sim->cell = estimate.cell;
    firn_emitters_settle(&sim->scene, estimate.flake);
    FIRN_TRY(check_memory(sim, def, error));
    FIRN_TRY(firn_sim_ranks_begin(sim, error));
    firn_seeds seeds = {0};
    FIRN_TRY(firn_sim_seed(&sim->scene, estimate.cell, sim->comm, &seeds, error));
    const int64_t count = seeds.number != NULL ? seeds.total : seeds.count;
    const firn_solver_args args = {.log = sim->log,
                                   .simd = def->simd,
                                   .device = sim->device,
                                   .run_ahead = def->run_ahead,
                                   .particles_max = (firn_local)def->particles_max,
                                   .comm = sim->comm};
    firn_result r = FIRN_OK;
    if (count == 0 && sim->scene.emitter_count == 0)
        r = firn_fail(
            error, FIRN_REFUSED_SCENE,
            "the shapes of the snow contain no particles at a cell of %g m: use a smaller cell",
            estimate.cell);
    if (r == FIRN_OK && def->particles_max > 0 && count > def->particles_max)
        r = firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "the scene has %lld particles, but particles_max is %lld: use a larger value, or 0",
            (long long)count, (long long)def->particles_max);
    if (r == FIRN_OK) r = sim->solver->create(&sim->scene, &seeds, &args, &sim->self, error);
    r = firn_sim_ranks_settle(sim, r, error);
    firn_seeds_destroy(&seeds);
    return r;
}

static firn_result fill(firn_sim* sim, const firn_scene* scene, const firn_sim_def* def,
                        firn_error* error)
{
    if (firn_scene_data_copy(&scene->data, &sim->scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a copy of the scene");
    sim->owner = scene->owner;
    sim->solver = firn_solvers[sim->scene.solver];
    sim->comm = def->comm;
    FIRN_TRY(open_device(sim, def, error));
    sim->team = def->jobs != NULL ? firn_team_create_on(def->jobs) : firn_team_create(def->threads);
    if (sim->team == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for threads");
    firn_team_use(sim->team);  // until firn_sim_create returns
    sim->threads = firn_team_size();
    sim->log = (firn_log){def->log, def->user};
    if (def->jobs == NULL && def->threads > firn_cores_count())
        firn_log_write(&sim->log, FIRN_LOG_INFO, "sim.threads",
                       "of %d threads %d run: this process may use no more cores", def->threads,
                       firn_cores_count());
    sim->progress = def->progress;
    sim->user = def->user;
    sim->resume = def->resume;
    sim->overwrite = def->overwrite;
    sim->frame_end = def->frame_end >= 0 ? def->frame_end : sim->scene.time.frames;
    sim->dt_scale = 1;
    sim->frame = sim->scene.time.first;
    sim->time = (double)sim->frame / sim->scene.time.fps;
    sim->particles_max = def->particles_max;
    sim->gravity_keys = sim->scene.gravity_key_count;
    sim->air_keys = sim->scene.air.temperature_key_count;
    if (def->output_dir != NULL) {
        sim->output_dir = firn_strdup(def->output_dir);
        if (sim->output_dir == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    firn_simd_choice simd;
    FIRN_TRY(firn_simd_choose(def->simd, &simd, error));
    sim->simd = simd.name;
    FIRN_TRY(create_solver(sim, def, error));
    sim->extra_size = sim->solver->extra_size(sim->self);
    sim->snapshot_extra = firn_alloc(sim->extra_size + 1, 1);
    if (sim->snapshot_extra == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    FIRN_TRY(firn_sim_loads_create(sim, error));
    if (def->particles_max > 0 && !firn_sim_remote(sim) &&
        firn_snapshot_reserve(&sim->snapshot, sim->solver->particles(sim->self),
                              (firn_local)def->particles_max, firn_sim_copies_all(sim)) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "out of memory for the snapshot of %lld particles",
                         (long long)def->particles_max);
    return FIRN_OK;
}

static firn_result create(const firn_scene* scene, const firn_sim_def* def,
                          firn_memory_budget* memory, firn_sim** out_sim, firn_error* error)
{
    firn_sim* sim = firn_alloc(1, sizeof *sim);
    if (sim == NULL) {
        firn_memory_budget_release(memory);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    sim->memory = memory;
    sim->memory_cap = def->memory_cap_bytes;
    const firn_result r = fill(sim, scene, def, error);
    if (r == FIRN_OK)
        *out_sim = sim;
    else
        firn_sim_destroy(sim);
    return r;
}

firn_result firn_sim_create(const firn_scene* scene, const firn_sim_def* def, firn_sim** out_sim,
                            firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (out_sim == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_create needs room for the simulation");
    if (scene == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT, "firn_sim_create needs a scene");
    firn_sim_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_SIM, def, &own, out_error));
    def = &own;
    FIRN_TRY(check_def(scene, def, out_error));
    firn_memory_budget* memory = firn_memory_budget_create(def->memory_cap_bytes);
    if (memory == NULL) return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_entry entry = {NULL, firn_team_use(NULL), firn_memory_use(memory)};
    const firn_result r = create(scene, def, memory, out_sim, out_error);
    firn_leave(entry);
    return r;
}

void firn_sim_destroy(firn_sim* sim)
{
    if (sim == NULL) return;
    firn_memory_budget* memory = sim->memory;
    firn_sim_ranks_end(sim);
    if (sim->self != NULL) sim->solver->destroy(sim->self);
    firn_query_destroy(sim->query);
    firn_snapshot_destroy(&sim->snapshot);
    firn_sim_edit_destroy(sim);
    firn_scene_data_destroy(&sim->scene);
    firn_free(sim->snapshot_extra);
    firn_free(sim->output_dir);
    firn_free(sim->rows);
    firn_free(sim->row_loads);
    firn_free(sim->load_memory);
    firn_team_destroy(sim->team);
    firn_free(sim);
    firn_memory_budget_release(memory);
}
