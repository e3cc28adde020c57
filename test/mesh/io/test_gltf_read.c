// SPDX-License-Identifier: MIT
// Nodes, scenes and skins of glTF files: what cannot be is named.
#include "mesh/gltf_maker.h"

static void trees_that_are_none(void** state)
{
    (void)state;
    read_bad("\"nodes\":[{\"children\":[1]},{\"children\":[0]}]", FIRN_REFUSED_SCENE,
             "nodes[0] is part of a cycle");
    read_bad("\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]", FIRN_REFUSED_SCENE,
             "nodes[2] is a child of nodes[0] and nodes[1]");
    read_bad("\"nodes\":[{\"children\":[1]}]", FIRN_REFUSED_SCENE, "no such child: there are 1");
    read_bad("\"nodes\":[{\"children\":[0.5]}]", FIRN_REFUSED_SCENE, "no such child");
    read_bad("\"nodes\":[{}],\"scenes\":[{\"nodes\":[4]}]", FIRN_REFUSED_SCENE,
             "scenes[0] names no node: there are 1");
    read_bad("\"nodes\":[{}],\"scene\":3", FIRN_REFUSED_SCENE, "'scene' is 3, but there are 0");
    read_bad("\"nodes\":[{\"mesh\":0}]", FIRN_REFUSED_SCENE, "'mesh' is 0, but there are 0 meshes");
    read_bad("\"nodes\":[{\"translation\":[1,2]}]", FIRN_REFUSED_SCENE,
             "'translation' must be 3 numbers");
    read_bad("\"nodes\":[{\"rotation\":[0,0,0,\"1\"]}]", FIRN_REFUSED_SCENE,
             "'rotation' must be 4 numbers");
    read_bad("\"nodes\":[{\"weights\":[\"a\"]}]", FIRN_REFUSED_SCENE, "'weights' must be numbers");
}

static void skins_that_do_not_fit(void** state)
{
    (void)state;
    read_bad("\"nodes\":[{}],\"skins\":[{\"joints\":[]}]", FIRN_REFUSED_SCENE,
             "skins[0] has no joints");
    read_bad("\"nodes\":[{}],\"skins\":[{\"joints\":[0,8]}]", FIRN_REFUSED_SCENE,
             "joint 1 of skins[0] is no node: there are 1");
    read_bad(fill("\"nodes\":[{},{},{}],\"skins\":[{\"name\":\"S\",\"joints\":[0,1,2],"
                  "\"inverseBindMatrices\":%d}]",
                  INVERSES),
             FIRN_REFUSED_SCENE, "inverseBindMatrices of skins[0] ('S'): 2 matrices for 3 joints");
    read_bad("\"nodes\":[{\"name\":\"N\",\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0]}]"
             "," STRIP_MESH,
             FIRN_REFUSED_SCENE, "nodes[0] ('N') has a skin, but its mesh has no JOINTS_0");
    read_bad(fill("\"nodes\":[{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0]}],\"meshes\":[{"
                  "\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":%d,"
                  "\"WEIGHTS_0\":%d},\"indices\":1}]}]",
                  STRIP_JOINTS, STRIP_SHARES),
             FIRN_REFUSED_SCENE, "meshes[0], vertex 2: joint 1, but skins[0] has 1");
}

static void nodes_are_found_by_name(void** state)
{
    (void)state;
    write_gltf("\"nodes\":[{\"name\":\"Hip\"},{\"name\":\"Knee \\u00e9\"},{},{\"name\":\"Twin\"},"
               "{\"name\":\"Twin\"}]");
    firn_gltf* gltf = read_good(false, NULL);
    firn_local node = -1;
    firn_error error = {0};
    assert_int_equal(firn_gltf_find_node(gltf, "Knee \xC3\xA9", &node, &error), FIRN_OK);
    assert_int_equal(node, 1);
    assert_int_equal(firn_gltf_find_node(gltf, "Foot", &node, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "no node is called 'Foot'; there are: Hip, Knee \xC3\xA9, "
                                "Twin, Twin");
    assert_int_equal(firn_gltf_find_node(gltf, "Twin", &node, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "2 nodes are called 'Twin'");
    firn_gltf_destroy(gltf);
}

int test_gltf_read(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_that_are_none),
                                       cmocka_unit_test(skins_that_do_not_fit),
                                       cmocka_unit_test(nodes_are_found_by_name)};
    return cmocka_run_group_tests_name("gltf_read", tests, NULL, NULL);
}
