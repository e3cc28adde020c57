// SPDX-License-Identifier: MIT
// Level sets kept between runs: found again, never believed when damaged, kept within a bound, and
// never an error.
#include "geometry/levelset/level_set_cache.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn_test.h"

#define FOLDER FIRN_TEST_TMP "/cache"
#define KEY 0x123456789abcdef0ull
#define PATH FOLDER "/123456789abcdef0.firnls"

static firn_real ball_phi(const void* context, firn_vec3 x)
{
    const double r = *(const double*)context;
    return (firn_real)(sqrt((double)(x.x * x.x + x.y * x.y + x.z * x.z)) - r);
}

static const firn_level_set* make_ball(double radius)
{
    const firn_level_set* set = NULL;
    const firn_real r = (firn_real)radius;
    const firn_box3 box = {{-r, -r, -r}, {r, r, r}};
    assert_int_equal(
        firn_level_set_build(box, (firn_real)0.1, (firn_real)0.4, ball_phi, &radius, &set, NULL),
        FIRN_OK);
    return set;
}

static const firn_mesh_report report = {.open_edges = 1,
                                        .crowded_edges = 2,
                                        .flipped_edges = 3,
                                        .flat_triangles = 4,
                                        .intersections = 5,
                                        .volume = -6.5,
                                        .inside_out = true};

static int use_folder(void** state)
{
    (void)state;
    setenv("FIRN_CACHE", FOLDER, 1);
    return 0;
}

static void what_is_written_is_read(void** state)
{
    (void)state;
    const firn_level_set *set = make_ball(0.5), *read = NULL;
    firn_mesh_report found = {0};
    assert_false(firn_level_set_cache_read(KEY, &read, &found));
    firn_level_set_cache_write(KEY, set, &report);
    assert_true(firn_level_set_cache_read(KEY, &read, &found));
    assert_equal(firn_level_set_hash(read), firn_level_set_hash(set));
    assert_memory_equal(&read->bounds, &set->bounds, sizeof set->bounds);
    assert_int_equal(found.open_edges, 1);
    assert_int_equal(found.crowded_edges, 2);
    assert_int_equal(found.flipped_edges, 3);
    assert_int_equal(found.flat_triangles, 4);
    assert_int_equal(found.intersections, 5);
    assert_equal(found.volume, -6.5);
    assert_true(found.inside_out);
    firn_level_set_release(read);
    assert_false(firn_level_set_cache_read(KEY + 1, &read, &found));
    // a file under a wrong name is not what it says
    assert_int_equal(rename(PATH, FOLDER "/123456789abcdef1.firnls"), 0);
    assert_false(firn_level_set_cache_read(KEY + 1, &read, &found));
    firn_level_set_release(set);
}

static void damage_is_noticed(void** state)
{
    (void)state;
    const firn_level_set *set = make_ball(0.5), *read = NULL;
    firn_mesh_report found;
    firn_level_set_cache_write(KEY, set, &report);
    char* good = NULL;
    size_t bytes = 0;
    assert_int_equal(firn_file_read(PATH, 1 << 28, &good, &bytes, NULL), FIRN_OK);
    char* bad = malloc(bytes);
    // every byte of the header, then here and there
    for (size_t k = 0; k < bytes; k += k < 200 ? 1 : 997) {
        memcpy(bad, good, bytes);
        bad[k] = (char)(bad[k] ^ 0x41);
        assert_int_equal(firn_file_write(PATH, bad, bytes, NULL), FIRN_OK);
        assert_false(firn_level_set_cache_read(KEY, &read, &found));
    }
    for (size_t cut = 0; cut < bytes; cut += cut < 200 ? 7 : 4001) {
        assert_int_equal(firn_file_write(PATH, good, cut, NULL), FIRN_OK);
        assert_false(firn_level_set_cache_read(KEY, &read, &found));
    }
    assert_null(read);
    assert_int_equal(firn_file_write(PATH, good, bytes, NULL), FIRN_OK);
    assert_true(firn_level_set_cache_read(KEY, &read, &found));
    firn_level_set_release(read);
    free(bad);
    firn_free(good);
    firn_level_set_release(set);
}

static bool is_there(const char* path)
{
    return access(path, F_OK) == 0;
}

static void set_age(const char* path, long seconds)
{
    const struct timespec times[2] = {{1600000000 - seconds, 0}, {1600000000 - seconds, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void the_longest_unused_go_first(void** state)
{
    (void)state;
    const firn_level_set *set = make_ball(0.5), *read = NULL;
    firn_mesh_report found;
    char paths[4][200];
    struct stat s;
    firn_level_set_cache_trim(FOLDER, 0);
    for (unsigned k = 0; k < 4; k++) {
        firn_level_set_cache_write(k, set, &report);
        snprintf(paths[k], sizeof paths[k], FOLDER "/%016x.firnls", k);
        set_age(paths[k], 100 * (long)k);
    }
    assert_int_equal(stat(paths[0], &s), 0);
    const uint64_t one = (uint64_t)s.st_size;
    assert_int_equal(firn_file_write(FOLDER "/others.txt", "mine", 4, NULL), FIRN_OK);
    set_age(FOLDER "/others.txt", 100000);
    // the oldest is used, which makes it the youngest
    assert_true(firn_level_set_cache_read(3, &read, &found));
    firn_level_set_release(read);
    firn_level_set_cache_trim(FOLDER, 2 * one);
    assert_true(is_there(paths[0]));
    assert_true(is_there(paths[3]));
    assert_false(is_there(paths[1]) || is_there(paths[2]));
    firn_level_set_cache_trim(FOLDER, one - 1);
    assert_false(is_there(paths[0]) || is_there(paths[3]));
    assert_true(is_there(FOLDER "/others.txt"));
    firn_level_set_release(set);
}

static void assert_folder(const char* expected)
{
    char* path = firn_level_set_cache_folder();
    assert_string_equal(path, expected);
    firn_free(path);
}

static void where_files_go(void** state)
{
    (void)state;
    setenv("FIRN_CACHE", "off", 1);
    assert_null(firn_level_set_cache_folder());
    const firn_level_set *set = make_ball(0.5), *read = NULL;
    firn_mesh_report found;
    firn_level_set_cache_write(KEY + 7, set, &report);
    assert_false(firn_level_set_cache_read(KEY + 7, &read, &found));
    unsetenv("FIRN_CACHE");
    setenv("XDG_CACHE_HOME", "/some/where", 1);
    assert_folder("/some/where/firn");
    unsetenv("XDG_CACHE_HOME");
    const char* home = getenv("HOME");
    char* kept = home != NULL ? strdup(home) : NULL;
    setenv("HOME", "/house", 1);
    assert_folder("/house/.cache/firn");
    unsetenv("HOME");
    assert_null(firn_level_set_cache_folder());
    if (kept != NULL) setenv("HOME", kept, 1);
    free(kept);
    // a folder that cannot be made is no error
    setenv("FIRN_CACHE", "/dev/null/cache", 1);
    firn_level_set_cache_write(KEY, set, &report);
    assert_false(firn_level_set_cache_read(KEY, &read, &found));
    firn_level_set_release(set);
    use_folder(NULL);
}

static void out_of_memory_reads_nothing(void** state)
{
    (void)state;
    const firn_level_set *set = make_ball(0.5), *read = NULL;
    firn_mesh_report found;
    firn_level_set_cache_write(KEY, set, &report);
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1;; k++) {
        firn_memory_fail_at(k, false);
        const bool good = firn_level_set_cache_read(KEY, &read, &found);
        firn_memory_fail_at(0, false);
        if (good) break;
        assert_int_equal(firn_memory_read().bytes, before);
        assert_less(k, 20);
    }
    firn_level_set_release(read);
    firn_level_set_release(set);
}

int test_level_set_cache(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),     cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(the_longest_unused_go_first), cmocka_unit_test(where_files_go),
        cmocka_unit_test(out_of_memory_reads_nothing),
    };
    return cmocka_run_group_tests_name("level_set_cache", tests, use_folder, NULL);
}
