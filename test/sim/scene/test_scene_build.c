// SPDX-License-Identifier: MIT
// Scenes from code: a word becomes snow, and mistakes are reported.
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

static firn_scene* new_scene(void)
{
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_set(scene, "mpm.cell", "0.02"), FIRN_OK);
    return scene;
}

static void words_become_snow(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_text_def word = firn_default_text_def();
    firn_shape_id shape = {0};
    word.text = "I";
    const firn_result made = firn_scene_text(scene, &word, &shape);
    if (strstr(firn_version().features, "freetype") == NULL) {
        assert_int_equal(made, FIRN_REFUSED_BACKEND);
        assert_contains(firn_scene_messages(scene), "libfreetype-dev");
        firn_scene_destroy(scene);
        return;
    }
    assert_int_equal(made, FIRN_OK);
    firn_snow_def snow = firn_default_snow_def();
    firn_snow_id id;
    snow.shape = shape;
    assert_int_equal(firn_scene_add_snow(scene, &snow, &id), FIRN_OK);
    firn_scene_info info;
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_OK);
    // a box of 385 x 1493 font units, 0.1 m deep: 2321 cm^3 in cells of 8 cm^3, eight particles
    // each. About half of them lie at the faces, where stratified seeds fall in or out by chance:
    // sqrt(1200) / 2 = 17 of them, and four times that.
    assert_near(info.particles, 2321, 70);
    firn_sim_def def = firn_default_sim_def();
    firn_sim* sim;
    firn_error error;
    assert_int_equal(firn_sim_create(scene, &def, &sim, &error), FIRN_OK);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    assert_near((long)firn_sim_read(sim).particle_count, 2321, 70);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
}

static void what_is_wrong_with_a_word_is_told(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_text_def word = firn_default_text_def();
    firn_shape_id shape = {77, 77};
    assert_int_equal(firn_scene_text(scene, NULL, &shape), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_text(scene, &(firn_text_def){.text = "I"}, &shape),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "firn_default_text_def()");
    assert_int_equal(firn_scene_text(scene, &word, &shape), FIRN_REFUSED_ARGUMENT);  // no text
    word.text = "I";
    word.depth = -1;
    assert_int_equal(firn_scene_text(scene, &word, &shape), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_scene_messages(scene), "its depth is -1");
    word.depth = 0.1;
    word.font = "NoSuchFontAtAll";
    assert_int_equal(firn_scene_text(scene, &word, &shape), FIRN_REFUSED_NAME);
    assert_int_equal(shape.slot1, 77);
    firn_scene_destroy(scene);
}

int test_scene_build(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_snow),
        cmocka_unit_test(what_is_wrong_with_a_word_is_told),
    };
    return cmocka_run_group_tests_name("scene_build", tests, NULL, NULL);
}
