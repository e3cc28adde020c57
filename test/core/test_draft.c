// SPDX-License-Identifier: MIT
// Drafts: whole or not at all, never through a link, and gone after a crash.
#include "core/draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "disk.h"
#include "firn_test.h"

#define DIR_NAME FIRN_TEST_TMP "/drafts"
#define PATH DIR_NAME "/a.bin"

static int set_up(void** state)
{
    (void)state;
    return firn_folder_make(DIR_NAME, NULL) == FIRN_OK ? 0 : -1;
}

static void expect_content(const char* path, const char* content)
{
    char* data;
    size_t bytes;
    assert_int_equal(firn_file_read(path, 1 << 20, &data, &bytes, NULL), FIRN_OK);
    assert_string_equal(data, content);
    firn_free(data);
}

static bool exists(const char* path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

static void committed_or_gone(void** state)
{
    (void)state;
    firn_draft draft;
    firn_error error = {0};
    assert_int_equal(firn_draft_create(PATH, &draft, &error), FIRN_OK);
    assert_false(exists(PATH));
    assert_true(exists(draft.temporary));
    FILE* stream = firn_draft_stream(&draft);
    assert_non_null(stream);
    assert_int_equal(fputs("new", stream), 1);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(firn_draft_commit(&draft, FIRN_OK, &error), FIRN_OK);
    expect_content(PATH, "new");
    disk_no_temporary(PATH);
    // given up
    assert_int_equal(firn_draft_create(PATH, &draft, &error), FIRN_OK);
    assert_int_equal(firn_draft_commit(&draft, FIRN_REFUSED_SCENE, &error), FIRN_REFUSED_SCENE);
    expect_content(PATH, "new");
    disk_no_temporary(PATH);
    assert_int_equal(firn_draft_create(DIR_NAME "/", &draft, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_draft_create(NULL, &draft, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_draft_create(DIR_NAME "/no/a", &draft, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "no/a");
}

// Names differ each time, and the longest name that the system accepts has a draft.
static void names_cannot_be_foreseen(void** state)
{
    (void)state;
    firn_draft a, b;
    char path[sizeof DIR_NAME + 257] = DIR_NAME "/";
    memset(path + strlen(path), 'x', 255);
    assert_int_equal(firn_draft_create(path, &a, NULL), FIRN_OK);
    assert_int_equal(firn_draft_create(path, &b, NULL), FIRN_OK);
    assert_string_not_equal(a.temporary, b.temporary);
    assert_int_equal(firn_draft_commit(&a, FIRN_OK, NULL), FIRN_OK);
    assert_int_equal(firn_draft_commit(&b, FIRN_OK, NULL), FIRN_OK);
    assert_int_equal(unlink(path), 0);
}

static void a_link_is_replaced_not_followed(void** state)
{
    (void)state;
    const char* victim = FIRN_TEST_TMP "/victim";
    assert_int_equal(firn_file_write(victim, "precious", 8, NULL), FIRN_OK);
    unlink(PATH);
    assert_int_equal(symlink(victim, PATH), 0);
    assert_int_equal(symlink(victim, PATH ".tmp"), 0);
    assert_int_equal(firn_file_write(PATH, "new", 3, NULL), FIRN_OK);
    expect_content(victim, "precious");
    expect_content(PATH, "new");
    struct stat status;
    assert_int_equal(lstat(PATH, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(unlink(PATH ".tmp"), 0);
}

// As root a rename would replace /dev/null for everybody.
static void only_files_are_replaced(void** state)
{
    (void)state;
    struct stat status;
    firn_draft draft;
    firn_error error = {0};
    unlink(PATH);
    assert_int_equal(mkfifo(PATH, 0600), 0);
    assert_int_equal(firn_draft_create(PATH, &draft, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "it is a pipe");
    assert_int_equal(stat(PATH, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    unlink(PATH);
    assert_int_equal(symlink("/dev/full", PATH), 0);
    assert_int_equal(firn_draft_create(PATH, &draft, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "it is a device");
    assert_int_equal(lstat(PATH, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    unlink(PATH);
    disk_no_temporary(PATH);
}

static void put(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// Removes what a crash has left, and nothing that is in use, somebody else's, or a link.
static void cleaning(void** state)
{
    (void)state;
    firn_draft alive;
    assert_int_equal(firn_draft_create(PATH, &alive, NULL), FIRN_OK);
    const pid_t child = fork();
    if (child == 0) {  // ends in the middle of writing
        firn_draft dead;
        _exit(firn_draft_create(PATH, &dead, NULL) == FIRN_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    const char* const others[] = {DIR_NAME "/thesis.tmp", DIR_NAME "/.firn-1.tmp",
                                  DIR_NAME "/.firn-0123456789abcdeg.tmp",
                                  DIR_NAME "/.firn-0123456789abcdef.tmp.txt"};
    for (size_t k = 0; k < 4; k++) put(others[k], "mine");
    assert_int_equal(symlink("thesis.tmp", DIR_NAME "/.firn-0123456789abcdef.tmp"), 0);
    assert_int_equal(mkdir(DIR_NAME "/.firn-0000000000000000.tmp", 0777), 0);
    put(DIR_NAME "/.firn-0000000000000000.tmp/mine", "mine");
    assert_int_equal(symlink("x", DIR_NAME "/.firn-0000000000000000.tmp/link"), 0);
    assert_int_equal(mkdir(DIR_NAME "/.firn-1111111111111111.tmp", 0777), 0);
    assert_int_equal(symlink("x", DIR_NAME "/.firn-1111111111111111.tmp/link"), 0);
    firn_draft_links used;
    assert_int_equal(firn_draft_links_make(DIR_NAME, &used, NULL), FIRN_OK);
    assert_int_equal(symlinkat("x", used.folder, "link"), 0);
    firn_draft_clean(DIR_NAME);
    assert_true(exists(used.path));
    firn_draft_links_remove(&used);
    assert_false(exists(DIR_NAME "/.firn-1111111111111111.tmp"));
    assert_false(exists(DIR_NAME "/.firn-0000000000000000.tmp/link"));
    expect_content(DIR_NAME "/.firn-0000000000000000.tmp/mine", "mine");
    assert_int_equal(unlink(DIR_NAME "/.firn-0000000000000000.tmp/mine"), 0);
    firn_draft_clean(FIRN_TEST_TMP "/no/such/folder");
    for (size_t k = 0; k < 4; k++) {
        expect_content(others[k], "mine");
        unlink(others[k]);
    }
    assert_int_equal(unlink(DIR_NAME "/.firn-0123456789abcdef.tmp"), 0);
    assert_int_equal(rmdir(DIR_NAME "/.firn-0000000000000000.tmp"), 0);
    assert_int_equal(firn_draft_commit(&alive, FIRN_OK, NULL), FIRN_OK);
    disk_no_temporary(PATH);  // the dead one is gone
}

static void failures_leave_nothing(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_draft draft;
    for (uint64_t k = 1; k <= 3; k++) {
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_draft_create(PATH, &draft, NULL), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        disk_no_temporary(PATH);
        assert_equal(firn_memory_read().bytes, before);
    }
}

int test_draft(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(committed_or_gone),
                                       cmocka_unit_test(names_cannot_be_foreseen),
                                       cmocka_unit_test(a_link_is_replaced_not_followed),
                                       cmocka_unit_test(only_files_are_replaced),
                                       cmocka_unit_test(cleaning),
                                       cmocka_unit_test(failures_leave_nothing)};
    return cmocka_run_group_tests_name("draft", tests, set_up, NULL);
}
