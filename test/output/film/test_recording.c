// SPDX-License-Identifier: MIT
// Films made picture by picture: whole at the end, nothing before it, refusals that say why.
#include <stdlib.h>

#include "firn/firn.h"
#include "output/sample.h"

#define DIR FIRN_TEST_TMP

enum { WIDTH = 34, HEIGHT = 21 };  // 4:2:0 wants even sizes: the height is not

static char old_path[8192];

static int keep_path(void** state)
{
    (void)state;
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH") != NULL ? getenv("PATH") : "");
    return 0;
}

static int restore_path(void** state)
{
    (void)state;
    return setenv("PATH", old_path, 1);
}

static bool there_is_ffmpeg(void)
{
    return system("ffmpeg -version >/dev/null 2>&1") == 0;
}

static void fill(uint8_t* pixels, int shade)
{
    for (int k = 0; k < WIDTH * HEIGHT * 3; k++) pixels[k] = (uint8_t)(shade + k % 60);
}

static void pictures_become_a_film(void** state)
{
    (void)state;
    firn_recording* film;
    firn_error error = {0};
    uint8_t pixels[WIDTH * HEIGHT * 3];
    if (!there_is_ffmpeg()) skip();
    assert_int_equal(firn_recording_begin(DIR "/a.mp4", WIDTH, HEIGHT, 30, &film, &error), FIRN_OK);
    for (int k = 0; k < 12; k++) {
        fill(pixels, 10 * k);
        assert_int_equal(firn_recording_add(film, pixels, &error), FIRN_OK);
    }
    assert_false(sample_exists(DIR "/a.mp4"));  // not before it is whole
    assert_int_equal(firn_recording_end(film, &error), FIRN_OK);
    size_t size;
    char* bytes = sample_bytes(DIR "/a.mp4", &size);
    assert_greater(size, 500);
    assert_memory_equal(bytes + 4, "ftyp", 4);
    firn_free(bytes);
    disk_no_temporary(DIR "/a.mp4");
    // as many pictures as were added, as ffprobe counts them
    const char* const probe = "ffprobe -v error -count_frames -show_entries stream=nb_read_frames "
                              "-of csv=p=0 " DIR "/a.mp4 | grep -qx 12";
    if (system("ffprobe -version >/dev/null 2>&1") == 0) assert_int_equal(system(probe), 0);
}

static void abandoned_or_empty_leaves_nothing(void** state)
{
    (void)state;
    firn_recording* film;
    firn_error error = {0};
    uint8_t pixels[WIDTH * HEIGHT * 3];
    fill(pixels, 0);
    if (!there_is_ffmpeg()) skip();
    assert_int_equal(firn_recording_begin(DIR "/b.mp4", WIDTH, HEIGHT, 30, &film, &error), FIRN_OK);
    assert_int_equal(firn_recording_add(film, pixels, &error), FIRN_OK);
    firn_recording_abandon(film);
    assert_int_equal(firn_recording_begin(DIR "/b.mp4", WIDTH, HEIGHT, 30, &film, &error), FIRN_OK);
    assert_int_equal(firn_recording_end(film, &error), FIRN_OK);
    assert_false(sample_exists(DIR "/b.mp4"));
    disk_no_temporary(DIR "/b.mp4");
    firn_recording_abandon(NULL);
}

static void no_ffmpeg_names_the_package(void** state)
{
    (void)state;
    firn_recording* film;
    firn_error error = {0};
    setenv("PATH", DIR, 1);
    assert_int_equal(firn_recording_begin(DIR "/c.mp4", WIDTH, HEIGHT, 30, &film, &error),
                     FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "package ffmpeg");
    assert_false(sample_exists(DIR "/c.mp4"));
}

// A program that takes some input, complains and ends: no signal, no waiting for ever.
static void an_encoder_that_dies_is_told(void** state)
{
    (void)state;
    FILE* file = fopen(DIR "/ffmpeg", "w");
    assert_non_null(file);
    fputs("#!/bin/sh\ncase \"$*\" in *lavfi*) exit 0 ;; esac\n"
          "echo 'the disk is full of snow' >&2\nexit 3\n",
          file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(DIR "/ffmpeg", 0755), 0);
    setenv("PATH", DIR ":/usr/bin:/bin", 1);
    firn_recording* film;
    firn_error error = {0};
    static uint8_t pixels[512 * 512 * 3];  // more than a socket holds
    assert_int_equal(firn_recording_begin(DIR "/d.mp4", 512, 512, 30, &film, &error), FIRN_OK);
    firn_result result = FIRN_OK;
    for (int k = 0; k < 4 && result == FIRN_OK; k++)
        result = firn_recording_add(film, pixels, &error);
    assert_int_equal(result, FIRN_REFUSED_IO);
    assert_int_equal(firn_recording_add(film, pixels, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_recording_end(film, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "full of snow");
    assert_contains(error.text, "status 3");
    assert_false(sample_exists(DIR "/d.mp4"));
}

static void arguments_are_checked(void** state)
{
    (void)state;
    firn_recording* film;
    firn_error error = {0};
    assert_int_equal(firn_recording_begin(DIR "/e.mp4", 0, 4, 30, &film, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_recording_begin(DIR "/e.mp4", 4, 4, 0, &film, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_recording_begin(DIR "/e.mp4", 99999, 4, 30, &film, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_recording_add(NULL, NULL, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_recording_end(NULL, &error), FIRN_REFUSED_ARGUMENT);
}

int test_recording(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(pictures_become_a_film, restore_path),
        cmocka_unit_test_teardown(abandoned_or_empty_leaves_nothing, restore_path),
        cmocka_unit_test_teardown(no_ffmpeg_names_the_package, restore_path),
        cmocka_unit_test_teardown(an_encoder_that_dies_is_told, restore_path),
        cmocka_unit_test_teardown(arguments_are_checked, restore_path),
    };
    return cmocka_run_group_tests_name("recording", tests, keep_path, NULL);
}
