// SPDX-License-Identifier: MIT
// Volumes by sampling against the formulas of geometry.
#include "geometry/gallery.h"

static void primitives_have_their_volume(void** state)
{
    (void)state;
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, s->node);
        const double volume = firn_shape_volume(&shapes, shape, 200000);
        print_message("%-16s %.6f, exactly %.6f: %+.2e\n", s->name, volume, s->volume,
                      volume / s->volume - 1);
        // 2e5 stratified samples: sd about 5e-4 for these shapes
        assert_near(volume / s->volume, 1, 2e-3);
        assert_equal(volume, firn_shape_volume(&shapes, shape, 200000));
        firn_shapes_destroy(&shapes);
    }
}

static void unusual_shapes(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local plane =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    const firn_local ball =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}});
    const firn_local above =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 5, 0, 1}});
    const firn_local none = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = ball, .b = above});
    const firn_local half = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = ball, .b = plane});
    assert_true(isinf(firn_shape_volume(&shapes, plane, 1000)));
    assert_equal(firn_shape_volume(&shapes, none, 1000), 0);
    assert_near(firn_shape_volume(&shapes, half, 200000) / (2 * PI / 3), 1, 2e-3);  // as above
    assert_at_least(firn_shape_volume(&shapes, ball, 0), 0);  // one sample, whatever it says
    // a rod: samples follow its length; few of them are across it
    const firn_local rod =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_CYLINDER,
                                               .p = {0, 0, 0, 100, 0, 0, (firn_real)0.01, 0}});
    assert_near(firn_shape_volume(&shapes, rod, 100000) / (PI * 1e-2), 1, 0.01);
    firn_shapes_destroy(&shapes);
}

int test_volume(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(primitives_have_their_volume),
                                       cmocka_unit_test(unusual_shapes)};
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
