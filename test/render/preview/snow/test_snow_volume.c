// SPDX-License-Identifier: MIT
// The snow volume: it holds as much snow as the particles stand for, is continuous across blocks,
// fixed in space, and the same for any threads.
#include "render/preview/snow/snow_volume.h"

#include "core/hash.h"
#include "render/preview/snow/snow_sample.h"
#include "render/preview/snow_scene.h"
#include "team_use.h"

static firn_snow_points points_of(const snow_scene* s)
{
    return (firn_snow_points){.x = s->x,
                              .mass = s->mass,
                              .density = s->density,
                              .id = s->id,
                              .count = s->count,
                              .radius = s->radius};
}

static double total(const firn_snow_volume* v)
{
    double sum = 0;
    for (int32_t b = 0; b < v->block_count; b++)
        for (int z = 1; z <= 8; z++)
            for (int y = 1; y <= 8; y++)
                for (int x = 1; x <= 8; x++)
                    sum +=
                        (double)
                            v->fine[(size_t)b * FIRN_SNOW_FINE + (size_t)((z * 10 + y) * 10 + x)];
    return sum;
}

static void holds_all_snow(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    s.cell = 0.01;
    add_ball(&s, 0.1);
    firn_snow_volume v;
    const firn_snow_points points = points_of(&s);
    assert_int_equal(firn_snow_volume_build(&v, &points, s.cell, NULL), FIRN_OK);
    // voxel: the distance of particles, half a cell at 8 a cell
    assert_near(v.voxel, 0.005, 1e-6);
    assert_near(v.spacing, 0.005, 1e-6);
    // amounts vary by id, evenly around 1: within 4 standard errors (0.4/sqrt(3)/sqrt(N))
    const double share = total(&v) / s.count;
    assert_near(share, 1, 4 * 0.231 / sqrt((double)s.count));
    // occupancy is about 1 inside, 0 outside
    double sum = 0;
    for (int k = 0; k < 1000; k++) {
        const firn_vec3 x = firn_v3((firn_real)(0.08 * firn_random_unit(5, (uint64_t)k) - 0.04),
                                    (firn_real)(0.06 + 0.08 * firn_random_unit(6, (uint64_t)k)),
                                    (firn_real)(0.08 * firn_random_unit(7, (uint64_t)k) - 0.04));
        sum += (double)firn_snow_fine(&v, firn_snow_to_grid(&v, x));
    }
    assert_near(sum / 1000, 1, 0.05);  // jittered particles: 8 to a cell
    assert_equal(firn_snow_fine(&v, firn_snow_to_grid(&v, firn_v3(0.12f, 0.1f, 0))), 0);
    assert_equal(firn_snow_fine(&v, firn_snow_to_grid(&v, firn_v3((firn_real)NAN, 0, 0))), 0);
    assert_equal(firn_snow_coarse(&v, firn_snow_to_grid(&v, firn_v3(9e9f, 0, 0))), 0);
    firn_snow_volume_destroy(&v);
    teardown_scene(&s);
}

// Grains weigh less than mass over density says: their radius tells what they fill. One of half the
// radius is an eighth.
static void grains_fill_their_cubes(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    s.cell = 0.01;
    add_ball(&s, 0.1);
    firn_real* radius = firn_alloc((size_t)s.count, sizeof *radius);
    for (firn_local p = 0; p < s.count; p++) {
        s.mass[p] /= 8;
        radius[p] = (firn_real)(0.0025 * (p % 4 == 0 ? 0.5 : 1));
    }
    s.radius = radius;
    firn_snow_volume v;
    const firn_snow_points points = points_of(&s);
    assert_int_equal(firn_snow_volume_build(&v, &points, s.cell, NULL), FIRN_OK);
    assert_near(v.voxel, 0.005, 1e-6);
    assert_near(v.spacing, 0.005, 1e-6);
    assert_equal(firn_snow_share(&v, &points, 0), 0.125f);
    assert_equal(firn_snow_share(&v, &points, 1), 1);
    // as holds_all_snow: three quarters are whole, a quarter are eighths
    const double share = total(&v) / s.count;
    assert_near(share, 0.75 + 0.25 / 8, 4 * 0.231 / sqrt((double)s.count));
    // light sees snow of 400 kg/m^3
    assert_near(v.mass / v.volume, 400, 0.01);  // a quotient of float sums
    firn_snow_volume_destroy(&v);
    firn_free(radius);
    teardown_scene(&s);
}

// A straight line through many blocks: no jump larger than the steepest slope allows.
static void continuous_across_blocks(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    add_ball(&s, 0.1);
    firn_snow_volume v;
    const firn_snow_points points = points_of(&s);
    assert_int_equal(firn_snow_volume_build(&v, &points, s.cell, NULL), FIRN_OK);
    float last[3] = {0, 0, 0}, most[3] = {0, 0, 0}, top = 0;
    const float step = 0.01f;  // [voxels]
    for (int k = 0; k < 4000; k++) {
        const float t = (float)k * step;
        const firn_grid_point at =
            firn_grid_madd(firn_snow_to_grid(&v, firn_v3(-0.1f, 0.04f, -0.06f)), t,
                           (firn_grid_point){0.9f, 0.3f, 0.31f});
        const float now[3] = {firn_snow_fine(&v, at), firn_snow_mid(&v, at),
                              firn_snow_coarse(&v, at)};
        for (int l = 0; l < 3 && k > 0; l++) most[l] = fmaxf(most[l], fabsf(now[l] - last[l]));
        memcpy(last, now, sizeof last);
        top = fmaxf(top, now[0]);
    }
    assert_greater(top, 0.8f);  // it did go through snow
    // values up to 2.5 change over one voxel (fine), two (mid) or eight (coarse) along any axis
    assert_less(most[0], 4.0f * step);
    assert_less(most[1], 2.0f * step);
    assert_less(most[2], 0.6f * step);
    firn_snow_volume_destroy(&v);
    teardown_scene(&s);
}

static void fixed_in_space(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    add_ball(&s, 0.1);
    firn_snow_volume a, b;
    firn_snow_points points = points_of(&s);
    assert_int_equal(firn_snow_volume_build(&a, &points, s.cell, NULL), FIRN_OK);
    s.x[s.count - 1] = firn_v3(-0.61f, 0.41f, -0.32f);  // the window grows
    assert_int_equal(firn_snow_volume_build(&b, &points, s.cell, NULL), FIRN_OK);
    assert_greater(b.size[0], a.size[0]);
    for (int k = 0; k < 200; k++) {
        const firn_vec3 x = firn_v3((firn_real)(0.2 * firn_random_unit(5, (uint64_t)k) - 0.1),
                                    (firn_real)(0.1 * firn_random_unit(6, (uint64_t)k)),
                                    (firn_real)(0.2 * firn_random_unit(7, (uint64_t)k) - 0.1));
        // rounding of places: 1e-4 of a voxel, times a slope of at most 4
        assert_near(firn_snow_fine(&a, firn_snow_to_grid(&a, x)),
                    firn_snow_fine(&b, firn_snow_to_grid(&b, x)), 2e-3f);
    }
    firn_snow_volume_destroy(&a);
    firn_snow_volume_destroy(&b);
    teardown_scene(&s);
}

static void same_for_any_threads(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    add_ball(&s, 0.1);
    const firn_snow_points points = points_of(&s);
    uint64_t first = 0;
    static const int threads[] = {1, 2, 3, 8};
    for (int k = 0; k < 4; k++) {
        firn_snow_volume v;
        use_team(threads[k]);
        assert_int_equal(firn_snow_volume_build(&v, &points, s.cell, NULL), FIRN_OK);
        use_team(0);
        const size_t blocks = (size_t)v.block_count;
        uint64_t hash = firn_hash(v.fine, blocks * FIRN_SNOW_FINE * sizeof(float), 0);
        hash = firn_hash(v.mid, blocks * FIRN_SNOW_MID * sizeof(float), hash);
        hash = firn_hash(v.solid, blocks, hash);
        if (k == 0) first = hash;
        assert_int_equal(hash, first);
        firn_snow_volume_destroy(&v);
    }
    teardown_scene(&s);
}

// However the particles lie, memory stays within the caps.
static void bounded(void** state)
{
    (void)state;
    snow_scene s;
    setup_scene(&s, 64, 36);
    add_particles(&s, 60000);
    for (firn_local p = 0; p < s.count; p++)
        s.x[p] = firn_v3((firn_real)firn_random_unit(7, (uint64_t)p) * 90,
                         (firn_real)firn_random_unit(8, (uint64_t)p) * 90,
                         (firn_real)firn_random_unit(9, (uint64_t)p) * 90);
    firn_snow_volume v;
    const firn_snow_points points = points_of(&s);
    assert_int_equal(firn_snow_volume_build(&v, &points, s.cell, NULL), FIRN_OK);
    assert_in_range(v.block_count, 1, FIRN_SNOW_BLOCKS_MAX);
    assert_at_most((int64_t)v.size[0] * v.size[1] * v.size[2], FIRN_SNOW_WINDOW_MAX);
    firn_snow_volume_destroy(&v);
    for (firn_local p = 0; p < s.count; p++) s.x[p] = firn_v3((firn_real)NAN, 0, 0);
    assert_int_equal(firn_snow_volume_build(&v, &points, s.cell, NULL), FIRN_OK);
    assert_int_equal(v.block_count, 0);
    firn_snow_volume_destroy(&v);
    teardown_scene(&s);
}

int test_snow_volume(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_all_snow),           cmocka_unit_test(grains_fill_their_cubes),
        cmocka_unit_test(continuous_across_blocks), cmocka_unit_test(fixed_in_space),
        cmocka_unit_test(same_for_any_threads),     cmocka_unit_test(bounded),
    };
    return cmocka_run_group_tests_name("snow_volume", tests, NULL, NULL);
}
