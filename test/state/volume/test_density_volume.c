// SPDX-License-Identifier: MIT
// The density volume: mass and momentum conserved, exact on a lattice, the same bits for any number
// of threads, blocks where and only where something is.
#include "state/volume/density_volume.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "math/bspline.h"
#include "seed.h"
#include "team_use.h"

typedef struct cloud {
    firn_local count;
    firn_vec3 *x, *v;
    firn_real* m;
} cloud;

static cloud make_cloud(firn_local count, uint64_t seed, double size)
{
    cloud c = {.count = count,
               .x = firn_alloc((size_t)count, sizeof *c.x),
               .v = firn_alloc((size_t)count, sizeof *c.v),
               .m = firn_alloc((size_t)count, sizeof *c.m)};
    any_source r = {seed, 0};
    for (firn_local p = 0; p < count; p++) {
        c.x[p] = any_vec3(&r, size);
        c.v[p] = any_vec3(&r, 5);
        c.m[p] = (firn_real)any_between(&r, 1e-6, 2e-6);
    }
    return c;
}

static void destroy_cloud(cloud* c)
{
    firn_free(c->x);
    firn_free(c->v);
    firn_free(c->m);
}

static firn_density_volume build(const cloud* c, double voxel, int threads)
{
    firn_density_volume v;
    firn_error error;
    use_team(threads);
    if (firn_density_volume_build(c->x, c->v, c->m, c->count, voxel, &v, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    use_team(0);
    return v;
}

static void mass_and_momentum_are_conserved(void** state)
{
    (void)state;
    cloud c = make_cloud(20000, 3, 0.3);
    firn_density_volume v = build(&c, 0.01, 2);
    double mass = 0, momentum[3] = {0}, expected = 0, want[3] = {0}, size = 0;
    const double cube = 0.01 * 0.01 * 0.01;
    for (size_t k = 0; k < (size_t)v.block_count * 512; k++) {
        mass += v.density[k] * cube;
        for (int d = 0; d < 3; d++)
            momentum[d] += (double)v.density[k] * v.velocity[3 * k + (size_t)d] * cube;
    }
    for (firn_local p = 0; p < c.count; p++) {
        expected += c.m[p];
        const double u[3] = {c.v[p].x, c.v[p].y, c.v[p].z};
        for (int d = 0; d < 3; d++) want[d] += c.m[p] * u[d];
        for (int d = 0; d < 3; d++) size += fabs(c.m[p] * u[d]);
    }
    // densities are rounded to float: 6e-8 each, less in the sum
    assert_near(mass, expected, 1e-6 * expected);
    for (int d = 0; d < 3; d++) assert_near(momentum[d], want[d], 1e-6 * size);
    firn_density_volume_destroy(&v);
    destroy_cloud(&c);
}

// One particle by hand, near a corner where eight blocks meet.
static void one_particle_by_hand(void** state)
{
    (void)state;
    const double voxel = 0.5;
    const firn_vec3 x = {(firn_real)(voxel * 7.25), (firn_real)(voxel * -0.5),
                         (firn_real)(voxel * 15.75)};
    const firn_vec3 u = {1, 2, 3};
    const firn_real m = 2;
    firn_density_volume v;
    assert_int_equal(firn_density_volume_build(&x, &u, &m, 1, voxel, &v, NULL), FIRN_OK);
    assert_int_equal(v.block_count, 8);
    const int32_t low[3] = {0, -8, 8};
    for (int b = 0; b < 8; b++) {
        assert_int_equal(v.origin[b][0], low[0] + 8 * (b >> 2 & 1));
        assert_int_equal(v.origin[b][1], low[1] + 8 * (b >> 1 & 1));
        assert_int_equal(v.origin[b][2], low[2] + 8 * (b & 1));
        for (int k = 0; k < 512; k++) {
            const double i[3] = {v.origin[b][0] + (k >> 6), v.origin[b][1] + (k >> 3 & 7),
                                 v.origin[b][2] + (k & 7)};
            const double at[3] = {7.25, -0.5, 15.75};
            double w = 1;
            for (int d = 0; d < 3; d++) w *= (double)firn_bspline((firn_real)(at[d] - i[d]));
            const double density = 2 * w / (voxel * voxel * voxel);
            const float* got = v.velocity + 3 * (512 * b + k);
            // densities of up to 5, velocities of up to 3: a few roundings of float
            assert_near(v.density[512 * b + k], density, 1e-6);
            // where something is, it has the particle's velocity
            if (density > 1e-4) {
                assert_near(got[0], 1, 1e-6);
                assert_near(got[1], 2, 1e-6);
                assert_near(got[2], 3, 1e-6);
            }
            if (density == 0) {
                assert_equal(got[0], 0);
                assert_equal(got[1], 0);
                assert_equal(got[2], 0);
            }
        }
    }
    firn_density_volume_destroy(&v);
}

// Particles on a lattice of half the voxel: the density inside is the lattice's, exactly (T02).
static void a_lattice_has_its_density(void** state)
{
    (void)state;
    enum { N = 40 };
    const double voxel = 0.1, spacing = voxel / 2;
    cloud c = make_cloud(N * N * N, 1, 1);
    for (int k = 0; k < N * N * N; k++) {
        c.x[k] = firn_v3((firn_real)(spacing * (k / (N * N) + 0.3)),
                         (firn_real)(spacing * (k / N % N + 0.1)), (firn_real)(spacing * (k % N)));
        c.m[k] = (firn_real)(400 * spacing * spacing * spacing);
    }
    firn_density_volume v = build(&c, voxel, 2);
    int inside = 0;
    for (firn_local b = 0; b < v.block_count; b++) {
        for (int k = 0; k < 512; k++) {
            bool deep = true;
            const int at[3] = {k >> 6, k >> 3 & 7, k & 7};
            for (int d = 0; d < 3; d++)
                deep = deep && v.origin[b][d] + at[d] >= 3 && v.origin[b][d] + at[d] <= N / 2 - 4;
            if (!deep) continue;
            inside++;
            // positions of the float build are rounded: 1e-7 of 2 m against a voxel of 0.1 m
            assert_near(v.density[512 * b + k], 400, 400 * 2e-6);
        }
    }
    assert_int_equal(inside, 14 * 14 * 14);
    firn_density_volume_destroy(&v);
    destroy_cloud(&c);
}

static uint64_t hash_of(const firn_density_volume* v)
{
    uint64_t h = firn_hash(v->origin, (size_t)v->block_count * sizeof *v->origin, 0);
    h = firn_hash(v->density, (size_t)v->block_count * 512 * 4, h);
    return firn_hash(v->velocity, (size_t)v->block_count * 512 * 12, h);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    cloud c = make_cloud(30000, 7, 0.2);
    const int threads[] = {1, 2, 3, 7, 16, 0};
    uint64_t first = 0;
    for (int k = 0; k < 6; k++) {
        firn_density_volume v = build(&c, 0.012, threads[k]);
        if (k == 0) first = hash_of(&v);
        assert_equal(hash_of(&v), first);
        firn_density_volume_destroy(&v);
    }
    destroy_cloud(&c);
}

// Sorted, each once, none empty; the density alone does not depend on whether velocity is wanted.
static void blocks_are_those_that_are_needed(void** state)
{
    (void)state;
    cloud c = make_cloud(300, 9, 3);
    firn_density_volume v = build(&c, 0.05, 2), plain;
    for (firn_local b = 0; b < v.block_count; b++) {
        float most = 0;
        for (int k = 0; k < 512; k++) most = fmaxf(most, v.density[512 * b + k]);
        // a particle at a voxel's very edge has a weight of 0 there: only then may a block be empty
        assert_greater(most, 0);
        if (b == 0) continue;
        const int32_t *p = v.origin[b - 1], *q = v.origin[b];
        assert_true(p[0] < q[0] ||
                    (p[0] == q[0] && (p[1] < q[1] || (p[1] == q[1] && p[2] < q[2]))));
    }
    assert_int_equal(firn_density_volume_build(c.x, NULL, c.m, c.count, 0.05, &plain, NULL),
                     FIRN_OK);
    assert_null(plain.velocity);
    assert_int_equal(plain.block_count, v.block_count);
    assert_memory_equal(plain.density, v.density, (size_t)v.block_count * 512 * 4);
    firn_density_volume_destroy(&plain);
    firn_density_volume_destroy(&v);
    destroy_cloud(&c);
}

static void nothing_makes_an_empty_volume(void** state)
{
    (void)state;
    firn_density_volume v = {.block_count = 99};
    assert_int_equal(firn_density_volume_build(NULL, NULL, NULL, 0, 0.1, &v, NULL), FIRN_OK);
    assert_int_equal(v.block_count, 0);
    assert_null(v.density);
    firn_density_volume_destroy(&v);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    cloud c = make_cloud(100, 2, 1);
    firn_density_volume v;
    firn_error error;
    const double voxels[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int k = 0; k < 4; k++)
        assert_int_equal(firn_density_volume_build(c.x, c.v, c.m, 100, voxels[k], &v, &error),
                         FIRN_REFUSED_ARGUMENT);
    const firn_real bad[] = {(firn_real)NAN, (firn_real)INFINITY, (firn_real)-9e6};
    for (int k = 0; k < 3; k++) {
        const firn_vec3 keep = c.x[57];
        c.x[57].y = bad[k];
        c.x[80].z = bad[k];  // the first bad one is named
        assert_int_equal(firn_density_volume_build(c.x, c.v, c.m, 100, 1, &v, &error),
                         FIRN_REFUSED_ARGUMENT);
        assert_contains(error.text, "particle 57");
        c.x[57] = c.x[80] = keep;
    }
    c.m[3] = -1;
    assert_int_equal(firn_density_volume_build(c.x, c.v, c.m, 100, 1, &v, &error),
                     FIRN_REFUSED_ARGUMENT);
    c.m[3] = 1;
    c.v[4].x = (firn_real)NAN;
    assert_int_equal(firn_density_volume_build(c.x, c.v, c.m, 100, 1, &v, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_density_volume_build(c.x, NULL, c.m, 100, 1, &v, &error), FIRN_OK);
    firn_density_volume_destroy(&v);
    destroy_cloud(&c);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    cloud c = make_cloud(1000, 2, 1);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        firn_density_volume v = {0};
        firn_error error = {0};
        firn_memory_fail_at(k, true);
        result = firn_density_volume_build(c.x, c.v, c.m, c.count, 0.1, &v, &error);
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        if (result != FIRN_OK) assert_contains(error.text, "larger voxel");
        firn_density_volume_destroy(&v);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 100);
    }
    destroy_cloud(&c);
}

int test_density_volume(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_momentum_are_conserved),
        cmocka_unit_test(one_particle_by_hand),
        cmocka_unit_test(a_lattice_has_its_density),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(blocks_are_those_that_are_needed),
        cmocka_unit_test(nothing_makes_an_empty_volume),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("density_volume", tests, NULL, NULL);
}
