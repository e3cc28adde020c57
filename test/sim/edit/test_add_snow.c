// SPDX-License-Identifier: MIT
// Snow that is added between steps: it is what the scene would have made, adds its mass and
// momentum, has its own ids, and does not depend on threads.
#include "edit_fixture.h"

// Before the first step: the particles of a scene that has the ball, too.
static void as_created(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    const firn_snow_def ball = edit_ball(prefabs.high_ball);
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_scene* scene;
        assert_int_equal(firn_scene_create(&scene), FIRN_OK);
        assert_int_equal(firn_scene_load_text(scene, edit_scenes[s].text, "test", NULL), FIRN_OK);
        firn_snow_def own = ball;
        const firn_vec3 high = {(firn_real)0.02, (firn_real)0.42, 0};
        assert_int_equal(firn_scene_sphere(scene, high, (firn_real)0.08, &own.shape), FIRN_OK);
        assert_int_equal(firn_scene_add_snow(scene, &own, NULL), FIRN_OK);
        const firn_sim_def def = firn_default_sim_def();
        firn_sim *created, *edited = play_start(edit_scenes[s].text);
        assert_int_equal(firn_sim_create(scene, &def, &created, NULL), FIRN_OK);
        firn_scene_destroy(scene);
        EDIT_OK(edited, firn_sim_add_snow(edited, prefabs.scene, &ball, NULL, NULL));
        assert_equal(firn_sim_hash(edited), firn_sim_hash(created));
        play_frames(created, 2);
        play_frames(edited, 2);
        if (firn_sim_hash(edited) != firn_sim_hash(created)) fail_msg("%s", edit_scenes[s].name);
        firn_sim_destroy(created);
        firn_sim_destroy(edited);
    }
    firn_scene_destroy(prefabs.scene);
}

// Two balls between steps, one of them turned; with any number of threads.
static firn_sim* throw_balls(const char* text, const edit_prefabs* prefabs, int threads)
{
    firn_sim* sim = edit_start(text, threads, 6000);
    edit_steps(sim, 7);
    firn_snow_def ball = edit_ball(prefabs->ball);
    ball.spin = (firn_vec3){0, 0, 3};
    const int64_t before = edit_count(sim);
    double sum[3][4];
    edit_sum(sim, sum[0]);
    firn_placement at = edit_place(0, 0.42, 0);
    firn_snow_id id[2];
    EDIT_OK(sim, firn_sim_add_snow(sim, prefabs->scene, &ball, &at, &id[0]));
    edit_sum(sim, sum[1]);
    at = edit_place(0.2, 0.5, 0.1);
    at.rotation = (firn_quat){1, 1, 0, 0};
    EDIT_OK(sim, firn_sim_add_snow(sim, prefabs->scene, &ball, &at, &id[1]));
    edit_sum(sim, sum[2]);
    uint32_t first;
    int64_t count[2];
    for (int k = 0; k < 2; k++) {
        EDIT_OK(sim, firn_sim_snow_particles(sim, id[k], &first, &count[k]));
        assert_int_equal(first, before + (k == 1 ? count[0] : 0));
        // each adds its mass, and moves at its velocity as a whole; 1e-5: sums of floats
        const double mass = sum[k + 1][0] - sum[k][0], v[3] = {1, 0, 0.5};
        assert_true(mass > 0);
        for (int d = 0; d < 3; d++)
            assert_float_equal(sum[k + 1][d + 1] - sum[k][d + 1], mass * v[d], 0.02 * mass);
    }
    assert_int_equal(count[0], count[1]);
    assert_int_equal(edit_count(sim), before + count[0] + count[1]);
    play_frames(sim, 6);
    assert_int_equal(firn_sim_read(sim).rollbacks, 0);
    return sim;
}

static void between_steps(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* one = throw_balls(edit_scenes[s].text, &prefabs, 1);
        firn_sim* four = throw_balls(edit_scenes[s].text, &prefabs, 4);
        if (firn_sim_hash(one) != firn_sim_hash(four)) fail_msg("%s", edit_scenes[s].name);
        firn_sim_destroy(one);
        firn_sim_destroy(four);
    }
    firn_scene_destroy(prefabs.scene);
}

// [m] The least distance between a particle of the ids from `first` on and one of the others.
static double gap(firn_sim* sim, uint32_t first)
{
    firn_field_view x, id;
    EDIT_OK(sim, firn_sim_field(sim, "position", &x));
    EDIT_OK(sim, firn_sim_field(sim, "id", &id));
    const firn_vec3* at = x.data;
    const uint32_t* number = id.data;
    double least = INFINITY;
    for (firn_local p = 0; p < x.count; p++)
        for (firn_local q = 0; q < x.count; q++) {
            if (number[p] < first || number[q] >= first) continue;
            const firn_vec3 d = firn_v3_sub(at[p], at[q]);
            least = fmin(least, sqrt((double)firn_v3_dot(d, d)));
        }
    return least;
}

// Particles that would be too close to existing snow are left out.
static void clearance(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    const double spacing[EDIT_SCENES] = {0, 0.02, 0.03, 0.0139};
    for (int s = 1; s < EDIT_SCENES; s++) {
        firn_sim* sim = edit_start(edit_scenes[s].text, 2, 0);
        edit_steps(sim, 3);
        const int64_t before = edit_count(sim);
        firn_snow_def ball = edit_ball(prefabs.ball);
        ball.velocity = (firn_vec3){0, 0, 0};
        firn_placement at = edit_place(0, 0.23, 0);  // 23 % of it is in the block
        firn_snow_id id;
        uint32_t first;
        int64_t count, whole;
        EDIT_OK(sim, firn_sim_add_snow(sim, prefabs.scene, &ball, &at, &id));
        EDIT_OK(sim, firn_sim_snow_particles(sim, id, &first, &count));
        if (!(gap(sim, first) > 0.999 * spacing[s]))
            fail_msg("%s: %g m", edit_scenes[s].name, gap(sim, first));
        at = edit_place(0.7, 0.23, 0);
        EDIT_OK(sim, firn_sim_add_snow(sim, prefabs.scene, &ball, &at, &id));
        EDIT_OK(sim, firn_sim_snow_particles(sim, id, &first, &whole));
        assert_in_range(count, whole / 2, whole * 9 / 10);
        play_frames(sim, 3);  // nothing is pushed apart
        assert_int_equal(firn_sim_read(sim).rollbacks, 0);
        assert_true(firn_sim_read(sim).kinetic < 0.5 * 9.81 * 9.81 * 0.05 * 0.05 * 40);
        assert_int_equal(edit_count(sim), before + count + whole);
        // in the middle of the snow there is no room; mpm's random seeds leave a few holes
        at = edit_place(0, 0.1, 0);
        const uint64_t hash = firn_sim_hash(sim);
        if (firn_sim_add_snow(sim, prefabs.scene, &ball, &at, &id) == FIRN_OK) {
            EDIT_OK(sim, firn_sim_snow_particles(sim, id, &first, &count));
            assert_true(count < whole / 8);
        } else {
            assert_equal(firn_sim_hash(sim), hash);
        }
        firn_sim_destroy(sim);
    }
    firn_scene_destroy(prefabs.scene);
}

// A material that the simulation does not have.
static void try_other_material(firn_sim* sim, firn_snow_def icy)
{
    firn_material_def ice = firn_default_material_def();
    ice.young *= 2;
    firn_scene* others;
    assert_int_equal(firn_scene_create(&others), FIRN_OK);
    assert_int_equal(firn_scene_add_material(others, &ice, &icy.material), FIRN_OK);
    assert_int_equal(firn_scene_sphere(others, (firn_vec3){0, 1, 0}, 1, &icy.shape), FIRN_OK);
    assert_int_equal(firn_sim_add_snow(sim, others, &icy, NULL, NULL), FIRN_REFUSED_ARGUMENT);
    assert_non_null(strstr(firn_sim_error(sim), "no material"));
    firn_scene_destroy(others);
}

// A refusal says why and changes nothing.
static void refused(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    const firn_snow_def ball = edit_ball(prefabs.ball);
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = edit_start(edit_scenes[s].text, 1, 6000);
        firn_sim* full = edit_start(edit_scenes[s].text, 1, edit_count(sim) + 5);
        edit_steps(sim, 2);
        const uint64_t hash = firn_sim_hash(sim);
        const firn_placement far = edit_place(1e30, 0, 0), nan = edit_place(NAN, 0, 0);
        const firn_placement no_turn = {{0, 5, 0}, {0, 0, 0, 0}}, high = edit_place(0, 5, 0);
        firn_snow_def no_cookie = ball, no_shape = ball, vary = ball;
        no_cookie.cookie = 0;
        no_shape.shape.slot1 = 99;
        vary.vary[FIRN_VARY_HARDENING].noise_scale = (firn_real)0.1;
        vary.vary[FIRN_VARY_HARDENING].noise_amount = (firn_real)0.5;
        const struct {
            firn_sim* sim;
            const firn_scene* scene;
            const firn_snow_def* def;
            const firn_placement* where;
            const char* says;
        } tries[] = {{sim, NULL, &ball, &high, "needs the scene"},
                     {sim, prefabs.scene, NULL, &high, "is null"},
                     {sim, prefabs.scene, &no_cookie, &high, "not initialised"},
                     {sim, prefabs.scene, &no_shape, &high, "needs a shape"},
                     {sim, prefabs.scene, &ball, &nan, "finite position"},
                     {sim, prefabs.scene, &ball, &no_turn, "a rotation"},
                     {full, prefabs.scene, &ball, &high, "particles_max"},
                     {s > 0 ? sim : NULL, prefabs.scene, &ball, &far, "reaches"},
                     {s == 1 || s == 2 ? sim : NULL, prefabs.scene, &vary, &high, "varies"}};
        for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
            if (tries[k].sim == NULL) continue;
            const firn_result r =
                firn_sim_add_snow(tries[k].sim, tries[k].scene, tries[k].def, tries[k].where, NULL);
            assert_int_equal(r, FIRN_REFUSED_ARGUMENT);
            if (strstr(firn_sim_error(tries[k].sim), tries[k].says) == NULL)
                fail_msg("%d: %s", (int)k, firn_sim_error(tries[k].sim));
            assert_equal(firn_sim_hash(sim), hash);
        }
        assert_int_equal(firn_sim_add_snow(NULL, prefabs.scene, &ball, &high, NULL),
                         FIRN_REFUSED_ARGUMENT);
        uint32_t first;
        int64_t count;
        assert_int_equal(firn_sim_snow_particles(sim, (firn_snow_id){1, 0}, &first, &count),
                         FIRN_REFUSED_ARGUMENT);
        try_other_material(sim, ball);
        edit_steps(sim, 2);
        firn_sim_destroy(sim);
        firn_sim_destroy(full);
    }
    firn_scene_destroy(prefabs.scene);
}

// Refused at once, before a point is sampled: more particles than there can be, or than fit into
// the memory that was granted.
static void too_large(void** state)
{
    (void)state;
    firn_sim_def granted = firn_default_sim_def();
    granted.memory_cap_bytes = 200 << 20;
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = play_start_def(edit_scenes[s].text, granted);
        edit_steps(sim, 1);
        const uint64_t hash = firn_sim_hash(sim);
        const double radius[] = {6, 100, 1e4};
        for (int k = 0; k < 3; k++) {
            firn_scene* prefabs;
            assert_int_equal(firn_scene_create(&prefabs), FIRN_OK);
            firn_snow_def def = firn_default_snow_def();
            const firn_vec3 high = {0, (firn_real)(2 * radius[k]), 0};
            assert_int_equal(firn_scene_sphere(prefabs, high, (firn_real)radius[k], &def.shape),
                             FIRN_OK);
            assert_true(firn_sim_add_snow(sim, prefabs, &def, NULL, NULL) > 0);
            const char* says = k == 0 ? "of memory" : "particles";
            if (strstr(firn_sim_error(sim), says) == NULL) fail_msg("%s", firn_sim_error(sim));
            assert_equal(firn_sim_hash(sim), hash);
            firn_scene_destroy(prefabs);
        }
        edit_steps(sim, 1);
        firn_sim_destroy(sim);
    }
}

// A rollback returns to the state after the edit.
static void rollback(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    const firn_snow_def ball = edit_ball(prefabs.ball);
    const firn_placement at = edit_place(0, 0.42, 0);
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = edit_start(edit_scenes[s].text, 2, 0);
        edit_steps(sim, 2);
        EDIT_OK(sim, firn_sim_add_snow(sim, prefabs.scene, &ball, &at, NULL));
        EDIT_OK(sim, firn_sim_remove_snow(sim, prefabs.scene, prefabs.spade, NULL, NULL));
        const uint64_t hash = firn_sim_hash(sim);
        const double time = firn_sim_read(sim).time;
        edit_steps(sim, 1);
        firn_field_view v;
        EDIT_OK(sim, firn_sim_field(sim, "velocity", &v));
        ((firn_vec3*)v.data)[3].x = NAN;  // damage from outside
        edit_steps(sim, 1);
        assert_int_equal(firn_sim_read(sim).rollbacks, 1);
        if (firn_sim_hash(sim) != hash) fail_msg("%s", edit_scenes[s].name);
        assert_true(firn_sim_read(sim).time == time);
        play_frames(sim, 2);
        firn_sim_destroy(sim);
    }
    firn_scene_destroy(prefabs.scene);
}

// States with other numbers of particles, in a simulation that has not seen the edits.
static void saved(void** state)
{
    (void)state;
    edit_prefabs prefabs = edit_prefabs_create();
    for (int s = 0; s < EDIT_SCENES; s++) {
        firn_sim* sim = throw_balls(edit_scenes[s].text, &prefabs, 2);
        firn_sim* fresh = edit_start(edit_scenes[s].text, 1, 0);
        EDIT_OK(sim, firn_sim_remove_snow(sim, prefabs.scene, prefabs.spade, NULL, NULL));
        size_t size;
        void* block = edit_save(sim, &size);
        EDIT_OK(fresh, firn_sim_restore(fresh, block, size));
        assert_equal(firn_sim_hash(fresh), firn_sim_hash(sim));
        const firn_snow_def ball = edit_ball(prefabs.ball);
        const firn_placement at = edit_place(0, 0.6, 0);
        firn_sim* const both[] = {sim, fresh};
        for (int k = 0; k < 2; k++) {
            play_frames(both[k], 1);
            EDIT_OK(both[k], firn_sim_add_snow(both[k], prefabs.scene, &ball, &at, NULL));
            play_frames(both[k], 2);
        }
        if (firn_sim_hash(fresh) != firn_sim_hash(sim)) fail_msg("%s", edit_scenes[s].name);
        free(block);
        firn_sim_destroy(sim);
        firn_sim_destroy(fresh);
    }
    firn_scene_destroy(prefabs.scene);
}

int test_add_snow(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_created), cmocka_unit_test(between_steps), cmocka_unit_test(clearance),
        cmocka_unit_test(too_large),  cmocka_unit_test(refused),       cmocka_unit_test(rollback),
        cmocka_unit_test(saved)};
    return cmocka_run_group_tests_name("add_snow", tests, NULL, NULL);
}
