// SPDX-License-Identifier: MIT
// Whole simulations on the host and on a device, through the public interface: a ball of snow that
// falls on a floor and breaks. FIRN_TEST_DEVICE as in device_world.h.
#pragma once
#include "firn/firn.h"
#include "solver/mpm/device_world.h"

// A step that learns its length from iteration counts forks where a count is just above its target
// on one side: no figure but that of test_mpm_cuda_run.c is to depend on it.
#define DEVICE_MPM "cell: 0.02, dt_max: 0.001, iterations_target: 900"

static const char device_scene[] = "firn: 1\n"
                                   "solver: mpm\n"
                                   "time: {frames: 6, fps: 100}\n"
                                   "mpm: {" DEVICE_MPM "}\n"
                                   "snow:\n"
                                   "  - shape: {sphere: {center: [0, 0.085, 0], radius: 0.08}}\n"
                                   "    velocity: [0.5, -3, 0.2]\n"
                                   "colliders:\n"
                                   "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                                   "    friction: 0.4\n"
                                   "output: {preview: false, film: false}\n";
#define DEVICE_CELL 0.02
// Instead of the material: one that softens while the ball breaks, with a step in the middle.
static const char device_keyed[] =
    "materials={softer: {keys: [{time: 0.01}, {time: 0.035, young: 0.1, hardening: 2, "
    "critical_compression: 0.5, critical_stretch: 3}, {time: 0.035, young: 0.4}]}, other: {}}";
// Instead of the colliders: the floor, and a box that an emitter may follow.
static const char device_moving[] =
    "colliders=[{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.4}, {shape: "
    "{box: {center: [0.3, 0.2, 0], size: [0.05, 0.05, 0.05]}}, velocity: [-1, 0.5, 0], spin: [0, "
    "9, "
    "3]}]";

// How to run it. Zeroed: on the host, plain loops, six frames, no files.
typedef struct device_way {
    bool on_device;
    const char* override;  // null: none
    const char* also;      // a second one; null: none
    const char* dir;       // null: none
    int64_t frame_end;     // 0: the last
    bool resume;
    int run_ahead;
    firn_log_fn log;
    firn_progress_fn progress;
    void* user;
} device_way;

static inline firn_sim* device_sim(const device_way* way)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    const char* const overrides[2] = {way->override, way->also};
    load.overrides = overrides;
    load.override_count = way->override == NULL ? 0 : way->also == NULL ? 1 : 2;
    if (firn_scene_load_text(scene, device_scene, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.simd = way->on_device ? NULL : "plain";
    def.backend = way->on_device && device_number >= 0 ? "cuda" : "cpu";
    def.deterministic = true;
    def.run_ahead = way->run_ahead;
    def.output_dir = way->dir;
    def.resume = way->resume;
    def.frame_end = way->frame_end > 0 ? way->frame_end : 6;
    def.log = way->log;
    def.progress = way->progress;
    def.user = way->user;
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static inline void device_run(firn_sim* sim)
{
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

// Runs it to its end and gives the hash.
static inline uint64_t device_hash(const device_way* way)
{
    firn_sim* sim = device_sim(way);
    device_run(sim);
    const uint64_t hash = firn_sim_hash(sim);
    assert_not_equal(hash, 0);
    firn_sim_destroy(sim);
    return hash;
}

// What is conserved or averaged, and what a report says.
typedef struct device_figures {
    firn_sim_info info;
    double mass, center[3], velocity[3], kinetic;  // of the particles now
    double high, low;                              // [m] of the snow
} device_figures;

static inline const void* device_field(const firn_sim* sim, const char* name, firn_local* count)
{
    firn_field_view view;
    if (firn_sim_field(sim, name, &view) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    *count = view.count;
    return view.data;
}

static inline device_figures device_figures_of(const firn_sim* sim)
{
    device_figures f = {.info = firn_sim_read(sim), .high = -INFINITY, .low = INFINITY};
    firn_local count;
    const firn_vec3* x = device_field(sim, "position", &count);
    const firn_vec3* v = device_field(sim, "velocity", &count);
    const firn_real* m = device_field(sim, "mass", &count);
    assert_int_equal(count, f.info.particle_count);
    for (firn_local p = 0; p < count; p++) {
        const double mass = (double)m[p];
        const double at[3] = {(double)x[p].x, (double)x[p].y, (double)x[p].z};
        const double u[3] = {(double)v[p].x, (double)v[p].y, (double)v[p].z};
        f.mass += mass;
        for (int a = 0; a < 3; a++) {
            f.center[a] += mass * at[a];
            f.velocity[a] += mass * u[a];
            f.kinetic += 0.5 * mass * u[a] * u[a];
        }
        f.high = fmax(f.high, at[1]);
        f.low = fmin(f.low, at[1]);
    }
    for (int a = 0; a < 3 && f.mass > 0; a++) {
        f.center[a] /= f.mass;
        f.velocity[a] /= f.mass;
    }
    return f;
}

static inline void device_close(const char* what, const char* name, double a, double b,
                                double tolerance)
{
    print_message("%-34s %-16s %.9g %.9g apart %.2g of %.2g\n", what, name, a, b, fabs(a - b),
                  tolerance);
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%s: %s is %g instead of %g, more than %g off", what, name, b, a, tolerance);
}

// Two machines add in another order; snow that breaks amplifies it, slowly in a few hundred steps.
// Two SIMD levels of the host, whose sums differ in the same way, differ by a tenth of these.
static inline void device_compare(const char* what, const device_figures* a,
                                  const device_figures* b)
{
    const double speed = sqrt(2 * a->kinetic / a->mass);
    assert_int_equal(a->info.particle_count, b->info.particle_count);
    assert_int_equal(a->info.frame, b->info.frame);
    assert_int_equal(a->info.culled, b->info.culled);
    assert_int_equal(a->info.rollbacks, b->info.rollbacks);
    assert_equal(a->info.time, b->info.time);
    device_close(what, "mass", a->mass, b->mass, 1e-9 * a->mass);
    device_close(what, "centre", 0, world_difference(a->center, b->center), 1e-3 * DEVICE_CELL);
    device_close(what, "velocity", 0, world_difference(a->velocity, b->velocity), 2e-3 * speed);
    device_close(what, "kinetic", a->kinetic, b->kinetic, 2e-3 * a->kinetic);
    device_close(what, "highest", a->high, b->high, 0.02 * DEVICE_CELL);
    device_close(what, "lowest", a->low, b->low, 0.02 * DEVICE_CELL);
    const firn_sim_info *i = &a->info, *j = &b->info;
    const double energy = i->kinetic + i->elastic;
    device_close(what, "kinetic (row)", i->kinetic, j->kinetic, 1e-3 * energy);
    device_close(what, "elastic (row)", i->elastic, j->elastic, 1e-3 * energy);
    device_close(what, "potential (row)", i->potential, j->potential,
                 1e-3 * DEVICE_CELL * 9.81 * a->mass);
    device_close(what, "momentum (row)", 0, world_difference(i->momentum, j->momentum),
                 2e-3 * speed * a->mass);
    device_close(what, "lowest J_P", i->plastic_min, j->plastic_min, 2e-3);
    device_close(what, "highest J_P", i->plastic_max, j->plastic_max, 5e-3);
    device_close(what, "blocks", i->active_blocks, j->active_blocks, 2);
    device_close(what, "steps", (double)i->step, (double)j->step, 1 + 0.01 * (double)i->step);
    device_close(what, "dt", i->dt, j->dt, 0.02 * i->dt);
    device_close(what, "iterations", i->iterations, j->iterations, 2);
}
