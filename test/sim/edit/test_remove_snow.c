// SPDX-License-Identifier: MIT
// Digging: what is inside the shape goes, the rest stays as it was and goes on; runs on disk
// resume.
#include "edit_fixture.h"

// What a spade at a pose takes, and nothing else.
static void dig(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sims[2] = {edit_start(edit_scenes[s].text, 1, 0),
                             edit_start(edit_scenes[s].text, 4, 0)};
        for (int k = 0; k < 2; k++) {
            firn_sim* sim = sims[k];
            edit_steps(sim, 6);
            const int64_t before = edit_count(sim);
            double was[4], is[4];
            edit_sum(sim, was);
            // turned by a right angle about x: 0.1 x 0.5 x 0.4 about (0.1, 0.2, 0)
            firn_placement at = edit_place(0.1, 0.2, 0);
            at.rotation = (firn_quat){1, 1, 0, 0};
            int64_t dug = -1;
            EDIT_OK(sim, firn_sim_remove_snow(sim, prefabs.scene, prefabs.spade, &at, &dug));
            assert_in_range(dug, before / 5, before / 2);
            assert_int_equal(edit_count(sim), before - dug);
            edit_sum(sim, is);
            assert_float_equal(is[0] / was[0], (double)(before - dug) / (double)before, 0.05);
            firn_field_view x;
            EDIT_OK(sim, firn_sim_field(sim, "position", &x));
            for (firn_local p = 0; p < x.count; p++)
                assert_true(((const firn_vec3*)x.data)[p].x < (firn_real)0.05001);
            EDIT_OK(sim, firn_sim_remove_snow(sim, prefabs.scene, prefabs.spade, &at, &dug));
            assert_int_equal(dug, 0);
            play_frames(sim, 5);
            assert_int_equal(firn_sim_read(sim).rollbacks, 0);
        }
        if (firn_sim_hash(sims[0]) != firn_sim_hash(sims[1])) fail_msg("%s", edit_scenes[s].name);
        firn_sim_destroy(sims[0]);
        firn_sim_destroy(sims[1]);
    }
    firn_scene_destroy(prefabs.scene);
}

// By ids; all of them; and snow that comes after.
static void by_ids(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = edit_start(edit_scenes[s].text, 2, 0);
        edit_steps(sim, 3);
        const uint32_t some[] = {5, 3, 4000000000u, 7, 3};
        int64_t count;
        EDIT_OK(sim, firn_sim_remove_particles(sim, some, 5, &count));
        assert_int_equal(count, 3);
        firn_field_view id;
        EDIT_OK(sim, firn_sim_field(sim, "id", &id));
        for (firn_local p = 0; p < id.count; p++) {
            const uint32_t k = ((const uint32_t*)id.data)[p];
            assert_true(k != 3 && k != 5 && k != 7);
        }
        const int64_t left = edit_count(sim);
        uint32_t* all = malloc((size_t)left * sizeof *all);
        assert_non_null(all);
        memcpy(all, id.data, (size_t)left * sizeof *all);
        EDIT_OK(sim, firn_sim_remove_particles(sim, all, left, &count));
        free(all);
        assert_int_equal(count, left);
        assert_int_equal(edit_count(sim), 0);
        play_frames(sim, 2);
        const firn_snow_def ball = edit_ball(prefabs.ball);
        const firn_placement at = edit_place(0, 0.2, 0);
        firn_snow_id snow;
        uint32_t first;
        EDIT_OK(sim, firn_sim_add_snow(sim, prefabs.scene, &ball, &at, &snow));
        EDIT_OK(sim, firn_sim_snow_particles(sim, snow, &first, &count));
        assert_true(first > 7);  // ids are not used again
        play_frames(sim, 2);
        assert_int_equal(edit_count(sim), count);
        assert_int_equal(firn_sim_remove_particles(sim, NULL, 2, &count), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_remove_particles(NULL, some, 2, &count), FIRN_REFUSED_ARGUMENT);
        assert_int_equal(
            firn_sim_remove_snow(sim, prefabs.scene, (firn_shape_id){77, 0}, NULL, NULL),
            FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_remove_snow(sim, NULL, prefabs.ball, NULL, NULL),
                         FIRN_REFUSED_ARGUMENT);
        firn_sim_destroy(sim);
    }
    firn_scene_destroy(prefabs.scene);
}

static firn_sim* held;
static edit_prefabs hand_prefabs;
static void hand(void* user, const firn_progress* progress)
{
    (void)user;
    if (!progress->frame_done || progress->frame != 1) return;
    const firn_snow_def ball = edit_ball(hand_prefabs.ball);
    const firn_placement at = edit_place(0, 0.42, 0);
    EDIT_OK(held, firn_sim_add_snow(held, hand_prefabs.scene, &ball, &at, NULL));
    EDIT_OK(held, firn_sim_remove_snow(held, hand_prefabs.scene, hand_prefabs.spade, NULL, NULL));
}

static firn_sim* run(const char* text, const char* dir, int64_t frame_end, bool resume,
                     firn_progress_fn progress)
{
    firn_sim_def def = firn_default_sim_def();
    def.output_dir = dir;
    def.frame_end = frame_end;
    def.resume = resume;
    def.overwrite = !resume;
    def.progress = progress;
    firn_sim* sim = play_start_def(text, def);
    held = sim;
    EDIT_OK(sim, firn_sim_run(sim));
    return sim;
}

// A run that was edited has frames with other numbers of particles, and resumes bit for bit.
static void on_disk(void** state)
{
    (void)state;
    hand_prefabs = edit_prefabs_create();
    for (int s = 0; s < EDIT_SCENES; s++) {
        const char* text = edit_scenes[s].text;
        firn_sim* whole = run(text, FIRN_TEST_TMP "/whole", 4, false, hand);
        firn_sim* first = run(text, FIRN_TEST_TMP "/parts", 2, false, hand);
        firn_sim* second = run(text, FIRN_TEST_TMP "/parts", 4, true, NULL);
        if (firn_sim_hash(second) != firn_sim_hash(whole)) fail_msg("%s", edit_scenes[s].name);
        firn_sim* const all[] = {whole, first, second};
        for (int k = 0; k < 3; k++) firn_sim_destroy(all[k]);
    }
    firn_scene_destroy(hand_prefabs.scene);
}

int test_remove_snow(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dig), cmocka_unit_test(by_ids),
                                       cmocka_unit_test(on_disk)};
    return cmocka_run_group_tests_name("remove_snow", tests, NULL, NULL);
}
