// SPDX-License-Identifier: MIT
// Colliders that deform or follow a node, in scene files: read, written again, hashed by what their
// files hold, and what is wrong with them.
#include "scene/keys/animation_keys.h"

#include <math.h>
#include <unistd.h>

#include "geometry/collider/collider.h"
#include "geometry/obj_sequence.h"
#include "mesh/gltf_maker.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define BODY(keys) "firn: 1\ncolliders:\n- " keys "\n"
#define RISE FIRN_TEST_TMP "/rise.%03d.obj"
#define BALL "shape: {sphere: {radius: 1}}"

static void assert_mistake(const char* text, int line, int column, const char* part)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
    if (!has_message(&d, line, column, part)) {
        char* messages = firn_diagnostics_text(&d);
        print_error("%s\n%s", text, messages);
        firn_free(messages);
        fail();
    }
    firn_diagnostics_destroy(&d);
}

static uint64_t hash_of(const char* text)
{
    firn_scene_data s = parse_good(text, NULL);
    const uint64_t hash = s.hash;
    firn_scene_data_destroy(&s);
    assert_not_equal(hash, 0);
    return hash;
}

static void an_animation_is_read(void** state)
{
    (void)state;
    obj_write_sequence(FIRN_TEST_TMP, "rise", 3, 9, 0.05);
    firn_scene_data s = parse_good(
        BODY("animation: {file: \"" RISE "\", first: 3, voxel: 2 cm, fps: 12, start: 1.5, "
             "speed: 50 %, loop: true, if_broken: mend, memory: 12}\n  velocity: [1, 0, 0]\n"
             "  friction: 0.7"),
        NULL);
    assert_int_equal(s.collider_count, 1);
    const firn_collider* c = &s.colliders[0];
    assert_int_equal(c->shape, -1);
    assert_int_equal(firn_deforming_key_count(c->deforming), 7);  // 3 to 9: all there are
    const firn_deforming_def* def = firn_deforming_read_def(c->deforming);
    assert_int_equal(def->animation.last, 9);
    assert_near(def->voxel, 0.02, 1e-7);  // floats of the scene text: relative 6e-8
    assert_equal(def->start, 1.5);
    assert_equal(def->speed, 0.5);
    assert_equal(def->animation.fps, 12);
    assert_true(def->loop);
    assert_equal(def->memory, (size_t)12 << 20);
    assert_int_equal(def->broken, FIRN_BROKEN_MESH_REPAIR);
    assert_equal(c->motion.velocity.x, 1);
    assert_near(c->friction, 0.7, 1e-6);  // as the voxel
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&s, &copy), FIRN_OK);
    assert_equal(copy.colliders[0].deforming, c->deforming);
    assert_equal(copy.hash, s.hash);
    firn_scene_data_destroy(&s);
    assert_int_equal(firn_deforming_key_count(copy.colliders[0].deforming), 7);
    firn_scene_data_destroy(&copy);
}

static void it_is_written_again(void** state)
{
    (void)state;
    obj_write_sequence(FIRN_TEST_TMP, "rise", 1, 4, 0.05);
    firn_scene_data s = parse_good(
        BODY("animation: {file: \"" RISE "\", last: 3, voxel: 2 cm, start: 0.1, loop: true}\n"
             "  scale: 1.5\n  keyframes: [{time: 0}, {time: 1, position: [0, 1, 0], scale: 2}]"),
        NULL);
    const uint64_t hash = s.hash;
    firn_scene_data_changed(&s);
    assert_equal(s.hash, hash);
    char* text = firn_scene_to_yaml(&s);
    firn_scene_data_destroy(&s);
    s = parse_good(text, NULL);
    assert_equal(s.hash, hash);
    assert_int_equal(firn_deforming_key_count(s.colliders[0].deforming), 3);
    assert_equal(s.colliders[0].motion.keys[1].scale, 2);
    assert_near(s.colliders[0].motion.scale, 1.5, 1e-6);  // a float
    firn_scene_data_destroy(&s);
    firn_free(text);
}

static void the_hash_is_of_what_the_files_hold(void** state)
{
    (void)state;
#define PLAIN "animation: {file: \"" RISE "\", last: 4, voxel: 0.02"
    obj_write_sequence(FIRN_TEST_TMP, "rise", 1, 4, 0.05);
    obj_write_sequence(FIRN_TEST_TMP, "same", 11, 14, 0.05);
    obj_write_sequence(FIRN_TEST_TMP, "other", 1, 4, 0.06);
    const uint64_t hash = hash_of(BODY(PLAIN "}"));
    assert_equal(hash_of(BODY(PLAIN ", memory: 3}")), hash);
    assert_equal(hash_of(BODY("animation: {file: \"" FIRN_TEST_TMP
                              "/same.%03d.obj\", first: 11, voxel: 2 cm}")),
                 hash);
    static const char* const others[] = {
        BODY("animation: {file: \"" FIRN_TEST_TMP "/other.%03d.obj\", voxel: 0.02}"),
        BODY("animation: {file: \"" RISE "\", last: 3, voxel: 0.02}"),
        BODY(PLAIN ", fps: 25}"),
        BODY(PLAIN ", start: 1}"),
        BODY(PLAIN ", speed: 2}"),
        BODY(PLAIN ", loop: true}"),
        BODY(PLAIN ", if_broken: repair}"),
        BODY("animation: {file: \"" RISE "\", last: 4, voxel: 0.021}"),
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_not_equal(hash_of(others[i]), hash);
}

static void mistakes_in_an_animation(void** state)
{
    (void)state;
    obj_write_sequence(FIRN_TEST_TMP, "rise", 1, 4, 0.05);
    assert_mistake(BODY(BALL "\n  animation: {file: \"" RISE "\", voxel: 0.1}"), 3, 3,
                   "'collider' needs either 'shape' or 'animation'");
    assert_mistake(BODY("friction: 1"), 3, 3, "'collider' needs the key 'shape'");
    assert_mistake(BODY("animation: {voxel: 0.1}"), 3, 3, "'animation' needs the key 'file'");
    assert_mistake(BODY("animation: {file: \"" RISE "\"}"), 3, 3, "needs the key 'voxel'");
    assert_mistake(BODY("animation: {file: walk.blend, voxel: 0.1}"), 3, 21, "not an animation");
    assert_mistake(BODY("animation: {file: \"walk.%d.vdb\"}"), 3, 21, "walk.1.vdb");
    assert_mistake(BODY("animation: {file: walk.vdb}"), 3, 21, "one .vdb file is no animation");
    assert_mistake(BODY("animation: {file: \"" RISE "\", last: 10, voxel: 0.1}"), 3, 21,
                   "rise.010.obj");
    assert_mistake(BODY("animation: {file: \"" RISE "\", voxel: 0.1, sped: 2}"), 3,
                   (int)strlen("- animation: {file: '" RISE "', voxel: 0.1, s"),
                   "(did you mean 'speed'?)");
    assert_mistake(BODY("animation: {file: \"" RISE "\", voxel: 0.1, speed: 0}"), 3,
                   (int)strlen("- animation: {file: '" RISE "', voxel: 0.1, speed: 0"),
                   "'speed' is 0");
}

// A collider whose meshes cannot be used is found by the check, before a run.
static void the_check_makes_the_first_key(void** state)
{
    (void)state;
    obj_write(FIRN_TEST_TMP "/rise.001.obj", (obj_box){-0.2, 0, true, false});
    obj_write(FIRN_TEST_TMP "/rise.002.obj", (obj_box){-0.2, 0.1, true, false});
    firn_scene_data s = parse_good(
        "firn: 1\nsnow: [{shape: {sphere: {center: [0, 5, 0], radius: 1}}}]\ncolliders:\n"
        "- animation: {file: \"" RISE "\", last: 2, voxel: 0.05, if_broken: refuse}\n",
        NULL);
    firn_diagnostics d = {0};
    firn_scene_data_check(&s, &d);
    assert_true(has_message(&d, 4, 3, "key frame 1"));
    assert_true(has_message(&d, 4, 3, "open edges"));
    assert_int_equal(d.error_count, 1);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
    // without a word about it they are repaired, with a warning
    const char* text = "firn: 1\nsnow: [{shape: {sphere: {center: [0, 5, 0], radius: 1}}}]\n"
                       "colliders:\n- animation: {file: \"" RISE "\", last: 2, voxel: 0.05}\n";
    d = (firn_diagnostics){0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_OK);
    assert_true(has_message(&d, 4, 3, "is repaired: "));
    firn_scene_data_check(&s, &d);
    assert_int_equal(d.error_count, 0);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

static void a_node_is_followed(void** state)
{
    (void)state;
    write_gltf(fill("\"nodes\":[{\"name\":\"Plow\",\"mesh\":0}]," STRIP_MESH
                    ",\"animations\":[{\"name\":\"drive\",\"channels\":["
                    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
                    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"scale\"}}],"
                    "\"samplers\":[{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}]}]",
                    TIMES, MOVES, TIMES, SIZES));
#define FOLLOW "motion: {file: \"" GLTF_PATH "\", node: Plow, clip: drive, start: 2}"
    firn_scene_data s = parse_good(BODY(BALL "\n  " FOLLOW), NULL);
    const firn_pose pose = firn_motion_pose(&s.colliders[0].motion, 3);
    // paths of nodes follow the file to 1e-4 m and 1e-4 of the scale (node_path.c)
    assert_near(pose.velocity.y, 2, 1e-3);
    assert_near(pose.scale, 2.5, 1e-3);
    const uint64_t hash = s.hash;
    firn_scene_data_changed(&s);
    char* text = firn_scene_to_yaml(&s);  // as key frames: the file is not needed again
    firn_scene_data_destroy(&s);
    unlink(GLTF_PATH);
    s = parse_good(text, NULL);
    assert_equal(s.hash, hash);
    firn_scene_data_destroy(&s);
    firn_free(text);

    assert_mistake(BODY(BALL "\n  " FOLLOW), 4, 11, "scene.gltf");
    assert_mistake(BODY(BALL "\n  velocity: [1, 0, 0]\n  " FOLLOW), 3, 3, "not by two of them");
    assert_mistake(BODY(BALL "\n  keyframes: [{time: 0}]\n  " FOLLOW), 3, 3, "not by two of them");
    assert_mistake(BODY(BALL "\n  motion: {file: a.glb}"), 4, 3, "'motion' needs the key 'node'");
}

// A mesh and its motion from one file: once where the file puts it, not twice as far.
static void a_mesh_follows_its_own_node(void** state)
{
    (void)state;
    // the tetrahedron is at x = 3 and turns about z
    write_gltf(fill("\"nodes\":[{\"name\":\"Crate\",\"mesh\":0,\"translation\":[3,0,0]},"
                    "{\"name\":\"Other\",\"mesh\":0,\"translation\":[50,0,0]}],"
                    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d},"
                    "\"indices\":%d}]}],"
                    "\"animations\":[{\"name\":\"go\",\"channels\":["
                    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}],"
                    "\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
                    TET_POSITIONS, TET_INDICES, TIMES, TURNS));
#define CRATE(more)                                                       \
    BODY("shape: {mesh: {file: \"" GLTF_PATH "\", voxel: 0.1" more "}}\n" \
         "  motion: {file: \"" GLTF_PATH "\", node: Crate}")
    firn_scene_data s;
    firn_diagnostics d = {0};
    const char* twice = CRATE(", node: Crate");
    assert_int_equal(parse_length(twice, strlen(twice), NULL, &s, &d), FIRN_OK);
    assert_true(has_message(&d, 3, 11, "add 'node: Crate, coordinates: node'"));
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);

    s = parse_good(CRATE(", node: Crate, coordinates: node"), NULL);
    firn_collider* c = &s.colliders[0];
    assert_int_equal(firn_collider_move(c, &s.shapes, 0, NULL), FIRN_OK);
    assert_true(firn_collider_distance(c, &s.shapes, firn_v3(3.2f, 0.2f, 0.2f)) < 0);
    assert_true(firn_collider_distance(c, &s.shapes, firn_v3(6.2f, 0.2f, 0.2f)) > 1);
    assert_true(firn_collider_distance(c, &s.shapes, firn_v3(0.2f, 0.2f, 0.2f)) > 1);
    // after 1.5 s it has turned by 90 degrees: x points to where y was
    assert_int_equal(firn_collider_move(c, &s.shapes, 1.5, NULL), FIRN_OK);
    assert_true(firn_collider_distance(c, &s.shapes, firn_v3(2.8f, 0.2f, 0.2f)) < 0);
    firn_scene_data_destroy(&s);
    assert_mistake(CRATE(", coordinates: node"), 3, 24, "needs the name of the node");
    assert_mistake(BODY("shape: {mesh: {file: a.obj, node: Crate}}"), 3, 24, "have nodes");
}

static void scales_are_checked(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(BODY(BALL "\n  scale: 2"), NULL);
    assert_equal(s.colliders[0].motion.scale, 2);
    assert_equal(s.colliders[0].pose.scale, 2);
    const uint64_t hash = s.hash;
    firn_scene_data_destroy(&s);
    assert_not_equal(hash_of(BODY(BALL)), hash);
    assert_equal(hash_of(BODY(BALL "\n  scale: 200 %")), hash);
    assert_mistake(BODY(BALL "\n  scale: 0"), 4, 10, "'scale' is 0");
    assert_mistake(BODY(BALL "\n  keyframes: [{time: 0, scale: -1}]"), 4, 32, "'scale' is -1");
}

int test_animation_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_animation_is_read),
                                       cmocka_unit_test(it_is_written_again),
                                       cmocka_unit_test(the_hash_is_of_what_the_files_hold),
                                       cmocka_unit_test(mistakes_in_an_animation),
                                       cmocka_unit_test(the_check_makes_the_first_key),
                                       cmocka_unit_test(a_node_is_followed),
                                       cmocka_unit_test(a_mesh_follows_its_own_node),
                                       cmocka_unit_test(scales_are_checked)};
    return cmocka_run_group_tests_name("animation_keys", tests, NULL, NULL);
}
