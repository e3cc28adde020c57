// SPDX-License-Identifier: MIT
// Measuring one case: build the snow, warm up, then the fastest of the repeats.
//
// Two states, because they cost differently: in early contact most particles are at rest in
// themselves and iterations on their deformation end at once; in the other a ball is squashed by
// the field v = rate (x/2, -y, z/2), which keeps its volume (and its 8 particles per cell) while
// every particle yields, as the snow of a whole scene does at its wildest.
#include "sim/bench/bench_case.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/timer.h"
#include "solver/mpm/mpm.h"
#include "solver/mpm/support/mpm_roofline.h"
#include "state/sparse_grid.h"

#define CELL 0.005        // [m]
#define PER_CELL 8        // particles
#define SPEED 5           // [m/s] in early contact
#define RATE 120          // [1/s] of the squash: past the elastic limit of 2.5 % after two steps
#define ITERATIONS "15"   // of every solve: fixed, so that rates compare
#define DOMAIN_WIDTH 100  // of many balls, in diameters of the one ball they would make
#define PI 3.14159265358979

const firn_bench_case firn_bench_cases[FIRN_BENCH_CASES] = {
    {.name = "explicit, early contact", .integrator = "explicit", .dt = "0"},
    {.name = "explicit, deforming",
     .integrator = "explicit",
     .dt = "0",
     .state = FIRN_BENCH_DEFORMING},
    {.name = "semi-implicit", .integrator = "semi-implicit", .dt = "5e-4"},
};

firn_result firn_bench_check(const firn_bench_def* def, firn_error* error)
{
    if (def == NULL || def->cookie != FIRN_COOKIE || def->backend == NULL || def->particles < 100 ||
        def->particles > 200000000 || def->steps < 1 || def->repeats < 1 || def->threads < 0)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "bench needs a def from firn_default_bench_def(), 100 to 2e8 particles, at least "
            "one step and one repeat");
    static const char* const solvers[] = {"mpm", "sph", "grains"};
    const char* wanted = def->solver != NULL ? def->solver : "";
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
        if (strcmp(wanted, solvers[k]) == 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_NAME,
                     "there is no bench of solver '%s' (there are mpm, sph and grains)", wanted);
}

int firn_bench_threads(const firn_bench_def* def)
{
    return def->threads > 0 ? def->threads : omp_get_num_procs();
}

static double radius_of(double particles)
{
    return CELL * cbrt(particles / PER_CELL / (4.0 / 3.0 * PI));
}

// [m] from the first ball's place to where the next after the last would be
static double domain_of(const firn_bench_case* c)
{
    return DOMAIN_WIDTH * 2 * radius_of((double)c->particles);
}

// Centre of ball k: one above the origin; many in columns of their own along x (so that no two
// touch), scattered along z by multiples of the golden ratio.
static firn_vec3 centre_of(const firn_bench_case* c, int k)
{
    const double radius = radius_of((double)c->particles / c->balls);
    if (c->balls == 1) return firn_v3(0, (firn_real)radius, 0);
    const double width = domain_of(c), turn = k * 0.6180339887498949;
    return firn_v3((firn_real)((k + 0.5) / c->balls * width), (firn_real)radius,
                   (firn_real)((turn - floor(turn)) * width));
}

static firn_result add_balls(firn_scene* scene, const firn_bench_case* c)
{
    const firn_real radius = (firn_real)radius_of((double)c->particles / c->balls);
    for (int k = 0; k < c->balls; k++) {
        firn_snow_def fill = firn_default_snow_def();
        firn_snow_id snow;
        FIRN_TRY(firn_scene_sphere(scene, centre_of(c, k), radius, &fill.shape));
        fill.velocity = firn_v3(0, c->state == FIRN_BENCH_CONTACT ? -SPEED : 0, 0);
        fill.particles_per_cell = PER_CELL;
        FIRN_TRY(firn_scene_add_snow(scene, &fill, &snow));
    }
    return FIRN_OK;
}

static firn_result build_scene(firn_scene* scene, const firn_bench_case* c)
{
    char cell[32];
    snprintf(cell, sizeof cell, "%.6g", CELL);
    firn_collider_def body = firn_default_collider_def();
    firn_collider_id collider;
    FIRN_TRY(firn_scene_set(scene, "mpm.cell", cell));
    FIRN_TRY(firn_scene_set(scene, "mpm.integrator", c->integrator));
    FIRN_TRY(firn_scene_set(scene, "mpm.dt", c->dt));
    if (c->spline != NULL) FIRN_TRY(firn_scene_set(scene, "mpm.spline", c->spline));
    FIRN_TRY(firn_scene_set(scene, "mpm.tolerance", "1e-12"));
    FIRN_TRY(firn_scene_set(scene, "mpm.max_iterations", ITERATIONS));
    FIRN_TRY(firn_scene_plane(scene, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &body.shape));
    FIRN_TRY(firn_scene_add_collider(scene, &body, &collider));
    return add_balls(scene, c);
}

// A scene has one velocity per body; the squash is written over it, about each ball's own centre.
static void squash(firn_particles* particles, const firn_bench_case* c)
{
    const firn_vec3* x = firn_particles_find(particles, "position")->data;
    firn_vec3* v = firn_particles_find(particles, "velocity")->data;
    const double column = domain_of(c) / c->balls;
#pragma omp parallel for schedule(static)
    for (firn_local p = 0; p < particles->count; p++) {
        const firn_vec3 centre = centre_of(c, c->balls == 1 ? 0 : (int)floor(x[p].x / column));
        v[p] = firn_v3((firn_real)(0.5 * RATE) * (x[p].x - centre.x), -RATE * (x[p].y - centre.y),
                       (firn_real)(0.5 * RATE) * (x[p].z - centre.z));
    }
}

// One step; the share of the particles whose J_P it changed, that is, whose flow was plastic.
static firn_result step_and_count(firn_sim* sim, double* out_share)
{
    FIRN_TRY(firn_sim_fetch(sim));
    const firn_particles* particles = sim->solver->particles(sim->self);
    const firn_real* J_P = firn_particles_find(particles, "plastic_det")->data;
    const uint32_t* id = firn_particles_find(particles, "id")->data;  // particles change places
    firn_real* before = firn_alloc((size_t)particles->count, sizeof *before);
    if (before == NULL) return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    for (firn_local p = 0; p < particles->count; p++) before[id[p]] = J_P[p];
    firn_result r = firn_sim_step(sim);
    if (r == FIRN_OK) r = firn_sim_fetch(sim);
    // reordering may have exchanged the arrays
    J_P = firn_particles_find(particles, "plastic_det")->data;
    id = firn_particles_find(particles, "id")->data;
    firn_local yielding = 0;
    for (firn_local p = 0; p < particles->count; p++) yielding += before[id[p]] != J_P[p];
    firn_free(before);
    *out_share = (double)yielding / particles->count;
    return r;
}

static double sum_stages(const firn_sim* sim)
{
    double sum = 0;
    for (int s = 0; s < sim->solver->stage_count; s++) sum += sim->stage_seconds[s];
    return sum;
}

static void forget_stage(firn_sim* sim, const char* name)
{
    for (int s = 0; name != NULL && s < sim->solver->stage_count; s++)
        if (strcmp(sim->solver->stage_names[s], name) == 0) sim->stage_seconds[s] = 0;
}

firn_result firn_bench_repeat(firn_sim* sim, const firn_bench_def* def, bool wall_clock,
                              firn_bench_row* row)
{
    row->seconds_per_step = INFINITY;
    for (int r = 0; r < def->repeats; r++) {
        memset(sim->stage_seconds, 0, sizeof sim->stage_seconds);
        double iterations = 0, shear_iterations = 0, neighbours = 0;
        const double start = firn_seconds();
        for (int k = 0; k < def->steps; k++) {
            FIRN_TRY(firn_sim_step(sim));
            iterations += sim->last.iterations;
            shear_iterations += sim->last.shear_iterations;
            neighbours += sim->last.neighbours;
        }
        const double wall = firn_seconds() - start;
        forget_stage(sim, row->left_out);
        const double seconds = (wall_clock ? wall : sum_stages(sim)) / def->steps;
        if (seconds >= row->seconds_per_step) continue;
        row->seconds_per_step = seconds;
        row->iterations = iterations / def->steps;
        row->shear_iterations = shear_iterations / def->steps;
        row->neighbours = neighbours / def->steps;
        for (int s = 0; s < sim->solver->stage_count; s++)
            row->stage_seconds[s] = sim->stage_seconds[s] / def->steps;
    }
    row->steps_per_second = (double)row->particles / row->seconds_per_step;
    row->steps_per_second_core = row->steps_per_second / row->threads;
    row->iterations_per_second = row->steps_per_second * row->iterations;
    return FIRN_OK;
}

void firn_bench_weigh(const firn_sim* sim, uint64_t bytes_before, firn_bench_row* row)
{
    const firn_memory_stats memory = firn_memory_read();
    row->peak_bytes = memory.peak_bytes;
    row->bytes_per_particle = (double)(memory.bytes - bytes_before) / (double)row->particles;
    row->device_bytes = firn_sim_read(sim).device_bytes;
    row->device_bytes_per_particle = (double)row->device_bytes / (double)row->particles;
}

static void fill_rates(const firn_sim* sim, firn_bench_row* row)
{
    const double n = (double)row->particles;
    for (int s = 0; s < row->stage_count; s++)
        if (row->iterations > 0 && row->stage_seconds[s] > 0 &&
            strcmp(row->stage_names[s], "06_solve") == 0)
            row->iterations_per_second_core =
                n * row->iterations / row->stage_seconds[s] / row->threads;
    const firn_mpm_def* mpm = sim->scene.solver_def;  // all cases are of this solver
    const firn_mpm_floor floor =
        firn_mpm_floor_of((firn_spline)mpm->spline, row->iterations, (double)row->nodes / n);
    row->flops_per_particle = floor.flops;
    row->bytes_moved_per_particle = floor.bytes;
}

static firn_result measure(firn_sim* sim, const firn_bench_def* def, const firn_bench_case* c,
                           uint64_t bytes_before, firn_bench_row* row)
{
    double first, last;
    for (int k = 1; k < c->warm_up; k++) FIRN_TRY(firn_sim_step(sim));
    FIRN_TRY(step_and_count(sim, &first));
    FIRN_TRY(firn_bench_repeat(sim, def, c->wall_clock, row));
    firn_bench_weigh(sim, bytes_before, row);
    row->nodes = (int64_t)sim->last.active_blocks * FIRN_BLOCK_NODES;
    FIRN_TRY(step_and_count(sim, &last));
    row->yielding = fmin(first, last);
    fill_rates(sim, row);
    return FIRN_OK;
}

firn_result firn_bench_open(const firn_bench_def* def, firn_scene* scene, int threads,
                            const char* name, firn_sim** out_sim, firn_bench_row* out_row,
                            firn_error* error)
{
    firn_sim_def sim_def = firn_default_sim_def();
    sim_def.threads = threads;
    sim_def.simd = def->simd;
    sim_def.backend = def->backend;
    // grains are measured over whole frames, each of which is one launch
    sim_def.run_ahead = strcmp(def->solver, "grains") == 0 ? 0 : FIRN_BENCH_RUN_AHEAD;
    firn_sim* sim = NULL;
    FIRN_TRY(firn_sim_create(scene, &sim_def, &sim, error));
    firn_bench_row row = {.threads = threads,
                          .particles = sim->solver->particles(sim->self)->count,
                          .balls = 1,
                          .stage_count = sim->solver->stage_count,
                          .stage_names = sim->solver->stage_names};
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.backend, sizeof row.backend, "%s", sim->backend);
    *out_sim = sim;
    *out_row = row;
    return FIRN_OK;
}

firn_result firn_bench_run(const firn_bench_def* def, const firn_bench_case* c, int threads,
                           firn_bench_row* out_row, firn_error* error)
{
    const firn_log log = {def->log, def->user};
    firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%s, %lld particles, %d thread%s", c->name,
                   (long long)c->particles, threads, threads > 1 ? "s" : "");
    firn_scene* scene;
    if (firn_scene_create(&scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_result r = build_scene(scene, c);
    if (r != FIRN_OK) {
        firn_fail(error, r, "%s", firn_scene_messages(scene));
        firn_scene_destroy(scene);
        return r;
    }
    firn_sim* sim = NULL;
    const uint64_t before = firn_memory_read().bytes;
    r = firn_bench_open(def, scene, threads, c->name, &sim, out_row, error);
    if (r == FIRN_OK) {
        out_row->balls = c->balls;
        if (c->state == FIRN_BENCH_DEFORMING) squash(sim->solver->particles(sim->self), c);
        r = measure(sim, def, c, before, out_row);
        if (r != FIRN_OK) firn_fail(error, r, "%s", firn_sim_error(sim));
    }
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return r;
}
