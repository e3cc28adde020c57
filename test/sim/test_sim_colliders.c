// SPDX-License-Identifier: MIT
// Colliders moved by the caller: bitwise the same results as when the scene moves them alike; for
// every solver.
#include "collider_at.h"
#include "geometry/collider/collider_drive.h"
#include "play_fixture.h"

#define FLOOR "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"

static const char* const solvers[] = {"mpm", "sph", "ballistic"};

// A plow before a small heap; `motion` is what the scene says of it.
static firn_sim* start(const char* solver, const char* motion)
{
    char text[1500];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: %s\ntime: {frames: 6, fps: 100}\n"
             "mpm: {cell: 0.04, dt_max: 0.002}\nsph: {spacing: 0.03}\n"
             "ballistic: {dt: 0.002, spacing: 0.03}\n"
             "snow:\n  - shape: {box: {center: [0, 0.06, 0], size: [0.2, 0.12, 0.1]}}\n"
             "colliders:\n" FLOOR "  - shape: {box: {center: [0, 0.1, 0], size: [0.1, 0.2, 0.4]}}\n"
             "    position: [-0.17, 0.001, 0]\n    pivot: [-0.17, 0.001, 0]\n%s",
             solver, motion);
    return play_start(text);
}

static void as_the_scene_would(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        firn_sim* own = start(solvers[k], "    velocity: [1.5, 0, 0]\n    spin: [0, 0.5, 0]\n");
        firn_sim* driven = start(solvers[k], "");
        firn_sim* resting = start(solvers[k], "");
        assert_int_equal(firn_sim_body_count(driven), 2);
        firn_body_pose pose = play_pose(-0.17, 0.001, 0);
        pose.velocity.x = (firn_real)1.5;
        pose.spin.y = (firn_real)0.5;
        assert_int_equal(firn_sim_body_move(driven, collider_at(driven, 1), &pose), FIRN_OK);
        play_frames(own, 4);
        play_frames(driven, 4);
        play_frames(resting, 4);
        assert_equal(firn_sim_hash(driven), firn_sim_hash(own));
        assert_not_equal(firn_sim_hash(driven), firn_sim_hash(resting));
        firn_body_info a, b;
        assert_int_equal(firn_sim_body(own, collider_at(own, 1), &a), FIRN_OK);
        assert_int_equal(firn_sim_body(driven, collider_at(driven, 1), &b), FIRN_OK);
        assert_equal(a.driver, FIRN_BODY_SCENE);
        assert_equal(b.driver, FIRN_BODY_CALLER);
        assert_memory_equal(&a.pose, &b.pose, sizeof a.pose);
        assert_near(b.pose.position.x, -0.17 + 1.5 * 0.04, 1e-5);  // [m] a float
        firn_sim_destroy(own);
        firn_sim_destroy(driven);
        firn_sim_destroy(resting);
    }
}

// Held by the caller for two frames, then released: it is where the scene would have moved it.
static void released(void** state)
{
    (void)state;
    firn_sim* sim = start("ballistic", "    velocity: [1, 0, 0]\n");
    const firn_body_pose pose = play_pose(-1, 0, 0);
    assert_int_equal(firn_sim_body_release(sim, collider_at(sim, 1)),
                     FIRN_OK);  // the scene has it already
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 1), &pose), FIRN_OK);
    play_frames(sim, 2);
    firn_body_info info;
    assert_int_equal(firn_sim_body(sim, collider_at(sim, 1), &info), FIRN_OK);
    assert_equal(info.pose.position.x, -1);
    assert_equal(info.pose.velocity.x, 0);
    assert_int_equal(firn_sim_body_release(sim, collider_at(sim, 1)), FIRN_OK);
    assert_int_equal(firn_sim_body(sim, collider_at(sim, 1), &info), FIRN_OK);
    assert_int_equal(info.driver, FIRN_BODY_SCENE);
    assert_near(info.pose.position.x, -0.17 + 0.02, 1e-6);  // [m] a float of 0.2
    firn_sim_destroy(sim);
}

// A step that fails after the collider was moved: the frame is computed again, with the collider
// still moved by the caller.
static void survives_a_rollback(void** state)
{
    (void)state;
    firn_sim *calm = start("mpm", ""), *troubled = start("mpm", "");
    firn_body_pose pose = play_pose(-0.17, 0.001, 0);
    pose.velocity.x = 1;
    firn_sim* const both[2] = {calm, troubled};
    for (int k = 0; k < 2; k++) {
        play_frames(both[k], 1);
        assert_int_equal(firn_sim_body_move(both[k], collider_at(both[k], 1), &pose), FIRN_OK);
    }
    calm->dt_scale = 0.5;
    assert_int_equal(firn_sim_step(troubled), FIRN_OK);
    firn_vec3* v =
        firn_particles_find(troubled->solver->particles(troubled->self), "velocity")->data;
    v[7].x = (firn_real)NAN;
    play_frames(calm, 1);
    play_frames(troubled, 1);
    assert_int_equal(firn_sim_read(troubled).rollbacks, 1);
    assert_equal(firn_sim_hash(calm), firn_sim_hash(troubled));
    firn_body_info info;
    assert_int_equal(firn_sim_body(troubled, collider_at(troubled, 1), &info), FIRN_OK);
    assert_int_equal(info.driver, FIRN_BODY_CALLER);
    assert_near(info.pose.position.x, -0.17 + 0.01, 1e-6);  // [m] a float of 0.2
    firn_sim_destroy(calm);
    firn_sim_destroy(troubled);
}

// A solver with a callback is notified of every change, once; an error of its own breaks the
// simulation.
static int told;
static firn_result answer;
static firn_result hear(void* self, firn_error* error)
{
    (void)self;
    told++;
    return answer == FIRN_OK ? FIRN_OK : firn_fail(error, answer, "the device is lost");
}

static void the_solver_is_told(void** state)
{
    (void)state;
    firn_sim* sim = start("sph", "    temperature: 3\n");
    firn_solver listening = *sim->solver;
    listening.colliders_changed = hear;
    sim->solver = &listening;
    told = 0;
    answer = FIRN_OK;
    const firn_body_pose pose = play_pose(-0.17, 0, 0);
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 1), &pose), FIRN_OK);
    assert_int_equal(told, 1);
    assert_int_equal(firn_sim_body_release(sim, collider_at(sim, 1)), FIRN_OK);
    assert_int_equal(firn_sim_body_release(sim, collider_at(sim, 1)), FIRN_OK);  // nothing changes
    assert_int_equal(told, 2);
    assert_int_equal(firn_sim_set_temperature(sim, 4), FIRN_OK);
    assert_int_equal(told, 3);
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 5), &pose), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(told, 3);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    answer = FIRN_BROKEN_INTERNAL;
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 1), &pose), FIRN_BROKEN_INTERNAL);
    assert_string_equal(firn_sim_error(sim), "the device is lost");
    assert_less(firn_sim_step(sim), 0);
    firn_sim_destroy(sim);
}

static void refused(void** state)
{
    (void)state;
    firn_sim* sim = start("ballistic", "");
    firn_body_pose pose = play_pose(0, 0, 0);
    firn_body_info info, after;
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 2), &pose), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_sim_error(sim), "there is no collider 2");
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, -1), &pose), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_body_release(sim, collider_at(sim, 2)), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 1), NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_body(sim, collider_at(sim, 1), &info), FIRN_OK);
    pose.position.y = (firn_real)NAN;
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 1), &pose), FIRN_REFUSED_ARGUMENT);
    assert_contains(firn_sim_error(sim), "collider 1: motion: position");
    pose = play_pose(0, 0, 0);
    pose.scale = 0;
    assert_int_equal(firn_sim_body_move(sim, collider_at(sim, 1), &pose), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_body(sim, collider_at(sim, 1), &after), FIRN_OK);
    assert_memory_equal(&info.pose, &after.pose, sizeof info.pose);
    assert_int_equal(after.driver, FIRN_BODY_SCENE);
    firn_sim_destroy(sim);
}

int test_sim_colliders(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_scene_would), cmocka_unit_test(released),
        cmocka_unit_test(survives_a_rollback), cmocka_unit_test(the_solver_is_told),
        cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("sim_colliders", tests, NULL, NULL);
}
