// SPDX-License-Identifier: MIT
// Exporting a run: which files appear where, ranges, damaged frames, progress, refusals.
#include "output/export/export.h"

#include "firn/firn.h"
#include "output/export/vdb.h"
#include "output/run/manifest.h"
#include "output/sample.h"

#define RUN FIRN_TEST_TMP "/run"
#define OUT FIRN_TEST_TMP "/out"

static firn_particles particles;
static const firn_export_visitor nobody;

static void make_run(bool with_mass)
{
    firn_error error;
    firn_manifest m = {.scene = "a/b", .solver = "mpm", .fps = 24, .cell = 0.25, .frame_end = 3};
    assert_int_equal(firn_folder_make(RUN, &error), FIRN_OK);
    for (int k = 0; k < 4; k++) {
        char file[64], path[4096];
        firn_frame frame = sample_frame(&particles);
        frame.info.frame = k;
        frame.info.cell = m.cell;
        snprintf(frame.info.scene, sizeof frame.info.scene, "%s", m.scene);
        if (!with_mass) frame.mass = NULL;
        snprintf(file, sizeof file, "f.%04d.hdf", k);
        snprintf(path, sizeof path, RUN "/%s", file);
        assert_int_equal(firn_frame_write(path, &frame, 1, &error), FIRN_OK);
        assert_int_equal(firn_manifest_add(&m, RUN, FIRN_ENTRY_FRAME, k, file, &error), FIRN_OK);
    }
    assert_int_equal(firn_manifest_write(RUN, &m, &error), FIRN_OK);
    firn_manifest_destroy(&m);
}

// Frames whose file is there, as bits.
static unsigned present(const char* extension)
{
    unsigned bits = 0;
    for (int k = 0; k < 8; k++) {
        char path[4096];
        snprintf(path, sizeof path, OUT "/%s/a_b.%04d.%s", extension, k, extension);
        bits |= sample_exists(path) ? 1u << k : 0;
    }
    return bits;
}

static int count_in(const char* path, const char* word)
{
    size_t size;
    char* text = sample_bytes(path, &size);
    int count = 0;
    for (const char* at = text; (at = strstr(at, word)) != NULL; at++) count++;
    firn_free(text);
    return count;
}

typedef struct witness {
    int calls, logs;
    int64_t last;
} witness;

static void on_progress(void* user, const firn_progress* p)
{
    witness* w = user;
    w->calls++;
    w->last = p->frame;
    assert_true(p->frame_done);
    assert_equal(p->particle_count, particles.count);
    assert_at_least(p->seconds_left, 0);
}

static void on_log(void* user, firn_log_level level, const char* id, const char* text)
{
    (void)level, (void)text;
    assert_string_equal(id, "export.damaged");
    ((witness*)user)->logs++;
}

static firn_export_def sample_def(witness* w)
{
    return (firn_export_def){.input_dir = RUN,
                             .output_dir = OUT,
                             .frame_end = -1,
                             .frame_step = 1,
                             .progress = on_progress,
                             .log = on_log,
                             .user = w};
}

static int set_up(void** state)
{
    (void)state;
    particles = sample_particles(500, 5);
    make_run(true);
    return 0;
}

static int tear_down(void** state)
{
    (void)state;
    firn_particles_destroy(&particles);
    return 0;
}

static void ranges_and_series(void** state)
{
    (void)state;
    witness w = {0};
    firn_export_def def = sample_def(&w);
    firn_error error = {0};
    def.ply = def.vtp = true;
    def.frame_begin = 1;
    def.frame_end = 2;
    if (firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_int_equal(present("ply"), 6);
    assert_int_equal(present("vtp"), 6);
    assert_int_equal(w.calls, 2);
    assert_int_equal(w.last, 2);
    assert_int_equal(count_in(OUT "/a_b.pvd", "<DataSet "), 2);
    // a second export of other frames: the series has them all
    def.frame_begin = 3;
    def.frame_end = -1;
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error), FIRN_OK);
    assert_int_equal(present("vtp"), 14);
    assert_int_equal(count_in(OUT "/a_b.pvd", "<DataSet "), 3);
    assert_int_equal(count_in(OUT "/a_b.pvd", "file=\"vtp/a_b.0003.vtp\""), 1);
}

static void damaged_frames_are_left_out(void** state)
{
    (void)state;
    size_t size;
    char* bytes = sample_bytes(RUN "/f.0001.hdf", &size);
    bytes[size - 5] ^= 4;
    sample_put(RUN "/f.0001.hdf", bytes, size);
    firn_free(bytes);
    witness w = {0};
    firn_export_def def = sample_def(&w);
    firn_error error = {0};
    def.ply = true;
    unlink(OUT "/ply/a_b.0001.ply");
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_DAMAGED);
    assert_int_equal(present("ply"), 13);
    assert_int_equal(w.logs, 1);
    assert_contains(error.text, "1 of 4 frames");
    assert_contains(error.text, "f.0001.hdf");
}

static void volumes(void** state)
{
    (void)state;
    witness w = {0};
    firn_export_def def = sample_def(&w);
    firn_error error = {0};
    def.vdb = true;
    if (!firn_vdb_available()) {
        assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                         FIRN_REFUSED_BACKEND);
        assert_contains(error.text, "libopenvdb-dev");
        assert_int_equal(w.calls, 0);
        return;
    }
    if (firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_int_equal(present("vdb"), 15);
    make_run(false);
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "no field 'mass'");
}

// One rectangle for all frames; the damaged one counts for nothing.
static void heights(void** state)
{
    (void)state;
    witness w = {0};
    firn_export_def def = sample_def(&w);
    firn_error error = {0};
    def.heights = true;
    def.samples = 1;
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "1 samples");
    def.samples = 64;
    if (firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_int_equal(w.calls, 4);
    static const char* const endings[] = {"png", "r32", "json"};
    for (int k = 0; k < 4; k++)
        for (int e = 0; e < 3; e++) {
            char path[4096];
            snprintf(path, sizeof path, OUT "/heights/a_b.%04d.%s", k, endings[e]);
            assert_true(sample_exists(path));
        }
    size_t bytes[2];
    char* a = sample_bytes(OUT "/heights/a_b.0001.r32", &bytes[0]);
    char* b = sample_bytes(OUT "/heights/a_b.0002.r32", &bytes[1]);
    assert_at_least(bytes[0], 64 * 2 * 4);
    assert_memory_equal(a, b, bytes[0]);  // the same particles, on the same rectangle
    firn_free(a);
    firn_free(b);
}

static void nonsense_is_refused(void** state)
{
    (void)state;
    witness w = {0};
    firn_error error = {0};
    firn_export_def def = sample_def(&w);
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_ARGUMENT);  // no format
    def.ply = true;
    def.frame_begin = 50;
    def.frame_end = 60;
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_NAME);
    assert_contains(error.text, "its last frame is 3");
    def.input_dir = FIRN_TEST_TMP "/nothing";
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_NAME);
    def.input_dir = NULL;
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_ARGUMENT);
    def = sample_def(&w);
    def.ply = true;
    def.output_dir = RUN "/f.0000.hdf/below-a-file";
    assert_int_equal(firn_export_run(&def, &(firn_rest_state){0}, &nobody, &error),
                     FIRN_REFUSED_IO);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int test_export(void)
{
    const struct CMUnitTest tests[] = {
        CASE(ranges_and_series), CASE(damaged_frames_are_left_out), CASE(volumes),
        CASE(heights),           CASE(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
