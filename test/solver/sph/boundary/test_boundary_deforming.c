// SPDX-License-Identifier: MIT
// Particles on deforming bodies: they stay on the surface, move as it does, and are spread evenly.
#include "solver/sph/boundary/boundary_deforming.h"

#include <string.h>

#include "boundary_world.h"
#include "geometry/formula_body.h"
#include "geometry/meshes.h"

#define H 0.05

enum { KEYS = 9 };

// A ball by formulas, and its triangles, which are made beforehand: they are to fail only as a copy
// does.
typedef struct ball_source {
    formula_body f;  // first: the formula's functions take it for themselves
    firn_mesh mesh[KEYS];
} ball_source;

static firn_result copy_mesh(void* self, int64_t k, firn_mesh* out_mesh, firn_error* error)
{
    if (firn_mesh_copy(&((ball_source*)self)->mesh[k], out_mesh) == FIRN_OK) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a mesh");
}

static void destroy_ball(void* self)
{
    ball_source* s = self;
    for (int k = 0; k < KEYS; k++) firn_mesh_destroy(&s->mesh[k]);
    firn_free(s);
}

// Moves, and grows by `growth`; keys a quarter of a second apart.
static formula_body ball_body(double growth)
{
    return (formula_body){.velocity = {1, 0, (firn_real)0.25},
                          .radius = (firn_real)0.3,
                          .growth = (firn_real)growth,
                          .interval = 0.25,
                          .key_count = KEYS,
                          .voxel = (firn_real)0.02,
                          .band = (firn_real)0.1,
                          .bad_key = -1};
}

// With triangles, of which those from key `turned_from` on are others; or without.
static void open_ball(boundary_world* w, formula_body f, bool with_mesh, int turned_from)
{
    ball_source* s = firn_alloc(1, sizeof *s);
    assert_non_null(s);
    s->f = f;
    for (int k = 0; k < KEYS; k++) {
        const formula_ball b = formula_at(&f, formula_time(&f, k));
        s->mesh[k] = mesh_ball(b.center, (double)b.radius, k < turned_from ? 48 : 50, 24);
    }
    firn_deform_source source = formula_source(&s->f);
    source.mesh = with_mesh ? copy_mesh : NULL;
    source.destroy = destroy_ball;
    const firn_deforming_def def = formula_def(FORMULA_ENOUGH);
    firn_collider* c = world_add(w, -1);
    c->motion.velocity = firn_v3(0, (firn_real)0.5, 0);
    c->motion.spin = firn_v3(0, 0, (firn_real)0.3);
    assert_int_equal(firn_deforming_create(&def, source, &c->deforming, NULL), FIRN_OK);
    world_open(w, H);
}

static bool update_at(boundary_world* w, double time)
{
    world_move(w, time);
    const firn_vec3 near =
        firn_pose_to_world(&w->colliders[0].pose, firn_v3((firn_real)time, 0, (firn_real)time / 4));
    return world_update(w, &near, 1, 0.2, 2);
}

static double radius_off(const boundary_world* w, const formula_body* f, double time)
{
    const formula_ball ball = formula_at(f, time);
    double worst = 0;
    for (firn_local p = 0; p < w->boundary.count; p++) {
        const firn_vec3 own = firn_pose_to_body(&w->colliders[0].pose, w->boundary.position[p]);
        worst = fmax(worst, fabs(world_distance(own, ball.center) - (double)ball.radius));
    }
    return worst;
}

// Particles per h^2 of the ball, and V_b per area and h.
static void check_spread(const boundary_world* w, const formula_body* f, double time, double within)
{
    const double radius = (double)formula_at(f, time).radius, area = 4 * PI * radius * radius;
    double all = 0;
    for (firn_local p = 0; p < w->boundary.count; p++) all += (double)w->boundary.volume[p];
    assert_near(w->boundary.count * H * H / area, 0.98, within);
    assert_near(all / area / H, 1.113, within);
}

static firn_vec3* copied(const firn_vec3* from, firn_local count)
{
    firn_vec3* to = firn_alloc((size_t)count, sizeof *to);
    assert_non_null(to);
    memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

// v_b is the derivative of x_b: differences over a millisecond, between keys.
static void check_velocity(boundary_world* w, double time, double within)
{
    const double dt = 1e-3;
    update_at(w, time);
    firn_vec3* v = copied(w->boundary.velocity, w->boundary.count);
    update_at(w, time - dt);
    const firn_local count = w->boundary.count;
    firn_vec3* before = copied(w->boundary.position, count);
    update_at(w, time + dt);
    assert_int_equal(w->boundary.count, count);
    double worst = 0;
    for (firn_local p = 0; p < count; p++) {
        const firn_vec3 way = firn_v3_sub(w->boundary.position[p], before[p]);
        const firn_vec3 rate = firn_v3_scale(way, (firn_real)(0.5 / dt));
        worst = fmax(worst, world_distance(rate, v[p]));
    }
    print_message("velocity off by %.3g m/s of about 1.1\n", worst);
    assert_less(worst, within);
    firn_free(v);
    firn_free(before);
}

static void rides_on_triangles(void** state)
{
    (void)state;
    formula_body f = ball_body(0.02);
    boundary_world w = {0};
    open_ball(&w, f, true, KEYS);
    assert_true(update_at(&w, 0));
    const firn_local count = w.boundary.count;
    for (double t = 0; t < 2.2; t += 0.0625) {  // to beyond the last key, where it rests
        update_at(&w, t);
        assert_int_equal(w.boundary.count, count);  // the same ones all the way
        // the triangles cut the ball: a chord of 7.5 degrees is 0.0007 m deep, and a square's
        // diagonal twice that
        assert_less(radius_off(&w, &f, fmin(t, 2)), 0.0016);
        check_spread(&w, &f, fmin(t, 2), 0.25);  // a tenth more area by 14 % more radius
    }
    check_velocity(&w, 0.9, 2e-3);  // rounding of positions, over two milliseconds
    assert_false(update_at(&w, 0.901));
    world_close(&w);
}

// A surface that deforms too far is sampled again at each key frame, and stays covered evenly.
static void stretched_and_changing_triangles(void** state)
{
    (void)state;
    formula_body f = ball_body(0.3);
    boundary_world w = {0};
    open_ball(&w, f, true, KEYS);
    update_at(&w, 0);
    const firn_local first = w.boundary.count;
    update_at(&w, 1.9);
    assert_greater(w.boundary.count, 2 * first);
    check_spread(&w, &f, 1.9, 0.16);
    check_velocity(&w, 1.9, 2e-3);
    world_close(&w);

    f = ball_body(0.02);
    open_ball(&w, f, true, 3);  // between keys 2 and 3 level sets carry the particles
    for (double t = 0.3; t < 1.3; t += 0.1) {
        assert_true(update_at(&w, t));
        // level sets between keys: a fraction of their voxel
        assert_less(radius_off(&w, &f, t), 0.003);
        check_spread(&w, &f, t, 0.1);
    }
    world_close(&w);
}

static void rides_on_level_sets(void** state)
{
    (void)state;
    formula_body f = ball_body(0.05);
    boundary_world w = {0};
    open_ball(&w, f, false, KEYS);
    for (double t = 0; t < 2; t += 0.0625) {
        assert_true(update_at(&w, t));
        assert_less(radius_off(&w, &f, t), 0.003);  // as above
        check_spread(&w, &f, t, 0.12);
    }
    // the keys hold the growth of 0.05 m/s about their own centres: between them its direction is
    // off
    check_velocity(&w, 0.9, 0.05);
    world_close(&w);
}

// The way there does not show; far from snow there is nothing.
static void depends_on_the_time_alone(void** state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++) {
        const formula_body f = ball_body(0.3);
        boundary_world a = {0}, b = {0};
        open_ball(&a, f, mesh, KEYS);
        open_ball(&b, f, mesh, KEYS);
        for (double t = 0; t < 1.4; t += 0.15) update_at(&a, t);
        update_at(&a, 1.4);
        update_at(&b, 1.4);
        const size_t n = (size_t)a.boundary.count;
        assert_int_equal(a.boundary.count, b.boundary.count);
        assert_memory_equal(a.boundary.position, b.boundary.position, n * sizeof(firn_vec3));
        assert_memory_equal(a.boundary.velocity, b.boundary.velocity, n * sizeof(firn_vec3));
        assert_memory_equal(a.boundary.volume, b.boundary.volume, n * sizeof(firn_real));
        const firn_vec3 far_off = {50, 0, 0};
        assert_true(world_update(&a, &far_off, 1, 0.2, 2));
        assert_int_equal(a.boundary.count, 0);
        assert_false(world_update(&a, &far_off, 1, 0.2, 2));
        update_at(&a, 1.4);
        assert_int_equal(a.boundary.count, b.boundary.count);
        assert_memory_equal(a.boundary.position, b.boundary.position, n * sizeof(firn_vec3));
        world_close(&a);
        world_close(&b);
    }
}

static void memory_may_run_out(void** state)
{
    (void)state;
    formula_body f = ball_body(0.1);
    f.radius = (firn_real)0.1;  // small, for it is sampled many times
    boundary_world right = {0};
    open_ball(&right, f, true, KEYS);
    update_at(&right, 0.8);
    boundary_world w = {0};
    open_ball(&w, f, true, KEYS);
    update_at(&w, 0.1);
    const firn_local had = w.boundary.count;
    firn_vec3* before = copied(w.boundary.position, had);
    world_move(&w, 0.8);
    const firn_vec3 near = firn_pose_to_world(&w.colliders[0].pose, firn_v3((firn_real)0.8, 0, 0));
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_error error = {0};
        bool changed;
        firn_memory_fail_at(k, false);
        const firn_result result = firn_boundary_update(&w.boundary, w.colliders, &w.shapes, &near,
                                                        1, 0.2, &changed, &error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        failures++;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(w.boundary.count, had);
        assert_memory_equal(w.boundary.position, before, (size_t)had * sizeof *before);
    }
    assert_greater(failures, 5);
    assert_int_equal(w.boundary.count, right.boundary.count);
    assert_memory_equal(w.boundary.position, right.boundary.position,
                        (size_t)right.boundary.count * sizeof(firn_vec3));
    firn_free(before);
    world_close(&w);
    world_close(&right);
}

int test_boundary_deforming(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rides_on_triangles), cmocka_unit_test(stretched_and_changing_triangles),
        cmocka_unit_test(rides_on_level_sets), cmocka_unit_test(depends_on_the_time_alone),
        cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("boundary_deforming", tests, NULL, NULL);
}
