// SPDX-License-Identifier: MIT
// T08, T09, T10, T13: energy, stress, its derivative and the spectrum of the Hessian. The judge is
// the energy written with singular values in a wider type, differentiated numerically.
#include "physics/snow_stress.h"

#include "figure.h"
#include "precise_snow.h"
#include "seed.h"

#define CASES 2000

static const double young = 1.4e5, poisson = 0.2;  // Stomakhin 2013, table 2

static firn_lame snow_lame(void)
{
    return firn_snow_lame((firn_real)young, (firn_real)poisson);
}

// Central differences of `energy` in all nine directions.
static precise3 energy_gradient(precise3 F, precise_law l)
{
    const precise d = 1e-5;
    precise3 P;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            precise3 more = F, less = F;
            more.m[i][j] += d;
            less.m[i][j] -= d;
            P.m[i][j] = (precise_energy(more, l) - precise_energy(less, l)) / (2 * d);
        }
    return P;
}

static firn_mat3 regular(any_source* r)
{
    for (;;) {
        const firn_mat3 F = firn_m3_madd(firn_m3_identity(), 1, any_mat3(r, 0.7));
        if (firn_m3_det(F) > (firn_real)0.1) return firn_m3_mul(any_rotation(r), F);
    }
}

static firn_mat3 stress_of(firn_mat3 F)
{
    return firn_snow_stress(F, firn_polar3_rotation(F), snow_lame());
}

static double larger(double a, precise b)
{
    return (double)b > a ? (double)b : a;
}

static void stress_is_energy_gradient(void** state)
{
    (void)state;
    any_source r = any_start(801);
    const firn_lame lame = snow_lame();
    const precise_law l = precise_law_of(lame);
    double worst = 0, energies = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_mat3 F = regular(&r);
        const precise3 P = energy_gradient(precise_from(F), l);
        worst = larger(worst, precise_distance(precise_from(stress_of(F)), P) / precise_norm(P));
        const double psi = (double)precise_energy(precise_from(F), l);
        const double ours = (double)firn_snow_energy(F, firn_polar3_rotation(F), lame);
        energies = fmax(energies, fabs(ours - psi) / psi);
    }
    check_figure(T08_stress, worst);
    check_figure(T08_stress, energies);
}

static void stress_of_rotations(void** state)
{
    (void)state;
    any_source r = any_start(802);
    double zero = 0, objective = 0, symmetric = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_mat3 Q = any_rotation(&r), F = regular(&r);
        zero = larger(zero, precise_norm(precise_from(stress_of(Q))) / (precise)snow_lame().mu);
        const precise3 P = precise_from(stress_of(F));
        const precise3 QP = precise_mul(precise_from(Q), P);
        const precise scale = precise_norm(P) + (precise)snow_lame().mu;
        objective = larger(
            objective, precise_distance(precise_from(stress_of(firn_m3_mul(Q, F))), QP) / scale);
        const precise3 PF = precise_mul(P, precise_transpose(precise_from(F)));
        symmetric = larger(symmetric, precise_distance(PF, precise_transpose(PF)) / scale);
    }
    check_figure(T08_at_rotation, zero);
    check_figure(T08_objective, objective);
    check_figure(T08_symmetric, symmetric);
}

static firn_mat3 derivative_of(firn_mat3 F, firn_mat3 dF)
{
    const firn_mat3 R = firn_polar3_rotation(F);
    const firn_spin_solve A = firn_snow_spin_solve(firn_polar3_stretch(R, F));
    return firn_snow_stress_derivative(F, R, A, snow_lame(), dF);
}

static void derivative_of_stress(void** state)
{
    (void)state;
    any_source r = any_start(901);
    const precise_law l = precise_law_of(snow_lame());
    const precise d = 1e-5;
    double worst = 0, symmetry = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_mat3 F = regular(&r), G = any_mat3(&r, 1), H = any_mat3(&r, 1);
        const precise3 more = precise_stress(precise_madd(precise_from(F), d, precise_from(G)), l);
        const precise3 less = precise_stress(precise_madd(precise_from(F), -d, precise_from(G)), l);
        const precise3 dP =
            precise_madd(precise_madd((precise3){0}, 1 / (2 * d), more), -1 / (2 * d), less);
        const precise3 dPG = precise_from(derivative_of(F, G)),
                       dPH = precise_from(derivative_of(F, H));
        worst = larger(worst, precise_distance(dPG, dP) / precise_norm(dP));
        const precise difference =
            precise_dot(precise_from(H), dPG) - precise_dot(precise_from(G), dPH);
        symmetry = larger(symmetry, precise_abs(difference) /
                                        (precise_norm(dPG) * precise_norm(precise_from(H))));
    }
    check_figure(T09_stress_derivative, worst);
    check_figure(T09_major_symmetry, symmetry);
}

static void derivative_of_rotation(void** state)
{
    (void)state;
    any_source r = any_start(1001);
    const precise d = 1e-5;
    double worst = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_mat3 F = regular(&r), dF = any_mat3(&r, 1), R = firn_polar3_rotation(F);
        const firn_spin_solve A = firn_snow_spin_solve(firn_polar3_stretch(R, F));
        const precise3 more = precise_polar(precise_madd(precise_from(F), d, precise_from(dF)));
        const precise3 less = precise_polar(precise_madd(precise_from(F), -d, precise_from(dF)));
        const precise3 dR =
            precise_madd(precise_madd((precise3){0}, 1 / (2 * d), more), -1 / (2 * d), less);
        const firn_mat3 ours = firn_snow_rotation_derivative(R, A, dF);
        worst = larger(worst, precise_distance(precise_from(ours), dR) / (1 + precise_norm(dR)));
    }
    check_figure(T10_rotation_derivative, worst);
}

// The formula that needs an inverse, at regular F; and at singular F the derivative of the
// products.
static void derivative_of_cofactor(void** state)
{
    (void)state;
    any_source r = any_start(1002);
    double worst = 0;
    for (int n = 0; n < CASES; n++) {
        const firn_mat3 F =
            n % 2 ? any_stretched(&r, 0.8, 1.2) : firn_m3_outer(any_vec3(&r, 1), any_vec3(&r, 1));
        const firn_mat3 dF = any_mat3(&r, 1);
        const precise3 ours = precise_from(firn_snow_cofactor_derivative(F, dF));
        // cof is quadratic: its central difference is exact for any step
        const precise3 more = precise_cofactor(precise_madd(precise_from(F), 1, precise_from(dF)));
        const precise3 less = precise_cofactor(precise_madd(precise_from(F), -1, precise_from(dF)));
        const precise3 dC = precise_madd(precise_madd((precise3){0}, 0.5, more), -0.5, less);
        worst = larger(worst, precise_distance(ours, dC) / (1 + precise_norm(dC)));
    }
    check_figure(T10_cofactor_derivative, worst);
}

// Extreme eigenvalues of a symmetric 3x3 matrix: |largest| by singular values, smallest by shift.
static void extremes_of(precise3 M, precise* low, precise* high)
{
    precise s[3];
    precise_singular_values(M, s, NULL);  // symmetric positive: singular values are eigenvalues
    *high = s[0];
    *low = s[2];
}

static void condition_in_the_box(void** state)
{
    (void)state;
    any_source r = any_start(1003);
    double worst = 0;
    for (int n = 0; n < CASES; n++) {
        firn_mat3 F = any_stretched(&r, 0.975, 1.0075);
        if (n < 8) {  // the corners of the box
            F = firn_m3_diagonal((firn_real)(n & 1 ? 0.975 : 1.0075),
                                 (firn_real)(n & 2 ? 0.975 : 1.0075),
                                 (firn_real)(n & 4 ? 0.975 : 1.0075));
        }
        const firn_spin_solve A =
            firn_snow_spin_solve(firn_polar3_stretch(firn_polar3_rotation(F), F));
        const precise3 M = {{{(precise)A.a00, (precise)A.a01, (precise)A.a02},
                             {(precise)A.a01, (precise)A.a11, (precise)A.a12},
                             {(precise)A.a02, (precise)A.a12, (precise)A.a22}}};
        precise low, high;
        extremes_of(M, &low, &high);
        worst = larger(worst, high / low);
    }
    check_figure(T10_condition, worst);
}

// The Hessian as a 9x9 matrix, by nine applications of dP, over E.
static void hessian(firn_mat3 F, double H[9][9])
{
    for (int c = 0; c < 9; c++) {
        firn_mat3 dF = {0};
        dF.m[c / 3][c % 3] = 1;
        const firn_mat3 dP = derivative_of(F, dF);
        for (int k = 0; k < 9; k++) H[k][c] = (double)dP.m[k / 3][k % 3] / young;
    }
}

static void rotate_9(double H[9][9], int p, int q)
{
    if (fabs(H[p][q]) < 1e-18) return;
    const double tau = (H[q][q] - H[p][p]) / (2 * H[p][q]);
    const double t = (tau < 0 ? -1 : 1) / (fabs(tau) + sqrt(1 + tau * tau));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < 9; k++) {
        const double a = H[k][p], b = H[k][q];
        H[k][p] = c * a - s * b;
        H[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 9; k++) {
        const double a = H[p][k], b = H[q][k];
        H[p][k] = c * a - s * b;
        H[q][k] = s * a + c * b;
    }
}

// Eigenvalues of a symmetric matrix, ascending (cyclic Jacobi).
static void eigenvalues_9(double H[9][9], double value[9])
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 9; p++)
            for (int q = p + 1; q < 9; q++) rotate_9(H, p, q);
    for (int k = 0; k < 9; k++) value[k] = H[k][k];
    for (int k = 1; k < 9; k++)
        for (int j = k; j > 0 && value[j] < value[j - 1]; j--) {
            const double keep = value[j];
            value[j] = value[j - 1];
            value[j - 1] = keep;
        }
}

static void spectrum(void** state)
{
    (void)state;
    double H[9][9], value[9];
    hessian(firn_m3_identity(), H);
    eigenvalues_9(H, value);
    for (int k = 0; k < 3; k++) check_figure(T13_rest_spin, value[k]);
    for (int k = 3; k < 8; k++) check_figure(T13_rest_shear, value[k]);
    check_figure(T13_rest_volume, value[8]);
    hessian(firn_m3_diagonal((firn_real)0.975, (firn_real)0.975, (firn_real)0.975), H);
    eigenvalues_9(H, value);
    for (int k = 0; k < 3; k++) check_figure(T13_compressed_lowest, value[k]);
    assert_greater(value[3], 0);
}

static void reference_constants(void** state)
{
    (void)state;
    const firn_lame lame = snow_lame();
    check_figure(T00_mu, lame.mu);
    check_figure(T00_lambda, lame.lambda);
    check_figure(T00_wave_speed, sqrt(((double)lame.lambda + 2 * (double)lame.mu) / 400));
}

int test_snow_stress(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_constants),    cmocka_unit_test(stress_is_energy_gradient),
        cmocka_unit_test(stress_of_rotations),    cmocka_unit_test(derivative_of_stress),
        cmocka_unit_test(derivative_of_rotation), cmocka_unit_test(derivative_of_cofactor),
        cmocka_unit_test(condition_in_the_box),   cmocka_unit_test(spectrum)};
    return cmocka_run_group_tests_name("snow_stress", tests, NULL, NULL);
}
