// SPDX-License-Identifier: MIT
// Previews: the same bits for any threads, snow that looks like snow, and no input that breaks
// them.
#include "render/preview/preview.h"

#include <stdio.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "disk.h"
#include "snow_scene.h"
#include "state/field_table.h"

#define PATH SNOW_SCENE_PICTURE

static uint64_t draw_hash(const snow_scene* s, int threads)
{
    firn_image image = draw_read(s, threads);
    const uint64_t hash = firn_hash(image.rgb, (size_t)image.width * (size_t)image.height * 3, 0);
    firn_image_destroy(&image);
    return hash;
}

// Mean of a channel over a rectangle given in shares of the picture; -1: of all three.
static double mean(const firn_image* image, double x0, double y0, double x1, double y1, int channel)
{
    double sum = 0;
    int n = 0;
    for (int y = (int)(y0 * image->height); y < (int)(y1 * image->height); y++)
        for (int x = (int)(x0 * image->width); x < (int)(x1 * image->width); x++) {
            const uint8_t* rgb = image->rgb + ((size_t)y * (size_t)image->width + (size_t)x) * 3;
            sum += channel >= 0 ? rgb[channel] : (rgb[0] + rgb[1] + rgb[2]) / 3.0;
            n++;
        }
    assert_greater(n, 0);
    return sum / n;
}

static void same_for_any_threads(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 200, 112);  // not a multiple of a tile
    add_collider(&s, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0.2f, 0.05f, 0.1f, 0.05f}});
    add_ball(&s, 0.12);
    for (firn_local p = 0; p < s.count; p += 9) s.x[p].x += (firn_real)(p % 7) * 0.02f;  // crumbs
    const uint64_t one = draw_hash(&s, 1);
    assert_int_equal(one, draw_hash(&s, 1));
    assert_int_equal(one, draw_hash(&s, 2));
    assert_int_equal(one, draw_hash(&s, 3));
    assert_int_equal(one, draw_hash(&s, 8));
    s.x[s.count / 2].y += 0.05f;  // and another picture is another picture
    assert_int_not_equal(one, draw_hash(&s, 2));
    teardown_scene(&s);
}

static void floor_and_sky(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 160, 90);
    firn_image image = draw_read(&s, 2);
    const double sky = mean(&image, 0, 0, 1, 0.15, -1), floor_tone = mean(&image, 0, 0.5, 1, 1, -1);
    assert_greater(sky, 120);
    assert_less(sky, 250);
    assert_greater(mean(&image, 0, 0, 1, 0.15, 2), mean(&image, 0, 0, 1, 0.15, 0) + 10);  // blue
    assert_greater(floor_tone, 50);
    assert_less(floor_tone, 140);
    firn_image_destroy(&image);
    s.data.collider_count = 0;  // no floor either: haze below the horizon
    image = draw_read(&s, 2);
    assert_greater(mean(&image, 0, 0.5, 1, 1, -1), floor_tone + 20);
    firn_image_destroy(&image);
    teardown_scene(&s);
}

// The ball takes 0.2 m of 0.53 m: rows 0.33 to 0.71 of the picture, columns 0.39 to 0.61.
static void snow_on_a_floor(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 320, 180);
    firn_image empty = draw_read(&s, 2);
    add_ball(&s, 0.1);
    firn_image image = draw_read(&s, 2);
    const double lit = mean(&image, 0.42, 0.40, 0.48, 0.55, -1);
    const double shade = mean(&image, 0.54, 0.50, 0.58, 0.60, -1);
    const double ground = mean(&image, 0.1, 0.6, 0.3, 0.8, -1);
    assert_greater(lit, 215);
    assert_greater(lit, shade + 25);     // the sun is on the left
    assert_greater(shade, ground + 20);  // and snow in the shade is still white
    // shade is bluer than light
    const double blue_shade =
        mean(&image, 0.54, 0.50, 0.58, 0.60, 2) - mean(&image, 0.54, 0.50, 0.58, 0.60, 0);
    const double blue_light =
        mean(&image, 0.42, 0.40, 0.48, 0.55, 2) - mean(&image, 0.42, 0.40, 0.48, 0.55, 0);
    assert_greater(blue_shade, blue_light + 5);
    // the shadow falls to the right on the floor
    const double before = mean(&empty, 0.64, 0.66, 0.68, 0.69, -1);
    const double after = mean(&image, 0.64, 0.66, 0.68, 0.69, -1);
    assert_less(after, before - 15);
    // nothing black inside the ball: holes would be
    for (int y = 65; y < 112; y++)
        for (int x = 138; x < 182; x++)
            assert_greater(image.rgb[(y * image.width + x) * 3 + 1], 60);
    firn_image_destroy(&image);
    firn_image_destroy(&empty);
    teardown_scene(&s);
}

// Cold snow on the left is blue, warm snow on the right red, and so is a crumb; without the values
// the picture is as before.
static void coloured_by_a_field(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 320, 180);
    add_ball(&s, 0.1);
    const uint64_t white = draw_hash(&s, 2);
    firn_real* degrees = firn_alloc((size_t)s.count, sizeof *degrees);
    for (firn_local p = 0; p < s.count; p++) degrees[p] = s.x[p].x < 0 ? -100 : 0;
    s.data.render.colour_by =
        (firn_colour_block){FIRN_FRAME_TEMPERATURE, -100, 0, FIRN_COLOURS_BLUE_RED};
    assert_int_equal(draw_hash(&s, 2), white);
    s.value = degrees;
    assert_int_equal(draw_hash(&s, 1), draw_hash(&s, 3));
    firn_image image = draw_read(&s, 2);
    double blue[2], red[2];
    for (int half = 0; half < 2; half++) {
        const double x = half == 0 ? 0.45 : 0.52;
        red[half] = mean(&image, x, 0.45, x + 0.03, 0.55, 0);
        blue[half] = mean(&image, x, 0.45, x + 0.03, 0.55, 2);
    }
    print_message("red %.0f %.0f, blue %.0f %.0f\n", red[0], red[1], blue[0], blue[1]);
    assert_greater(blue[0], red[0] + 60);
    assert_greater(red[1], blue[1] + 60);
    firn_image_destroy(&image);
    firn_free(degrees);
    teardown_scene(&s);
}

static void lone_particle_is_a_speck(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 160, 90);
    firn_image empty = draw_read(&s, 1);
    add_particles(&s, 1);
    s.x[0] = firn_v3(0, 0.05f, 0);
    firn_image image = draw_read(&s, 1);
    int lighter = 0, changed = 0;
    for (int i = 0; i < image.width * image.height; i++) {
        const int d = image.rgb[3 * i] - empty.rgb[3 * i];
        lighter += d > 40;
        changed += d != 0;
    }
    assert_in_range(lighter, 2, 60);
    assert_less(changed, 600);  // a speck and its shadow, the rest is as it was
    // far away it is fainter, but still there
    s.data.render.eye[1] = 2.5;
    s.data.render.eye[2] = 8;
    firn_image far = draw_read(&s, 1);
    s.count = 0;
    firn_image none = draw_read(&s, 1);
    changed = 0;
    for (int i = 0; i < 3 * far.width * far.height; i++) changed += far.rgb[i] != none.rgb[i];
    assert_greater(changed, 0);
    firn_image_destroy(&image);
    firn_image_destroy(&empty);
    firn_image_destroy(&far);
    firn_image_destroy(&none);
    teardown_scene(&s);
}

// Mean difference of two pictures [levels].
static double difference(const firn_image* a, const firn_image* b)
{
    double sum = 0;
    const int n = 3 * a->width * a->height;
    for (int i = 0; i < n; i++) sum += abs(a->rgb[i] - b->rgb[i]);
    return sum / n;
}

static void grain_follows_ids(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 160, 90);
    s.data.render.eye[2] = 0.35;  // near enough to see grain
    add_ball(&s, 0.1);
    firn_image before = draw_read(&s, 2);
    for (firn_local p = 0; p < s.count / 2; p++) {  // the other way round
        const firn_local q = s.count - 1 - p;
        const firn_vec3 x = s.x[p];
        const uint32_t id = s.id[p];
        s.x[p] = s.x[q];
        s.id[p] = s.id[q];
        s.x[q] = x;
        s.id[q] = id;
    }
    firn_image after = draw_read(&s, 2);
    firn_free(s.id);
    s.id = NULL;
    firn_image lost = draw_read(&s, 2);
    assert_less(difference(&before, &after), 0.05);  // sums in another order
    assert_greater(difference(&before, &lost), 0.5);
    firn_image_destroy(&before);
    firn_image_destroy(&after);
    firn_image_destroy(&lost);
    teardown_scene(&s);
}

static void damaged_particles_are_left_out(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 96, 54);
    add_ball(&s, 0.1);
    const firn_local whole = s.count;
    const uint64_t clean = draw_hash(&s, 2);
    s.x = firn_realloc(s.x, (size_t)whole, (size_t)whole + 8, sizeof *s.x);
    s.mass = firn_realloc(s.mass, (size_t)whole, (size_t)whole + 8, sizeof *s.mass);
    s.density = firn_realloc(s.density, (size_t)whole, (size_t)whole + 8, sizeof *s.density);
    s.id = firn_realloc(s.id, (size_t)whole, (size_t)whole + 8, sizeof *s.id);
    s.count = whole + 4;
    for (firn_local p = whole; p < s.count; p++) s.mass[p] = s.mass[0];
    s.x[whole] = firn_v3((firn_real)NAN, 0, 0);
    s.x[whole + 1] = firn_v3(0, (firn_real)INFINITY, 0);
    s.x[whole + 2] = firn_v3(0, 0, -(firn_real)INFINITY);
    s.x[whole + 3] = firn_v3((firn_real)NAN, (firn_real)NAN, (firn_real)NAN);
    // not the very same picture: the middle particle may be another one. Nearly:
    firn_image with = draw_read(&s, 2);
    s.count = whole;
    assert_int_equal(clean, draw_hash(&s, 2));
    firn_image without = draw_read(&s, 2);
    assert_less(difference(&with, &without), 0.01);
    // useless masses and densities
    for (firn_local p = 0; p < whole; p++) {
        s.mass[p] = p % 3 == 0 ? (firn_real)NAN : p % 3 == 1 ? 0 : -1;
        s.density[p] = p % 2 == 0 ? (firn_real)NAN : 0;
    }
    firn_image odd = draw_read(&s, 2);
    assert_less(difference(&odd, &without), 12);
    firn_image_destroy(&odd);
    firn_image_destroy(&with);
    firn_image_destroy(&without);
    teardown_scene(&s);
}

static void far_flung_particles(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 96, 54);
    add_ball(&s, 0.1);
    firn_image near = draw_read(&s, 2);
    s.x[0] = firn_v3(1e6f, 3e5f, -2e6f);
    s.x[1] = firn_v3(-1e30f, 1e30f, 1e30f);
    s.x[2] = firn_v3(FIRN_REAL_MAX, -FIRN_REAL_MAX, 0);
    s.x[3] = firn_v3(40, 0, 40);
    firn_image image = draw_read(&s, 2);
    assert_less(difference(&near, &image), 0.5);  // the ball is as it was
    // a cloud so wide that voxels must grow
    for (firn_local p = 0; p < s.count; p++)
        s.x[p] = firn_v3((firn_real)(firn_random_unit(7, (uint64_t)p) - 0.5) * 60,
                         (firn_real)firn_random_unit(8, (uint64_t)p) * 60,
                         (firn_real)(firn_random_unit(9, (uint64_t)p) - 0.5) * 60);
    firn_image_destroy(&near);
    near = draw_read(&s, 2);
    firn_image_destroy(&near);
    firn_image_destroy(&image);
    teardown_scene(&s);
}

static void odd_cameras(void** state)
{
    (void)state;
    static const double eyes[][6] = {
        {0, 0.1, 0, 0, 0.1, -1},        // in the middle of the snow
        {0.05, 0.12, 0.05, 0, 0.1, 0},  // just below its surface
        {0, 2, 0, 0, 0, 0},             // straight down
        {0, 0.05, 0.3, 0, 2, 0.3},      // straight up
        {0, -0.5, 0.5, 0, 0.1, 0},      // below the floor: it is not drawn
        {0, 0.1, 0.1001, 0, 0.1, 0},    // touching
        {1e5, 1e5, 1e5, 0, 0, 0},       // from very far
        {0, 0.2, 0.8, 0, 0.2, 0.8},     // nowhere
    };
    snow_scene s;
    setup_scene(&s, 64, 36);
    add_ball(&s, 0.1);
    for (size_t k = 0; k < sizeof eyes / sizeof eyes[0]; k++) {
        memcpy(s.data.render.eye, eyes[k], 3 * sizeof(double));
        memcpy(s.data.render.look_at, eyes[k] + 3, 3 * sizeof(double));
        for (int wide = 0; wide < 2; wide++) {
            s.data.render.fov_deg = wide ? 170 : 1;
            firn_image image = draw_read(&s, 2);
            firn_image_destroy(&image);
        }
    }
    // under the floor and looking up, the ball is seen through it
    s.data.render.fov_deg = 35;
    memcpy(s.data.render.eye, eyes[4], 3 * sizeof(double));
    memcpy(s.data.render.look_at, eyes[4] + 3, 3 * sizeof(double));
    firn_image with = draw_read(&s, 2);
    s.count = 0;
    firn_image without = draw_read(&s, 2);
    int changed = 0;  // of 2304 pixels; the ball covers 8 %
    for (int i = 0; i < 64 * 36; i++) changed += abs(with.rgb[3 * i] - without.rgb[3 * i]) > 4;
    assert_greater(changed, 100);
    firn_image_destroy(&with);
    firn_image_destroy(&without);
    teardown_scene(&s);
}

static void refusals(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    add_ball(&s, 0.1);
    assert_int_equal(draw_scene(&s, PATH, 0, NULL), FIRN_OK);
    uint64_t bytes, sum, bytes_after, sum_after;
    assert_int_equal(firn_file_checksum(PATH, &bytes, &sum, NULL), FIRN_OK);
    firn_error error = {0};
    s.data.render.width = 0;
    assert_int_equal(draw_scene(&s, PATH, 1, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "0 x 36");
    s.data.render.width = 1 << 20;
    assert_int_equal(draw_scene(&s, PATH, 1, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "1048576");
    s.data.render.width = 64;
    s.cell = 0;
    assert_int_equal(draw_scene(&s, PATH, 1, &error), FIRN_REFUSED_ARGUMENT);
    s.cell = NAN;
    assert_int_equal(draw_scene(&s, PATH, 1, &error), FIRN_REFUSED_ARGUMENT);
    s.cell = 0.015;
    assert_int_equal(draw_scene(&s, FIRN_TEST_TMP "/missing/x.png", 1, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "missing/x.png");
    // nothing of this touched the picture that was there
    assert_int_equal(firn_file_checksum(PATH, &bytes_after, &sum_after, NULL), FIRN_OK);
    assert_int_equal(sum, sum_after);
    disk_no_temporary(PATH);
    teardown_scene(&s);
}

// Every allocation fails in turn, once and for ever.
static void out_of_memory(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    s.cell = 0.03;
    add_ball(&s, 0.1);
    add_collider(&s, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0.2f, 0.05f, 0.1f, 0.05f}});
    assert_int_equal(draw_scene(&s, PATH, 0, NULL), FIRN_OK);
    uint64_t bytes, good, now;
    assert_int_equal(firn_file_checksum(PATH, &bytes, &good, NULL), FIRN_OK);
    const uint64_t in_use = firn_memory_read().bytes;
    for (int forever = 0; forever < 2; forever++) {
        firn_result result = FIRN_BROKEN_MEMORY;
        uint64_t k = 1;
        for (; result != FIRN_OK; k++) {
            assert_less(k, 200);
            firn_error error = {0};
            firn_memory_fail_at(k, forever != 0);
            result = draw_scene(&s, PATH, 0, &error);
            firn_memory_fail_at(0, false);
            assert_int_equal(firn_memory_read().bytes, in_use);
            assert_int_equal(firn_file_checksum(PATH, &bytes, &now, NULL), FIRN_OK);
            assert_int_equal(now, good);
            if (result == FIRN_OK) break;
            assert_int_equal(result, FIRN_BROKEN_MEMORY);
            assert_greater(strlen(error.text), 10);
        }
        assert_greater(k, 15);  // it did allocate
    }
    teardown_scene(&s);
}

int test_preview(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(floor_and_sky),
        cmocka_unit_test(snow_on_a_floor),
        cmocka_unit_test(coloured_by_a_field),
        cmocka_unit_test(lone_particle_is_a_speck),
        cmocka_unit_test(grain_follows_ids),
        cmocka_unit_test(damaged_particles_are_left_out),
        cmocka_unit_test(far_flung_particles),
        cmocka_unit_test(odd_cameras),
        cmocka_unit_test(refusals),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("preview", tests, NULL, NULL);
}
