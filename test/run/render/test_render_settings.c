// SPDX-License-Identifier: MIT
// What pictures are made of: only the block render may change, equal settings are equal texts, and
// what differs is named.
#include "run/render/render_settings.h"

#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn_test.h"
#include "scene/data/scene.h"

#define DIR FIRN_TEST_TMP "/run"
static const char scene_text[] =
    "firn: 1\n"
    "solver: mpm\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "  - shape: {sphere: {center: [0, 0, 0], radius: 0.02}}\n"
    "    surface: {kind: rough, colour: [0.5, 0.25, 0.5]}\n"
    "render: {camera: {eye: [1, 1, 1], look_at: [0, 0, 0]}, width: 64, height: 36,\n"
    "         samples: 64, medium: {albedo: [0.9, 0.95, 1], extinction: 724}}\n";

static int write_scene(void** state)
{
    (void)state;
    if (firn_folder_make(DIR, NULL) != FIRN_OK) return 1;
    return firn_file_write(DIR "/scene.yaml", scene_text, strlen(scene_text), NULL) != FIRN_OK;
}

static char* settings_of(const char* override)
{
    firn_scene_data scene;
    firn_error error = {0};
    if (firn_render_scene_load(DIR, &override, override != NULL, &scene, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    char* text = firn_render_settings(&scene);
    assert_non_null(text);
    firn_scene_data_destroy(&scene);
    return text;
}

static void check_difference(const char* override, const char* want)
{
    char *before = settings_of(NULL), *now = settings_of(override);
    char text[400];
    assert_string_not_equal(before, now);
    firn_render_difference(before, now, text, sizeof text);
    assert_string_equal(text, want);
    firn_free(before);
    firn_free(now);
}

static void what_differs_is_named(void** state)
{
    (void)state;
    check_difference("render.samples=640", "render.samples was 64 and is 640");
    check_difference("render.medium.albedo=[0.9, 0.5, 1]",
                     "render.medium.albedo was [0.9, 0.95, 1] and is [0.9, 0.5, 1]");
    check_difference("render.camera.eye=[1, 1, 2]",
                     "render.camera.eye was [1, 1, 1] and is [1, 1, 2]");
    check_difference("colliders.1.surface={kind: metal, roughness: 0.2}",
                     "colliders.surface.kind was rough and is metal");
    check_difference("colliders.1.surface.colour=[1, 0, 0]",
                     "colliders.surface.colour was [0.5, 0.25, 0.5] and is [1, 0, 0]");
    check_difference("render.denoise=false", "render.denoise was true and is false");
    check_difference(
        "render.camera.keys=[{time: 0, eye: [1, 2, 3], look_at: [0, 0, 0]}]",
        "render.camera.keys was [] and is [{time: 0, eye: [1, 2, 3], look_at: [0, 0, 0], fov: "
        "35}]");
}

// The same meaning gives the same text, however it is written.
static void same_settings_same_text(void** state)
{
    (void)state;
    static const char* const same[] = {"render.samples=64", "render.medium.extinction=724.0",
                                       "render.camera.eye=[1.0, 100 cm, 1]"};
    char* want = settings_of(NULL);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        char* text = settings_of(same[k]);
        assert_string_equal(text, want);
        firn_free(text);
    }
    firn_free(want);
}

static void differences_of_odd_texts(void** state)
{
    (void)state;
    char text[200];
    firn_render_difference("{a: \"x, {y\", b: 1}", "{a: \"x, {y\", b: 2}", text, sizeof text);
    assert_string_equal(text, "b was 1 and is 2");
    firn_render_difference("{s: {f: \"q\", t: 0}}", "{s: {t: 0}}", text, sizeof text);
    assert_string_equal(text, "s.f was \"q\", s.t is 0");
    firn_render_difference("{a: [{b: 1}, {b: 2}]}", "{a: [{b: 1}, {b: 3}]}", text, sizeof text);
    assert_string_equal(text, "a.b was 2 and is 3");
    // whatever an older or newer firn or a user wrote
    static const char* const odd[] = {"", "}}}]]", "{{{{{{{{{{{{{{{{{{{{{{{{{{{{", "{a", "\"\\"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (size_t j = 0; j < sizeof odd / sizeof *odd; j++)
            firn_render_difference(odd[i], odd[j], text, sizeof text);
}

static void check_refused(const char* override, firn_result want, const char* words)
{
    firn_scene_data scene;
    firn_error error = {0};
    assert_int_equal(firn_render_scene_load(DIR, &override, 1, &scene, &error), want);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' is not in: %s", words, error.text);
}

static void another_camera(void** state)
{
    (void)state;
    firn_scene_data scene;
    firn_error error = {0};
    const char* set = "render.camera.fov=50";
    const char* pose = "{eye: [2, 3, 4], look_at: [0, 1, 0]}";
    assert_int_equal(firn_render_scene_load_by(DIR, pose, &set, 1, &scene, &error), FIRN_OK);
    assert_equal(scene.render.eye[2], 4);
    assert_equal(scene.render.look_at[1], 1);
    assert_equal(scene.render.fov_deg, 50);
    firn_scene_data_destroy(&scene);
    const struct {
        const char* camera;
        firn_result want;
        const char* words;
    } bad[] = {{"", FIRN_REFUSED_ARGUMENT, "an empty camera"},
               {"left", FIRN_REFUSED_SCENE, "no camera 'left'"},
               {"{eye: [1, 2]}", FIRN_REFUSED_SCENE, "3 numbers"},
               {"none.gltf", FIRN_REFUSED_IO, "'none.gltf' cannot be read"},
               {"none.glb:Left", FIRN_REFUSED_IO, "'none.glb' cannot be read"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(firn_render_scene_load_by(DIR, bad[k].camera, NULL, 0, &scene, &error),
                         bad[k].want);
        if (strstr(error.text, bad[k].words) == NULL)
            fail_msg("'%s' is not in: %s", bad[k].words, error.text);
    }
}

static void refusals(void** state)
{
    (void)state;
    check_refused("mpm.cell=0.01", FIRN_REFUSED_ARGUMENT, "the simulation is done");
    check_refused("renderer.samples=1", FIRN_REFUSED_ARGUMENT, "renderer.samples=1");
    check_refused("colliders.0.friction=1", FIRN_REFUSED_ARGUMENT, "colliders.0.friction=1");
    check_refused("colliders..surface=1", FIRN_REFUSED_ARGUMENT, "colliders..surface=1");
    check_refused("colliders.0.surfaces=1", FIRN_REFUSED_ARGUMENT, "colliders.0.surfaces=1");
    check_refused("=1", FIRN_REFUSED_ARGUMENT, "'=1'");
    check_refused("colliders.0.surface.kind=gold", FIRN_REFUSED_SCENE, "gold");
    check_refused("render.samples", FIRN_REFUSED_ARGUMENT, "render.samples");
    check_refused("render.samples=0", FIRN_REFUSED_SCENE, "samples");
    check_refused("render.sampels=3", FIRN_REFUSED_SCENE, "did you mean 'samples'");
    check_refused("render.width=33", FIRN_REFUSED_SCENE, "even");
    firn_scene_data scene;
    firn_error error = {0};
    assert_int_not_equal(firn_render_scene_load(DIR "/none", NULL, 0, &scene, &error), FIRN_OK);
    assert_contains(error.text, "none/scene.yaml");
}

// The sky's picture is part of what is seen: another file of the same name is another origin.
static void origin(void** state)
{
    (void)state;
    static const char* const sky = "render.sky.picture=" DIR "/sky.exr";
    firn_scene_data scene;
    firn_error error = {0};
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(firn_file_write(DIR "/sky.exr", "123", (size_t)(k + 1), NULL), FIRN_OK);
        assert_int_equal(firn_render_scene_load(DIR, &sky, k > 0, &scene, &error), FIRN_OK);
        assert_int_equal(firn_render_origin(&scene, &hash[k], &error), FIRN_OK);
        firn_scene_data_destroy(&scene);
    }
    assert_int_equal(unlink(DIR "/sky.exr"), 0);
    assert_int_equal(firn_render_scene_load(DIR, &sky, 1, &scene, &error), FIRN_OK);
    assert_int_equal(firn_render_origin(&scene, &hash[0], &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "sky.exr");
    firn_scene_data_destroy(&scene);
    assert_not_equal(hash[0], hash[1]);
    assert_not_equal(hash[1], hash[2]);
    assert_not_equal(hash[0], hash[2]);
}

int test_render_settings(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs_is_named),
        cmocka_unit_test(same_settings_same_text),
        cmocka_unit_test(differences_of_odd_texts),
        cmocka_unit_test(another_camera),
        cmocka_unit_test(refusals),
        cmocka_unit_test(origin),
    };
    return cmocka_run_group_tests_name("render_settings", tests, write_scene, NULL);
}
