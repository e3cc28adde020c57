// SPDX-License-Identifier: MIT
// Runs that are interrupted and go on: on the same device bit for bit, from the CPU to a device and
// back within what two machines differ by.
#include "solver/mpm/device_sim.h"

static const char* const ways[] = {
    NULL, "mpm.integrator=explicit", "mpm.integrator=auto", "mpm.transfer=apic",
    "cull={below: 0.03}",
    "snow.0.vary={hardening: {noise: {scale: 0.02, amount: 0.5}}, layers: [{to: 0.06, "
    "compression: 2, stretch: 0.5}]}",
    "forces=[{kind: vortex, strength: 40, radius: 0.2, falloff: inverse, keys: [[0, 0], [0.05, "
    "1]]}, {kind: noise, strength: 30, length: 0.1, period: 0.03, seed: 5}]",
    "air={velocity: [12, 3, -5], gusts: {strength: 0.4, length: 0.1, period: 0.03, seed: 4}}",
    "emitters=[{shape: {sphere: {center: [0.2, 0.25, 0], radius: 0.03}}, flow: 6, velocity: [-2, "
    "-1, 0], speed: 0.5, spread: 0.1}, {shape: {box: {center: [0, 0.3, 0], size: [0.3, 0.02, "
    "0.3]}}, "
    "rate: 4000, velocity: [0, -1, 0], start: 0.013, mass: 0.04, seed: 3}]",
    // the fastest particle limits the step
    "mpm={cell: 0.02, dt_max: 0.01, iterations_target: 900}", device_keyed, device_keyed,
    "emitters=[{shape: {sphere: {center: [0.2, 0.25, 0], radius: 0.03}}, flow: 6, velocity: [-2, "
    "-1, 0], spread: 0.1, follow: 1}]"};
// The same beside it; null: nothing.
static const char* const also[] = {[11] = "mpm.integrator=auto", [12] = device_moving};
enum { WAYS = 13 };

// Frames to `frame_end` in folder `dir`, from what is there when `resume`.
static void leg(int k, const char* dir, int64_t frame_end, bool resume, bool on_device,
                device_figures* out, uint64_t* out_hash)
{
    const device_way way = {.override = ways[k],
                            .also = also[k],
                            .dir = dir,
                            .frame_end = frame_end,
                            .resume = resume,
                            .on_device = on_device};
    firn_sim* sim = device_sim(&way);
    device_run(sim);
    assert_int_equal(firn_sim_read(sim).frame, frame_end);
    if (out != NULL) *out = device_figures_of(sim);
    if (out_hash != NULL) *out_hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
}

static void two_halves_are_a_whole(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        char dir[300];
        snprintf(dir, sizeof dir, "%s/halves%d", FIRN_TEST_TMP, k);
        uint64_t half, whole;
        leg(k, dir, 3, false, true, NULL, &half);
        leg(k, dir, 6, true, true, NULL, &whole);
        assert_not_equal(half, whole);
        const device_way way = {.override = ways[k], .also = also[k], .on_device = true};
        if (device_hash(&way) != whole)
            fail_msg("%s: a resumed run has other bits", ways[k] != NULL ? ways[k] : "as it is");
        // nor does the folder matter to a run on the way
        char straight[300];
        snprintf(straight, sizeof straight, "%s/straight%d", FIRN_TEST_TMP, k);
        uint64_t with_files;
        leg(k, straight, 6, false, true, NULL, &with_files);
        assert_equal(with_files, whole);
    }
}

// A checkpoint knows no machine. Where particles are culled, one within rounding of the rule may be
// left on one side only: such runs are compared in test_mpm_cuda_run.c.
static void across_machines(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        if (k == 4) continue;
        const char* name = ways[k] != NULL ? ways[k] : "as it is";
        device_figures straight[2];
        char dir[300], what[64];
        for (int side = 0; side < 2; side++) {
            firn_sim* sim = device_sim(
                &(device_way){.override = ways[k], .also = also[k], .on_device = side == 1});
            device_run(sim);
            straight[side] = device_figures_of(sim);
            firn_sim_destroy(sim);
        }
        for (int first = 0; first < 2; first++) {  // 0: the host begins, the device goes on
            device_figures mixed;
            snprintf(dir, sizeof dir, "%s/across%d%d", FIRN_TEST_TMP, k, first);
            leg(k, dir, 3, false, first == 1, NULL, NULL);
            leg(k, dir, 6, true, first == 0, &mixed, NULL);
            snprintf(what, sizeof what, "%.16s %s", name,
                     first == 0 ? "cpu, device" : "device, cpu");
            device_compare(what, &straight[0], &mixed);
            device_compare(what, &straight[1], &mixed);
        }
    }
}

// Stops the run in the middle of a frame, when the device is well ahead of what the host knows.
typedef struct stopper {
    firn_sim* sim;
    int64_t at;
} stopper;

static void stop_at(void* user, const firn_progress* progress)
{
    stopper* s = user;
    if (progress->step == s->at) firn_sim_cancel(s->sim);
}

static void interrupted_and_resumed(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        firn_sim* straight =
            device_sim(&(device_way){.override = ways[k], .also = also[k], .on_device = true});
        device_run(straight);
        const uint64_t whole = firn_sim_hash(straight);
        const int64_t steps = firn_sim_read(straight).step;
        firn_sim_destroy(straight);
        assert_greater(steps, 13);
        for (int64_t at = 13; at <= 37 && at < steps; at += 12) {
            char dir[300];
            snprintf(dir, sizeof dir, "%s/stopped%d_%d", FIRN_TEST_TMP, k, (int)at);
            stopper s = {NULL, at};
            const device_way way = {.override = ways[k],
                                    .also = also[k],
                                    .dir = dir,
                                    .on_device = true,
                                    .progress = stop_at,
                                    .user = &s};
            s.sim = device_sim(&way);
            assert_int_equal(firn_sim_run(s.sim), FIRN_INTERRUPTED);
            assert_int_equal(firn_sim_read(s.sim).step, at);
            const uint64_t there = firn_sim_hash(s.sim);
            firn_sim_destroy(s.sim);
            uint64_t hash;
            leg(k, dir, 6, true, true, NULL, &hash);
            if (hash != whole || there == whole)
                fail_msg("%s: other bits after a stop at step %d",
                         ways[k] != NULL ? ways[k] : "as it is", (int)at);
        }
    }
}

int test_mpm_cuda_resume(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_halves_are_a_whole),
                                       cmocka_unit_test(across_machines),
                                       cmocka_unit_test(interrupted_and_resumed)};
    return cmocka_run_group_tests_name("mpm_cuda_resume", tests, NULL, NULL);
}
