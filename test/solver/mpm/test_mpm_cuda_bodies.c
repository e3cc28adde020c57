// SPDX-License-Identifier: MIT
// Bodies that the caller moves while a device computes: steps that it had run ahead of a move are
// not seen, so that the bits are the same however far it runs ahead and whoever looks; and the snow
// is the CPU's.
#include "collider_at.h"
#include "firn/firn.h"
#include "solver/mpm/device_sim.h"

// A wall beside the ball, which the caller pushes into it.
static const char wall[] = "colliders=[{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}, "
                           "{shape: {box: {center: [0, 0.1, 0], size: [0.04, 0.2, 0.4]}}, "
                           "position: [-0.105, 0, 0]}]";

// When the caller moves it: at the start of each frame, in the middle of frames, at both.
enum { AT_FRAMES, WITHIN_FRAMES, OFTEN, HABITS };

static bool moves_now(int habit, int64_t step, bool frame_begins)
{
    if (habit == AT_FRAMES) return frame_begins;
    return (step % 5 == 3) || (habit == OFTEN && frame_begins);
}

// Back and forth, slower than the snow falls, so that rounding stays small; by the time of the
// simulation alone.
static void move(firn_sim* sim, double time)
{
    firn_body_pose pose = {.rotation = {1, 0, 0, 0}, .scale = 1};
    pose.position.x = (firn_real)(-0.105 + 0.04 * sin(20 * time));
    pose.velocity.x = (firn_real)(0.8 * cos(20 * time));
    pose.spin.y = (firn_real)(time > 0.03 ? 4 : 0);
    if (firn_sim_body_move(sim, collider_at(sim, 1), &pose) != FIRN_OK)
        fail_msg("%s", firn_sim_error(sim));
}

// Runs it with the caller's moves; hash of every frame.
static void run(firn_sim* sim, int habit, int look_every, uint64_t hash[6])
{
    int64_t frame = -1;
    for (;;) {
        const firn_sim_info info = firn_sim_read(sim);
        if (info.frame > 0 && info.frame != frame) hash[info.frame - 1] = firn_sim_hash(sim);
        if (info.frame == 6) break;
        if (moves_now(habit, info.step, info.frame != frame)) move(sim, info.time);
        frame = info.frame;
        if (look_every > 0 && info.step % look_every == 0) assert_not_equal(firn_sim_hash(sim), 0);
        if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    }
}

static void always_the_same_bits(void** state)
{
    (void)state;
    static const char* const ways[] = {"mpm.integrator=semi-implicit", "mpm.integrator=explicit"};
    for (int w = 0; w < 2; w++)
        for (int habit = 0; habit < HABITS; habit++) {
            uint64_t one[6], some[6], all[6], looked[6];
            uint64_t* const hashes[4] = {one, some, all, looked};
            static const int ahead[4] = {1, 4, 0, 0};
            for (int k = 0; k < 4; k++) {
                firn_sim* sim = device_sim(&(device_way){
                    .override = wall, .also = ways[w], .on_device = true, .run_ahead = ahead[k]});
                run(sim, habit, k == 3 ? 3 : 0, hashes[k]);
                firn_sim_destroy(sim);
                assert_memory_equal(hashes[k], one, sizeof one);
            }
            // the wall matters
            firn_sim* still =
                device_sim(&(device_way){.override = wall, .also = ways[w], .on_device = true});
            for (int f = 0; f < 6; f++)
                if (firn_sim_frame(still) != FIRN_OK) fail_msg("%s", firn_sim_error(still));
            assert_not_equal(firn_sim_hash(still), one[5]);
            firn_sim_destroy(still);
        }
}

static void as_on_the_cpu(void** state)
{
    (void)state;
    // steps of one length: rows of the last step can be compared
    const char* const steady = "mpm={" DEVICE_MPM ", dt: 0.0002, integrator: explicit}";
    firn_sim* plain = device_sim(&(device_way){.override = wall, .also = steady});
    firn_sim* other =
        device_sim(&(device_way){.override = wall, .also = steady, .on_device = true});
    for (int frame = 1; frame <= 6; frame++) {
        firn_sim* const both[2] = {plain, other};
        for (int k = 0; k < 2; k++) {
            move(both[k], firn_sim_read(both[k]).time);
            if (frame == 5)
                assert_int_equal(firn_sim_body_release(both[k], collider_at(both[k], 1)), FIRN_OK);
            if (firn_sim_frame(both[k]) != FIRN_OK) fail_msg("%s", firn_sim_error(both[k]));
        }
        const device_figures a = device_figures_of(plain), b = device_figures_of(other);
        device_compare("moved by the caller", &a, &b);
    }
    firn_sim_destroy(plain);
    firn_sim_destroy(other);
}

int test_mpm_cuda_bodies(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(always_the_same_bits),
                                       cmocka_unit_test(as_on_the_cpu)};
    return cmocka_run_group_tests_name("mpm_cuda_bodies", tests, NULL, NULL);
}
