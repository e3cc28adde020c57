// SPDX-License-Identifier: MIT
// Whether a scene fits into the memory of a GPU, with cards that are made up: a sentence with what
// it takes, whose it is and what would fit, and what it recommends does fit.
#include "sim/scene/scene_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"
#include "sim/sim.h"

#define GIB (1ull << 30)

// A cubic metre of snow.
static firn_scene* cube(const char* solver, const char* key, double edge, const char* more)
{
    char text[600];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: %s\n%s: {%s: %.9g}\nsnow: [{shape: {box: {center: [0, 1, 0], size: "
             "[1, 1, 1]}}}]\n%s",
             solver, solver, key, edge, more);
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    return scene;
}

static firn_result fits(const firn_scene* scene, double gib, firn_error* error)
{
    const firn_scene_card card = {"cuda:0 (a card)", (uint64_t)(gib * (double)GIB)};
    const firn_scene_size size = firn_scene_measure(&scene->data);
    const firn_result r = firn_scene_fit_device(&scene->data, &size, &card, 0, error);
    firn_error quick;
    assert_int_equal(firn_scene_fit_device_quick(&scene->data, &card, 0, &quick), r);
    if (r != FIRN_OK) assert_string_equal(quick.text, error->text);
    return r;
}

static const struct {
    const char *solver, *key;
    double edge, gib;  // [m]; what 1 m^3 takes is between a half and all of it
} cases[] = {{"sph", "spacing", 1.0 / 160, 4},   // 4.1 million, 2.8 GB
             {"sph", "spacing", 1.0 / 320, 24},  // 33 million, 22 GB
             {"mpm", "cell", 1.0 / 80, 2},       // 4.1 million, 1.4 GB
             {"grains", "radius", 1.0 / 160, 2}};

static void too_small_a_card(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_error error = {0};
        firn_scene* scene = cube(cases[k].solver, cases[k].key, cases[k].edge, "");
        if (fits(scene, cases[k].gib, &error) != FIRN_OK) fail_msg("%s", error.text);
        assert_int_equal(fits(scene, cases[k].gib / 4, &error), FIRN_BROKEN_MEMORY);
        print_message("%s\n", error.text);
        assert_contains(error.text, "of the memory of cuda:0 (a card)");
        assert_contains(error.text, "particles take about");
        assert_contains(error.text, "or backend cpu");
        const char* at = strstr(error.text, "of at least ");
        assert_non_null(at);
        const double edge = atof(at + strlen("of at least "));
        assert_greater(edge, cases[k].edge);
        firn_scene_destroy(scene);
        scene = cube(cases[k].solver, cases[k].key, edge, "");
        if (fits(scene, cases[k].gib / 4, &error) != FIRN_OK) fail_msg("%s", error.text);
        firn_scene_destroy(scene);
    }
}

// A card whose memory is not known refuses nothing.
static void an_unknown_card(void** state)
{
    (void)state;
    firn_error error = {0};
    firn_scene* scene = cube("sph", "spacing", 1.0 / 160, "");
    assert_int_equal(fits(scene, 0, &error), FIRN_OK);
    firn_scene_destroy(scene);
}

static double device_bytes(firn_scene* scene)
{
    firn_scene_info info;
    if (firn_scene_check(scene, 1, &info) != FIRN_OK) fail_msg("%s", firn_scene_messages(scene));
    firn_scene_destroy(scene);
    return info.device_bytes;
}

// `firn check` counts what a scene has: fluids, temperatures.
static void what_check_says(void** state)
{
    (void)state;
    const double h = 1.0 / 40, particles = 64000;
    const double plain = device_bytes(cube("sph", "spacing", h, ""));
    const double water =
        device_bytes(cube("sph", "spacing", h, "materials: {w: {phase: water}}\n"));
    const double warm = device_bytes(cube("sph", "spacing", h, "air: {temperature: 3}\n"));
    print_message("%.1f, %.1f, %.1f bytes a particle\n", plain / particles, water / particles,
                  warm / particles);
    assert_near(plain / particles, 770, 50);  // of them 36 on their way, 60 for tables
    assert_near((water - plain) / particles, 28, 1);
    assert_near((warm - plain) / particles, 32, 1);
}

int test_scene_fit(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(too_small_a_card),
                                       cmocka_unit_test(an_unknown_card),
                                       cmocka_unit_test(what_check_says)};
    return cmocka_run_group_tests_name("scene_fit", tests, NULL, NULL);
}
