// SPDX-License-Identifier: MIT
// A disk that is full at the k-th byte, a file that cannot be made, memory that runs out: an error,
// the old file as it was, no temporary file left, nothing left open. A limit on the size of files
// (RLIMIT_FSIZE) makes writes fail where we want.
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

#include "output/export/points.h"
#include "output/frame/frame.h"
#include "output/run/manifest.h"
#include "output/run/stats.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP
#define PARTICLES 3000

static firn_particles particles;

static firn_result write_frame(const char* path, firn_error* error)
{
    const firn_frame frame = sample_frame(&particles);
    return firn_frame_write(path, &frame, 1, error);
}

static firn_result write_plain_frame(const char* path, firn_error* error)
{
    const firn_frame frame = sample_frame(&particles);
    return firn_frame_write(path, &frame, 0, error);
}

static firn_result write_checkpoint(const char* path, firn_error* error)
{
    const firn_frame_info info = sample_info();
    const unsigned char extra[1000] = {1};
    return firn_checkpoint_write(path, &info, &particles, NULL, extra, sizeof extra, error);
}

static firn_result write_ply(const char* path, firn_error* error)
{
    const firn_frame frame = sample_frame(&particles);
    return firn_ply_write(path, &frame, false, error);
}

static firn_result write_vtp(const char* path, firn_error* error)
{
    const firn_frame frame = sample_frame(&particles);
    return firn_vtp_write(path, &frame, false, error);
}

static firn_result write_manifest(const char* path, firn_error* error)
{
    (void)path;
    const firn_manifest m = {.scene = "ball", .solver = "mpm", .fps = 24, .cell = 0.01};
    return firn_manifest_write(DIR, &m, error);
}

static const struct {
    const char* path;
    firn_result (*write)(const char* path, firn_error* error);
} writers[] = {
    {DIR "/frame.hdf", write_frame},     {DIR "/plain.hdf", write_plain_frame},
    {DIR "/state.h5", write_checkpoint}, {DIR "/points.ply", write_ply},
    {DIR "/points.vtp", write_vtp},      {DIR "/manifest.json", write_manifest},
};
enum { WRITERS = sizeof writers / sizeof writers[0] };

static int open_descriptors(void)
{
    int count = 0;
    for (int k = 0; k < 256; k++) count += fcntl(k, F_GETFD) >= 0;
    return count;
}

static void full_at(int w, rlim_t bytes, const char* old, size_t old_size)
{
    firn_error error = {0};
    disk_limit(bytes);
    const firn_result result = writers[w].write(writers[w].path, &error);
    disk_limit(RLIM_INFINITY);
    if (result != FIRN_REFUSED_IO)
        fail_msg("%s at %d bytes: %d", writers[w].path, (int)bytes, result);
    assert_contains(error.text, writers[w].path);
    assert_contains(error.text, "File too large");
    disk_no_temporary(writers[w].path);
    size_t size;
    char* now = sample_bytes(writers[w].path, &size);
    assert_int_equal(size, old_size);
    assert_memory_equal(now, old, size);
    firn_free(now);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void a_full_disk_leaves_the_old_file(void** state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        firn_error error;
        if (writers[w].write(writers[w].path, &error) != FIRN_OK) fail_msg("%s", error.text);
        const int descriptors = open_descriptors();
        size_t size;
        char* old = sample_bytes(writers[w].path, &size);
        for (size_t k = 0; k < size; k += 1 + size / 60) full_at(w, k, old, size);
        full_at(w, size - 1, old, size);
        assert_int_equal(open_descriptors(), descriptors);
        // and with room again, it works again
        assert_int_equal(writers[w].write(writers[w].path, &error), FIRN_OK);
        firn_free(old);
    }
}

// The one file that is not made under another name.
static void statistics_report_a_full_disk(void** state)
{
    (void)state;
    firn_stats* stats = NULL;
    firn_error error = {0};
    disk_limit(0);
    const firn_result result = firn_stats_open(DIR, NULL, 0, 0, -1, &stats, &error);
    disk_limit(RLIM_INFINITY);
    assert_int_equal(result, FIRN_REFUSED_IO);
    assert_contains(error.text, "stats.csv");
    // full later: at a flush
    const firn_step_report row = {.step = 1};
    assert_int_equal(firn_stats_open(DIR, NULL, 0, 0, -1, &stats, &error), FIRN_OK);
    disk_limit(200);
    firn_result added = FIRN_OK;
    for (int k = 0; k < 100 && added == FIRN_OK; k++)
        added = firn_stats_add(stats, &row, NULL, &error);
    const firn_result flushed = firn_stats_flush(stats, &error);
    disk_limit(RLIM_INFINITY);
    assert_int_equal(flushed, FIRN_REFUSED_IO);
    // with room again nothing is missing
    assert_int_equal(firn_stats_close(stats, &error), FIRN_OK);
    size_t size, lines = 0;
    char* text = sample_bytes(DIR "/stats.csv", &size);
    for (size_t k = 0; k < size; k++) lines += text[k] == '\n';
    assert_int_equal(lines, 101);
    firn_free(text);
}

static void a_folder_that_is_not_there(void** state)
{
    (void)state;
    for (int w = 0; w < WRITERS - 1; w++) {
        firn_error error = {0};
        assert_int_equal(writers[w].write(DIR "/nowhere/x", &error), FIRN_REFUSED_IO);
        assert_contains(error.text, DIR "/nowhere/x");
        assert_contains(error.text, "No such file or directory");
    }
}

// A name that is taken by a folder: the rename fails.
static void a_name_that_is_taken(void** state)
{
    (void)state;
    assert_int_equal(firn_folder_make(DIR "/taken/inside", NULL), FIRN_OK);
    for (int w = 0; w < WRITERS - 1; w++) {
        firn_error error = {0};
        assert_int_equal(writers[w].write(DIR "/taken", &error), FIRN_REFUSED_IO);
        disk_no_temporary(DIR "/taken");
    }
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    for (int w = 0; w < WRITERS; w++) {
        firn_result result = FIRN_BROKEN_MEMORY;
        for (uint64_t k = 1; result != FIRN_OK; k++) {
            for (int forever = 0; forever < 2; forever++) {
                firn_memory_fail_at(k, forever);
                firn_error error = {0};
                result = writers[w].write(writers[w].path, &error);
                firn_memory_fail_at(0, false);
                if (result != FIRN_OK && result != FIRN_BROKEN_MEMORY)
                    fail_msg("writer %d, allocation %d: %s", w, (int)k, error.text);
                disk_no_temporary(writers[w].path);
                assert_int_equal(firn_memory_read().bytes, before);
            }
            assert_in_range(k, 1, 1000);
        }
    }
}

static firn_result read_both(void)
{
    firn_frame f = {0};
    unsigned char extra[1000];
    firn_particles p = {0};
    for (int k = 0; k < particles.field_count; k++)
        firn_particles_add_field(&p, particles.fields[k].name, particles.fields[k].unit,
                                 particles.fields[k].type);
    firn_result result = firn_frame_read(writers[0].path, &f, NULL);
    if (result == FIRN_OK) firn_frame_destroy(&f);
    if (result == FIRN_OK)
        result =
            firn_checkpoint_read(writers[2].path, &sample_limits, &p, extra, sizeof extra, NULL);
    firn_particles_destroy(&p);
    return result;
}

static void memory_may_run_out_while_reading(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        firn_memory_fail_at(k, true);
        result = read_both();
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        assert_in_range(k, 1, 1000);
    }
}

static int prepare(void** state)
{
    (void)state;
    particles = sample_particles(PARTICLES, 8);
    return 0;
}

static int clean_up(void** state)
{
    (void)state;
    firn_particles_destroy(&particles);
    return 0;
}

int test_output_disk_full(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
        cmocka_unit_test(statistics_report_a_full_disk),
        cmocka_unit_test(a_folder_that_is_not_there),
        cmocka_unit_test(a_name_that_is_taken),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(memory_may_run_out_while_reading),
    };
    return cmocka_run_group_tests_name("output_disk_full", tests, prepare, clean_up);
}
