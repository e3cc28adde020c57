// SPDX-License-Identifier: MIT
// Posing bodies as a kernel does, on the host: the bits of firn_collider_move, for every kind of
// motion and of shape.
#include "geometry/collider/colliders_cuda.h"

#include "bodies_world.h"

static void same_bits_as_move(void** state)
{
    (void)state;
    any_source r = any_start(8801);
    bodies_world w;
    bodies_open(&w, &r);
    firn_collider posed[BODIES_MOST];
    firn_box3 own[BODIES_MOST];
    memcpy(posed, w.bodies, sizeof posed);
    for (firn_local c = 0; c < w.count; c++) {
        posed[c].reach = (firn_box3){{1, 1, 1}, {-1, -1, -1}};  // nowhere yet
        if (w.bodies[c].deforming == NULL) own[c] = firn_shape_bounds(&w.shapes, w.bodies[c].shape);
    }
    const firn_bodies_view view = {firn_shapes_tables(&w.shapes), posed, own, w.count};
    int moved = 0;
    for (int q = 0; q < 500; q++) {
        const double time = any_between(&r, -0.5, 3);
        for (firn_local c = 0; c < w.count; c++) {
            assert_int_equal(firn_collider_move(&w.bodies[c], &w.shapes, time, NULL), FIRN_OK);
            const firn_collider before = posed[c];
            firn_bodies_pose(view, c, time);
            if (w.bodies[c].deforming != NULL) {  // left alone
                assert_memory_equal(&before, &posed[c], sizeof before);
                continue;
            }
            assert_memory_equal(&posed[c].pose, &w.bodies[c].pose, sizeof posed[c].pose);
            assert_memory_equal(&posed[c].reach, &w.bodies[c].reach, sizeof posed[c].reach);
            moved += memcmp(&before.pose, &posed[c].pose, sizeof before.pose) != 0;
        }
    }
    assert_greater(moved, 4000);  // three bodies in four move
    bodies_close(&w);
}

// What kernels ask is what the host asks, but for where it is compiled.
static void same_bits_as_asking(void** state)
{
    (void)state;
    any_source r = any_start(8802);
    bodies_world w;
    bodies_open(&w, &r);
    const firn_shape_tables tables = firn_shapes_tables(&w.shapes);
    int inside = 0;
    for (int q = 0; q < 2000; q++) {
        firn_collider* body = &w.bodies[q % w.count];
        assert_int_equal(firn_collider_move(body, &w.shapes, any_between(&r, 0, 2), NULL), FIRN_OK);
        const firn_vec3 x = bodies_point(&r, body);
        firn_vec3 n, m;
        const firn_real phi = firn_collider_sample(body, &w.shapes, x, &n);
        assert_equal(phi, firn_collider_sample_shared(body, &tables, x, &m));
        assert_memory_equal(&n, &m, sizeof n);
        assert_equal(firn_collider_distance(body, &w.shapes, x),
                     firn_collider_distance_shared(body, &tables, x));
        inside += phi <= 0;
    }
    assert_greater(inside, 200);
    bodies_close(&w);
}

int test_colliders_cuda_pose(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_as_move),
                                       cmocka_unit_test(same_bits_as_asking)};
    return cmocka_run_group_tests_name("colliders_cuda_pose", tests, NULL, NULL);
}
