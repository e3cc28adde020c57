// SPDX-License-Identifier: MIT
// Meshes and level sets from code: a closed mesh becomes snow, mistakes are reported.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

static const firn_vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static firn_mesh_def cube(int triangles)
{
    firn_mesh_def def = firn_default_mesh_def();
    def.vertices = corners;
    def.vertex_count = 8;
    def.triangles = faces[0];
    def.triangle_count = triangles;
    def.scale = 0.5;
    def.voxel = 0.02;
    return def;
}

static int use_own_cache(void** state)
{
    (void)state;
    return setenv("FIRN_CACHE", FIRN_TEST_TMP "/cache", 1);
}

static void a_cube_of_triangles_becomes_snow(void** state)
{
    (void)state;
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "mpm.cell", "0.05"), FIRN_OK);
    firn_shape_id shape = {0};
    const firn_mesh_def def = cube(12);
    assert_int_equal(firn_scene_mesh(scene, &def, &shape), FIRN_OK);
    firn_snow_def snow = firn_default_snow_def();
    firn_snow_id id;
    snow.shape = shape;
    assert_int_equal(firn_scene_add_snow(scene, &snow, &id), FIRN_OK);
    firn_sim_def sim_def = firn_default_sim_def();
    firn_sim* sim;
    firn_error error;
    assert_int_equal(firn_sim_create(scene, &sim_def, &sim, &error), FIRN_OK);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    // half a metre in cells of 5 cm, eight particles each; the level set has voxels of 2 cm, so
    // that a few at edges and corners fall in or out
    assert_near((long)firn_sim_read(sim).particle_count, 8000, 80);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
}

static void mistakes_are_told(void** state)
{
    (void)state;
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_shape_id shape = {77, 77};
    assert_int_equal(firn_scene_mesh(scene, NULL, &shape), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_mesh(scene, &(firn_mesh_def){.file = "x.obj"}, &shape),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "firn_default_mesh_def()");
    firn_mesh_def def = firn_default_mesh_def();
    assert_int_equal(firn_scene_mesh(scene, &def, &shape), FIRN_REFUSED_ARGUMENT);  // nothing
    def.file = FIRN_TEST_TMP "/not-there.obj";
    assert_int_equal(firn_scene_mesh(scene, &def, &shape), FIRN_REFUSED_IO);
    assert_int_equal(firn_scene_level_set(scene, NULL, NULL, &shape), FIRN_REFUSED_ARGUMENT);
    if (strstr(firn_version().features, "vdb") != NULL) {
        def = cube(11);
        assert_int_equal(firn_scene_mesh(scene, &def, &shape), FIRN_REFUSED_SCENE);
        assert_contains(firn_scene_messages(scene), "3 open edges");
        assert_int_equal(firn_scene_level_set(scene, FIRN_TEST_TMP "/none.vdb", NULL, &shape),
                         FIRN_REFUSED_IO);
        assert_int_equal(shape.slot1, 77);
        def.mend = true;
        assert_int_equal(firn_scene_mesh(scene, &def, &shape), FIRN_OK);
    }
    firn_scene_destroy(scene);
}

// More vertices or triangles than an index can name: refused without a look at the arrays.
static void absurd_counts(void** state)
{
    (void)state;
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const int64_t counts[] = {INT64_MIN, -1, (int64_t)INT32_MAX + 1, (int64_t)1 << 40, INT64_MAX};
    for (size_t k = 0; k < 2 * sizeof counts / sizeof *counts; k++) {
        firn_mesh_def def = cube(12);
        *(k % 2 == 0 ? &def.vertex_count : &def.triangle_count) = counts[k / 2];
        firn_shape_id shape;
        assert_int_equal(firn_scene_mesh(scene, &def, &shape), FIRN_REFUSED_ARGUMENT);
    }
    firn_scene_destroy(scene);
}

int test_scene_build_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_of_triangles_becomes_snow),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(absurd_counts),
    };
    return cmocka_run_group_tests_name("scene_build_mesh", tests, use_own_cache, NULL);
}
