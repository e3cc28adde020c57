// SPDX-License-Identifier: MIT
// Varied snow and culling from code mean what the same scene file means; wrong values are refused.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "scene/write/scene_write.h"
#include "sim/sim.h"

static const char file_text[] =
    "firn: 1\n"
    "materials: {snow: {}}\n"
    "snow:\n"
    "- shape: {sphere: {center: [0, 1, 0], radius: 0.5}}\n"
    "  vary:\n"
    "    stiffness: {noise: {scale: 0.25, amount: 0.5, octaves: 2, seed: 7}}\n"
    "    stretch: {texture: {file: spots.vdb, grid: xi, low: 0.5, high: 4}}\n"
    "    shell: {thickness: 0.125, density: 1.5, falloff: linear}\n"
    "    layers:\n"
    "    - {from: 0, to: 0.0625, hardening: 2}\n"
    "    - {from: 0.0625, to: 0.25, compression: 0.75}\n"
    "cull: {below: -1, inside: {box: {center: [4, 0, 0], size: [2, 2, 2]}}}\n";

typedef struct building {
    firn_scene* scene;
    firn_snow_def def;
    firn_layer_def layers[2];
} building;

static building begin(void)
{
    building b = {.def = firn_default_snow_def()};
    assert_int_equal(firn_scene_create(&b.scene), FIRN_OK);
    assert_int_equal(firn_scene_sphere(b.scene, firn_v3(0, 1, 0), (firn_real)0.5, &b.def.shape),
                     FIRN_OK);
    for (int k = 0; k < 2; k++) b.layers[k] = firn_default_layer_def();
    return b;
}

static void code_and_file_agree(void** state)
{
    (void)state;
    building b = begin();
    firn_factor_def* stiffness = &b.def.vary[FIRN_VARY_STIFFNESS];
    stiffness->noise_scale = (firn_real)0.25;
    stiffness->noise_amount = (firn_real)0.5;
    stiffness->noise_octaves = 2;
    stiffness->noise_seed = 7;
    firn_factor_def* stretch = &b.def.vary[FIRN_VARY_STRETCH];
    stretch->texture_file = "spots.vdb";
    stretch->texture_grid = "xi";
    stretch->texture_low = (firn_real)0.5;
    stretch->texture_high = 4;
    b.def.shell.thickness = (firn_real)0.125;
    b.def.shell.factor[FIRN_VARY_DENSITY] = (firn_real)1.5;
    b.def.shell.linear = true;
    b.layers[0].to = b.layers[1].from = (firn_real)0.0625;
    b.layers[0].factor[FIRN_VARY_HARDENING] = 2;
    b.layers[1].to = (firn_real)0.25;
    b.layers[1].factor[FIRN_VARY_COMPRESSION] = (firn_real)0.75;
    b.def.layers = b.layers;
    b.def.layer_count = 2;
    firn_snow_id id;
    if (firn_scene_add_snow(b.scene, &b.def, &id) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(b.scene));
    memset(b.layers, 0, sizeof b.layers);  // they were copied
    assert_int_equal(firn_scene_set(b.scene, "cull.below", "-1"), FIRN_OK);
    assert_int_equal(
        firn_scene_set(b.scene, "cull.inside", "{box: {center: [4, 0, 0], size: [2, 2, 2]}}"),
        FIRN_OK);
    firn_scene* file;
    assert_int_equal(firn_scene_create(&file), FIRN_OK);
    if (firn_scene_load_text(file, file_text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(file));
    assert_equal(b.scene->data.hash, file->data.hash);
    char* text = firn_scene_to_yaml(&b.scene->data);
    firn_scene* again;
    assert_int_equal(firn_scene_create(&again), FIRN_OK);
    assert_int_equal(firn_scene_load_text(again, text, "again", NULL), FIRN_OK);
    assert_equal(again->data.hash, file->data.hash);
    firn_free(text);
    firn_scene_destroy(again);
    firn_scene_destroy(file);
    firn_scene_destroy(b.scene);
}

static void refuse(building* b, const char* words)
{
    firn_snow_id id;
    const uint64_t before = firn_memory_read().bytes;
    assert_int_equal(firn_scene_add_snow(b->scene, &b->def, &id), FIRN_REFUSED_ARGUMENT);
    if (strstr(firn_scene_messages(b->scene), words) == NULL)
        fail_msg("'%s' is not in: %s", words, firn_scene_messages(b->scene));
    assert_int_equal(b->scene->data.snow_count, 0);
    firn_scene_destroy(b->scene);
    assert_less(firn_memory_read().bytes, before);
}

static void wrong_values(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    building b = begin();
    b.def.vary[FIRN_VARY_HARDENING].noise_scale = -1;
    refuse(&b, "vary hardening: noise needs");
    b = begin();
    b.def.vary[FIRN_VARY_DENSITY].noise_scale = 1;
    b.def.vary[FIRN_VARY_DENSITY].noise_octaves = 0;
    refuse(&b, "vary density: noise needs");
    b = begin();
    b.def.vary[FIRN_VARY_STIFFNESS].texture_file = "first.vdb";  // must not leak
    b.def.vary[FIRN_VARY_STRETCH].texture_file = "x.vdb";
    b.def.vary[FIRN_VARY_STRETCH].texture_high = (firn_real)NAN;
    refuse(&b, "vary stretch: factors 1 and");
    b = begin();
    b.def.shell.thickness = -1;
    refuse(&b, "shell: needs a thickness");
    b = begin();
    b.def.shell.factor[FIRN_VARY_STRETCH] = 0;
    refuse(&b, "shell: needs");
    b = begin();
    b.def.layer_count = 2;
    refuse(&b, "2 layers, but no array");
    b = begin();
    b.def.layers = b.layers;
    b.def.layer_count = 2;
    b.layers[0].to = 1;
    refuse(&b, "layer 1: needs 0 <= from < to");
    assert_equal(firn_memory_read().bytes, before);
}

// A wrong value leaves the cull block as it was.
static void cull_by_name(void** state)
{
    (void)state;
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_false(scene->data.cull.active);
    assert_int_equal(firn_scene_set(scene, "cull.below", "-20 cm"), FIRN_OK);
    assert_true(scene->data.cull.active);
    assert_equal(scene->data.cull.below, -0.2);
    assert_int_equal(firn_scene_set(scene, "cull.below", "low"), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_set(scene, "cull.outside", "{ball: {}}"), FIRN_REFUSED_ARGUMENT);
    assert_true(scene->data.cull.active);
    assert_equal(scene->data.cull.below, -0.2);
    assert_int_equal(scene->data.cull.outside, -1);
    firn_scene_destroy(scene);
}

int test_snow_vary(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_and_file_agree),
                                       cmocka_unit_test(wrong_values),
                                       cmocka_unit_test(cull_by_name)};
    return cmocka_run_group_tests_name("snow_vary", tests, NULL, NULL);
}
