// SPDX-License-Identifier: MIT
// The block `look` of materials.
#include "scene/keys/look_keys.h"

#include <string.h>

#include "core/memory.h"
#include "scene/data/snow.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\nmaterials:\n"

// Exactly one error, with this text.
static void parse_bad(const char* text, const char* fragment)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_not_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_OK);
    assert_int_equal(d.error_count, 1);
    assert_contains(d.items[0].message, fragment);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

static void every_kind(void** state)
{
    (void)state;
    firn_scene_data s =
        parse_good(HEAD "  a: {phase: water}\n"
                        "  b: {look: {kind: ice, scattering: 0.5}}\n"
                        "  c: {look: {kind: chocolate, colour: [0.1, 0.2, 0.3]}}\n"
                        "  d: {look: {kind: soft-ice, roughness: 1, specular: 0}}\n"
                        "  e: {phase: water, look: {kind: snow}}\n"
                        "  f: {look: {kind: water, ior: 1.4, absorption: [0, 1, 2]}}\n",
                   NULL);
    assert_int_equal(s.materials[0].look.kind, FIRN_SHOWN_BY_PHASE);
    assert_int_equal(firn_material_look_of(&s.materials[0]).kind, FIRN_SHOWN_AS_WATER);
    assert_int_equal(s.materials[1].look.kind, FIRN_SHOWN_AS_ICE);
    assert_equal(s.materials[1].look.ior, 1.31f);
    assert_equal(s.materials[1].look.scattering, 0.5f);
    assert_equal(s.materials[2].look.ior, 0);
    assert_equal(s.materials[2].look.colour[1], 0.2f);
    assert_equal(s.materials[3].look.roughness, 1);
    assert_equal(s.materials[3].look.specular, 0);
    const firn_material_look snow = firn_material_look_of(&s.materials[4]);
    assert_false(firn_look_is_smooth(&snow));
    assert_equal(s.materials[5].look.ior, 1.4f);
    assert_equal(s.materials[5].look.absorption[2], 2);
    // written from the data and read again it is the same; the hash does not depend on looks
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    firn_scene_data_changed(&copy);
    char* written = firn_scene_to_yaml(&copy);
    firn_scene_data again = parse_good(written, NULL);
    for (int m = 0; m < 6; m++)
        assert_memory_equal(&again.materials[m].look, &s.materials[m].look,
                            sizeof s.materials[m].look);
    copy.materials[1].look = (firn_material_look){0};
    assert_equal(firn_scene_hash(&copy), firn_scene_hash(&again));
    firn_free(written);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
    firn_scene_data_destroy(&s);
}

static void wrong_keys_are_reported(void** state)
{
    (void)state;
    parse_bad(HEAD "  a: {look: {ior: 1.3}}\n", "'look' needs the key 'kind'");
    parse_bad(HEAD "  a: {look: {kind: milk}}\n", "milk");
    parse_bad(HEAD "  a: {look: {kind: ice, colour: [1, 1, 1]}}\n",
              "'colour' has no effect on a look of kind ice, which is transparent: use "
              "'absorption'");
    parse_bad(HEAD "  a: {look: {kind: chocolate, absorption: [1, 1, 1]}}\n",
              "'absorption' has no effect on a look of kind chocolate, which is opaque");
    parse_bad(HEAD "  a: {look: {kind: snow, roughness: 0.5}}\n",
              "'roughness' has no effect on a look of kind snow");
    parse_bad(HEAD "  a: {look: {kind: water, ior: 1}}\n", "ior");
    parse_bad(HEAD "  a: {look: {kind: water, absorption: [-1, 0, 0]}}\n", "absorption");
}

int test_look_keys(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(wrong_keys_are_reported),
    };
    return cmocka_run_group_tests_name("look_keys", tests, NULL, NULL);
}
