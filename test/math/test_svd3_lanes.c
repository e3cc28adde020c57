// SPDX-License-Identifier: MIT
// T11 in every lane: the scalar function's bits at each SIMD level, for every kind of matrix.
#include "math/svd3_lanes.h"

#include "lanes_check.h"
#include "svd3_judge.h"

#define COUNT 13312  // 13 kinds, 1024 of each

static firn_mat3 F[COUNT], among[2 * COUNT];
static firn_svd3 lanes[COUNT], scalar[COUNT], before[COUNT], spread[2 * COUNT];

static void accurate_as_scalar(void** state)
{
    (void)state;
    any_source r = any_start(4101);
    for (int n = 0; n < COUNT; n++) F[n] = case_of(&r, n % 13);
    F[0] = firn_m3_diagonal(0, 0, 0);
    F[1] = firn_m3_identity();
    F[2] = firn_m3_diagonal(FIRN_REAL_TINY / 64, 0, 0);
    F[3] = firn_m3_diagonal(1, 1, -1);
    F[4] = firn_m3_scale(any_mat3(&r, 1), FIRN_REAL_MAX / 4);
    spread_among_garbage(&r, COUNT, sizeof *F, F, among);
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->svd(COUNT, F, lanes);
        k->svd_scalar(COUNT, F, scalar);
        assert_memory_equal(lanes, scalar, sizeof lanes);
        errors e = {0};
        for (int n = 5; n < COUNT; n++) judge(&e, F[n], lanes[n]);
        report(&e);
        k->svd(2 * COUNT, among, spread);
        assert_same_among_garbage(COUNT, sizeof *lanes, lanes, spread);
        assert_same_as_level_before(k, sizeof lanes, before, lanes);
    }
}

// What is not a finite matrix comes back as zero.
static void not_finite(void** state)
{
    (void)state;
    any_source r = any_start(4102);
    firn_mat3 bad[48];
    firn_svd3 out[48];
    for (int n = 0; n < 48; n++) {
        bad[n] = any_mat3(&r, 1);
        bad[n].m[n % 3][n / 3 % 3] = n % 2 == 0 ? (firn_real)NAN : (firn_real)INFINITY;
    }
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->svd(48, bad, out);
        const firn_svd3 zero = {firn_m3_identity(), firn_v3(0, 0, 0), firn_m3_identity()};
        for (int n = 0; n < 48; n++) {
            assert_memory_equal(&out[n].U, &zero.U, sizeof zero.U);
            assert_memory_equal(&out[n].V, &zero.V, sizeof zero.V);
            assert_equal(out[n].s.x, 0);
            assert_equal(out[n].s.y, 0);
            assert_equal(out[n].s.z, 0);
        }
    }
}

int test_svd3_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accurate_as_scalar),
                                       cmocka_unit_test(not_finite)};
    return cmocka_run_group_tests_name("svd3_lanes", tests, NULL, NULL);
}
