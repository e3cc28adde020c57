// SPDX-License-Identifier: MIT
// Cameras that move: keys are met exactly, nothing jerks on the way, rest outside.
#include "render/camera_path.h"
#include "scene/run/camera_key.h"

#include <math.h>
#include <string.h>

#include "firn_test.h"
#include "math/vec3.h"

static firn_render_block still(void)
{
    return (firn_render_block){
        .eye = {1, 2, 3}, .look_at = {-1, 0.5, 0}, .fov_deg = 40, .width = 64, .height = 36};
}

// Uneven times; the angle of view goes up and down between keys that it must not leave.
static firn_render_block moving(void)
{
    static const firn_camera_key keys[] = {
        {.time = 0.5, .eye = {1, 2, 3}, .look_at = {0, 0, 0}, .fov_deg = 35},
        {.time = 0.75, .eye = {2, 2, 1}, .look_at = {0.5, 0, 0}, .fov_deg = 169},
        {.time = 2.0, .eye = {0, 3, -1}, .look_at = {0, 1, 0}, .fov_deg = 170},
        {.time = 2.125, .eye = {-2, 1, -4}, .look_at = {0, 0, 0}, .fov_deg = 1},
        {.time = 5.0, .eye = {-2, 1, -4}, .look_at = {0, 0, 2}, .fov_deg = 20},
    };
    firn_render_block r = still();
    memcpy(r.camera_keys, keys, sizeof keys);
    r.camera_key_count = 5;
    return r;
}

static void check_equal(const firn_camera_key* a, const firn_camera_key* b)
{
    for (int i = 0; i < 3; i++) {
        assert_equal(a->eye[i], b->eye[i]);
        assert_equal(a->look_at[i], b->look_at[i]);
    }
    assert_equal(a->fov_deg, b->fov_deg);
}

static void without_keys_it_stays(void** state)
{
    (void)state;
    const firn_render_block r = still();
    const firn_camera_key want = {.eye = {1, 2, 3}, .look_at = {-1, 0.5, 0}, .fov_deg = 40};
    static const double times[] = {-1e9, 0, 0.3, 1e9};
    for (size_t k = 0; k < 4; k++) {
        const firn_camera_key key = firn_camera_key_at(&r, times[k]);
        check_equal(&key, &want);
    }
    const firn_camera c = firn_camera_of_scene(&r, 7);
    const firn_camera d = firn_camera_make(firn_v3(1, 2, 3), firn_v3(-1, 0.5f, 0), 40, 64, 36);
    assert_memory_equal(&c, &d, sizeof c);
}

static void keys_are_met(void** state)
{
    (void)state;
    const firn_render_block r = moving();
    for (int k = 0; k < r.camera_key_count; k++) {
        const firn_camera_key key = firn_camera_key_at(&r, r.camera_keys[k].time);
        check_equal(&key, &r.camera_keys[k]);
    }
    const firn_camera_key before = firn_camera_key_at(&r, 0), after = firn_camera_key_at(&r, 99);
    check_equal(&before, &r.camera_keys[0]);
    check_equal(&after, &r.camera_keys[4]);
    const firn_camera_key odd = firn_camera_key_at(&r, NAN);  // some key, no number of bits
    check_equal(&odd, &r.camera_keys[0]);
}

static void one_key_is_a_place(void** state)
{
    (void)state;
    firn_render_block r = moving();
    r.camera_key_count = 1;
    for (double t = -1; t < 2; t += 0.5) {
        const firn_camera_key key = firn_camera_key_at(&r, t);
        check_equal(&key, &r.camera_keys[0]);
    }
}

// Velocities from both sides agree at every key, the ends included, where they are 0: no jerk.
static void no_jerks(void** state)
{
    (void)state;
    const firn_render_block r = moving();
    const double e = 1e-6;  // [s]
    for (int k = 0; k < r.camera_key_count; k++) {
        const double t = r.camera_keys[k].time;
        const firn_camera_key a = firn_camera_key_at(&r, t - e), b = firn_camera_key_at(&r, t),
                              c = firn_camera_key_at(&r, t + e);
        for (int i = 0; i < 3; i++) {
            const double left = (b.eye[i] - a.eye[i]) / e, right = (c.eye[i] - b.eye[i]) / e;
            // one-sided slopes differ by the curvature, at most 6 * step / T^2 = 6 * 3 / 0.125^2
            assert_near(left, right, 2e3 * e);
            if (k == 0 || k == 4) assert_near(left, 0, 2e3 * e);
        }
    }
}

// A straight run at even speed stays one between inner keys.
static void even_speed_stays(void** state)
{
    (void)state;
    firn_render_block r = still();
    static const double times[] = {0, 1, 1.5, 4, 5};
    r.camera_key_count = 5;
    for (int k = 0; k < 5; k++)
        r.camera_keys[k] = (firn_camera_key){
            .time = times[k], .eye = {2 * times[k], 0, 1 - times[k]}, .fov_deg = 35};
    for (double t = 1; t <= 4; t += 0.01) {
        const firn_camera_key key = firn_camera_key_at(&r, t);
        assert_near(key.eye[0], 2 * t, 1e-12);  // in double
        assert_near(key.eye[2], 1 - t, 1e-12);
    }
}

static void angle_stays_between_keys(void** state)
{
    (void)state;
    const firn_render_block r = moving();
    for (int k = 0; k < 4; k++) {
        const firn_camera_key* key = &r.camera_keys[k];
        const double low = fmin(key[0].fov_deg, key[1].fov_deg);
        const double high = fmax(key[0].fov_deg, key[1].fov_deg);
        for (int s = 0; s <= 100; s++) {
            const double t = key[0].time + (key[1].time - key[0].time) * s / 100;
            const double fov = firn_camera_key_at(&r, t).fov_deg;
            assert_at_least(fov, low - 1e-9);
            assert_at_most(fov, high + 1e-9);
        }
    }
}

int test_camera_key(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_keys_it_stays), cmocka_unit_test(keys_are_met),
        cmocka_unit_test(one_key_is_a_place),    cmocka_unit_test(no_jerks),
        cmocka_unit_test(even_speed_stays),      cmocka_unit_test(angle_stays_between_keys),
    };
    return cmocka_run_group_tests_name("camera_key", tests, NULL, NULL);
}
