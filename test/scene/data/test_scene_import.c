// SPDX-License-Identifier: MIT
// Shapes that are copied into another scene are the same solids, and come once.
#include "scene/data/scene_import.h"

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
// after what defines bool
#include "firn/firn.h"
#include "firn_test.h"
#include "sim/sim.h"

static void same_solids(void** state)
{
    (void)state;
    static const char text[] =
        "firn: 1\nsolver: mpm\nmpm: {cell: 0.1}\n"
        "snow:\n  - shape: {sphere: {center: [0, 3, 0], radius: 1}}\n"
        "colliders:\n"
        "  - shape: {difference: [{union: {of: [{box: {center: [0, 0, 0], size: [1, 2, 3]}}, "
        "{sphere: {center: [1, 0, 0], radius: 0.7}}]}}, {sphere: {center: [0, 1, 0], "
        "radius: 0.3}}]}\n"
        "  - shape: {height_field: {origin: [-1, 0, -1], size: [2, 0.5, 2], noise: {scale: 0.7, "
        "octaves: 3, seed: 4}}}\n";
    firn_scene *from, *to;
    assert_int_equal(firn_scene_create(&from), FIRN_OK);
    assert_int_equal(firn_scene_create(&to), FIRN_OK);
    const firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(from, text, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(from));
    firn_shape_id first;
    assert_int_equal(firn_scene_sphere(to, firn_v3(9, 9, 9), 1, &first), FIRN_OK);
    for (int c = 0; c < 2; c++) {
        const firn_local shape = from->data.colliders[c].shape;
        firn_local copy, again;
        assert_int_equal(firn_scene_import_shape(&to->data, &from->data, shape, &copy), FIRN_OK);
        const firn_local count = to->data.shapes.node_count;
        assert_int_equal(firn_scene_import_shape(&to->data, &from->data, shape, &again), FIRN_OK);
        assert_int_equal(again, copy);
        assert_int_equal(to->data.shapes.node_count, count);
        assert_int_equal(to->data.field_text_count, to->data.shapes.field_count);
        for (int k = 0; k < 200; k++) {
            const firn_vec3 x =
                firn_v3((firn_real)(0.37 * (k % 7) - 1.2), (firn_real)(0.29 * (k % 11) - 1.5),
                        (firn_real)(0.41 * (k % 5) - 1.1));
            assert_true(firn_shape_distance(&to->data.shapes, copy, x) ==
                        firn_shape_distance(&from->data.shapes, shape, x));
        }
    }
    firn_scene_destroy(from);
    firn_scene_destroy(to);
}

int test_scene_import(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_solids)};
    return cmocka_run_group_tests_name("scene_import", tests, NULL, NULL);
}
