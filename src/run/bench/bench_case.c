// SPDX-License-Identifier: MIT
// Benchmark cases of solver mpm.
//
// There are two states because their costs differ. In early contact most particles are undeformed
// and iterations on their deformation end at once. In the other state a ball is squeezed by the
// field v = rate (x/2, -y, z/2), which preserves its volume (and its 8 particles per cell) while
// every particle yields: the worst case of a whole scene.
#include "run/bench/bench_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "sim/sim.h"
#include "state/sparse_grid.h"

#define CELL 0.005        // [m]
#define PER_CELL 8        // particles
#define SPEED 5           // [m/s] in early contact
#define RATE 120          // [1/s] of the squeeze: past the elastic limit of 2.5 % after two steps
#define ITERATIONS "15"   // of every solve: fixed, so that rates are comparable
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

static double radius_of(double particles)
{
    return CELL * cbrt(particles / PER_CELL / (4.0 / 3.0 * PI));
}

// [m] width of the domain that scattered balls share
static double domain_of(const firn_bench_case* c)
{
    return DOMAIN_WIDTH * 2 * radius_of((double)c->particles);
}

// Centre of ball k: one above the origin; many in separate columns along x (so that no two
// touch), scattered along z by multiples of the golden ratio.
static firn_vec3 centre_of(const firn_bench_case* c, int k)
{
    const double radius = radius_of((double)c->particles / c->balls);
    if (c->balls == 1) return firn_v3(0, (firn_real)radius, 0);
    const double width = domain_of(c), golden = k * 0.6180339887498949;
    return firn_v3((firn_real)((k + 0.5) / c->balls * width), (firn_real)radius,
                   (firn_real)((golden - floor(golden)) * width));
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

static firn_result build_scene(firn_scene* scene, const firn_bench_job* job)
{
    const firn_bench_case* c = job->details;
    char cell[32];
    snprintf(cell, sizeof cell, "%.6g", CELL);
    firn_collider_def floor = firn_default_collider_def();
    firn_collider_id collider;
    FIRN_TRY(firn_scene_set(scene, "mpm.cell", cell));
    FIRN_TRY(firn_scene_set(scene, "mpm.integrator", c->integrator));
    FIRN_TRY(firn_scene_set(scene, "mpm.dt", c->dt));
    if (c->spline != NULL) FIRN_TRY(firn_scene_set(scene, "mpm.spline", c->spline));
    FIRN_TRY(firn_scene_set(scene, "mpm.tolerance", "1e-12"));
    FIRN_TRY(firn_scene_set(scene, "mpm.max_iterations", ITERATIONS));
    FIRN_TRY(firn_scene_plane(scene, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &floor.shape));
    FIRN_TRY(firn_scene_add_collider(scene, &floor, &collider));
    return add_balls(scene, c);
}

// A scene has one velocity per snow body; the squeeze overwrites it, relative to each ball's
// centre.
static void squeeze(firn_particles* particles, const firn_bench_case* c)
{
    const firn_vec3* x = firn_particles_find(particles, "position")->data;
    firn_vec3* v = firn_particles_find(particles, "velocity")->data;
    const double column = domain_of(c) / c->balls;
    for (firn_local p = 0; p < particles->count; p++) {
        const firn_vec3 centre = centre_of(c, c->balls == 1 ? 0 : (int)floor(x[p].x / column));
        v[p] = firn_v3((firn_real)(0.5 * RATE) * (x[p].x - centre.x), -RATE * (x[p].y - centre.y),
                       (firn_real)(0.5 * RATE) * (x[p].z - centre.z));
    }
}

// Does one step; out_share: share of particles whose J_P changed, which means that they yielded.
static firn_result step_and_count(firn_sim* sim, double* out_share)
{
    FIRN_TRY(firn_sim_fetch(sim));
    const firn_particles* particles = sim->solver->particles(sim->self);
    const firn_real* J_P = firn_particles_find(particles, "plastic_det")->data;
    const uint32_t* id = firn_particles_find(particles, "id")->data;  // particles are reordered
    firn_real* before = firn_alloc((size_t)particles->count, sizeof *before);
    if (before == NULL) return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    for (firn_local p = 0; p < particles->count; p++) before[id[p]] = J_P[p];
    firn_result r = firn_sim_step(sim);
    if (r == FIRN_OK) r = firn_sim_fetch(sim);
    // reordering may have swapped the arrays
    J_P = firn_particles_find(particles, "plastic_det")->data;
    id = firn_particles_find(particles, "id")->data;
    firn_local yielding = 0;
    for (firn_local p = 0; p < particles->count; p++) yielding += before[id[p]] != J_P[p];
    firn_free(before);
    *out_share = (double)yielding / particles->count;
    return r;
}

static void fill_rates(const firn_sim* sim, firn_bench_row* row)
{
    const double n = (double)row->particles;
    for (int s = 0; s < row->stage_count; s++)
        if (row->iterations > 0 && row->stage_seconds[s] > 0 &&
            strcmp(row->stage_names[s], "06_solve") == 0)
            row->iterations_per_second_core =
                n * row->iterations / row->stage_seconds[s] / row->threads;
    if (sim->solver->roofline == NULL) return;
    const firn_roofline least =
        sim->solver->roofline(&sim->scene, row->iterations, (double)row->nodes / n);
    row->flops_per_particle = least.flops;
    row->bytes_moved_per_particle = least.bytes;
}

static firn_result measure(firn_sim* sim, const firn_bench_def* def, const firn_bench_job* job,
                           uint64_t bytes_before, firn_bench_row* row)
{
    const firn_bench_case* c = job->details;
    double first, last;
    row->balls = c->balls;
    if (c->state == FIRN_BENCH_DEFORMING) squeeze(sim->solver->particles(sim->self), c);
    FIRN_TRY(firn_bench_warm_up(sim, job->warm_up - 1));
    FIRN_TRY(step_and_count(sim, &first));
    FIRN_TRY(firn_bench_repeat(sim, def, job->wall_clock, row));
    firn_bench_weigh(sim, bytes_before, row);
    row->nodes = (int64_t)sim->last.active_blocks * FIRN_BLOCK_NODES;
    FIRN_TRY(step_and_count(sim, &last));
    row->yielding = fmin(first, last);
    fill_rates(sim, row);
    return FIRN_OK;
}

firn_bench_job firn_bench_case_job(const firn_bench_case* c, int threads)
{
    return (firn_bench_job){.name = c->name,
                            .particles = c->particles,
                            .threads = threads,
                            .warm_up = c->warm_up,
                            .wall_clock = c->wall_clock,
                            .details = c,
                            .build = build_scene,
                            .measure = measure};
}
