// SPDX-License-Identifier: MIT
// The list `forces` and gravity that changes over time: values, defaults, mistakes, writing.
#include <math.h>

#include "physics/force_field.h"
#include "scene/run/gravity.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\nsnow: [{shape: {sphere: {radius: 1}}}]\n"

static const char many[] =
    HEAD "gravity_keys: [{time: 1, gravity: [0, -10, 0]}, [2 s, [0, 0, 4]]]\n"
         "forces:\n"
         "- {kind: uniform, strength: 1 g, direction: [0, 0, 2], keys: [[0, 1], [1, 3]]}\n"
         "- {kind: point, strength: -4, center: [1, 2, 3], radius: 50 cm, falloff: smooth}\n"
         "- {kind: noise, strength: 2, length: 20 cm, period: 3, seed: 9}\n";

static void given(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(many, NULL);
    assert_int_equal(s.force_count, 3);
    assert_equal(s.forces[0].direction[2], 1);  // of unit length
    assert_near(s.forces[0].strength, 9.80665, 1e-12);
    assert_int_equal(s.forces[0].key_count, 2);
    assert_equal(s.forces[0].radius, 0);
    assert_int_equal(s.forces[1].falloff, FIRN_FORCE_SMOOTH);
    assert_equal(s.forces[1].radius, 0.5);
    assert_equal(s.forces[2].length, 0.2);
    assert_equal(s.gravity[1], -10);
    const double times[] = {0, 1, 1.5, 2, 3}, y[] = {-10, -10, -5, 0, 0}, z[] = {0, 0, 2, 4, 4};
    for (int k = 0; k < 5; k++) {
        const firn_vec3 g = firn_scene_gravity(&s, times[k]);
        assert_near(g.y, y[k], 1e-6);
        assert_near(g.z, z[k], 1e-6);
    }
    // at the ball's rim the second one vanishes; the first is tripled
    s.force_count = 2;
    const firn_vec3 a = firn_scene_force(&s, firn_v3(1, 2, (firn_real)3.5), 1);
    assert_near(a.z, 3 * 9.80665, 1e-5);
    assert_equal(a.x, 0);
    s.force_count = 3;
    firn_scene_data_destroy(&s);
}

// A copy and a scene that was written and read again are the same.
static void written(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(many, NULL), copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_equal(copy.hash, s.hash);
    assert_memory_equal(copy.forces, s.forces, 3 * sizeof *s.forces);
    char* text = firn_scene_to_yaml(&copy);
    assert_non_null(text);
    firn_scene_data again = parse_good(text, NULL);
    assert_equal(again.hash, s.hash);
    assert_int_equal(again.gravity_key_count, 2);
    assert_equal(again.forces[1].strength, -4);
    // each of them is part of the hash
    s.forces[2].seed++;
    firn_scene_data_changed(&s);
    assert_not_equal(again.hash, s.hash);
    copy.gravity_keys[1].gravity[2] = 5;
    firn_scene_data_changed(&copy);
    assert_not_equal(again.hash, copy.hash);
    firn_free(text);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
    firn_scene_data_destroy(&s);
}

static void mistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } cases[] = {
        {"forces: [{strength: 1}]", "needs the key 'kind'"},
        {"forces: [{kind: wind, strength: 1}]", "uniform"},
        {"forces: [{kind: point}]", "needs the key 'strength'"},
        {"forces: [{kind: point, strength: 1 kg}]", "expected"},
        {"forces: [{kind: point, strength: 1, direction: [1, 0, 0]}]", "'direction' is a key of"},
        {"forces: [{kind: vortex, strength: 1, length: 2}]", "'length' is a key of noise"},
        {"forces: [{kind: vortex, strength: 1, direction: [0, 0, 0]}]", "has no length"},
        {"forces: [{kind: point, strength: 1, falloff: linear}]", "needs the key 'radius'"},
        {"forces: [{kind: point, strength: 1, radius: 0}]", "'radius' is 0 m"},
        {"forces: [{kind: point, strength: 1, keys: [[1, 1], [0, 1]]}]", "in order of time"},
        {"forces: [{kind: point, strength: 1, keys: [[1, 1], [1, 1], [1, 1]]}]", "three keys"},
        {"forces: [{kind: point, strength: 1, keys: []}]", "at least 1"},
        {"gravity_keys: [[1, [0, 0, 0]], [0, [0, 0, 0]]]", "in order of time"},
        {"gravity: [0, 0, 0]\ngravity_keys: [[1, [0, 0, 0]]]", "not both"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400];
        snprintf(text, sizeof text, HEAD "%s\n", cases[k].text);
        firn_scene_data s;
        firn_diagnostics d = {0};
        assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
        char* found = firn_diagnostics_text(&d);
        if (strstr(found, cases[k].message) == NULL) fail_msg("%s: %s", cases[k].text, found);
        firn_free(found);
        firn_diagnostics_destroy(&d);
    }
}

int test_force_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(given), cmocka_unit_test(written),
                                       cmocka_unit_test(mistakes)};
    return cmocka_run_group_tests_name("force_keys", tests, NULL, NULL);
}
