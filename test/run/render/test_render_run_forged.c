// SPDX-License-Identifier: MIT
// Frames whose checksums are right and whose contents are wrong: pictures, exports, measures and
// replay refuse them with the name of the file, and none crashes.
#include <math.h>

#include "firn/firn.h"
#include "forge.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/run"
#define FILE_1 "frames/ball.0001.hdf"
#define PATH_1 DIR "/" FILE_1

static const char scene_text[] =
    "firn: 1\n"
    "solver: ballistic\n"
    "time: {frames: 1, fps: 24}\n"
    "snow:\n"
    "  - shape: {sphere: {center: [0, 0.06, 0], radius: 0.05}}\n"
    "    particles_per_cell: 1\n"
    "output: {preview: false, film: false}\n"
    "render: {camera: {eye: [0.5, 0.3, 0.6], look_at: [0, 0.05, 0]}, width: 16, height: 16,\n"
    "         samples: 1}\n";

static char *frame, *manifest;
static size_t frame_bytes, manifest_bytes;

static int make_run(void** state)
{
    (void)state;
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_load_def load = firn_default_load_def();
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.output_dir = DIR;
    firn_error error = {0};
    bool good = firn_scene_create(&scene) == FIRN_OK &&
                firn_scene_load_text(scene, scene_text, "ball", &load) == FIRN_OK;
    if (!good) print_error("%s\n", firn_scene_messages(scene));
    good = good && firn_sim_create(scene, &def, &sim, &error) == FIRN_OK;
    if (!good) print_error("%s\n", error.text);
    good = good && firn_sim_run(sim) == FIRN_OK;
    if (!good && sim != NULL) print_error("%s\n", firn_sim_error(sim));
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    if (!good) return 1;
    frame = sample_bytes(PATH_1, &frame_bytes);
    manifest = sample_bytes(DIR "/manifest.json", &manifest_bytes);
    return 0;
}

static int drop_run(void** state)
{
    (void)state;
    firn_free(frame);
    firn_free(manifest);
    return 0;
}

// All uses of frame 1. Each is refused as damaged, or, with `any`, ends in whatever way.
static void use(const char* what, bool any)
{
    forge_seal(DIR, FILE_1, 1, NULL, 0);
    firn_error error = {0};
    firn_render_def render = firn_default_render_def();
    firn_render_summary summary;
    render.input_dir = DIR;
    render.frame_begin = render.frame_end = 1;
    render.threads = 1;
    render.overwrite = true;
    firn_result r[4];
    r[0] = firn_render(&render, &summary, &error);
    firn_export_def export = firn_default_export_def();
    export.input_dir = DIR;
    export.ply = export.heights = true;
    export.frame_begin = export.frame_end = 1;
    r[1] = firn_export(&export, &error);
    firn_measure_def measure = firn_default_measure_def();
    measure.input_dir = DIR;
    measure.frame_begin = measure.frame_end = 1;
    firn_frame_measure* rows = NULL;
    int count = 0;
    r[2] = firn_cache_measure(&measure, &rows, &count, &error);
    firn_measure_free(rows);
    firn_replay* replay = NULL;
    if (firn_replay_open(DIR, &replay, &error) != FIRN_OK) fail_msg("%s", error.text);
    r[3] = firn_replay_seek(replay, 1, &error);
    if (!any && strstr(error.text, "ball.0001.hdf") == NULL) fail_msg("%s: %s", what, error.text);
    firn_replay_close(replay);
    for (int k = 0; k < 4 && !any; k++)
        if (r[k] != FIRN_REFUSED_DAMAGED)
            fail_msg("%s: use %d has result %d, %s", what, k, (int)r[k], error.text);
    sample_put(PATH_1, frame, frame_bytes);
    sample_put(DIR "/manifest.json", manifest, manifest_bytes);
}

static void numbers_are_those_of_the_manifest(void** state)
{
    (void)state;
    const int64_t wrong[] = {5, 0, -1, INT64_MAX, INT64_MIN};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        forge_attribute(PATH_1, "/firn", "frame", H5T_NATIVE_INT64, &wrong[k]);
        use("a wrong number", false);
    }
    const double sizes[] = {(double)NAN, -1, 0, 1e300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        forge_attribute(PATH_1, "/firn", "cell", H5T_NATIVE_DOUBLE, &sizes[k]);
        use("a wrong cell", false);
    }
}

static void values_are_finite(void** state)
{
    (void)state;
    const char* const arrays[] = {"/VTKHDF/Points", "/VTKHDF/PointData/velocity",
                                  "/VTKHDF/PointData/mass", "/VTKHDF/PointData/density"};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        forge_element(PATH_1, arrays[k], 4, k % 2 == 0 ? (double)NAN : (double)INFINITY);
        use(arrays[k], false);
        forge_element(PATH_1, arrays[k], 4, -1e30);
        use(arrays[k], true);
    }
}

// Numbers of entries that no run has.
static void manifest_is_checked(void** state)
{
    (void)state;
    firn_manifest m, back;
    firn_error error = {0};
    const int64_t numbers[] = {INT64_MAX, ((int64_t)1 << 53) + 1};
    for (size_t k = 0; k < 2; k++) {
        if (firn_manifest_read(DIR, &m, &error) != FIRN_OK) fail_msg("%s", error.text);
        m.entries[m.count - 1].frame = numbers[k];
        assert_int_equal(firn_manifest_write(DIR, &m, &error), FIRN_OK);
        assert_int_equal(firn_manifest_read(DIR, &back, &error), FIRN_REFUSED_DAMAGED);
        m.entries[m.count - 1].frame = 1;
        m.frame_end = numbers[k];
        assert_int_equal(firn_manifest_write(DIR, &m, &error), FIRN_OK);
        assert_int_equal(firn_manifest_read(DIR, &back, &error), FIRN_REFUSED_DAMAGED);
        m.frame_end = 1;
        m.fps = 0;
        assert_int_equal(firn_manifest_write(DIR, &m, &error), FIRN_OK);
        assert_int_equal(firn_manifest_read(DIR, &back, &error), FIRN_REFUSED_DAMAGED);
        firn_manifest_destroy(&m);
        sample_put(DIR "/manifest.json", manifest, manifest_bytes);
    }
}

int test_render_run_forged(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_manifest),
        cmocka_unit_test(values_are_finite),
        cmocka_unit_test(manifest_is_checked),
    };
    return cmocka_run_group_tests_name("render_run_forged", tests, make_run, drop_run);
}
