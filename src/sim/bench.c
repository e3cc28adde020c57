// SPDX-License-Identifier: MIT
// Measuring: a snowball in the middle of its impact, explicit and semi-implicit, on one thread and
// on all. Warm-up first, then the fastest of the repeats; the state is the same for every row.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "sim/sim.h"

#define WARM_UP_STEPS 20
#define ITERATIONS "15"  // of every solve: fixed, so that rates compare

typedef struct bench_case {
    const char* name;
    const char* integrator;
    const char* dt;
} bench_case;

static const bench_case cases[] = {
    {"explicit", "explicit", "0"},
    {"semi-implicit", "semi-implicit", "5e-4"},
};
#define CASES (int)(sizeof cases / sizeof *cases)

// A ball of about `particles` at 8 per cell of 5 mm, just above the floor at 5 m/s.
static firn_result build_scene(firn_scene* scene, int64_t particles, const bench_case* c)
{
    const double cell = 0.005;
    const firn_real radius = (firn_real)cbrt((double)particles / 8 * cell * cell * cell /
                                             (4.0 / 3.0 * 3.14159265358979));
    firn_shape_id floor_shape, ball;
    firn_collider_id collider;
    firn_snow_id snow;
    FIRN_TRY(firn_scene_set(scene, "mpm.cell", "0.005"));
    FIRN_TRY(firn_scene_set(scene, "mpm.integrator", c->integrator));
    FIRN_TRY(firn_scene_set(scene, "mpm.dt", c->dt));
    FIRN_TRY(firn_scene_set(scene, "mpm.tolerance", "1e-12"));
    FIRN_TRY(firn_scene_set(scene, "mpm.max_iterations", ITERATIONS));
    FIRN_TRY(firn_scene_plane(scene, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &floor_shape));
    FIRN_TRY(firn_scene_sphere(scene, firn_v3(0, radius, 0), radius, &ball));
    firn_collider_def body = firn_default_collider_def();
    body.shape = floor_shape;
    FIRN_TRY(firn_scene_add_collider(scene, &body, &collider));
    firn_snow_def fill = firn_default_snow_def();
    fill.shape = ball;
    fill.velocity = firn_v3(0, -5, 0);
    return firn_scene_add_snow(scene, &fill, &snow);
}

static double sum_stages(const firn_sim* sim)
{
    double sum = 0;
    for (int s = 0; s < sim->solver->stage_count; s++) sum += sim->stage_seconds[s];
    return sum;
}

static firn_result measure(firn_sim* sim, const firn_bench_def* def, firn_bench_row* row)
{
    for (int k = 0; k < WARM_UP_STEPS; k++) FIRN_TRY(firn_sim_step(sim));
    double best = INFINITY;
    for (int r = 0; r < def->repeats; r++) {
        memset(sim->stage_seconds, 0, sizeof sim->stage_seconds);
        double iterations = 0;
        for (int k = 0; k < def->steps; k++) {
            FIRN_TRY(firn_sim_step(sim));
            iterations += sim->last.iterations;
        }
        const double seconds = sum_stages(sim) / def->steps;
        if (seconds >= best) continue;
        best = seconds;
        row->iterations = iterations / def->steps;
        for (int s = 0; s < sim->solver->stage_count; s++)
            row->stage_seconds[s] = sim->stage_seconds[s] / def->steps;
    }
    const double n = (double)row->particles;
    row->steps_per_second = n / best;
    row->steps_per_second_core = row->steps_per_second / row->threads;
    for (int s = 0; s < row->stage_count; s++)
        if (row->iterations > 0 && strcmp(row->stage_names[s], "06_solve") == 0)
            row->iterations_per_second_core =
                n * row->iterations / row->stage_seconds[s] / row->threads;
    return FIRN_OK;
}

static firn_result run_case(const firn_bench_def* def, const bench_case* c, int threads,
                            firn_bench_row* row, firn_error* error)
{
    firn_scene* scene;
    if (firn_scene_create(&scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_result r = build_scene(scene, def->particles, c);
    if (r != FIRN_OK) {
        firn_fail(error, r, "%s", firn_scene_messages(scene));
        firn_scene_destroy(scene);
        return r;
    }
    firn_sim_def sim_def = firn_default_sim_def();
    sim_def.threads = threads;
    sim_def.simd = def->simd;
    firn_sim* sim = NULL;
    const uint64_t before = firn_memory_read().bytes;
    r = firn_sim_create(scene, &sim_def, &sim, error);
    if (r == FIRN_OK) {
        *row = (firn_bench_row){.threads = threads,
                                .particles = sim->solver->particles(sim->self)->count,
                                .stage_count = sim->solver->stage_count,
                                .stage_names = sim->solver->stage_names};
        snprintf(row->name, sizeof row->name, "%s", c->name);
        r = measure(sim, def, row);
        if (r != FIRN_OK) firn_fail(error, r, "%s", firn_sim_error(sim));
        const firn_memory_stats memory = firn_memory_read();
        row->peak_bytes = memory.peak_bytes;
        row->bytes_per_particle = (double)(memory.bytes - before) / (double)row->particles;
    }
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return r;
}

firn_result firn_bench(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                       firn_error* out_error)
{
    if (def == NULL || def->cookie != FIRN_COOKIE || def->particles < 100 ||
        def->particles > 200000000 || def->steps < 1 || def->repeats < 1 || def->threads < 0)
        return firn_fail(
            out_error, FIRN_REFUSED_ARGUMENT,
            "bench needs a def from firn_default_bench_def(), 100 to 2e8 particles, at least "
            "one step and one repeat");
    const int all = def->threads > 0 ? def->threads : omp_get_num_procs();
    firn_bench_row* rows = firn_alloc(2 * CASES, sizeof *rows);
    if (rows == NULL) return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_log log = {def->log, def->user};
    int count = 0;
    for (int c = 0; c < CASES; c++) {
        for (int many = 0; many < (all > 1 ? 2 : 1); many++) {
            const int threads = many ? all : 1;
            firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%s, %d thread%s", cases[c].name,
                           threads, threads > 1 ? "s" : "");
            const firn_result r = run_case(def, &cases[c], threads, &rows[count], out_error);
            if (r != FIRN_OK) {
                firn_free(rows);
                return r;
            }
            count++;
        }
    }
    *out_rows = rows;
    *out_count = count;
    return FIRN_OK;
}

void firn_bench_free(firn_bench_row* rows)
{
    firn_free(rows);
}
