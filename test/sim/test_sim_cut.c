// SPDX-License-Identifier: MIT
// Dividing a scene among ranks, without them.
#include "firn/firn.h"
#include "firn_test.h"

// A row of eight blocks of nodes: a particle's block is that of its lowest node, a cell below it.
static const char row[] =
    "firn: 1\n"
    "mpm: {cell: 0.1}\n"
    "snow: [{shape: {box: {center: [1.7, 0.3, 0.3], size: [3.2, 0.4, 0.4]}}}]\n";

static firn_scene* load(const char* yaml)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_scene_load_text(scene, yaml, "row", NULL), FIRN_OK);
    return scene;
}

static void one_rank_has_all_and_sends_nothing(void** state)
{
    (void)state;
    firn_scene* scene = load(row);
    firn_rank_share all;
    assert_int_equal(firn_scene_divide(scene, 1, &all, NULL), FIRN_OK);
    assert_int_equal(all.blocks, 8);
    assert_int_equal(all.particles, 8 * 64 * 8);
    assert_int_equal(all.halo_bytes, 0);
    assert_int_equal(all.neighbours, 0);
    firn_scene_destroy(scene);
}

// The block below the cut adds to 3 layers of nodes that the one above adds to as well, and that
// one to 4 layers, its own; each layer has 4 + 3 nodes squared.
static void two_ranks_send_what_a_count_by_hand_gives(void** state)
{
    (void)state;
    firn_scene* scene = load(row);
    firn_rank_share share[2];
    assert_int_equal(firn_scene_divide(scene, 2, share, NULL), FIRN_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(share[k].blocks, 4);
        assert_int_equal(share[k].particles, 4 * 64 * 8);
        assert_int_equal(share[k].neighbours, 1);
    }
    assert_int_equal(share[0].halo_bytes, 3 * 49 * 4 * (int)sizeof(firn_real));
    assert_int_equal(share[1].halo_bytes, 4 * 49 * 4 * (int)sizeof(firn_real));
    firn_scene_destroy(scene);
}

static void more_ranks_have_all_particles_together(void** state)
{
    (void)state;
    firn_scene* scene = load(row);
    firn_rank_share share[12];
    assert_int_equal(firn_scene_divide(scene, 12, share, NULL), FIRN_OK);  // some have none
    int64_t particles = 0, blocks = 0;
    for (int k = 0; k < 12; k++) {
        particles += share[k].particles;
        blocks += share[k].blocks;
    }
    assert_int_equal(particles, 8 * 64 * 8);
    assert_int_equal(blocks, 8);
    firn_scene_destroy(scene);
}

static void a_solver_without_ranks_is_refused(void** state)
{
    (void)state;
    firn_scene* scene = load("firn: 1\nsolver: ballistic\nsnow: [{shape: {sphere: {center: [0, 1, "
                             "0], radius: 0.1}}}]\n");
    firn_rank_share share;
    assert_int_equal(firn_scene_divide(scene, 1, &share, NULL), FIRN_REFUSED_BACKEND);
    assert_contains(firn_last_error(), "ballistic");
    firn_scene_destroy(scene);
}

// A scene too large for one process may fit into several: each then needs much less.
static void estimates_are_for_each_rank(void** state)
{
    (void)state;
    firn_load_def def = firn_default_load_def();
    firn_scene* scene;
    firn_scene_info one, four;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    const char* cell[] = {"mpm.cell=0.005", "output.preview=false"};
    def.overrides = cell;
    def.override_count = 2;
    assert_int_equal(firn_scene_load_text(scene, row, "row", &def), FIRN_OK);
    assert_int_equal(firn_scene_check(scene, 1, &one), FIRN_OK);
    assert_true(one.rank_bytes == 0);
    def.ranks = 16;
    def.memory_cap_bytes = (uint64_t)(one.memory_bytes / 4);
    assert_int_equal(firn_scene_load_text(scene, row, "row", &def), FIRN_OK);
    assert_int_equal(firn_scene_check(scene, 1, &four), FIRN_OK);
    assert_true(four.rank_bytes > 0 && four.rank_bytes <= four.memory_bytes);
    assert_true(four.memory_bytes < one.memory_bytes / 2);
    def.ranks = 0;
    assert_int_equal(firn_scene_load_text(scene, row, "row", &def), FIRN_OK);
    assert_int_not_equal(firn_scene_check(scene, 1, &four), FIRN_OK);
    firn_scene_destroy(scene);
}

int test_sim_cut(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_has_all_and_sends_nothing),
        cmocka_unit_test(two_ranks_send_what_a_count_by_hand_gives),
        cmocka_unit_test(more_ranks_have_all_particles_together),
        cmocka_unit_test(a_solver_without_ranks_is_refused),
        cmocka_unit_test(estimates_are_for_each_rank),
    };
    return cmocka_run_group_tests_name("sim_cut", tests, NULL, NULL);
}
