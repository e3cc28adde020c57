// SPDX-License-Identifier: MIT
// The array of shapes: what is refused and in which words, copies, and running out of memory.
#include "geometry/sdf/shape.h"

#include "core/memory.h"
#include "geometry/gallery.h"

static void bad_parameters_are_refused(void** state)
{
    (void)state;
    const firn_real nan = (firn_real)NAN, inf = (firn_real)INFINITY;
    const firn_quat one = {1, 0, 0, 0};
    const struct {
        firn_shape_node node;
        const char* words;
    } cases[] = {
        {{.kind = -1}, "no kind of shape -1"},
        {{.kind = 13}, "no kind of shape 13"},
        {{.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 0, 0}}, "plane: the normal is zero"},
        {{.kind = FIRN_SHAPE_PLANE, .p = {0, nan, 0, 0, 1, 0}}, "plane: point is nan"},
        {{.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 0}}, "sphere: radius is 0"},
        {{.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, -1}}, "sphere: radius is -1"},
        {{.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, nan}}, "sphere: radius is"},
        {{.kind = FIRN_SHAPE_SPHERE, .p = {inf, 0, 0, 1}}, "sphere: center is inf"},
        {{.kind = FIRN_SHAPE_SPHERE, .p = {0, (firn_real)1e10, 0, 1}}, "sphere: center is 1e+10"},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 0, 1, 0}, .q = one}, "box: half of its size"},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 2, 3, 2}, .q = one}, "box: corner radius is 2"},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 2, 3, -1}, .q = one}, "corner radius is -1"},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 2, 3, 0}}, "box: the rotation"},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 2, 3, 0}, .q = {nan, 0, 0, 1}}, "rotation"},
        {{.kind = FIRN_SHAPE_CAPSULE, .p = {1, 1, 1, 1, 1, 1, 1}}, "0 m apart"},
        {{.kind = FIRN_SHAPE_CAPSULE, .p = {0, 0, 0, 1, 1, 1, 0}}, "capsule: radius is 0"},
        {{.kind = FIRN_SHAPE_CYLINDER, .p = {0, 0, 0, 0, 1, 0, 1, 1}}, "cylinder: edge radius"},
        {{.kind = FIRN_SHAPE_CONE, .p = {0, 0, 0, 0, 1, 0, 0, 0}}, "cone: larger radius is 0"},
        {{.kind = FIRN_SHAPE_CONE, .p = {0, 0, 0, 0, 1, 0, 1, -1}}, "cone: radius at b is -1"},
        {{.kind = FIRN_SHAPE_WEDGE, .p = {0, 0, 0, 1, 1, 0}, .q = one}, "wedge: size in z is 0"},
        {{.kind = FIRN_SHAPE_HEIGHT_FIELD, .a = 0, .p = {0, 0, 0, 1, 1, 1}}, "no field 0, only 0"},
        {{.kind = FIRN_SHAPE_LEVEL_SET, .a = 0}, "level set: there is no level set 0, only 0"},
        {{.kind = FIRN_SHAPE_UNION, .a = 0, .b = 1}, "union: there is no shape 1, only 1"},
        {{.kind = FIRN_SHAPE_UNION, .a = 0, .b = -1}, "union: there is no shape -1"},
        {{.kind = FIRN_SHAPE_UNION, .a = 0, .b = 0, .p = {-1}}, "union: blend radius is -1"},
        {{.kind = FIRN_SHAPE_INTERSECTION, .a = 5, .b = 0}, "intersection: there is no shape 5"},
        {{.kind = FIRN_SHAPE_DIFFERENCE, .a = 0, .b = 7}, "difference: there is no shape 7"},
        {{.kind = FIRN_SHAPE_TRANSFORM, .a = 0, .p = {0, 0, 0, 0}, .q = one}, "scale is 0"},
        {{.kind = FIRN_SHAPE_TRANSFORM, .a = 3, .p = {0, 0, 0, 1}, .q = one}, "no shape 3"},
        {{.kind = FIRN_SHAPE_TRANSFORM, .a = 0, .p = {0, 0, nan, 1}, .q = one}, "translation is"},
    };
    firn_shapes shapes = {0};
    gallery_add(&shapes, gallery()[0].node);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        firn_error error = {0};
        firn_local shape = -7;
        assert_int_equal(firn_shapes_add(&shapes, &cases[k].node, &shape, &error),
                         FIRN_REFUSED_ARGUMENT);
        assert_int_equal(shape, -7);
        assert_int_equal(shapes.node_count, 1);
        if (strstr(error.text, cases[k].words) == NULL)
            fail_msg("'%s' does not say '%s'", error.text, cases[k].words);
        // the error may be left out
        assert_int_equal(firn_shapes_add(&shapes, &cases[k].node, &shape, NULL),
                         FIRN_REFUSED_ARGUMENT);
    }
    firn_shapes_destroy(&shapes);
}

static void equal_shapes_are_equal_bytes(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_shape_node a, b;
    memset(&a, 0xaa, sizeof a);  // whatever the caller left in unused places
    memset(&b, 0x55, sizeof b);
    a.kind = b.kind = FIRN_SHAPE_PLANE;
    for (int i = 0; i < 6; i++) a.p[i] = b.p[i] = 0;
    a.p[4] = 3;  // the normal's length does not matter
    b.p[4] = 5;
    gallery_add(&shapes, a);
    gallery_add(&shapes, b);
    assert_memory_equal(&shapes.nodes[0], &shapes.nodes[1], sizeof a);
    assert_equal(shapes.nodes[0].p[4], 1);
    firn_shapes_destroy(&shapes);
}

static firn_result build(firn_shapes* shapes)
{
    firn_local shape;
    const firn_vec3 origin = {0, 0, 0}, size = {1, 1, 1};
    for (int k = 0; k < 100; k++)  // more than one growth of the array
        FIRN_TRY(firn_shapes_add(shapes, &gallery()[k % GALLERY_COUNT].node, &shape, NULL));
    FIRN_TRY(firn_shapes_add_noise_field(shapes, origin, size, (firn_real)0.3, 2, 1, &shape, NULL));
    return firn_shapes_add_noise_field(shapes, origin, size, 1, 1, 2, &shape, NULL);
}

static void copies_are_whole_and_apart(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_shapes shapes = {0}, copy;
    assert_int_equal(build(&shapes), FIRN_OK);
    assert_int_equal(firn_shapes_copy(&shapes, &copy), FIRN_OK);
    assert_int_equal(copy.node_count, 102);
    assert_int_equal(copy.field_count, 2);
    const firn_vec3 x = {(firn_real)0.4, (firn_real)0.7, (firn_real)0.6};
    firn_real expected[102];
    for (firn_local s = 0; s < 102; s++) expected[s] = firn_shape_distance(&shapes, s, x);
    firn_shapes_destroy(&shapes);
    for (firn_local s = 0; s < 102; s++)
        assert_equal(firn_shape_distance(&copy, s, x), expected[s]);
    firn_shapes_destroy(&copy);
    assert_int_equal(copy.node_count, 0);
    const firn_shapes none = {0};
    assert_int_equal(firn_shapes_copy(&none, &copy), FIRN_OK);
    firn_shapes_destroy(&copy);
    assert_equal(firn_memory_read().bytes, before);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    for (int forever = 0; forever < 2; forever++) {
        uint64_t k = 1;
        for (bool done = false; !done; k++) {
            firn_shapes shapes = {0}, copy = {0};
            firn_memory_fail_at(k, forever);
            firn_result result = build(&shapes);
            if (result == FIRN_OK) result = firn_shapes_copy(&shapes, &copy);
            firn_memory_fail_at(0, false);
            done = result == FIRN_OK;
            if (!done) assert_int_equal(result, FIRN_BROKEN_MEMORY);
            firn_shapes_destroy(&shapes);
            firn_shapes_destroy(&copy);
            assert_equal(firn_memory_read().bytes, before);
        }
        assert_greater(k, 10);
    }
}

int test_shape(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bad_parameters_are_refused),
                                       cmocka_unit_test(equal_shapes_are_equal_bytes),
                                       cmocka_unit_test(copies_are_whole_and_apart),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
