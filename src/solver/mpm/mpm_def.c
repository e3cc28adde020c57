// SPDX-License-Identifier: MIT
// The `mpm` block of a scene: its keys, defaults and checks.
#include <math.h>

#include "solver/mpm/mpm_solver.h"

static const char* const integrators[] = {"explicit", "semi-implicit", NULL};
static const char* const transfers[] = {"flip", "apic", NULL};
static const char* const guesses[] = {"forced", "inertial", NULL};

#define AT(field) offsetof(firn_mpm_def, field)
static const firn_key keys[] = {
    {.name = "cell", .type = FIRN_KEY_REAL, .offset = AT(cell), .unit = "m", .low = 1e-5, .high = 1e3,
     .fallback = "0.01", .help = "Grid spacing h."},
    {.name = "integrator", .type = FIRN_KEY_ENUM, .offset = AT(integrator), .choices = integrators,
     .low = 1, .high = 0, .fallback = "semi-implicit",
     .help = "Explicit steps are cheap and short; semi-implicit ones solve a linear system and may be "
             "long."},
    {.name = "beta", .type = FIRN_KEY_REAL, .offset = AT(beta), .unit = "-", .low = 0, .high = 1,
     .fallback = "1", .help = "Implicitness: 0 explicit, 0.5 trapezoidal, 1 backward Euler (eq. 9)."},
    {.name = "transfer", .type = FIRN_KEY_ENUM, .offset = AT(transfer), .choices = transfers, .low = 1,
     .high = 0, .fallback = "flip",
     .help = "How velocities go from grid to particles: the paper's PIC/FLIP blend, or APIC."},
    {.name = "flip", .type = FIRN_KEY_REAL, .offset = AT(flip), .unit = "-", .low = 0, .high = 1,
     .fallback = "0.95", .help = "Share alpha of FLIP in the blend; the rest is PIC, which damps."},
    {.name = "dt", .type = FIRN_KEY_REAL, .offset = AT(dt), .unit = "s", .low = 0, .high = 1,
     .fallback = "0", .help = "Fixed time step (shortened a little to meet frame times); 0: chosen."},
    {.name = "dt_max", .type = FIRN_KEY_REAL, .offset = AT(dt_max), .unit = "s", .low = 1e-9, .high = 1,
     .fallback = "0.001", .help = "Largest chosen time step."},
    {.name = "cfl", .type = FIRN_KEY_REAL, .offset = AT(cfl), .unit = "cells", .low = 0.01, .high = 0.9,
     .fallback = "0.5", .help = "Cells that the fastest particle may cross in a chosen step."},
    {.name = "sound_cfl", .type = FIRN_KEY_REAL, .offset = AT(sound_cfl), .unit = "-", .low = 0.01,
     .high = 1.05, .fallback = "0.6",
     .help = "Explicit: chosen dt is at most this times h over the hardened speed of sound (stable "
             "below 1.07)."},
    {.name = "tolerance", .type = FIRN_KEY_REAL, .offset = AT(tolerance), .unit = "-", .low = 1e-12,
     .high = 0.1, .fallback = "1e-4",
     .help = "The linear solve stops when its residual is this fraction of v* (mass norm)."},
    {.name = "speed_floor", .type = FIRN_KEY_REAL, .offset = AT(speed_floor), .unit = "m/s", .low = 0,
     .high = 1e3, .fallback = "0.1",
     .help = "Snow slower than this (rms) is solved only as exactly as if it moved at this speed: snow at "
             "rest costs little."},
    {.name = "max_iterations", .type = FIRN_KEY_INT, .offset = AT(max_iterations), .low = 1,
     .high = 100000, .fallback = "500", .help = "Most iterations of a linear solve."},
    {.name = "iterations_target", .type = FIRN_KEY_INT, .offset = AT(iterations_target), .low = 1,
     .high = 100000, .fallback = "40",
     .help = "Semi-implicit, chosen dt: the step shrinks while solves need more iterations than this."},
    {.name = "guess", .type = FIRN_KEY_ENUM, .offset = AT(guess), .choices = guesses, .low = 1,
     .high = 0, .fallback = "inertial",
     .help = "Where the linear solve starts: v* with the elastic forces, or v + dt g without them."},
};

static void set_defaults(void* at)
{
    *(firn_mpm_def*)at = (firn_mpm_def){.cell = 0.01,
                                        .integrator = FIRN_MPM_SEMI_IMPLICIT,
                                        .beta = 1,
                                        .transfer = FIRN_MPM_FLIP,
                                        .flip = 0.95,
                                        .dt = 0,
                                        .dt_max = 1e-3,
                                        .cfl = 0.5,
                                        .sound_cfl = 0.6,
                                        .tolerance = 1e-4,
                                        .speed_floor = 0.1,
                                        .max_iterations = 500,
                                        .iterations_target = 40,
                                        .guess = FIRN_MPM_GUESS_INERTIAL};
}

const firn_key_block firn_mpm_keys = {
    .name = "mpm",
    .help = "The material point method (Stomakhin et al. 2013).",
    .keys = keys,
    .key_count = sizeof keys / sizeof *keys,
    .size = sizeof(firn_mpm_def),
    .set_defaults = set_defaults,
};

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

void firn_mpm_check(const firn_scene_data* scene, firn_diagnostics* diagnostics)
{
    const firn_mpm_def* d = scene->solver_def;
    const char* file = scene->path != NULL ? scene->path : scene->name;
    const double limit = 1.07 * d->cell / fmax(rest_sound(scene), 1e-30);  // VALIDATION T19
    const bool is_explicit = d->integrator == FIRN_MPM_EXPLICIT || !(d->beta > 0);
    if (is_explicit && d->dt > limit)
        firn_diagnose(diagnostics, true, file, 0, 0,
                      "mpm.dt = %g s is above the stability limit of explicit integration, %.3g s for "
                      "this snow at rest (cell %g m): use dt: 0, or integrator: semi-implicit",
                      d->dt, limit, d->cell);
    if (!is_explicit && d->beta < 0.5)
        firn_diagnose(diagnostics, false, file, 0, 0,
                      "mpm.beta = %g is stable only for small steps; 0.5 and above always", d->beta);
    if (d->transfer == FIRN_MPM_APIC && d->flip != 0.95)
        firn_diagnose(diagnostics, false, file, 0, 0, "mpm.flip has no effect with transfer: apic");
}

firn_solver_estimate firn_mpm_estimate(const firn_scene_data* scene)
{
    const firn_mpm_def* d = scene->solver_def;
    const bool is_explicit = d->integrator == FIRN_MPM_EXPLICIT || !(d->beta > 0);
    double dt = d->dt;
    if (!(dt > 0)) {
        double speed = 5;  // [m/s] what gravity and throws usually reach
        for (firn_local k = 0; k < scene->snow_count; k++) {
            const double* v = scene->snow[k].velocity;
            speed = fmax(speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
        dt = fmin(d->dt_max, d->cfl * d->cell / speed);
        // impacts harden snow: J_P near 0.7 makes sound 4.5 times faster
        if (is_explicit) dt = fmin(dt, d->sound_cfl * d->cell / (4.5 * rest_sound(scene)));
    }
    return (firn_solver_estimate){
        .cell = d->cell,
        .bytes_per_particle = is_explicit ? 280 : 370,        // measured by `firn bench`
        .dt = dt,
        .seconds_per_particle_step = is_explicit ? 3.5e-7 : 2.5e-6};  // the same, 15 iterations
}
