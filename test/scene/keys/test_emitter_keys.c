// SPDX-License-Identifier: MIT
// Emitters, and the keys of heat and friction of snow, materials and colliders.
#include <math.h>

#include "geometry/collider/collider.h"
#include "scene/data/emitter.h"
#include "scene/data/snow.h"
#include "scene/run/seed.h"
#include "scene/scene_fixture.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\n"
#define BALL "shape: {sphere: {radius: 1}}"

static void defaults(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "emitters: [{" BALL ", rate: 3}]\n"
                                        "snow: [{" BALL "}]\ncolliders: [{" BALL "}, {" BALL
                                        ", sticky: true}, {" BALL ", viscosity: 0}]\n",
                                   NULL);
    const firn_emitter* e = &s.emitters[0];
    assert_int_equal(s.emitter_count, 1);
    assert_equal(e->rate, 3);
    assert_equal(e->size, 0);
    assert_equal(e->flake_size, 0.005);
    assert_equal(e->flake_density, 12);
    assert_equal(e->spread, 0);
    assert_equal(e->start, 0);
    assert_true(isinf(e->stop));
    assert_equal(e->limit, FIRN_EMITTER_NO_LIMIT);
    assert_equal(e->seed, 1);
    assert_equal(e->temperature, -5);
    assert_equal(s.snow[0].temperature, -5);
    assert_string_equal(s.materials[e->material].name, "snow");
    const firn_collider* c = s.colliders;
    assert_equal(c[0].adhesion, 0);
    assert_nan(c[0].temperature);
    assert_equal(c[0].heat_transfer, 50);
    assert_equal(firn_collider_viscosity(&c[0]), 1);  // 2.5 * 0.4
    assert_equal(firn_collider_viscosity(&c[1]), 10);
    assert_equal(firn_collider_viscosity(&c[2]), 0);
    const firn_snow_material* m = &s.materials[0].snow;
    assert_equal(m->conductivity, (firn_real)0.3);
    assert_equal(m->heat_capacity, 2090);
    assert_int_equal(m->young_count, 0);
    assert_false(firn_scene_heats(&s));
    firn_scene_data_destroy(&s);
}

static void given(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        HEAD "materials: {a: {young_at: [[-100 degC, 600 kPa], [0, 2e4]], conductivity: 1}}\n"
             "emitters: [{" BALL ", rate: 2 Hz, stop: 4, limit: 9, material: wet, "
             "flake_size: 2 mm, flake_density: 917}, {" BALL ", rate: 1, flake_size: 0}]\n",
        NULL);
    assert_int_equal(s.materials[0].snow.young_count, 2);
    assert_equal(s.materials[0].snow.young_at[0].young, 600000);
    assert_equal(s.materials[0].snow.conductivity, 1);
    assert_true(firn_scene_heats(&s));
    assert_string_equal(s.materials[s.emitters[0].material].name, "wet");
    assert_equal(s.emitters[0].stop, 4);
    assert_equal(s.emitters[0].limit, 9);
    assert_equal(s.emitters[0].flake_size, 0.002);
    assert_equal(s.emitters[0].flake_density, 917);
    assert_equal(s.emitters[1].flake_size, 0);
    // a scene without a camera shows where the snow falls from
    assert_greater(s.render.eye[0], 1);
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_int_equal(copy.emitter_count, 2);
    assert_memory_equal(copy.emitters, s.emitters, sizeof *s.emitters);
    assert_not_equal(copy.emitters, s.emitters);
    firn_scene_data_destroy(&copy);
    firn_scene_data_destroy(&s);
}

static void mistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        int column;
        const char* message;
    } cases[] = {
        {"emitters: [{rate: 3}]", 12, "'emitter' needs the key 'shape'"},
        {"emitters: [{" BALL "}]", 12, "needs a 'rate', in flakes per second, or a 'flow'"},
        {"emitters: [{rate: 1, flow: 2, " BALL "}]", 12, "a 'rate' and a 'flow': remove one"},
        {"emitters: [{rate: 1, limit: 2, mass: 3, " BALL "}]", 38, "a 'limit' and a 'mass'"},
        {"emitters: [{flow: 1 m, " BALL "}]", 19, "expected"},
        {"emitters: [{rate: 1, depth: 0, " BALL "}]", 29, "'depth' is 0 m"},
        {"emitters: [{rate: 0, " BALL "}]", 19, "'rate' is 0 1/s"},
        {"emitters: [{rate: 1, stop: 2, start: 3, " BALL "}]", 28,
         "stops at 2 s, before it starts"},
        {"emitters: [{rate: 1, limit: 2.5, " BALL "}]", 29, "a whole number"},
        {"emitters: [{rate: 1, material: mud, " BALL "}]", 32, "no material or preset"},
        {"emitters: [{rate: 1, flake_size: -1, " BALL "}]", 34, "must be between 0 and 1"},
        {"emitters: [{rate: 1, flake_density: 0, " BALL "}]", 37, "must be between 0.1 and 917"},
        {"colliders: [{viscosity: -1, " BALL "}]", 25, "must be between 0"},
        {"colliders: [{temperature: warm, " BALL "}]", 27, "must be a number"},
        {"snow: [{temperature: 300, " BALL "}]", 22, "must be between -273.15 and 100"},
        {"materials: {a: {young_at: [[0, 1e5]]}}", 27, "has 1 items, but needs at least 2"},
        {"materials: {a: {young_at: [[0, 1e5], [-5, 1e5]]}}", 38,
         "must be in order of temperature"},
        {"materials: {a: {young_at: [[0, 1e5, 3], [5, 1e5]]}}", 28, "has 3 values, but needs 2"},
        {"materials: {a: {young_at: [[0, 1 kg], [5, 1e5]]}}", 32, "expected a pressure"},
        {"materials: {a: {heat_capacity: 0}}", 32, "'heat_capacity' is 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(text, sizeof text, HEAD "%s\n", cases[k].text);
        firn_scene_data s;
        firn_diagnostics d = {0};
        assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
        if (!has_message(&d, 3, cases[k].column, cases[k].message)) {
            char* found = firn_diagnostics_text(&d);
            fail_msg("%s: %s", cases[k].text, found);
        }
        firn_diagnostics_destroy(&d);
    }
}

int test_emitter_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(given),
                                       cmocka_unit_test(mistakes)};
    return cmocka_run_group_tests_name("emitter_keys", tests, NULL, NULL);
}
