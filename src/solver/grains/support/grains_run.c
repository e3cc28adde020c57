// SPDX-License-Identifier: MIT
#include "solver/grains/support/grains_run.h"

#include "bodies/bodies.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/step02_cohesion.h"
#include "solver/grains/step03_heat.h"
#include "solver/grains/step04_compression.h"
#include "solver/grains/step05_velocity.h"
#include "solver/grains/step06_advect.h"
#include "solver/grains/support/grains_cpu.h"
#include "solver/grains/support/grains_solver.h"

// `fused`: and steps 4 to 6.
static void run_cohesion(firn_grains* m, bool fused)
{
    firn_grains_cohesion(&(firn_grains_cohesion_args){
        .constants = &m->constants,
        .ops = m->ops,
        .fast = m->list.laid && m->all_solid,
        .anchored = m->any_anchored,
        .heats = m->heats,
        .list = &m->list,
        .scene = m->base.scene,
        .colliders = m->base.colliders,
        .collider_count = m->base.collider_count,
        .loads = &m->base.loads,
        .body_temperature = m->body_temperature,
        .p = m->p,
        .w = m->w,
        .gravity = m->gravity,
        .dt = (firn_real)m->base.dt,
        .finish = fused ? firn_grains_finish_04_06 : firn_grains_cohesion_store,
        .rules = firn_grains_move_rules_of(&m->constants, m->radius, (firn_real)m->base.dt)});
}

bool firn_grains_fuses(const firn_grains* m)
{
    return m->ops->neighbours != NULL && !m->heats;
}

// Moves dynamic colliders by the loads of the step.
static firn_result move_bodies(firn_grains* m, firn_error* error)
{
    firn_loads_end(&m->base.loads, m->base.colliders);
    if (firn_bodies_count(m->base.bodies) == 0) return FIRN_OK;
    firn_base_begin_bodies(&m->base);
    firn_base_push_loads(&m->base);
    return firn_base_finish_bodies(&m->base, error);
}

// Ends step 6. bad: the first grain that moves too far; the number of grains: none.
static firn_result end_advect(firn_grains* m, firn_local bad, firn_error* error)
{
    if (bad < m->p.count) {
        const firn_culprit culprit = firn_grains_culprit_of(m, bad);
        return firn_grains_fault_runaway(m, &culprit, error);
    }
    return move_bodies(m, error);
}

static firn_result run_advect(firn_grains* m, firn_error* error)
{
    firn_local bad;
    firn_grains_advect(&(firn_grains_advect_args){
        .rules = firn_grains_move_rules_of(&m->constants, m->radius, (firn_real)m->base.dt),
        .p = m->p,
        .slides = m->w.slides,
        .out_bad = &bad});
    return end_advect(m, bad, error);
}

static firn_result run_fused(firn_grains* m, firn_error* error)
{
    firn_local bad = m->p.count;
    run_cohesion(m, true);
    for (firn_local k = 0; k * FIRN_GRAINS_CHUNK < m->p.count; k++)
        bad = m->w.sums[k].runaway < bad ? m->w.sums[k].runaway : bad;
    return end_advect(m, bad, error);
}

static firn_result run_stage(void* self, int stage, firn_error* error)
{
    firn_grains* m = self;
    switch ((firn_grains_stage)stage) {
    case FIRN_GRAINS_00_PREPARE: return firn_grains_prepare(m, error);
    case FIRN_GRAINS_01_NEIGHBOURS: return firn_grains_neighbours(m, error);
    case FIRN_GRAINS_02_COHESION: run_cohesion(m, false); break;
    case FIRN_GRAINS_03_HEAT:
        firn_grains_heat(
            &(firn_grains_heat_args){&m->constants, &m->list, m->p, m->w, m->air, m->base.dt});
        break;
    case FIRN_GRAINS_04_COMPRESSION:
        firn_grains_compression(
            &(firn_grains_compression_args){&m->constants, m->p, m->w, (firn_real)m->base.dt});
        break;
    case FIRN_GRAINS_05_VELOCITY:
        firn_grains_velocity(
            &(firn_grains_velocity_args){&m->constants, m->p, m->w, (firn_real)m->base.dt});
        break;
    case FIRN_GRAINS_06_ADVECT: return run_advect(m, error);
    case FIRN_GRAINS_FUSED_02_06: return run_fused(m, error);
    case FIRN_GRAINS_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

firn_stages firn_grains_run_begin(firn_grains* m, firn_error* error)
{
    return firn_stages_begin(m, run_stage, error);
}

static void add_sums(firn_grains* m, firn_step_report* out)
{
    double near = 0;
    const firn_local chunks = firn_grains_chunks(m->p.count);
    for (firn_local k = 0; k < chunks; k++) {
        const firn_grains_sums* s = &m->w.sums[k];
        for (int d = 0; d < 3; d++) out->momentum[d] += s->momentum[d];
        out->kinetic += s->kinetic;
        out->potential += s->potential;
        near += s->neighbours;
        m->heat_gained += s->heat;
    }
    out->neighbours = m->p.count > 0 ? near / (double)m->p.count : 0;
}

firn_result firn_grains_run_end(firn_stages* run, firn_step_report* out_report)
{
    firn_grains* m = run->self;
    *out_report = firn_report_begin(&m->base);
    out_report->active_blocks = m->cells.cell_count;
    if (run->result != FIRN_OK) return run->result;
    add_sums(m, out_report);
    m->base.step++;
    return FIRN_OK;
}
