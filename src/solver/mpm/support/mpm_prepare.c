// SPDX-License-Identifier: MIT
// Step 0, not numbered in the paper: speeds, size of the step, sorting, active blocks, allocation.
#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "core/simd/lanes.h"
#include "core/threads/team.h"
#include "scene/data/scene.h"
#include "solver/mpm/outside/mpm_air.h"
#include "solver/mpm/outside/mpm_emit.h"
#include "solver/mpm/ranks/rank_part.h"
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_fault.h"
#include "solver/mpm/support/mpm_prepare.h"

void firn_mpm_refresh_pointers(firn_mpm* m)
{
    firn_base_point(&m->base, &m->p);
    m->p.count = m->base.store.count;
}

firn_local firn_mpm_measure_now(firn_mpm* m)
{
    const firn_mpm_measure_args args = {.particle_count = m->p.count,
                                        .velocity = m->p.velocity,
                                        .plastic_det = firn_mpm_hardening_det(m),
                                        .stiffness = firn_mpm_step_stiffness(m),
                                        .hardening = m->p.hardening,
                                        .material = m->p.material,
                                        .materials = m->materials,
                                        .lightest = (firn_real)m->lightest,
                                        .sound = m->def.integrator == FIRN_MPM_AUTO ||
                                                 (!m->implicit && m->def.dt <= 0)};
    const firn_mpm_measured measured = m->ops->measure(&args);
    m->base.max_speed = measured.speed;
    m->max_sound = measured.sound;
    return measured.bad;
}

void firn_mpm_choose_now(firn_mpm* m)
{
    firn_mpm_prospect p = {
        .speed = m->base.max_speed, .sound = m->max_sound, .dt_factor = m->dt_factor};
    const bool changed = firn_mpm_choose(&m->def, &m->choice, &p);
    m->implicit = m->choice.implicit;
    if (!changed) return;
    firn_log_write(&m->base.log, FIRN_LOG_INFO, "mpm.integrator",
                   "from t = %.6g s: %s. Explicit would take %.0f steps per simulated second (dt "
                   "%.3g s, sound at %.3g m/s), semi-implicit %.0f with %.0f iterations each (dt "
                   "%.3g s): as much work as %.0f explicit ones",
                   m->base.time, m->implicit ? "semi-implicit" : "explicit", p.explicit_cost,
                   p.explicit_dt, p.sound, 1 / p.implicit_dt, p.iterations, p.implicit_dt,
                   p.implicit_cost);
}

firn_mpm_dt_rules firn_mpm_dt_rules_of(const firn_mpm_def* def)
{
    return (firn_mpm_dt_rules){.fixed = def->dt,
                               .most = def->dt_max,
                               .cfl = def->cfl,
                               .sound_cfl = firn_mpm_sound_cfl(def),
                               .cell = def->cell};
}

double firn_mpm_choose_dt(const firn_mpm* m)
{
    const firn_mpm_dt_rules rules = firn_mpm_dt_rules_of(&m->def);
    const double speed = fmax(m->base.max_speed, firn_base_body_speed(&m->base));
    const firn_mpm_dt_facts facts = {m->implicit,      speed,           m->max_sound, m->dt_factor,
                                     m->base.dt_scale, m->base.dt_limit};
    bool last;
    return firn_mpm_dt_choose(&rules, &facts, &last);
}

static bool grow(void** array, size_t count, size_t size)
{
    void* bigger = firn_alloc(count, size);
    if (bigger == NULL) return false;
    firn_free(*array);
    *array = bigger;
    return true;
}

static bool grow_nodes(firn_vec4** arrays[], int count, size_t n)
{
    for (int k = 0; k < count; k++)
        if (!grow((void**)arrays[k], n, sizeof(firn_vec4))) return false;
    return true;
}

// An eighth more than needed: snow spreads, and steps should rarely allocate.
static size_t with_slack(firn_local count)
{
    return (size_t)count + (size_t)count / 8 + 64;
}

// Arrays of the linear solve.
static firn_result make_room_for_solve(firn_mpm* m, firn_local nodes)
{
    if (nodes > m->solve_capacity) {
        const size_t n = with_slack(nodes);
        m->solve_capacity = 0;
        firn_vec4** arrays[] = {&m->node_solved, &m->cr_r, &m->cr_p,     &m->cr_Az,
                                &m->cr_Ap,       &m->cr_b, &m->cr_scale, &m->cr_z};
        const bool diagonal = m->def.preconditioner == FIRN_MPM_PRECONDITIONER_DIAGONAL;
        if (!grow_nodes(arrays, diagonal ? 8 : 6, n) ||
            !grow((void**)&m->cr_partial, n / FIRN_BLOCK_NODES + 1, sizeof(double)))
            return FIRN_BROKEN_MEMORY;
        m->solve_capacity = (firn_local)n;
    }
    const size_t particles = (size_t)m->p.count + FIRN_LANES_MOST;
    if (particles > m->linear_stride) {
        const size_t n = (size_t)m->base.store.capacity + FIRN_LANES_MOST;
        m->linear_stride = 0;
        if (!grow((void**)&m->linear, n, sizeof *m->linear) ||
            !grow((void**)&m->cell_offset, n, sizeof *m->cell_offset))
            return FIRN_BROKEN_MEMORY;
        m->linear_stride = n;
    }
    return FIRN_OK;
}

firn_result firn_mpm_make_room(firn_mpm* m)
{
    const firn_local occupied = m->grid.occupied_count;
    // velocities of dynamic colliders come after the nodes (rigid/contact_solve.c)
    const firn_local nodes = firn_grid_node_count(&m->grid) + 2 * firn_bodies_count(m->base.bodies);
    if (nodes > m->node_capacity) {
        const size_t n = with_slack(nodes);
        if (n > INT32_MAX) return FIRN_BROKEN_MEMORY;
        m->node_capacity = 0;
        firn_vec4** arrays[] = {&m->node_velocity, &m->node_force};
        if (!grow_nodes(arrays, 2, n) || !grow((void**)&m->node_fixed, n, 1))
            return FIRN_BROKEN_MEMORY;
        m->node_capacity = (firn_local)n;
    }
    if (occupied > m->sums_capacity) {
        const size_t n = with_slack(occupied);
        m->sums_capacity = 0;
        if (!grow((void**)&m->sums, n, sizeof *m->sums) ||
            !grow((void**)&m->faults, n, sizeof *m->faults))
            return FIRN_BROKEN_MEMORY;
        m->sums_capacity = (firn_local)n;
    }
    if (m->implicit) FIRN_TRY(make_room_for_solve(m, nodes));
    m->node_new = m->implicit ? m->node_solved : m->node_force;
    return FIRN_OK;
}

firn_result firn_mpm_sort(firn_mpm* m, firn_local* out_lost)
{
    *out_lost = m->p.count;
    FIRN_TRY(firn_block_sort_run(&m->sort, &m->grid, m->p.position, m->p.count, firn_team_size(),
                                 out_lost));
    if (*out_lost < m->p.count) return FIRN_OK;
    if (m->part != NULL) firn_mpm_part_order_cells(m);
    if (m->base.step % FIRN_MPM_STEPS_PER_REORDER != 0) return FIRN_OK;
    FIRN_TRY(firn_particles_reorder(&m->base.store, m->grid.order));
    for (firn_local k = 0; k < m->p.count; k++) m->grid.order[k] = k;
    if (m->part != NULL) firn_mpm_part_name_places(m);
    return FIRN_OK;
}

void firn_mpm_take_gravity(firn_mpm* m)
{
    m->gravity = firn_base_gravity(&m->base);
    m->slow = firn_mpm_slow(m->gravity, m->def.cell);
}

bool firn_mpm_begin_choice(firn_mpm* m)
{
    m->implicit = m->def.beta > 0 && (m->def.integrator == FIRN_MPM_SEMI_IMPLICIT ||
                                      (m->def.integrator == FIRN_MPM_AUTO && m->choice.implicit));
    return m->def.integrator == FIRN_MPM_AUTO && m->choice.frame_begins != 0;
}

firn_result firn_mpm_no_memory(const firn_mpm* m, firn_error* error)
{
    return firn_fail(
        error, FIRN_BROKEN_MEMORY,
        "out of memory for a grid of %d blocks (%d particles, cell %g m): use a larger "
        "cell or fewer particles",
        (int)m->grid.block_count, (int)m->p.count, m->def.cell);
}

firn_result firn_mpm_prepare(firn_mpm* m, firn_error* error)
{
    if (m->part != NULL) return firn_mpm_part_prepare(m, error);
    FIRN_TRY(firn_base_cull(&m->base, error));
    firn_mpm_refresh_pointers(m);
    FIRN_TRY(firn_mpm_emit(m, error));
    if (m->keyed) firn_mpm_take_materials(m, m->base.time);
    firn_base_take_bodies(&m->base);
    FIRN_TRY(firn_base_move_colliders(&m->base, error));
    const bool choosing = firn_mpm_begin_choice(m);
    firn_local lost, bad = firn_mpm_measure_now(m);
    if (choosing) firn_mpm_choose_now(m);
    const firn_result sorted = firn_mpm_sort(m, &lost);
    if (lost < bad) bad = lost;
    if (bad < m->p.count) {
        const firn_culprit culprit = firn_mpm_culprit_of(m, bad);
        return firn_mpm_fault_lost(m, &culprit, error);
    }
    m->base.dt = firn_mpm_choose_dt(m);
    firn_mpm_take_gravity(m);
    firn_base_begin_bodies(&m->base);
    if (sorted != FIRN_OK || firn_mpm_make_room(m) != FIRN_OK ||
        firn_mpm_contacts_begin(m->contacts, &m->base, m->grid.block_count) != FIRN_OK)
        return firn_mpm_no_memory(m, error);
    firn_base_apply_forces(&m->base, m->p.position, m->p.velocity);
    firn_mpm_blow(m);
    return FIRN_OK;
}
