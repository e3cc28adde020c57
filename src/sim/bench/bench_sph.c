// SPDX-License-Identifier: MIT
// Measuring solver sph: a block of snow that has been dropped on the floor, on one thread and on
// all. What a step costs is decided by the iterations of its two solves, so that two cases have a
// fixed number of them (a tolerance that is never met, and a limit that always is) and compare with
// other programs at theirs; the third solves as scenes do.
#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "sim/bench/bench_case.h"

#define SPACING 0.01   // [m]
#define NEVER "1e-12"  // a tolerance that rounding does not reach
#define WARM_UP_STEPS 30

typedef struct sph_case {
    const char* name;
    double speed;                     // [m/s] of the block when it meets the floor
    const char* pressure_iterations;  // exactly; null: as many as the default tolerance takes
    const char* shear_iterations;     // likewise
    const char* left_out;             // stage that does not count; null: all do
} sph_case;

static const sph_case cases[] = {
    {"pressure", 1, "5", "1", "06_shear"},
    {"elastic", 1, "2", "2", NULL},
    {"snow", 3, NULL, NULL, NULL},
};
#define CASES (int)(sizeof cases / sizeof *cases)

static firn_result set_iterations(firn_scene* scene, const char* tolerance, const char* most,
                                  const char* count)
{
    if (count == NULL) return FIRN_OK;
    FIRN_TRY(firn_scene_set(scene, tolerance, NEVER));
    return firn_scene_set(scene, most, count);
}

// A cube on the floor, one particle per spacing cubed.
static firn_result build_scene(firn_scene* scene, const sph_case* c, int64_t particles)
{
    char spacing[32];
    snprintf(spacing, sizeof spacing, "%.6g", SPACING);
    FIRN_TRY(firn_scene_set(scene, "solver", "sph"));
    FIRN_TRY(firn_scene_set(scene, "sph.spacing", spacing));
    FIRN_TRY(set_iterations(scene, "sph.density_error", "sph.pressure_iterations",
                            c->pressure_iterations));
    FIRN_TRY(
        set_iterations(scene, "sph.shear_tolerance", "sph.shear_iterations", c->shear_iterations));
    firn_collider_def body = firn_default_collider_def();
    firn_collider_id collider;
    FIRN_TRY(firn_scene_plane(scene, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &body.shape));
    FIRN_TRY(firn_scene_add_collider(scene, &body, &collider));
    const firn_real edge = (firn_real)(SPACING * round(cbrt((double)particles)));
    firn_snow_def fill = firn_default_snow_def();
    firn_snow_id snow;
    FIRN_TRY(
        firn_scene_box(scene, firn_v3(0, edge / 2, 0), firn_v3(edge, edge, edge), 0, &fill.shape));
    fill.velocity = firn_v3(0, (firn_real)-c->speed, 0);
    return firn_scene_add_snow(scene, &fill, &snow);
}

static firn_result measure(const firn_bench_def* def, const sph_case* c, firn_scene* scene,
                           int threads, firn_bench_row* out_row, firn_error* error)
{
    const uint64_t before = firn_memory_read().bytes;
    firn_sim* sim = NULL;
    FIRN_TRY(firn_bench_open(def, scene, threads, c->name, &sim, out_row, error));
    out_row->left_out = c->left_out;
    firn_result r = FIRN_OK;
    for (int k = 0; k < WARM_UP_STEPS && r == FIRN_OK; k++) r = firn_sim_step(sim);
    if (r == FIRN_OK) r = firn_bench_repeat(sim, def, false, out_row);
    if (r == FIRN_OK) firn_bench_weigh(sim, before, out_row);
    if (r != FIRN_OK) firn_fail(error, r, "%s", firn_sim_error(sim));
    firn_sim_destroy(sim);
    return r;
}

static firn_result run(const firn_bench_def* def, const sph_case* c, int threads,
                       firn_bench_row* out_row, firn_error* error)
{
    const firn_log log = {def->log, def->user};
    firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%s, %lld particles, %d thread%s", c->name,
                   (long long)def->particles, threads, threads > 1 ? "s" : "");
    firn_scene* scene;
    if (firn_scene_create(&scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_result r = build_scene(scene, c, def->particles);
    if (r != FIRN_OK)
        firn_fail(error, r, "%s", firn_scene_messages(scene));
    else
        r = measure(def, c, scene, threads, out_row, error);
    firn_scene_destroy(scene);
    return r;
}

firn_result firn_bench_sph(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                           firn_error* error)
{
    const int all = firn_bench_threads(def);
    firn_bench_row* rows = firn_alloc((size_t)(2 * CASES), sizeof *rows);
    if (rows == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    int count = 0;
    for (int k = 0; k < CASES; k++) {
        for (int many = 0; many < (all > 1 ? 2 : 1); many++) {
            const firn_result r = run(def, &cases[k], many ? all : 1, &rows[count++], error);
            if (r == FIRN_OK) continue;
            firn_free(rows);
            return r;
        }
    }
    *out_rows = rows;
    *out_count = count;
    return FIRN_OK;
}
