// SPDX-License-Identifier: MIT
// Users' files: regular ones are opened, others are refused at once, whatever they are.
#include "core/input.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "firn_test.h"

#define PATH FIRN_TEST_TMP "/input"

static void refuse(const char* path, const char* words)
{
    int file = 77;
    uint64_t bytes = 77;
    FILE* stream = NULL;
    firn_error error = {0};
    assert_int_equal(firn_input_open(path, &file, &bytes, &error), FIRN_REFUSED_IO);
    assert_int_equal(file, 77);
    assert_int_equal(bytes, 77);
    assert_contains(error.text, path);
    assert_contains(error.text, words);
    assert_int_equal(firn_input_stream(path, &stream, NULL, NULL), FIRN_REFUSED_IO);
    assert_null(stream);
    assert_int_equal(firn_input_check(path, NULL), FIRN_REFUSED_IO);
}

static void regular_files_only(void** state)
{
    (void)state;
    refuse(PATH "-none", "No such file");
    refuse(FIRN_TEST_TMP, "a folder, not a regular file");
    refuse("/dev/null", "a device, not a regular file");
    assert_int_equal(mkfifo(PATH "-pipe", 0600), 0);
    refuse(PATH "-pipe", "a pipe, not a regular file");
    // the address of a socket is short: bound in the folder itself
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(FIRN_TEST_TMP), 0);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    assert_int_equal(bind(listener, (struct sockaddr*)&address, sizeof address), 0);
    refuse("socket", "a socket");
    close(listener);
    assert_int_equal(chdir(before), 0);
}

static void a_file_and_a_link_to_it(void** state)
{
    (void)state;
    FILE* made = fopen(PATH, "wb");
    assert_non_null(made);
    fputs("12345", made);
    fclose(made);
    assert_int_equal(symlink("input", PATH "-link"), 0);
    const char* const paths[] = {PATH, PATH "-link"};
    for (int k = 0; k < 2; k++) {
        int file = -1;
        uint64_t bytes = 0;
        assert_int_equal(firn_input_open(paths[k], &file, &bytes, NULL), FIRN_OK);
        assert_int_equal(bytes, 5);
        close(file);
        FILE* stream = NULL;
        char text[8] = "";
        assert_int_equal(firn_input_stream(paths[k], &stream, &bytes, NULL), FIRN_OK);
        assert_non_null(fgets(text, sizeof text, stream));
        assert_string_equal(text, "12345");
        fclose(stream);
    }
}

int test_input(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_files_only),
        cmocka_unit_test(a_file_and_a_link_to_it),
    };
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
