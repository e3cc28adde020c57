// SPDX-License-Identifier: MIT
// VALIDATION T29: deforming level sets, and when they play.
#include "geometry/deform/deforming.h"

#include "figure.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/formula_body.h"
#include "seed.h"

// Tolerances: voxels of 0.1 m: a ball's distance is good to a tenth of that, its velocity to a
// few per cent; what is read from keys, to roundings of float (1e-5 where times are divided by
// an interval).

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
    const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.25, &pose, NULL), FIRN_OK);
    assert_equal(pose.gamma, (firn_real)0.5);
    assert_equal(pose.dt, (firn_real)0.5);
    assert_equal(pose.rate, 1);
    for (int end = 0; end < 2; end++) {
        pose.gamma = (firn_real)end;
        const firn_deform_key* key = end == 0 ? pose.a : pose.b;
        for (int q = 0; q < 2000; q++) {
            const firn_vec3 x = any_vec3(&r, 2);
            const firn_phi exact = firn_level_set_sample(key->phi, x);
            const firn_phi phi = firn_deform_sample_at(&pose, x);
            assert_memory_equal(&phi, &exact, sizeof phi);
            const firn_real distance = firn_deform_distance_at(&pose, x);
            assert_equal(distance, firn_level_set_distance(key->phi, x));
            const firn_vec3 v = firn_deform_velocity_at(&pose, x);
            const firn_vec3 right = firn_velocity_grid_sample(&key->velocity, x);
            assert_less(firn_v3_length(firn_v3_sub(v, right)), 1e-6);
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
        const firn_phi phi = firn_deform_sample_at(&pose, x);
        worst = fmax(worst, fabs((double)phi.distance - right));
        worst = fmax(worst, fabs((double)firn_deform_distance_at(&pose, x) - right));
        const firn_vec3 n = {(firn_real)slope[0], (firn_real)slope[1], (firn_real)slope[2]};
        worst_normal = fmax(worst_normal, (double)firn_v3_length(firn_v3_sub(phi.normal, n)));
        const firn_vec3 u = firn_deform_velocity_at(&pose, x);
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
        worst = fmax(worst, fabs((double)firn_deform_distance_at(&pose, x) - right));
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
    const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    const double own = sphere_error(body, &f, 0, &r);  // of the grid
    double moving = 0;
    for (int i = 1; i < 10; i++) moving = fmax(moving, sphere_error(body, &f, 0.1 * i, &r));
    check_figure(T29_sphere_error, moving / own);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.5, &pose, NULL), FIRN_OK);
    const formula_ball ball = formula_at(&f, 0.5);
    check_figure(T29_sphere_middle, (double)firn_deform_distance_at(&pose, ball.center));
    const double blend = 0.5 * (double)(firn_level_set_distance(pose.a->phi, ball.center) +
                                        firn_level_set_distance(pose.b->phi, ball.center));
    assert_greater(blend, 0.9);  // it would vanish
    const firn_vec3 v = firn_deform_velocity_at(&pose, ball.center);
    assert_less(firn_v3_length(firn_v3_sub(v, f.velocity)), 1e-6);
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
    const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_deforming* body = formula_open(&f, &def);
    for (double t = 0.01; t < 0.5; t += 0.04) assert_less(sphere_error(body, &f, t, &r), 0.01);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 0.2, &pose, NULL), FIRN_OK);
    const firn_vec3 v = firn_deform_velocity_at(&pose, firn_v3(0, (firn_real)1.1, 0));
    assert_less(firn_v3_length(firn_v3_sub(v, firn_v3(0, (firn_real)0.5, 0))), 0.02);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

// ---- time ---------------------------------------------------------------------------------------

static void start_speed_and_rest(void** state)
{
    (void)state;
    formula_body f = formula_long_body();
    firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    def.start = 2;
    def.speed = 4;
    firn_deforming* body = formula_open(&f, &def);
    firn_deform_pose pose = {0};
    assert_int_equal(firn_deforming_move(body, 1.9, &pose, NULL), FIRN_OK);
    assert_equal(pose.a->time, 0);
    assert_equal(pose.gamma, 0);
    assert_equal(pose.rate, 0);
    assert_equal(firn_v3_length(firn_deform_velocity_at(&pose, firn_v3(0, 0, 0))), 0);
    // 0.15 s later the animation is at 0.6 s: key 2 is at 0.5 s, key 3 at 0.75 s
    assert_int_equal(firn_deforming_move(body, 2.15, &pose, NULL), FIRN_OK);
    assert_equal(pose.a->time, 0.5);
    assert_equal(pose.b->time, 0.75);
    assert_near(pose.gamma, 0.4, 1e-5);
    assert_near(pose.dt, 0.0625, 1e-9);
    assert_equal(pose.rate, 4);
    // what moves at 1 m/s in the animation moves at 4 m/s in the world, and is where it should be
    const firn_vec3 at = formula_at(&f, 0.6).center;
    const firn_vec3 v = firn_deform_velocity_at(&pose, at);
    assert_near(v.x, 4, 0.05);
    assert_near(v.z, 1, 0.05);
    assert_less(firn_deform_distance_at(&pose, at), (firn_real)-0.2);
    const firn_box3 box = firn_deform_pose_bounds(&pose);
    assert_less(box.low.x, at.x - (firn_real)0.3);
    assert_greater(box.high.x, at.x + (firn_real)0.3);
    assert_int_equal(firn_deforming_move(body, 1000, &pose, NULL), FIRN_OK);
    assert_equal(pose.a->time, 99 * 0.25);
    assert_equal(pose.gamma, 0);
    assert_equal(pose.rate, 0);
    assert_int_equal(firn_deforming_move(body, NAN, &pose, NULL), FIRN_REFUSED_ARGUMENT);
    firn_deform_pose_release(&pose);
    firn_deforming_release(body);
}

static void loops_repeat(void** state)
{
    (void)state;
    for (int closes = 0; closes < 2; closes++) {
        formula_body f = formula_long_body();
        f.key_count = 4;
        f.closes = closes != 0;
        f.seen_only = true;  // velocities look at the keys next to each
        firn_deforming_def def = formula_def(FORMULA_ENOUGH);
        def.loop = true;
        firn_deforming* body = formula_open(&f, &def);
        // 4 keys and the way back to the first, or 3 when the fourth is the first
        const double period = closes ? 0.75 : 1;
        firn_deform_pose a = {0}, b = {0};
        for (double t = 0.01; t < period; t += 0.06) {
            assert_int_equal(firn_deforming_move(body, t, &a, NULL), FIRN_OK);
            assert_int_equal(firn_deforming_move(body, t + 3 * period, &b, NULL), FIRN_OK);
            assert_equal(a.a, b.a);
            assert_equal(a.b, b.b);
            assert_near(a.gamma, b.gamma, 1e-5);
            assert_at_most(a.a->time, closes ? 0.5 : 0.75);
        }
        assert_int_equal(firn_deforming_move(body, period - 0.125, &a, NULL), FIRN_OK);
        assert_equal(a.a->time, period - 0.25);
        assert_equal(a.b->time, 0);
        assert_near(a.gamma, 0.5, 1e-5);
        firn_deform_pose_release(&a);
        firn_deform_pose_release(&b);
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
                                       cmocka_unit_test(loops_repeat)};
    return cmocka_run_group_tests_name("deforming", tests, NULL, NULL);
}
