// SPDX-License-Identifier: MIT
// Filling shapes: where points lie, how many there are, that nothing but seed and place decides.
#include "geometry/sampling/seeding.h"

#include <stdlib.h>

#include "core/memory.h"
#include "geometry/gallery.h"
#include "geometry/sdf/field_build.h"
#include "team_use.h"

enum { UPRIGHT_BOX = 3 };  // in the gallery
static const firn_seeding ways[3] = {FIRN_SEED_STRATIFIED, FIRN_SEED_LATTICE, FIRN_SEED_RANDOM};

static firn_points seeded(const firn_shapes* shapes, firn_local shape, double cell, double per_cell,
                          firn_seeding seeding, uint64_t seed)
{
    firn_points points = {0};
    firn_error error = {0};
    if (firn_seed_shape(shapes, shape, (firn_real)cell, per_cell, seeding, seed, &points, &error) !=
        FIRN_OK)
        fail_msg("%s", error.text);
    return points;
}

static firn_local sphere(firn_shapes* shapes, double x, double y, double z, double radius)
{
    return gallery_add(shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE,
                                                 .p = {(firn_real)x, (firn_real)y, (firn_real)z,
                                                       (firn_real)radius}});
}

static firn_local box(firn_shapes* shapes, double x, double y, double z, double half)
{
    const firn_real h = (firn_real)half;
    return gallery_add(
        shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                  .p = {(firn_real)x, (firn_real)y, (firn_real)z, h, h, h, 0},
                                  .q = {1, 0, 0, 0}});
}

// Every point is inside, and their number times the volume of each is the volume of the shape.
static void volume_is_right(void** state)
{
    (void)state;
    const double per_cell[] = {8, 27, 1, 4, 10.5};
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, s->node);
        for (int w = 0; w < 3; w++) {
            const double n = per_cell[(k + w) % 5], cell = 0.0207 * cbrt(n);
            const firn_points points = seeded(&shapes, shape, cell, n, ways[w], 5);
            for (firn_local p = 0; p < points.count; p++) {
                // in the middle of a block of cells the sign is known without asking phi
                const firn_real phi = firn_shape_distance(&shapes, shape, points.position[p]);
                assert_at_most(phi, 0);
            }
            const double volume = points.count * cell * cell * cell / n;
            const double off = volume / s->volume - 1;
            // Poisson: 4 sd of 1e5 points; stratified: only surface cells are uncertain; a lattice
            // has whole planes of points inside or outside where a face lies along it
            const double limit = ways[w] == FIRN_SEED_RANDOM       ? 4 / sqrt(points.count)
                                 : ways[w] == FIRN_SEED_STRATIFIED ? 0.004
                                 : k == UPRIGHT_BOX                ? 0.05
                                                                   : 0.01;
            if (!(fabs(off) < limit)) fail_msg("%s, way %d: %+g", s->name, w, off);
            firn_points destroyed = points;
            firn_points_destroy(&destroyed);
            assert_int_equal(destroyed.count, 0);
        }
        firn_shapes_destroy(&shapes);
    }
}

// The mass of a ball of snow as a scene has it: R = 10 cells, 8 per cell, within 1 %.
static void mass_of_a_snowball(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local ball = sphere(&shapes, 0.013, 1.007, -0.002, 0.1);
    const double exact = 400 * 4 * PI / 3 * 1e-3;
    for (int w = 0; w < 3; w++) {
        firn_points points = seeded(&shapes, ball, 0.01, 8, ways[w], 1);
        const double mass = points.count * 400 * 1e-6 / 8;
        print_message("way %d: %d points, mass %.5f kg, exactly %.5f: %+.3f %%\n", w, points.count,
                      mass, exact, 100 * (mass / exact - 1));
        // 33000 points; independent ones scatter by 1/sqrt(33000) = 0.55 %
        assert_near(mass / exact, 1, 0.01);
        firn_points_destroy(&points);
    }
    firn_shapes_destroy(&shapes);
}

static int compare_points(const void* a, const void* b)
{
    const firn_vec3 *p = a, *q = b;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

// 2 x 2 x 2 sub-cells in each cell: their centres, each exactly once; multiples of the cell
// between.
static void lattice_is_a_lattice(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local cube = box(&shapes, 0, 0, 0, 1);  // 16 x 16 x 16 cells of 1/8
    firn_points points = seeded(&shapes, cube, 0.125, 8, FIRN_SEED_LATTICE, 1);
    assert_int_equal(points.count, 32 * 32 * 32);
    qsort(points.position, (size_t)points.count, sizeof *points.position, compare_points);
    firn_local p = 0;
    for (int k = 0; k < 32; k++)
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++, p++) {
                const firn_vec3 x = points.position[p];
                assert_equal(x.x, (i - 15.5) / 16);
                assert_equal(x.y, (j - 15.5) / 16);
                assert_equal(x.z, (k - 15.5) / 16);
            }
    firn_points_destroy(&points);
    firn_shapes_destroy(&shapes);
}

// Stratified: exactly one point in each sub-cell, anywhere in it.
static void one_point_in_each_sub_cell(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local cube = box(&shapes, 0, 0, 0, 1);
    firn_points points = seeded(&shapes, cube, 0.125, 8, FIRN_SEED_STRATIFIED, 3);
    assert_int_equal(points.count, 32 * 32 * 32);
    static unsigned char seen[32][32][32];
    memset(seen, 0, sizeof seen);
    double moment[3] = {0}, square[3] = {0}, product = 0;
    for (firn_local p = 0; p < points.count; p++) {
        const double x[3] = {(double)points.position[p].x * 16 + 16,
                             (double)points.position[p].y * 16 + 16,
                             (double)points.position[p].z * 16 + 16};
        seen[(int)x[0]][(int)x[1]][(int)x[2]]++;
        for (int i = 0; i < 3; i++) {
            const double u = x[i] - floor(x[i]);
            moment[i] += u / points.count;
            square[i] += u * u / points.count;
        }
        product += (x[0] - floor(x[0]) - 0.5) * (x[1] - floor(x[1]) - 0.5) / points.count;
    }
    for (int k = 0; k < 32 * 32 * 32; k++) assert_int_equal(((unsigned char*)seen)[k], 1);
    for (int i = 0; i < 3; i++) {  // uniform: mean 1/2, mean square 1/3; 4 sd
        assert_near(moment[i], 0.5, 4 * 0.289 / 181);
        assert_near(square[i], 1. / 3, 4 * 0.298 / 181);
    }
    assert_near(product, 0, 4 * (1. / 12) / 181);  // axes are independent
    firn_points_destroy(&points);
    firn_shapes_destroy(&shapes);
}

// Counts per cell of a Poisson process: mean and variance are both 8.
static void random_is_poisson(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local cube = box(&shapes, 0, 0, 0, 1);
    firn_points points = seeded(&shapes, cube, 0.125, 8, FIRN_SEED_RANDOM, 3);
    static int count[16 * 16 * 16];
    memset(count, 0, sizeof count);
    for (firn_local p = 0; p < points.count; p++) {
        const firn_vec3 x = points.position[p];
        count[((int)((double)x.x * 8 + 8) * 16 + (int)((double)x.y * 8 + 8)) * 16 +
              (int)((double)x.z * 8 + 8)]++;
    }
    double mean = 0, variance = 0;
    for (int k = 0; k < 4096; k++) mean += count[k] / 4096.;
    for (int k = 0; k < 4096; k++) variance += (count[k] - mean) * (count[k] - mean) / 4095.;
    print_message("mean %.3f, variance %.3f\n", mean, variance);
    assert_near(mean, 8, 4 * sqrt(8. / 4096));
    assert_near(variance, 8, 4 * 8 * sqrt(2. / 4096));
    firn_points_destroy(&points);
    firn_shapes_destroy(&shapes);
}

static void same_points_for_any_number_of_threads(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local ball = sphere(&shapes, 0.1, 0.2, 0.3, 0.5);
    for (int w = 0; w < 3; w++) {
        firn_points one = {0};
        for (int t = 1; t < 9; t += 2) {
            use_team(t);
            firn_points points = seeded(&shapes, ball, 0.04, 8, ways[w], 7);
            if (t == 1) {
                one = points;
                continue;
            }
            assert_int_equal(points.count, one.count);
            assert_memory_equal(points.position, one.position,
                                (size_t)one.count * sizeof *one.position);
            firn_points_destroy(&points);
        }
        firn_points_destroy(&one);
    }
    use_team(0);
    firn_shapes_destroy(&shapes);
}

// The points of a small box are those of a large one that lie in it: bounds and blocks play no
// part.
static void points_do_not_depend_on_the_shape(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local large = box(&shapes, 0.3, -0.2, 0.1, 1),
                     small = box(&shapes, 0.5, 0.1, 0.3, 0.35);
    for (int w = 0; w < 3; w++) {
        firn_points all = seeded(&shapes, large, 0.1, 8, ways[w], 7);
        firn_points few = seeded(&shapes, small, 0.1, 8, ways[w], 7);
        firn_points kept = {0};
        assert_true(
            firn_reserve((void**)&kept.position, &kept.capacity, all.count, sizeof(firn_vec3)));
        for (firn_local p = 0; p < all.count; p++)
            if (firn_shape_distance(&shapes, small, all.position[p]) <= 0)
                kept.position[kept.count++] = all.position[p];
        assert_int_equal(kept.count, few.count);
        qsort(kept.position, (size_t)kept.count, sizeof(firn_vec3), compare_points);
        qsort(few.position, (size_t)few.count, sizeof(firn_vec3), compare_points);
        assert_memory_equal(kept.position, few.position, (size_t)few.count * sizeof(firn_vec3));
        firn_points_destroy(&all);
        firn_points_destroy(&few);
        firn_points_destroy(&kept);
    }
    // another seed, other points
    firn_points a = seeded(&shapes, small, 0.1, 8, FIRN_SEED_STRATIFIED, 7);
    firn_points b = seeded(&shapes, small, 0.1, 8, FIRN_SEED_STRATIFIED, 8);
    assert_not_equal(a.position[0].x, b.position[0].x);
    firn_points_destroy(&a);
    firn_points_destroy(&b);
    firn_shapes_destroy(&shapes);
}

// A whole block of cells is judged by one distance; asking every candidate must give the same.
static void shortcuts_change_nothing(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_local field;
    assert_int_equal(firn_shapes_add_noise_field(&shapes, firn_v3(-1, -1, -1), firn_v3(2, 1, 2),
                                                 (firn_real)0.5, 3, 4, &field, NULL),
                     FIRN_OK);
    const firn_local ball = sphere(&shapes, 0, 0, 0, 0.7);
    const firn_local hole = box(&shapes, 0.3, 0.2, 0, 0.4);
    const firn_local carved = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = ball, .b = hole});
    const firn_local blended = gallery_add(
        &shapes, (firn_shape_node){
                     .kind = FIRN_SHAPE_UNION, .a = field, .b = carved, .p = {(firn_real)0.2}});
    const firn_local tested[] = {field, ball, carved, blended};
    for (int k = 0; k < 4; k++) {
        firn_points points = seeded(&shapes, tested[k], 0.0625, 8, FIRN_SEED_LATTICE, 1);
        firn_local expected = 0;
        for (int a = -40; a < 40; a++)
            for (int b = -40; b < 40; b++)
                for (int c = -40; c < 40; c++) {
                    const double x[3] = {(a + 0.5) / 32, (b + 0.5) / 32, (c + 0.5) / 32};
                    expected += firn_shape_distance(&shapes, tested[k], gallery_vec3(x)) <= 0;
                }
        assert_int_equal(points.count, expected);
        firn_points_destroy(&points);
    }
    firn_shapes_destroy(&shapes);
}

// A body smaller than a cell gets the points that its volume deserves, in the mean over places.
static void bodies_smaller_than_a_cell(void** state)
{
    (void)state;
    any_source r = any_start(91);
    double total = 0;
    int none = 0;
    for (int q = 0; q < 1000; q++) {
        firn_shapes shapes = {0};
        const firn_local ball = sphere(&shapes, any_between(&r, 0, 9), any_between(&r, 0, 9),
                                       any_between(&r, 0, 9), 0.3);
        firn_points points = {0};
        const firn_result result =
            firn_seed_shape(&shapes, ball, 1, 8, FIRN_SEED_STRATIFIED, (uint64_t)q, &points, NULL);
        none += result != FIRN_OK;
        assert_either(result, FIRN_OK, FIRN_REFUSED_ARGUMENT);
        total += points.count;
        firn_points_destroy(&points);
        firn_shapes_destroy(&shapes);
    }
    const double expected = 8 * 4 * PI / 3 * 0.027;
    print_message("%.3f points in the mean, expected %.3f; %d of 1000 without any\n", total / 1000,
                  expected, none);
    assert_near(total / 1000, expected, 4 * 0.8 / 31);
    assert_greater(none, 150);  // and these were told so
}

static void refused(const firn_shapes* shapes, firn_local shape, double cell, double per_cell,
                    const char* words)
{
    firn_points points = {0};
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    assert_int_equal(firn_seed_shape(shapes, shape, (firn_real)cell, per_cell, FIRN_SEED_STRATIFIED,
                                     1, &points, &error),
                     FIRN_REFUSED_ARGUMENT);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' does not say '%s'", error.text, words);
    assert_null(points.position);
    assert_equal(firn_memory_read().bytes, before);
}

static void impossible_fillings_are_refused(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local ball = sphere(&shapes, 0, 0, 0, 1), other = sphere(&shapes, 5, 0, 0, 1);
    const firn_local plane =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    const firn_local apart = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = ball, .b = other});
    const firn_local eaten = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = ball, .b = ball});
    const firn_local far = sphere(&shapes, 9e8, 0, 0, 1e6);
    refused(&shapes, 99, 0.1, 8, "no shape 99");
    refused(&shapes, plane, 0.1, 8, "no end along x");
    refused(&shapes, apart, 0.1, 8, "do not overlap");
    refused(&shapes, eaten, 0.3, 1, "no point falls into the shape");
    refused(&shapes, ball, 0, 8, "cells of 0 m");
    refused(&shapes, ball, NAN, 8, "cells of nan m");
    refused(&shapes, ball, 0.1, 0, "0 particles per cell");
    refused(&shapes, ball, 0.1, -1, "-1 particles per cell");
    refused(&shapes, ball, 0.1, 1e7, "1e+07 particles per cell");
    refused(&shapes, ball, 2e-6, 8, "use cells of at least 0.00054 m");  // 3e19 points
    refused(&shapes, far, 2e-6, 1e6, "too far");  // beyond what a double can count
    // more than an index can count: as if almost all of them were there already
    firn_points full = {.count = INT32_MAX - 5};
    firn_error error;
    assert_int_equal(
        firn_seed_shape(&shapes, ball, (firn_real)0.1, 8, FIRN_SEED_LATTICE, 1, &full, &error),
        FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "points, at most 2147483647");
    assert_int_equal(full.count, INT32_MAX - 5);
    firn_shapes_destroy(&shapes);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local ball = sphere(&shapes, 0, 0, 0, 1);
    firn_points points = seeded(&shapes, ball, 0.1, 8, FIRN_SEED_LATTICE, 1);
    const firn_local had = points.count;
    const uint64_t before = firn_memory_read().bytes;
    int refusals = 0;
    for (uint64_t k = 1; points.count == had; k++) {
        firn_error error;
        firn_memory_fail_at(k, false);
        const firn_result result =
            firn_seed_shape(&shapes, ball, (firn_real)0.1, 8, FIRN_SEED_RANDOM, 1, &points, &error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        refusals++;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(points.count, had);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(refusals, 2);
    assert_greater(points.count, 2 * had - had / 10);  // appended, the first ones still there
    for (firn_local p = 0; p < points.count; p++)
        assert_at_most(firn_shape_distance(&shapes, ball, points.position[p]), 0);
    firn_points_destroy(&points);
    firn_shapes_destroy(&shapes);
}

int test_seeding(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(volume_is_right),
                                       cmocka_unit_test(mass_of_a_snowball),
                                       cmocka_unit_test(lattice_is_a_lattice),
                                       cmocka_unit_test(one_point_in_each_sub_cell),
                                       cmocka_unit_test(random_is_poisson),
                                       cmocka_unit_test(same_points_for_any_number_of_threads),
                                       cmocka_unit_test(points_do_not_depend_on_the_shape),
                                       cmocka_unit_test(shortcuts_change_nothing),
                                       cmocka_unit_test(bodies_smaller_than_a_cell),
                                       cmocka_unit_test(impossible_fillings_are_refused),
                                       cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("seeding", tests, NULL, NULL);
}
