// SPDX-License-Identifier: MIT
// The `sph` block of a scene: its keys, defaults and checks.
#include <math.h>
#include <stdio.h>

#include "geometry/collider/collider.h"
#include "physics/cohesion.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/keys.h"
#include "scene/run/flake_due.h"
#include "solver/sph/support/sph_solver.h"

static const char* const elasticities[] = {"split", "combined", NULL};
static const char* const pressures[] = {"compressible", "incompressible", NULL};
static const char* const rest_densities[] = {"current", "plastic", NULL};
static const char* const clamps[] = {"objective", "paper", NULL};
static const char* const contacts[] = {"implicit", "paper", "coulomb", NULL};

#define AT(field) offsetof(firn_sph_def, field)
// clang-format off
static const firn_key keys[] = {
    // name, type, offset, unit, low, high, default, choices, block, help
    {"spacing", FIRN_KEY_REAL, AT(spacing), "m", 0, 1e3, "0", NULL, NULL,
     "Distance h of particles in fresh snow: one particle per h^3, kernels reach 2 h. 0: so that "
     "the scene's snow makes about 50000 particles."},
    {"dt", FIRN_KEY_REAL, AT(dt), "s", 0, 1, "0", NULL, NULL,
     "Fixed time step (shortened a little to meet frame times); 0: chosen."},
    {"dt_max", FIRN_KEY_REAL, AT(dt_max), "s", 0, 1, "0", NULL, NULL,
     "Largest chosen time step; 0: 0.1 s for each metre of spacing, as the paper's scenes have it."
     },
    {"cfl", FIRN_KEY_REAL, AT(cfl), "spacings", 0.01, 1, "0.4", NULL, NULL,
     "Spacings that the fastest particle or body may cross in a chosen step."},
    {"iterations_target", FIRN_KEY_INT, AT(iterations_target), NULL, 1, 100000, "30", NULL, NULL,
     "Chosen dt: the step shrinks while shear solves need more iterations than this."},
    {"elasticity", FIRN_KEY_ENUM, AT(elasticity), NULL, 1, 0, "split", elasticities, NULL,
     "A pressure solve, then a shear solve; or one solve for both (section 3.5)."},
    {"pressure", FIRN_KEY_ENUM, AT(pressure), NULL, 1, 0, "compressible", pressures, NULL,
     "Snow that can be packed; or an incompressible fluid's pressure (IISPH) in its place, for "
     "comparison."},
    {"rest_density", FIRN_KEY_ENUM, AT(rest_density), NULL, 1, 0, "current", rest_densities, NULL,
     "What hardening goes by: where the particles are now (eq. 21), or the volume lost to plastic "
     "flow, as mpm has it (section 4.2.6)."},
    {"clamp", FIRN_KEY_ENUM, AT(clamp), NULL, 1, 0, "objective", clamps, NULL,
     "How rotation is left out of F_E: U S U^T, which turns with the snow, without the stretch "
     "that makes spinning crumbs contract; or V S V^T as the paper prints it, with neither."},
    {"contact", FIRN_KEY_ENUM, AT(contact), NULL, 1, 0, "implicit", contacts, NULL,
     "How colliders hold snow: friction is part of the shear solve and other forces act along the "
     "normal; or friction precedes both solves, and forces follow the boundary particles as they "
     "lie, as in the paper: snow of height H then creeps down a slope at 0.1 s^-1 H g sin, and "
     "slides lose a tenth. Both have the paper's viscous friction; coulomb is as implicit, with "
     "the colliders' `friction` as Coulomb's coefficient, which holds snow at rest."},
    {"density_error", FIRN_KEY_REAL, AT(density_error), "-", 1e-12, 0.5, "0.001", NULL, NULL,
     "The pressure solve stops when the mean density error is below this share of the rest density."
     },
    {"relaxation", FIRN_KEY_REAL, AT(relaxation), "-", 0.01, 1, "0.5", NULL, NULL,
     "Relaxation omega of the pressure solve's Jacobi iteration."},
    {"pressure_iterations", FIRN_KEY_INT, AT(pressure_iterations), NULL, 1, 100000, "100", NULL,
     NULL,
     "Most iterations of the pressure solve."},
    {"shear_tolerance", FIRN_KEY_REAL, AT(shear_tolerance), "-", 1e-12, 0.5, "0.001", NULL, NULL,
     "The shear solve stops when its residual is this fraction of the right-hand side."},
    {"shear_iterations", FIRN_KEY_INT, AT(shear_iterations), NULL, 1, 100000, "200", NULL, NULL,
     "Most iterations of the shear solve."},
    {"boundary_volume", FIRN_KEY_REAL, AT(boundary_volume), "-", 0.1, 2, "0.8", NULL, NULL,
     "Factor phi on the volume of boundary particles (section 3.4)."},
    {"boundary_depth", FIRN_KEY_REAL, AT(boundary_depth), "spacings", 0, 1, "0.5", NULL, NULL,
     "How deep boundary particles are sunk into bodies: at 0.5 snow, which keeps a spacing from "
     "them, ends where the body begins; 0: on the surface, as the paper has them."},
    {"boundary_pressure", FIRN_KEY_REAL, AT(boundary_pressure), "-", 0.1, 10, "1.5", NULL, NULL,
     "Factor psi on the pressure force at bodies (eq. 7)."},
    {"heat_speed", FIRN_KEY_REAL, AT(heat_speed), "-", 0, 1e9, "1", NULL, NULL,
     "Factor on all flow of heat: 1000 lets a quarter of an hour in the oven pass in a second."},
    {"gravity_rise", FIRN_KEY_REAL, AT(gravity_rise), "s", 0, 1e4, "0", NULL, NULL,
     "Time in which gravity grows from nothing to its value: snow settles without the shock of a "
     "load that is there at once, which packs it more."},
};
// clang-format on

static void set_defaults(void* at)
{
    *(firn_sph_def*)at = (firn_sph_def){.cfl = 0.4,
                                        .iterations_target = 30,
                                        .elasticity = FIRN_SPH_SPLIT,
                                        .pressure = FIRN_SPH_COMPRESSIBLE,
                                        .rest_density = FIRN_SPH_CURRENT,
                                        .clamp = FIRN_SPH_OBJECTIVE,
                                        .density_error = 1e-3,
                                        .relaxation = 0.5,
                                        .pressure_iterations = 100,
                                        .shear_tolerance = 1e-3,
                                        .shear_iterations = 200,
                                        .boundary_volume = 0.8,
                                        .boundary_depth = 0.5,
                                        .boundary_pressure = 1.5,
                                        .heat_speed = 1};
}

const firn_key_block firn_sph_keys = {
    .name = "sph",
    .help = "Implicit compressible smoothed particle hydrodynamics (Gissler et al. 2020).",
    .keys = keys,
    .key_count = sizeof keys / sizeof *keys,
    .size = sizeof(firn_sph_def),
    .set_defaults = set_defaults,
};

#define CHOSEN_PARTICLES 50000
#define HEAT_SPEED_SAFE 1e6  // where 1 mm of usual snow needs 1000 parts of 0.1 ms
// [h] 34 (h/size)^3 flakes are within 2 h of one in fresh snow, half as many more when it is packed
#define SIZE_MIN 0.3
#define CHOSEN_SAMPLES 200000  // of a shape, for its volume: 1 % of it, a third of that of h

double firn_sph_spacing(const firn_scene_data* scene)
{
    const firn_sph_def* d = scene->solver_def;
    if (d->spacing > 0) return d->spacing;
    double volume = 0;
    for (firn_local k = 0; k < scene->snow_count; k++)
        if (scene->snow[k].shape >= 0)
            volume += firn_shape_volume(&scene->shapes, scene->snow[k].shape, CHOSEN_SAMPLES);
    // two digits, so that a spacing that is printed can be given
    const double h = volume > 0 && isfinite(volume) ? cbrt(volume / CHOSEN_PARTICLES) : 0.01;
    const double unit = pow(10, floor(log10(h)) - 1);
    return round(h / unit) * unit;
}

double firn_sph_dt_max(const firn_sph_def* def, double spacing)
{
    return def->dt > 0 ? def->dt : def->dt_max > 0 ? def->dt_max : 0.1 * spacing;
}

const char* firn_sph_loose_setting(const firn_sph_def* d, bool shear)
{
    if (shear && d->shear_iterations < 20) return "sph.shear_iterations";
    if (shear && d->shear_tolerance > 0.05) return "sph.shear_tolerance";
    if (shear || d->elasticity == FIRN_SPH_COMBINED) return NULL;
    if (d->pressure_iterations < 20) return "sph.pressure_iterations";
    if (d->relaxation < 0.1 || d->relaxation > 0.7) return "sph.relaxation";
    return d->density_error > 0.02 ? "sph.density_error" : NULL;
}

static void check_solves(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    for (int shear = 0; shear < 2; shear++) {
        const char* key = firn_sph_loose_setting(scene->solver_def, shear != 0);
        if (key != NULL)
            firn_diagnose_key(diagnostics, false, scene, key,
                              "%s is far from its default: the %s solve may be so inexact that the "
                              "simulation diverges",
                              key, shear ? "shear" : "pressure");
    }
}

// Flakes that were due before the run begins are where their velocity took them since.
static void check_start(const firn_scene_data* scene, firn_local k, double h,
                        firn_diagnostics* diagnostics)
{
    const firn_emitter* e = &scene->emitters[k];
    const double* v = e->velocity;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double way = (-e->start - 1 / e->rate) * speed;
    if (!(way > FIRN_SPH_FAR * h)) return;
    char key[48];
    snprintf(key, sizeof key, "emitters.%d.start", (int)k);
    firn_diagnose_key(diagnostics, true, scene, key,
                      "the first flakes fly %.3g m before the run begins, beyond the reach of %.3g "
                      "m: use a later start than %g s",
                      way, FIRN_SPH_FAR * h, e->start);
}

// Flakes so small that a heap of them has more neighbours than lists hold.
static void check_flakes(const firn_scene_data* scene, double h, firn_diagnostics* diagnostics)
{
    const double end = (double)scene->time.frames / scene->time.fps;
    for (firn_local k = 0; k < scene->emitter_count; k++) {
        const firn_emitter* e = &scene->emitters[k];
        check_start(scene, k, h, diagnostics);
        if (!(e->size > 0 && e->size < SIZE_MIN * h)) continue;
        if (firn_emitter_due(e, end) < FIRN_PAIRS_MOST) continue;
        char key[48];
        snprintf(key, sizeof key, "emitters.%d.size", (int)k);
        firn_diagnose_key(diagnostics, false, scene, key,
                          "flakes of %.3g m in a heap have more than %d neighbours within two "
                          "spacings of %.3g m, which stops the run: use a spacing of at most %.3g "
                          "m, or larger flakes",
                          e->size, FIRN_PAIRS_MOST, h, e->size / SIZE_MIN);
    }
}

bool firn_sph_has_fluids(const firn_scene_data* scene)
{
    for (firn_local k = 0; k < scene->material_count; k++)
        if (scene->materials[k].snow.phase != FIRN_PHASE_SNOW) return true;
    return false;
}

bool firn_sph_has_tension(const firn_scene_data* scene)
{
    bool tension = false;
    for (firn_local k = 0; k < scene->material_count; k++)
        tension |= scene->materials[k].snow.surface_tension > 0;
    return tension;
}

bool firn_sph_has_changes(const firn_scene_data* scene)
{
    bool changes = false;
    for (firn_local k = 0; k < scene->material_count; k++)
        changes |= scene->materials[k].becomes.active;
    return changes;
}

// Temperatures that a phase change waits for.
static void check_changes(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_becomes* b = &scene->materials[k].becomes;
        const bool warm = firn_becomes_by_heat(b) || !isnan(b->below) || !isnan(b->above);
        if (!b->active || !warm || firn_scene_heats(scene)) continue;
        char key[160];
        snprintf(key, sizeof key, "materials.%.100s.becomes", scene->materials[k].name);
        firn_diagnose_key(diagnostics, false, scene, key,
                          "nothing in this scene has a temperature, so that '%s' never changes: "
                          "give 'after', or a temperature to the air or a collider",
                          scene->materials[k].name);
    }
}

// A fixed step that is too long for the ripples of a surface; a chosen one is shorter.
static void check_tension(const firn_scene_data* scene, double h, firn_diagnostics* diagnostics)
{
    const firn_sph_def* d = scene->solver_def;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        if (!(s->surface_tension > 0)) continue;
        const double limit = (double)firn_cohesion_dt(s->surface_tension, s->density, (firn_real)h);
        if (!(d->dt > limit)) continue;
        firn_diagnose_key(diagnostics, false, scene, "sph.dt",
                          "sph.dt = %g s is longer than the %.2g s in which the surface tension of "
                          "'%s' moves a spacing of %.3g m: its surface may burst; use 'dt_max'",
                          d->dt, limit, scene->materials[k].name, h);
    }
}

// Fluids share the pressure solve of the snow.
static void check_fluids(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_sph_def* d = scene->solver_def;
    if (!firn_sph_has_fluids(scene)) return;
    if (d->elasticity == FIRN_SPH_COMBINED)
        firn_diagnose_key(
            diagnostics, true, scene, "sph.elasticity",
            "fluids need the pressure solve, which elasticity: combined does without: "
            "use elasticity: split");
    if (d->pressure == FIRN_SPH_INCOMPRESSIBLE)
        firn_diagnose_key(diagnostics, true, scene, "sph.pressure",
                          "pressure: incompressible gives snow a fluid's pressure, for comparison "
                          "without fluids; here they have theirs by `phase`: remove it");
}

void firn_sph_check(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_sph_def* d = scene->solver_def;
    if (d->pressure == FIRN_SPH_INCOMPRESSIBLE && d->elasticity == FIRN_SPH_COMBINED)
        firn_diagnose_key(diagnostics, true, scene, "sph.pressure",
                          "sph.pressure: incompressible needs a pressure solve of its own: use "
                          "elasticity: split");
    if (d->heat_speed > HEAT_SPEED_SAFE)
        firn_diagnose_key(diagnostics, false, scene, "sph.heat_speed",
                          "sph.heat_speed = %g: beyond %g a step may carry less heat than asked "
                          "for, because it is divided into 1000 stable parts at most",
                          d->heat_speed, HEAT_SPEED_SAFE);
    if (d->dt > 0 && d->dt_max > 0)
        firn_diagnose_key(diagnostics, false, scene, "sph.dt_max",
                          "sph.dt_max has no effect with a fixed sph.dt");
    const double h = firn_sph_spacing(scene);
    check_fluids(scene, diagnostics);
    check_changes(scene, diagnostics);
    check_tension(scene, h, diagnostics);
    check_solves(scene, diagnostics);
    check_flakes(scene, h, diagnostics);
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const double* v = scene->snow[k].velocity;
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        if (d->dt * speed > 0.9 * h) {
            firn_diagnose_key(
                diagnostics, false, scene, "sph.dt",
                "sph.dt = %g s lets snow.%d (%.3g m/s) cross %.2g spacings in a step; "
                "above 0.9 particles pass through each other",
                d->dt, (int)k, speed, d->dt * speed / h);
            break;
        }
    }
}

// What `firn check` expects. The rules of the step are in laws/rules.h.
#define USUAL_SPEED 3  // [m/s] what gravity and throws usually reach
// Iterations of the shear solve per spacing that a shear wave crosses in a step: like those of any
// Krylov solver they grow with the root of the condition number, 1 + const (dt c/h)^2. Measured in
// sled-race, by the snow that is packed most; blocks a few spacings across need fewer.
#define ITERATIONS_PER_CROSSING 1.5
#define PACKED 0.85            // J_P of it: 0.74 on sloping ground, 0.97 below a block that lies
#define STEP_COST 1.0e-6       // [s] of a particle, as `firn bench` has it: all but the shear solve
#define ITERATION_COST 1.4e-7  // [s] one iteration of that

// Lowest snow at the start against gravity [m]; infinity: it is not known, or has no end.
static double lowest_snow(const firn_scene_data* scene, firn_vec3 up)
{
    double low = INFINITY;
    for (firn_local k = 0; k < scene->snow_count; k++) {
        if (scene->snow[k].shape < 0) return INFINITY;
        const firn_box3 box = firn_shape_bounds(&scene->shapes, scene->snow[k].shape);
        const firn_vec3 half = firn_v3_scale(firn_v3_sub(box.high, box.low), (firn_real)0.5);
        const firn_vec3 middle = firn_v3_add(box.low, half);
        low = fmin(low, (double)(firn_v3_dot(middle, up) - firn_abs(half.x * up.x) -
                                 firn_abs(half.y * up.y) - firn_abs(half.z * up.z)));
    }
    return isfinite(low) ? low : INFINITY;
}

// Mean speed of a body [m/s]: one with a mass falls, or slides down, to the lowest snow.
static double body_speed(const firn_scene_data* scene, const firn_collider* c, double seconds)
{
    const firn_motion* m = &c->motion;
    const double* a = scene->gravity;
    const firn_vec3 g = {(firn_real)a[0], (firn_real)a[1], (firn_real)a[2]};
    const double gravity = (double)firn_v3_length(g);
    double speed = m->key_count > 0 ? 0 : (double)firn_v3_length(m->velocity);
    for (firn_local k = 1; k < m->key_count; k++) {
        const firn_vec3 way = firn_v3_sub(m->keys[k].position, m->keys[k - 1].position);
        speed = fmax(speed, (double)firn_v3_length(way) / (m->keys[k].time - m->keys[k - 1].time));
    }
    if (!(c->mass > 0) || !(gravity > 0)) return speed;
    const firn_vec3 up = firn_v3_scale(g, (firn_real)(-1 / gravity));
    const double drop = (double)firn_v3_dot(m->position, up) - lowest_snow(scene, up);
    if (!(drop > 0)) return speed;
    const double last = sqrt(speed * speed + 2 * gravity * drop);
    return 0.5 * (speed + fmin(last, speed + gravity * seconds));
}

// Of the fastest snow or body, in the mean over the scene [m/s].
static double usual_speed(const firn_scene_data* scene)
{
    double speed = USUAL_SPEED;
    for (firn_local k = 0; k < scene->snow_count; k++) {
        const double* v = scene->snow[k].velocity;
        speed = fmax(speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    const double seconds = (double)scene->time.frames / scene->time.fps;
    for (firn_local k = 0; k < scene->collider_count; k++)
        speed = fmax(speed, body_speed(scene, &scene->colliders[k], seconds));
    return speed;
}

// Fastest shear wave in packed snow of the scene [m/s]; 0: all of it is fluid.
static double packed_sound(const firn_scene_data* scene)
{
    double c2 = 0;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        if (s->phase != FIRN_PHASE_SNOW) continue;
        const double hardening = exp((double)s->hardening * (1 - PACKED));
        const firn_lame fresh = firn_snow_lame(s->young, s->poisson);
        c2 = fmax(c2, fmin(hardening, (double)s->hardening_max) * (double)(fresh.mu / s->density));
    }
    return sqrt(c2);
}

static double tension_dt(const firn_scene_data* scene, double h)
{
    double dt = INFINITY;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        if (s->surface_tension > 0)
            dt = fmin(dt, (double)firn_cohesion_dt(s->surface_tension, s->density, (firn_real)h));
    }
    return dt;
}

firn_solver_estimate firn_sph_estimate(const firn_scene_data* scene)
{
    const firn_sph_def* d = scene->solver_def;
    const double h = firn_sph_spacing(scene);
    double dt = fmin(firn_sph_dt_max(d, h), d->cfl * h / usual_speed(scene));
    dt = d->dt > 0 ? d->dt : fmin(dt, tension_dt(scene, h));
    // more than the target shortens the steps that follow, and with them the solves
    const double iterations = fmin(fmax(ITERATIONS_PER_CROSSING * packed_sound(scene) * dt / h, 2),
                                   (double)d->iterations_target);
    return (firn_solver_estimate){.cell = h,
                                  .bytes_per_particle = 1400,
                                  .device_bytes_per_particle = firn_sph_device_bytes(scene),
                                  .host_bytes_per_particle = 140,
                                  .dt = dt,
                                  .seconds_per_particle_step =
                                      STEP_COST + ITERATION_COST * (iterations + 1),
                                  .flake = h};
}
