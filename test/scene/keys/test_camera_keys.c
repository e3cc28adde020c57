// SPDX-License-Identifier: MIT
// Cameras of glTF files in scenes, and cameras by name.
#include <math.h>

#include "mesh/gltf_maker.h"
#include "render/camera_path.h"
#include "scene/run/camera_key.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define SCENE(render) "firn: 1\nsnow:\n- shape: {sphere: {radius: 1}}\nrender: " render "\n"
#define LENS \
    ",\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":0.5,\"znear\":0.1}}]"

static void write_moving_camera(void)
{
    write_gltf(fill("\"nodes\":[{\"name\":\"Eye\",\"camera\":0,\"rotation\":[0,0,1,0]}]" LENS
                    ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
                    "\"path\":\"translation\"}}],\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
                    TIMES, MOVES));
}

static void check_track(const firn_render_block* r)
{
    // between two poses, too; look_at is at distance 3 along -z
    for (double t = -1; t < 3; t += 0.0173) {
        const firn_camera_key key = firn_camera_key_at(r, t);
        const double s = fmin(fmax(t, 0), 1.5);
        assert_near(key.eye[0], fmin(2 * s, 1), 5e-3);  // the corner at 0.5 s is between two poses
        assert_near(key.eye[1], fmax(0, 2 * (s - 0.5)), 5e-3);
        assert_near(key.look_at[2], -3, 1e-6);
        assert_near(key.fov_deg, 28.647889757, 1e-6);
    }
    const firn_camera c = firn_camera_of_scene(r, 1);
    assert_near(c.up.y, -1, 1e-6);  // the file's camera stands on its head
    assert_near(c.right.x, -1, 1e-6);
    assert_near(c.forward.z, -1, 1e-6);
}

static void the_camera_of_a_file(void** state)
{
    (void)state;
    write_moving_camera();
    firn_scene_data s =
        parse_good(SCENE("{camera: {file: " GLTF_PATH ", name: Eye, look_at: [1, 1, -3]}}"), NULL);
    check_track(&s.render);
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_ptr_not_equal(copy.render.camera_track, s.render.camera_track);
    firn_scene_data_destroy(&s);
    check_track(&copy.render);
    firn_scene_data_changed(&copy);  // is written from its data
    char* text = firn_scene_to_yaml(&copy);
    assert_non_null(text);
    firn_scene_data again = parse_good(text, NULL);
    check_track(&again.render);
    firn_free(text);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
}

static const char named[] =
    SCENE("{camera: {eye: [0, 1, 5], look_at: [0, 0, 0]}, cameras: {\n"
          "  close: {eye: [0, 1, 2], look_at: [0, 0.5, 0], fov: 20, lens: 2 cm},\n"
          "  pan: {keys: [{time: 0, eye: [1, 2, 3], look_at: [0, 0, 0]},\n"
          "    {time: 1, eye: [2, 2, 3], look_at: [0, 0, 0]}]}}}");

static void cameras_by_name(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(named, NULL);
    assert_equal(s.render.eye[2], 5);
    firn_scene_data_destroy(&s);
    s = parse_good(named, &(firn_scene_options){.camera = "close"});
    assert_equal(s.render.eye[2], 2);
    assert_equal(s.render.fov_deg, 20);
    assert_equal(s.render.lens, 0.02);
    firn_scene_data_destroy(&s);
    const char* wider = "render.camera.fov=60";
    s = parse_good(
        named, &(firn_scene_options){.camera = "close", .overrides = &wider, .override_count = 1});
    assert_equal(s.render.eye[2], 2);
    assert_equal(s.render.fov_deg, 60);
    firn_scene_data_destroy(&s);
    s = parse_good(named, &(firn_scene_options){.camera = "pan"});
    assert_equal(s.render.camera_key_count, 2);
    assert_equal(s.render.fov_deg, 35);
    firn_scene_data_destroy(&s);
}

static void refuse(const char* text, const firn_scene_options* options, const char* words)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_not_equal(parse_length(text, strlen(text), options, &s, &d), FIRN_OK);
    char* all = firn_diagnostics_text(&d);
    assert_contains(all, words);
    firn_free(all);
    firn_diagnostics_destroy(&d);
}

static void what_is_refused(void** state)
{
    (void)state;
    refuse(named, &(firn_scene_options){.camera = "far"},
           "the scene has no camera 'far'; render.cameras has: close, pan");
    refuse(SCENE("{}"), &(firn_scene_options){.camera = "far"}, "it has no render.cameras");
    refuse(SCENE("{cameras: {one: {fov: 300}}}"), NULL, "'fov'");
    refuse(SCENE("{cameras: {one: {eye: [0, 0, 1]}}}"), NULL, "needs the key 'look_at'");
    refuse(SCENE("{camera: {file: /none.glb}}"), NULL, "/none.glb");
    write_moving_camera();
    refuse(SCENE("{camera: {file: " GLTF_PATH ", name: Other}}"), NULL,
           "no camera is called 'Other'; there are: Eye");
}

int test_camera_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_camera_of_a_file),
                                       cmocka_unit_test(cameras_by_name),
                                       cmocka_unit_test(what_is_refused)};
    return cmocka_run_group_tests_name("camera_keys", tests, NULL, NULL);
}
