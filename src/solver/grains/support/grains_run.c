// SPDX-License-Identifier: MIT
#include "solver/grains/support/grains_run.h"

#include <string.h>

#include "core/timer.h"
#include "scene/data/scene.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/step02_cohesion.h"
#include "solver/grains/step03_heat.h"
#include "solver/grains/step04_compression.h"
#include "solver/grains/step05_velocity.h"
#include "solver/grains/step06_advect.h"
#include "solver/grains/support/grains_solver.h"

firn_grains_run firn_grains_run_begin(firn_grains* m, firn_error* error)
{
    memset(m->stage_seconds, 0, sizeof m->stage_seconds);
    return (firn_grains_run){m, FIRN_OK, error};
}

void firn_grains_run_prepare(firn_grains_run* run, double time, double dt_limit, double dt_scale)
{
    const double start = firn_seconds();
    run->result = firn_grains_prepare(run->m, time, dt_limit, dt_scale, run->error);
    run->m->stage_seconds[FIRN_GRAINS_00_PREPARE] = firn_seconds() - start;
}

static void run_cohesion(firn_grains* m)
{
    firn_grains_cohesion(&(firn_grains_cohesion_args){.constants = &m->constants,
                                                      .ops = m->ops,
                                                      .fast = m->list.laid && m->all_solid,
                                                      .list = &m->list,
                                                      .scene = m->scene,
                                                      .colliders = m->colliders,
                                                      .collider_count = m->collider_count,
                                                      .free = m->free,
                                                      .free_count = m->free_count,
                                                      .free_of = m->free_of,
                                                      .body_temperature = m->body_temperature,
                                                      .p = m->p,
                                                      .w = m->w,
                                                      .gravity = m->gravity,
                                                      .dt = (firn_real)m->dt,
                                                      .threads = m->threads});
}

// Bodies that snow pushes: what each piece of the grains did to them, in order.
static void move_bodies(firn_grains* m)
{
    const firn_local pieces = (m->p.count + FIRN_GRAINS_CHUNK - 1) / FIRN_GRAINS_CHUNK;
    for (firn_local k = 0; k < m->free_count; k++) {
        if (m->free_of[m->free[k].collider] < 0) continue;
        firn_grains_push all = {{0, 0, 0}, {0, 0, 0}};
        for (firn_local piece = 0; piece < pieces; piece++) {
            const firn_grains_push* push = &m->w.push[piece * m->free_count + k];
            for (int d = 0; d < 3; d++) {
                all.force[d] += push->force[d];
                all.torque[d] += push->torque[d];
            }
        }
        firn_free_body_step(&m->free[k], &all, m->gravity, m->colliders, m->collider_count,
                            &m->scene->shapes, m->time, m->dt);
    }
}

static firn_result run_advect(firn_grains* m, firn_error* error)
{
    firn_local bad;
    firn_grains_advect(
        &(firn_grains_advect_args){.count = m->p.count,
                                   .velocity = m->p.velocity,
                                   .stick_speed = m->constants.stick_speed,
                                   .slip_most = (firn_real)(FIRN_GRAINS_SLIP_MOST * m->radius),
                                   .dt = (firn_real)m->dt,
                                   .farthest = (firn_real)m->radius,
                                   .position = m->p.position,
                                   .slip = m->p.slip,
                                   .out_bad = &bad,
                                   .threads = m->threads});
    if (bad < m->p.count) {
        const firn_grains_culprit culprit = firn_grains_culprit_of(m, bad);
        return firn_grains_fault_runaway(m, &culprit, error);
    }
    move_bodies(m);
    return FIRN_OK;
}

static firn_result run_stage(firn_grains* m, firn_grains_stage stage, firn_error* error)
{
    switch (stage) {
    case FIRN_GRAINS_01_NEIGHBOURS: return firn_grains_neighbours(m, error);
    case FIRN_GRAINS_02_COHESION: run_cohesion(m); break;
    case FIRN_GRAINS_03_HEAT:
        firn_grains_heat(&(firn_grains_heat_args){&m->constants, &m->list, m->p, m->w, m->air,
                                                  m->dt, m->threads});
        break;
    case FIRN_GRAINS_04_COMPRESSION:
        firn_grains_compression(&(firn_grains_compression_args){&m->constants, m->p, m->w,
                                                                (firn_real)m->dt, m->threads});
        break;
    case FIRN_GRAINS_05_VELOCITY:
        firn_grains_velocity(&(firn_grains_velocity_args){m->p.count, m->w.force, m->constants.mass,
                                                          (firn_real)m->dt, m->p.velocity,
                                                          m->threads});
        break;
    case FIRN_GRAINS_06_ADVECT: return run_advect(m, error);
    case FIRN_GRAINS_00_PREPARE:
    case FIRN_GRAINS_FUSED_02_06:
    case FIRN_GRAINS_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

void firn_grains_run_stage(firn_grains_run* run, firn_grains_stage stage)
{
    if (run->result != FIRN_OK) return;
    const double start = firn_seconds();
    run->result = run_stage(run->m, stage, run->error);
    run->m->stage_seconds[stage] += firn_seconds() - start;
}

static void add_sums(firn_grains* m, firn_step_report* out)
{
    double near = 0;
    const firn_local pieces = (m->p.count + FIRN_GRAINS_CHUNK - 1) / FIRN_GRAINS_CHUNK;
    for (firn_local k = 0; k < pieces; k++) {
        const firn_grains_sums* s = &m->w.sums[k];
        for (int d = 0; d < 3; d++) out->momentum[d] += s->momentum[d];
        out->kinetic += s->kinetic;
        out->potential += s->potential;
        near += s->neighbours;
        m->heat_gained += s->heat;
    }
    out->neighbours = m->p.count > 0 ? near / (double)m->p.count : 0;
}

firn_result firn_grains_run_end(firn_grains_run* run, firn_step_report* out_report)
{
    firn_grains* m = run->m;
    *out_report = (firn_step_report){.step = m->step,
                                     .time = m->time,
                                     .dt = m->dt,
                                     .max_speed = m->max_speed,
                                     .plastic_min = 1,
                                     .plastic_max = 1,
                                     .particle_count = m->p.count,
                                     .culled = m->culled,
                                     .active_blocks = m->cells.cell_count};
    memcpy(out_report->stage_seconds, m->stage_seconds, sizeof m->stage_seconds);
    if (run->result != FIRN_OK) return run->result;
    add_sums(m, out_report);
    m->step++;
    return FIRN_OK;
}
