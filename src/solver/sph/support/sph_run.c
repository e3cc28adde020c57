// SPDX-License-Identifier: MIT
#include "solver/sph/support/sph_run.h"

#include <math.h>

#include "core/threads/team.h"
#include "math/vec3.h"
#include "physics/heat.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/sph/laws/fluid_error.h"
#include "solver/sph/rigid/sph_lumps_shear.h"
#include "solver/sph/step03_other_accelerations.h"
#include "solver/sph/step06_friction.h"
#include "solver/sph/step09_advect.h"
#include "solver/sph/step10_heat.h"
#include "solver/sph/step11_phases.h"
#include "solver/sph/support/sph_cpu.h"
#include "solver/sph/support/sph_fault.h"
#include "solver/sph/support/sph_loads.h"

// Errors above which a solve fails; below, it may only cause a warning. Pressure: mean relative
// error of the density; shear: residual relative to the right-hand side.
#define PRESSURE_ASTRAY 0.05
#define SHEAR_ASTRAY 100.0
#define WARN_STEPS 200  // at least, between two warnings

// E(T) / E
static void young_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_snow_material* s = &m->base.scene->materials[m->p.material[i]].snow;
        m->w.source[i] = firn_young_at(s, m->p.temperature[i]) / s->young;
    }
}

// E(T) / E of every particle, where some material's stiffness depends on it; else null.
static const firn_real* young_factors(const firn_sph* m)
{
    bool depends = false;
    for (firn_local k = 0; k < m->material_count; k++)
        depends |= m->base.scene->materials[k].snow.young_count > 0;
    if (!m->heats || !depends) return NULL;
    firn_share(m->p.count, FIRN_SPH_SIMPLE / 4, young_range, m);
    return m->w.source;  // free until step 5
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
                                      .volumes = firn_sph_counts_volumes(m),
                                      .young_factor = young_factors(m),
                                      .gravity = m->gravity,
                                      .sums = m->w.sums});
}

// x_i, and V_i of snow only; which slices and chunks have snow.
static void snow_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    const firn_sph_work* w = &m->w;
    for (firn_local chunk = begin; chunk < end; chunk++) {
        w->snow_chunk[chunk] = 0;
        const firn_local first = chunk * FIRN_BICG_CHUNK, rest = m->p.count - first;
        for (firn_local k = 0; k < FIRN_BICG_CHUNK && k < rest; k++) {
            const firn_local i = first + k;
            if (k % FIRN_SLICE == 0) w->snow_slice[i / FIRN_SLICE] = 0;
            w->place_snow[i] = w->place[i];
            if (firn_sph_is_fluid(w, i))
                w->place_snow[i][3] = 0;
            else
                w->snow_slice[i / FIRN_SLICE] = w->snow_chunk[chunk] = 1;
        }
    }
}

// With fluids: S_i for the pressure over all neighbours, the rest over those that are snow.
static void run_gradient_correction(firn_sph* m)
{
    firn_sph_gradient_correction_args args = {&m->pairs, &m->w, m->contact, m->contact_count,
                                              m->fluids};
    m->ops->gradient_correction(&args);
    if (!m->fluids || !m->has_snow) return;
    firn_share(firn_bicg_partials(m->p.count), 1, snow_chunks, m);
    const firn_sph_work snow = firn_sph_snow_work(m);
    args.sums_only = false;
    args.work = &snow;
    m->ops->gradient_correction(&args);
}

static void run_other_accelerations(firn_sph* m)
{
    firn_sph_other_accelerations(
        &(firn_sph_other_accelerations_args){.scene = m->base.scene,
                                             .p = m->p,
                                             .neighbours = m->pairs.neighbours,
                                             .contact = m->contact,
                                             .contact_count = m->contact_count,
                                             .gravity = m->gravity,
                                             .time = m->base.time,
                                             .dt = (firn_real)m->base.dt,
                                             .v_star = m->w.v_star});
}

void firn_sph_warn(firn_sph* m, const char* solve, int iterations, double error, double goal)
{
    if (!(error > 10 * goal) || (m->warned && m->base.step < m->warned_step + WARN_STEPS)) return;
    m->warned = true;
    m->warned_step = m->base.step;
    firn_log_write(&m->base.log, FIRN_LOG_WARNING, "sph.solve",
                   "step %lld: the %s solve stopped after %d iterations at an error of %.2g "
                   "(goal %.2g, dt %.3g s): shorter steps (sph.dt_max) or softer snow help",
                   (long long)m->base.step, solve, iterations, error, goal, m->base.dt);
}

static firn_result fault_solve(const firn_sph* m, const char* solve, int iterations, double miss,
                               firn_error* error)
{
    if (m->p.count == 0) return firn_sph_fault_solve(m, solve, iterations, miss, NULL, error);
    const firn_culprit suspect = firn_sph_suspect(m);
    return firn_sph_fault_solve(m, solve, iterations, miss, &suspect, error);
}

static double density_error(const firn_sph* m)
{
    if (!m->w.mixed) return m->def.density_error;
    const double usual =
        firn_sph_usual_acceleration(m->gravity, m->materials, m->material_count, m->spacing);
    return firn_sph_fluid_error(m->def.density_error, usual, m->base.dt, m->spacing);
}

static firn_result run_viscosity(firn_sph* m, firn_error* error)
{
    const firn_cr_result r = m->ops->viscosity(&(firn_sph_viscosity_args){
        .pairs = &m->pairs,
        .work = &m->w,
        .contact = m->contact,
        .contact_count = m->contact_count,
        .p = m->p,
        .materials = m->materials,
        .h = (firn_real)m->spacing,
        .dt = (firn_real)m->base.dt,
        .implicit = m->viscous,
        .tolerance = FIRN_SPH_VISCOSITY_TOLERANCE,
        .floor = firn_sph_viscosity_floor(m->gravity, m->base.dt, m->mass_sum),
        .max_iterations = (int)m->def.shear_iterations});
    m->viscosity_iterations = r.iterations;
    if (r.reason != FIRN_CR_CONVERGED)
        firn_sph_warn(m, "viscosity", r.iterations, r.residual, FIRN_SPH_VISCOSITY_TOLERANCE);
    if (r.residual < 1) return FIRN_OK;
    return fault_solve(m, "viscosity", r.iterations, r.residual, error);
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
                                  .dt = (firn_real)m->base.dt,
                                  .relaxation = (firn_real)m->def.relaxation,
                                  .excess = firn_sph_excess(m->base.dt, m->spacing),
                                  .volumes = firn_sph_counts_volumes(m),
                                  .fluids = m->fluids,
                                  .density_error = density_error(m),
                                  .max_iterations = (int)m->def.pressure_iterations,
                                  .lumps = m->lumps->lumps.count > 0 ? m->lumps : NULL});
    firn_sph_lumps_follow(m);
    m->pressure_iterations = r.iterations;
    m->pressure_error = r.error;
    if (r.iterations == m->def.pressure_iterations)
        firn_sph_warn(m, "pressure", r.iterations, r.error, density_error(m));
    if (r.error < PRESSURE_ASTRAY) return FIRN_OK;
    return fault_solve(m, "pressure", r.iterations, r.error, error);
}

// [m/s] Below it Coulomb's friction falls off.
static firn_real least_slip(const firn_sph* m)
{
    const firn_real g = firn_sqrt(firn_v3_dot(m->gravity, m->gravity));
    return firn_sph_least_slip((firn_real)m->base.dt, g);
}

// Coulomb's friction of the particles near colliders, once the pressure is known.
static void grip_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph* m = self;
    const firn_sph_work snow = firn_sph_snow_work(m), *w = &snow;
    const bool split = m->def.elasticity == FIRN_SPH_SPLIT;
    const firn_real v_least = least_slip(m);
    for (firn_local k = begin; k < end; k++) {
        firn_sph_contact_sums* t = &m->contact[k];
        const firn_local i = t->particle;
        if (!(t->friction > 0)) continue;
        const firn_real psi_p = split ? (firn_real)m->def.boundary_pressure * m->p.pressure[i] : 0;
        const firn_real bulk = 2 * w->shear[i] + (split ? 0 : 3 * w->lambda[i]);
        const firn_vec3 LB = firn_v3(w->LB[0][i], w->LB[1][i], w->LB[2][i]);
        const firn_real push = firn_sph_push(
            t, LB, psi_p, bulk * (firn_m3_trace(firn_sph_F_of(w, i)) - 3), m->p.density[i]);
        firn_sph_grip(t, m->p.velocity[i], push, v_least);
    }
}

static firn_result run_shear(firn_sph* m, firn_error* error)
{
    const firn_sph_work snow = firn_sph_snow_work(m);
    const bool paper = m->def.contact == FIRN_SPH_CONTACT_PAPER;
    if (m->def.contact == FIRN_SPH_COULOMB)
        firn_share(m->contact_count, FIRN_SPH_CONTACTS, grip_range, m);
    firn_sph_lumps_open_shear(m);
    const firn_bicg_result r = m->ops->shear(
        &(firn_sph_shear_args){.pairs = &m->pairs,
                               .work = &snow,
                               .contact = m->contact,
                               .contact_count = paper ? 0 : m->contact_count,
                               .lumps = m->lumps->count > 0 ? m->lumps : NULL,
                               .near = m->contact,
                               .density = m->p.density,
                               .mass = m->p.mass,
                               .acceleration = m->p.shear_acceleration,
                               .combined = m->def.elasticity == FIRN_SPH_COMBINED,
                               .mixed = m->fluids,
                               .dt = (firn_real)m->base.dt,
                               .least_slip = m->def.contact == FIRN_SPH_COULOMB ? least_slip(m) : 0,
                               .tolerance = m->def.shear_tolerance,
                               .floor = firn_max(firn_sqrt(firn_v3_dot(m->gravity, m->gravity)), 1),
                               .max_iterations = (int)m->def.shear_iterations});
    firn_sph_lumps_close_shear(m);
    m->shear_iterations = r.iterations;
    m->shear_restarts = r.restarts;
    m->shear_residual = r.residual;
    if (r.reason != FIRN_BICG_CONVERGED)
        firn_sph_warn(m, "shear", r.iterations, r.residual, m->def.shear_tolerance);
    if (r.residual < SHEAR_ASTRAY) return FIRN_OK;
    return fault_solve(m, "shear", r.iterations, r.residual, error);
}

static void run_deformation(firn_sph* m)
{
    const firn_sph_work snow = firn_sph_snow_work(m);
    m->ops->deformation(
        &(firn_sph_deformation_args){.pairs = &m->pairs,
                                     .work = &snow,
                                     .p = m->p,
                                     .materials = m->materials,
                                     .mixed = m->fluids,
                                     .paper = m->def.clamp == FIRN_SPH_PAPER,
                                     .plastic = m->def.rest_density == FIRN_SPH_PLASTIC,
                                     .dt = (firn_real)m->base.dt});
}

static firn_result run_advect(firn_sph* m, firn_error* error)
{
    firn_local bad;
    firn_sph_advect(&(firn_sph_advect_args){.count = m->p.count,
                                            .contact = m->contact,
                                            .contact_count = m->contact_count,
                                            .colliders = m->base.colliders,
                                            .collider_count = m->base.collider_count,
                                            .shapes = &m->base.scene->shapes,
                                            .loads = &m->base.loads,
                                            .mass = m->p.mass,
                                            .dt = (firn_real)m->base.dt,
                                            .h = (firn_real)m->spacing,
                                            .position = m->p.position,
                                            .velocity = m->p.velocity,
                                            .lumps = &m->lumps->lumps,
                                            .out_bad = &bad});
    if (bad == m->p.count) return FIRN_OK;
    const firn_culprit culprit = firn_sph_culprit_of(m, bad);
    return firn_sph_fault_runaway(m, &culprit, error);
}

static void run_heat(firn_sph* m)
{
    firn_sph_heat(&(firn_sph_heat_args){.scene = m->base.scene,
                                        .pairs = &m->pairs,
                                        .work = &m->w,
                                        .p = m->p,
                                        .materials = m->materials,
                                        .contact = m->contact,
                                        .contact_count = m->contact_count,
                                        .time = m->base.time,
                                        .dt = m->base.dt * m->def.heat_speed,
                                        .h = (firn_real)m->spacing});
}

static firn_result run_stage(void* self, int stage, firn_error* error)
{
    firn_sph* m = self;
    const firn_sph_work* w = &m->w;
    switch ((firn_sph_stage)stage) {
    case FIRN_SPH_00_PREPARE: return firn_sph_prepare(m, error);
    case FIRN_SPH_01_REST_DENSITY: run_rest_density(m); break;
    case FIRN_SPH_02_GRADIENT_CORRECTION: run_gradient_correction(m); break;
    case FIRN_SPH_03_OTHER_ACCELERATIONS: run_other_accelerations(m); break;
    case FIRN_SPH_03_COHESION:
        m->ops->cohesion(
            &(firn_sph_cohesion_args){&m->pairs, w, m->p, m->materials, (firn_real)m->base.dt});
        break;
    case FIRN_SPH_04_FRICTION:
        if (m->def.contact == FIRN_SPH_COULOMB) break;  // all of it in step 6
        firn_sph_lumps_brake(m, m->def.contact == FIRN_SPH_CONTACT_PAPER ? FIRN_SPH_BRAKE_ALL
                                                                         : FIRN_SPH_BRAKE_NORMAL);
        m->ops->friction(&(firn_sph_friction_args){m->contact, m->contact_count,
                                                   (firn_real)m->base.dt, w->v_star,
                                                   m->def.contact == FIRN_SPH_CONTACT_PAPER});
        break;
    case FIRN_SPH_04_VISCOSITY: return run_viscosity(m, error);
    case FIRN_SPH_05_PRESSURE: return run_pressure(m, error);
    case FIRN_SPH_06_SHEAR: return run_shear(m, error);
    case FIRN_SPH_07_VELOCITY:
        m->ops->velocity(&(firn_sph_velocity_args){m->p.count, w->v_star,
                                                   m->has_snow ? w->a_G : NULL,
                                                   (firn_real)m->base.dt, m->p.velocity});
        firn_sph_take_loads(m);
        firn_sph_lumps_balance(m);
        firn_lumps_pose(&m->lumps->lumps, m->base.colliders);
        break;
    case FIRN_SPH_08_DEFORMATION: run_deformation(m); break;
    case FIRN_SPH_09_ADVECT: return run_advect(m, error);
    case FIRN_SPH_10_HEAT: run_heat(m); break;
    case FIRN_SPH_11_PHASES:
        firn_sph_phases(&(firn_sph_phases_args){m->base.scene, m->materials, m->p, m->base.dt});
        break;
    case FIRN_SPH_STAGE_COUNT: return FIRN_BROKEN_INTERNAL;
    }
    return FIRN_OK;
}

firn_stages firn_sph_run_begin(firn_sph* m, firn_error* error)
{
    m->pressure_iterations = m->shear_iterations = m->shear_restarts = 0;
    m->viscosity_iterations = 0;
    m->pressure_error = m->shear_residual = 0;
    return firn_stages_begin(m, run_stage, error);
}

firn_result firn_sph_run_end(firn_stages* run, firn_step_report* out_report)
{
    firn_sph* m = run->self;
    *out_report = firn_report_begin(&m->base);
    out_report->iterations = m->pressure_iterations;
    out_report->residual = m->pressure_error;
    out_report->shear_iterations = m->shear_iterations;
    out_report->active_blocks = m->cells.cell_count;
    if (run->result != FIRN_OK) return run->result;
    if (m->p.count > 0) {
        out_report->neighbours = (double)firn_pair_list_total(&m->pairs) / (double)m->p.count;
        firn_report_add(out_report, m->w.sums, m->p.count / FIRN_SPH_CHUNK + 1);
    }
    firn_loads_end(&m->base.loads, m->base.colliders);
    firn_base_push_loads(&m->base);
    FIRN_TRY(firn_base_finish_bodies(&m->base, run->error));
    const firn_sph_dt_rules rules = firn_sph_dt_rules_of(m);
    m->dt_factor =
        firn_sph_dt_learn(&rules, m->dt_factor, m->shear_iterations, m->pressure_iterations);
    m->base.step++;
    return FIRN_OK;
}
