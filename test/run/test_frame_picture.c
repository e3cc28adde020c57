// SPDX-License-Identifier: MIT
// Preview pictures in memory: those of a simulation are those that its run writes, those of a frame
// on disk show the same, sizes are the caller's, and the state does not change.
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"
#include "render/image/image.h"

#define DIR FIRN_TEST_TMP "/picture"
#define WIDTH 96
#define HEIGHT 64
#define BYTES (WIDTH * HEIGHT * 3)

// A dynamic crate: pictures must show it where it is, not where the scene puts it.
static const char scene_text[] =
    "firn: 1\n"
    "solver: grains\n"
    "time: {frames: 2, fps: 10}\n"
    "grains: {radius: 0.05}\n"
    "snow:\n"
    "  - shape: {box: {center: [0, 0.2, 0], size: [0.6, 0.4, 0.6]}}\n"
    "colliders:\n"
    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
    "  - shape: {box: {center: [0, 0, 0], size: [0.2, 0.2, 0.2]}}\n"
    "    position: [0, 0.9, 0]\n"
    "    mass: 5\n"
    "output: {film: false, fields: [mass, density, id, radius, velocity]}\n"
    "render: {width: 96, height: 64, colour_by: {field: velocity, from: 0, to: 2},\n"
    "  camera: {eye: [1.6, 1, 1.6], look_at: [0, 0.3, 0], fov: 40}}\n";

static firn_sim* create(const char* dir)
{
    firn_scene* scene;
    firn_sim* sim = NULL;
    firn_sim_def def = firn_default_sim_def();
    def.threads = 2;
    def.output_dir = dir;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, scene_text, "crate", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    if (firn_sim_create(scene, &def, &sim, NULL) != FIRN_OK) fail_msg("%s", firn_last_error());
    firn_scene_destroy(scene);
    return sim;
}

static void expect_picture(const char* path, const uint8_t* pixels)
{
    firn_image image;
    assert_int_equal(firn_png_read(path, &image, NULL), FIRN_OK);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    assert_memory_equal(image.rgb, pixels, BYTES);
    firn_image_destroy(&image);
}

static void a_run_writes_the_same_picture(void** state)
{
    (void)state;
    static uint8_t first[BYTES], last[BYTES];
    firn_sim* sim = create(DIR);
    assert_int_equal(firn_sim_picture(sim, WIDTH, HEIGHT, first), FIRN_OK);
    assert_int_equal(firn_sim_run(sim), FIRN_OK);
    const uint64_t hash = firn_sim_hash(sim);
    assert_int_equal(firn_sim_picture(sim, WIDTH, HEIGHT, last), FIRN_OK);
    assert_true(firn_sim_hash(sim) == hash);
    expect_picture(DIR "/preview/crate.0000.png", first);
    expect_picture(DIR "/preview/crate.0002.png", last);
    assert_memory_not_equal(first, last, BYTES);  // the crate fell
    firn_sim_destroy(sim);
}

// A frame on disk has float32 fields: the same picture in the float build.
static void a_replay_draws_the_same_picture(void** state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    firn_replay* replay;
    assert_int_equal(firn_replay_open(DIR, &replay, NULL), FIRN_OK);
    assert_int_equal(firn_replay_seek(replay, 2, NULL), FIRN_OK);
    assert_int_equal(firn_replay_picture(replay, WIDTH, HEIGHT, pixels, NULL), FIRN_OK);
    if (sizeof(firn_real) == 4) expect_picture(DIR "/preview/crate.0002.png", pixels);
    firn_error error;
    assert_int_equal(firn_replay_picture(replay, 0, HEIGHT, pixels, &error), FIRN_REFUSED_ARGUMENT);
    assert_string_not_equal(error.text, "");
    firn_replay_close(replay);
}

static void any_size(void** state)
{
    (void)state;
    firn_sim* sim = create(NULL);
    uint8_t* pixels = malloc(200 * 30 * 3);
    assert_non_null(pixels);
    memset(pixels, 7, 200 * 30 * 3);
    assert_int_equal(firn_sim_picture(sim, 200, 30, pixels), FIRN_OK);
    assert_int_equal(firn_sim_picture(sim, 1, 1, pixels), FIRN_OK);
    assert_int_equal(firn_sim_picture(sim, 0, 30, pixels), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_picture(sim, 30, -1, pixels), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_picture(sim, 32769, 1, pixels), FIRN_REFUSED_ARGUMENT);
    assert_string_not_equal(firn_last_error(), "");
    free(pixels);
    firn_sim_destroy(sim);
}

int test_frame_picture(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_writes_the_same_picture),
        cmocka_unit_test(a_replay_draws_the_same_picture),
        cmocka_unit_test(any_size),
    };
    return cmocka_run_group_tests_name("frame_picture", tests, NULL, NULL);
}
