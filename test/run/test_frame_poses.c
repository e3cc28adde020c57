// SPDX-License-Identifier: MIT
// Pictures show colliders that the caller moved where they were: the same picture as of a scene
// that moves them so.
#include "run/frame_poses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/collider/collider_drive.h"
#include "render/image/image.h"

static const char scene_text[] =
    "firn: 1\n"
    "solver: ballistic\n"
    "time: {frames: 1, fps: 4}\n"
    "ballistic: {spacing: 0.02}\n"
    "gravity: [0, 0, 0]\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 1, 0], radius: 0.05}}\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "  - shape: {box: {center: [0, 0, 0], size: [0.5, 0.5, 0.5]}}\n"
    "    position: [0, 0.5, 0]\n"
    "    velocity: [0, 0, 0]\n"
    "    surface: {kind: diffuse, colour: [0.8, 0.1, 0.1]}\n"
    "output: {film: false}\n"
    "render: {camera: {eye: [0, 1, 4], look_at: [0, 0.7, 0]}, width: 64, height: 36, samples: 8,\n"
    "         shutter: 0}\n";

// Runs two frames into `dir`; `drive` moves collider 1 as the override moves it in the scene.
static void run(const char* dir, const char* const* overrides, size_t count, bool drive)
{
    firn_load_def load = firn_default_load_def();
    load.overrides = overrides;
    load.override_count = count;
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_error error = {0};
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = dir;
    def.overwrite = true;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, scene_text, "box", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    if (drive) {
        firn_local bodies = 0;
        firn_collider* b = sim->solver->colliders(sim->self, &bodies);
        firn_motion m = firn_motion_at_rest();
        m.position = firn_v3((firn_real)0.25, (firn_real)0.5, 0);
        m.velocity = firn_v3(2, 0, 0);
        assert_int_equal(firn_collider_drive(&b[1], FIRN_MOVED_BY_CALLER, &m, 0, NULL), FIRN_OK);
    }
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    firn_sim_destroy(sim);
}

static void render(const char* dir, const char* out, const char* override)
{
    firn_render_def def = firn_default_render_def();
    firn_error error = {0};
    def.input_dir = dir;
    def.output_dir = out;
    def.threads = 1;
    def.exr = def.film = false;
    def.overwrite = true;
    def.frame_begin = 1;
    def.overrides = &override;
    def.override_count = override != NULL;
    if (firn_render(&def, NULL, &error) != FIRN_OK) fail_msg("%s", error.text);
}

// The same poses, rounded differently, may change the last bit of a few pixels at edges: 0.01 is 69
// of the 6912 values by one. A collider in another position changes whole areas.
#define SAME_PICTURE 0.01

// Mean difference of two pictures, 0..255.
static double difference(const char* a_path, const char* b_path)
{
    firn_image a, b;
    assert_int_equal(firn_png_read(a_path, &a, NULL), FIRN_OK);
    assert_int_equal(firn_png_read(b_path, &b, NULL), FIRN_OK);
    assert_equal(a.width, b.width);
    assert_equal(a.height, b.height);
    const int64_t count = 3 * (int64_t)a.width * a.height;
    double sum = 0;
    for (int64_t k = 0; k < count; k++) sum += abs(a.rgb[k] - b.rgb[k]);
    firn_image_destroy(&a);
    firn_image_destroy(&b);
    return sum / (double)count;
}

#define AT(name) FIRN_TEST_TMP "/" name

static void pictures_show_moved_bodies(void** state)
{
    (void)state;
    static const char* const there[] = {"colliders.1.position=[0.25, 0.5, 0]",
                                        "colliders.1.velocity=[2, 0, 0]"};
    run(AT("scene"), there, 2, false);
    run(AT("caller"), NULL, 0, true);
    run(AT("nobody"), NULL, 0, false);
    const char* preview = "/preview/box.0001.png";
    char path[3][400];
    static const char* const dirs[3] = {AT("scene"), AT("caller"), AT("nobody")};
    for (int k = 0; k < 3; k++) snprintf(path[k], sizeof path[k], "%s%s", dirs[k], preview);
    assert_less(difference(path[0], path[1]), SAME_PICTURE);
    assert_greater(difference(path[0], path[2]), 3);
    for (int k = 0; k < 3; k++) render(dirs[k], dirs[k], NULL);
    for (int k = 0; k < 3; k++) snprintf(path[k], sizeof path[k], "%s/box.0001.png", dirs[k]);
    assert_less(difference(path[0], path[1]), SAME_PICTURE);
    assert_greater(difference(path[0], path[2]), 3);
    // while the shutter is open a moved collider keeps its velocity; motion blur shows at its edges
    char still[400];
    snprintf(still, sizeof still, "%s/still.png", dirs[1]);
    assert_int_equal(rename(path[1], still), 0);
    for (int k = 0; k < 2; k++) render(dirs[k], dirs[k], "render.shutter=1");
    assert_less(difference(path[0], path[1]), SAME_PICTURE);
    assert_greater(difference(path[1], still), 0.3);
}

static void poses_are_put_and_taken_back(void** state)
{
    (void)state;
    firn_collider c[3] = {0};
    for (int k = 0; k < 3; k++) c[k].motion = firn_motion_at_rest();
    const firn_frame_body b = {
        1, FIRN_BODY_FREE, {{1, 2, 3}, {1, 0, 0, 0}, 1, {4, 0, 0}, {0, 0, 0}}};
    firn_error error = {0};
    assert_int_equal(firn_frame_poses_put(&b, 1, 5, c, 3, &error), FIRN_OK);
    assert_int_equal(c[0].moved_by, FIRN_MOVED_BY_SCENE);
    assert_int_equal(c[1].moved_by, FIRN_MOVED_BY_SOLVER);
    const firn_pose later = firn_collider_pose_at(&c[1], 5.5);
    assert_equal(later.position.x, 3);
    assert_equal(later.position.y, 2);
    // a frame that has it no more: the scene moves it again
    assert_int_equal(firn_frame_poses_put(NULL, 0, 6, c, 3, &error), FIRN_OK);
    assert_int_equal(c[1].moved_by, FIRN_MOVED_BY_SCENE);
    // of another scene
    assert_int_equal(firn_frame_poses_put(&b, 1, 5, c, 1, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "collider 1");
    assert_int_equal(c[0].moved_by, FIRN_MOVED_BY_SCENE);
}

int test_frame_poses(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_show_moved_bodies),
        cmocka_unit_test(poses_are_put_and_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
