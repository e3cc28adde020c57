// SPDX-License-Identifier: MIT
// A run's folder read as a cache: frames by number, checkpoints with fallback, summary,
// description.
#include "output/run/cache.h"

#include "output/run/describe.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP "/run"

static firn_particles particles;

// Frames 0..4 and checkpoints of 0, 2, 4.
static void make_run(void)
{
    firn_error error;
    firn_manifest m = {.scene = "ball", .solver = "mpm", .fps = 24, .cell = 0.01, .frame_end = 4};
    assert_int_equal(firn_folder_make(DIR "/frames", &error), FIRN_OK);
    assert_int_equal(firn_folder_make(DIR "/state", &error), FIRN_OK);
    for (int k = 0; k < 5; k++) {
        char file[64], path[4096];
        particles.count = 10 + k;
        firn_frame frame = sample_frame(&particles);
        frame.info.frame = k;
        snprintf(frame.info.scene, sizeof frame.info.scene, "ball");
        snprintf(file, sizeof file, "frames/ball.%04d.hdf", k);
        snprintf(path, sizeof path, DIR "/%s", file);
        assert_int_equal(firn_frame_write(path, &frame, 1, &error), FIRN_OK);
        assert_int_equal(firn_manifest_add(&m, DIR, FIRN_ENTRY_FRAME, k, file, &error), FIRN_OK);
        if (k % 2 != 0) continue;
        snprintf(file, sizeof file, "state/ball.%04d.h5", k);
        snprintf(path, sizeof path, DIR "/%s", file);
        assert_int_equal(
            firn_checkpoint_write(path, &frame.info, &particles, NULL, "xyz", 3, &error), FIRN_OK);
        assert_int_equal(firn_manifest_add(&m, DIR, FIRN_ENTRY_CHECKPOINT, k, file, &error),
                         FIRN_OK);
    }
    m.complete = true;
    assert_int_equal(firn_manifest_write(DIR, &m, &error), FIRN_OK);
    firn_manifest_destroy(&m);
}

// Changes one byte in the middle of a file.
static void damage(const char* path)
{
    size_t size;
    char* bytes = sample_bytes(path, &size);
    bytes[size / 2] ^= 1;
    sample_put(path, bytes, size);
    firn_free(bytes);
}

static int set_up(void** state)
{
    (void)state;
    particles = sample_particles(20, 5);
    make_run();
    return 0;
}

static int tear_down(void** state)
{
    (void)state;
    firn_particles_destroy(&particles);
    return 0;
}

static void frames_come_by_number(void** state)
{
    (void)state;
    firn_cache cache;
    firn_error error;
    assert_int_equal(firn_cache_open(DIR, &cache, &error), FIRN_OK);
    for (int k = 0; k < 5; k++) {
        firn_frame f;
        assert_int_equal(firn_cache_frame(&cache, k, &f, &error), FIRN_OK);
        assert_int_equal(f.count, 10 + k);
        assert_int_equal(f.info.frame, k);
        firn_frame_destroy(&f);
    }
    firn_frame f;
    assert_int_equal(firn_cache_frame(&cache, 5, &f, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "no frame 5");
    damage(DIR "/frames/ball.0003.hdf");
    assert_int_equal(firn_cache_frame(&cache, 3, &f, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "ball.0003.hdf");
    firn_cache_close(&cache);
}

// Two sound frames exchanged: each passes its own seal, but not the manifest.
static void exchanged_frames_are_refused(void** state)
{
    (void)state;
    assert_int_equal(rename(DIR "/frames/ball.0001.hdf", DIR "/frames/x"), 0);
    assert_int_equal(rename(DIR "/frames/ball.0002.hdf", DIR "/frames/ball.0001.hdf"), 0);
    assert_int_equal(rename(DIR "/frames/x", DIR "/frames/ball.0002.hdf"), 0);
    firn_cache cache;
    firn_frame f;
    assert_int_equal(firn_cache_open(DIR, &cache, NULL), FIRN_OK);
    assert_int_equal(firn_cache_frame(&cache, 1, &f, NULL), FIRN_REFUSED_DAMAGED);
    firn_cache_close(&cache);
}

static void count_lines(void* user, firn_log_level level, const char* id, const char* text)
{
    (void)level, (void)text;
    assert_string_equal(id, "cache.damaged");
    ++*(int*)user;
}

static void checkpoints_fall_back(void** state)
{
    (void)state;
    const char* const files[] = {DIR "/state/ball.0004.h5", DIR "/state/ball.0002.h5",
                                 DIR "/state/ball.0000.h5"};
    for (int broken = 0; broken <= 3; broken++) {
        int lines = 0;
        const firn_log log = {count_lines, &lines};
        firn_cache cache;
        assert_int_equal(firn_cache_open(DIR, &cache, NULL), FIRN_OK);
        const firn_manifest_entry* entry;
        assert_int_equal(firn_cache_newest_checkpoint(&cache, &log, &entry, NULL), FIRN_OK);
        assert_int_equal(lines, broken);
        if (broken == 3) {
            assert_null(entry);
        } else {
            assert_int_equal(entry->frame, 4 - 2 * broken);
            if (broken == 1)
                assert_int_equal(unlink(files[broken]), 0);  // gone is as bad as damaged
            else
                damage(files[broken]);
        }
        firn_cache_close(&cache);
    }
}

static void the_summary_counts(void** state)
{
    (void)state;
    firn_cache_info info;
    firn_error error;
    if (firn_cache_summarize(DIR, true, &info, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_string_equal(info.scene, "ball");
    assert_string_equal(info.solver, "mpm");
    assert_int_equal(info.frame_first, 0);
    assert_int_equal(info.frame_last, 4);
    assert_int_equal(info.frame_count, 5);
    assert_int_equal(info.particles, 14);
    assert_int_equal(info.checkpoint, 4);
    assert_int_equal(info.damaged, 0);
    assert_true(info.complete);
    particles.count = 14;
    assert_equal(info.state_hash, firn_particles_hash(&particles));
    damage(DIR "/frames/ball.0004.hdf");
    damage(DIR "/state/ball.0004.h5");
    assert_int_equal(firn_cache_summarize(DIR, true, &info, &error), FIRN_OK);
    assert_int_equal(info.damaged, 2);
    assert_int_equal(info.particles, 13);
    assert_int_equal(info.checkpoint, 2);
    assert_int_equal(firn_cache_summarize(DIR, false, &info, &error), FIRN_OK);
    assert_int_equal(info.damaged, 0);     // nobody looked
    assert_int_equal(info.checkpoint, 2);  // but what is offered to resume from is always good
    assert_int_equal(firn_cache_summarize(DIR "/nothing", true, &info, &error), FIRN_REFUSED_NAME);
}

static void assert_described(const char* path, const char* const* words)
{
    char* text = NULL;
    firn_error error;
    if (firn_describe_file(path, &text, &error) != FIRN_OK) fail_msg("%s", error.text);
    for (; *words != NULL; words++)
        if (strstr(text, *words) == NULL) fail_msg("'%s' is not in:\n%s", *words, text);
    firn_free(text);
}

static void files_are_described(void** state)
{
    (void)state;
    assert_described(DIR "/frames/ball.0004.hdf",
                     (const char*[]){"frame 4 of 'ball' (solver mpm)", "particles  14", "bounds",
                                     "speed", "mass", "velocity", "float32", "[14][3]", "m/s",
                                     NULL});
    assert_described(DIR "/state/ball.0002.h5",
                     (const char*[]){"checkpoint 2 of 'ball'", "particles  12", "hash",
                                     "3 bytes of other state", "def_grad_elastic", "[12][9]",
                                     NULL});
    const char ply[] = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n";
    sample_put(DIR "/a.ply", ply, sizeof ply - 1);
    assert_described(DIR "/a.ply", (const char*[]){"PLY file", "  element vertex 1\n",
                                                   "  property float x\n", NULL});
    char* text = NULL;
    firn_error error;
    sample_put(DIR "/a.ply", ply, 30);
    assert_int_equal(firn_describe_file(DIR "/a.ply", &text, &error), FIRN_REFUSED_DAMAGED);
    sample_put(DIR "/a.txt", "hello", 5);
    assert_int_equal(firn_describe_file(DIR "/a.txt", &text, &error), FIRN_REFUSED_NAME);
    assert_int_equal(firn_describe_file(DIR "/none", &text, &error), FIRN_REFUSED_IO);
    damage(DIR "/frames/ball.0004.hdf");
    assert_int_equal(firn_describe_file(DIR "/frames/ball.0004.hdf", &text, &error),
                     FIRN_REFUSED_DAMAGED);
}

// Every allocation made to fail while the run is summed up: no leak, no crash.
static void memory_may_run_out(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        char* text = NULL;
        firn_memory_fail_at(k, true);
        result = firn_describe_file(DIR "/frames/ball.0001.hdf", &text, NULL);
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        firn_free(text);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 1000);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int test_cache(void)
{
    const struct CMUnitTest tests[] = {
        CASE(frames_come_by_number), CASE(exchanged_frames_are_refused),
        CASE(checkpoints_fall_back), CASE(the_summary_counts),
        CASE(files_are_described),   CASE(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
