// SPDX-License-Identifier: MIT
// Cameras of glTF files: found by name, posed by their nodes and animations.
#include "mesh/io/gltf_camera.h"

#include <math.h>

#include "mesh/gltf_maker.h"

#define CAMERAS                                                                                \
    ",\"cameras\":[{\"name\":\"Wide\",\"type\":\"perspective\",\"perspective\":{\"yfov\":1,"   \
    "\"znear\":0.1}},{\"type\":\"perspective\",\"perspective\":{\"yfov\":0.5,\"znear\":0.1}}," \
    "{\"name\":\"Plan\",\"type\":\"orthographic\",\"orthographic\":{\"xmag\":1}}]"

static firn_gltf_camera read_camera(const char* name)
{
    firn_error error = {0};
    firn_gltf_camera camera;
    if (firn_gltf_read_camera(GLTF_PATH, name, &camera, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return camera;
}

static void near3(const double v[3], double x, double y, double z)
{
    const double miss = fmax(fabs(v[0] - x), fmax(fabs(v[1] - y), fabs(v[2] - z)));
    // quaternions and translations of the file are floats of about 1
    if (!(miss < 1e-6)) fail_msg("(%g, %g, %g) is not (%g, %g, %g)", v[0], v[1], v[2], x, y, z);
}

// A parent turned by 90 degrees about y looks along -x; the camera's node is at (0, 1, 0) of it and
// rolled by 90 degrees: up is what was its -x, in the world +z.
static void a_camera_at_rest(void** state)
{
    (void)state;
    write_gltf("\"nodes\":[{\"rotation\":[0,0.70710678,0,0.70710678],\"translation\":[2,0,0],"
               "\"children\":[1]},{\"name\":\"Eye\",\"camera\":0,\"translation\":[0,1,0],"
               "\"rotation\":[0,0,0.70710678,0.70710678]}]" CAMERAS);
    for (int k = 0; k < 3; k++) {
        firn_gltf_camera c = read_camera(k == 0 ? NULL : k == 1 ? "Eye" : "Wide");
        assert_int_equal(c.pose_count, 1);
        assert_near(c.fov_deg, 57.295779513, 1e-6);
        near3(c.poses[0].eye, 2, 1, 0);
        near3(c.poses[0].forward, -1, 0, 0);
        near3(c.poses[0].up, 0, 0, 1);
        firn_gltf_camera_destroy(&c);
    }
}

// MOVES goes to (1, 0, 0) in half a second and to (1, 2, 0) until 1.5 s.
static void a_camera_that_moves(void** state)
{
    (void)state;
    write_gltf(
        fill("\"nodes\":[{\"name\":\"A\",\"camera\":0},{\"name\":\"B\",\"camera\":1}]" CAMERAS
             ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
             "\"path\":\"translation\"}}],\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
             TIMES, MOVES));
    firn_gltf_camera a = read_camera("A"), b = read_camera("B");
    assert_int_equal(a.pose_count, 1);
    assert_int_equal(b.pose_count, 1 + (int)(1.5 * FIRN_GLTF_CAMERA_RATE));
    assert_near(b.fov_deg, 28.647889757, 1e-6);
    for (firn_local k = 0; k < b.pose_count; k++) {
        const double t = b.poses[k].time;
        assert_near(t, k / FIRN_GLTF_CAMERA_RATE, 1e-12);
        near3(b.poses[k].eye, fmin(2 * t, 1), fmax(0, 2 * (t - 0.5)), 0);
        near3(b.poses[k].forward, 0, 0, -1);
    }
    firn_gltf_camera_destroy(&a);
    firn_gltf_camera_destroy(&b);
}

static void refuse(const char* body, const char* name, firn_result code, const char* words)
{
    firn_error error = {0};
    firn_gltf_camera camera = {.pose_count = 7};
    write_gltf(body);
    assert_int_equal(firn_gltf_read_camera(GLTF_PATH, name, &camera, &error), code);
    assert_contains(error.text, words);
    assert_int_equal(camera.pose_count, 7);  // untouched
}

static void what_is_refused(void** state)
{
    (void)state;
    const char* two = "\"nodes\":[{\"name\":\"A\",\"camera\":0},{\"camera\":2}]" CAMERAS;
    refuse("\"nodes\":[{}]", NULL, FIRN_REFUSED_NAME, "no camera in it");
    refuse(two, NULL, FIRN_REFUSED_NAME, "several cameras, name one of: A, Plan");
    refuse(two, "B", FIRN_REFUSED_NAME, "no camera is called 'B'; there are: A, Plan");
    refuse(two, "Plan", FIRN_REFUSED_SCENE, "cameras[2] has no 'perspective'");
    refuse("\"nodes\":[{\"camera\":4}]" CAMERAS, NULL, FIRN_REFUSED_SCENE,
           "'camera' is 4, but there are 3 cameras");
    refuse("\"nodes\":[{\"camera\":0,\"scale\":[0,0,0]}]" CAMERAS, NULL, FIRN_REFUSED_SCENE,
           "scaled to nothing");
    refuse("\"nodes\":[{\"camera\":0}],\"cameras\":[{\"perspective\":{\"yfov\":4}}]", NULL,
           FIRN_REFUSED_SCENE, "'yfov' must be a number between 0 and pi");
}

// Small files that would keep a reader busy, or fill the memory.
static void what_costs_too_much(void** state)
{
    (void)state;
    refuse(fill("\"nodes\":[{\"name\":\"A\",\"camera\":0}]" CAMERAS
                ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
                "\"path\":\"translation\"}}],\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
                TIMES_LONG, MOVES),
           NULL, FIRN_REFUSED_SCENE, "moves for 43200 s: shorten the animation");
    // a position that is added up beyond all numbers
    refuse("\"nodes\":[{\"scale\":[1e308,1e308,1e308],\"children\":[1]},"
           "{\"camera\":0,\"translation\":[1e308,0,0]}]" CAMERAS,
           NULL, FIRN_REFUSED_SCENE, "beyond all numbers");
}

int test_gltf_camera(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_at_rest), cmocka_unit_test(a_camera_that_moves),
        cmocka_unit_test(what_is_refused), cmocka_unit_test(what_costs_too_much)};
    return cmocka_run_group_tests_name("gltf_camera", tests, NULL, NULL);
}
