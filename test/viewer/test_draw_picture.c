// SPDX-License-Identifier: MIT
// One picture of everything against a stored one (data/heap.png). After an intended
// change of look: inspect heap.png in the test's scratch folder (build/scratch/draw_picture.*), and
// copy it.
#include <png.h>

#include "picture.h"

#define PICTURE_WIDTH 320
#define PICTURE_HEIGHT 180
#define BYTES (3 * PICTURE_WIDTH * PICTURE_HEIGHT)
// Mean difference per band, of 255, that other drivers may make: a shadow map of twice the size, as
// graphics cards have it, makes 0.4. Without shadows it is 4.9, without water 4.4, as spheres 23.
#define TOLERANCE 1.5
#define PARTICLES_MAX 20000

static float places[PARTICLES_MAX][3];
static uint8_t phases[PARTICLES_MAX];

// A number in -1..1, the same everywhere.
static float random_of(uint32_t k)
{
    k = k * 747796405u + 2891336453u;
    k = ((k >> ((k >> 28) + 4)) ^ k) * 277803737u;
    return (float)((k >> 22) ^ k) / 2147483648.0f - 1;
}

// A heap with a trench through one side, a puddle in front and spray above.
static int64_t make_heap(void)
{
    const float h = 0.06f;
    int64_t count = 0;
    for (int i = -30; i <= 30; i++)
        for (int k = -25; k <= 25; k++)
            for (int j = 0; j < 16; j++) {
                const float x = h * (float)i, y = h * ((float)j + 0.5f), z = h * (float)k;
                float top = 0.12f + 0.75f * expf(-1.1f * (x * x + z * z));
                if (fabsf(x - 1) < 0.25f && z > -0.3f) top = 0;
                if (y > top || count >= PARTICLES_MAX - 400) break;
                float* p = places[count];
                const uint32_t seed = 3 * (uint32_t)count;
                p[0] = x + 0.4f * h * random_of(seed);
                p[1] = fmaxf(y + 0.3f * h * random_of(seed + 1), 0.5f * h);
                p[2] = z + 0.4f * h * random_of(seed + 2);
                phases[count++] = z > 1 && x < -0.5f ? 2 : z > 1 && x < 0.3f ? 1 : 0;
            }
    for (uint32_t k = 0; k < 80; k++) {
        float* p = places[count];
        p[0] = 1 + 0.4f * random_of(9000 + 3 * k);
        p[1] = 0.7f + 0.4f * random_of(9001 + 3 * k);
        p[2] = -0.6f + 0.2f * random_of(9002 + 3 * k);
        phases[count++] = 0;
    }
    return count;
}

static view_frame heap_frame(view_collider colliders[2], const view_text* text)
{
    colliders[0] = ground_at(0);
    colliders[1] = body_at(mesh_of_box(0.25f), 1, 0.3f, -0.5f);
    colliders[1].colour[0] = 0.8f, colliders[1].colour[1] = 0.4f, colliders[1].colour[2] = 0.05f;
    return (view_frame){.width = PICTURE_WIDTH,
                        .height = PICTURE_HEIGHT,
                        .camera = {{1.2f, 1.5f, 2.7f}, {0.1f, 0.2f, 0}, 42},
                        .sun = {-0.75f, 0.4f, -0.15f},
                        .style = VIEW_SURFACE,
                        .shadows = true,
                        .snow = {.count = make_heap(),
                                 .position = (const float(*)[3])places,
                                 .radius_all = 0.03f,
                                 .phase = phases},
                        .colliders = colliders,
                        .collider_count = 2,
                        .texts = text,
                        .text_count = 1};
}

static void draw_into(const view_frame* frame, uint8_t* pixels)
{
    view_draw_frame(drawing, frame);
    view_draw_read(drawing, PICTURE_WIDTH, PICTURE_HEIGHT, pixels);
}

static void read_stored(uint8_t* pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(
        png_image_begin_read_from_file(&image, FIRN_SOURCE_DIR "/test/viewer/data/heap.png"));
    image.format = PNG_FORMAT_RGB;
    assert_int_equal(image.width, PICTURE_WIDTH);
    assert_int_equal(image.height, PICTURE_HEIGHT);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

static void as_stored(void** state)
{
    (void)state;
    static uint8_t stored[BYTES], now[BYTES];
    view_collider colliders[2];
    const view_text text = {8, 6, 16, {1, 1, 1, 1}, true, "heap"};
    view_frame frame = heap_frame(colliders, &text);
    draw_into(&frame, now);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = PICTURE_WIDTH,
                       .height = PICTURE_HEIGHT,
                       .format = PNG_FORMAT_RGB};
    assert_true(png_image_write_to_file(&image, FIRN_TEST_TMP "/heap.png", 0, now, 0, NULL));
    read_stored(stored);
    const double same = mean_difference(stored, now, PICTURE_WIDTH, PICTURE_HEIGHT);
    printf("mean difference %.3f\n", same);
    assert_less(same, TOLERANCE);
    // The comparison detects missing effects.
    frame.shadows = false;
    draw_into(&frame, now);
    const double unshadowed = mean_difference(stored, now, PICTURE_WIDTH, PICTURE_HEIGHT);
    frame.shadows = true;
    frame.style = VIEW_SPHERES;
    draw_into(&frame, now);
    const double spheres = mean_difference(stored, now, PICTURE_WIDTH, PICTURE_HEIGHT);
    frame.style = VIEW_SURFACE;
    frame.snow.phase = NULL;
    draw_into(&frame, now);
    const double dry = mean_difference(stored, now, PICTURE_WIDTH, PICTURE_HEIGHT);
    printf("without shadows %.3f, as spheres %.3f, without water %.3f\n", unshadowed, spheres, dry);
    assert_greater(unshadowed, 2 * TOLERANCE);
    assert_greater(spheres, 2 * TOLERANCE);
    assert_greater(dry, 2 * TOLERANCE);
}

// The same frame twice is the same picture: nothing is left over from the one before.
static void repeatable(void** state)
{
    (void)state;
    static uint8_t first[BYTES], second[BYTES];
    view_collider colliders[2];
    const view_text text = {8, 6, 16, {1, 1, 1, 1}, true, "heap"};
    view_frame frame = heap_frame(colliders, &text);
    draw_into(&frame, first);
    frame.style = VIEW_SPHERES;
    frame.width = 200, frame.height = 100;
    view_draw_frame(drawing, &frame);
    frame = heap_frame(colliders, &text);
    draw_into(&frame, second);
    assert_memory_equal(first, second, BYTES);
}

int test_draw_picture(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_stored), cmocka_unit_test(repeatable)};
    if (!open_drawing(PICTURE_WIDTH, PICTURE_HEIGHT)) return FIRN_TEST_SKIPPED;
    const int failed = cmocka_run_group_tests_name("draw_picture", tests, NULL, NULL);
    close_drawing();
    return failed;
}
