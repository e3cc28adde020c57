// SPDX-License-Identifier: MIT
// Benchmark of solver sph: a block of snow that has been dropped on the floor, on one thread and on
// all. The iterations of the two solves decide the cost of a step, so all cases but `snow`, which
// uses the default tolerances, have a fixed number of them (an unreachable tolerance and a low
// limit), to compare with other programs and machines at the same number. On a device, times of
// stages are those of its clock.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "run/bench/bench_case.h"

#define SPACING 0.01   // [m]
#define NEVER "1e-12"  // a tolerance below rounding error
#define WARM_UP_STEPS 30

typedef struct sph_case {
    const char* name;
    double speed;                     // [m/s] of the block at impact
    const char* pressure_iterations;  // fixed number; null: to the default tolerance
    const char* shear_iterations;     // likewise
    const char* left_out;             // stage whose time is excluded; null: none
} sph_case;

static const sph_case cases[FIRN_BENCH_SPH_CASES] = {
    [FIRN_BENCH_SPH_PRESSURE] = {"pressure", 1, "5", "1", "06_shear"},
    [FIRN_BENCH_SPH_ELASTIC] = {"elastic", 1, "2", "2", NULL},
    [FIRN_BENCH_SPH_SNOW] = {"snow", 3, NULL, NULL, NULL},
    [FIRN_BENCH_SPH_SNOW_FIXED] = {"snow, 2 + 5", 3, "2", "5", NULL},
};

static firn_result set_iterations(firn_scene* scene, const char* tolerance, const char* most,
                                  const char* count)
{
    if (count == NULL) return FIRN_OK;
    FIRN_TRY(firn_scene_set(scene, tolerance, NEVER));
    return firn_scene_set(scene, most, count);
}

// A cube on the floor, one particle per spacing cubed.
static firn_result build_scene(firn_scene* scene, const firn_bench_job* job)
{
    const sph_case* c = job->details;
    char spacing[32];
    snprintf(spacing, sizeof spacing, "%.6g", SPACING);
    FIRN_TRY(firn_scene_set(scene, "solver", "sph"));
    FIRN_TRY(firn_scene_set(scene, "sph.spacing", spacing));
    FIRN_TRY(set_iterations(scene, "sph.density_error", "sph.pressure_iterations",
                            c->pressure_iterations));
    FIRN_TRY(
        set_iterations(scene, "sph.shear_tolerance", "sph.shear_iterations", c->shear_iterations));
    firn_collider_def floor = firn_default_collider_def();
    firn_collider_id collider;
    FIRN_TRY(firn_scene_plane(scene, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &floor.shape));
    FIRN_TRY(firn_scene_add_collider(scene, &floor, &collider));
    const firn_real edge = (firn_real)(SPACING * round(cbrt((double)job->particles)));
    firn_snow_def fill = firn_default_snow_def();
    firn_snow_id snow;
    FIRN_TRY(
        firn_scene_box(scene, firn_v3(0, edge / 2, 0), firn_v3(edge, edge, edge), 0, &fill.shape));
    fill.velocity = firn_v3(0, (firn_real)-c->speed, 0);
    return firn_scene_add_snow(scene, &fill, &snow);
}

firn_bench_job firn_bench_sph_job(firn_bench_sph_case c, int64_t particles, int threads)
{
    return (firn_bench_job){.name = cases[c].name,
                            .particles = particles,
                            .threads = threads,
                            .warm_up = WARM_UP_STEPS,
                            .left_out = cases[c].left_out,
                            .details = &cases[c],
                            .build = build_scene};
}

firn_result firn_bench_sph(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                           firn_error* error)
{
    const bool on_device = strcmp(def->backend, "cpu") != 0;
    const int all = on_device ? 1 : firn_bench_threads(def);
    firn_bench_job jobs[2 * FIRN_BENCH_SPH_CASES];
    int count = 0;
    for (int k = 0; k < FIRN_BENCH_SPH_CASES; k++) {
        jobs[count++] = firn_bench_sph_job((firn_bench_sph_case)k, def->particles, 1);
        if (all == 1) continue;
        jobs[count++] = firn_bench_sph_job((firn_bench_sph_case)k, def->particles, all);
    }
    return firn_bench_run_jobs(def, jobs, count, out_rows, out_count, error);
}
