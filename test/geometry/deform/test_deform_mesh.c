// SPDX-License-Identifier: MIT
// Key frames from mesh files, end to end.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/deform/deforming.h"
#include "geometry/obj_sequence.h"

// Tolerances: voxels of 5 cm; distances are good to a fifth of that, velocities of some 1 m/s
// to a tenth where keys are blended, and to more at edges, where two faces move differently.

#define PATTERN FIRN_TEST_TMP "/box.%03d.obj"

static firn_deforming_def box_def(int last)
{
    return (firn_deforming_def){.animation = {.file = PATTERN, .first = 1, .last = last, .fps = 24},
                                .voxel = (firn_real)0.05,
                                .speed = 1,
                                .memory = (size_t)64 << 20};
}

static firn_deforming* open_good(const firn_deforming_def* def)
{
    firn_deforming* body = NULL;
    firn_error error = {0};
    if (firn_deforming_open(def, &body, &error) != FIRN_OK) fail_msg("%s", error.text);
    return body;
}

static void move_good(firn_deforming* body, double time, firn_deform_pose* pose)
{
    firn_error error = {0};
    if (firn_deforming_move(body, time, pose, &error) != FIRN_OK) fail_msg("%s", error.text);
}

// The top rises by 0.05 m a key, 1.2 m/s, while the bottom rests: a point between moves in
// proportion when it is nearest to a side, with the lid when it is nearest to that.
static void a_box_grows_taller(void** state)
{
    (void)state;
    obj_write_sequence(FIRN_TEST_TMP, "box", 1, 6, 0.05);
    const firn_deforming_def def = box_def(6);
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    for (double t = 0; t < 5. / 24; t += 0.013) {
        move_good(body, t, &pose);
        const double top = 1.2 * t;
        for (double y = -0.15; y < 0.15; y += 0.05) {  // above and below the lid
            const firn_vec3 x = {(firn_real)0.1, (firn_real)(top + y), (firn_real)-0.2};
            const firn_phi phi = firn_deform_sample_at(&pose, x);
            assert_near(phi.distance, fmax(y, -0.2 - top - y), 0.01);
            if (y > -0.1) assert_greater(phi.normal.y, (firn_real)0.9);
        }
        const firn_vec3 v = firn_deform_velocity_at(&pose, firn_v3(0, (firn_real)top, 0));
        assert_near(v.y, 1.2, 0.1);
        assert_near(v.x, 0, 0.01);
        const firn_vec3 below = firn_deform_velocity_at(&pose, firn_v3(0, (firn_real)-0.2, 0));
        assert_near(below.y, 0, 0.1);
        // half way up a side
        const firn_vec3 side =
            firn_deform_velocity_at(&pose, firn_v3((firn_real)0.5, (firn_real)(top / 2 - 0.1), 0));
        assert_near(side.y, 0.6, 0.25);
    }
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

// Other triangles from one key to the next: only the motion along the normal is seen.
static void new_triangles_are_no_obstacle(void** state)
{
    (void)state;
    for (int k = 1; k <= 5; k++) {
        char path[600];
        snprintf(path, sizeof path, PATTERN, k);
        obj_write(path, (obj_box){-0.2, 0.03 * (k - 1), false, k % 2 == 0});
    }
    const firn_deforming_def def = box_def(5);
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    move_good(body, 2.5 / 24, &pose);
    const double top = 0.03 * 2.5;
    const firn_vec3 x = {(firn_real)0.1, (firn_real)top, (firn_real)-0.2};
    assert_near(firn_deform_distance_at(&pose, x), 0, 0.01);
    const firn_vec3 v = firn_deform_velocity_at(&pose, x);
    assert_near(v.y, 0.03 * 24, 0.1);
    assert_near(v.x, 0, 0.05);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void a_loop_that_closes(void** state)
{
    (void)state;
    static const double tops[5] = {0, 0.05, 0.1, 0.05, 0};
    for (int k = 0; k < 5; k++) {
        char path[600];
        snprintf(path, sizeof path, PATTERN, k + 1);
        obj_write(path, (obj_box){-0.2, tops[k], false, false});
    }
    firn_deforming_def def = box_def(5);
    def.loop = true;
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    move_good(body, 3.5 / 24, &pose);
    assert_equal(pose.a->time, 3. / 24);
    assert_equal(pose.b->time, 0);  // the fifth key is the first
    move_good(body, 4.5 / 24, &pose);
    assert_equal(pose.a->time, 0);
    // at the turning point it is at rest, as the keys on both sides say
    const firn_vec3 v = firn_velocity_grid_sample(&pose.a->velocity, firn_v3(0, 0, 0));
    assert_near(v.y, 0, 1e-4);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void broken_meshes_are_named(void** state)
{
    (void)state;
    obj_write_sequence(FIRN_TEST_TMP, "box", 1, 3, 0.05);
    obj_write(FIRN_TEST_TMP "/box.002.obj", (obj_box){-0.2, 0.05, true, false});
    firn_deforming_def def = box_def(3);
    firn_deforming* body = open_good(&def);
    firn_deform_pose pose = {0};
    firn_error error = {0};
    assert_int_equal(firn_deforming_move(body, 0, &pose, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "key frame 2");
    assert_contains(error.text, "open edges");
    assert_null(pose.a);
    firn_deforming_release(body);
    def.broken = FIRN_BROKEN_MESH_REPAIR;
    body = open_good(&def);
    move_good(body, 1. / 24, &pose);
    assert_less(firn_deform_distance_at(&pose, firn_v3(0, (firn_real)-0.1, 0)), 0);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void what_cannot_be_opened(void** state)
{
    (void)state;
    obj_write_sequence(FIRN_TEST_TMP, "box", 1, 3, 0.05);
    firn_deforming* body;
    firn_error error = {0};
    firn_deforming_def def = box_def(4);
    remove(FIRN_TEST_TMP "/box.004.obj");
    assert_int_equal(firn_deforming_open(&def, &body, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "box.004.obj");
    def = box_def(3);
    def.voxel = 0;
    assert_int_equal(firn_deforming_open(&def, &body, &error), FIRN_REFUSED_ARGUMENT);
    def = box_def(3);
    def.speed = 0;
    assert_int_equal(firn_deforming_open(&def, &body, &error), FIRN_REFUSED_ARGUMENT);
    def = box_def(3);
    def.animation.fps = 0;
    assert_int_equal(firn_deforming_open(&def, &body, &error), FIRN_REFUSED_ARGUMENT);
    const uint64_t before = firn_memory_read().bytes;
    def = box_def(3);
    def.loop = true;  // looks at the first and the last mesh
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result == FIRN_BROKEN_MEMORY; k++) {
        firn_memory_fail_at(k, false);
        result = firn_deforming_open(&def, &body, &error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) firn_deforming_release(body);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(result, FIRN_OK);
}

int test_deform_mesh(void)
{
    setenv("FIRN_CACHE", FIRN_TEST_TMP "/cache", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_grows_taller),    cmocka_unit_test(new_triangles_are_no_obstacle),
        cmocka_unit_test(a_loop_that_closes),    cmocka_unit_test(broken_meshes_are_named),
        cmocka_unit_test(what_cannot_be_opened),
    };
    return cmocka_run_group_tests_name("deform_mesh", tests, NULL, NULL);
}
