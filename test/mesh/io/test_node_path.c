// SPDX-License-Identifier: MIT
// Paths of glTF nodes: the keys, and straight lines between them, follow the node everywhere.
#include <math.h>

#include "mesh/gltf_maker.h"
#include "mesh/io/animation.h"

#define PI 3.14159265358979323846
#define POSE_ROUNDING 1e-6  // poses are floats of up to 3: a few roundings of 2e-7

typedef struct path {
    firn_node_key* keys;
    firn_local count;
} path;

static path trace_good(const char* node)
{
    path p;
    firn_error error = {0};
    if (firn_animation_node_path(GLTF_PATH, NULL, node, &p.keys, &p.count, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    for (firn_local k = 1; k < p.count; k++) assert_greater(p.keys[k].time, p.keys[k - 1].time);
    return p;
}

// Position at a time, linear between keys.
static firn_vec3 position_at(const path* p, double time)
{
    firn_local k = 0;
    while (k < p->count - 2 && p->keys[k + 1].time <= time) k++;
    const firn_node_key *a = &p->keys[k], *b = &p->keys[k + 1];
    const firn_real u = (firn_real)((time - a->time) / (b->time - a->time));
    return firn_v3_madd(a->position, u, firn_v3_sub(b->position, a->position));
}

// An arm of 2 m, rotated by its parent, which is scaled by 1.5 and moved by (0, 0, 3).
static void write_arm(const char* elder, const char* channels)
{
    write_gltf(fill("\"nodes\":[{\"name\":\"Elder\"%s,\"translation\":[0,0,3],\"children\":[1]},"
                    "{\"name\":\"Arm\",\"children\":[2]},"
                    "{\"name\":\"Hand\",\"mesh\":0,\"translation\":[2,0,0]},"
                    "{\"name\":\"Stone\"}]," STRIP_MESH
                    ",\"animations\":[{\"name\":\"swing\",\"channels\":[%s],\"samplers\":["
                    "{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d},"
                    "{\"input\":%d,\"output\":%d},"
                    "{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}]}]",
                    elder, channels, TIMES, TURNS, TIMES, MOVES, TIMES, SIZES_UNEVEN, TIMES,
                    MOVES));
}

#define TURN_ARM "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}}"

static void a_hand_goes_round_on_its_arm(void** state)
{
    (void)state;
    write_arm(",\"scale\":[1.5,1.5,1.5]", TURN_ARM);
    path p = trace_good("Hand");
    assert_equal(p.keys[0].time, 0);
    assert_equal(p.keys[p.count - 1].time, 1.5);
    assert_greater(p.count, 20);
    assert_less(p.count, 500);  // closer than the three keys of the arm
    bool key = false;
    for (firn_local k = 0; k < p.count; k++) key = key || p.keys[k].time == 0.5;
    assert_true(key);
    for (int k = 0; k <= 1000; k++) {
        const double time = 1.5 * k / 1000;
        const double angle = (time < 0.5 ? 90 * time : 45 + 45 * (time - 0.5)) * PI / 180;
        const firn_vec3 x = position_at(&p, time);
        // node_path.c adds keys until the path is within 1e-4 m; a tenth more for
        // rounding and for times between those that it checks
        assert_near(x.x, 3 * cos(angle), 1.1e-4);
        assert_near(x.y, 3 * sin(angle), 1.1e-4);
        assert_near(x.z, 3, POSE_ROUNDING);
    }
    const firn_node_key* end = &p.keys[p.count - 1];
    assert_near(end->scale, 1.5, POSE_ROUNDING);
    assert_near(end->rotation.w, sqrt(0.5), POSE_ROUNDING);
    assert_near(end->rotation.z, sqrt(0.5), POSE_ROUNDING);
    firn_free(p.keys);
}

static void an_even_turn_needs_no_more_keys(void** state)
{
    (void)state;
    write_arm("", TURN_ARM);
    path p = trace_good("Arm");  // rotates in place
    assert_int_equal(p.count, 3);
    assert_near(p.keys[1].rotation.z, sin(PI / 8), POSE_ROUNDING);
    firn_free(p.keys);
}

// Five nested rotations: the shortest rotation from key to key would be wrong.
static void turns_that_add_up(void** state)
{
    (void)state;
    write_gltf(
        fill("\"nodes\":[{\"name\":\"A\",\"children\":[1]},{\"name\":\"B\",\"children\":[2]},"
             "{\"name\":\"C\",\"children\":[3]},{\"name\":\"D\",\"children\":[4]},"
             "{\"name\":\"E\",\"mesh\":0}]," STRIP_MESH
             ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
             "\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{\"node\":1,"
             "\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{\"node\":2,"
             "\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{\"node\":3,"
             "\"path\":\"rotation\"}},{\"sampler\":0,\"target\":{\"node\":4,"
             "\"path\":\"rotation\"}}],\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
             TIMES, TURNS));
    path p = trace_good("E");  // 225 degrees in the first half second, 225 in the next second
    double turned = 0;
    for (firn_local k = 1; k < p.count; k++) {
        const firn_quat a = p.keys[k - 1].rotation, b = p.keys[k].rotation;
        const firn_quat step = firn_q_mul(b, firn_q_conjugate(a));
        turned += 2 * atan2((double)step.z * (step.w < 0 ? -1 : 1), fabs((double)step.w));
    }
    assert_near(turned, 450 * PI / 180, 1e-4);  // a sum over the keys, with rotations as floats
    firn_free(p.keys);
}

static void a_jump_takes_no_time_to_speak_of(void** state)
{
    (void)state;
    write_arm("", "{\"sampler\":3,\"target\":{\"node\":1,\"path\":\"translation\"}}");
    path p = trace_good("Hand");
    assert_near(position_at(&p, 0.497).x, 2, POSE_ROUNDING);
    assert_near(position_at(&p, 0.5).x, 3, POSE_ROUNDING);
    assert_near(position_at(&p, 1.497).y, 0, POSE_ROUNDING);
    assert_near(position_at(&p, 1.5).y, 2, POSE_ROUNDING);
    firn_free(p.keys);
}

// The work is that of the node and those above it: others cost nothing, however many there are.
static void others_do_not_count(void** state)
{
    (void)state;
    enum { OTHERS = 200000 };
    const char* arm =
        fill(STRIP_MESH
             ",\"animations\":[{\"name\":\"swing\",\"channels\":[" TURN_ARM "],\"samplers\":["
             "{\"input\":%d,\"output\":%d}]}],\"nodes\":[{\"children\":[1]},{\"children\":[2]},"
             "{\"name\":\"Hand\",\"mesh\":0,\"translation\":[2,0,0]}",
             TIMES, TURNS);
    const size_t length = strlen(arm);
    char* body = firn_alloc(length + 3 * OTHERS + 2, 1);
    assert_non_null(body);
    memcpy(body, arm, length);
    for (size_t k = 0; k < OTHERS; k++) memcpy(body + length + 3 * k, ",{}", 3);
    memcpy(body + length + 3 * OTHERS, "]", 2);
    write_gltf(body);
    firn_free(body);
    path p = trace_good("Hand");
    assert_near(position_at(&p, 1.5).y, 2, POSE_ROUNDING);
    firn_free(p.keys);
}

static void bad(const char* node, firn_result code, const char* words)
{
    firn_node_key* keys = NULL;
    firn_local count;
    firn_error error = {0};
    const firn_result result =
        firn_animation_node_path(GLTF_PATH, "swing", node, &keys, &count, &error);
    if (result != code || strstr(error.text, words) == NULL)
        fail_msg("expected %d '%s', got %d '%s'", code, words, result, error.text);
    assert_null(keys);
}

static void what_is_no_path(void** state)
{
    (void)state;
    write_arm("", TURN_ARM);
    bad("Foot", FIRN_REFUSED_NAME, "there are: Elder, Arm, Hand, Stone");
    bad("Stone", FIRN_REFUSED_SCENE, "'swing' moves neither node 'Stone' nor one above it");
    bad("Elder", FIRN_REFUSED_SCENE, "moves neither");
    write_arm("", "{\"sampler\":2,\"target\":{\"node\":1,\"path\":\"scale\"}}");
    bad("Hand", FIRN_REFUSED_SCENE, "node 'Hand' is scaled by (1, 2, 1) at 0.5 s");
    write_arm(",\"scale\":[1,1,-1]", TURN_ARM);
    bad("Hand", FIRN_REFUSED_SCENE, "is mirrored");
    write_arm(",\"scale\":[0,0,0]", TURN_ARM);
    bad("Hand", FIRN_REFUSED_SCENE, "is scaled by (0, 0, 0)");
    firn_error error = {0};
    firn_node_key* keys;
    firn_local count;
    assert_int_equal(firn_animation_node_path("a.obj", NULL, "N", &keys, &count, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "a.obj");
}

int test_node_path(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_hand_goes_round_on_its_arm),
                                       cmocka_unit_test(an_even_turn_needs_no_more_keys),
                                       cmocka_unit_test(turns_that_add_up),
                                       cmocka_unit_test(a_jump_takes_no_time_to_speak_of),
                                       cmocka_unit_test(others_do_not_count),
                                       cmocka_unit_test(what_is_no_path)};
    return cmocka_run_group_tests_name("node_path", tests, NULL, NULL);
}
