// SPDX-License-Identifier: MIT
// A simulation on several ranks: rank 0 has the firn_sim, the others a solver each, which serves
// it.
#include <stdio.h>
#include <string.h>

#include "comm/comm.h"
#include "core/memory.h"
#include "core/simd/simd.h"
#include "firn/version.h"
#include "scene/run/flakes.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/sim.h"

// What must be equal on all ranks, because bits depend on it.
typedef struct likeness {
    char version[128];
    char simd[32];
    uint64_t scene_hash;
    uint64_t real_bytes;
} likeness;

// `ready`: whether this rank can take part at all, with its message in `error`.
static firn_result compare(firn_comm* comm, const firn_scene_data* scene, const char* simd,
                           firn_result ready, firn_error* error)
{
    likeness mine, first;
    memset(&mine, 0, sizeof mine);
    snprintf(mine.version, sizeof mine.version, "%s", firn_version().text);
    snprintf(mine.simd, sizeof mine.simd, "%s", simd);
    mine.scene_hash = scene->hash;
    mine.real_bytes = sizeof(firn_real);
    memcpy(&first, &mine, sizeof first);
    firn_comm_broadcast(comm, 0, &first, sizeof first);
    firn_result r = ready;
    if (r != FIRN_OK) return firn_comm_settle(comm, r, error);
    if (memcmp(mine.version, first.version, sizeof first.version) != 0 ||
        mine.real_bytes != first.real_bytes)
        r = firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "rank 0 runs firn %s, rank %d runs firn %s: install the same build everywhere",
            first.version, firn_comm_rank(comm), mine.version);
    else if (strcmp(mine.simd, first.simd) != 0)
        r = firn_fail(error, FIRN_REFUSED_BACKEND,
                      "rank 0 computes with SIMD level %s, rank %d with %s: choose one that all "
                      "machines have (--simd)",
                      first.simd, firn_comm_rank(comm), mine.simd);
    else if (mine.scene_hash != first.scene_hash)
        r = firn_fail(error, FIRN_REFUSED_SCENE,
                      "rank 0 and rank %d have read different scenes: all machines need the same "
                      "files and options",
                      firn_comm_rank(comm));
    return firn_comm_settle(comm, r, error);
}

firn_result firn_sim_ranks_begin(firn_sim* sim, firn_error* error)
{
    if (firn_comm_count(sim->comm) < 2) return FIRN_OK;
    if (sim->solver->serve == NULL)
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "solver '%s' cannot compute on several ranks yet: use one process, or "
                         "solver mpm",
                         sim->solver->name);
    sim->has_ranks = true;
    firn_comm_order(sim->comm, &(firn_command){.what = FIRN_COMMAND_CREATE});
    return compare(sim->comm, &sim->scene, sim->simd, FIRN_OK, error);
}

firn_result firn_sim_ranks_settle(firn_sim* sim, firn_result result, firn_error* error)
{
    return sim->has_ranks ? firn_comm_settle(sim->comm, result, error) : result;
}

void firn_sim_ranks_end(firn_sim* sim)
{
    if (sim->has_ranks) firn_comm_order(sim->comm, &(firn_command){.what = FIRN_COMMAND_DESTROY});
    sim->has_ranks = false;
}

// On all ranks: rank 0 gets those of all, in `out_all`, which is null elsewhere.
static void gather_stats(firn_comm* comm, firn_rank_stats* out_all, size_t* bytes)
{
    firn_rank_stats mine = comm->stats;
    mine.allocations = (int64_t)firn_memory_read().allocations - comm->reading;
    firn_comm_gather(comm, &mine, sizeof mine, out_all, bytes);
}

firn_result firn_sim_rank_stats_sized(firn_sim* sim, firn_rank_stats* out_stats, uint32_t size)
{
    if (!firn_sim_begin(sim) || out_stats == NULL) return firn_call_null(__func__);
    const size_t ranks = (size_t)firn_comm_count(sim->comm);
    const firn_entry entry = firn_sim_enter(sim);
    firn_rank_stats* all = firn_alloc(ranks, sizeof *all);
    size_t* bytes = firn_alloc(ranks, sizeof *bytes);
    if (sim->has_ranks) sim->comm->reading += 2;
    firn_result r = FIRN_OK;
    if (all == NULL || bytes == NULL)
        r = firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory for statistics of ranks");
    if (r == FIRN_OK && sim->has_ranks) {
        for (size_t k = 0; k < ranks; k++) bytes[k] = sizeof *all;
        firn_comm_order(sim->comm, &(firn_command){.what = FIRN_COMMAND_STATS});
        gather_stats(sim->comm, all, bytes);
        r = firn_comm_check(sim->comm, &sim->error);
    }
    for (size_t k = 0; k < ranks && r == FIRN_OK; k++)
        firn_give((char*)out_stats + k * size, size, &all[k], sizeof *all);
    firn_free(all);
    firn_free(bytes);
    firn_leave(entry);
    return r;
}

// What a rank that serves has: a solver while rank 0 has a simulation.
typedef struct server {
    firn_comm* comm;
    const char* simd;
    firn_scene_data scene;  // owned
    firn_result ready;      // whether all of this could be made; if not, why
    firn_error why;
    const firn_solver* solver;
    firn_solver_args args;
    void* self;  // owned
} server;

static void create(server* s)
{
    firn_error error = s->why;
    if (compare(s->comm, &s->scene, s->simd, s->ready, &error) != FIRN_OK) return;
    firn_seeds seeds = {0};
    const firn_solver_estimate estimate = s->solver->estimate(&s->scene);
    firn_emitters_settle(&s->scene, estimate.flake);
    if (firn_sim_seed(&s->scene, estimate.cell, s->comm, &seeds, &error) != FIRN_OK) return;
    firn_result r = s->solver->create(&s->scene, &seeds, &s->args, &s->self, &error);
    r = firn_comm_settle(s->comm, r, &error);
    firn_seeds_destroy(&seeds);
    if (r == FIRN_OK || s->self == NULL) return;
    s->solver->destroy(s->self);
    s->self = NULL;
}

static void serve(server* s)
{
    firn_command command;
    while (firn_comm_obey(s->comm, &command)) {
        if (command.what == FIRN_COMMAND_CREATE) {
            create(s);
        } else if (command.what == FIRN_COMMAND_DESTROY) {
            if (s->self != NULL) s->solver->destroy(s->self);
            s->self = NULL;
        } else if (command.what == FIRN_COMMAND_STATS) {
            gather_stats(s->comm, NULL, NULL);
        } else if (s->self != NULL) {
            s->solver->serve(s->self, &command);
        }
    }
    if (s->self != NULL) s->solver->destroy(s->self);
}

static firn_result make_ready(server* s, const firn_scene* scene, const char* simd)
{
    firn_simd_choice choice;
    FIRN_TRY(firn_simd_choose(simd, &choice, &s->why));
    s->simd = choice.name;
    if (firn_scene_data_copy(&scene->data, &s->scene) != FIRN_OK)
        return firn_fail(&s->why, FIRN_BROKEN_MEMORY, "out of memory for a copy of the scene");
    s->solver = firn_solvers[s->scene.solver];
    return FIRN_OK;
}

firn_result firn_sim_serve(const firn_scene* scene, const firn_sim_def* def, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (scene == NULL) return firn_call_null(__func__);
    firn_sim_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_SIM, def, &own, out_error));
    if (firn_comm_rank(own.comm) == 0)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "rank 0 creates the simulation (firn_sim_create); the others serve it");
    server s = {
        .comm = own.comm, .simd = "", .args = {.simd = own.simd, .device = -1, .comm = own.comm}};
    firn_memory_budget* memory = firn_memory_budget_create(own.memory_cap_bytes);
    firn_team* team = firn_team_create(own.threads);
    const firn_entry entry = {NULL, firn_team_use(team), firn_memory_use(memory)};
    s.ready = memory != NULL && team != NULL
                  ? make_ready(&s, scene, own.simd)
                  : firn_fail(&s.why, FIRN_BROKEN_MEMORY, "out of memory for threads");
    serve(&s);
    if (s.ready == FIRN_OK) firn_scene_data_destroy(&s.scene);
    firn_leave(entry);
    firn_team_destroy(team);
    if (memory != NULL) firn_memory_budget_release(memory);
    if (s.ready != FIRN_OK) return firn_fail(out_error, s.ready, "%s", s.why.text);
    return firn_comm_check(own.comm, out_error);
}
