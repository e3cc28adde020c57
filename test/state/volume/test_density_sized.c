// SPDX-License-Identifier: MIT
// Density with kernels of the snow's size: mass and momentum conserved for any width, the kernel of
// density_volume.h at a width of one voxel, and no more lumps in fine voxels than in coarse ones.
#include "state/volume/density_sized.h"

#include <math.h>

#include "core/hash.h"
#include "core/memory.h"
#include "seed.h"
#include "team_use.h"

#define COUNT 20000
#define CELL 0.02  // [m]
#define DENSITY 400

typedef struct cloud {
    firn_vec3 x[COUNT], v[COUNT];
    firn_real mass[COUNT], width[COUNT];
} cloud;

// At random in a cube, eight to a cell on average, with widths between `narrow` and `wide`.
static void fill(cloud* c, double narrow, double wide)
{
    any_source r = any_start(5);
    const double half = CELL * cbrt(COUNT / 8.0) / 2;
    for (int p = 0; p < COUNT; p++) {
        c->x[p] = any_vec3(&r, half);
        c->v[p] = any_vec3(&r, 5);
        c->mass[p] = (firn_real)(DENSITY * CELL * CELL * CELL / 8);
        c->width[p] = (firn_real)any_between(&r, narrow, wide);
    }
}

static firn_density_volume build(const cloud* c, double voxel, int threads)
{
    firn_density_volume v;
    firn_error error;
    use_team(threads);
    if (firn_density_sized_build(c->x, c->v, c->mass, c->width, COUNT, voxel, &v, &error) !=
        FIRN_OK)
        fail_msg("%s", error.text);
    use_team(0);
    return v;
}

static void mass_and_momentum_are_conserved(void** state)
{
    (void)state;
    static cloud c;
    fill(&c, 0, 3 * CELL);
    const double voxel = 0.7 * CELL, cube = voxel * voxel * voxel;
    firn_density_volume v = build(&c, voxel, 2);
    double mass = 0, momentum[3] = {0}, expected = 0, want[3] = {0}, size = 0;
    for (size_t k = 0; k < (size_t)v.block_count * 512; k++) {
        mass += (double)v.density[k] * cube;
        for (size_t d = 0; d < 3; d++)
            momentum[d] += (double)v.density[k] * (double)v.velocity[3 * k + d] * cube;
    }
    for (int p = 0; p < COUNT; p++) {
        const double m = (double)c.mass[p];
        const double u[3] = {(double)c.v[p].x, (double)c.v[p].y, (double)c.v[p].z};
        expected += m;
        for (int d = 0; d < 3; d++) want[d] += m * u[d];
        for (int d = 0; d < 3; d++) size += fabs(m * u[d]);
    }
    // densities are rounded to float: 6e-8 each, less in the sum
    assert_near(mass, expected, 1e-6 * expected);
    for (int d = 0; d < 3; d++) assert_near(momentum[d], want[d], 1e-6 * size);
    firn_density_volume_destroy(&v);
}

static void a_width_of_one_voxel_is_the_usual_kernel(void** state)
{
    (void)state;
    static cloud c;
    fill(&c, 0, CELL);  // all narrower than a voxel
    firn_density_volume v = build(&c, CELL, 2), usual;
    assert_int_equal(firn_density_volume_build(c.x, c.v, c.mass, COUNT, CELL, &usual, NULL),
                     FIRN_OK);
    assert_int_equal(v.block_count, usual.block_count);
    for (firn_local b = 0; b < v.block_count; b++) {
        assert_memory_equal(v.origin[b], usual.origin[b], sizeof *v.origin);
        // rounding of weights: 1e-7 each (float), of a few hundred kg/m^3
        for (size_t k = (size_t)b * 512; k < (size_t)(b + 1) * 512; k++)
            assert_near((double)v.density[k], (double)usual.density[k], 1e-6 * DENSITY);
    }
    firn_density_volume_destroy(&usual);
    firn_density_volume_destroy(&v);
}

static double highest(const firn_density_volume* v)
{
    float most = 0;
    for (size_t k = 0; k < (size_t)v->block_count * 512; k++) most = fmaxf(most, v->density[k]);
    return (double)most;
}

// The same field at finer points: its maximum grows by what lies between coarse points, not by
// lumps. A quarter of a cell is 8 points per kernel along each axis: within 1 % of the true
// maximum.
static void finer_voxels_show_the_same_density(void** state)
{
    (void)state;
    static cloud c;
    fill(&c, CELL, CELL);
    double most[4];
    for (int k = 1; k <= 4; k++) {
        firn_density_volume v = build(&c, CELL / k, 2);
        most[k - 1] = highest(&v);
        firn_density_volume_destroy(&v);
    }
    for (int k = 1; k < 4; k++) {
        assert_at_least(most[k], 0.95 * most[0]);
        assert_at_least(1.1 * most[0], most[k]);
    }
    firn_density_volume lumpy;
    assert_int_equal(firn_density_volume_build(c.x, NULL, c.mass, COUNT, CELL / 4, &lumpy, NULL),
                     FIRN_OK);
    assert_greater(highest(&lumpy), 3 * most[3]);  // kernels of the voxels' size
    firn_density_volume_destroy(&lumpy);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    static cloud c;
    fill(&c, 0, 2 * CELL);
    const int threads[] = {1, 2, 7};
    uint64_t first = 0;
    for (int k = 0; k < 3; k++) {
        firn_density_volume v = build(&c, 0.6 * CELL, threads[k]);
        uint64_t h = firn_hash(v.origin, (size_t)v.block_count * sizeof *v.origin, 0);
        h = firn_hash(v.density, (size_t)v.block_count * 512 * 4, h);
        h = firn_hash(v.velocity, (size_t)v.block_count * 512 * 12, h);
        if (k == 0) first = h;
        assert_equal(h, first);
        firn_density_volume_destroy(&v);
    }
}

static void limits(void** state)
{
    (void)state;
    static cloud c;
    fill(&c, CELL, CELL);
    firn_density_volume v;
    firn_error error;
    c.x[1] = firn_v3(0, 0, 0);
    c.width[1] = 1e6;  // counts as FIRN_DENSITY_WIDTH_MAX voxels
    assert_int_equal(
        firn_density_sized_build(c.x + 1, NULL, c.mass, c.width + 1, 1, 0.1, &v, &error), FIRN_OK);
    double mass = 0;
    for (size_t k = 0; k < (size_t)v.block_count * 512; k++) mass += (double)v.density[k] * 1e-3;
    assert_near(mass, (double)c.mass[0], 1e-6 * (double)c.mass[0]);
    firn_density_volume_destroy(&v);
    c.width[1] = -1;
    assert_int_equal(firn_density_sized_build(c.x, NULL, c.mass, c.width, COUNT, 0.1, &v, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "particle 1 has a kernel of -1 m");
    assert_int_equal(firn_density_sized_build(c.x, NULL, c.mass, c.width, 1, 0, &v, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_density_sized_build(NULL, NULL, NULL, NULL, 0, 1, &v, &error), FIRN_OK);
    assert_int_equal(v.block_count, 0);
}

int test_density_sized(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mass_and_momentum_are_conserved),
                                       cmocka_unit_test(a_width_of_one_voxel_is_the_usual_kernel),
                                       cmocka_unit_test(finer_voxels_show_the_same_density),
                                       cmocka_unit_test(threads_do_not_matter),
                                       cmocka_unit_test(limits)};
    return cmocka_run_group_tests_name("density_sized", tests, NULL, NULL);
}
