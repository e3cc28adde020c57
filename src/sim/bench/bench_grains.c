// SPDX-License-Identifier: MIT
// Measuring solver grains: a settled block of fresh snow on which shapes of it fall (figure 5 of
// Goswami et al. 2019), in the sizes of their table 3 and two that only a GPU is for. The step is
// theirs, 1 ms. A device has a frame of steps under way at once, so there steps are timed by the
// clock on the wall, over whole frames.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/sampling/packing.h"
#include "sim/bench/bench_case.h"

#define RADIUS 0.05          // [m] of a grain
#define FRAME 100            // steps
#define WARM_UP_STEPS FRAME  // on a device
#define WARM_UP_STEPS_CPU 20
#define BLOCK 0.85       // of all snow; what is left is three shapes
#define CPU_MOST 111000  // grains, unless more are asked for

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
    // grains lie inside with all but a twentieth of their radius: the volume is that of their
    // centres
    const double rim = 0.95 * RADIUS, side = cbrt(4 * BLOCK * volume);
    const double wide = side + 2 * rim, high = side / 4 + 2 * rim;
    const double ball = cbrt(part * 3 / (4 * 3.14159265358979)) + rim, edge = cbrt(part) + 2 * rim;
    snprintf(
        text, size,
        "firn: 1\n"
        "solver: grains\n"
        "time: {frames: 100000, fps: %d}\n"
        "grains: {radius: %g, dt: 0.001}\n"
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

static firn_result measure(const firn_bench_def* def, firn_scene* scene, int threads,
                           firn_bench_row* out_row, firn_error* error)
{
    const uint64_t before = firn_memory_read().bytes;
    const int warm_up = on_device(def) ? WARM_UP_STEPS : WARM_UP_STEPS_CPU;
    firn_sim* sim = NULL;
    FIRN_TRY(firn_bench_open(def, scene, threads, "shapes on a block", &sim, out_row, error));
    firn_result r = FIRN_OK;
    for (int k = 0; k < warm_up && r == FIRN_OK; k++) r = firn_sim_step(sim);
    if (r == FIRN_OK) r = firn_bench_repeat(sim, def, on_device(def), out_row);
    if (r == FIRN_OK) firn_bench_weigh(sim, before, out_row);
    if (r != FIRN_OK) firn_fail(error, r, "%s", firn_sim_error(sim));
    firn_sim_destroy(sim);
    return r;
}

static firn_result run(const firn_bench_def* def, int64_t grains, int threads,
                       firn_bench_row* out_row, firn_error* error)
{
    const firn_log log = {def->log, def->user};
    firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%lld grains, %d thread%s", (long long)grains,
                   threads, threads > 1 ? "s" : "");
    char text[2000];
    write_scene(grains, text, sizeof text);
    firn_scene* scene;
    if (firn_scene_create(&scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_load_def load = firn_default_load_def();
    firn_result r = firn_scene_load_text(scene, text, "bench", &load);
    if (r != FIRN_OK)
        firn_fail(error, r, "%s", firn_scene_messages(scene));
    else
        r = measure(def, scene, threads, out_row, error);
    firn_scene_destroy(scene);
    return r;
}

// Those of table 3 up to the number that is asked for; where that is smaller than all of them, it.
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

firn_result firn_bench_grains(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                              firn_error* error)
{
    firn_bench_def rounds = *def;
    if (rounds.particles == 0) rounds.particles = sizes[0];  // for the check
    FIRN_TRY(firn_bench_check(&rounds, error));
    const int left = rounds.steps % FRAME;
    if (on_device(def) && left > 0) rounds.steps += FRAME - left;
    int64_t chosen[SIZES];
    const int count = choose_sizes(def, chosen), all = firn_bench_threads(def);
    const int ways = on_device(def) || all == 1 ? 1 : 2;  // one thread, and all
    firn_bench_row* rows = firn_alloc((size_t)(count * ways), sizeof *rows);
    if (rows == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int k = 0; k < count * ways; k++) {
        const int threads = k % ways == ways - 1 ? all : 1;
        const firn_result r = run(&rounds, chosen[k / ways], threads, &rows[k], error);
        if (r == FIRN_OK) continue;
        firn_free(rows);
        return r;
    }
    *out_rows = rows;
    *out_count = count * ways;
    return FIRN_OK;
}
