// SPDX-License-Identifier: MIT
// Runs benchmark jobs: build the scene, warm up, then take the fastest repeat.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/cores.h"
#include "core/timer.h"
#include "run/bench/bench_case.h"
#include "sim/defs.h"
#include "sim/sim.h"

firn_result firn_bench_check(const firn_bench_def* def, firn_error* error)
{
    if (def->backend == NULL || def->particles < 100 || def->particles > 200000000 ||
        def->steps < 1 || def->repeats < 1 || def->threads < 0)
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

firn_result firn_bench_take(const firn_bench_def* def, uint32_t size, firn_bench_row** out_rows,
                            const int* out_count, firn_bench_def* out_own, firn_error* error)
{
    if (out_rows == NULL || out_count == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a bench needs room for its rows");
    FIRN_TRY(firn_def_take(FIRN_DEF_BENCH, def, out_own, error));
    return firn_rows_give(NULL, 0, sizeof **out_rows, size, error);
}

firn_bench_row* firn_bench_rows_create(int count)
{
    firn_bench_row* rows =
        firn_alloc((size_t)count, sizeof *rows + FIRN_STAGES_MAX * sizeof(double));
    if (rows == NULL) return NULL;
    const double* seconds = (const double*)(rows + count);
    for (int k = 0; k < count; k++) rows[k].stage_seconds = seconds + (size_t)k * FIRN_STAGES_MAX;
    return rows;
}

// The times belong to the block of the rows, which only the caller of the library must not change.
static double* seconds_of(const firn_bench_row* row)
{
    return (double*)row->stage_seconds;
}

void firn_bench_row_copy(const firn_bench_row* from, firn_bench_row* to)
{
    double* seconds = seconds_of(to);
    *to = *from;
    to->stage_seconds = seconds;
    memcpy(seconds, from->stage_seconds, (size_t)from->stage_count * sizeof *seconds);
}

int firn_bench_threads(const firn_bench_def* def)
{
    return def->threads > 0 ? def->threads : firn_cores_count();
}

static double sum_stages(const firn_sim* sim)
{
    double sum = 0;
    for (int s = 0; s < sim->solver->stage_count; s++) sum += sim->stage_seconds[s];
    return sum;
}

static void clear_stage(firn_sim* sim, const char* name)
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
        firn_team_watch(sim->team);
        for (int k = 0; k < def->steps; k++) {
            FIRN_TRY(firn_sim_step(sim));
            iterations += sim->last.iterations;
            shear_iterations += sim->last.shear_iterations;
            neighbours += sim->last.neighbours;
        }
        const double busy = firn_team_busy(sim->team), wall = firn_seconds() - start;
        const double all = sum_stages(sim);
        clear_stage(sim, row->left_out);
        const double excluded = all - sum_stages(sim);
        const double seconds = (wall_clock ? wall - excluded : all - excluded) / def->steps;
        if (seconds >= row->seconds_per_step) continue;
        row->seconds_per_step = seconds;
        row->waiting = 1 - busy / (row->threads * wall);
        row->iterations = iterations / def->steps;
        row->shear_iterations = shear_iterations / def->steps;
        row->neighbours = neighbours / def->steps;
        for (int s = 0; s < sim->solver->stage_count; s++)
            seconds_of(row)[s] = sim->stage_seconds[s] / def->steps;
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

firn_result firn_bench_warm_up(firn_sim* sim, int steps)
{
    for (int k = 0; k < steps; k++) FIRN_TRY(firn_sim_step(sim));
    return FIRN_OK;
}

firn_result firn_bench_measure(firn_sim* sim, const firn_bench_def* def, const firn_bench_job* job,
                               uint64_t bytes_before, firn_bench_row* row)
{
    FIRN_TRY(firn_bench_warm_up(sim, job->warm_up));
    FIRN_TRY(firn_bench_repeat(sim, def, job->wall_clock, row));
    firn_bench_weigh(sim, bytes_before, row);
    return FIRN_OK;
}

// Creates a simulation, owned by the caller, and fills the part of a row known before the first
// step.
static firn_result open_sim(const firn_bench_def* def, firn_scene* scene, const firn_bench_job* job,
                            firn_sim** out_sim, firn_bench_row* out_row, firn_error* error)
{
    firn_sim_def sim_def = firn_default_sim_def();
    sim_def.threads = job->threads;
    sim_def.simd = def->simd;
    sim_def.backend = def->backend;
    // grains are measured over whole frames, each of which is one launch
    sim_def.run_ahead = strcmp(def->solver, "grains") == 0 ? 0 : FIRN_BENCH_RUN_AHEAD;
    firn_sim* sim = NULL;
    FIRN_TRY(firn_sim_create(scene, &sim_def, &sim, error));
    *out_row = (firn_bench_row){.threads = job->threads,
                                .particles = sim->solver->particles(sim->self)->count,
                                .balls = 1,
                                .stage_count = sim->solver->stage_count,
                                .stage_names = sim->solver->stage_names,
                                .stage_seconds = out_row->stage_seconds,
                                .left_out = job->left_out};
    snprintf(out_row->name, sizeof out_row->name, "%s", job->name);
    snprintf(out_row->backend, sizeof out_row->backend, "%s", sim->backend);
    *out_sim = sim;
    return FIRN_OK;
}

static firn_result run_job(const firn_bench_def* def, const firn_bench_job* job,
                           firn_bench_row* out_row, firn_error* error)
{
    const firn_log log = {def->log, def->user};
    firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%s, %lld particles, %d thread%s", job->name,
                   (long long)job->particles, job->threads, job->threads > 1 ? "s" : "");
    firn_bench_def steps = *def;
    if (job->steps > 0) steps.steps = job->steps;
    firn_scene* scene;
    if (firn_scene_create(&scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_sim* sim = NULL;
    firn_result r = job->build(scene, job);
    const uint64_t before = firn_memory_read().bytes;
    if (r != FIRN_OK)
        firn_fail(error, r, "%s", firn_scene_messages(scene));
    else
        r = open_sim(def, scene, job, &sim, out_row, error);
    if (r == FIRN_OK) {
        r = (job->measure != NULL ? job->measure : firn_bench_measure)(sim, &steps, job, before,
                                                                       out_row);
        if (r != FIRN_OK) firn_fail(error, r, "%s", firn_sim_error(sim));
    }
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return r;
}

firn_result firn_bench_run_jobs(const firn_bench_def* def, const firn_bench_job* jobs, int count,
                                firn_bench_row** out_rows, int* out_count, firn_error* error)
{
    firn_bench_row* rows = firn_bench_rows_create(count);
    if (rows == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int k = 0; k < count; k++) {
        const firn_result r = run_job(def, &jobs[k], &rows[k], error);
        if (r == FIRN_OK) continue;
        firn_free(rows);
        return r;
    }
    *out_rows = rows;
    *out_count = count;
    return FIRN_OK;
}

void firn_bench_free(firn_bench_row* rows)
{
    firn_free(rows);
}
