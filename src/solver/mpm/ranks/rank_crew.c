// SPDX-License-Identifier: MIT
// Commands: what rank 0 asks for, and all ranks do.
//
//     rank 0   divide   step step … snapshot   find rows, give … → frame   step …   restore   step
//     others     "        "    "       "           "        "                "         "        "
//
// Rank 0 has all particles in its own arrays only when a caller reads or edits them there (gather;
// then put, row by row). A run does not.
#include "solver/mpm/ranks/rank_crew_own.h"

#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "solver/mpm/ranks/rank_cuts.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/ranks/rank_share.h"
#include "solver/shared/device_run.h"
#include "state/snapshot.h"

// The state beside the particles, and the arguments of a step.
typedef struct step_order {
    double time, dt_limit, dt_scale;
    int64_t step;
    double dt_factor;
    firn_mpm_choice choice;
} step_order;

typedef struct restore_order {
    bool before_first_step;
} restore_order;

typedef struct fill_order {
    int64_t count;
} fill_order;

typedef struct divide_order {
    double lightest;
} divide_order;

_Static_assert(sizeof(step_order) <= sizeof(((firn_command*)0)->data), "a command has room for it");

void firn_mpm_crew_order(const firn_mpm_crew* crew, int64_t what, const void* data, size_t bytes)
{
    firn_command command = {.what = what};
    if (bytes > 0) memcpy(command.data, data, bytes);
    firn_comm_order(crew->comm, &command);
}

// ---- creation -----------------------------------------------------------------------------------

static firn_result refuse(const char* what, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "%s cannot be computed on several ranks yet: run this scene in one process",
                     what);
}

static firn_result check_scene(const firn_mpm* m, const firn_solver_args* args, firn_error* error)
{
    const firn_scene_data* scene = m->base.scene;
    if (args->device >= 0) return refuse("mpm on a GPU", error);
    if (scene->powder.active) return refuse("a scene with powder", error);
    if (firn_bodies_count(m->base.bodies) > 0)
        return refuse("a scene with dynamic colliders (`mass`)", error);
    return FIRN_OK;
}

firn_result firn_mpm_crew_create(firn_mpm* m, const firn_seeds* seeds, const firn_solver_args* args,
                                 firn_error* error)
{
    if (firn_comm_count(args->comm) < 2) return FIRN_OK;
    FIRN_TRY(check_scene(m, args, error));
    firn_mpm_crew* crew = firn_alloc(1, sizeof *crew);
    if (crew == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    m->crew = crew;
    crew->comm = args->comm;
    crew->undivided = true;
    crew->count = (firn_local)seeds->total;
    m->next_id = (uint32_t)seeds->total;
    return firn_mpm_share_create(m->base.scene, seeds, args, &crew->mine, error);
}

void firn_mpm_crew_destroy(firn_mpm_crew* crew)
{
    if (crew == NULL) return;
    if (crew->mine != NULL) firn_mpm_share_destroy(crew->mine);
    firn_snapshot_destroy(&crew->snapshot);
    firn_mpm_rows_destroy(crew->rows);
    firn_free(crew->window.data);
    firn_free(crew);
}

// ---- what all ranks do --------------------------------------------------------------------------

static firn_result divide(firn_mpm_crew* crew, const divide_order* order, firn_error* error)
{
    crew->mine->lightest = order->lightest;
    return firn_mpm_fill_divide(crew->mine, error);
}

// What emitters have given is rank 0's to know: a checkpoint or a step that is repeated sets it.
static void share_emission(firn_mpm_crew* crew, const firn_mpm* m)
{
    firn_mpm* mine = crew->mine;
    const size_t emitters = (size_t)mine->base.scene->emitter_count;
    if (emitters == 0) return;
    if (firn_comm_rank(crew->comm) == 0) {
        memcpy(mine->emitted, m->emitted, emitters * sizeof *mine->emitted);
        mine->next_id = m->next_id;
    }
    firn_comm_broadcast(crew->comm, 0, mine->emitted, emitters * sizeof *mine->emitted);
    firn_comm_broadcast(crew->comm, 0, &mine->next_id, sizeof mine->next_id);
    if (mine->next_id > 0) return;
    double end = (double)firn_base_ids_end(&mine->base.store);  // of a checkpoint without emitters
    firn_comm_max(crew->comm, &end, 1);
    mine->next_id = (uint32_t)end;
}

static firn_result step_share(firn_mpm_crew* crew, const step_order* order,
                              firn_step_report* out_report, firn_error* error)
{
    firn_mpm* mine = crew->mine;
    mine->base.step = order->step;
    mine->dt_factor = order->dt_factor;
    mine->choice = order->choice;
    return firn_mpm_step(mine, order->time, order->dt_limit, order->dt_scale, out_report, error);
}

static firn_result take_snapshot(firn_mpm_crew* crew, firn_error* error)
{
    firn_result r = firn_snapshot_take(&crew->snapshot, &crew->mine->base.store, true);
    if (r != FIRN_OK)
        firn_fail(error, r, "rank %d: out of memory for the snapshot of %d particles",
                  firn_comm_rank(crew->comm), (int)crew->mine->base.store.count);
    FIRN_TRY(firn_comm_settle(crew->comm, r, error));
    return firn_mpm_balance(crew->mine, error);
}

static firn_result restore_snapshot(firn_mpm_crew* crew, const restore_order* order,
                                    firn_error* error)
{
    const firn_result r =
        firn_snapshot_restore(&crew->snapshot, &crew->mine->base.store, order->before_first_step);
    if (r != FIRN_OK) firn_fail(error, r, "there is no snapshot to return to");
    return firn_comm_settle(crew->comm, r, error);
}

void firn_mpm_crew_serve(void* self, const firn_command* command)
{
    firn_mpm* m = self;
    firn_mpm_crew* crew = m->crew;
    firn_error ignored = {0};  // rank 0 has the same
    step_order step;
    restore_order restore;
    fill_order filled;
    divide_order divided;
    firn_mpm_rows_order rows;
    firn_step_report report;
    memcpy(&step, command->data, sizeof step);
    memcpy(&restore, command->data, sizeof restore);
    memcpy(&filled, command->data, sizeof filled);
    memcpy(&divided, command->data, sizeof divided);
    memcpy(&rows, command->data, sizeof rows);
    switch (command->what) {
    case FIRN_CREW_STEP:
        share_emission(crew, m);
        (void)step_share(crew, &step, &report, &ignored);
        break;
    case FIRN_CREW_SNAPSHOT: (void)take_snapshot(crew, &ignored); break;
    case FIRN_CREW_RESTORE: (void)restore_snapshot(crew, &restore, &ignored); break;
    case FIRN_CREW_GATHER: (void)firn_mpm_share_gather(crew->mine, NULL, &ignored); break;
    case FIRN_CREW_FILL:
        (void)firn_mpm_fill_begin(crew->mine, (firn_local)filled.count, &ignored);
        break;
    case FIRN_CREW_PUT: (void)firn_mpm_fill_put(crew->mine, &rows, NULL, &ignored); break;
    case FIRN_CREW_DIVIDE: (void)divide(crew, &divided, &ignored); break;
    case FIRN_CREW_FIND_ROWS: (void)firn_mpm_rows_find(crew->mine, &crew->rows, &ignored); break;
    case FIRN_CREW_GIVE:
        (void)firn_mpm_rows_give(crew->mine, crew->rows, &rows, NULL, &ignored);
        break;
    default: break;
    }
}

// ---- what rank 0 asks for -----------------------------------------------------------------------

firn_result firn_mpm_crew_fill(firn_mpm_crew* crew, firn_local count, firn_error* error)
{
    const fill_order order = {count};
    firn_mpm_crew_order(crew, FIRN_CREW_FILL, &order, sizeof order);
    FIRN_TRY(firn_mpm_fill_begin(crew->mine, count, error));
    crew->undivided = true;
    crew->count = count;
    return FIRN_OK;
}

firn_result firn_mpm_crew_put(firn_mpm_crew* crew, const firn_mpm_rows_order* order,
                              const void* data, firn_error* error)
{
    firn_mpm_crew_order(crew, FIRN_CREW_PUT, order, sizeof *order);
    return firn_mpm_fill_put(crew->mine, order, data, error);
}

firn_result firn_mpm_crew_settle(firn_mpm* m, firn_error* error)
{
    firn_mpm_crew* crew = m->crew;
    const firn_particles* s = &m->base.store;
    if (crew->host_newer) {
        FIRN_TRY(firn_mpm_crew_fill(crew, s->count, error));
        for (int f = 0; f < s->field_count; f++) {
            const firn_mpm_rows_order order = {f, 0, s->count};
            FIRN_TRY(firn_mpm_crew_put(crew, &order, s->fields[f].data, error));
        }
        crew->host_newer = false;
    }
    if (!crew->undivided) return FIRN_OK;
    const divide_order order = {m->lightest};
    firn_mpm_crew_order(crew, FIRN_CREW_DIVIDE, &order, sizeof order);
    FIRN_TRY(divide(crew, &order, error));
    crew->undivided = false;
    return FIRN_OK;
}

firn_result firn_mpm_crew_step(firn_mpm* m, double time, double dt_limit, double dt_scale,
                               firn_step_report* out_report, firn_error* error)
{
    firn_mpm_crew* crew = m->crew;
    FIRN_TRY(firn_mpm_crew_settle(m, error));
    const step_order order = {time, dt_limit, dt_scale, m->base.step, m->dt_factor, m->choice};
    crew->fetched = false;
    firn_mpm_crew_order(crew, FIRN_CREW_STEP, &order, sizeof order);
    const firn_mpm* mine = crew->mine;
    share_emission(crew, m);
    const firn_result r = step_share(crew, &order, out_report, error);
    m->base.time = time;
    m->base.dt = mine->base.dt;
    m->base.dt_limit = dt_limit;
    m->base.max_speed = mine->base.max_speed;
    if (r != FIRN_OK) return r;
    m->base.step = mine->base.step;
    m->dt_factor = mine->dt_factor;
    m->choice = mine->choice;
    m->implicit = mine->implicit;
    m->next_id = mine->next_id;
    if (m->base.scene->emitter_count > 0)
        memcpy(m->emitted, mine->emitted,
               (size_t)m->base.scene->emitter_count * sizeof *m->emitted);
    crew->count = out_report->particle_count;
    FIRN_TRY(firn_base_move_colliders(&m->base, error));
    firn_loads_take(&m->base.loads, mine->base.loads.sums, m->base.colliders, time);
    return FIRN_OK;
}

void firn_mpm_crew_host_changed(firn_mpm* m)
{
    if (m->crew != NULL) m->crew->host_newer = m->crew->fetched = true;
}

bool firn_mpm_remote(const void* self)
{
    return firn_mpm_crew_of(self) != NULL || firn_device_run_remote(self);
}

firn_local firn_mpm_count(const void* self)
{
    const firn_mpm_crew* crew = firn_mpm_crew_of(self);
    if (crew == NULL) return firn_device_run_count(self);
    return crew->host_newer ? ((const firn_mpm*)self)->base.store.count : crew->count;
}

firn_result firn_mpm_colliders_changed(void* self, firn_error* error)
{
    if (firn_mpm_crew_of(self) == NULL) return firn_device_run_colliders_changed(self, error);
    return refuse("a change of colliders, gravity or weather during the simulation", error);
}

firn_result firn_mpm_snapshot_take(void* self, firn_error* error)
{
    firn_mpm* m = self;
    firn_mpm_crew* crew = m->crew;
    if (crew == NULL) return firn_device_run_snapshot(self, error);
    FIRN_TRY(firn_mpm_crew_settle(m, error));
    firn_mpm_crew_order(crew, FIRN_CREW_SNAPSHOT, NULL, 0);
    FIRN_TRY(take_snapshot(crew, error));
    crew->snapshot_count = crew->count;
    crew->snapshot_step = m->base.step;
    return FIRN_OK;
}

firn_result firn_mpm_snapshot_restore(void* self, firn_error* error)
{
    firn_mpm_crew* crew = firn_mpm_crew_of(self);
    if (crew == NULL) return firn_device_run_restore(self, error);
    const restore_order order = {crew->snapshot_step == 0};
    firn_mpm_crew_order(crew, FIRN_CREW_RESTORE, &order, sizeof order);
    FIRN_TRY(restore_snapshot(crew, &order, error));
    crew->count = crew->snapshot_count;
    crew->host_newer = crew->fetched = crew->undivided = false;
    return FIRN_OK;
}

void firn_mpm_expect(void* self, double time, double dt_limit, double dt_scale)
{
    if (firn_mpm_crew_of(self) == NULL) firn_device_run_expect(self, time, dt_limit, dt_scale);
}

firn_result firn_mpm_fetch(void* self, firn_error* error)
{
    firn_mpm* m = self;
    firn_mpm_crew* crew = m->crew;
    if (crew == NULL) return firn_device_run_fetch(self, error);
    if (crew->host_newer || crew->fetched) return FIRN_OK;
    firn_mpm_crew_order(crew, FIRN_CREW_GATHER, NULL, 0);
    FIRN_TRY(firn_mpm_share_gather(crew->mine, &m->base.store, error));
    crew->fetched = true;
    return FIRN_OK;
}

size_t firn_mpm_device_bytes(const void* self)
{
    return firn_mpm_crew_of(self) == NULL && firn_device_run_remote(self)
               ? firn_device_run_bytes(self)
               : 0;
}

firn_result firn_mpm_device_field(void* self, const firn_field* field, bool wait,
                                  firn_device_field* out_field, firn_error* error)
{
    if (firn_mpm_crew_of(self) == NULL)
        return firn_device_run_field(self, field, wait, out_field, error);
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "the particles are on several ranks: read them with firn_sim_field");
}
