// SPDX-License-Identifier: MIT
// Benchmark of solver grains: shapes of fresh snow fall on a settled block (figure 5 of Goswami et
// al. 2019), in the sizes of their table 3 and two more for GPUs. The time step is theirs, 1 ms. A
// device has a frame of steps in flight at once, so there steps are timed by wall clock over whole
// frames.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/sampling/packing.h"
#include "run/bench/bench_case.h"

#define RADIUS 0.05          // [m] of a grain
#define FRAME 100            // steps
#define WARM_UP_STEPS FRAME  // on a device
#define WARM_UP_STEPS_CPU 20
#define BLOCK 0.85       // share of the snow in the block; the rest is three shapes
#define CPU_MOST 111000  // grains, unless more are requested

static const int64_t sizes[] = {8000, 20000, 35900, 75600, 111000, 1000000, 10000000};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

static bool on_device(const firn_bench_def* def)
{
    return strcmp(def->backend, "cpu") != 0;
}

// A slab four times as wide as high; two balls and a cube are about to hit it.
static void write_scene(int64_t grains, char* text, size_t size)
{
    const double volume = (double)grains * pow(2 * RADIUS, 3) / FIRN_PACKING_DENSITY;
    const double part = (1 - BLOCK) / 3 * volume;
    // grains stick out by a twentieth of their radius, so the volume is that of their centres
    const double rim = 0.95 * RADIUS, side = cbrt(4 * BLOCK * volume);
    const double wide = side + 2 * rim, high = side / 4 + 2 * rim;
    const double ball = cbrt(part * 3 / (4 * 3.14159265358979)) + rim, edge = cbrt(part) + 2 * rim;
    snprintf(
        text, size,
        "firn: 1\n"
        "solver: grains\n"
        "time: {frames: 100000, fps: %d}\n"
        "grains: {radius: %g, mass: paper, dt: 0.001}\n"
        "materials: {fresh: {density: 100}}\n"
        "snow:\n"
        "  - {shape: {box: {center: [0, %.6g, 0], size: [%.6g, %.6g, %.6g]}}, material: fresh}\n"
        "  - {shape: {sphere: {center: [%.6g, %.6g, 0], radius: %.6g}}, material: fresh, "
        "velocity: [0, -2, 0]}\n"
        "  - {shape: {box: {center: [0, %.6g, 0], size: [%.6g, %.6g, %.6g]}}, material: fresh, "
        "velocity: [0, -2, 0]}\n"
        "  - {shape: {sphere: {center: [%.6g, %.6g, 0], radius: %.6g}}, material: fresh, "
        "velocity: [0, -2, 0]}\n"
        "colliders:\n"
        "  - {shape: {plane: {}}, friction: 0.5}\n",
        1000 / FRAME, RADIUS, high / 2, wide, high, wide, -wide / 3, high + ball + 0.1, ball,
        high + edge / 2 + 0.2, edge, edge, edge, wide / 3, high + ball + 0.3, ball);
}

static firn_result build_scene(firn_scene* scene, const firn_bench_job* job)
{
    char text[2000];
    write_scene(job->particles, text, sizeof text);
    const firn_load_def load = firn_default_load_def();
    return firn_scene_load_text(scene, text, "bench", &load);
}

// Chooses the sizes of table 3 up to the requested number, or that number where it is below all of
// them. Returns their number.
static int choose_sizes(const firn_bench_def* def, int64_t* out_sizes)
{
    const int64_t most = def->particles > 0 ? def->particles
                         : on_device(def)   ? sizes[SIZES - 1]
                                            : CPU_MOST;
    int count = 0;
    for (int k = 0; k < SIZES; k++)
        if (sizes[k] <= most) out_sizes[count++] = sizes[k];
    if (count == 0) out_sizes[count++] = most;
    return count;
}

firn_bench_job firn_bench_grains_job(const firn_bench_def* def, int64_t particles, int threads)
{
    return (firn_bench_job){.name = "shapes on a block",
                            .particles = particles,
                            .threads = threads,
                            .warm_up = on_device(def) ? WARM_UP_STEPS : WARM_UP_STEPS_CPU,
                            .wall_clock = on_device(def),
                            .build = build_scene};
}

firn_result firn_bench_grains(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error)
{
    firn_bench_def rounds = *def;
    if (rounds.particles == 0) rounds.particles = sizes[0];  // for the check
    FIRN_TRY(firn_bench_check(&rounds, error));
    const int left = rounds.steps % FRAME;
    if (on_device(def) && left > 0) rounds.steps += FRAME - left;
    int64_t chosen[SIZES];
    firn_bench_job jobs[2 * SIZES];
    const int sizes_chosen = choose_sizes(def, chosen), all = firn_bench_threads(def);
    int count = 0;
    for (int k = 0; k < sizes_chosen; k++) {
        if (!on_device(def) && all > 1) jobs[count++] = firn_bench_grains_job(def, chosen[k], 1);
        jobs[count++] = firn_bench_grains_job(def, chosen[k], all);
    }
    return firn_bench_run_jobs(&rounds, jobs, count, out_rows, out_count, error);
}
