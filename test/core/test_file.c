// SPDX-License-Identifier: MIT
// Files: written whole or not at all, whatever goes wrong on the way; read within limits.
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/memory.h"
#include "disk.h"
#include "firn_test.h"

#define PATH FIRN_TEST_TMP "/file.bin"

static bool exists(const char* path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static void expect_content(const char* path, const char* content)
{
    char* data;
    size_t bytes;
    assert_int_equal(firn_file_read(path, 1 << 20, &data, &bytes, NULL), FIRN_OK);
    assert_int_equal(bytes, strlen(content));
    assert_string_equal(data, content);
    firn_free(data);
}

static void write_and_read_back(void** state)
{
    (void)state;
    assert_int_equal(firn_file_write(PATH, "one", 3, NULL), FIRN_OK);
    expect_content(PATH, "one");
    assert_int_equal(firn_file_write(PATH, "second", 6, NULL), FIRN_OK);  // replaces
    expect_content(PATH, "second");
    assert_int_equal(firn_file_write(PATH, NULL, 0, NULL), FIRN_OK);
    expect_content(PATH, "");
    disk_no_temporary(PATH);
    // a name without a folder: in the working directory
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(FIRN_TEST_TMP), 0);
    assert_int_equal(firn_file_write("plain", "x", 1, NULL), FIRN_OK);
    expect_content("plain", "x");
    assert_int_equal(chdir(here), 0);
}

static void commit_replaces_or_leaves(void** state)
{
    (void)state;
    firn_error error;
    // the name is taken by a folder: its contents stay, the temporary file goes
    const char* folder = FIRN_TEST_TMP "/taken";
    assert_int_equal(firn_folder_make(FIRN_TEST_TMP "/taken/inside", NULL), FIRN_OK);
    assert_int_equal(firn_file_write(folder, "new", 3, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "it is a folder, and only regular files are replaced");
    assert_true(exists(FIRN_TEST_TMP "/taken/inside"));
    disk_no_temporary(PATH);
    // a folder that does not exist
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/no/where", "x", 1, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "No such file");
}

// A full disk, simulated by a limit on file sizes: the old file stays, no partial one is left.
static void short_writes_leave_the_old_file(void** state)
{
    (void)state;
    firn_error error = {0};
    assert_int_equal(firn_file_write(PATH, "precious", 8, NULL), FIRN_OK);
    char* much = calloc(1, 1 << 20);
    disk_limit(4096);
    const firn_result result = firn_file_write(PATH, much, 1 << 20, &error);
    disk_limit(RLIM_INFINITY);
    free(much);
    assert_int_equal(result, FIRN_REFUSED_IO);
    assert_contains(error.text, "cannot write 1048576 bytes");
    disk_no_temporary(PATH);
    expect_content(PATH, "precious");
}

static void reading_has_limits(void** state)
{
    (void)state;
    firn_error error;
    char* data = NULL;
    size_t bytes = 77;
    assert_int_equal(firn_file_write(PATH, "12345", 5, NULL), FIRN_OK);
    assert_int_equal(firn_file_read(PATH, 4, &data, &bytes, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "5 bytes, at most 4");
    assert_null(data);
    assert_int_equal(bytes, 77);
    assert_int_equal(firn_file_read(PATH, 5, &data, &bytes, &error), FIRN_OK);
    assert_int_equal(data[5], 0);
    firn_free(data);
    assert_int_equal(firn_file_read(FIRN_TEST_TMP "/none", 5, &data, &bytes, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, "No such file");
    assert_int_equal(firn_file_read(FIRN_TEST_TMP, 5, &data, &bytes, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "not a regular file");
    // a pipe without a writer must not block
    const char* pipe_path = FIRN_TEST_TMP "/pipe";
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(firn_file_read(pipe_path, 5, &data, &bytes, &error), FIRN_REFUSED_IO);
}

static void checksum_is_the_hash_of_the_content(void** state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 1000, (1 << 20) - 1, 1 << 20, (3 << 20) + 7};
    char* data = malloc((3 << 20) + 7);
    for (size_t i = 0; i < (3 << 20) + 7; i++) data[i] = (char)(i * i >> 7);
    for (int k = 0; k < 6; k++) {
        uint64_t bytes, checksum;
        assert_int_equal(firn_file_write(PATH, data, sizes[k], NULL), FIRN_OK);
        assert_int_equal(firn_file_checksum(PATH, &bytes, &checksum, NULL), FIRN_OK);
        assert_int_equal(bytes, sizes[k]);
        assert_equal(checksum, firn_hash(data, sizes[k], 0));
    }
    free(data);
    uint64_t bytes, checksum;
    assert_int_equal(firn_file_checksum(FIRN_TEST_TMP "/none", &bytes, &checksum, NULL),
                     FIRN_REFUSED_IO);
}

static void folders_with_parents(void** state)
{
    (void)state;
    firn_error error;
    const char* deep = FIRN_TEST_TMP "/a//b/c/";
    assert_int_equal(firn_folder_make(deep, NULL), FIRN_OK);
    assert_true(exists(FIRN_TEST_TMP "/a/b/c"));
    assert_int_equal(firn_folder_make(deep, NULL), FIRN_OK);
    assert_int_equal(firn_folder_make("/", NULL), FIRN_OK);
    assert_int_equal(firn_folder_make(".", NULL), FIRN_OK);
    assert_int_equal(firn_file_write(PATH, "x", 1, NULL), FIRN_OK);
    assert_int_equal(firn_folder_make(PATH, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "Not a directory");
    assert_int_equal(firn_folder_make(PATH "/below", &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_folder_make("", &error), FIRN_REFUSED_ARGUMENT);
    char longest[PATH_MAX + 10];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(firn_folder_make(longest, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_file_write(longest, "x", 1, &error), FIRN_REFUSED_IO);
}

// What a folder of somebody else may contain: links that lead out of it.
static void nothing_outside_is_changed(void** state)
{
    (void)state;
    firn_error error = {0};
    const char* dir = FIRN_TEST_TMP "/own";
    assert_int_equal(firn_folder_make(FIRN_TEST_TMP "/own/real", NULL), FIRN_OK);
    assert_int_equal(firn_folder_make(FIRN_TEST_TMP "/victim", NULL), FIRN_OK);
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/victim/a", "a", 1, NULL), FIRN_OK);
    assert_int_equal(symlink("../victim", FIRN_TEST_TMP "/own/link"), 0);
    assert_int_equal(symlink("../../victim/a", FIRN_TEST_TMP "/own/real/a"), 0);
    assert_int_equal(firn_folder_make_inside(dir, "real", &error), FIRN_OK);
    assert_int_equal(firn_folder_make_inside(dir, "new", &error), FIRN_OK);
    assert_true(exists(FIRN_TEST_TMP "/own/new"));
    assert_int_equal(firn_folder_make_inside(dir, "link", &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "own/link");
    assert_contains(error.text, "symbolic link");
    assert_int_equal(firn_folder_make_inside(dir, "real/a", &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_file_remove_inside(dir, "link/a", 1, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "symbolic link");
    const char* const outside[] = {"../victim/a", "/etc/passwd", "real/../../victim/a", "",
                                   "real/"};
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++)
        assert_int_equal(firn_file_remove_inside(dir, outside[k], 1, &error),
                         FIRN_REFUSED_ARGUMENT);
    // of a link, the link itself goes, unless a file of a known size is to be removed
    assert_int_equal(firn_file_remove_inside(dir, "real/a", 1, &error), FIRN_REFUSED_DAMAGED);
    assert_int_equal(firn_file_remove_inside(dir, "real/a", FIRN_ANY_SIZE, &error), FIRN_OK);
    assert_false(exists(FIRN_TEST_TMP "/own/real/a"));
    assert_int_equal(firn_file_remove_inside(dir, "real/a", 1, &error), FIRN_OK);
    assert_int_equal(firn_file_remove_inside(dir, "none/a", 1, &error), FIRN_OK);
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/own/real/b", "bb", 2, NULL), FIRN_OK);
    assert_int_equal(firn_file_remove_inside(dir, "real/b", 3, &error), FIRN_REFUSED_DAMAGED);
    assert_int_equal(firn_file_remove_inside(dir, "real/b", 2, &error), FIRN_OK);
    assert_false(exists(FIRN_TEST_TMP "/own/real/b"));
    expect_content(FIRN_TEST_TMP "/victim/a", "a");
}

// A second name beside the first one, never elsewhere or through a link.
static void second_names(void** state)
{
    (void)state;
    firn_error error = {0};
    const char* dir = FIRN_TEST_TMP "/named";
    bool made = false;
    assert_int_equal(firn_folder_make(FIRN_TEST_TMP "/named/f", NULL), FIRN_OK);
    assert_int_equal(firn_folder_make(FIRN_TEST_TMP "/named/g", NULL), FIRN_OK);
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/named/f/new", "new", 3, NULL), FIRN_OK);
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/named/f/old", "old", 3, NULL), FIRN_OK);
    assert_int_equal(firn_file_link_inside(dir, "f/new", "f/old", &made, &error), FIRN_OK);
    if (made) {
        expect_content(FIRN_TEST_TMP "/named/f/old", "new");
        assert_int_equal(firn_file_remove_inside(dir, "f/new", 3, &error), FIRN_OK);
        expect_content(FIRN_TEST_TMP "/named/f/old", "new");
    }
    assert_int_equal(firn_file_link_inside(dir, "f/old", "g/old", &made, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_file_link_inside(dir, "f/old", "f/../old", &made, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_file_link_inside(dir, "f/none", "f/a", &made, &error), FIRN_REFUSED_IO);
    assert_int_equal(symlink("f", FIRN_TEST_TMP "/named/link"), 0);
    assert_int_equal(firn_file_link_inside(dir, "link/old", "link/b", &made, &error),
                     FIRN_REFUSED_IO);
    assert_false(exists(FIRN_TEST_TMP "/named/f/b"));
}

static int open_files(void)
{
    int count = 0;
    for (int file = 0; file < 256; file++) count += fcntl(file, F_GETFD) != -1;
    return count;
}

static void failures_leave_nothing_open(void** state)
{
    (void)state;
    const int files = open_files();
    const uint64_t before = firn_memory_read().bytes;
    assert_int_equal(firn_file_write(PATH, "12345", 5, NULL), FIRN_OK);
    char* data;
    size_t bytes;
    uint64_t total, checksum;
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_file_read(PATH, 9, &data, &bytes, NULL), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_file_checksum(PATH, &total, &checksum, NULL), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    firn_file_read(PATH, 1, &data, &bytes, NULL);
    firn_file_read(FIRN_TEST_TMP, 1, &data, &bytes, NULL);
    firn_file_checksum(FIRN_TEST_TMP, &total, &checksum, NULL);
    assert_int_equal(open_files(), files);
    assert_equal(firn_memory_read().bytes, before);
}

int test_file(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(write_and_read_back),
                                       cmocka_unit_test(commit_replaces_or_leaves),
                                       cmocka_unit_test(short_writes_leave_the_old_file),
                                       cmocka_unit_test(reading_has_limits),
                                       cmocka_unit_test(checksum_is_the_hash_of_the_content),
                                       cmocka_unit_test(folders_with_parents),
                                       cmocka_unit_test(nothing_outside_is_changed),
                                       cmocka_unit_test(second_names),
                                       cmocka_unit_test(failures_leave_nothing_open)};
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
