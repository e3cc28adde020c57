// SPDX-License-Identifier: MIT
// T11: the polar decomposition in lanes. The rotation has the scalar function's bits; the left
// stretch is judged by F = L R in a wider type, on both sides of where its series ends.
#include "math/polar3_lanes.h"

#include "lanes_check.h"
#include "math/polar3.h"
#include "precise.h"

#define COUNT (FIRN_TEST_SANITIZED ? 2048 : 16384)

static firn_mat3 F[COUNT], among[2 * COUNT];
static firn_mat3 lanes[COUNT], scalar[COUNT], before[COUNT], spread[2 * COUNT];

// Near rotations, far from them, around the bounds between the methods, inverted, singular.
static firn_mat3 case_of(any_source* r, int kind)
{
    const firn_real size = (firn_real)pow(10, any_between(r, -9, 9));
    switch (kind) {
    case 0: return any_stretched(r, 0.975, 1.0075);
    case 1: return any_stretched(r, 0.93, 1.07);
    case 2: return any_stretched(r, 0.5, 1.5);
    case 3: return any_rotation(r);
    case 4: return firn_m3_madd(firn_m3_identity(), (firn_real)1e-4, any_mat3(r, 1));
    case 5: return firn_m3_scale(any_stretched(r, 0.3, 1.5), size);
    case 6: return any_mat3(r, (firn_real)1.5);
    case 7: return firn_m3_mul(any_rotation(r), firn_m3_diagonal(1, 1, -1));  // a reflection
    default: return firn_m3_mul(any_mat3(r, 1), firn_m3_diagonal(1, 1, 0));
    }
}

static void set_matrices(any_source* r)
{
    for (int n = 0; n < COUNT; n++) F[n] = case_of(r, n % 9);
    F[0] = firn_m3_diagonal(0, 0, 0);
    F[1] = firn_m3_identity();
    F[2] = firn_m3_diagonal(-1, -1, -1);
    spread_among_garbage(r, COUNT, sizeof *F, F, among);
}

static void rotations(void** state)
{
    (void)state;
    any_source r = any_start(4301);
    set_matrices(&r);
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->rotation(COUNT, F, lanes);
        k->rotation_scalar(COUNT, F, scalar);
        assert_memory_equal(lanes, scalar, sizeof lanes);
        k->rotation(2 * COUNT, among, spread);
        assert_same_among_garbage(COUNT, sizeof *lanes, lanes, spread);
        assert_same_as_level_before(k, sizeof lanes, before, lanes);
    }
}

// L L = F F^T with the sign that the SVD gives a reflected axis, so L R = F for the rotation R.
static void left_stretches(void** state)
{
    (void)state;
    any_source r = any_start(4302);
    set_matrices(&r);
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->left_stretch(COUNT, F, lanes);
        k->left_stretch(2 * COUNT, among, spread);
        assert_same_among_garbage(COUNT, sizeof *lanes, lanes, spread);
        assert_same_as_level_before(k, sizeof lanes, before, lanes);
        k->rotation(COUNT, F, scalar);
        for (int n = 0; n < COUNT; n++) {
            const precise3 f = precise_from(F[n]), R = precise_from(scalar[n]);
            const precise3 L = precise_madd(precise_from(lanes[n]), 1, precise_identity());
            const precise size =
                precise_norm(f) > 1 ? precise_norm(f) : 1;  // L - I is rounded like I
            // a few roundings of E or of L R, and of the comparison's own R
            assert_at_most(precise_distance(precise_mul(L, R), f),
                           (precise)(16 * FIRN_REAL_EPSILON) * size);
        }
    }
}

int test_polar3_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rotations),
                                       cmocka_unit_test(left_stretches)};
    return cmocka_run_group_tests_name("polar3_lanes", tests, NULL, NULL);
}
