// SPDX-License-Identifier: MIT
// firn_bench_pictures: a path-traced snowball of 10 cm radius on a floor under sun and sky; again
// without the sun (the cost of sampling it) and without the floor (the cost of colliders). On a GPU
// in a size that keeps its threads busy, and once with as many paths as a finished picture has.
#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "core/timer.h"
#include "device/device.h"
#include "render/path/cuda/picture_cuda.h"
#include "run/bench/bench_case.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/sim.h"

#define RADIUS 0.1  // [m]

typedef struct bench_view {
    const char* name;
    bool sun, floor;
    const char *width, *height;  // [pixels]
    int64_t samples;             // per pixel, traced once; 0: those of the def
} bench_view;

static const bench_view views[] = {{"snowball", true, true, "320", "180", 0},
                                   {"without the sun", false, true, "320", "180", 0},
                                   {"without the floor", true, false, "320", "180", 0}};
static const bench_view large_view = {"snowball", true, true, "480", "270", 0};
static const bench_view device_views[] = {{"snowball", true, true, "1920", "1080", 0},
                                          {"without the sun", false, true, "1920", "1080", 0},
                                          {"without the floor", true, false, "1920", "1080", 0},
                                          {"256 paths a pixel", true, true, "1920", "1080", 256}};
#define VIEWS (int)(sizeof views / sizeof *views)
#define DEVICE_VIEWS (int)(sizeof device_views / sizeof *device_views)

// [m] At 8 particles per cell, as in Stomakhin et al. 2013.
static double cell_of(int64_t particles)
{
    return RADIUS * cbrt(8 * 4.0 / 3.0 * 3.14159265358979 / (double)particles);
}

static firn_result build_scene(firn_scene* scene, int64_t particles, const bench_view* v)
{
    char cell[32];
    snprintf(cell, sizeof cell, "%.6g", cell_of(particles));
    firn_shape_id floor_shape, ball;
    firn_collider_id collider;
    firn_snow_id snow;
    FIRN_TRY(firn_scene_set(scene, "mpm.cell", cell));
    FIRN_TRY(firn_scene_set(scene, "render.width", v->width));
    FIRN_TRY(firn_scene_set(scene, "render.height", v->height));
    FIRN_TRY(firn_scene_set(scene, "render.camera.eye", "[0.32, 0.26, 0.42]"));
    FIRN_TRY(firn_scene_set(scene, "render.camera.look_at", "[0, 0.08, 0]"));
    FIRN_TRY(firn_scene_set(scene, "render.camera.fov", "30"));
    if (!v->sun) FIRN_TRY(firn_scene_set(scene, "render.sun_strength", "0"));
    FIRN_TRY(firn_scene_sphere(scene, firn_v3(0, (firn_real)0.11, 0), (firn_real)RADIUS, &ball));
    if (v->floor) {
        FIRN_TRY(firn_scene_plane(scene, firn_v3(0, 0, 0), firn_v3(0, 1, 0), &floor_shape));
        firn_collider_def floor = firn_default_collider_def();
        floor.shape = floor_shape;
        FIRN_TRY(firn_scene_add_collider(scene, &floor, &collider));
    }
    firn_snow_def fill = firn_default_snow_def();
    fill.shape = ball;
    return firn_scene_add_snow(scene, &fill, &snow);
}

// What the team did since the first pass of a picture.
typedef struct bench_watch {
    firn_team* team;
    double start;
} bench_watch;

static bool watch_passes(void* user, const firn_picture_progress* progress)
{
    bench_watch* w = user;
    if (progress->passes > 1 || w->team == NULL) return true;
    w->start = firn_seconds();
    firn_team_watch(w->team);
    return true;
}

static double waiting_of(const bench_watch* w, int threads)
{
    if (w->team == NULL) return 0;
    const double busy = firn_team_busy(w->team);
    return 1 - busy / (threads * (firn_seconds() - w->start));
}

// What a repeat found, if it was the fastest.
static void fill_row(firn_bench_picture_row* row, const firn_picture_stats* s, double seconds)
{
    const double core_seconds = s->seconds_trace * row->threads;
    row->paths_per_second_core = (double)s->paths / core_seconds;
    row->events_per_second_core = (double)s->events / core_seconds;
    row->lookups_per_second_core = (double)s->lookups / core_seconds;
    row->bodies_per_second_core = (double)s->rays / core_seconds;
    row->events_per_path = (double)s->events / (double)s->paths;
    row->noise = s->noise;
    row->samples = s->passes;
    row->seconds_build = s->seconds_build;
    row->seconds_to_percent = s->seconds_trace * (s->noise / 0.01) * (s->noise / 0.01);
    row->seconds_picture = seconds;
}

static firn_result measure(const firn_sim* sim, const firn_bench_def* def, const bench_view* v,
                           int device, firn_team* team, firn_bench_picture_row* row,
                           firn_error* error)
{
    firn_scene_data scene = sim->scene;  // shallow copy with another number of samples
    scene.render.samples = v->samples > 0 ? v->samples : def->steps;
    const firn_particles* particles = sim->solver->particles(sim->self);
    firn_field_view x, mass;
    FIRN_TRY(firn_sim_field(sim, "position", &x));
    FIRN_TRY(firn_sim_field(sim, "mass", &mass));
    const firn_picture_snow snow = {.x = x.data,
                                    .mass = mass.data,
                                    .count = particles->count,
                                    .cell = cell_of(def->particles),
                                    .frame_time = 1.0 / 24};
    const bool on_gpu = device != FIRN_DEVICE_CPU;
    bench_watch watch = {.team = on_gpu ? NULL : team};
    const firn_picture_options options = {.progress = watch_passes,
                                          .user = &watch,
                                          .machine = on_gpu ? &firn_picture_on_cuda : NULL,
                                          .device = device};
    double best = INFINITY;
    for (int r = 0; r < (v->samples > 0 ? 1 : def->repeats); r++) {
        firn_film film;
        firn_picture_stats s;
        const double start = firn_seconds();
        FIRN_TRY(firn_picture_trace(&scene, &snow, &options, &film, &s, error));
        const double seconds = firn_seconds() - start;
        const double waiting = waiting_of(&watch, row->threads);
        row->width = film.width;
        row->height = film.height;
        firn_film_destroy(&film);
        if (s.seconds_trace >= best) continue;
        best = s.seconds_trace;
        fill_row(row, &s, seconds);
        row->waiting = waiting;
    }
    return FIRN_OK;
}

static firn_result run_view(const firn_bench_def* def, const bench_view* v, int device, int threads,
                            firn_bench_picture_row* row, firn_error* error)
{
    const firn_log log = {def->log, def->user};
    if (device != FIRN_DEVICE_CPU)
        firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%s, %s", v->name, def->backend);
    else
        firn_log_write(&log, FIRN_LOG_INFO, "bench.case", "%s, %d thread%s", v->name, threads,
                       threads > 1 ? "s" : "");
    firn_scene* scene;
    if (firn_scene_create(&scene) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_result r = build_scene(scene, def->particles, v);
    if (r != FIRN_OK) firn_fail(error, r, "%s", firn_scene_messages(scene));
    firn_sim_def sim_def = firn_default_sim_def();
    firn_sim* sim = NULL;
    if (r == FIRN_OK) r = firn_sim_create(scene, &sim_def, &sim, error);
    if (r == FIRN_OK) {
        *row = (firn_bench_picture_row){.threads = device != FIRN_DEVICE_CPU ? 1 : threads,
                                        .particles = sim->solver->particles(sim->self)->count};
        snprintf(row->name, sizeof row->name, "%s", v->name);
        if (device != FIRN_DEVICE_CPU)
            snprintf(row->backend, sizeof row->backend, "cuda:%d", device);
        else
            snprintf(row->backend, sizeof row->backend, "cpu");
        const firn_entry entry = firn_enter(threads);
        r = measure(sim, def, v, device, entry.own, row, error);
        firn_leave(entry);
    }
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return r;
}

firn_result firn_bench_snowball(const firn_bench_def* def, int threads,
                                firn_bench_picture_row* out_row, firn_error* error)
{
    return run_view(def, &large_view, FIRN_DEVICE_CPU, threads, out_row, error);
}

static firn_result check(const firn_bench_def* def, firn_error* error)
{
    if (def->particles < 100 || def->particles > 200000000)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a bench of pictures with %lld particles: use 100 to 2e8",
                         (long long)def->particles);
    if (def->steps < 2)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a bench of pictures with %d samples per pixel: the noise of a picture "
                         "shows with two and more, set steps to at least 2",
                         def->steps);
    if (def->repeats < 1 || def->threads < 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a bench of pictures with %d repeats on %d threads: use at least one "
                         "repeat, and 0 threads for all",
                         def->repeats, def->threads);
    return FIRN_OK;
}

firn_result firn_bench_pictures_sized(const firn_bench_def* def, uint32_t size,
                                      firn_bench_picture_row** out_rows, int* out_count,
                                      firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_bench_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_BENCH, def, &own, out_error));
    FIRN_TRY(firn_rows_give(NULL, 0, sizeof **out_rows, size, out_error));
    def = &own;
    if (out_rows == NULL || out_count == NULL) return firn_call_null(__func__);
    FIRN_TRY(check(def, out_error));
    int device;
    FIRN_TRY(firn_device_open(def->backend, &device, out_error));
    const bool on_gpu = device != FIRN_DEVICE_CPU;
    const bench_view* chosen = on_gpu ? device_views : views;
    const int count = on_gpu ? DEVICE_VIEWS : VIEWS, threads = firn_bench_threads(def);
    firn_bench_picture_row* rows = firn_alloc((size_t)count, sizeof *rows);
    if (rows == NULL) return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    for (int k = 0; k < count; k++) {
        const firn_result r = run_view(def, &chosen[k], device, threads, &rows[k], out_error);
        if (r == FIRN_OK) continue;
        firn_free(rows);
        return firn_call_end(r, out_error);
    }
    *out_rows = rows;
    *out_count = count;
    return firn_rows_give(rows, count, sizeof *rows, size, out_error);
}

void firn_bench_pictures_free(firn_bench_picture_row* rows)
{
    firn_free(rows);
}
