// SPDX-License-Identifier: MIT
// Films: made of small pictures when there is an ffmpeg; clear refusals when there is none or it
// fails.
#include "output/film/movie.h"

#include <png.h>

#include "output/sample.h"

#define DIR FIRN_TEST_TMP

static void put_picture(const char* path, int width, int height, int shade)
{
    unsigned char pixels[64 * 64 * 3];
    for (int k = 0; k < width * height * 3; k++) pixels[k] = (unsigned char)(shade + k % 50);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    assert_int_equal(png_image_write_to_file(&image, path, 0, pixels, 0, NULL), 1);
}

// The kept PATH, so that a test may change it.
static char old_path[8192];

static int keep_path(void** state)
{
    (void)state;
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH") != NULL ? getenv("PATH") : "");
    for (int k = 0; k < 3; k++) {
        char path[4096];
        snprintf(path, sizeof path, DIR "/odd.%04d.png", k + 5);
        put_picture(path, 33, 21, 40 * k);  // 4:2:0 wants even sizes: these are not
    }
    return 0;
}

static int restore_path(void** state)
{
    (void)state;
    return setenv("PATH", old_path, 1);
}

static bool there_is_ffmpeg(void)
{
    char text[8192];
    snprintf(text, sizeof text, "%s", old_path);
    for (char* part = strtok(text, ":"); part != NULL; part = strtok(NULL, ":")) {
        char path[8300];
        snprintf(path, sizeof path, "%s/ffmpeg", part);
        if (access(path, X_OK) == 0) return true;
    }
    return false;
}

// An .mp4 begins with a box `ftyp`; with +faststart the index `moov` comes before the data `mdat`.
static void assert_film(const char* path, const char* codec)
{
    size_t size;
    unsigned char* bytes = (unsigned char*)sample_bytes(path, &size);
    assert_greater(size, 64);
    assert_memory_equal(bytes + 4, "ftyp", 4);
    size_t at = 0, moov = 0, mdat = 0;
    while (at + 8 <= size) {
        const size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 |
                              (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (memcmp(bytes + at + 4, "moov", 4) == 0) moov = at;
        if (memcmp(bytes + at + 4, "mdat", 4) == 0) mdat = at;
        if (length < 8) break;
        at += length;
    }
    assert_int_equal(at, size);
    assert_greater(moov, 0);
    assert_greater(mdat, moov);
    bool found = false;
    for (size_t k = moov; k + 4 < mdat; k++) found |= memcmp(bytes + k, codec, 4) == 0;
    assert_true(found);
    firn_free(bytes);
}

static void three_pictures_make_a_film(void** state)
{
    (void)state;
    if (!there_is_ffmpeg()) skip();
    firn_error error = {0};
    if (firn_movie_write(DIR "/a film.mp4", DIR "/odd.%04d.png", 5, 3, 23.976, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_film(DIR "/a film.mp4", "avc1");
    disk_no_temporary(DIR "/a film.mp4");
}

// A program of our own under the name of ffmpeg.
static void put_program(const char* script)
{
    sample_put(DIR "/bin/ffmpeg", script, strlen(script));
    assert_int_equal(chmod(DIR "/bin/ffmpeg", 0755), 0);
    char path[8300];
    snprintf(path, sizeof path, DIR "/bin:%s", old_path);
    assert_int_equal(setenv("PATH", path, 1), 0);
}

static void without_x264_it_is_mpeg4(void** state)
{
    (void)state;
    if (!there_is_ffmpeg()) skip();
    assert_int_equal(firn_folder_make(DIR "/bin", NULL), FIRN_OK);
    put_program("#!/bin/sh\nPATH=${PATH#*:}\ncase \"$*\" in *libx264*) echo \"Unknown encoder "
                "'libx264'\" >&2; exit 1;; esac\nexec ffmpeg \"$@\"\n");
    firn_error error = {0};
    if (firn_movie_write(DIR "/old.mp4", DIR "/odd.%04d.png", 5, 3, 24, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_film(DIR "/old.mp4", "mp4v");
}

static void no_ffmpeg_names_the_package(void** state)
{
    (void)state;
    const char* const paths[] = {"", DIR "/empty"};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(setenv("PATH", paths[k], 1), 0);
        firn_error error = {0};
        assert_int_equal(firn_movie_write(DIR "/none.mp4", DIR "/odd.%04d.png", 5, 3, 24, &error),
                         FIRN_REFUSED_BACKEND);
        assert_contains(error.text, "install the package ffmpeg");
        assert_false(sample_exists(DIR "/none.mp4"));
    }
}

static void its_complaint_is_passed_on(void** state)
{
    (void)state;
    assert_int_equal(firn_folder_make(DIR "/bin", NULL), FIRN_OK);
    put_program("#!/bin/sh\nfor a; do :; done\necho half > \"${a#file:}\"\n"
                "head -c 100000 /dev/zero >&2\nprintf 'the\\tdog\\nate it\\n' >&2\nexit 3\n");
    firn_error error = {0};
    sample_put(DIR "/kept.mp4", "old", 3);
    assert_int_equal(firn_movie_write(DIR "/kept.mp4", DIR "/odd.%04d.png", 5, 3, 24, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, "status 3");
    assert_contains(error.text, "the dog ate it");
    disk_no_temporary(DIR "/kept.mp4");
    size_t size;
    char* old = sample_bytes(DIR "/kept.mp4", &size);
    assert_string_equal(old, "old");
    firn_free(old);
    put_program("#!/bin/sh\nkill -9 $$\n");
    assert_int_equal(firn_movie_write(DIR "/kept.mp4", DIR "/odd.%04d.png", 5, 3, 24, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, "status 137");
    // one that says all is well but leaves nothing
    put_program("#!/bin/sh\nexit 0\n");
    assert_int_equal(firn_movie_write(DIR "/kept.mp4", DIR "/odd.%04d.png", 5, 3, 24, &error),
                     FIRN_REFUSED_IO);
}

static void missing_pictures_are_refused(void** state)
{
    (void)state;
    firn_error error = {0};
    assert_int_equal(firn_movie_write(DIR "/x.mp4", DIR "/odd.%04d.png", 5, 0, 24, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_movie_write(DIR "/x.mp4", DIR "/odd.%04d.png", 5, 1, 0, &error),
                     FIRN_REFUSED_ARGUMENT);
    if (!there_is_ffmpeg()) return;
    assert_int_equal(firn_movie_write(DIR "/x.mp4", DIR "/none.%04d.png", 5, 3, 24, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, "none.");
    assert_false(sample_exists(DIR "/x.mp4"));
}

int test_movie(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(three_pictures_make_a_film, restore_path),
        cmocka_unit_test_teardown(without_x264_it_is_mpeg4, restore_path),
        cmocka_unit_test_teardown(no_ffmpeg_names_the_package, restore_path),
        cmocka_unit_test_teardown(its_complaint_is_passed_on, restore_path),
        cmocka_unit_test_teardown(missing_pictures_are_refused, restore_path),
    };
    return cmocka_run_group_tests_name("movie", tests, keep_path, NULL);
}
