// SPDX-License-Identifier: MIT
// dP F_E^T in lanes, from the left stretch alone, against physics/snow_stress.h (T09, T10).
#include "physics/snow_derivative_lanes.h"

#include "lanes_check.h"
#include "precise.h"

#define COUNT 8192

static lanes_elastic of[COUNT];
static lanes_response got[COUNT], scalar[COUNT], turned[COUNT];

static void as_scalar(void** state)
{
    (void)state;
    any_source r = any_start(4701);
    for (int n = 0; n < COUNT; n++) {
        const firn_lame lame = {(firn_real)any_between(&r, 0, 2), (firn_real)any_between(&r, 0, 2)};
        const firn_mat3 F_E = n % 4 == 0   ? any_stretched(&r, 0.975, 1.0075)
                              : n % 4 == 1 ? any_stretched(&r, 0.93, 1.07)
                              : n % 4 == 2 ? any_stretched(&r, 0.5, 1.5)
                                           : any_rotation(&r);
        of[n] = (lanes_elastic){F_E, any_mat3(&r, 1), lame};
    }
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->respond(COUNT, of, got);
        k->respond_scalar(COUNT, of, scalar);
        double worst = 0;
        for (int n = 0; n < COUNT; n++) {
            const double modulus = 2 * (double)of[n].lame.mu + (double)of[n].lame.lambda;
            const double size = pow((double)precise_norm(precise_from(of[n].F_E)) / sqrt(3), 6);
            const double error =
                (double)precise_distance(precise_from(got[n].T), precise_from(scalar[n].T)) /
                (modulus * fmax(size, 1) * (double)precise_norm(precise_from(of[n].grad_u)));
            worst = fmax(worst, error);
        }
        print_message("level %d: %.3g\n", k->level, worst);
        // a few roundings of each formula, relative to modulus times strain
        assert_at_most(worst, 16 * (double)FIRN_REAL_EPSILON);
    }
}

// Turning the frame turns the answer, and T from a spin W at F_E = R is nothing (T16).
static void objective(void** state)
{
    (void)state;
    any_source r = any_start(4702);
    static firn_mat3 Q[COUNT];
    static lanes_elastic other[COUNT];
    for (int n = 0; n < COUNT; n++) {
        Q[n] = any_rotation(&r);
        of[n] = (lanes_elastic){any_stretched(&r, 0.975, 1.0075), any_mat3(&r, 1), {1, 1}};
        other[n] = (lanes_elastic){firn_m3_mul(Q[n], of[n].F_E),
                                   firn_m3_mul_transposed(firn_m3_mul(Q[n], of[n].grad_u), Q[n]),
                                   {1, 1}};
        if (n % 2 == 1) {
            const firn_vec3 w = any_vec3(&r, 1);
            of[n].F_E = Q[n];
            of[n].grad_u = (firn_mat3){{{0, -w.z, w.y}, {w.z, 0, -w.x}, {-w.y, w.x, 0}}};
        }
    }
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->respond(COUNT, of, got);
        k->respond(COUNT, other, turned);
        for (int n = 0; n < COUNT; n++) {
            const precise3 q = precise_from(Q[n]), T = precise_from(got[n].T);
            const precise3 there = precise_mul(precise_mul(q, T), precise_transpose(q));
            const double error = n % 2 == 1
                                     ? (double)precise_norm(T)
                                     : (double)precise_distance(precise_from(turned[n].T), there);
            // roundings of T and of both arguments; Q is a rotation but for rounding, and in thrice
            const double rounding =
                16 * (double)FIRN_REAL_EPSILON + 3 * (double)precise_skewness(q);
            const double size =
                3 * (double)precise_norm(precise_from(of[n].grad_u));  // 2 mu + lambda = 3
            assert_at_most(error, rounding * size);
        }
    }
}

int test_snow_derivative_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_scalar), cmocka_unit_test(objective)};
    return cmocka_run_group_tests_name("snow_derivative_lanes", tests, NULL, NULL);
}
