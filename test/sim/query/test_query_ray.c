// SPDX-License-Identifier: MIT
// Rays, heights at a point, and how much snow is in a box: against a search through all particles,
// against height fields, and against what geometry says; without allocation after the first query.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn/firn.h"
#include "firn_test.h"

// A block of packed snow on a floor, with a ball of snow and a solid ball above.
static const char snow_and_solids[] =
    "firn: 1\nsolver: mpm\ntime: {frames: 10, fps: 50}\nmpm: {cell: 0.05}\nmaterials:\n"
    "  s: {density: 400}\nsnow:\n"
    "  - {shape: {box: {center: [0, 0.2, 0], size: [1, 0.4, 1]}}, material: s, seeding: lattice}\n"
    "  - {shape: {sphere: {center: [0.2, 1, 0.1], radius: 0.15}}, material: s,\n"
    "     velocity: [3, 0, 0]}\n"
    "colliders:\n  - {shape: {plane: {}}}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.2}},\n"
    "     position: [-0.25, 1, 0], velocity: [0, 1, 0]}\n";

static firn_sim* make(const char* yaml, int threads)
{
    firn_scene* scene;
    firn_sim* sim;
    firn_error error;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, yaml, "snow", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static const firn_vec3* positions(const firn_sim* sim, firn_local* out_count)
{
    firn_field_view x;
    assert_int_equal(firn_sim_field(sim, "position", &x), FIRN_OK);
    *out_count = x.count;
    return x.data;
}

// Numbers in [-1, 1) that are the same everywhere.
static double number(uint32_t* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

static firn_vec3 vec(double x, double y, double z)
{
    return (firn_vec3){(firn_real)x, (firn_real)y, (firn_real)z};
}

#define RADIUS 0.0125  // [m] a quarter of the cell

// The nearest spheroid of all particles: 1.5 radii wide, one high.
static double nearest(const firn_sim* sim, const firn_ray* ray)
{
    firn_local count;
    const firn_vec3* x = positions(sim, &count);
    const double o[3] = {(double)ray->origin.x, (double)ray->origin.y, (double)ray->origin.z};
    double d[3] = {(double)ray->direction.x, (double)ray->direction.y, (double)ray->direction.z};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double best = ray->max_distance;
    for (firn_local p = 0; p < count; p++) {
        const double c[3] = {(double)x[p].x, (double)x[p].y, (double)x[p].z};
        double qq = -RADIUS * RADIUS, qd = 0, dd = 0;
        for (int k = 0; k < 3; k++) {
            const double w = k == 1 ? 1 : 1.5, q = (o[k] - c[k]) / w, e = d[k] / length / w;
            qq += q * q, qd += q * e, dd += e * e;
        }
        const double root2 = qd * qd - dd * qq;
        if (qq <= 0) return 0;
        if (root2 >= 0 && qd < 0) best = fmin(best, (-qd - sqrt(root2)) / dd);
    }
    return best;
}

enum { RAYS = 2000 };
static firn_ray rays[RAYS];
static firn_ray_hit hits[RAYS], others[RAYS];

static void aim_rays(void)
{
    uint32_t seed = 7;
    for (int k = 0; k < RAYS; k++) {
        const double y = 0.6 + 0.55 * number(&seed);
        rays[k] = (firn_ray){.origin = vec(0.9 * number(&seed), y, 0.9 * number(&seed)),
                             .direction = vec(number(&seed), number(&seed), number(&seed)),
                             .max_distance = k % 5 == 0 ? 0.5 : INFINITY};
        if (k % 7 == 0) rays[k].direction.x = 0;
        if (k % 11 == 0) rays[k].direction = vec(0, -2, 0);
        if (k % 13 == 0) rays[k].direction = vec(0, 0, 1);
    }
}

static void rays_find_the_nearest_particle(void** state)
{
    (void)state;
    firn_sim* sim = make(snow_and_solids, 1);
    aim_rays();
    int met = 0;
    for (int k = 0; k < RAYS; k++) rays[k].skip_colliders = true;
    assert_int_equal(firn_sim_rays(sim, rays, RAYS, hits), FIRN_OK);
    for (int k = 0; k < RAYS; k++) {
        const double expected = nearest(sim, &rays[k]);
        if (expected == rays[k].max_distance) {
            assert_int_equal(hits[k].kind, FIRN_HIT_NONE);
            assert_int_equal(hits[k].particle, -1);
            continue;
        }
        met++;
        assert_int_equal(hits[k].kind, FIRN_HIT_SNOW);
        // a grazing root loses half of the digits of a double
        assert_near(hits[k].distance, expected, 1e-7);
        const firn_vec3 n = hits[k].normal, d = rays[k].direction;
        assert_true(n.x * d.x + n.y * d.y + n.z * d.z < 1e-6);
        assert_near(sqrt((double)(n.x * n.x + n.y * n.y + n.z * n.z)), 1, 1e-6);
        assert_int_equal(hits[k].collider.slot1, 0);
    }
    assert_in_range(met, RAYS / 5, RAYS);
    firn_sim_destroy(sim);
}

static void any_number_of_threads(void** state)
{
    (void)state;
    aim_rays();
    for (int k = 0; k < RAYS; k++) rays[k].skip_colliders = false;
    memset(hits, 0, sizeof hits);
    memset(others, 0, sizeof others);
    firn_sim *one = make(snow_and_solids, 1), *four = make(snow_and_solids, 4);
    for (int frame = 0; frame < 2; frame++) {
        assert_int_equal(firn_sim_rays(one, rays, RAYS, hits), FIRN_OK);
        assert_int_equal(firn_sim_rays(four, rays, RAYS, others), FIRN_OK);
        for (int k = 0; k < RAYS; k++) {
            assert_int_equal(hits[k].kind, others[k].kind);
            assert_memory_equal(&hits[k].distance, &others[k].distance, sizeof(double));
            assert_memory_equal(&hits[k].normal, &others[k].normal, sizeof(firn_vec3));
            assert_int_equal(hits[k].particle_id, others[k].particle_id);
        }
        assert_int_equal(firn_sim_step(one), FIRN_OK);
        assert_int_equal(firn_sim_step(four), FIRN_OK);
    }
    firn_sim_destroy(one);
    firn_sim_destroy(four);
}

// ---- colliders ----------------------------------------------------------------------------------

static void rays_meet_colliders(void** state)
{
    (void)state;
    firn_sim* sim = make(snow_and_solids, 1);
    firn_collider_id floor, ball;
    assert_int_equal(firn_sim_body_at(sim, 0, &floor), FIRN_OK);
    assert_int_equal(firn_sim_body_at(sim, 1, &ball), FIRN_OK);
    firn_ray_hit hit;
    assert_int_equal(firn_sim_ray(sim, vec(2, 3, 2), vec(0, -5, 0), 100, &hit), FIRN_OK);
    assert_int_equal(hit.kind, FIRN_HIT_COLLIDER);
    assert_int_equal(hit.collider.slot1, floor.slot1);
    assert_int_equal(hit.collider.owner, floor.owner);
    assert_near(hit.distance, 3, 1e-12);
    assert_near(hit.normal.y, 1, 1e-6);
    assert_int_equal(firn_sim_ray(sim, vec(2, 3, 2), vec(0, -5, 0), 2.9, &hit), FIRN_OK);
    assert_int_equal(hit.kind, FIRN_HIT_NONE);
    assert_equal(hit.distance, 2.9);
    // the ball, above the snow, at the current time
    for (int step = 0; step < 3; step++) {
        const double y = 1 + firn_sim_read(sim).time;
        assert_int_equal(firn_sim_ray(sim, vec(-0.25, 5, 0), vec(0, -1, 0), 9, &hit), FIRN_OK);
        assert_int_equal(hit.collider.slot1, ball.slot1);
        assert_near(hit.point.y, y + 0.2, 2e-5);  // sphere tracing ends at 1e-6 of the coordinates
        assert_near(hit.normal.y, 1, 1e-5);
        assert_int_equal(firn_sim_ray(sim, vec(-0.25, y, 0), vec(1, 0, 0), 9, &hit), FIRN_OK);
        assert_equal(hit.distance, 0);  // from inside
        assert_near(hit.normal.x, -1, 1e-6);
        assert_int_equal(firn_sim_step(sim), FIRN_OK);
    }
    // a program moves it
    const firn_body_pose pose = {
        .position = {-1, 2, -1}, .rotation = {1, 0, 0, 0}, .scale = 2, .velocity = {0}};
    assert_int_equal(firn_sim_body_move(sim, ball, &pose), FIRN_OK);
    assert_int_equal(firn_sim_ray(sim, vec(-1, 5, -1), vec(0, -1, 0), 9, &hit), FIRN_OK);
    assert_int_equal(hit.collider.slot1, ball.slot1);
    assert_near(hit.distance, 2.6, 1e-5);
    // both are taken away
    assert_int_equal(firn_sim_remove_collider(sim, ball), FIRN_OK);
    assert_int_equal(firn_sim_remove_collider(sim, floor), FIRN_OK);
    assert_int_equal(firn_sim_ray(sim, vec(-1, 5, -1), vec(0, -1, 0), 9, &hit), FIRN_OK);
    assert_int_equal(hit.kind, FIRN_HIT_NONE);
    firn_sim_destroy(sim);
}

// ---- heights ------------------------------------------------------------------------------------

// The same bits as a sample of a height field, before and after a step; and a ray from above the
// block meets the snow there.
static void heights_at_points(void** state)
{
    (void)state;
    firn_sim* sim = make(snow_and_solids, 2);
    uint32_t seed = 3;
    for (int k = 0; k < 200; k++) {
        if (k == 100) assert_int_equal(firn_sim_step(sim), FIRN_OK);
        const double x = 0.7 * number(&seed), z = 0.7 * number(&seed);
        firn_height_def def = firn_default_height_def();
        def.x = x, def.z = z, def.width = def.depth = 0.01, def.columns = def.rows = 2;
        def.empty = -3;
        float field[4], height;
        assert_int_equal(firn_sim_heights(sim, &def, field), FIRN_OK);
        assert_int_equal(firn_sim_height_at(sim, x, z, -3, &height), FIRN_OK);
        assert_memory_equal(&field[0], &height, sizeof height);
        if (height < 0) continue;
        firn_ray_hit hit;
        const firn_ray ray = {vec(x, 0.6, z), vec(0, -1, 0), 1, false, true};
        assert_int_equal(firn_sim_rays(sim, &ray, 1, &hit), FIRN_OK);
        if (hit.distance > 0) assert_near(hit.point.y, height, 2e-6);  // x and z are reals
    }
    firn_sim_destroy(sim);
}

// ---- amounts ------------------------------------------------------------------------------------

static void amounts_of_snow(void** state)
{
    (void)state;
    firn_sim* sim = make(snow_and_solids, 1);
    firn_snow_amount amount;
    // packed snow: its density, up to a layer of particles on the sides (spacing 0.025 of 0.6)
    const double low[3] = {-0.3, 0.05, -0.3}, high[3] = {0.3, 0.35, 0.3};
    assert_int_equal(firn_sim_snow_in_box(sim, low, high, &amount), FIRN_OK);
    assert_near(amount.density, 400, 400 * 3 * 0.025 / 0.3);
    assert_equal(amount.velocity[0], 0);
    assert_true(isnan(amount.temperature));
    // the whole ball of snow
    assert_int_equal(firn_sim_snow_in_ball(sim, (const double[3]){0.2, 1, 0.1}, 0.16, &amount),
                     FIRN_OK);
    const double volume = 4.0 / 3 * 3.14159265358979 * 0.15 * 0.15 * 0.15;
    assert_near(amount.mass, 400 * volume, 0.02 * 400 * volume);  // of its seeds
    assert_near(amount.velocity[0], 3, 1e-6);
    // all snow is in a large box, none in an empty one
    firn_local count;
    positions(sim, &count);
    assert_int_equal(firn_sim_snow_in_box(sim, (const double[3]){-9, -9, -9},
                                          (const double[3]){9, 9, 9}, &amount),
                     FIRN_OK);
    assert_int_equal(amount.count, count);
    assert_int_equal(firn_sim_snow_in_ball(sim, (const double[3]){5, 5, 5}, 1, &amount), FIRN_OK);
    assert_int_equal(amount.count, 0);
    assert_equal(amount.density, 0);
    firn_sim_destroy(sim);
}

static void no_allocation_after_the_first(void** state)
{
    (void)state;
    firn_sim* sim = make(snow_and_solids, 2);
    aim_rays();
    uint64_t before = 0;
    for (int step = 0; step < 3; step++) {
        if (step == 1) before = firn_memory_read().allocations;
        firn_snow_amount amount;
        float height;
        assert_int_equal(firn_sim_rays(sim, rays, RAYS, hits), FIRN_OK);
        assert_int_equal(firn_sim_snow_in_ball(sim, (const double[3]){0, 0, 0}, 1, &amount),
                         FIRN_OK);
        assert_int_equal(firn_sim_height_at(sim, 0, 0, 0, &height), FIRN_OK);
        if (step > 0) assert_int_equal(firn_memory_read().allocations, before);
        assert_int_equal(firn_sim_step(sim), FIRN_OK);
        before = firn_memory_read().allocations;
    }
    firn_sim_destroy(sim);
}

#define REFUSED(call) assert_int_equal(call, FIRN_REFUSED_ARGUMENT)

static void refusals(void** state)
{
    (void)state;
    firn_sim* sim = make(snow_and_solids, 1);
    firn_ray_hit hit = {.distance = 42};
    firn_snow_amount amount;
    float height;
    const double a[3] = {0, 0, 0}, b[3] = {1, -1, 1}, bad[3] = {0, NAN, 0};
    REFUSED(firn_sim_ray(NULL, vec(0, 0, 0), vec(1, 0, 0), 1, &hit));
    REFUSED(firn_sim_ray(sim, vec(0, 0, 0), vec(1, 0, 0), 1, NULL));
    REFUSED(firn_sim_ray(sim, vec(0, 0, 0), vec(0, 0, 0), 1, &hit));
    assert_string_not_equal(firn_sim_error(sim), "");
    REFUSED(firn_sim_ray(sim, vec(0, NAN, 0), vec(1, 0, 0), 1, &hit));
    REFUSED(firn_sim_ray(sim, vec(0, 0, 0), vec(1, 0, 0), -1, &hit));
    REFUSED(firn_sim_rays(sim, NULL, 1, &hit));
    REFUSED(firn_sim_rays(sim, rays, -1, &hit));
    assert_equal(hit.distance, 42);
    assert_int_equal(firn_sim_rays(sim, NULL, 0, NULL), FIRN_OK);
    REFUSED(firn_sim_height_at(NULL, 0, 0, 0, &height));
    REFUSED(firn_sim_height_at(sim, 0, 0, 0, NULL));
    REFUSED(firn_sim_height_at(sim, NAN, 0, 0, &height));
    REFUSED(firn_sim_snow_in_box(NULL, a, a, &amount));
    REFUSED(firn_sim_snow_in_box(sim, NULL, a, &amount));
    REFUSED(firn_sim_snow_in_box(sim, a, NULL, &amount));
    REFUSED(firn_sim_snow_in_box(sim, a, a, NULL));
    REFUSED(firn_sim_snow_in_box(sim, a, b, &amount));
    REFUSED(firn_sim_snow_in_ball(NULL, a, 1, &amount));
    REFUSED(firn_sim_snow_in_ball(sim, NULL, 1, &amount));
    REFUSED(firn_sim_snow_in_ball(sim, a, 1, NULL));
    REFUSED(firn_sim_snow_in_ball(sim, bad, 1, &amount));
    REFUSED(firn_sim_snow_in_ball(sim, a, 0, &amount));
    assert_string_not_equal(firn_sim_error(sim), "");
    firn_sim_destroy(sim);
}

int test_query_ray(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_find_the_nearest_particle),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(rays_meet_colliders),
        cmocka_unit_test(heights_at_points),
        cmocka_unit_test(amounts_of_snow),
        cmocka_unit_test(no_allocation_after_the_first),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("query_ray", tests, NULL, NULL);
}
