// SPDX-License-Identifier: MIT
// The block `colliders`: free bodies and bodies as warm as the air; what goes together and what
// does not.
#include <math.h>

#include "geometry/collider/collider.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\ncolliders:\n  - shape: "
#define BALL "{sphere: {center: [0, 0, 0], radius: 0.5}}\n"

static void free_body(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD BALL "    mass: 2 kg\n    position: [0, 3, 0]\n"
                                             "    velocity: [1, 0, 0]\n    spin: [0, 0, 4]\n"
                                             "    scale: 2\n",
                                   NULL);
    const firn_collider* c = &s.colliders[0];
    assert_equal(c->mass, 2);
    assert_equal(c->moved_by, FIRN_MOVED_BY_SOLVER);
    assert_equal(c->drive_time, 0);
    assert_equal(c->drive.position.y, 3);
    assert_equal(c->drive.scale, 2);
    assert_equal(c->drive.spin.z, 4);
    // of the origin: spin times the offset of the centre of mass, which is sampled, is added
    assert_near(c->drive.velocity.x, 1, 1e-3);
    assert_equal(c->pose.position.y, 3);
    char* text = firn_scene_to_yaml(&s);
    assert_non_null(text);
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_equal(copy.colliders[0].mass, 2);
    assert_equal(copy.colliders[0].moved_by, FIRN_MOVED_BY_SOLVER);
    firn_scene_data_changed(&copy);  // written from the data, not from the text
    char* written = firn_scene_to_yaml(&copy);
    assert_contains(written, "mass: 2");
    firn_scene_data again = parse_good(written, NULL), other;
    assert_equal(firn_scene_hash(&again), firn_scene_hash(&copy));
    other = parse_good(HEAD BALL "    mass: 3\n    position: [0, 3, 0]\n    velocity: [1, 0, 0]\n"
                                 "    spin: [0, 0, 4]\n    scale: 2\n",
                       NULL);
    assert_not_equal(other.hash, s.hash);
    firn_free(text);
    firn_free(written);
    firn_scene_data* const all[] = {&s, &copy, &again, &other};
    for (int k = 0; k < 4; k++) firn_scene_data_destroy(all[k]);
    s = parse_good(HEAD BALL "    mass: 0\n    velocity: [1, 0, 0]\n", NULL);
    assert_equal(s.colliders[0].mass, 0);
    assert_equal(s.colliders[0].moved_by, FIRN_MOVED_BY_SCENE);
    firn_scene_data_destroy(&s);
}

static void as_warm_as_the_air(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD BALL "    temperature_of_air: true\n", NULL);
    assert_true(s.colliders[0].temperature_of_air);
    assert_nan(s.colliders[0].temperature);
    firn_scene_data_changed(&s);
    char* written = firn_scene_to_yaml(&s);
    firn_scene_data again = parse_good(written, NULL), plain = parse_good(HEAD BALL, NULL);
    assert_true(again.colliders[0].temperature_of_air);
    assert_equal(firn_scene_hash(&again), firn_scene_hash(&s));
    assert_not_equal(firn_scene_hash(&plain), firn_scene_hash(&s));
    firn_free(written);
    firn_scene_data_destroy(&s);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&plain);
}

static void mistakes(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* message;
    } cases[] = {
        {BALL "    mass: -1\n", "'mass' is -1 kg"},
        {BALL "    mass: 1\n    pivot: [1, 0, 0]\n", "is dynamic"},
        {BALL "    mass: 1\n    keyframes: [{time: 0}, {time: 1}]\n", "is dynamic"},
        {"{plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n    mass: 1\n", "an end on all sides"},
        {BALL "    temperature: 3\n    temperature_of_air: true\n", "not both"},
        {BALL "    masss: 1\n", "did you mean 'mass'?"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400];
        snprintf(text, sizeof text, HEAD "%s", cases[k].text);
        firn_scene_data s;
        firn_diagnostics d = {0};
        assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
        char* found = firn_diagnostics_text(&d);
        if (strstr(found, cases[k].message) == NULL) fail_msg("%s: %s", cases[k].text, found);
        firn_free(found);
        firn_diagnostics_destroy(&d);
    }
}

int test_collider_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_body),
                                       cmocka_unit_test(as_warm_as_the_air),
                                       cmocka_unit_test(mistakes)};
    return cmocka_run_group_tests_name("collider_keys", tests, NULL, NULL);
}
