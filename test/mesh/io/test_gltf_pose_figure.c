// SPDX-License-Identifier: MIT
// The figure of the scenes (tools/make_figure.py) as they use it: closed, the size of a person, its
// feet on the ground and not sliding, its axe in its hand.
#include <math.h>

#include "mesh/gltf_maker.h"
#include "mesh/io/animation.h"
#include "mesh/topology/mesh_inspect.h"

#define WALK FIRN_SOURCE_DIR "/scenes/demo/walking-character/figure.glb"
#define DIG FIRN_SOURCE_DIR "/scenes/demo/character-digging/digger.glb"
#define AXE FIRN_SOURCE_DIR "/scenes/demo/character-digging/axe.obj"
#define FPS 96  // the keys of the animations and the middle between each two

static firn_animation* open_good(const char* file, const char* clip, const char* node)
{
    const firn_animation_def def = {.file = file, .clip = clip, .node = node, .fps = FPS};
    firn_animation* animation = NULL;
    firn_error error = {0};
    if (firn_animation_open(&def, &animation, &error) != FIRN_OK) fail_msg("%s", error.text);
    return animation;
}

static firn_mesh key_good(const firn_animation* animation, int64_t k)
{
    firn_mesh mesh;
    firn_error error = {0};
    if (firn_animation_key(animation, k, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
    return mesh;
}

static void a_closed_body_of_a_person(void** state)
{
    (void)state;
    const char* files[] = {WALK, DIG, AXE};
    for (int k = 0; k < 3; k++) {
        firn_mesh mesh;
        firn_error error = {0};
        if (firn_mesh_read(files[k], &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
        firn_mesh_report report;
        assert_int_equal(firn_mesh_inspect(&mesh, &report, &error), FIRN_OK);
        assert_int_equal(report.open_edges + report.crowded_edges + report.flipped_edges, 0);
        assert_false(report.inside_out);
        if (k == 0) {
            const firn_box3 box = firn_mesh_bounds(&mesh);
            assert_greater(box.high.y, 1.70);
            assert_less(box.high.y, 1.80);
            // limits on the figure: soles on the ground, the volume of a person
            assert_near(box.low.y, 0, 1e-3);
            assert_greater(report.volume, 0.09);
            assert_less(report.volume, 0.20);  // [m^3] with parka and pack
        }
        firn_mesh_destroy(&mesh);
    }
}

// [m] How far soles may be above or below the ground while the figure moves, and how far a foot may
// slide. A limit on the animation, not rounding: a third of a cell of the scenes.
#define FOOT_ERROR 0.01

static double lowest(const firn_mesh* mesh)
{
    return (double)firn_mesh_bounds(mesh).low.y;
}

// How far what touches the ground (within 3 mm) has moved since it came down. `anchor` [vertex]:
// where it came down; y > 0 when it does not touch.
static double slide(const firn_mesh* mesh, firn_vec3* anchor)
{
    double worst = 0;
    for (firn_local v = 0; v < mesh->vertex_count; v++) {
        const firn_vec3 x = mesh->vertices[v];
        if ((double)x.y > 0.003)
            anchor[v].y = 1;
        else if (anchor[v].y > 0)
            anchor[v] = firn_v3(x.x, 0, x.z);
        else
            worst = fmax(
                worst, hypot((double)x.x - (double)anchor[v].x, (double)x.z - (double)anchor[v].z));
    }
    return worst;
}

static void feet_stand_and_do_not_slide(void** state)
{
    (void)state;
    firn_animation* walk = open_good(WALK, "walk", NULL);
    const int64_t count = firn_animation_key_count(walk);
    assert_at_least(firn_animation_key_time(walk, count - 1), 3);
    firn_vec3* anchor = NULL;
    double start = 0, end = 0, worst = 0;
    for (int64_t k = 0; k < count; k++) {
        firn_mesh now = key_good(walk, k);
        if (k == 0) {
            anchor = calloc((size_t)now.vertex_count, sizeof *anchor);
            for (firn_local v = 0; v < now.vertex_count; v++) anchor[v].y = 1;
            start = (double)firn_mesh_bounds(&now).low.x;
        }
        assert_near(lowest(&now), 0, FOOT_ERROR);
        worst = fmax(worst, slide(&now, anchor));
        end = (double)firn_mesh_bounds(&now).low.x;
        firn_mesh_destroy(&now);
    }
    free(anchor);
    if (!(worst < FOOT_ERROR)) fail_msg("a foot slides by %g m", worst);
    // [m/s] the hindmost point need not be in the same phase of a stride at both ends
    assert_near((end - start) / firn_animation_key_time(walk, count - 1), 1, 0.02);
    firn_animation_close(walk);
}

static void the_digger_stands_and_strikes_twice(void** state)
{
    (void)state;
    firn_animation *dig = open_good(DIG, "dig", NULL), *tool = open_good(DIG, "dig", "Axe");
    const int64_t count = firn_animation_key_count(dig);
    int strokes = 0;
    bool up = false;
    for (int64_t k = 0; k < count; k += 4) {
        firn_mesh body = key_good(dig, k), axe = key_good(tool, k);
        const firn_box3 box = firn_mesh_bounds(&axe);
        assert_near(lowest(&body), 0, FOOT_ERROR);
        if ((double)box.high.y > 2.1) up = true;
        if (up && (double)box.low.y < 0.2) {
            strokes++;
            up = false;
            assert_less(box.low.x, 0.9);
            assert_greater(box.high.x, 0.6);  // in front
        }
        firn_mesh_destroy(&body);
        firn_mesh_destroy(&axe);
    }
    assert_int_equal(strokes, 2);
    firn_animation_close(dig);
    firn_animation_close(tool);
}

// axe.obj moved along the node's path is the posed node.
static void the_axe_is_rigid(void** state)
{
    (void)state;
    firn_node_key* keys;
    firn_local count;
    firn_error error = {0};
    if (firn_animation_node_path(DIG, "dig", "Axe", &keys, &count, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    firn_mesh own;
    assert_int_equal(firn_mesh_read(AXE, &own, &error), FIRN_OK);
    firn_animation* tool = open_good(DIG, "dig", "Axe");
    double worst = 0;
    for (firn_local k = 0; k < count; k++) {
        const double frame = keys[k].time * FPS;
        // times are floats: 4 s to 2e-7 s, times FPS
        if (fabs(frame - round(frame)) > 1e-4) continue;
        firn_mesh axe = key_good(tool, (int64_t)round(frame));
        assert_int_equal(axe.vertex_count, own.vertex_count);
        for (firn_local v = 0; v < own.vertex_count; v++) {
            const firn_vec3 x =
                firn_v3_add(firn_q_rotate(keys[k].rotation, own.vertices[v]), keys[k].position);
            worst = fmax(worst, (double)firn_v3_length(firn_v3_sub(x, axe.vertices[v])));
        }
        firn_mesh_destroy(&axe);
    }
    if (!(worst < 2e-5)) fail_msg("off by %g m", worst);  // axe.obj has five decimals
    firn_free(keys);
    firn_mesh_destroy(&own);
    firn_animation_close(tool);
}

int test_gltf_pose_figure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_body_of_a_person), cmocka_unit_test(feet_stand_and_do_not_slide),
        cmocka_unit_test(the_digger_stands_and_strikes_twice), cmocka_unit_test(the_axe_is_rigid)};
    return cmocka_run_group_tests_name("gltf_pose_figure", tests, NULL, NULL);
}
