// SPDX-License-Identifier: MIT
// Bodies that change hands: where they are then, by formula; on the host and as kernels pose them.
#include "geometry/collider/collider_drive.h"

#include "core/memory.h"
#include "geometry/collider/colliders_cuda.h"
#include "geometry/gallery.h"

// Tolerances: 1e-4 m and less are roundings of float at coordinates of up to 10 m.

static firn_collider ball(firn_shapes* shapes)
{
    firn_collider c = {.shape = gallery_add(
                           shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}}),
                       .motion = firn_motion_at_rest()};
    c.motion.velocity = firn_v3(1, 0, 0);
    return c;
}

static firn_motion state_at(double x, double y, double z)
{
    firn_motion m = firn_motion_at_rest();
    m.position = firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
    m.pivot = firn_v3(100, 100, 100);  // not looked at
    m.velocity = firn_v3(0, (firn_real)0.5, 0);
    m.spin = firn_v3(0, 0, 2);
    m.scale = 2;
    return m;
}

static void expect(firn_vec3 got, double x, double y, double z)
{
    if (!(fabs((double)got.x - x) < 1e-5 && fabs((double)got.y - y) < 1e-5 &&
          fabs((double)got.z - z) < 1e-5))
        fail_msg("(%g, %g, %g) where (%g, %g, %g) is due", (double)got.x, (double)got.y,
                 (double)got.z, x, y, z);
}

static void goes_on_from_there(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider c = ball(&shapes);
    assert_int_equal(firn_collider_move(&c, &shapes, 3, NULL), FIRN_OK);
    expect(c.pose.position, 3, 0, 0);
    assert_false(firn_collider_rests(&c));
    const firn_motion s = state_at(5, 6, 7);
    assert_int_equal(firn_collider_drive(&c, FIRN_MOVED_BY_CALLER, &s, 3, NULL), FIRN_OK);
    for (double t = 2; t <= 4; t += 0.25) {  // backwards, too: after a rollback
        assert_int_equal(firn_collider_move(&c, &shapes, t, NULL), FIRN_OK);
        expect(c.pose.position, 5, 6 + 0.5 * (t - 3), 7);
        expect(c.pose.velocity, 0, 0.5, 0);
        expect(c.pose.spin, 0, 0, 2);
        expect(firn_m3_column(c.pose.rotation, 0), cos(2 * (t - 3)), sin(2 * (t - 3)), 0);
        assert_equal(c.pose.scale, 2);
        if (t == 3) assert_near(c.reach.high.x, 7, 1e-4);  // twice as large
        const firn_motion now = firn_collider_state(&c, t);
        expect(now.position, 5, 6 + 0.5 * (t - 3), 7);
        expect(firn_q_rotate(now.rotation, firn_v3(1, 0, 0)), cos(2 * (t - 3)), sin(2 * (t - 3)),
               0);
    }
    // released: as if nothing had been
    firn_collider_release(&c, 4);
    assert_int_equal(firn_collider_move(&c, &shapes, 4, NULL), FIRN_OK);
    expect(c.pose.position, 4, 0, 0);
    firn_shapes_destroy(&shapes);
}

// A body with a mass is let go where it is held, with the velocity of the hand.
static void let_go(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider c = ball(&shapes);
    c.mass = 3;
    const firn_motion s = state_at(0, 1, 0);
    assert_int_equal(firn_collider_drive(&c, FIRN_MOVED_BY_CALLER, &s, 1, NULL), FIRN_OK);
    firn_collider_release(&c, 1.5);
    assert_int_equal(c.moved_by, FIRN_MOVED_BY_SOLVER);
    assert_equal(c.drive_time, 1.5);
    assert_equal(c.drive.scale, 2);
    expect(c.drive.position, 0, 1.25, 0);
    expect(c.drive.velocity, 0, 0.5, 0);
    expect(c.drive.spin, 0, 0, 2);
    expect(firn_q_rotate(c.drive.rotation, firn_v3(1, 0, 0)), cos(1), sin(1), 0);
    firn_shapes_destroy(&shapes);
}

static void refused(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider c = ball(&shapes), before = c;
    firn_motion bad[4];
    for (int k = 0; k < 4; k++) bad[k] = state_at(0, 0, 0);
    bad[0].position.y = (firn_real)NAN;
    bad[1].spin.x = (firn_real)INFINITY;
    bad[2].rotation = (firn_quat){0, 0, 0, 0};
    bad[3].scale = 0;
    firn_error error;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(firn_collider_drive(&c, FIRN_MOVED_BY_CALLER, &bad[k], 0, &error),
                         FIRN_REFUSED_ARGUMENT);
        assert_memory_equal(&c, &before, sizeof c);
    }
    firn_shapes_destroy(&shapes);
}

// A kernel skips bodies that rest; one that is put elsewhere and rests there must not be skipped.
static void as_kernels_pose(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_collider host = ball(&shapes);
    const firn_box3 own = firn_shape_bounds(&shapes, host.shape);
    firn_collider device = host;
    device.reach = (firn_box3){{1, 1, 1}, {-1, -1, -1}};
    const firn_bodies_view view = {firn_shapes_tables(&shapes), &device, &own, 1};
    firn_motion s = state_at(1, 2, 3);
    for (int k = 0; k < 20; k++) {
        if (k == 5 || k == 10 || k == 15) {
            if (k == 10) s.velocity = s.spin = firn_v3(0, 0, 0);
            s.position.x = (firn_real)k;
            assert_int_equal(firn_collider_drive(&host, FIRN_MOVED_BY_CALLER, &s, k, NULL),
                             FIRN_OK);
            device = host;  // as firn_colliders_cuda_drive does
            device.reach = (firn_box3){{1, 1, 1}, {-1, -1, -1}};
            assert_int_equal(firn_collider_rests(&host), k >= 10);
        }
        assert_int_equal(firn_collider_move(&host, &shapes, 0.3 * k, NULL), FIRN_OK);
        firn_bodies_pose(view, 0, 0.3 * k);
        assert_memory_equal(&device.pose, &host.pose, sizeof host.pose);
        assert_memory_equal(&device.reach, &host.reach, sizeof host.reach);
    }
    firn_shapes_destroy(&shapes);
}

int test_collider_drive(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goes_on_from_there),
                                       cmocka_unit_test(let_go), cmocka_unit_test(refused),
                                       cmocka_unit_test(as_kernels_pose)};
    return cmocka_run_group_tests_name("collider_drive", tests, NULL, NULL);
}
