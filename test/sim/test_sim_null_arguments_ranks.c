// SPDX-License-Identifier: MIT
// The functions of firn/ranks.h with null pointers, as test_sim_null_arguments.c: a null
// communicator is this process alone.
#include "firn/firn.h"
#include "firn_test.h"

static void no_ranks(void** state)
{
    (void)state;
    const firn_sim_def def = firn_default_sim_def();
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    assert_int_equal(firn_sim_serve(NULL, &def, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_serve(scene, NULL, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_serve(scene, &def, NULL), FIRN_REFUSED_ARGUMENT);  // rank 0
    assert_contains(firn_last_error(), "rank 0");
    firn_rank_share share;
    assert_int_equal(firn_scene_divide(NULL, 1, &share, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_divide(scene, 1, NULL, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_scene_divide(scene, 0, &share, NULL), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_last_error(), "0 ranks");
    firn_scene_destroy(scene);
    firn_rank_stats stats;
    assert_int_equal(firn_sim_rank_stats(NULL, &stats), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_comm_open(NULL, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_comm_launched(), 1);  // no pointers, but answers without mpirun
    assert_int_equal(firn_comm_launched_rank(), 0);
    assert_non_null(firn_comm_kind());
    assert_int_equal(firn_comm_rank(NULL), 0);
    assert_int_equal(firn_comm_count(NULL), 1);
    assert_int_equal(firn_comm_agree(NULL, 3), 3);
    assert_near(firn_comm_waiting(NULL), 0, 0);
    firn_comm_close(NULL);
}

int test_sim_null_arguments_ranks(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_ranks)};
    return cmocka_run_group_tests_name("sim_null_arguments_ranks", tests, NULL, NULL);
}
