// SPDX-License-Identifier: MIT
// Products of matrices in lanes against those of math/mat3.h at the same SIMD level.
#define FIRN_SIMD_LEVEL 1  // vectors here too: core/simd/lanes.h
#include "math/mat3_lanes.h"

#include "lanes_check.h"
#include "math/mat3.h"

#define COUNT 1024

static void same_bits_as_scalar(void** state)
{
    (void)state;
    any_source r = any_start(4001);
    static firn_mat3 A[COUNT], B[COUNT];
    static lanes_products lanes[COUNT], scalar[COUNT], before[COUNT];
    for (int n = 0; n < COUNT; n++) {
        A[n] = n % 2 == 0 ? any_mat3(&r, 10) : any_stretched(&r, 0.9, 1.1);
        B[n] = any_mat3(&r, 10);
    }
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->products(COUNT, A, B, lanes);
        k->products_scalar(COUNT, A, B, scalar);
        for (int n = 0; n < COUNT; n++) {
            // F F^T - I: three roundings below 1 here, one more and a cancellation there
            if (n % 2 == 1)
                for (int i = 0; i < 9; i++)
                    assert_near(lanes[n].left_strain.m[i / 3][i % 3],
                                scalar[n].left_strain.m[i / 3][i % 3], 4 * FIRN_REAL_EPSILON);
            scalar[n].left_strain = lanes[n].left_strain;
        }
        assert_memory_equal(lanes, scalar, sizeof lanes);
        assert_same_as_level_before(k, sizeof lanes, before, lanes);
    }
}

static void finite_lanes(void** state)
{
    (void)state;
    for (int i = 0; i < 9; i++) {
        firn_mat3_lanes A = firn_m3_lanes_all(firn_m3_diagonal(1, 2, FIRN_REAL_MAX));
        assert_true(firn_mask_all(firn_m3_lanes_is_finite(A)));
        A.m[i / 3][i % 3][0] = (firn_real)NAN;
        A.m[i / 3][i % 3][1] = -(firn_real)INFINITY;
        assert_int_equal(firn_mask_bits(firn_m3_lanes_is_finite(A)), (1u << FIRN_LANES) - 4);
    }
}

int test_mat3_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_as_scalar),
                                       cmocka_unit_test(finite_lanes)};
    return cmocka_run_group_tests_name("mat3_lanes", tests, NULL, NULL);
}
