// SPDX-License-Identifier: MIT
// What the caller changed is part of the state: a run resumed from a checkpoint has it, bit for
// bit.
#include "collider_at.h"
#include "sim/play_state.h"

#include "core/file.h"
#include "core/memory.h"
#include "play_fixture.h"

static const char text[] =
    "firn: 1\nsolver: sph\ntime: {frames: 4, fps: 100}\n"
    "sph: {spacing: 0.03, heat_speed: 1000}\n"
    "snow:\n  - shape: {box: {center: [0, 0.06, 0], size: [0.15, 0.12, 0.15]}}\n"
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "  - shape: {box: {center: [0, 0.1, 0], size: [0.1, 0.2, 0.4]}}\n"
    "    position: [-0.14, 0, 0]\n    temperature: 3\n"
    "air: {drag: false, temperature: 5}\n"
    "output: {preview: false, film: false, points: [vtkhdf]}\n";

// What the caller changes, at the end of frame 1.
static firn_sim* held;
static void hand(void* user, const firn_progress* progress)
{
    (void)user;
    if (!progress->frame_done || progress->frame != 1) return;
    firn_body_pose pose = play_pose(-0.14, 0, 0);
    pose.velocity.x = 1;
    pose.spin.y = 2;
    assert_int_equal(firn_sim_body_move(held, collider_at(held, 1), &pose), FIRN_OK);
    assert_int_equal(firn_sim_set_temperature(held, -20), FIRN_OK);
    assert_int_equal(firn_sim_set_gravity(held, firn_v3(0, -5, 1)), FIRN_OK);
    assert_int_equal(firn_sim_set_wind(held, firn_v3(4, 0, 0)), FIRN_OK);
}

static firn_sim* run(const char* dir, int64_t frame_end, bool resume, firn_progress_fn progress)
{
    firn_sim_def def = firn_default_sim_def();
    def.output_dir = dir;
    def.frame_end = frame_end;
    def.resume = resume;
    def.progress = progress;
    firn_sim* sim = play_start_def(text, def);
    held = sim;
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    return sim;
}

static void goes_on(void** state)
{
    (void)state;
    firn_sim* whole = run(FIRN_TEST_TMP "/whole", 4, false, hand);
    firn_sim* first = run(FIRN_TEST_TMP "/parts", 2, false, hand);
    firn_sim* second = run(FIRN_TEST_TMP "/parts", 4, true, NULL);
    firn_sim* untouched = run(FIRN_TEST_TMP "/untouched", 4, false, NULL);
    assert_int_equal(firn_sim_read(second).frame, 4);
    assert_equal(firn_sim_hash(second), firn_sim_hash(whole));
    assert_not_equal(firn_sim_hash(second), firn_sim_hash(untouched));
    assert_equal(firn_sim_temperature(second), -20);
    assert_equal(firn_sim_gravity(second).y, -5);
    assert_equal(firn_sim_wind(second).x, 4);
    firn_body_info a, b;
    assert_int_equal(firn_sim_body(whole, collider_at(whole, 1), &a), FIRN_OK);
    assert_int_equal(firn_sim_body(second, collider_at(second, 1), &b), FIRN_OK);
    assert_equal(b.driver, FIRN_BODY_CALLER);
    assert_equal(b.temperature, -20);
    assert_memory_equal(&a.pose, &b.pose, sizeof a.pose);
    // nothing changed by the caller: checkpoints have no such block
    assert_equal(firn_play_size(untouched), 0);
    assert_greater(firn_play_size(whole), 0);
    firn_sim* const all[] = {whole, first, second, untouched};
    for (int k = 0; k < 4; k++) firn_sim_destroy(all[k]);
}

// Gravity and wind alone; values out of range change nothing.
static void gravity_and_wind(void** state)
{
    (void)state;
    firn_sim *from = play_start(text), *to = play_start(text);
    assert_int_equal(firn_sim_set_gravity(from, firn_v3(0, -5, 1)), FIRN_OK);
    const size_t size = firn_play_size(from);
    char* block = firn_alloc(size, 1);
    assert_non_null(block);
    firn_error error;
    for (size_t k = 0; k < 8 * 8; k += 8) {  // each number of the tail
        firn_play_save(from, block);
        memset(block + size - 8 - k, 0x7f, 8);
        assert_int_equal(firn_play_restore(to, block, size, &error), FIRN_REFUSED_DAMAGED);
        assert_near(firn_sim_gravity(to).y, -9.81, 1e-6);
    }
    firn_play_save(from, block);
    assert_int_equal(firn_play_restore(to, block, size, &error), FIRN_OK);
    assert_equal(firn_sim_gravity(to).y, -5);
    assert_equal(firn_sim_gravity(to).z, 1);
    assert_equal(firn_sim_wind(to).x, 0);
    firn_free(block);
    firn_sim_destroy(from);
    firn_sim_destroy(to);
}

// A block that is not this scene's, or not what was written: nothing is changed.
static void damaged(void** state)
{
    (void)state;
    firn_sim *from = play_start(text), *to = play_start(text);
    firn_body_pose pose = play_pose(7, 0, 0);
    assert_int_equal(firn_sim_body_move(from, collider_at(from, 1), &pose), FIRN_OK);
    const size_t size = firn_play_size(from);
    char* block = firn_alloc(size, 1);
    assert_non_null(block);
    firn_error error;
    firn_body_info info;
    firn_play_save(from, block);
    assert_int_equal(firn_play_restore(to, block, size - 1, &error), FIRN_REFUSED_DAMAGED);
    assert_int_equal(firn_play_restore(to, block, 3, &error), FIRN_REFUSED_DAMAGED);
    for (size_t k = 0; k < size; k++) {  // bits that are not numbers
        firn_play_save(from, block);
        memset(block + k, 0xff, size - k < 8 ? size - k : 8);
        const firn_result r = firn_play_restore(to, block, size, &error);
        assert_int_equal(firn_sim_body(to, collider_at(to, 1), &info), FIRN_OK);
        if (r != FIRN_OK) {
            assert_int_equal(r, FIRN_REFUSED_DAMAGED);
            assert_int_equal(info.driver, FIRN_BODY_SCENE);
        }
        assert_true(firn_v3_is_finite(info.pose.position));
        assert_int_equal(firn_sim_body_release(to, collider_at(to, 1)), FIRN_OK);
    }
    firn_play_save(from, block);
    assert_int_equal(firn_play_restore(to, block, size, &error), FIRN_OK);
    assert_int_equal(firn_sim_body(to, collider_at(to, 1), &info), FIRN_OK);
    assert_equal(info.driver, FIRN_BODY_CALLER);
    assert_equal(info.pose.position.x, 7);
    assert_equal(firn_sim_temperature(to), 5);
    firn_free(block);
    firn_sim_destroy(from);
    firn_sim_destroy(to);
}

int test_play_state(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on), cmocka_unit_test(gravity_and_wind), cmocka_unit_test(damaged)};
    return cmocka_run_group_tests_name("play_state", tests, NULL, NULL);
}
