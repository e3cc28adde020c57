// SPDX-License-Identifier: MIT
// Poses of glTF scenes against positions worked out by hand.
#include <math.h>

#include "mesh/gltf_maker.h"

#define PI 3.14159265358979323846

// The strip's corner (1, 2, 0) is vertex 5, (1, 0, 0) is vertex 1.

static void a_node_moves_and_turns(void** state)
{
    (void)state;
    write_gltf(fill("\"nodes\":[{\"name\":\"Body\",\"mesh\":0}]," STRIP_MESH
                    ",\"animations\":[{\"name\":\"go\",\"channels\":["
                    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
                    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"rotation\"}}],"
                    "\"samplers\":[{\"input\":%d,\"output\":%d},"
                    "{\"input\":%d,\"output\":%d,\"interpolation\":\"LINEAR\"}]}]",
                    TIMES, MOVES, TIMES, TURNS));
    firn_gltf* gltf = read_good(true, "go");
    assert_near(gltf->duration, 1.5, 1e-7);  // [s] the rounding of a float
    const double times[] = {-1, 0, 0.125, 0.5, 0.75, 1.5, 99};
    const double angles[] = {0, 0, 11.25, 45, 56.25, 90, 90};
    const double moves[][2] = {{0, 0}, {0, 0}, {.25, 0}, {1, 0}, {1, .5}, {1, 2}, {1, 2}};
    for (int k = 0; k < 7; k++) {
        firn_mesh mesh = pose_good(gltf, times[k], -1);
        assert_int_equal(mesh.vertex_count, 6);
        assert_int_equal(mesh.triangle_count, 4);
        const double c = cos(angles[k] * PI / 180), s = sin(angles[k] * PI / 180);
        check_vertex(&mesh, 0, moves[k][0], moves[k][1], 0);
        check_vertex(&mesh, 5, moves[k][0] + c - 2 * s, moves[k][1] + s + 2 * c, 0);
        assert_int_equal(mesh.triangles[3][1], 5);
        firn_mesh_destroy(&mesh);
    }
    firn_gltf_destroy(gltf);
}

// grandparent rotated by 90 degrees about z, parent scaled by 2, child moved by (1, 0, 0)
#define FAMILY                                                            \
    "\"nodes\":[{\"name\":\"Child\",\"mesh\":0,\"translation\":[1,0,0]}," \
    "{\"name\":\"Parent\",\"scale\":[2,2,2],\"children\":[0]},"           \
    "{\"name\":\"Elder\",\"rotation\":[0,0,0.70710678,0.70710678],\"children\":[1]}]"

static void parents_turn_and_scale_their_children(void** state)
{
    (void)state;
    write_gltf(FAMILY "," STRIP_MESH);
    firn_error error;
    firn_mesh mesh;
    assert_int_equal(firn_mesh_read_gltf(GLTF_PATH, &mesh, &error), FIRN_OK);
    check_vertex(&mesh, 0, 0, 2, 0);   // (0,0) + (1,0) = (1,0), doubled (2,0), rotated (0,2)
    check_vertex(&mesh, 5, -4, 4, 0);  // (1,2) + (1,0) = (2,2), (4,4), (-4,4)
    firn_mesh_destroy(&mesh);
}

static void a_matrix_does_what_its_parts_do(void** state)
{
    (void)state;
    // columns: x to (0, 2, 0), y to (-2, 0, 0), z to (0, 0, 2), moved by (5, 6, 7)
    write_gltf(
        "\"nodes\":[{\"mesh\":0,\"matrix\":[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]}]," STRIP_MESH);
    firn_gltf* gltf = read_good(false, NULL);
    firn_mesh mesh = pose_good(gltf, 0, -1);
    check_vertex(&mesh, 0, 5, 6, 7);
    check_vertex(&mesh, 5, 1, 8, 7);
    firn_mesh_destroy(&mesh);
    firn_gltf_destroy(gltf);
}

static void check_bent(const firn_mesh* mesh)
{
    // At 90 degrees the upper end (x, 2) comes to (-1, 1 + x), as joint 1 sits at (0, 1). The
    // middle is half where joint 0 has it, (x, 1), half where joint 1 has it, (0, 1 + x).
    check_vertex(mesh, 0, 0, 0, 0);
    check_vertex(mesh, 1, 1, 0, 0);
    check_vertex(mesh, 2, 0, 1, 0);
    check_vertex(mesh, 3, 0.5, 1.5, 0);
    check_vertex(mesh, 4, -1, 1, 0);
    check_vertex(mesh, 5, -1, 2, 0);
}

static void a_skin_bends_with_its_joints(void** state)
{
    (void)state;
    const int shares[] = {STRIP_SHARES, STRIP_SHARES_8};
    for (int k = 0; k < 2; k++) {
        write_gltf(skinned_strip(shares[k], fill(",\"inverseBindMatrices\":%d", INVERSES)));
        firn_gltf* gltf = read_good(true, NULL);
        firn_mesh rest = pose_good(gltf, 0, -1);  // the mesh's own node, at (9,9,9), has no say
        check_vertex(&rest, 3, 1, 1, 0);
        check_vertex(&rest, 5, 1, 2, 0);
        firn_mesh bent = pose_good(gltf, 1.5, -1);
        check_bent(&bent);
        firn_mesh half = pose_good(gltf, 0.25, -1);  // 22.5 degrees
        const double c = cos(PI / 8), s = sin(PI / 8);
        check_vertex(&half, 5, c - s, 1 + s + c, 0);
        firn_mesh_destroy(&rest);
        firn_mesh_destroy(&bent);
        firn_mesh_destroy(&half);
        firn_gltf_destroy(gltf);
    }
}

// Eight joints to a vertex: the same four twice, whose shares add up to 2 and are scaled to 1.
static void more_joints_to_a_vertex(void** state)
{
    (void)state;
    write_gltf(fill("\"nodes\":[{\"mesh\":0,\"skin\":0},{\"children\":[2]},"
                    "{\"translation\":[0,1,0],\"rotation\":[0,0,0.70710678,0.70710678]}],"
                    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"JOINTS_0\":%d,"
                    "\"WEIGHTS_0\":%d,\"JOINTS_1\":%d,\"WEIGHTS_1\":%d},\"indices\":%d}]}],"
                    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":%d}]",
                    STRIP_POSITIONS, STRIP_JOINTS, STRIP_SHARES, STRIP_JOINTS, STRIP_SHARES_8,
                    STRIP_INDICES, INVERSES));
    firn_gltf* gltf = read_good(false, NULL);
    assert_int_equal(gltf->meshes[0].primitives[0].influences, 8);
    firn_mesh mesh = pose_good(gltf, 0, -1);
    check_bent(&mesh);
    firn_mesh_destroy(&mesh);
    firn_gltf_destroy(gltf);
}

static void a_skin_without_matrices_is_legal(void** state)
{
    (void)state;
    write_gltf(skinned_strip(STRIP_SHARES, ""));
    firn_gltf* gltf = read_good(true, NULL);
    firn_mesh mesh = pose_good(gltf, 0, -1);  // joint 1 lifts its vertices by its own position
    check_vertex(&mesh, 0, 0, 0, 0);
    check_vertex(&mesh, 3, 1, 1.5, 0);
    check_vertex(&mesh, 5, 1, 3, 0);
    firn_mesh_destroy(&mesh);
    firn_gltf_destroy(gltf);
}

// Two morph targets; `weights` of the mesh, `node` of the node, `curve` the animation's accessor.
static const char* morphed(const char* weights, const char* node, int curve, const char* mode)
{
    return fill("\"nodes\":[{\"name\":\"Face\",\"mesh\":0%s}],"
                "\"meshes\":[{%s\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,"
                "\"targets\":[{\"POSITION\":%d},{\"POSITION\":%d}]}]}],"
                "\"animations\":[{\"channels\":[{\"sampler\":0,"
                "\"target\":{\"node\":0,\"path\":\"weights\"}}],"
                "\"samplers\":[{\"input\":%d,\"output\":%d%s}]}]",
                node, weights, STRIP_POSITIONS, STRIP_INDICES, LIFT, BULGE, TIMES, curve, mode);
}

static void morph_targets_add_up(void** state)
{
    (void)state;
    write_gltf(morphed("", "", BOTH_WEIGHTS, ""));
    firn_gltf* gltf = read_good(true, NULL);
    const double times[] = {0, 0.25, 0.5, 1, 1.5};
    const double lift[] = {0, 0.125, 0.25, -0.375, -1};  // also below zero
    const double bulge[] = {0, 0.25, 0.5, 0.75, 1};
    for (int k = 0; k < 5; k++) {
        firn_mesh mesh = pose_good(gltf, times[k], -1);
        check_vertex(&mesh, 1, 1, 0, 0);
        check_vertex(&mesh, 3, 1, 1, bulge[k]);
        check_vertex(&mesh, 5, 1, 2, lift[k]);
        firn_mesh_destroy(&mesh);
    }
    firn_gltf_destroy(gltf);
}

static void morph_weights_at_rest(void** state)
{
    (void)state;
    struct {
        const char *mesh, *node;
        double lift, bulge;
    } cases[] = {{"", "", 0, 0},
                 {"\"weights\":[0.5,0.25],", "", 0.5, 0.25},
                 {"\"weights\":[0.5,0.25],", ",\"weights\":[1,2]", 1, 2}};
    for (int k = 0; k < 3; k++) {
        write_gltf(morphed(cases[k].mesh, cases[k].node, BOTH_WEIGHTS, ""));
        firn_gltf* gltf = read_good(false, NULL);
        firn_mesh mesh = pose_good(gltf, 1.5, -1);
        check_vertex(&mesh, 3, 1, 1, cases[k].bulge);
        check_vertex(&mesh, 5, 1, 2, cases[k].lift);
        firn_mesh_destroy(&mesh);
        firn_gltf_destroy(gltf);
    }
}

static void check_move(const char* sampler, double time, double x)
{
    write_gltf(fill("\"nodes\":[{\"mesh\":0}]," STRIP_MESH
                    ",\"animations\":[{\"channels\":[{\"sampler\":0,"
                    "\"target\":{\"node\":0,\"path\":\"translation\"}}],\"samplers\":[%s]}]",
                    sampler));
    firn_gltf* gltf = read_good(true, NULL);
    firn_mesh mesh = pose_good(gltf, time, -1);
    check_vertex(&mesh, 0, x, 0, 0);
    firn_mesh_destroy(&mesh);
    firn_gltf_destroy(gltf);
}

static void steps_hold_and_cubics_curve(void** state)
{
    (void)state;
    char step[90], cubic[90];
    snprintf(step, sizeof step, "{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}", TIMES,
             MOVES);
    snprintf(cubic, sizeof cubic, "{\"input\":%d,\"output\":%d,\"interpolation\":\"CUBICSPLINE\"}",
             TIMES, CUBIC_MOVES);
    check_move(step, 0.49, 0);
    check_move(step, 0.5, 1);
    // from 0 to 1 in half a second with 2 m/s at both ends: a straight line
    check_move(cubic, 0.125, 0.25);
    check_move(cubic, 0.5, 1);
    // from 1 to 1 in a second, 2 m/s at the start, 0 at the end: 1 + 2 (u^3 - 2 u^2 + u)
    check_move(cubic, 1, 1.25);
    check_move(cubic, 0.75, 1 + 2 * (0.015625 - 0.125 + 0.25));
    check_move(cubic, 7, 1);
}

static void a_mirror_keeps_the_outside_outside(void** state)
{
    (void)state;
    const double scales[] = {1, -1, 2};
    for (int k = 0; k < 3; k++) {
        write_gltf(fill("\"nodes\":[{\"mesh\":0,\"scale\":[%g,1,1]}],\"meshes\":[{\"primitives\":[{"
                        "\"attributes\":{\"POSITION\":%d},\"indices\":%d}]}]",
                        scales[k], TET_POSITIONS, TET_INDICES));
        firn_gltf* gltf = read_good(false, NULL);
        firn_mesh mesh = pose_good(gltf, 0, -1);
        assert_near(firn_mesh_volume(&mesh), fabs(scales[k]) / 6,
                    1e-6);  // vertices are floats of about 1
        firn_mesh_destroy(&mesh);
        firn_gltf_destroy(gltf);
    }
}

static void a_part_of_the_scene(void** state)
{
    (void)state;
    // node 3 is not in the scene; node 1 shows the mesh twice, itself and below
    write_gltf("\"scene\":1,\"scenes\":[{\"nodes\":[3]},{\"nodes\":[0,1]}],"
               "\"nodes\":[{\"name\":\"A\",\"mesh\":0},"
               "{\"name\":\"B\",\"mesh\":0,\"children\":[2],\"translation\":[5,0,0]},"
               "{\"name\":\"C\",\"mesh\":0,\"translation\":[0,0,1]},"
               "{\"name\":\"D\",\"mesh\":0},{\"name\":\"Empty\"}]," STRIP_MESH);
    firn_gltf* gltf = read_good(false, NULL);
    const struct {
        const char* name;
        firn_local vertices;
        double x, z;  // of vertex 0
    } cases[] = {{"A", 6, 0, 0}, {"B", 12, 5, 0}, {"C", 6, 5, 1}};
    for (int k = 0; k < 3; k++) {
        firn_local node;
        assert_int_equal(firn_gltf_find_node(gltf, cases[k].name, &node, NULL), FIRN_OK);
        firn_mesh mesh = pose_good(gltf, 0, node);
        assert_int_equal(mesh.vertex_count, cases[k].vertices);
        check_vertex(&mesh, 0, cases[k].x, 0, cases[k].z);
        firn_mesh_destroy(&mesh);
    }
    firn_mesh all = pose_good(gltf, 0, -1);
    assert_int_equal(all.vertex_count, 18);
    firn_mesh_destroy(&all);
    firn_error error;
    for (firn_local node = 3; node <= 4; node++) {
        assert_int_equal(firn_gltf_pose(gltf, 0, node, &all, &error), FIRN_REFUSED_SCENE);
        assert_contains(error.text, node == 3 ? "below node 'D'" : "below node 'Empty'");
        assert_null(all.vertices);
    }
    firn_gltf_destroy(gltf);
}

static void a_vertex_far_away_is_refused(void** state)
{
    (void)state;
    write_gltf("\"nodes\":[{\"name\":\"Far\",\"mesh\":0,\"translation\":[1e30,0,0]}]," STRIP_MESH);
    firn_gltf* gltf = read_good(false, NULL);
    firn_mesh mesh;
    firn_error error;
    assert_int_equal(firn_gltf_pose(gltf, 0, -1, &mesh, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "node 'Far', vertex 0 comes to (1e+30, 0, 0)");
    firn_gltf_destroy(gltf);
}

// Every allocation may fail: nothing leaks (asan) and the code says memory.
static void memory_runs_out_cleanly(void** state)
{
    (void)state;
    write_gltf(skinned_strip(STRIP_SHARES, fill(",\"inverseBindMatrices\":%d", INVERSES)));
    firn_result result = FIRN_BROKEN_MEMORY;
    int64_t k = 0;
    const uint64_t before = firn_memory_read().bytes;
    while (result != FIRN_OK) {
        firn_gltf* gltf = NULL;
        firn_mesh mesh = {0};
        firn_memory_fail_at((uint64_t)++k, false);
        result = firn_gltf_read(GLTF_PATH, true, "bend", &gltf, NULL);
        if (result == FIRN_OK) result = firn_gltf_pose(gltf, 1, -1, &mesh, NULL);
        firn_memory_fail_at(0, false);
        firn_gltf_destroy(gltf);
        firn_mesh_destroy(&mesh);
        if (result != FIRN_OK) assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_less(k, 1000);
    }
    assert_greater(k, 20);
}

static void hashes_tell_poses_apart(void** state)
{
    (void)state;
    const char* skin = fill(",\"inverseBindMatrices\":%d", INVERSES);
    uint64_t hashes[3];
    const int shares[] = {STRIP_SHARES, STRIP_SHARES, STRIP_SHARES_8};
    for (int k = 0; k < 3; k++) {
        write_gltf(skinned_strip(shares[k], k == 1 ? "" : skin));
        firn_gltf* gltf = read_good(true, NULL);
        hashes[k] = firn_gltf_hash(gltf);
        firn_gltf* again = read_good(true, NULL);
        assert_int_equal(firn_gltf_hash(again), hashes[k]);
        firn_gltf* rest = read_good(false, NULL);
        assert_int_not_equal(firn_gltf_hash(rest), hashes[k]);
        firn_gltf_destroy(gltf);
        firn_gltf_destroy(again);
        firn_gltf_destroy(rest);
    }
    assert_int_not_equal(hashes[0], hashes[1]);
    assert_int_equal(hashes[0], hashes[2]);  // the same shares, written in another way
}

// A node's meshes about its own origin: the transforms of all its elders are taken out again, that
// of its child is not.
static void a_node_in_its_own_coordinates(void** state)
{
    (void)state;
    write_gltf(FAMILY "," STRIP_MESH);
    firn_error error;
    firn_mesh mesh;
    assert_int_equal(firn_mesh_read_gltf_node(GLTF_PATH, "Child", true, &mesh, &error), FIRN_OK);
    check_vertex(&mesh, 0, 0, 0, 0);
    check_vertex(&mesh, 5, 1, 2, 0);
    firn_mesh_destroy(&mesh);
    assert_int_equal(firn_mesh_read_gltf_node(GLTF_PATH, "Parent", true, &mesh, &error), FIRN_OK);
    check_vertex(&mesh, 5, 2, 2, 0);
    firn_mesh_destroy(&mesh);
    assert_int_equal(firn_mesh_read_gltf_node(GLTF_PATH, "Parent", false, &mesh, &error), FIRN_OK);
    check_vertex(&mesh, 5, -4, 4, 0);
    firn_mesh_destroy(&mesh);
    assert_int_equal(firn_mesh_read_gltf_node(GLTF_PATH, "Chid", true, &mesh, &error),
                     FIRN_REFUSED_NAME);
    assert_contains(error.text, "Child");
    write_gltf("\"nodes\":[{\"name\":\"Flat\",\"mesh\":0,\"scale\":[1,1,0]}]," STRIP_MESH);
    assert_int_equal(firn_mesh_read_gltf_node(GLTF_PATH, "Flat", true, &mesh, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "scaled to nothing");
    assert_null(mesh.vertices);
}

int test_gltf_pose(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_moves_and_turns),
        cmocka_unit_test(parents_turn_and_scale_their_children),
        cmocka_unit_test(a_matrix_does_what_its_parts_do),
        cmocka_unit_test(a_skin_bends_with_its_joints),
        cmocka_unit_test(more_joints_to_a_vertex),
        cmocka_unit_test(a_skin_without_matrices_is_legal),
        cmocka_unit_test(morph_targets_add_up),
        cmocka_unit_test(morph_weights_at_rest),
        cmocka_unit_test(steps_hold_and_cubics_curve),
        cmocka_unit_test(a_mirror_keeps_the_outside_outside),
        cmocka_unit_test(a_part_of_the_scene),
        cmocka_unit_test(a_node_in_its_own_coordinates),
        cmocka_unit_test(a_vertex_far_away_is_refused),
        cmocka_unit_test(memory_runs_out_cleanly),
        cmocka_unit_test(hashes_tell_poses_apart),
    };
    return cmocka_run_group_tests_name("gltf_pose", tests, NULL, NULL);
}
