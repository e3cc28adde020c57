// SPDX-License-Identifier: MIT
// Running the stages of a step. Each case fills the argument struct of its stage: what a stage may
// touch is what stands here.
#include "solver/mpm/mpm_run.h"

#include <math.h>
#include <string.h>

#include "core/timer.h"
#include "solver/mpm/mpm_cpu.h"

firn_mpm_run firn_mpm_run_begin(firn_mpm* m, firn_error* error)
{
    memset(m->stage_seconds, 0, sizeof m->stage_seconds);
    m->iterations = 0;
    m->residual = 0;
    return (firn_mpm_run){m, FIRN_OK, error};
}

void firn_mpm_run_prepare(firn_mpm_run* run, double time, double dt_limit, double dt_scale)
{
    const double start = firn_seconds();
    run->result = firn_mpm_prepare(run->m, time, dt_limit, dt_scale, run->error);
    run->m->stage_seconds[FIRN_MPM_00_PREPARE] = firn_seconds() - start;
}

static void rasterize(firn_mpm* m)
{
    m->ops->rasterize(&(firn_mpm_rasterize_args){.grid = &m->grid,
                                                 .position = m->p.position,
                                                 .velocity = m->p.velocity,
                                                 .mass = m->p.mass,
                                                 .affine = m->p.affine,
                                                 .gravity = m->gravity,
                                                 .mass_min = m->mass_min,
                                                 .node_velocity = m->node_velocity,
                                                 .sums = m->sums,
                                                 .threads = m->threads});
}

static void volumes(firn_mpm* m)
{
    m->ops->volumes(&(firn_mpm_volumes_args){.grid = &m->grid,
                                             .position = m->p.position,
                                             .mass = m->p.mass,
                                             .node_velocity = m->node_velocity,
                                             .volume = m->p.volume,
                                             .threads = m->threads});
}

static void forces(firn_mpm* m)
{
    m->ops->forces(&(firn_mpm_forces_args){.grid = &m->grid,
                                           .position = m->p.position,
                                           .def_grad_elastic = m->p.def_grad_elastic,
                                           .plastic_det = m->p.plastic_det,
                                           .volume = m->p.volume,
                                           .stiffness = m->p.stiffness,
                                           .hardening = m->p.hardening,
                                           .material = m->p.material,
                                           .materials = m->materials,
                                           .node_force = m->node_force,
                                           .sums = m->sums,
                                           .threads = m->threads});
}

static void grid_velocity(firn_mpm* m)
{
    m->ops->grid_velocity(
        &(firn_mpm_grid_velocity_args){.node_count = firn_grid_node_count(&m->grid),
                                       .node_velocity = m->node_velocity,
                                       .node_force = m->node_force,
                                       .gravity = m->gravity,
                                       .dt = (firn_real)m->dt,
                                       .node_new = m->node_new,
                                       .threads = m->threads});
}

static void grid_collide(firn_mpm* m)
{
    m->ops->grid_collide(&(firn_mpm_grid_collide_args){.grid = &m->grid,
                                                       .colliders = m->colliders,
                                                       .collider_count = m->collider_count,
                                                       .shapes = &m->scene->shapes,
                                                       .node_velocity = m->node_velocity,
                                                       .node_new = m->node_new,
                                                       .node_fixed = m->node_fixed,
                                                       .threads = m->threads});
}

// A solve that ran out of iterations is taken when it is close: the step stays stable, and the next
// one is shorter. Far off, it is a failure like any other.
#define RESIDUAL_ACCEPTED 0.1

// Block by block, so that it depends on the state alone.
static double total_mass(const firn_mpm* m)
{
    double mass = 0;
    for (firn_local b = 0; b < m->grid.home_count; b++) mass += m->sums[b].mass;
    return mass;
}

static firn_result solve(firn_mpm* m, firn_error* error)
{
    if (m->def.integrator != FIRN_MPM_SEMI_IMPLICIT || !(m->def.beta > 0)) return FIRN_OK;
    const firn_mpm_solve_args args = {.grid = &m->grid,
                                      .position = m->p.position,
                                      .def_grad_elastic = m->p.def_grad_elastic,
                                      .plastic_det = m->p.plastic_det,
                                      .volume = m->p.volume,
                                      .stiffness = m->p.stiffness,
                                      .hardening = m->p.hardening,
                                      .material = m->p.material,
                                      .materials = m->materials,
                                      .node_velocity = m->node_velocity,
                                      .node_fixed = m->node_fixed,
                                      .linear = m->linear,
                                      .node_Hu = m->node_force,
                                      .r = m->cr_r,
                                      .p = m->cr_p,
                                      .Ar = m->cr_Ar,
                                      .Ap = m->cr_Ap,
                                      .b = m->cr_b,
                                      .partial = m->cr_partial,
                                      .gravity = m->gravity,
                                      .dt = (firn_real)m->dt,
                                      .beta = (firn_real)m->def.beta,
                                      .guess = (firn_mpm_guess)m->def.guess,
                                      .tolerance = m->def.tolerance,
                                      .size_floor = m->def.speed_floor * sqrt(total_mass(m)),
                                      .max_iterations = (int)m->def.max_iterations,
                                      .node_new = m->node_new,
                                      .threads = m->threads};
    const firn_cr_result r = m->ops->solve(&args);
    m->iterations = r.iterations;
    m->residual = r.residual;
    if (r.residual < RESIDUAL_ACCEPTED) return FIRN_OK;
    return firn_fail(
        error, FIRN_BROKEN_DIVERGED,
        "step %lld: the linear solve %s after %d iterations at a relative residual of %.2g "
        "(dt %.3g s): use a smaller mpm.dt or more mpm.max_iterations",
        (long long)m->step, r.reason == FIRN_CR_STALLED ? "stalled" : "did not converge",
        r.iterations, r.residual, m->dt);
}

static void deformation(firn_mpm* m)
{
    m->ops->deformation(&(firn_mpm_deformation_args){.grid = &m->grid,
                                                     .position = m->p.position,
                                                     .material = m->p.material,
                                                     .materials = m->materials,
                                                     .compression = m->p.compression,
                                                     .stretch = m->p.stretch,
                                                     .node_new = m->node_new,
                                                     .dt = (firn_real)m->dt,
                                                     .def_grad_elastic = m->p.def_grad_elastic,
                                                     .plastic_det = m->p.plastic_det,
                                                     .faults = m->faults,
                                                     .threads = m->threads});
}

static void particle_velocity(firn_mpm* m)
{
    m->ops->particle_velocity(&(firn_mpm_particle_velocity_args){.grid = &m->grid,
                                                                 .position = m->p.position,
                                                                 .node_velocity = m->node_velocity,
                                                                 .node_new = m->node_new,
                                                                 .alpha = (firn_real)m->def.flip,
                                                                 .velocity = m->p.velocity,
                                                                 .affine = m->p.affine,
                                                                 .threads = m->threads});
}

static void particle_collide(firn_mpm* m)
{
    m->ops->particle_collide(&(firn_mpm_particle_collide_args){.particle_count = m->p.count,
                                                               .position = m->p.position,
                                                               .colliders = m->colliders,
                                                               .collider_count = m->collider_count,
                                                               .shapes = &m->scene->shapes,
                                                               .velocity = m->p.velocity,
                                                               .threads = m->threads});
}

static void advect(firn_mpm* m)
{
    m->ops->advect(&(firn_mpm_advect_args){.grid = &m->grid,
                                           .velocity = m->p.velocity,
                                           .dt = (firn_real)m->dt,
                                           .position = m->p.position,
                                           .faults = m->faults,
                                           .threads = m->threads});
}

static firn_result fault(const firn_mpm* m, firn_local p, const char* what, const char* cause,
                         firn_error* error)
{
    const firn_vec3 x = m->p.position[p], v = m->p.velocity[p];
    return firn_fail(error, FIRN_BROKEN_DIVERGED,
                     "step %lld (dt %.3g s): particle %u at (%.4g, %.4g, %.4g) m, material '%s', "
                     "velocity (%.4g, %.4g, %.4g) m/s, J_P %.4g: %s; likely cause: %s",
                     (long long)m->step, m->dt, (unsigned)m->p.id[p], (double)x.x, (double)x.y,
                     (double)x.z, m->scene->materials[m->p.material[p]].name, (double)v.x,
                     (double)v.y, (double)v.z, (double)m->p.plastic_det[p], what, cause);
}

static firn_result look_for_faults(const firn_mpm* m, bool after_advect, firn_error* error)
{
    for (firn_local b = 0; b < m->grid.home_count; b++) {
        if (!after_advect && m->faults[b].inverted >= 0)
            return fault(m, m->faults[b].inverted, "its deformation is inverted or not finite",
                         "the time step is too large for the speed of the impact (mpm.dt, mpm.cfl)",
                         error);
        if (after_advect && m->faults[b].runaway >= 0)
            return fault(
                m, m->faults[b].runaway, "it would cross more than a cell in one step",
                m->def.integrator == FIRN_MPM_EXPLICIT
                    ? "mpm.dt is above the limit of explicit integration (hardened speed of sound)"
                    : "mpm.dt is too large for this speed, or a body moves too fast",
                error);
    }
    return FIRN_OK;
}

static firn_result run_stage(firn_mpm* m, firn_mpm_stage stage, firn_error* error)
{
    switch (stage) {
    case FIRN_MPM_01_RASTERIZE: rasterize(m); break;
    case FIRN_MPM_02_VOLUMES: volumes(m); break;
    case FIRN_MPM_03_FORCES: forces(m); break;
    case FIRN_MPM_04_GRID_VELOCITY: grid_velocity(m); break;
    case FIRN_MPM_05_GRID_COLLIDE: grid_collide(m); break;
    case FIRN_MPM_06_SOLVE: return solve(m, error);
    case FIRN_MPM_07_DEFORMATION: deformation(m); return look_for_faults(m, false, error);
    case FIRN_MPM_08_PARTICLE_VELOCITY: particle_velocity(m); break;
    case FIRN_MPM_09_PARTICLE_COLLIDE: particle_collide(m); break;
    case FIRN_MPM_10_ADVECT: advect(m); return look_for_faults(m, true, error);
    case FIRN_MPM_00_PREPARE:
    case FIRN_MPM_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

void firn_mpm_run_stage(firn_mpm_run* run, firn_mpm_stage stage)
{
    if (run->result != FIRN_OK) return;
    const double start = firn_seconds();
    run->result = run_stage(run->m, stage, run->error);
    run->m->stage_seconds[stage] += firn_seconds() - start;
}

static void add_sums(const firn_mpm* m, firn_step_report* out)
{
    out->plastic_min = out->plastic_max = 1;
    for (firn_local b = 0; b < m->grid.home_count; b++) {
        const firn_mpm_sums* s = &m->sums[b];
        for (int d = 0; d < 3; d++) out->momentum[d] += s->momentum[d];
        out->kinetic += s->kinetic;
        out->potential += s->potential;
        out->elastic += s->elastic;
        out->plastic_min = b == 0 ? s->plastic_min : fmin(out->plastic_min, s->plastic_min);
        out->plastic_max = b == 0 ? s->plastic_max : fmax(out->plastic_max, s->plastic_max);
    }
}

// Semi-implicit with a chosen step: a solve that needs many iterations costs more than two shorter
// steps would, so the step shrinks until counts are near the target, and creeps back.
static void learn_dt(firn_mpm* m)
{
    if (m->def.integrator != FIRN_MPM_SEMI_IMPLICIT) return;
    if (m->iterations > m->def.iterations_target) {
        m->dt_factor = fmax(m->dt_factor * 0.8, 0.02);
    } else {
        m->dt_factor = fmin(m->dt_factor * 1.05, 1.0);
    }
}

firn_result firn_mpm_run_end(firn_mpm_run* run, firn_step_report* out_report)
{
    firn_mpm* m = run->m;
    *out_report = (firn_step_report){.step = m->step,
                                     .time = m->time,
                                     .dt = m->dt,
                                     .iterations = m->iterations,
                                     .residual = m->residual,
                                     .max_speed = m->max_speed,
                                     .particle_count = m->p.count,
                                     .culled = m->culled,
                                     .active_blocks = m->grid.block_count};
    memcpy(out_report->stage_seconds, m->stage_seconds, sizeof m->stage_seconds);
    if (run->result != FIRN_OK) return run->result;
    add_sums(m, out_report);
    learn_dt(m);
    m->step++;
    return FIRN_OK;
}
