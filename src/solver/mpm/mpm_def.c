// SPDX-License-Identifier: MIT
// The `mpm` block of a scene: its keys, defaults and checks.
#include <math.h>
#include <stdio.h>

#include "physics/snow_hardening.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/diagnostics.h"
#include "scene/parse/keys.h"
#include "solver/mpm/support/mpm_solver.h"

static const char* const integrators[] = {"explicit", "semi-implicit", "auto", NULL};
static const char* const transfers[] = {"flip", "apic", NULL};
static const char* const splines[] = {"cubic", "quadratic", NULL};
static const char* const volumes[] = {"exact", "grid", NULL};
static const char* const contacts[] = {"nodes", "surface", NULL};
static const char* const guesses[] = {"forced", "inertial", NULL};
static const char* const preconditioners[] = {"none", "diagonal", NULL};

// Inertia over weight that settling snow may have: with 1 %, stresses are those of the weight
// within 1 %.
#define FIRN_AGEING_INERTIA 0.01

#define AT(field) offsetof(firn_mpm_def, field)
// clang-format off
static const firn_key keys[] = {
    // name, type, offset, unit, low, high, default, choices, block, help
    {"cell", FIRN_KEY_REAL, AT(cell), "m", 1e-5, 1e3, "0.01", NULL, NULL,
     "Grid spacing h."},
    {"integrator", FIRN_KEY_ENUM, AT(integrator), NULL, 1, 0, "semi-implicit", integrators, NULL,
     "Explicit steps are cheap and short; semi-implicit ones solve a linear system and may be "
     "long; auto takes what promises to cost less, frame by frame."},
    {"beta", FIRN_KEY_REAL, AT(beta), "-", 0, 1, "1", NULL, NULL,
     "Implicitness: 0 explicit, 0.5 trapezoidal, 1 backward Euler (eq. 9)."},
    {"transfer", FIRN_KEY_ENUM, AT(transfer), NULL, 1, 0, "flip", transfers, NULL,
     "How velocities go from grid to particles: the paper's PIC/FLIP blend, or APIC."},
    {"spline", FIRN_KEY_ENUM, AT(spline), NULL, 1, 0, "cubic", splines, NULL,
     "Basis of the grid: the paper's cubic splines, or quadratic ones, which reach 27 nodes "
     "instead of 64: sharper, as expensive here, with shorter explicit steps and more noise as "
     "particles cross cells."},
    {"volumes", FIRN_KEY_ENUM, AT(volumes), NULL, 1, 0, "exact", volumes, NULL,
     "Volumes of particles at the start: mass over density, or the paper's, by the density that "
     "the grid sees: too large near free surfaces, so that thin snow is too stiff (4 cells across: "
     "1.5 times, 16: 1.1 times)."},
    {"contact", FIRN_KEY_ENUM, AT(contact), NULL, 1, 0, "nodes", contacts, NULL,
     "What moves with a kinematic collider: nodes inside it, as in the paper (snow at a smooth "
     "plate then yields at 5/6 of its strength or less), or the velocity field at its surface; "
     "the second with integrator: explicit. Sticky colliders hold nodes."},
    {"grip", FIRN_KEY_REAL, AT(grip), "s", 0, 100, "0.2", NULL, NULL,
     "Friction that snow at rest on a collider does not use holds it for so long, so that it stays "
     "below the angle of friction while it rings; 0: the paper's friction, which lets it creep."},
    {"flip", FIRN_KEY_REAL, AT(flip), "-", 0, 1, "0.95", NULL, NULL,
     "Share alpha of FLIP in the blend; the rest is PIC, which damps."},
    {"dt", FIRN_KEY_REAL, AT(dt), "s", 0, 1, "0", NULL, NULL,
     "Fixed time step (shortened a little to meet frame times); 0: chosen."},
    {"dt_max", FIRN_KEY_REAL, AT(dt_max), "s", 1e-9, 1, "0.001", NULL, NULL,
     "Largest chosen time step."},
    {"cfl", FIRN_KEY_REAL, AT(cfl), "cells", 0.01, 0.9, "0.5", NULL, NULL,
     "Cells that the fastest particle may cross in a chosen step."},
    {"sound_cfl", FIRN_KEY_REAL, AT(sound_cfl), "-", 0.01, 0.75, "0.6", NULL, NULL,
     "Explicit: chosen dt is at most this times h over the hardened speed of sound (stable to 0.75 "
     "at sharp corners, to 1.07 inside); with quadratic splines, 0.75 of that."},
    {"tolerance", FIRN_KEY_REAL, AT(tolerance), "-", 1e-12, 0.1, "1e-4", NULL, NULL,
     "The linear solve stops when its residual is this fraction of v* (mass norm)."},
    {"speed_floor", FIRN_KEY_REAL, AT(speed_floor), "m/s", 0, 1e3, "0.1", NULL, NULL,
     "Snow slower than this (rms) is solved only as exactly as if it moved at this speed: snow at "
     "rest costs little."},
    {"max_iterations", FIRN_KEY_INT, AT(max_iterations), NULL, 1, 100000, "500", NULL, NULL,
     "Most iterations of a linear solve."},
    {"iterations_target", FIRN_KEY_INT, AT(iterations_target), NULL, 1, 100000, "40", NULL, NULL,
     "Semi-implicit, chosen dt: the step shrinks while solves need more iterations than this."},
    {"guess", FIRN_KEY_ENUM, AT(guess), NULL, 1, 0, "inertial", guesses, NULL,
     "Where the linear solve starts: v* with the elastic forces, or v + dt g without them, which "
     "is stable even when the solve stops early."},
    {"preconditioner", FIRN_KEY_ENUM, AT(preconditioner), NULL, 1, 0, "none", preconditioners, NULL,
     "What the linear solve divides by: the mass alone, or the stiffness that each node sees as "
     "well: up to a third fewer iterations; with tolerances of 1e-4 and below."},
    {"iteration_cost", FIRN_KEY_REAL, AT(iteration_cost), "steps", 0.001, 10, "0.33", NULL, NULL,
     "For integrator: auto: what an iteration of the linear solve costs, as a share of a step "
     "without one; `firn bench` measures both."},
};
// clang-format on

static void set_defaults(void* at)
{
    *(firn_mpm_def*)at = (firn_mpm_def){.cell = 0.01,
                                        .integrator = FIRN_MPM_SEMI_IMPLICIT,
                                        .beta = 1,
                                        .transfer = FIRN_MPM_FLIP,
                                        .spline = FIRN_SPLINE_CUBIC,
                                        .volumes = FIRN_MPM_VOLUMES_EXACT,
                                        .contact = FIRN_MPM_CONTACT_NODES,
                                        .grip = 0.2,
                                        .flip = 0.95,
                                        .dt = 0,
                                        .dt_max = 1e-3,
                                        .cfl = 0.5,
                                        .sound_cfl = 0.6,
                                        .tolerance = 1e-4,
                                        .speed_floor = 0.1,
                                        .max_iterations = 500,
                                        .iterations_target = 40,
                                        .guess = FIRN_MPM_GUESS_INERTIAL,
                                        .preconditioner = FIRN_MPM_PRECONDITIONER_NONE,
                                        .iteration_cost = 0.33};
}

const firn_key_block firn_mpm_keys = {
    .name = "mpm",
    .help = "The material point method (Stomakhin et al. 2013).",
    .keys = keys,
    .key_count = sizeof keys / sizeof *keys,
    .size = sizeof(firn_mpm_def),
    .set_defaults = set_defaults,
};

// Explicit steps are stable up to so many h/c, VALIDATION T19: at sharp corners, where step 2 finds
// too much volume, and inside snow.
typedef struct step_limit {
    double corner, inside;
} step_limit;

static const step_limit limits[] = {
    [FIRN_SPLINE_CUBIC] = {0.75, 1.07}, [FIRN_SPLINE_QUADRATIC] = {0.5625, 0.76}};

double firn_mpm_sound_cfl(const firn_mpm_def* def)
{
    return def->sound_cfl * (limits[def->spline].corner / limits[FIRN_SPLINE_CUBIC].corner);
}

// Fastest sound of the scene's unhardened snow [m/s].
static double rest_sound(const firn_scene_data* scene)
{
    double c2 = 0;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        const firn_lame l = firn_snow_lame(s->young, s->poisson);
        c2 = fmax(c2, (double)(l.lambda + 2 * l.mu) / (double)s->density);
    }
    return sqrt(c2);
}

// Cells so large that snow loses its strength within the elastic stretch (firn_snow_softening).
static void check_fracture(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_mpm_def* d = scene->solver_def;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        if (!(s->fracture_energy > 0) || s->cam_clay.friction > 0) continue;
        const firn_lame l = firn_snow_lame(s->young, s->poisson);
        const double strength = (double)s->critical_stretch * (double)(l.lambda + 2 * l.mu);
        const double most = (double)s->fracture_energy / ((double)FIRN_SNOW_BAND * strength) *
                            pow((double)s->critical_stretch, -2.0 / 3);
        if (d->cell > most)
            firn_diagnose_key(
                diagnostics, false, scene, "mpm.cell",
                "mpm.cell = %g m is too large for the fracture_energy of material "
                "'%s', %g J/m^2: cracks take more energy; use cells of at most %.3g m",
                d->cell, scene->materials[k].name, (double)s->fracture_energy, most);
    }
}

// Cam-Clay yields at a stress that fixed corotated elasticity reaches at small strains only.
static void check_cam_clay(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        if (!(s->cam_clay.friction > 0)) continue;
        char key[128];
        snprintf(key, sizeof key, "materials.%.100s", scene->materials[k].name);
        const firn_lame l = firn_snow_lame(s->young, s->poisson);
        const double K = (double)(l.lambda + 2 * l.mu / 3);
        if ((double)s->cam_clay.consolidation > 0.1 * K)
            firn_diagnose_key(diagnostics, false, scene, key,
                              "the consolidation of material '%s', %g Pa, is more than a tenth of "
                              "its bulk modulus, %.3g Pa: stresses are far from the yield surface "
                              "at such strains; use a larger young",
                              scene->materials[k].name, (double)s->cam_clay.consolidation, K);
        if (s->fracture_energy > 0)
            firn_diagnose_key(diagnostics, false, scene, key,
                              "material '%s' has cam_clay: its fracture_energy has no effect",
                              scene->materials[k].name);
    }
}

// Height of all snow together [m], and an upper bound of the stress at its foot [Pa].
static double find_load(const firn_scene_data* scene, double g, double* out_stress)
{
    double low = INFINITY, high = -INFINITY, stacked = 0, densest = 0;
    for (firn_local k = 0; k < scene->snow_count; k++) {
        if (scene->snow[k].shape < 0) continue;  // from a file
        const firn_box3 box = firn_shape_bounds(&scene->shapes, scene->snow[k].shape);
        const double density = (double)scene->materials[scene->snow[k].material].snow.density;
        low = fmin(low, (double)box.low.y);
        high = fmax(high, (double)box.high.y);
        stacked += density * ((double)box.high.y - (double)box.low.y);
        densest = fmax(densest, density);
    }
    const double height = high > low ? high - low : 0;
    *out_stress = g * fmin(stacked, densest * height);
    return height;
}

// Snow that settles must not fall: its acceleration, height times the square of the rate of strain,
// stays far below that of gravity. Viscosities grow as it settles, so that the start decides.
static void check_ageing(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const double scale = scene->ageing.time_scale;
    const double* v = scene->gravity;
    const double g = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(scale > 0)) return;
    double softest = INFINITY;  // [Pa s]
    bool ages = false;
    for (firn_local k = 0; k < scene->material_count; k++) {
        const firn_snow_material* s = &scene->materials[k].snow;
        if (s->cam_clay.friction > 0) continue;  // does not age
        if (s->viscosity > 0) softest = fmin(softest, (double)s->viscosity);
        ages |= s->viscosity > 0 || s->sintering_time > 0;
    }
    if (!ages)
        firn_diagnose_key(diagnostics, false, scene, "ageing",
                          "no material has a 'viscosity' or a 'sintering_time': 'ageing' has no "
                          "effect; 'measured' materials have both");
    double stress;
    const double height = find_load(scene, g, &stress);
    const double rate = stress / softest;  // of strain [1/s], without the time scale
    const double most = sqrt(FIRN_AGEING_INERTIA * g / fmax(height, 1e-30)) / fmax(rate, 1e-30);
    if (scale > most)
        firn_diagnose_key(diagnostics, false, scene, "ageing.time_scale",
                          "ageing.time_scale = %g is so large that snow falls instead of settling: "
                          "under %.3g Pa, snow of %.3g Pa s and %.3g m height allows %.2g",
                          scale, stress, softest, height, most);
}

// Columns are held in step 5; a linear solve would move their nodes apart again.
static void check_contact(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_mpm_def* d = scene->solver_def;
    const bool solves = d->integrator != FIRN_MPM_EXPLICIT && d->beta > 0;
    if (d->contact == FIRN_MPM_CONTACT_SURFACE && solves)
        firn_diagnose_key(diagnostics, true, scene, "mpm.contact",
                          "mpm.contact: surface needs explicit steps: use integrator: explicit, or "
                          "contact: nodes");
}

void firn_mpm_check(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_mpm_def* d = scene->solver_def;
    check_fracture(scene, diagnostics);
    check_cam_clay(scene, diagnostics);
    check_ageing(scene, diagnostics);
    check_contact(scene, diagnostics);
    const step_limit limit = limits[d->spline];
    const double crossing = d->cell / fmax(rest_sound(scene), 1e-30);
    const bool is_explicit = d->integrator == FIRN_MPM_EXPLICIT || !(d->beta > 0);
    if (is_explicit && d->dt > limit.corner * crossing)
        firn_diagnose_key(
            diagnostics, d->dt > limit.inside * crossing, scene, "mpm.dt",
            "mpm.dt = %g s is above the stability limit of explicit integration, %.3g s "
            "for this snow at rest (cell %g m): use dt: 0, or integrator: semi-implicit",
            d->dt, limit.corner * crossing, d->cell);
    if (!is_explicit && d->beta < 0.5)
        firn_diagnose_key(diagnostics, false, scene, "mpm.beta",
                          "mpm.beta = %g is stable only for small steps; 0.5 and above always",
                          d->beta);
    if (d->transfer == FIRN_MPM_APIC && d->flip != 0.95)
        firn_diagnose_key(diagnostics, false, scene, "mpm.flip",
                          "mpm.flip has no effect with transfer: apic");
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double firn_mpm_flake(const firn_scene_data* scene)
{
    return 0.5 * ((const firn_mpm_def*)scene->solver_def)->cell;
}

// Memory of a GPU per particle of compact snow [bytes], as design/0009 counts it.
static double device_bytes(const firn_scene_data* scene, bool is_explicit)
{
    const firn_mpm_def* d = scene->solver_def;
    double bytes = is_explicit ? 292 : 337;
    if (d->transfer == FIRN_MPM_APIC) bytes += 96;
    if (firn_scene_varies(scene)) bytes += 32;
    if (scene->emitter_count > 0) bytes += 8;
    if (scene->powder.active) bytes += 16;
    return bytes;
}

// A grid has room for 1024 occupied blocks more than particles need (mpm_cuda.cu), of 17 KB each,
// with a solve 26 KB.
static double device_bytes_fixed(bool is_explicit)
{
    return 1024 * (is_explicit ? 17e3 : 26e3);
}

firn_solver_estimate firn_mpm_estimate(const firn_scene_data* scene)
{
    const firn_mpm_def* d = scene->solver_def;
    const bool is_explicit = d->integrator == FIRN_MPM_EXPLICIT || !(d->beta > 0);
    // impacts harden snow: J_P near 0.7 makes sound 4.5 times faster
    const double packed_sound = 4.5 * rest_sound(scene);
    double dt = d->dt;
    if (!(dt > 0)) {
        double speed = 5;  // [m/s] what gravity and throws usually reach
        for (firn_local k = 0; k < scene->snow_count; k++)
            speed = fmax(speed, length_of(scene->snow[k].velocity));
        for (firn_local k = 0; k < scene->emitter_count; k++)
            speed = fmax(speed,
                         length_of(scene->emitters[k].velocity) + fabs(scene->emitters[k].speed));
        dt = fmin(d->dt_max, d->cfl * d->cell / speed);
        if (is_explicit) dt = fmin(dt, firn_mpm_sound_cfl(d) * d->cell / packed_sound);
    }
    // iterations grow like dt c / h (test mpm_iterations, T18); about 3 times that on snowball-drop
    const double iterations =
        fmin(fmax(3 * sqrt(d->beta) * dt * packed_sound / d->cell, 2), (double)d->max_iterations);
    // costs as `firn bench` measures them: a step without its solve, and one iteration
    return (firn_solver_estimate){.cell = d->cell,
                                  .bytes_per_particle = is_explicit ? 170 : 295,
                                  .device_bytes_per_particle = device_bytes(scene, is_explicit),
                                  .device_bytes_fixed = device_bytes_fixed(is_explicit),
                                  .host_bytes_per_particle = 130,
                                  .dt = dt,
                                  .flake = firn_mpm_flake(scene),
                                  .seconds_per_particle_step =
                                      is_explicit ? 1.6e-7 : 1.7e-7 + 5.5e-8 * (iterations + 3)};
}
