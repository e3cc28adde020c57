// SPDX-License-Identifier: MIT
// VALIDATION T29: deforming level sets; and which keys are kept, in which order and by whom.
#include "shape/deforming.h"

#include <pthread.h>
#include <string.h>

#include "core/hash.h"
#include "figure.h"
#include "formula_body.h"
#include "seed.h"

#define ENOUGH ((size_t)1 << 30)  // [bytes]

static void keys_are_given_bit_for_bit(void** state)
{
    (void)state;
    any_source r = any_start(101);
    formula_body f = {.velocity = {1, (firn_real)0.3, 0},
                      .radius = 1,
                      .growth = (firn_real)0.2,
                      .interval = 0.5,
                      .key_count = 2,
                      .voxel = (firn_real)0.1,
                      .band = (firn_real)0.5,
                      .bad_key = -1};
    const firn_deforming_def def = formula_def(ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.25, &pose, NULL), FIRN_OK);
    assert_true(pose.gamma == (firn_real)0.5 && pose.dt == (firn_real)0.5 && pose.rate == 1);
    for (int end = 0; end < 2; end++) {
        pose.gamma = (firn_real)end;
        const firn_deform_key* key = end == 0 ? pose.a : pose.b;
        for (int q = 0; q < 2000; q++) {
            const firn_vec3 x = any_vec3(&r, 2);
            const firn_phi exact = firn_level_set_sample(key->phi, x);
            const firn_phi phi = firn_deform_sample(&pose, x);
            assert_memory_equal(&phi, &exact, sizeof phi);
            const firn_real distance = firn_deform_distance(&pose, x);
            assert_true(distance == firn_level_set_distance(key->phi, x));
            const firn_vec3 v = firn_deform_velocity(&pose, x);
            const firn_vec3 right = firn_velocity_grid_sample(&key->velocity, x);
            assert_true((double)firn_v3_length(firn_v3_sub(v, right)) < 1e-6);
        }
    }
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

// ---- planes -------------------------------------------------------------------------------------

static const double slope[3] = {2. / 7, 3. / 7, 6. / 7};

static firn_real plane_phi(const void* offset, firn_vec3 x)
{
    return (firn_real)(slope[0] * (double)x.x + slope[1] * (double)x.y + slope[2] * (double)x.z -
                       *(const double*)offset);
}

// A half space that moves along, in a box that both keys fill with true distances.
static void T29_planes(void** state)
{
    (void)state;
    any_source r = any_start(102);
    const double v[3] = {0.75, -0.5, 1.25}, dt = 0.5;
    const double speed = slope[0] * v[0] + slope[1] * v[1] + slope[2] * v[2];
    const double offset[2] = {-0.1, -0.1 + speed * dt};
    const firn_box3 box = {{-4, -4, -4}, {4, 4, 4}};
    firn_deform_key key[2] = {{.users = 1}, {.users = 1}};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(firn_level_set_build(box, (firn_real)0.25, 20, plane_phi, &offset[i],
                                              &key[i].phi, NULL),
                         FIRN_OK);
        assert_int_equal(firn_velocity_grid_create(box, 1, &key[i].velocity, NULL), FIRN_OK);
        for (int64_t n = 0; n < firn_velocity_grid_count(&key[i].velocity); n++)
            key[i].velocity.value[n] = firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
    }
    double worst = 0, worst_normal = 0, worst_velocity = 0;
    for (int q = 0; q < 10000; q++) {
        const double gamma = any_between(&r, 0, 1);
        const firn_deform_pose pose = {
            .a = &key[0], .b = &key[1], .gamma = (firn_real)gamma, .dt = (firn_real)dt, .rate = 1};
        const firn_vec3 x = any_vec3(&r, 2);
        const double right = (double)plane_phi(&offset[0], x) - speed * dt * (double)pose.gamma;
        const firn_phi phi = firn_deform_sample(&pose, x);
        worst = fmax(worst, fabs((double)phi.distance - right));
        worst = fmax(worst, fabs((double)firn_deform_distance(&pose, x) - right));
        const firn_vec3 n = {(firn_real)slope[0], (firn_real)slope[1], (firn_real)slope[2]};
        worst_normal = fmax(worst_normal, (double)firn_v3_length(firn_v3_sub(phi.normal, n)));
        const firn_vec3 u = firn_deform_velocity(&pose, x);
        worst_velocity = fmax(worst_velocity, fabs((double)u.x - v[0]) + fabs((double)u.y - v[1]) +
                                                  fabs((double)u.z - v[2]));
    }
    check_figure(T29_planes, worst);
    check_figure(T29_planes_normal, worst_normal);
    check_figure(T29_planes_velocity, worst_velocity);
    for (int i = 0; i < 2; i++) {
        firn_level_set_release(key[i].phi);
        firn_velocity_grid_destroy(&key[i].velocity);
    }
}

// ---- spheres ------------------------------------------------------------------------------------

// Largest error of phi at points within half a metre of the surface, at one time.
static double sphere_error(firn_deforming* body, const formula_body* f, double t, any_source* r)
{
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, t, &pose, NULL), FIRN_OK);
    const formula_ball ball = formula_at(f, t);
    double worst = 0;
    for (int q = 0; q < 20000; q++) {
        const firn_vec3 x = firn_v3_add(ball.center, any_vec3(r, 1.5));
        const double right = (double)formula_phi(&ball, x);
        if (fabs(right) > 0.5) continue;
        worst = fmax(worst, fabs((double)firn_deform_distance(&pose, x) - right));
    }
    firn_deform_pose_release(&pose);
    return worst;
}

static void T29_sphere(void** state)
{
    (void)state;
    any_source r = any_start(103);
    // 4 m in one interval, and not a whole number of voxels
    formula_body f = {.velocity = {4, (firn_real)0.37, 0},
                      .radius = 1,
                      .interval = 1,
                      .key_count = 2,
                      .voxel = (firn_real)0.1,
                      .band = 1,
                      .bad_key = -1};
    const firn_deforming_def def = formula_def(ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    const double own = sphere_error(body, &f, 0, &r);  // of the grid
    double moving = 0;
    for (int i = 1; i < 10; i++) moving = fmax(moving, sphere_error(body, &f, 0.1 * i, &r));
    check_figure(T29_sphere_error, moving / own);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.5, &pose, NULL), FIRN_OK);
    const formula_ball ball = formula_at(&f, 0.5);
    check_figure(T29_sphere_middle, (double)firn_deform_distance(&pose, ball.center));
    const double blend = 0.5 * (double)(firn_level_set_distance(pose.a->phi, ball.center) +
                                        firn_level_set_distance(pose.b->phi, ball.center));
    assert_true(blend > 0.9);  // it would vanish
    const firn_vec3 v = firn_deform_velocity(&pose, ball.center);
    assert_true((double)firn_v3_length(firn_v3_sub(v, f.velocity)) < 1e-6);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

// Nothing is known but the level sets: growth is right, and its velocity.
static void growth_seen_from_distances(void** state)
{
    (void)state;
    any_source r = any_start(104);
    formula_body f = {.radius = 1,
                      .growth = (firn_real)0.5,
                      .interval = 0.125,
                      .key_count = 5,
                      .voxel = (firn_real)0.1,
                      .band = 1,
                      .seen_only = true,
                      .bad_key = -1};
    const firn_deforming_def def = formula_def(ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    for (double t = 0.01; t < 0.5; t += 0.04) assert_true(sphere_error(body, &f, t, &r) < 0.01);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.2, &pose, NULL), FIRN_OK);
    const firn_vec3 v = firn_deform_velocity(&pose, firn_v3(0, (firn_real)1.1, 0));
    assert_true((double)firn_v3_length(firn_v3_sub(v, firn_v3(0, (firn_real)0.5, 0))) < 0.02);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

// ---- time ---------------------------------------------------------------------------------------

static formula_body long_body(void)
{
    return (formula_body){.velocity = {1, 0, (firn_real)0.25},
                          .radius = (firn_real)0.3,
                          .growth = (firn_real)0.01,
                          .interval = 0.25,
                          .key_count = 100,
                          .voxel = (firn_real)0.1,
                          .band = (firn_real)0.3,
                          .bad_key = -1};
}

static uint64_t hash_key(const firn_deform_key* key)
{
    const uint64_t hash = firn_level_set_hash(key->phi);
    return firn_hash(key->velocity.value, firn_velocity_grid_bytes(&key->velocity), hash);
}

static void start_speed_and_rest(void** state)
{
    (void)state;
    formula_body f = long_body();
    firn_deforming_def def = formula_def(ENOUGH);
    def.start = 2;
    def.speed = 4;
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 1.9, &pose, NULL), FIRN_OK);
    assert_true(pose.a->time == 0 && pose.gamma == 0 && pose.rate == 0);
    assert_true(firn_v3_length(firn_deform_velocity(&pose, firn_v3(0, 0, 0))) == 0);
    // 0.15 s later the animation is at 0.6 s: key 2 is at 0.5 s, key 3 at 0.75 s
    assert_int_equal(firn_deforming_move(body, 2.15, &pose, NULL), FIRN_OK);
    assert_true(pose.a->time == 0.5 && pose.b->time == 0.75);
    assert_true(fabs((double)pose.gamma - 0.4) < 1e-5);
    assert_true(fabs((double)pose.dt - 0.0625) < 1e-9 && pose.rate == 4);
    // what moves at 1 m/s in the animation moves at 4 m/s in the world, and is where it should be
    const firn_vec3 at = formula_at(&f, 0.6).center;
    const firn_vec3 v = firn_deform_velocity(&pose, at);
    assert_true(fabs((double)v.x - 4) < 0.05 && fabs((double)v.z - 1) < 0.05);
    assert_true(firn_deform_distance(&pose, at) < (firn_real)-0.2);
    const firn_box3 box = firn_deform_pose_bounds(&pose);
    assert_true(box.low.x < at.x - (firn_real)0.3 && box.high.x > at.x + (firn_real)0.3);
    assert_int_equal(firn_deforming_move(body, 1000, &pose, NULL), FIRN_OK);
    assert_true(pose.a->time == 99 * 0.25 && pose.gamma == 0 && pose.rate == 0);
    assert_int_equal(firn_deforming_move(body, NAN, &pose, NULL), FIRN_REFUSED_ARGUMENT);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void loops_repeat(void** state)
{
    (void)state;
    for (int closes = 0; closes < 2; closes++) {
        formula_body f = long_body();
        f.key_count = 4;
        f.closes = closes != 0;
        f.seen_only = true;  // velocities look at the keys next to each
        firn_deforming_def def = formula_def(ENOUGH);
        def.loop = true;
        firn_deforming* body = formula_open(&f, &def);
        // 4 keys and the way back to the first, or 3 when the fourth is the first
        const double period = closes ? 0.75 : 1;
        firn_deform_pose a = {0}, b = {0};
        for (double t = 0.01; t < period; t += 0.06) {
            assert_int_equal(firn_deforming_move(body, t, &a, NULL), FIRN_OK);
            assert_int_equal(firn_deforming_move(body, t + 3 * period, &b, NULL), FIRN_OK);
            assert_true(a.a == b.a && a.b == b.b);
            assert_true(fabs((double)(a.gamma - b.gamma)) < 1e-5);
            assert_true(a.a->time <= (closes ? 0.5 : 0.75));
        }
        assert_int_equal(firn_deforming_move(body, period - 0.125, &a, NULL), FIRN_OK);
        assert_true(a.a->time == period - 0.25 && a.b->time == 0);
        assert_true(fabs((double)a.gamma - 0.5) < 1e-5);
        firn_deform_pose_release(&a);
        firn_deform_pose_release(&b);
        firn_deforming_release(body);
    }
}

// ---- which keys are kept ------------------------------------------------------------------------

static void memory_is_bounded(void** state)
{
    (void)state;
    formula_body f = long_body();
    const uint64_t before = firn_memory_read().bytes;
    firn_deforming_def def = formula_def(ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 24.7, &pose, NULL), FIRN_OK);  // the largest keys
    const size_t two = firn_deforming_bytes(body);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    assert_true(two > 1000);

    f.made = 0;
    def.memory = 3 * two;  // six keys
    body = formula_open(&f, &def);
    uint64_t most = 0;
    for (double t = 0; t < 25; t += 0.05) {
        assert_int_equal(firn_deforming_move(body, t, &pose, NULL), FIRN_OK);
        assert_true(firn_deforming_bytes(body) <= def.memory);
        most = firn_memory_read().bytes - before > most ? firn_memory_read().bytes - before : most;
    }
    assert_true(most < def.memory + 100000);  // the count is honest
    assert_int_equal(f.made, 100);            // each once
    // the last few are still there, the first are not
    assert_int_equal(firn_deforming_move(body, 24.1, &pose, NULL), FIRN_OK);
    assert_int_equal(f.made, 100);
    assert_int_equal(firn_deforming_move(body, 0.1, &pose, NULL), FIRN_OK);
    assert_int_equal(f.made, 102);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    assert_true(firn_memory_read().bytes == before);
}

// Least recently *used*, not least recently made.
static void the_least_recently_used_goes(void** state)
{
    (void)state;
    formula_body f = long_body();
    f.growth = 0;  // keys of about one size
    firn_deforming_def def = formula_def(ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.1, &pose, NULL), FIRN_OK);
    def.memory = (size_t)(2.75 * (double)firn_deforming_bytes(body));  // five keys
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
    body = formula_open(&f, &def);
    f.made = 0;
    const double times[] = {0.1, 0.6, 0.1, 1.1, 0.1};  // keys 0 1, 2 3, 0 1, 4 5, 0 1
    const int made[] = {2, 4, 4, 6, 6};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(firn_deforming_move(body, times[i], &pose, NULL), FIRN_OK);
        assert_int_equal(f.made, made[i]);
    }
    assert_int_equal(firn_deforming_move(body, 0.6, &pose, NULL), FIRN_OK);
    assert_true(f.made > 6);  // 2 and 3 had to go for 4 and 5
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void the_order_does_not_matter(void** state)
{
    (void)state;
    any_source r = any_start(105);
    for (int seen = 0; seen < 2; seen++) {
        formula_body f = long_body();
        f.seen_only = seen != 0;
        uint64_t right[100];
        firn_deforming_def def = formula_def(ENOUGH);
        firn_deforming* body = formula_open(&f, &def);
        firn_deform_pose pose = {0};
        for (int k = 0; k < 100; k++) {
            assert_int_equal(firn_deforming_move(body, k * 0.25, &pose, NULL), FIRN_OK);
            right[k] = hash_key(pose.a);
        }
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
        def.memory = 0;  // only those in use
        body = formula_open(&f, &def);
        for (int q = 0; q < 150; q++) {
            const int k = any_below(&r, 100);
            assert_int_equal(firn_deforming_move(body, k * 0.25, &pose, NULL), FIRN_OK);
            assert_true(hash_key(pose.a) == right[k]);
            if (k < 99) assert_true(hash_key(pose.b) == right[k + 1]);
        }
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
    }
}

static void poses_hold_their_keys(void** state)
{
    (void)state;
    formula_body f = long_body();
    firn_deforming_def def = formula_def(0);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose held = {0}, pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.1, &held, NULL), FIRN_OK);
    const uint64_t a = hash_key(held.a), b = hash_key(held.b);
    firn_deform_pose second = held;
    firn_deform_pose_share(&second);
    firn_deform_pose_release(&held);
    for (double t = 1; t < 5; t += 0.3)
        assert_int_equal(firn_deforming_move(body, t, &pose, NULL), FIRN_OK);
    assert_true(hash_key(second.a) == a && hash_key(second.b) == b);
    // found again, not made again, though the memory is for none
    f.made = 0;
    assert_int_equal(firn_deforming_move(body, 0.2, &pose, NULL), FIRN_OK);
    assert_int_equal(f.made, 0);
    assert_true(pose.a == second.a && pose.b == second.b);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);  // a pose outlives the body
    assert_true(hash_key(second.a) == a);
    firn_deform_pose_release(&second);
}

// ---- failures -----------------------------------------------------------------------------------

static void a_missing_key_leaves_the_pose(void** state)
{
    (void)state;
    formula_body f = long_body();
    f.bad_key = 5;
    firn_deforming_def def = formula_def(ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    firn_error error;
    assert_int_equal(firn_deforming_move(body, 0.9, &pose, &error), FIRN_OK);
    const firn_deform_pose before = pose;
    assert_int_equal(firn_deforming_move(body, 1.1, &pose, &error), FIRN_REFUSED_IO);
    assert_non_null(strstr(error.text, "key 5 is gone"));
    assert_memory_equal(&pose, &before, sizeof pose);
    assert_int_equal(firn_deforming_move(body, 1.3, &pose, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_deforming_move(body, 1.6, &pose, &error), FIRN_OK);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void memory_runs_out_cleanly(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; k < 100 && result == FIRN_BROKEN_MEMORY; k++) {
        formula_body f = long_body();
        f.seen_only = true;
        firn_deforming_def def = formula_def(ENOUGH);
        def.grid = "phi";
        firn_deforming* body = NULL;
        firn_deform_pose pose = {0};
        firn_memory_fail_at(k, false);
        result = firn_deforming_create(&def, formula_source(&f), &body, NULL);
        if (result == FIRN_OK) result = firn_deforming_move(body, 1.1, &pose, NULL);
        firn_memory_fail_at(0, false);
        if (body != NULL && result != FIRN_OK) {  // and it works once there is memory again
            assert_null(pose.a);
            assert_int_equal(firn_deforming_move(body, 1.1, &pose, NULL), FIRN_OK);
        }
        firn_deform_pose_release(&pose);
        firn_deforming_release(body);
        assert_true(firn_memory_read().bytes == before);
    }
    assert_int_equal(result, FIRN_OK);
}

// ---- threads ------------------------------------------------------------------------------------

typedef struct visitor {
    firn_deforming* body;
    uint64_t seed;
    double sum;
} visitor;

static void* visit(void* at)
{
    visitor* v = at;
    firn_deform_pose pose = {0};
    for (int q = 0; q < 60; q++) {
        const double t = 10 * (double)firn_random_unit(v->seed, (uint64_t)q);
        if (firn_deforming_move(v->body, t, &pose, NULL) != FIRN_OK) break;
        firn_deform_pose copy = pose;
        firn_deform_pose_share(&copy);
        v->sum += (double)firn_deform_distance(&copy, firn_v3((firn_real)t, 0, 1));
        firn_deform_pose_release(&copy);
    }
    firn_deform_pose_release(&pose);
    firn_deforming_release(v->body);
    return NULL;
}

static void several_threads_share_a_body(void** state)
{
    (void)state;
    double alone[4];
    for (int pass = 0; pass < 2; pass++) {
        formula_body f = long_body();
        firn_deforming_def def = formula_def(200000);
        firn_deforming* body = formula_open(&f, &def);
        visitor visitors[4];
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) {
            visitors[i] = (visitor){firn_deforming_share(body), (uint64_t)i + 7, 0};
            if (pass == 0)
                visit(&visitors[i]);
            else
                assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
        }
        for (int i = 0; i < 4; i++) {
            if (pass == 1) pthread_join(threads[i], NULL);
            if (pass == 0) alone[i] = visitors[i].sum;
            assert_true(visitors[i].sum == alone[i] && alone[i] != 0);
        }
        firn_deforming_release(body);
    }
}

int test_deforming(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_given_bit_for_bit),
                                       cmocka_unit_test(T29_planes),
                                       cmocka_unit_test(T29_sphere),
                                       cmocka_unit_test(growth_seen_from_distances),
                                       cmocka_unit_test(start_speed_and_rest),
                                       cmocka_unit_test(loops_repeat),
                                       cmocka_unit_test(memory_is_bounded),
                                       cmocka_unit_test(the_least_recently_used_goes),
                                       cmocka_unit_test(the_order_does_not_matter),
                                       cmocka_unit_test(poses_hold_their_keys),
                                       cmocka_unit_test(a_missing_key_leaves_the_pose),
                                       cmocka_unit_test(memory_runs_out_cleanly),
                                       cmocka_unit_test(several_threads_share_a_body)};
    return cmocka_run_group_tests_name("deforming", tests, NULL, NULL);
}
