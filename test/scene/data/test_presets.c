// SPDX-License-Identifier: MIT
// Presets: table 2 as the paper prints it, and the others on the side of it that section 5 says.
#include <string.h>

#include "firn_test.h"
#include "scene/data/presets.h"

static const firn_snow_material* snow_of(const char* name)
{
    const firn_preset* preset = firn_preset_find(name);
    assert_non_null(preset);
    return &preset->snow;
}

static void test_table_2(void** state)
{
    (void)state;
    const firn_snow_material* s = snow_of("snow");
    assert_equal(s->density, (firn_real)4.0e2f);
    assert_equal(s->young, (firn_real)1.4e5f);
    assert_equal(s->poisson, (firn_real)0.2f);
    assert_equal(s->hardening, 10);
    assert_equal(s->critical_compression, (firn_real)2.5e-2f);
    assert_equal(s->critical_stretch, (firn_real)7.5e-3f);
    assert_at_least(s->hardening_max, 1e5f);            // no cap within J_P in [0, 1]
    assert_string_equal(firn_presets[0].name, "snow");  // the one that materials start from
}

// Stomakhin 2013, section 5: "larger = chunky, smaller = powdery", "Icy snow has a higher hardening
// coefficient and Young's modulus, with the opposite producing muddy snow", ...
static void test_directions(void** state)
{
    (void)state;
    const firn_snow_material* s = snow_of("snow");
    static const char* const larger[] = {"wet", "chunky"};
    for (int i = 0; i < 2; i++) {
        assert_greater(snow_of(larger[i])->critical_compression, s->critical_compression);
        assert_greater(snow_of(larger[i])->critical_stretch, s->critical_stretch);
    }
    assert_less(snow_of("powder")->critical_compression, s->critical_compression);
    assert_less(snow_of("powder")->critical_stretch, s->critical_stretch);
    assert_greater(snow_of("icy")->hardening, s->hardening);
    assert_greater(snow_of("icy")->young, s->young);
    assert_less(snow_of("muddy")->hardening, s->hardening);
    assert_less(snow_of("muddy")->young, s->young);
    assert_greater(snow_of("brittle")->hardening, s->hardening);
    assert_less(snow_of("ductile")->hardening, s->hardening);
    assert_greater(snow_of("stiff")->young, s->young);
    assert_less(snow_of("soft")->young, s->young);
}

static void test_all_are_sound(void** state)
{
    (void)state;
    assert_null(firn_preset_find("concrete"));
    for (size_t i = 0; i < firn_preset_count; i++) {
        const firn_preset* p = &firn_presets[i];
        assert_ptr_equal(firn_preset_find(p->name), p);  // names are unique
        assert_greater(strlen(p->help), 10);
        assert_greater(strlen(p->source), 20);
        const bool clay = p->snow.cam_clay.friction > 0;
        assert_contains(p->source, clay ? "Gaume et al. 2018" : "Stomakhin et al. 2013");
        if (i > 0) assert_contains(p->source, "ur choice");  // says what is not the paper's
        assert_at_least(p->snow.density, 50);
        assert_at_most(p->snow.density, 917);
        assert_greater(p->snow.young, 0);
        assert_at_least(p->snow.poisson, 0);
        assert_less(p->snow.poisson, 0.5f);
        assert_greater(p->snow.critical_compression, 0);
        assert_less(p->snow.critical_compression, 1);
        assert_greater(p->snow.critical_stretch, 0);
        assert_greater(p->snow.hardening, 0);
    }
}

int test_presets(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table_2),
                                       cmocka_unit_test(test_directions),
                                       cmocka_unit_test(test_all_are_sound)};
    return cmocka_run_group_tests_name("presets", tests, NULL, NULL);
}
