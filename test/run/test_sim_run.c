// SPDX-License-Identifier: MIT
// Simulations through the public interface: frames met exactly, N + N = 2N steps through a folder,
// output that changes nothing, rollbacks, faults that stay, and a way out.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"
#include "sim/sim.h"

static const char scene_text[] = "firn: 1\n"
                                 "solver: mpm\n"
                                 "time: {frames: 4, fps: 100}\n"
                                 "mpm: {cell: 0.02, dt_max: 0.002}\n"
                                 "snow:\n"
                                 "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
                                 "    velocity: [0.5, -2, 0]\n"
                                 "colliders:\n"
                                 "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                                 "    friction: 0.5\n"
                                 "output: {preview: false, film: false}\n";

static firn_scene* load(const char* override)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def def = firn_default_load_def();
    def.overrides = &override;
    def.override_count = override != NULL;
    if (firn_scene_load_text(scene, scene_text, "test", &def) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    return scene;
}

// `dir` may be null.
static firn_sim* start(const char* override, const char* dir, int64_t frame_end, bool resume)
{
    firn_scene* scene = load(override);
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dir;
    def.frame_end = frame_end;
    def.resume = resume;
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);  // the simulation has its own copy
    return sim;
}

static void run(firn_sim* sim)
{
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
}

static uint64_t hash_of_whole_run(const char* override)
{
    firn_sim* sim = start(override, NULL, 4, false);
    run(sim);
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return hash;
}

static void frames_are_met(void** state)
{
    (void)state;
    firn_sim* sim = start(NULL, NULL, -1, false);
    for (int f = 1; f <= 3; f++) {
        assert_int_equal(firn_sim_frame(sim), FIRN_OK);
        const firn_sim_info info = firn_sim_read(sim);
        assert_int_equal(info.frame, f);
        assert_equal(info.time, f / 100.0);
        assert_at_least(info.step, 5 * f);
    }
    firn_sim_destroy(sim);
}

// The same steps one by one, by frames, or as a run; with and without files.
static void ways_to_the_same_state(void** state)
{
    (void)state;
    const uint64_t wanted = hash_of_whole_run(NULL);
    firn_sim* sim = start(NULL, NULL, -1, false);
    while (firn_sim_read(sim).frame < 4) assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_equal(firn_sim_hash(sim), wanted);
    firn_sim_destroy(sim);
    sim = start(NULL, FIRN_TEST_TMP "/whole", 4, false);
    run(sim);
    assert_equal(firn_sim_hash(sim), wanted);
    firn_sim_destroy(sim);
}

// Part of the ball is below this from the start, more comes with every frame.
#define CULL "cull={below: 0.03}"

// The sum over stats.csv, the manifest and the state agree.
static void check_culled_run(const char* dir, const firn_sim_info* info)
{
    char path[300], line[2000];
    firn_cache_info cache;
    firn_error error;
    assert_int_equal(firn_cache_read(dir, true, &cache, &error), FIRN_OK);
    assert_int_equal(cache.culled, info->culled);
    assert_int_equal(cache.particles, info->particle_count);
    assert_int_equal(cache.damaged, 0);
    snprintf(path, sizeof path, "%s/stats.csv", dir);
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    long long sum = 0, particles = 0;
    assert_non_null(fgets(line, sizeof line, file));
    assert_contains(line, "jp_max,particles,culled,active_blocks");
    while (fgets(line, sizeof line, file) != NULL) {
        const char* at = line;
        for (int column = 0; column < 14; column++) at = strchr(at, ',') + 1;
        long long culled;
        assert_int_equal(sscanf(at, "%lld,%lld,", &particles, &culled), 2);
        sum += culled;
    }
    fclose(file);
    assert_int_equal(sum, info->culled);
    assert_int_equal(particles, info->particle_count);
}

static void two_halves_are_a_whole(void** state)
{
    (void)state;
    const char* const overrides[] = {
        NULL, "mpm.integrator=explicit", "mpm.transfer=apic", CULL,
        "snow.0.vary={hardening: {noise: {scale: 0.02, amount: 0.5}}, layers: [{to: 0.03, "
        "compression: 2, stretch: 0.5}]}"};
    const char* const dirs[] = {FIRN_TEST_TMP "/a", FIRN_TEST_TMP "/b", FIRN_TEST_TMP "/c",
                                FIRN_TEST_TMP "/d", FIRN_TEST_TMP "/e"};
    for (int k = 0; k < 5; k++) {
        firn_sim* sim = start(overrides[k], dirs[k], 2, false);
        run(sim);
        const uint64_t half = firn_sim_hash(sim);
        const int64_t culled = firn_sim_read(sim).culled;
        assert_int_equal(culled > 0, k == 3);
        firn_sim_destroy(sim);
        sim = start(overrides[k], dirs[k], 4, true);
        run(sim);
        assert_int_equal(firn_sim_read(sim).frame, 4);
        assert_not_equal(firn_sim_hash(sim), half);
        assert_equal(firn_sim_hash(sim), hash_of_whole_run(overrides[k]));
        const firn_sim_info info = firn_sim_read(sim);
        assert_true(k == 3 ? info.culled > culled : info.culled == 0);
        if (k == 3) check_culled_run(dirs[k], &info);
        firn_sim_destroy(sim);
    }
}

// Stops the run after a few steps, in the middle of a frame.
static void stop_soon(void* user, const firn_progress* progress)
{
    firn_sim** sim = user;
    if (progress->step == 8) firn_sim_cancel(*sim);
}

static void interrupted_and_resumed(void** state)
{
    (void)state;
    firn_scene* scene = load(NULL);
    firn_sim_def def = firn_default_sim_def();
    firn_sim* sim = NULL;
    firn_error error;
    def.threads = 1;
    def.output_dir = FIRN_TEST_TMP "/stopped";
    def.progress = stop_soon;
    def.user = &sim;
    assert_int_equal(firn_sim_create(scene, &def, &sim, &error), FIRN_OK);
    assert_int_equal(firn_sim_run(sim), FIRN_INTERRUPTED);
    assert_int_equal(firn_sim_read(sim).step, 8);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    sim = start(NULL, FIRN_TEST_TMP "/stopped", 4, true);
    run(sim);
    assert_equal(firn_sim_hash(sim), hash_of_whole_run(NULL));
    firn_sim_destroy(sim);
}

// Before the first step, of a new run and of one that goes on: nothing is computed or written.
static void cancelled_before_it_starts(void** state)
{
    (void)state;
    const char* folder = FIRN_TEST_TMP "/early";
    for (int k = 0; k < 2; k++) {
        firn_sim* sim = start(NULL, folder, k == 0 ? 2 : 4, k == 1);
        firn_sim_cancel(sim);
        assert_int_equal(firn_sim_run(sim), FIRN_INTERRUPTED);
        assert_non_null(strstr(firn_sim_error(sim), "before the first step"));
        assert_int_equal(firn_sim_read(sim).frame, k == 0 ? 0 : 2);
        assert_int_equal(firn_sim_read(sim).step > 0, k == 1);
        firn_sim_destroy(sim);
        sim = start(NULL, folder, k == 0 ? 2 : 4, true);
        run(sim);
        firn_sim_destroy(sim);
    }
    firn_sim* sim = start(NULL, folder, 4, true);
    run(sim);
    assert_equal(firn_sim_hash(sim), hash_of_whole_run(NULL));
    firn_sim_destroy(sim);
}

static firn_vec3* velocities(firn_particles* particles)
{
    return firn_particles_find(particles, "velocity")->data;
}

// A damaged value in the middle of a frame: the frame is computed again from its start.
static void damage_is_rolled_back(void** state)
{
    (void)state;
    firn_sim* sim = start(NULL, NULL, -1, false);
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    velocities(sim->solver->particles(sim->self))[5].y = (firn_real)NAN;
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    const firn_sim_info info = firn_sim_read(sim);
    assert_int_equal(info.rollbacks, 1);
    assert_int_equal(info.frame, 2);
    assert_equal(info.time, 0.02);
    for (int f = 0; f < 2; f++) assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    assert_int_equal(firn_sim_read(sim).rollbacks, 1);
    firn_field_view x;
    assert_int_equal(firn_sim_field(sim, "position", &x), FIRN_OK);
    for (firn_local p = 0; p < x.count; p++) assert_finite(((const firn_vec3*)x.data)[p].y);
    firn_sim_destroy(sim);
}

// A rollback brings back what was culled since the frame began, and its count.
static void rollbacks_undo_culling(void** state)
{
    (void)state;
    firn_sim* sim = start(CULL, NULL, -1, false);
    const firn_local all = firn_sim_read(sim).particle_count;
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    const firn_sim_info before = firn_sim_read(sim);
    assert_greater(before.culled, 0);
    assert_equal(before.culled + before.particle_count, all);
    while (firn_sim_read(sim).culled == before.culled)
        assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_int_equal(firn_sim_read(sim).frame, 1);  // in the middle of the next one
    firn_particles* particles = sim->solver->particles(sim->self);
    const firn_vec3* x = firn_particles_find(particles, "position")->data;
    firn_local top = 0;  // one that is not culled first
    for (firn_local p = 0; p < particles->count; p++) top = x[p].y > x[top].y ? p : top;
    velocities(particles)[top].y = (firn_real)NAN;
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    const firn_sim_info back = firn_sim_read(sim);
    assert_int_equal(back.rollbacks, 1);
    assert_int_equal(back.culled, before.culled);
    assert_int_equal(back.particle_count, before.particle_count);
    for (int f = 0; f < 3; f++) assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    const firn_sim_info after = firn_sim_read(sim);
    assert_greater(after.culled, before.culled);
    assert_equal(after.culled + after.particle_count, all);
    firn_sim_destroy(sim);
}

// No particle is left: the run goes on to its end, with files, and after a restart.
static void all_culled(void** state)
{
    (void)state;
    static const char* const solvers[] = {"cull={below: 1}", "mpm.integrator=explicit"};
    firn_load_def def = firn_default_load_def();
    def.overrides = solvers;
    for (int k = 0; k < 3; k++) {
        firn_scene* scene;
        assert_int_equal(firn_scene_create(&scene), FIRN_OK);
        def.override_count = k == 1 ? 2 : 1;
        def.solver = k == 2 ? "ballistic" : NULL;
        if (firn_scene_load_text(scene, scene_text, "test", &def) != FIRN_OK)
            fail_msg("%s", firn_scene_messages(scene));
        firn_sim_def how = firn_default_sim_def();
        how.output_dir = FIRN_TEST_TMP "/empty";
        how.overwrite = true;
        for (how.frame_end = 2; how.frame_end <= 4; how.frame_end += 2) {
            firn_sim* sim;
            firn_error error;
            how.resume = how.frame_end == 4;
            if (how.resume) how.overwrite = false;
            if (firn_sim_create(scene, &how, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
            const firn_local all = firn_sim_read(sim).particle_count;
            run(sim);
            assert_int_equal(firn_sim_read(sim).frame, how.frame_end);
            assert_int_equal(firn_sim_read(sim).particle_count, 0);
            assert_int_equal(firn_sim_read(sim).culled, all);
            firn_sim_destroy(sim);
        }
        how.overwrite = true;
        firn_scene_destroy(scene);
    }
}

// A step a hundred times too long: halved until it works, and the result is still snow on a floor.
static void long_steps_are_shortened(void** state)
{
    (void)state;
    firn_sim* sim =
        start("mpm={cell: 0.02, dt: 0.05, dt_max: 0.05, integrator: explicit}", NULL, -1, false);
    for (int f = 0; f < 3; f++)
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    assert_greater(firn_sim_read(sim).rollbacks, 0);
    // halved four times or more, from 0.05 s; and it has not exploded [J]
    assert_less(firn_sim_read(sim).dt, 0.005);
    assert_less(firn_sim_read(sim).kinetic, 10);
    firn_sim_destroy(sim);
}

// What smaller steps cannot cure stops the simulation, with a message, for good.
static void lasting_damage_stops(void** state)
{
    (void)state;
    firn_sim* sim = start(NULL, NULL, -1, false);
    assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    velocities(sim->solver->particles(sim->self))[5].y = (firn_real)NAN;
    const firn_particles* particles = sim->solver->particles(sim->self);
    const ptrdiff_t f = firn_particles_find(particles, "velocity") - particles->fields;
    ((firn_vec3*)sim->snapshot.data[f])[5].y = (firn_real)NAN;
    assert_int_equal(firn_sim_frame(sim), FIRN_BROKEN_DIVERGED);
    assert_contains(firn_sim_error(sim), "particle");
    assert_contains(firn_sim_error(sim), "material");
    assert_int_equal(firn_sim_step(sim), FIRN_BROKEN_DIVERGED);
    assert_at_most(firn_sim_read(sim).rollbacks, 8);
    firn_sim_destroy(sim);
}

static firn_result frame_within(const firn_scene* scene, uint64_t cap, firn_sim** out_sim,
                                firn_error* error)
{
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.memory_cap_bytes = cap;
    *out_sim = NULL;
    FIRN_TRY(firn_sim_create(scene, &def, out_sim, error));
    const firn_result r = firn_sim_frame(*out_sim);
    if (r != FIRN_OK) return firn_fail(error, r, "%s", firn_sim_error(*out_sim));
    return FIRN_OK;
}

// A cap below what the scene needs: a clear refusal and nothing left behind.
static void memory_cap(void** state)
{
    (void)state;
    firn_scene* scene = load("mpm.cell=0.005");
    const uint64_t before = firn_memory_read().bytes;
    firn_sim* sim = NULL;
    firn_error error;
    assert_int_equal(frame_within(scene, 2000000, &sim, &error), FIRN_BROKEN_MEMORY);
    assert_contains(error.text, "memory");
    firn_sim_destroy(sim);
    assert_int_equal(firn_memory_read().bytes, before);
    firn_scene_destroy(scene);
}

// Each simulation keeps its own cap, whatever the other has and holds.
static void memory_caps_side_by_side(void** state)
{
    (void)state;
    firn_scene* scene = load(NULL);
    firn_sim *free_one, *small, *large;
    firn_error error;
    assert_int_equal(frame_within(scene, 0, &free_one, &error), FIRN_OK);
    const uint64_t needs = firn_memory_budget_bytes(free_one->memory);
    assert_int_equal(frame_within(scene, needs / 2, &small, &error), FIRN_BROKEN_MEMORY);
    // twice what one needs, while another of the same size is there
    assert_int_equal(frame_within(scene, 2 * needs, &large, &error), FIRN_OK);
    assert_at_most(firn_memory_budget_bytes(large->memory), 2 * needs);
    assert_int_equal(firn_sim_frame(free_one), FIRN_OK);
    assert_int_equal(firn_sim_frame(large), FIRN_OK);
    assert_null(firn_memory_used());
    firn_sim_destroy(small);
    firn_sim_destroy(free_one);
    assert_int_equal(firn_sim_frame(large), FIRN_OK);
    firn_sim_destroy(large);
    firn_scene_destroy(scene);
}

int test_sim_run(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_met),
                                       cmocka_unit_test(ways_to_the_same_state),
                                       cmocka_unit_test(two_halves_are_a_whole),
                                       cmocka_unit_test(interrupted_and_resumed),
                                       cmocka_unit_test(cancelled_before_it_starts),
                                       cmocka_unit_test(damage_is_rolled_back),
                                       cmocka_unit_test(rollbacks_undo_culling),
                                       cmocka_unit_test(all_culled),
                                       cmocka_unit_test(long_steps_are_shortened),
                                       cmocka_unit_test(lasting_damage_stops),
                                       cmocka_unit_test(memory_cap),
                                       cmocka_unit_test(memory_caps_side_by_side)};
    return cmocka_run_group_tests_name("sim_run", tests, NULL, NULL);
}
