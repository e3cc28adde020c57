// SPDX-License-Identifier: MIT
// Colliders as rigid bodies and back: nothing is lost on the way, wherever the shape's origin is.
#include "geometry/collider/dynamic_collider.h"

#include "geometry/gallery.h"

// A box whose centre is not at the origin of its coordinates, twice its size, turned.
static firn_collider brick(firn_shapes* shapes)
{
    firn_collider c = {
        .shape = gallery_add(shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                                       .p = {1, 0, 0, (firn_real)0.5,
                                                             (firn_real)0.25, (firn_real)0.125, 0},
                                                       .q = {1, 0, 0, 0}}),
        .motion = firn_motion_at_rest()};
    c.motion.position = firn_v3(3, 4, 5);
    c.motion.rotation = firn_q_from_vector(firn_v3(0, 0, (firn_real)(PI / 2)));
    c.motion.scale = 2;
    c.motion.velocity = firn_v3(0, 0, 1);
    c.motion.spin = firn_v3(0, 0, 3);
    return c;
}

static bool near(firn_vec3 a, double x, double y, double z)
{
    return fabs((double)a.x - x) < 1e-4 && fabs((double)a.y - y) < 1e-4 &&
           fabs((double)a.z - z) < 1e-4;
}

static void there_and_back(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider c = brick(&shapes);
    assert_int_equal(firn_collider_set_dynamic(&c, &shapes, 6, NULL), FIRN_OK);
    assert_equal(c.moved_by, FIRN_MOVED_BY_SOLVER);
    assert_equal(c.mass, 6);
    firn_rigid body;
    assert_int_equal(firn_collider_rigid(&c, &shapes, 0, &body, NULL), FIRN_OK);
    // the centre (1, 0, 0), scaled and turned, is (0, 2, 0) from the origin; the scene's velocity
    // is the centre's
    assert_true(near(body.position, 3, 6, 5));
    assert_true(near(body.velocity, 0, 0, 1));
    assert_true(near(body.spin, 0, 0, 3));
    // m/3 of the squares of half sizes 1, 0.5, 0.25
    assert_near(body.inertia.m[0][0], 2 * (0.25 + 0.0625), 1e-3);
    assert_near(body.inertia.m[2][2], 2 * (1 + 0.25), 1e-3);
    const firn_pose pose = firn_rigid_pose(&body, 2);
    assert_true(near(pose.position, 3, 4, 5));
    // the origin turns about the centre: omega x (origin - centre) = (0,0,3) x (0,-2,0)
    assert_true(near(pose.velocity, 6, 0, 1));
    firn_collider_move(&c, &shapes, 0, NULL);
    assert_memory_equal(&c.pose.position, &c.drive.position, sizeof c.pose.position);
    assert_true(near(c.pose.velocity, 6, 0, 1));
    firn_shapes_destroy(&shapes);
}

// A tenth of a second of free flight, told to the collider after every step.
static void follows(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider c = brick(&shapes);
    assert_int_equal(firn_collider_set_dynamic(&c, &shapes, 6, NULL), FIRN_OK);
    firn_rigid body;
    assert_int_equal(firn_collider_rigid(&c, &shapes, 0, &body, NULL), FIRN_OK);
    for (int k = 1; k <= 100; k++) {
        firn_rigid_step(&body, firn_v3(0, 0, 0), firn_v3(0, 0, 0), firn_v3(0, 0, 0),
                        (firn_real)1e-3);
        firn_collider_follow(&c, &body, 1e-3 * k);
    }
    assert_int_equal(firn_collider_move(&c, &shapes, 0.1, NULL), FIRN_OK);
    assert_equal(c.pose.scale, 2);
    assert_equal(c.moved_by, FIRN_MOVED_BY_SOLVER);
    const firn_vec3 center = firn_pose_to_world(&c.pose, body.center);
    assert_true(near(center, 3, 6, 5.1));
    assert_true(near(firn_pose_velocity(&c.pose, center), 0, 0, 1));
    const double angle = PI / 2 + 0.3;
    assert_true(near(firn_m3_column(c.pose.rotation, 0), cos(angle), sin(angle), 0));
    // and a rigid body made from it again is the same
    firn_rigid again;
    assert_int_equal(firn_collider_rigid(&c, &shapes, 0.1, &again, NULL), FIRN_OK);
    assert_true(near(again.position, 3, 6, 5.1));
    assert_true(near(again.velocity, 0, 0, 1));
    assert_true(near(again.spin, 0, 0, 3));
    firn_shapes_destroy(&shapes);
}

static void refused(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider c = brick(&shapes), before = c;
    firn_error error;
    assert_int_equal(firn_collider_set_dynamic(&c, &shapes, -1, &error), FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(error.text, "mass above 0"));
    const firn_real heavy = (firn_real)1e38;  // no moment of inertia
    assert_int_equal(firn_collider_set_dynamic(&c, &shapes, heavy, &error), FIRN_REFUSED_ARGUMENT);
    assert_memory_equal(&c, &before, sizeof c);
    c.shape =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    assert_int_equal(firn_collider_set_dynamic(&c, &shapes, 1, &error), FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(error.text, "plane"));
    assert_equal(c.moved_by, FIRN_MOVED_BY_SCENE);
    assert_equal(c.mass, 0);
    firn_shapes_destroy(&shapes);
}

int test_dynamic_collider(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(follows),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("dynamic_collider", tests, NULL, NULL);
}
