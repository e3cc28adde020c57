// SPDX-License-Identifier: MIT
// A step of one rank's share. What needs other ranks is here; the loops are those of a whole
// simulation. Where ranks wait for each other, all of them come by, whatever has failed on one:
// firn_comm_settle makes a failure of one the failure of all.
#include "core/memory.h"
#include "core/timer.h"
#include "scene/data/scene.h"
#include "solver/mpm/outside/mpm_air.h"
#include "solver/mpm/outside/mpm_emit.h"
#include "solver/mpm/ranks/rank_cuts.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/rigid/mpm_contacts.h"
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_fault.h"
#include "solver/mpm/support/mpm_prepare.h"
#include "solver/shared/impulse.h"

firn_result firn_mpm_part_create(firn_mpm* m, firn_comm* comm)
{
    const size_t ranks = (size_t)firn_comm_count(comm);
    firn_mpm_part* part = firn_alloc(1, sizeof *part);
    if (part == NULL) return FIRN_BROKEN_MEMORY;
    m->part = part;
    part->comm = comm;
    part->leaving = firn_alloc(ranks, sizeof *part->leaving);
    part->arriving = firn_alloc(ranks, sizeof *part->arriving);
    part->place = firn_alloc(ranks, sizeof *part->place);
    part->to = firn_alloc(ranks, sizeof *part->to);
    part->from = firn_alloc(ranks, sizeof *part->from);
    part->bytes = firn_alloc(ranks, sizeof *part->bytes);
    part->sizes = firn_alloc(2 * ranks, sizeof *part->sizes);
    if (part->leaving == NULL || part->arriving == NULL || part->place == NULL ||
        part->to == NULL || part->from == NULL || part->bytes == NULL || part->sizes == NULL)
        return FIRN_BROKEN_MEMORY;
    FIRN_TRY(firn_cuts_create((int)ranks, &part->cuts));
    FIRN_TRY(firn_loads_create(m->base.colliders, m->base.collider_count, &m->base.scene->shapes,
                               &part->foreign_loads));
    return firn_halo_create(comm, &part->cuts, &part->halo);
}

void firn_mpm_part_destroy(firn_mpm_part* part)
{
    if (part == NULL) return;
    firn_halo_destroy(&part->halo);
    firn_cuts_destroy(&part->cuts);
    firn_loads_destroy(&part->foreign_loads);
    firn_work_destroy(&part->work);
    void* arrays[] = {part->owner, part->keep,       part->leaving, part->arriving,
                      part->place, part->out,        part->in,      part->to,
                      part->from,  part->disordered, part->bytes,   part->sizes};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    firn_free(part);
}

// ---- step 0 -------------------------------------------------------------------------------------

// The first particle whose velocity or position no grid can take.
static firn_result look_for_lost(firn_mpm* m, firn_error* error)
{
    firn_local bad = firn_mpm_measure_now(m);
    int32_t node[3];
    for (firn_local p = 0; p < bad; p++)
        if (!firn_grid_lowest_node(&m->grid, m->p.position[p], node)) bad = p;
    if (bad == m->p.count) return FIRN_OK;
    const firn_culprit culprit = firn_mpm_culprit_of(m, bad);
    return firn_mpm_fault_lost(m, &culprit, error);
}

firn_result firn_mpm_part_prepare(firn_mpm* m, firn_error* error)
{
    firn_comm* comm = m->part->comm;
    firn_work_begin(&m->part->work, &m->grid, comm, m->base.step);
    firn_loads_clear(&m->part->foreign_loads);
    firn_result r = firn_base_cull(&m->base, error);
    firn_mpm_refresh_pointers(m);
    if (r == FIRN_OK) r = firn_mpm_emit(m, error);
    if (m->keyed) firn_mpm_take_materials(m, m->base.time);
    if (r == FIRN_OK) r = firn_base_move_colliders(&m->base, error);
    const bool choosing = firn_mpm_begin_choice(m);
    if (r == FIRN_OK) r = look_for_lost(m, error);
    FIRN_TRY(firn_comm_settle(comm, r, error));
    double most[2] = {m->base.max_speed, m->max_sound};
    firn_comm_max(comm, most, 2);
    m->base.max_speed = most[0];
    m->max_sound = most[1];
    if (choosing) firn_mpm_choose_now(m);
    bool moved;
    const double begun = firn_seconds();
    FIRN_TRY(firn_mpm_part_migrate(m, INT64_MAX, &moved, error));
    firn_mpm_balance_moved(m, firn_seconds() - begun);
    firn_local lost;
    r = firn_mpm_sort(m, &lost);
    FIRN_TRY(firn_comm_settle(comm, r == FIRN_OK ? r : firn_mpm_no_memory(m, error), error));
    FIRN_TRY(firn_halo_make(&m->part->halo, &m->grid, error));
    m->base.dt = firn_mpm_choose_dt(m);
    firn_mpm_take_gravity(m);
    const bool fits =
        firn_mpm_make_room(m) == FIRN_OK && firn_work_take_blocks(&m->part->work, &m->grid) &&
        firn_mpm_contacts_begin(m->contacts, &m->base, m->grid.block_count) == FIRN_OK;
    FIRN_TRY(firn_comm_settle(comm, fits ? FIRN_OK : firn_mpm_no_memory(m, error), error));
    m->part->halo.view.block_seconds = m->grid.block_seconds;
    firn_base_apply_forces(&m->base, m->p.position, m->p.velocity);
    firn_mpm_blow(m);
    return FIRN_OK;
}

// ---- steps 1 and 3 ------------------------------------------------------------------------------

static void divide_shared(firn_mpm* m, const firn_mpm_rasterize_args* args)
{
    const firn_halo* halo = &m->part->halo;
    for (firn_local k = 0; k < firn_halo_shared_count(halo); k++) {
        const firn_local first = firn_halo_shared(halo, k) * FIRN_BLOCK_NODES;
        m->ops->divide(args, first, first + FIRN_BLOCK_NODES);
    }
}

void firn_mpm_part_rasterize(firn_mpm* m)
{
    firn_halo* halo = &m->part->halo;
    const firn_mpm_rasterize_args args = firn_mpm_args_rasterize(m);
    firn_mpm_rasterize_args border = args;
    border.grid = &halo->view;
    border.node_velocity = firn_halo_tiles(halo, 0);
    m->ops->rasterize(&border);
    firn_halo_begin(halo, 1);
    const firn_ready_tiles ready = firn_halo_ready(halo, 1, &m->node_velocity);
    m->grid.ready = &ready;
    m->ops->rasterize(&args);
    m->grid.ready = NULL;
    firn_halo_join(halo, &m->node_velocity);
    divide_shared(m, &args);
}

void firn_mpm_part_forces(firn_mpm* m)
{
    firn_halo* halo = &m->part->halo;
    const firn_mpm_forces_args args = firn_mpm_args_forces(m);
    firn_mpm_forces_args border = args;
    border.grid = &halo->view;
    border.node_force = firn_halo_tiles(halo, 0);
    m->ops->forces(&border);
    firn_halo_begin(halo, 1);
    const firn_ready_tiles ready = firn_halo_ready(halo, 1, &m->node_force);
    m->grid.ready = &ready;
    m->ops->forces(&args);
    m->grid.ready = NULL;
    firn_halo_join(halo, &m->node_force);
}

void firn_mpm_part_fused_01_03(firn_mpm* m)
{
    firn_halo* halo = &m->part->halo;
    const firn_mpm_fused_01_03_args args = firn_mpm_args_fused_01_03(m);
    firn_mpm_fused_01_03_args border = args;
    border.rasterize.grid = border.forces.grid = &halo->view;
    border.rasterize.node_velocity = firn_halo_tiles(halo, 0);
    border.forces.node_force = firn_halo_tiles(halo, 1);
    m->ops->fused_01_03(&border);
    firn_halo_begin(halo, 2);
    firn_vec4* const nodes[] = {m->node_velocity, m->node_force};
    const firn_ready_tiles ready = firn_halo_ready(halo, 2, nodes);
    m->grid.ready = &ready;
    m->ops->fused_01_03(&args);
    m->grid.ready = NULL;
    firn_halo_join(halo, nodes);
    divide_shared(m, &args.rasterize);
}

// ---- the end ------------------------------------------------------------------------------------

firn_result firn_mpm_part_end(firn_mpm* m, firn_result result, firn_step_report* report,
                              firn_error* error)
{
    firn_mpm_part* part = m->part;
    if (result == FIRN_OK) firn_work_end(&part->work, &m->grid, part->comm);
    FIRN_TRY(firn_comm_settle(part->comm, result, error));
    firn_report_add_ranks(report, m->sums, m->grid.occupied_count, part->comm);
    int64_t counts[3] = {m->base.store.count, m->base.culled, 0};
    const uint8_t* foreign = firn_halo_foreign(&part->halo);
    for (firn_local b = 0; b < m->grid.block_count; b++) counts[2] += foreign[b] == 0;
    part->comm->stats.particles = counts[0];
    firn_comm_add(part->comm, counts, 3);
    report->particle_count = (firn_local)counts[0];
    report->culled = (firn_local)counts[1];
    report->active_blocks = (firn_local)counts[2];
    firn_loads_end(&m->base.loads, m->base.colliders);
    _Static_assert(sizeof(firn_impulse) % sizeof(int64_t) == 0, "impulses are integers");
    const size_t integers =
        (size_t)(m->base.loads.count + 1) * sizeof(firn_impulse) / sizeof(int64_t);
    firn_comm_add(part->comm, (int64_t*)(void*)m->base.loads.sums, (int)integers);
    return firn_comm_check(part->comm, error);
}
