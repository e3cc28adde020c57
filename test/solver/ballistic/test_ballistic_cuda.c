// SPDX-License-Identifier: MIT
// The ballistic solver on a CUDA device: the bits of the CPU, whatever the caller does in between.
// FIRN_TEST_DEVICE=cpu: the host stands in for the device, so that the test itself can be tried
// where there is none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "sim/sim.h"
// after what defines bool
#include "figure.h"

static int device_number = FIRN_DEVICE_CPU;

// A box of particles above a floor, between a ball that moves and a bowl, pushed by forces; those
// that leave a box or fall below the floor are culled.
static const char scene_text[] =
    "firn: 1\n"
    "solver: ballistic\n"
    "time: {frames: 6, fps: 25}\n"
    "ballistic: {spacing: 0.05, dt: 0.0015}\n"
    "snow:\n"
    "  - shape: {box: {center: [0, 1, 0], size: [1, 0.6, 1]}}\n"
    "    velocity: [0.4, -2, 0.3]\n"
    "gravity_keys: [[0, [0, -9.81, 0]], [0.1, [0, -9.81, 0]], [0.1, [1, -12, 0]], [0.2, [0, -8, "
    "1]]]\n"
    "forces:\n"
    "  - {kind: uniform, strength: 2, direction: [1, 0, 0.5], keys: [[0, 0], [0.1, 1]]}\n"
    "  - {kind: point, strength: -3, center: [0, 0.8, 0], radius: 0.6, falloff: linear}\n"
    "  - {kind: vortex, strength: 4, center: [0.1, 0, 0], radius: 0.5, falloff: inverse}\n"
    "colliders:\n"
    "  - shape: {box: {center: [0.2, -0.1, 0], size: [1.2, 0.2, 1]}}\n"
    "    friction: 0.3\n"
    "  - shape: {sphere: {center: [-1, 0.7, 0], radius: 0.3}}\n"
    "    velocity: [6, 0, 0]\n"
    "    spin: [0, 3, 1]\n"
    "    friction: 0.6\n"
    "  - shape: {difference: [{box: {center: [0.3, 0.15, 0.2], size: [0.5, 0.3, 0.5]}}, "
    "{sphere: {center: [0.3, 0.3, 0.2], radius: 0.2}}]}\n"
    "    sticky: true\n"
    "cull: {start: 0.05, below: -0.05, outside: {box: {center: [0, 1, 0], size: [1.6, 4, 1.6]}}}\n"
    "output: {preview: false, film: false}\n";

// How to run it. Zeroed: on the host, to the end, no files.
typedef struct way {
    bool on_device;
    int run_ahead;
    int64_t frame_end;  // 0: the last
    const char* dir;    // null: none
    bool resume;
} way;

static firn_sim* make(const way* w)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, scene_text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.backend = w->on_device && device_number >= 0 ? "cuda" : "cpu";
    def.deterministic = true;
    def.run_ahead = w->run_ahead;
    def.frame_end = w->frame_end > 0 ? w->frame_end : 6;
    def.output_dir = w->dir;
    def.resume = w->resume;
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static uint64_t run(const way* w)
{
    firn_sim* sim = make(w);
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return hash;
}

// Frame by frame; what is added up differs in its last bits only.
static void same_bits(void** state)
{
    (void)state;
    firn_sim* host = make(&(way){0});
    firn_sim* device = make(&(way){.on_device = true});
    for (int frame = 0; frame < 6; frame++) {
        if (firn_sim_frame(host) != FIRN_OK) fail_msg("%s", firn_sim_error(host));
        if (firn_sim_frame(device) != FIRN_OK) fail_msg("%s", firn_sim_error(device));
        const firn_sim_info a = firn_sim_read(host), b = firn_sim_read(device);
        assert_int_equal(a.step, b.step);
        assert_equal(a.time, b.time);
        assert_equal(a.dt, b.dt);
        assert_int_equal(a.particle_count, b.particle_count);
        assert_int_equal(a.culled, b.culled);
        // sums of some thousand terms in double precision, in another order
        assert_near(a.kinetic, b.kinetic, 1e-12 * a.kinetic);
        assert_near(a.potential, b.potential, 1e-12 * (fabs(a.potential) + a.kinetic));
        assert_equal(firn_sim_hash(host), firn_sim_hash(device));
    }
    const firn_sim_info end = firn_sim_read(device);
    print_message("%d particles, %d culled, %d steps\n", (int)end.particle_count, (int)end.culled,
                  (int)end.step);
    assert_greater(end.culled, 0);
    assert_greater(end.particle_count, 100);
    firn_sim_destroy(host);
    firn_sim_destroy(device);
}

static void step(firn_sim* sim)
{
    if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

// Hashes in the middle of frames: each fetches, and the device goes back and replays.
static void fetches(void** state)
{
    (void)state;
    for (int every = 1; every <= 11; every += 5) {
        firn_sim* host = make(&(way){0});
        firn_sim* device = make(&(way){.on_device = true, .run_ahead = every == 6 ? 5 : 0});
        for (int k = 0; firn_sim_read(host).frame < 6; k++) {
            step(host);
            step(device);
            if (k % every == 0) assert_equal(firn_sim_hash(host), firn_sim_hash(device));
        }
        assert_int_equal(firn_sim_read(device).frame, 6);
        assert_equal(firn_sim_hash(host), firn_sim_hash(device));
        firn_sim_destroy(host);
        firn_sim_destroy(device);
    }
}

// Back to a snapshot in the middle of a frame, and the same steps again.
static void rollback(void** state)
{
    (void)state;
    firn_sim* sim = make(&(way){.on_device = true});
    if (!firn_sim_remote(sim)) skip();
    for (int k = 0; k < 40; k++) step(sim);
    const firn_solver* solver = sim->solver;
    unsigned char extra[64];
    assert_at_most(solver->extra_size(sim->self), sizeof extra);
    solver->extra_save(sim->self, extra);
    firn_error error;
    assert_int_equal(solver->snapshot_take(sim->self, &error), FIRN_OK);
    uint64_t hash[2];
    for (int twice = 0; twice < 2; twice++) {
        double time = sim->time;
        for (int k = 0; k < 9; k++) {
            firn_step_report report;
            assert_int_equal(solver->step(sim->self, time, 0.0125, 1, &report, &error), FIRN_OK);
            assert_int_equal(report.step, 40 + k);
            time += report.dt;
        }
        assert_int_equal(solver->fetch(sim->self, &error), FIRN_OK);
        hash[twice] = firn_particles_hash(solver->particles(sim->self));
        assert_int_equal(
            solver->extra_restore(sim->self, extra, solver->extra_size(sim->self), NULL), FIRN_OK);
        assert_int_equal(solver->snapshot_restore(sim->self, &error), FIRN_OK);
    }
    assert_equal(hash[0], hash[1]);
    firn_sim_destroy(sim);
}

// A run that is resumed on the other machine.
static void resumes(void** state)
{
    (void)state;
    const uint64_t expected = run(&(way){0});
    for (int first = 0; first < 2; first++) {
        char dir[512];
        snprintf(dir, sizeof dir, "%s/resume%d", FIRN_TEST_TMP, first);
        run(&(way){.on_device = first == 0, .frame_end = 3, .dir = dir});
        assert_equal(run(&(way){.on_device = first != 0, .dir = dir, .resume = true}), expected);
    }
}

int test_ballistic_cuda(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    firn_error error = {0};
    if (firn_device_open(name != NULL ? name : "cuda", &device_number, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return FIRN_TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(fetches),
                                       cmocka_unit_test(rollback), cmocka_unit_test(resumes)};
    return cmocka_run_group_tests_name("ballistic_cuda", tests, NULL, NULL);
}
