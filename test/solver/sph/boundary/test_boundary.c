// SPDX-License-Identifier: MIT
// Boundary particles: their volumes, who decides where they are, how they move, what they cost.
#include "solver/sph/boundary/boundary.h"

#include <string.h>

#include "boundary_world.h"
#include "core/memory.h"
#include "geometry/collider/collider_sample.h"
#include "physics/sph_kernel.h"

// A plane gets the volumes of one layer of a lattice in the mean (VALIDATION T38: 1.14187 h^3), and
// a layer of them has the thickness that such a layer has, less what the spread of a random sample
// costs: 2.5 %. To 1 %: the mean of thousands that are spread by 15 % has a tenth
// of that.
static void volumes_of_a_plane(void** state)
{
    (void)state;
    boundary_world w = {0};
    const double h = 0.02, h3 = h * h * h;
    world_sample(&w, world_plane(&w.shapes), h, 1);
    double sum = 0, square = 0, inside = 0;
    for (firn_local p = 0; p < w.boundary.count; p++) {
        const double v = (double)w.boundary.volume[p] / h3;
        sum += v;
        square += v * v;
        const firn_vec3 x = w.boundary.position[p];
        if (fabs((double)x.x) < 0.9 && fabs((double)x.z) < 0.9) inside += v * h3;
    }
    const double mean = sum / w.boundary.count;
    const double spread = sqrt(square / w.boundary.count - mean * mean);
    const double thickness = inside / (1.8 * 1.8) / h;
    print_message("V_b %.4f h^3 +- %.3f, a layer of %.4f h\n", mean, spread, thickness);
    assert_near(mean / 1.14187, 1, 0.01);
    assert_less(spread, 0.15);
    assert_near(thickness / 1.14187, 0.975, 0.01);
    world_close(&w);
}

// Sums over all pairs give the same volumes; a ball has as many particles as its area asks for.
static void volumes_of_a_ball(void** state)
{
    (void)state;
    boundary_world w = {0};
    const double h = 0.05;
    world_sample(&w, world_ball(&w.shapes, 0.5), h, 2);
    const firn_boundary* b = &w.boundary;
    double all = 0;
    for (firn_local p = 0; p < b->count; p++) {
        double sum = 0;
        for (firn_local q = 0; q < b->count; q++) {
            const double d = world_distance(b->position[p], b->position[q]);
            sum += (double)firn_sph_w((firn_real)d, (firn_real)h);
        }
        // a sum of some ten kernels, each with the rounding of a distance in float
        assert_near((double)b->volume[p] * sum / 0.8, 1, 1e-5);
        assert_equal(b->velocity[p].x, 0);
        assert_equal(b->velocity[p].y, 0);
        assert_equal(b->velocity[p].z, 0);
        assert_int_equal(b->body[p], 0);
        all += (double)b->volume[p];
    }
    const double area = 4 * PI * 0.25;
    print_message("%.4f particles per h^2, a layer of %.4f h\n", b->count * h * h / area,
                  all / area / h);
    // Poisson sampling of 1200 particles, on a surface that is curved
    assert_near(b->count * h * h / area, 0.98, 0.02);
    assert_near(all / area / h, 1.113, 0.02);
    world_close(&w);
}

// ---- nothing but places decides -----------------------------------------------------------------

// Two bodies, one of them turned and moved.
static void open_two(boundary_world* w)
{
    const firn_local plane = world_plane(&w->shapes), ball = world_ball(&w->shapes, 0.3);
    world_add(w, plane);
    firn_collider* moved = world_add(w, ball);
    moved->motion.position = firn_v3((firn_real)0.2, (firn_real)0.25, 0);
    world_open(w, 0.05);
    world_move(w, 0);
}

static void assert_same(const firn_boundary* a, const firn_boundary* b)
{
    assert_int_equal(a->count, b->count);
    const size_t n = (size_t)a->count;
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->volume, b->volume, n * sizeof *a->volume);
    assert_memory_equal(a->body, b->body, n * sizeof *a->body);
}

static void order_and_threads_do_not_show(void** state)
{
    (void)state;
    firn_vec3 near[20];
    for (int k = 0; k < 20; k++)
        near[k] = firn_v3((firn_real)(0.13 * k - 1.2), (firn_real)0.05, (firn_real)(k % 7 * 0.1));
    boundary_world once = {0};
    open_two(&once);
    assert_true(world_update(&once, near, 20, 0.2, 1));
    assert_greater(once.boundary.count, 1000);
    const int threads[] = {2, 7};
    for (int way = 0; way < 2; way++) {
        boundary_world w = {0};
        open_two(&w);
        for (int k = 0; k < 20; k++)  // one by one: forwards, and with jumps
            world_update(&w, &near[way == 0 ? 19 - k : k * 7 % 20], 1, 0.2, threads[way]);
        assert_same(&once.boundary, &w.boundary);
        // and then nothing is new, nothing is allocated
        const uint64_t before = firn_memory_read().allocations;
        world_update(&w, near, 1, 0.2, threads[way]);
        assert_equal(firn_memory_read().allocations, before);
        world_close(&w);
    }
    world_close(&once);
}

static void all_of_a_place_is_there(void** state)
{
    (void)state;
    any_source r = any_start(3811);
    boundary_world w = {0};
    world_add(&w, world_ball(&w.shapes, 1));
    world_open(&w, 0.05);
    world_move(&w, 0);
    for (int n = 0; n < 40; n++) {
        const firn_vec3 near = any_vec3(&r, 1.2);
        const double reach = 0.2;
        world_update(&w, &near, 1, reach, 2);
        firn_vec3 x = firn_v3_add(near, any_vec3(&r, 0.1));
        x = firn_v3_normalize(x, firn_v3(1, 0, 0));
        if (world_distance(x, near) > reach) continue;
        double nearest = 1e9;
        for (firn_local p = 0; p < w.boundary.count; p++)
            nearest = fmin(nearest, world_distance(x, w.boundary.position[p]));
        assert_less(nearest, FIRN_DISC_HOLE * FIRN_DISC_RADIUS * 0.05);
    }
    world_close(&w);
}

static void far_places_cost_what_near_ones_do(void** state)
{
    (void)state;
    boundary_world w = {0};
    world_add(&w, world_plane(&w.shapes));
    world_open(&w, 0.0625);
    world_move(&w, 0);
    firn_local before = 0;
    for (int k = 0; k < 5; k++) {
        const firn_vec3 near = firn_v3((firn_real)(1000 * k), 0, (firn_real)(-700 * k));
        assert_true(world_update(&w, &near, 1, 0.25, 2));
        const firn_local more = w.boundary.count - before;
        assert_greater(more, 60);
        assert_less(more, 64 * 16);  // 16 tiles of 8 h at most
        before = w.boundary.count;
    }
    // so far that floats do not tell particles apart: nothing, and no failure
    const firn_vec3 end = firn_v3((firn_real)1e9, 0, 0), above = firn_v3(0, 5, 0);
    assert_false(world_update(&w, &end, 1, 0.25, 2));
    assert_false(world_update(&w, &above, 1, 0.25, 2));
    assert_false(world_update(&w, NULL, 0, 0.25, 2));
    world_close(&w);
}

// ---- motion -------------------------------------------------------------------------------------

static void rigid_bodies_carry_theirs(void** state)
{
    (void)state;
    boundary_world w = {0};
    firn_collider* c = world_add(&w, world_box(&w.shapes, 0.3, 0.2, 0.1));
    c->motion.velocity = firn_v3(1, 2, -1);
    c->motion.spin = firn_v3((firn_real)0.5, -2, 3);
    world_open(&w, 0.05);
    world_move(&w, 0);
    const firn_vec3 origin = {0, 0, 0};
    assert_true(world_update(&w, &origin, 1, 1, 2));
    const firn_local count = w.boundary.count;
    const size_t bytes = (size_t)count * sizeof(firn_vec3);
    firn_vec3* start = firn_alloc((size_t)count, sizeof *start);
    firn_real* volume = firn_alloc((size_t)count, sizeof *volume);
    memcpy(start, w.boundary.position, bytes);
    memcpy(volume, w.boundary.volume, (size_t)count * sizeof *volume);
    for (int k = 1; k < 4; k++) {
        world_move(&w, 0.3 * k);
        assert_true(world_update(&w, NULL, 0, 1, 2));
        assert_int_equal(w.boundary.count, count);
        assert_memory_equal(w.boundary.volume, volume, (size_t)count * sizeof *volume);
        for (firn_local p = 0; p < count; p++) {  // bit for bit what the pose says
            const firn_vec3 x = firn_pose_to_world(&c->pose, start[p]);
            const firn_vec3 v = firn_collider_velocity(c, x);
            assert_memory_equal(&w.boundary.position[p], &x, sizeof x);
            assert_memory_equal(&w.boundary.velocity[p], &v, sizeof v);
        }
        assert_false(world_update(&w, NULL, 0, 1, 2));
    }
    firn_free(start);
    firn_free(volume);
    world_close(&w);
}

// A body of scale 3 is as a body three times as large; one that grows keeps its density.
static void scales(void** state)
{
    (void)state;
    boundary_world w = {0};
    const firn_vec3 origin = {0, 0, 0};
    firn_collider* c = world_add(&w, world_ball(&w.shapes, 0.1));
    c->motion.scale = 3;
    world_open(&w, 0.05);
    world_move(&w, 0);
    world_update(&w, &origin, 1, 2, 2);
    // Poisson sampling of 440 particles, which stay on the surface while it grows
    assert_near(w.boundary.count * 0.0025 / (4 * PI * 0.09), 0.98, 0.04);
    for (firn_local p = 0; p < w.boundary.count; p++)
        assert_near(firn_v3_length(w.boundary.position[p]), 0.3,
                    2e-4);  // projected to 1e-3 h, times 3
    world_close(&w);

    c = world_add(&w, world_ball(&w.shapes, 0.1));
    c->motion.key_count = 2;
    c->motion.keys = firn_alloc(2, sizeof *c->motion.keys);
    for (int k = 0; k < 2; k++)
        c->motion.keys[k] =
            (firn_keyframe){.time = k, .rotation = {1, 0, 0, 0}, .scale = (firn_real)(1 + 4 * k)};
    world_open(&w, 0.05);
    for (int k = 0; k <= 16; k++) {
        world_move(&w, k / 16.);
        assert_true(world_update(&w, &origin, 1, 2, 2));
        const double radius = 0.1 * (1 + k / 4.), area = 4 * PI * radius * radius;
        double all = 0;
        for (firn_local p = 0; p < w.boundary.count; p++) all += (double)w.boundary.volume[p];
        // 2.5 % off in scale is 5 % in area; a small ball has few particles, all on a curve
        assert_near(w.boundary.count * 0.0025 / area, 0.98, (k < 4 ? 0.3 : 0.1));
        assert_near(all / area / 0.05, 1.113, (k < 4 ? 0.3 : 0.06));
    }
    world_close(&w);
}

// ---- failures -----------------------------------------------------------------------------------

static void refusals(void** state)
{
    (void)state;
    firn_boundary b;
    firn_error error = {0};
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(firn_boundary_create(1, bad[k], 0.8, 0, &b, &error),
                         FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_boundary_create(1, 0.1, bad[k], 0, &b, &error),
                         FIRN_REFUSED_ARGUMENT);
    }
    assert_contains(error.text, "factor");
    assert_int_equal(firn_boundary_create(0, 0.1, 0.8, 0, &b, &error), FIRN_OK);
    bool changed;
    assert_int_equal(firn_boundary_update(&b, NULL, NULL, NULL, 0, 1, &changed, &error), FIRN_OK);
    assert_false(changed);
    firn_boundary_destroy(&b);
}

// Two small balls far apart.
static void open_small(boundary_world* w)
{
    const firn_local ball = world_ball(&w->shapes, 0.1);
    world_add(w, ball);
    world_add(w, ball)->motion.position = firn_v3(3, 0, 0);
    world_open(w, 0.05);
    world_move(w, 0);
}

// Whichever allocation fails, the arrays stay, and the next try succeeds as if nothing had been.
static void memory_may_run_out(void** state)
{
    (void)state;
    const firn_vec3 near[2] = {{0, 0, 0}, {3, 0, 0}};
    boundary_world right = {0};
    open_small(&right);
    world_update(&right, near, 1, 0.2, 1);
    const firn_local few = right.boundary.count;
    world_update(&right, near, 2, 0.2, 1);
    assert_greater(right.boundary.count, few);
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        boundary_world w = {0};
        open_small(&w);
        world_update(&w, near, 1, 0.2, 1);
        firn_error error = {0};
        bool changed;
        use_team(1 + (int)(k % 2));
        firn_memory_fail_at(k, false);
        result = firn_boundary_update(&w.boundary, w.colliders, &w.shapes, near, 2, 0.2, &changed,
                                      &error);
        firn_memory_fail_at(0, false);
        use_team(0);
        if (result != FIRN_OK) {
            failures++;
            assert_int_equal(result, FIRN_BROKEN_MEMORY);
            assert_greater(strlen(error.text), 0);
            assert_int_equal(w.boundary.count, few);
            assert_memory_equal(w.boundary.position, right.boundary.position,
                                (size_t)few * sizeof(firn_vec3));
            world_update(&w, near, 2, 0.2, 1);
        }
        assert_same(&w.boundary, &right.boundary);
        world_close(&w);
        assert_equal(firn_memory_read().bytes, before);
    }
    print_message("%d allocations\n", failures);
    assert_greater(failures, 10);
    world_close(&right);
}

int test_boundary(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(volumes_of_a_plane),
                                       cmocka_unit_test(volumes_of_a_ball),
                                       cmocka_unit_test(order_and_threads_do_not_show),
                                       cmocka_unit_test(all_of_a_place_is_there),
                                       cmocka_unit_test(far_places_cost_what_near_ones_do),
                                       cmocka_unit_test(rigid_bodies_carry_theirs),
                                       cmocka_unit_test(scales),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("boundary", tests, NULL, NULL);
}
