// SPDX-License-Identifier: MIT
// Colliders that follow a node of a glTF file.
#include "geometry/motion/node_motion.h"

#include "mesh/gltf_maker.h"

static void a_node_is_followed(void** state)
{
    (void)state;
    // at 0, 0.5, 1.5 s: (0,0,0) (1,0,0) (1,2,0); 0, 45, 90 degrees about z; 1, 2, 3 times as large
    write_gltf(fill("\"nodes\":[{\"name\":\"Plow\",\"mesh\":0}]," STRIP_MESH
                    ",\"animations\":[{\"name\":\"drive\",\"channels\":["
                    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
                    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"rotation\"}},"
                    "{\"sampler\":2,\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":["
                    "{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d},"
                    "{\"input\":%d,\"output\":%d}]}]",
                    TIMES, MOVES, TIMES, TURNS, TIMES, SIZES));
    firn_motion m;
    firn_error error = {0};
    if (firn_motion_from_node(GLTF_PATH, NULL, "Plow", 10, &m, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_int_equal(m.interpolation, FIRN_INTERPOLATE_LINEAR);
    const firn_pose early = firn_motion_pose(&m, 9);
    assert_equal(early.position.x, 0);
    assert_equal(early.scale, 1);
    assert_equal(early.growth, 0);
    const firn_pose p = firn_motion_pose(&m, 11);  // half way from the second key to the third
    // between its keys a path keeps 1e-4 m, 1e-3 rad and 1e-4 of the scale (node_path.c); at keys
    // it is exact but for the floats of the file
    assert_near(p.position.x, 1, 1e-5);
    assert_near(p.position.y, 1, 1e-3);
    assert_near(p.velocity.x, 0, 1e-5);
    assert_near(p.velocity.y, 2, 1e-2);
    assert_near(p.spin.z, 0.7853981633974483, 1e-3);
    assert_near(p.scale, 2.5, 1e-3);
    assert_near(p.growth, 0.4, 1e-3);
    const firn_pose late = firn_motion_pose(&m, 12);
    assert_near(late.position.y, 2, 1e-5);
    assert_equal(late.velocity.y, 0);
    assert_near(late.scale, 3, 1e-5);
    firn_free(m.keys);
}

static void what_cannot_be_followed(void** state)
{
    (void)state;
    write_gltf(fill("\"nodes\":[{\"name\":\"Plow\",\"mesh\":0}]," STRIP_MESH
                    ",\"animations\":[{\"name\":\"drive\",\"channels\":["
                    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
                    "\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
                    TIMES, MOVES));
    firn_motion m;
    firn_error error = {0};
    assert_int_not_equal(firn_motion_from_node(GLTF_PATH, NULL, "Blow", 0, &m, &error), FIRN_OK);
    assert_contains(error.text, "Blow");
    assert_int_not_equal(firn_motion_from_node(GLTF_PATH, "park", "Plow", 0, &m, &error), FIRN_OK);
    assert_contains(error.text, "park");
    assert_int_equal(firn_motion_from_node(FIRN_TEST_TMP "/none.glb", NULL, "Plow", 0, &m, &error),
                     FIRN_REFUSED_IO);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result == FIRN_BROKEN_MEMORY; k++) {
        firn_memory_fail_at(k, false);
        result = firn_motion_from_node(GLTF_PATH, NULL, "Plow", 0, &m, &error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) firn_free(m.keys);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(result, FIRN_OK);
}

int test_node_motion(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_node_is_followed),
                                       cmocka_unit_test(what_cannot_be_followed)};
    return cmocka_run_group_tests_name("node_motion", tests, NULL, NULL);
}
