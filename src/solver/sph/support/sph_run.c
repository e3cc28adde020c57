// SPDX-License-Identifier: MIT
#include "solver/sph/support/sph_run.h"

#include <math.h>
#include <string.h>

#include "core/timer.h"
#include "math/vec3.h"
#include "physics/heat.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/sph/step03_other_accelerations.h"
#include "solver/sph/step09_advect.h"
#include "solver/sph/step10_heat.h"
#include "solver/sph/support/sph_cpu.h"
#include "solver/sph/support/sph_fault.h"

// A solve that stops far from its goal is a solve; one whose error is this is none. Of the
// pressure: the mean share of the density that is missing; of the shear: of the right-hand side.
#define PRESSURE_ASTRAY 0.05
#define SHEAR_ASTRAY 100.0
#define WARN_STEPS 200  // between two warnings

firn_sph_run firn_sph_run_begin(firn_sph* m, firn_error* error)
{
    memset(m->stage_seconds, 0, sizeof m->stage_seconds);
    m->pressure_iterations = m->shear_iterations = m->shear_restarts = 0;
    m->pressure_error = m->shear_residual = 0;
    return (firn_sph_run){m, FIRN_OK, error};
}

void firn_sph_run_prepare(firn_sph_run* run, double time, double dt_limit, double dt_scale)
{
    const double start = firn_seconds();
    run->result = firn_sph_prepare(run->m, time, dt_limit, dt_scale, run->error);
    run->m->stage_seconds[FIRN_SPH_00_PREPARE] = firn_seconds() - start;
}

// E(T) / E of every particle, where some material's stiffness depends on it; else null.
static const firn_real* young_factors(const firn_sph* m)
{
    bool depends = false;
    for (firn_local k = 0; k < m->material_count; k++)
        depends |= m->scene->materials[k].snow.young_count > 0;
    if (!m->heats || !depends) return NULL;
    firn_real* factor = m->w.source;  // free until step 5
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_snow_material* s = &m->scene->materials[m->p.material[i]].snow;
        factor[i] = firn_young_at(s, m->p.temperature[i]) / s->young;
    }
    return factor;
}

static void run_rest_density(firn_sph* m)
{
    m->ops->rest_density(
        &(firn_sph_rest_density_args){.pairs = &m->pairs,
                                      .work = &m->w,
                                      .p = m->p,
                                      .materials = m->materials,
                                      .h = (firn_real)m->spacing,
                                      .plastic = m->def.rest_density == FIRN_SPH_PLASTIC,
                                      .incompressible = m->def.pressure == FIRN_SPH_INCOMPRESSIBLE,
                                      .young_factor = young_factors(m),
                                      .gravity = m->gravity,
                                      .sums = m->w.sums,
                                      .threads = m->threads});
}

static void run_other_accelerations(firn_sph* m)
{
    firn_sph_other_accelerations(
        &(firn_sph_other_accelerations_args){.scene = m->scene,
                                             .p = m->p,
                                             .neighbours = m->pairs.neighbours,
                                             .touch = m->touch,
                                             .touch_count = m->touch_count,
                                             .gravity = m->gravity,
                                             .time = m->time,
                                             .dt = (firn_real)m->dt,
                                             .v_star = m->w.v_star,
                                             .threads = m->threads});
}

// A solve that stopped short. Snow in trouble would fill the log: now and then is enough.
static void warn(firn_sph* m, const char* solve, int iterations, double error, double goal)
{
    if (!(error > 10 * goal) || (m->warned && m->step < m->warned_step + WARN_STEPS)) return;
    m->warned = true;
    m->warned_step = m->step;
    firn_log_write(&m->log, FIRN_LOG_WARNING, "sph.solve",
                   "step %lld: the %s solve stopped after %d iterations at an error of %.2g "
                   "(goal %.2g, dt %.3g s): shorter steps (sph.dt_max) or softer snow help",
                   (long long)m->step, solve, iterations, error, goal, m->dt);
}

static firn_result run_pressure(firn_sph* m, firn_error* error)
{
    const firn_sph_pressure_result r = m->ops->pressure(
        &(firn_sph_pressure_args){.pairs = &m->pairs,
                                  .work = &m->w,
                                  .density = m->p.density,
                                  .mass = m->p.mass,
                                  .pressure = m->p.pressure,
                                  .psi = (firn_real)m->def.boundary_pressure,
                                  .dt = (firn_real)m->dt,
                                  .relaxation = (firn_real)m->def.relaxation,
                                  .incompressible = m->def.pressure == FIRN_SPH_INCOMPRESSIBLE,
                                  .density_error = m->def.density_error,
                                  .max_iterations = (int)m->def.pressure_iterations,
                                  .threads = m->threads});
    m->pressure_iterations = r.iterations;
    m->pressure_error = r.error;
    if (r.iterations == m->def.pressure_iterations)
        warn(m, "pressure", r.iterations, r.error, m->def.density_error);
    if (r.error < PRESSURE_ASTRAY) return FIRN_OK;
    return firn_sph_fault_solve(m, "pressure", r.iterations, r.error, error);
}

static firn_result run_shear(firn_sph* m, firn_error* error)
{
    const firn_bicg_result r = m->ops->shear(
        &(firn_sph_shear_args){.pairs = &m->pairs,
                               .work = &m->w,
                               .density = m->p.density,
                               .mass = m->p.mass,
                               .acceleration = m->p.shear_acceleration,
                               .combined = m->def.elasticity == FIRN_SPH_COMBINED,
                               .dt = (firn_real)m->dt,
                               .tolerance = m->def.shear_tolerance,
                               .floor = firn_max(firn_sqrt(firn_v3_dot(m->gravity, m->gravity)), 1),
                               .max_iterations = (int)m->def.shear_iterations,
                               .threads = m->threads});
    m->shear_iterations = r.iterations;
    m->shear_restarts = r.restarts;
    m->shear_residual = r.residual;
    if (r.reason != FIRN_BICG_CONVERGED)
        warn(m, "shear", r.iterations, r.residual, m->def.shear_tolerance);
    if (r.residual < SHEAR_ASTRAY) return FIRN_OK;
    return firn_sph_fault_solve(m, "shear", r.iterations, r.residual, error);
}

static void run_deformation(firn_sph* m)
{
    m->ops->deformation(
        &(firn_sph_deformation_args){.pairs = &m->pairs,
                                     .work = &m->w,
                                     .p = m->p,
                                     .materials = m->materials,
                                     .paper = m->def.clamp == FIRN_SPH_PAPER,
                                     .plastic = m->def.rest_density == FIRN_SPH_PLASTIC,
                                     .dt = (firn_real)m->dt,
                                     .threads = m->threads});
}

static firn_result run_advect(firn_sph* m, firn_error* error)
{
    firn_local bad;
    firn_sph_advect(&(firn_sph_advect_args){.count = m->p.count,
                                            .touch = m->touch,
                                            .touch_count = m->touch_count,
                                            .colliders = m->colliders,
                                            .collider_count = m->collider_count,
                                            .shapes = &m->scene->shapes,
                                            .dt = (firn_real)m->dt,
                                            .h = (firn_real)m->spacing,
                                            .position = m->p.position,
                                            .velocity = m->p.velocity,
                                            .out_bad = &bad,
                                            .threads = m->threads});
    return bad < m->p.count ? firn_sph_fault_runaway(m, bad, error) : FIRN_OK;
}

static void run_heat(firn_sph* m)
{
    firn_sph_heat(&(firn_sph_heat_args){.scene = m->scene,
                                        .pairs = &m->pairs,
                                        .work = &m->w,
                                        .p = m->p,
                                        .touch = m->touch,
                                        .touch_count = m->touch_count,
                                        .time = m->time,
                                        .dt = m->dt * m->def.heat_speed,
                                        .h = (firn_real)m->spacing,
                                        .threads = m->threads});
}

static firn_result run_stage(firn_sph* m, firn_sph_stage stage, firn_error* error)
{
    const firn_sph_work* w = &m->w;
    switch (stage) {
    case FIRN_SPH_01_REST_DENSITY: run_rest_density(m); break;
    case FIRN_SPH_02_GRADIENT_CORRECTION:
        m->ops->gradient_correction(&(firn_sph_gradient_correction_args){
            &m->pairs, w, m->touch, m->touch_count, m->threads});
        break;
    case FIRN_SPH_03_OTHER_ACCELERATIONS: run_other_accelerations(m); break;
    case FIRN_SPH_04_FRICTION:
        m->ops->friction(&(firn_sph_friction_args){m->touch, m->touch_count, (firn_real)m->dt,
                                                   w->v_star, m->threads});
        break;
    case FIRN_SPH_05_PRESSURE: return run_pressure(m, error);
    case FIRN_SPH_06_SHEAR: return run_shear(m, error);
    case FIRN_SPH_07_VELOCITY:
        m->ops->velocity(&(firn_sph_velocity_args){m->p.count, w->v_star, w->a_G, (firn_real)m->dt,
                                                   m->p.velocity, m->threads});
        break;
    case FIRN_SPH_08_DEFORMATION: run_deformation(m); break;
    case FIRN_SPH_09_ADVECT: return run_advect(m, error);
    case FIRN_SPH_10_HEAT: run_heat(m); break;
    case FIRN_SPH_00_PREPARE:
    case FIRN_SPH_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

void firn_sph_run_stage(firn_sph_run* run, firn_sph_stage stage)
{
    if (run->result != FIRN_OK) return;
    const double start = firn_seconds();
    run->result = run_stage(run->m, stage, run->error);
    run->m->stage_seconds[stage] += firn_seconds() - start;
}

static void add_sums(const firn_sph* m, firn_step_report* out)
{
    out->plastic_min = out->plastic_max = 1;
    for (firn_local k = 0; k <= m->p.count / FIRN_SPH_CHUNK && m->p.count > 0; k++) {
        const firn_sph_sums* s = &m->w.sums[k];
        for (int d = 0; d < 3; d++) out->momentum[d] += s->momentum[d];
        out->kinetic += s->kinetic;
        out->potential += s->potential;
        out->elastic += s->elastic;
        out->plastic_min = k == 0 ? s->plastic_min : fmin(out->plastic_min, s->plastic_min);
        out->plastic_max = k == 0 ? s->plastic_max : fmax(out->plastic_max, s->plastic_max);
    }
}

// Iterations grow with dt: too many, and the next steps are shorter; few, and they grow again.
static double learn_dt(const firn_sph* m)
{
    const double target = (double)m->def.iterations_target, n = m->shear_iterations;
    double factor = m->dt_factor;
    if (n > target || m->pressure_iterations > 2 * target) factor *= 0.9;
    if (n < 0.5 * target) factor *= 1.02;
    return fmin(fmax(factor, 1e-3), 1);
}

firn_result firn_sph_run_end(firn_sph_run* run, firn_step_report* out_report)
{
    firn_sph* m = run->m;
    *out_report = (firn_step_report){.step = m->step,
                                     .time = m->time,
                                     .dt = m->dt,
                                     .iterations = m->pressure_iterations,
                                     .residual = m->pressure_error,
                                     .shear_iterations = m->shear_iterations,
                                     .max_speed = m->max_speed,
                                     .particle_count = m->p.count,
                                     .culled = m->culled,
                                     .active_blocks = m->cells.cell_count};
    memcpy(out_report->stage_seconds, m->stage_seconds, sizeof m->stage_seconds);
    if (run->result != FIRN_OK) return run->result;
    if (m->p.count > 0)
        out_report->neighbours = (double)firn_pair_list_total(&m->pairs) / (double)m->p.count;
    add_sums(m, out_report);
    m->dt_factor = learn_dt(m);
    m->step++;
    return FIRN_OK;
}
