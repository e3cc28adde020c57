// SPDX-License-Identifier: MIT
// Animations of glTF files: found by name, checked key by key.
#include <math.h>

#include "mesh/gltf_maker.h"

#define CHANNEL "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}"

static const char* clips(const char* node, const char* channels, const char* samplers)
{
    return fill("\"nodes\":[{\"name\":\"N\",\"mesh\":0%s}]," STRIP_MESH
                ",\"animations\":[{\"name\":\"walk\",\"channels\":[%s],\"samplers\":[%s]},"
                "{\"name\":\"run\",\"channels\":[" CHANNEL "],\"samplers\":[{\"input\":%d,"
                "\"output\":%d}]}]",
                node, channels, samplers, TIMES, MOVES);
}

static void clips_are_found_by_name(void** state)
{
    (void)state;
    // "walk" moves nothing that is shown: its duration is zero
    write_gltf(clips("",
                     "{\"sampler\":0,\"target\":{\"path\":\"translation\"}},"
                     "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"pointer\"}}",
                     "{}"));
    firn_gltf* gltf = read_good(true, "walk");
    assert_string_equal(gltf->clip, "walk");
    assert_equal(gltf->duration, 0);
    firn_gltf_destroy(gltf);
    gltf = read_good(true, "run");
    assert_string_equal(gltf->clip, "run");
    assert_equal(gltf->duration, 1.5);
    firn_gltf_destroy(gltf);
    firn_error error = {0};
    assert_int_equal(firn_gltf_read(GLTF_PATH, true, "swim", &gltf, &error), FIRN_REFUSED_NAME);
    assert_contains(error.text, "no animation is called 'swim'; there are: walk, run");
    write_gltf("\"nodes\":[{\"mesh\":0}]," STRIP_MESH);
    assert_int_equal(firn_gltf_read(GLTF_PATH, true, NULL, &gltf, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "there is no animation in it");
}

// Blender writes an animation for each object: without a name all of them are played. One that
// moves what an earlier one moves is another clip of the same thing and is not.
static void animations_of_several_nodes(void** state)
{
    (void)state;
    write_gltf(
        fill("\"nodes\":[{\"name\":\"A\",\"mesh\":0},{\"name\":\"B\",\"mesh\":0}]," STRIP_MESH
             ",\"animations\":["
             "{\"name\":\"A moves\",\"channels\":[" CHANNEL "],\"samplers\":[{\"input\":%d,"
             "\"output\":%d}]},"
             "{\"name\":\"A turns too\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
             "\"path\":\"rotation\"}}," CHANNEL "],\"samplers\":[{\"input\":%d,\"output\":%d}]},"
             "{\"name\":\"B turns\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,"
             "\"path\":\"rotation\"}}],\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
             TIMES, MOVES, TIMES, TURNS, TIMES, TURNS));
    firn_gltf* gltf = read_good(true, NULL);
    assert_string_equal(gltf->clip, "A moves, B turns");
    assert_int_equal(gltf->nodes[0].curves[FIRN_GLTF_TRANSLATION].count, 3);
    assert_int_equal(gltf->nodes[0].curves[FIRN_GLTF_ROTATION].count, 0);
    assert_int_equal(gltf->nodes[1].curves[FIRN_GLTF_ROTATION].count, 3);
    firn_gltf_destroy(gltf);
    gltf = read_good(true, "B turns");
    assert_int_equal(gltf->nodes[0].curves[FIRN_GLTF_TRANSLATION].count, 0);
    assert_int_equal(gltf->nodes[1].curves[FIRN_GLTF_ROTATION].count, 3);
    firn_gltf_destroy(gltf);
}

static void bad(const char* node, const char* channels, const char* samplers, const char* words)
{
    read_bad(clips(node, channels, samplers), FIRN_REFUSED_SCENE, words);
}

static void mistakes_are_named(void** state)
{
    (void)state;
    char good[60];  // used again and again, which the texts of fill are not made for
    snprintf(good, sizeof good, "{\"input\":%d,\"output\":%d}", TIMES, MOVES);
    bad("", "", good, "animations[0] has no channels");
    bad("", CHANNEL "," CHANNEL, good, "two channels move the translation of nodes[0] ('N')");
    bad(",\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", CHANNEL, good, "which has a 'matrix'");
    bad("", "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"scale\"}}", good,
        "'sampler' must be one of the animation's 1");
    bad("", "{\"target\":{\"node\":0,\"path\":\"scale\"}}", good, "'sampler' must be one of");
    bad("", "{\"sampler\":0,\"target\":{\"node\":5,\"path\":\"scale\"}}", good,
        "'node' is 5, but there are 1 nodes");
    bad("", CHANNEL, "{\"input\":6}", "must have 'input' and 'output'");
    bad("", CHANNEL, fill("{\"input\":%d,\"output\":%d}", TIMES_BACK, MOVES),
        "times of the translation of nodes[0] ('N'): key 2 is at 0.5 s");
    bad("", CHANNEL, fill("{\"input\":%d,\"output\":%d}", TIMES, LIFT),
        "the translation of nodes[0] ('N'): 6 values for 3 keys, must be 3");
    bad("", CHANNEL,
        fill("{\"input\":%d,\"output\":%d,\"interpolation\":\"CUBICSPLINE\"}", TIMES, MOVES),
        "3 values for 3 keys, must be 9");
    bad("", CHANNEL,
        fill("{\"input\":%d,\"output\":%d,\"interpolation\":\"QUADRATIC\"}", TIMES, MOVES),
        "must be LINEAR, STEP or CUBICSPLINE");
    bad("", CHANNEL, fill("{\"input\":%d,\"output\":%d}", TIMES, TURNS),
        "wrong number of components, needed (3)");
}

int test_gltf_clip(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clips_are_found_by_name),
                                       cmocka_unit_test(animations_of_several_nodes),
                                       cmocka_unit_test(mistakes_are_named)};
    return cmocka_run_group_tests_name("gltf_clip", tests, NULL, NULL);
}
