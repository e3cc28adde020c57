// SPDX-License-Identifier: MIT
// T37: the shear system of Gissler 2020, eq. 13-19, and the combined one of section 3.5.
#include "lu.h"
#include "solver/sph/busy.h"

#define H 0.05
#define DT 4e-3

static world* snow(int n, bool floor, uint64_t seed)
{
    any_source r = any_start(seed);
    world* w = world_create(H);
    w->def.contact = FIRN_SPH_CONTACT_PAPER;
    world_cloud(w, &r, n, 0.2, 0.2);
    if (floor) world_plane(w, firn_v3(0, (firn_real)(-0.8 * H), 0), firn_v3(0, 1, 0), 0);
    world_start(w);
    busy_stir(w, seed);
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.shear_acceleration[p] = firn_v3(0, 0, 0);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, DT);
    return w;
}

static firn_sph_shear_args args_of(const world* w, bool combined, double tolerance)
{
    return (firn_sph_shear_args){.pairs = &w->m->pairs,
                                 .work = &w->m->w,
                                 .density = w->m->p.density,
                                 .mass = w->m->p.mass,
                                 .acceleration = w->m->p.shear_acceleration,
                                 .combined = combined,
                                 .dt = (firn_real)DT,
                                 .tolerance = tolerance,
                                 .max_iterations = 1000};
}

// Relative: sums over some 30 neighbours, ten roundings each.
#define TIGHT FIGURE_TOLERANCE(1e-12, 2e-6)

static void T37_nothing_to_do(void** state)
{
    (void)state;
    world* w = snow(5, false, 3701);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        for (int k = 0; k < 6; k++) w->m->w.F[k][p] = k == 0 || k == 3 || k == 5;
        w->m->w.v_star[p] = (firn_vec4){(firn_real)0.5, 1, -2, 0};
    }
    firn_sph_shear_args a = args_of(w, false, 1e-3);
    const firn_bicg_result r = w->m->ops->shear(&a);
    // in exact numbers b is 0; rounding leaves some, which is nothing to the snow
    double most = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        most = fmax(most, (double)firn_v3_length(w->m->p.shear_acceleration[p]));
    print_message("%d iterations, largest acceleration %.3g m/s^2\n", r.iterations, most);
    assert_less(most, FIGURE_TOLERANCE(1e-9, 0.1));
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->w.v_star[p] = (firn_vec4){0};
    assert_int_equal(w->m->ops->shear(&a).iterations, 0);
    for (firn_local p = 0; p < w->m->p.count; p++)
        assert_equal(firn_v3_length(w->m->p.shear_acceleration[p]), 0);
    world_destroy(w);
}

static void T37_momentum(void** state)
{
    (void)state;
    for (int combined = 0; combined < 2; combined++) {
        world* w = snow(5, false, 3702);
        firn_sph_shear_args a = args_of(w, combined, TIGHT);
        const firn_bicg_result r = w->m->ops->shear(&a);
        assert_int_equal(r.reason, FIRN_BICG_CONVERGED);
        world_momentum sum = {0};
        for (firn_local p = 0; p < w->m->p.count; p++)
            world_add_momentum(&sum, (double)w->m->p.mass[p], firn_v3(0, 0, 0), firn_v3(0, 0, 0),
                               w->m->p.shear_acceleration[p]);
        print_message("%d iterations, %d restarts\n", r.iterations, r.restarts);
        check_figure(T37_momentum, world_length(sum.linear) / sum.size);
        world_destroy(w);
    }
}

// b is linear in v**: b(v + dt u) - b(v) = u - A u.
static void T37_operator(void** state)
{
    (void)state;
    for (int combined = 0; combined < 2; combined++) {
        world* w = snow(5, true, 3703);
        any_source r = any_start(3704);
        firn_sph_shear_args a = args_of(w, combined, 1e-3);
        const firn_local n = w->m->p.count;
        firn_vec4* before = firn_alloc((size_t)n, sizeof *before);
        firn_vec4* u = firn_alloc((size_t)n + FIRN_SLICE, sizeof *u);
        w->m->ops->shear_right_hand_side(&a);
        memcpy(before, w->m->w.b, (size_t)n * sizeof *before);
        for (firn_local p = 0; p < n; p++) {
            const firn_vec3 v = any_vec3(&r, 100);
            u[p] = (firn_vec4){v.x, v.y, v.z, 0};
            w->m->w.v_star[p] += firn_vec4_all((firn_real)DT) * u[p];
        }
        w->m->ops->shear_right_hand_side(&a);
        w->m->ops->shear_apply(&a, u, w->m->w.t);
        double most = 0, size = 0;
        for (firn_local p = 0; p < n; p++)
            for (int k = 0; k < 3; k++) {
                const double change = (double)w->m->w.b[p][k] - (double)before[p][k];
                const double applied = (double)u[p][k] - (double)w->m->w.t[p][k];
                most = fmax(most, fabs(change - applied));
                size = fmax(size, fabs(applied));
            }
        check_figure(T37_operator, most / size);
        firn_free(before);
        firn_free(u);
        world_destroy(w);
    }
}

// 3 x 3 in double.
typedef struct tensor {
    double m[3][3];
} tensor;

static tensor tensor_of(firn_mat3 a)
{
    // two loops: gcc 12 at -O2 loses entries when doubles are copied by k / 3, k % 3 and the
    // callers are inlined (not with -fno-tree-slp-vectorize)
    tensor t;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) t.m[r][c] = (double)a.m[r][c];
    return t;
}

// a b, or a b^T.
static tensor times(tensor a, tensor b, bool transposed)
{
    tensor t = {{{0}}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                t.m[r][c] += a.m[r][k] * (transposed ? b.m[c][k] : b.m[k][c]);
    return t;
}

// V_j grad W_ij from positions.
static void weighted_gradient(const firn_sph* m, firn_local i, firn_local j, double out[3])
{
    const firn_vec3 g =
        world_pair_gradient(m->p.position[i], m->p.position[j], (firn_real)m->spacing);
    const double V = (double)m->w.volume[j];
    out[0] = V * (double)g.x;
    out[1] = V * (double)g.y;
    out[2] = V * (double)g.z;
}

// eq. 17-18 of v** by a sum over everyone.
static tensor gradient_of_velocity(const firn_sph* m, firn_local i)
{
    tensor plain = {{{0}}};
    double volume = (double)m->w.wall_divergence[i];
    for (int r = 0; r < 3; r++) volume -= (double)m->w.v_star[i][r] * (double)m->w.B[r][i];
    for (firn_local j = 0; j < m->p.count; j++) {
        if (j == i) continue;
        double g[3];
        weighted_gradient(m, i, j, g);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                plain.m[r][c] += ((double)m->w.v_star[j][r] - (double)m->w.v_star[i][r]) * g[c];
    }
    for (int r = 0; r < 3; r++) volume += plain.m[r][r];
    tensor grad = times(plain, tensor_of(firn_sph_correction_of(&m->w, i)), true);
    const double third = (volume - grad.m[0][0] - grad.m[1][1] - grad.m[2][2]) / 3;
    for (int r = 0; r < 3; r++) grad.m[r][r] += third;
    return grad;
}

// sigma of F** = F_E + dt grad v** F_E, eq. 9 and 13 (and lambda tr of section 3.5).
static tensor stress_of(const firn_sph* m, firn_local i, bool combined)
{
    const tensor F = tensor_of(firn_sph_F_of(&m->w, i));
    const tensor change = times(gradient_of_velocity(m, i), F, false);
    tensor e, sigma;
    double trace = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            e.m[r][c] =
                0.5 * (F.m[r][c] + F.m[c][r] + DT * (change.m[r][c] + change.m[c][r])) - (r == c);
    for (int r = 0; r < 3; r++) trace += e.m[r][r];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sigma.m[r][c] = 2 * (double)m->w.shear[i] * e.m[r][c] +
                            (combined && r == c ? (double)m->w.lambda[i] * trace : 0);
    return sigma;
}

// eq. 19 over rho, by sums over everyone.
static void formula(const firn_sph* m, bool combined, double (*out)[3])
{
    const firn_local n = m->p.count;
    tensor* sigma_L = firn_alloc((size_t)n, sizeof *sigma_L);
    for (firn_local i = 0; i < n; i++) {
        const tensor L = tensor_of(firn_sph_correction_of(&m->w, i));
        const tensor sigma = stress_of(m, i, combined);
        const double third = (sigma.m[0][0] + sigma.m[1][1] + sigma.m[2][2]) / 3;
        sigma_L[i] = times(sigma, L, false);
        for (int r = 0; r < 3; r++) {
            out[i][r] = 0;
            for (int c = 0; c < 3; c++) out[i][r] += third * L.m[r][c] * (double)m->w.B[c][i];
        }
    }
    for (firn_local i = 0; i < n; i++) {
        for (firn_local j = 0; j < n; j++) {
            double g[3];
            weighted_gradient(m, i, j, g);
            for (int r = 0; r < 3 && i != j; r++)
                for (int c = 0; c < 3; c++)
                    out[i][r] += (sigma_L[i].m[r][c] + sigma_L[j].m[r][c]) * g[c];
        }
        for (int r = 0; r < 3; r++) out[i][r] /= (double)m->p.density[i];
    }
    firn_free(sigma_L);
}

static void T37_formula(void** state)
{
    (void)state;
    for (int combined = 0; combined < 2; combined++) {
        world* w = snow(5, true, 3705);
        const firn_local n = w->m->p.count;
        double(*want)[3] = firn_alloc((size_t)n, sizeof *want);
        formula(w->m, combined, want);
        firn_sph_shear_args a = args_of(w, combined, 1e-3);
        w->m->ops->shear_right_hand_side(&a);
        double most = 0, size = 0;
        for (firn_local p = 0; p < n; p++)
            for (int k = 0; k < 3; k++) {
                most = fmax(most, fabs((double)w->m->w.b[p][k] - want[p][k]));
                size = fmax(size, fabs(want[p][k]));
            }
        check_figure(T37_formula, most / size);
        firn_free(want);
        world_destroy(w);
    }
}

// The solve against LU of the matrix whose columns the operator gives.
static void T37_dense(void** state)
{
    (void)state;
    for (int combined = 0; combined < 2; combined++) {
        world* w = snow(4, combined, 3706);
        const int n = w->m->p.count, size = 3 * n;
        firn_sph_shear_args a = args_of(w, combined, TIGHT);
        double* A = firn_alloc((size_t)size * (size_t)size, sizeof *A);
        double* x = firn_alloc((size_t)size, sizeof *x);
        firn_vec4* unit = firn_alloc((size_t)n + FIRN_SLICE, sizeof *unit);
        for (int c = 0; c < size; c++) {
            unit[c / 3][c % 3] = 1;
            w->m->ops->shear_apply(&a, unit, w->m->w.t);
            unit[c / 3][c % 3] = 0;
            for (int r = 0; r < size; r++) A[r * size + c] = (double)w->m->w.t[r / 3][r % 3];
        }
        const firn_bicg_result result = w->m->ops->shear(&a);
        for (int r = 0; r < size; r++) x[r] = (double)w->m->w.b[r / 3][r % 3];
        assert_true(lu_solve(A, x, size));
        double most = 0, largest = 0;
        for (int r = 0; r < size; r++) {
            most = fmax(most, fabs((double)w->m->w.a_G[r / 3][r % 3] - x[r]));
            largest = fmax(largest, fabs(x[r]));
        }
        print_message("%d iterations, %d restarts, residual %.2g\n", result.iterations,
                      result.restarts, result.residual);
        check_figure(T37_dense, most / largest);
        firn_free(A);
        firn_free(x);
        firn_free(unit);
        world_destroy(w);
    }
}

// The residual that stops the solve is the one there is.
static void T37_residual(void** state)
{
    (void)state;
    for (int combined = 0; combined < 2; combined++) {
        world* w = snow(6, true, 3707);
        const double goal = FIGURE_TOLERANCE(5e-7, 9e-7);
        firn_sph_shear_args a = args_of(w, combined, goal);
        const firn_bicg_result r = w->m->ops->shear(&a);
        w->m->ops->shear_apply(&a, w->m->w.a_G, w->m->w.t);
        double rr = 0, bb = 0;
        for (firn_local p = 0; p < w->m->p.count; p++)
            for (int k = 0; k < 3; k++) {
                const double b = (double)w->m->w.b[p][k];
                bb += b * b;
                rr += pow(b - (double)w->m->w.t[p][k], 2);
            }
        print_message("%d iterations\n", r.iterations);
        assert_near(sqrt(rr / bb), r.residual, 0.2 * goal);
        check_figure(T37_residual, sqrt(rr / bb));
        world_destroy(w);
    }
}

int test_sph_shear(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T37_nothing_to_do), cmocka_unit_test(T37_momentum),
        cmocka_unit_test(T37_operator),      cmocka_unit_test(T37_formula),
        cmocka_unit_test(T37_dense),         cmocka_unit_test(T37_residual),
    };
    return cmocka_run_group_tests_name("sph_shear", tests, NULL, NULL);
}
