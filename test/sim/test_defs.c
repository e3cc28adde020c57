// SPDX-License-Identifier: MIT
// Structs of a program and of a library of another version: an older program has shorter ones, a
// newer program longer ones. Definitions carry cookie and size, results are given with a size.
#include <stddef.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"

#define NEWER 300u  // firn 0.3.0

static firn_scene* new_scene(void)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    return scene;
}

static void assert_refused(const firn_scene* scene, firn_result r, const char* sentence)
{
    assert_int_equal(r, FIRN_REFUSED_ARGUMENT);
    if (strstr(firn_scene_messages(scene), sentence) == NULL)
        fail_msg("'%s' is not in: %s", sentence, firn_scene_messages(scene));
}

// A program of a version whose firn_emitter_def ended before flake_size: the rest is not read, and
// the library's defaults hold.
static void an_older_definition_gets_defaults(void** state)
{
    (void)state;
    const size_t old = offsetof(firn_emitter_def, flake_size);
    _Alignas(8) unsigned char memory[sizeof(firn_emitter_def)];
    memset(memory, 0xff, sizeof memory);
    firn_def_init(memory, FIRN_DEF_COOKIE(FIRN_DEF_EMITTER), (uint32_t)old);
    for (size_t k = old; k < sizeof memory; k++) assert_int_equal(memory[k], 0xff);  // not written
    firn_emitter_def* def = (firn_emitter_def*)(void*)memory;
    assert_int_equal(def->bytes, old);
    firn_scene* scene = new_scene();
    assert_int_equal(firn_scene_sphere(scene, (firn_vec3){0, 1, 0}, (firn_real)0.2, &def->shape),
                     FIRN_OK);
    def->rate = 100;
    if (firn_scene_add_emitter(scene, def, NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_scene_destroy(scene);
}

// The same bytes in a library that knows fewer of them.
static void a_newer_definition_is_refused(void** state)
{
    (void)state;
    struct newer {
        firn_material_def def;
        double added[4];
    } newer;
    firn_scene* scene = new_scene();
    const uint32_t cookie = (FIRN_DEF_COOKIE(FIRN_DEF_MATERIAL) & 0xffff0000u) | NEWER;
    firn_def_init(&newer, cookie, sizeof newer);
    assert_true(newer.def.density == 400);
    for (int k = 0; k < 4; k++) assert_true(newer.added[k] == 0);
    const firn_result r = firn_scene_add_material(scene, &newer.def, NULL);
    assert_refused(scene, r, "compiled with firn 0.3.0");
    assert_refused(scene, r, "the library is " FIRN_VERSION_TEXT);
    firn_scene_destroy(scene);
}

static void definitions_must_be_initialised(void** state)
{
    (void)state;
    firn_scene* scene = new_scene();
    firn_snow_def snow;
    memset(&snow, 0, sizeof snow);
    assert_refused(scene, firn_scene_add_snow(scene, &snow, NULL), "firn_default_snow_def()");
    const firn_collider_def other = firn_default_collider_def();  // of another kind
    memcpy(&snow, &other, sizeof other < sizeof snow ? sizeof other : sizeof snow);
    assert_refused(scene, firn_scene_add_snow(scene, &snow, NULL), "firn_default_snow_def()");
    firn_sim* sim;
    firn_error error;
    assert_int_equal(firn_sim_create(scene, NULL, &sim, &error), FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(error.text, "firn_default_sim_def()"));
    firn_scene_destroy(scene);
}

// A program of the other precision has its fields elsewhere: 1e39 kg/m^3 where it wrote 400.
static void the_other_precision_is_refused(void** state)
{
    (void)state;
    firn_material_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_MATERIAL) ^ 0x800000u, sizeof def);
    firn_scene* scene = new_scene();
    assert_refused(scene, firn_scene_add_material(scene, &def, NULL), "the program was compiled");
    firn_scene_destroy(scene);
}

// Results: an older program gets the beginning, a newer one zeros after what the library knows.
static void results_have_the_size_of_the_caller(void** state)
{
    (void)state;
    const firn_version_info version = firn_version();
    _Alignas(8) unsigned char memory[2 * sizeof version];
    const uint32_t old = offsetof(firn_version_info, features);
    memset(memory, 0xff, sizeof memory);
    firn_version_sized((firn_version_info*)(void*)memory, old);
    const firn_version_info* got = (const firn_version_info*)(const void*)memory;
    assert_int_equal(got->minor, version.minor);
    assert_ptr_equal(got->text, version.text);
    assert_ptr_equal(got->backends, version.backends);
    for (size_t k = old; k < sizeof memory; k++) assert_int_equal(memory[k], 0xff);
    firn_version_sized((firn_version_info*)(void*)memory, sizeof memory);
    assert_ptr_equal(got->features, version.features);
    for (size_t k = sizeof version; k < sizeof memory; k++) assert_int_equal(memory[k], 0);
    assert_int_equal(version.major * 10000 + version.minor * 100 + version.patch, FIRN_VERSION);
}

// Rows: those of an older program are closer together; longer ones are refused before the work.
static void rows_have_the_size_of_the_caller(void** state)
{
    (void)state;
    firn_bench_def def = firn_default_bench_def();
    def.particles = 1000;
    def.steps = 1;
    def.repeats = 1;
    def.threads = 1;
    firn_bench_row* rows;
    firn_error error;
    int count;
    const uint32_t old = offsetof(firn_bench_row, solver);
    assert_int_equal(firn_bench_sized(&def, sizeof *rows + 8, &rows, &count, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(error.text, "as new"));
    assert_int_equal(firn_bench_sized(&def, old, &rows, &count, &error), FIRN_OK);
    assert_true(count > 1);
    for (int k = 0; k < count; k++) {
        const firn_bench_row* row = (const firn_bench_row*)(const void*)((char*)rows + k * old);
        assert_string_equal(row->backend, "cpu");
        double sum = 0;
        for (int s = 0; s < row->stage_count; s++) sum += row->stage_seconds[s];
        assert_true(sum > 0);
    }
    firn_bench_free(rows);
}

int test_defs(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_definition_gets_defaults),
        cmocka_unit_test(a_newer_definition_is_refused),
        cmocka_unit_test(definitions_must_be_initialised),
        cmocka_unit_test(the_other_precision_is_refused),
        cmocka_unit_test(results_have_the_size_of_the_caller),
        cmocka_unit_test(rows_have_the_size_of_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
