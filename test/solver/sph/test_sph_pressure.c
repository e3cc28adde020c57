// SPDX-License-Identifier: MIT
// T36: the pressure system of Gissler 2020, eq. 5-8, and its relaxed Jacobi iteration.
#include "lu.h"
#include "solver/sph/periodic.h"

#define H 0.05
#define DT 4e-3

// Uneven snow of n^3, without or on a floor, up to step 4.
static world* snow(int n, bool floor, uint64_t seed)
{
    any_source r = any_start(seed);
    world* w = world_create(H);
    world_cloud(w, &r, n, 0.2, 0.3);
    if (floor) world_plane(w, firn_v3(0, (firn_real)(-0.8 * H), 0), firn_v3(0, 1, 0), 0);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = any_vec3(&r, 0.1);
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_real c = (firn_real)any_between(&r, 0.98, 1.005);
        w->m->p.def_grad_elastic[p] = firn_m3_diagonal(c, c, c);
    }
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, DT);
    return w;
}

static firn_sph_pressure_args args_of(const world* w, double error, int iterations)
{
    return (firn_sph_pressure_args){.pairs = &w->m->pairs,
                                    .work = &w->m->w,
                                    .density = w->m->p.density,
                                    .mass = w->m->p.mass,
                                    .pressure = w->m->p.pressure,
                                    .psi = (firn_real)1.5,
                                    .dt = (firn_real)DT,
                                    .relaxation = (firn_real)0.5,
                                    .density_error = error,
                                    .max_iterations = iterations};
}

// Nothing to do: no divergence, and the density is that of rest.
static void calm(world* w)
{
    for (firn_local p = 0; p < w->m->p.count; p++) {
        w->m->w.v_star[p] = (firn_vec4){0};
        w->m->w.rest_density[p] = w->m->p.density[p];
        w->m->p.pressure[p] = 0;
    }
}

// With omega 1 one iteration takes p = e_i to 1 - (A e_i)_i / a_ii = 0, when a_ii is the operator's
// own. Only i is looked at: its neighbours move, too.
static void T36_diagonal(void** state)
{
    (void)state;
    for (int floor = 0; floor < 2; floor++) {
        world* w = snow(4, floor, 3601);
        double off = 0, printed_off = 0;
        for (firn_local i = 0; i < w->m->p.count; i++) {
            calm(w);
            w->m->p.pressure[i] = 1000;
            firn_sph_pressure_args a = args_of(w, 1e-12, 1);
            a.relaxation = 1;
            w->m->ops->pressure(&a);
            off = fmax(off, fabs((double)w->m->p.pressure[i]) / 1000);
            // V_j V_j, as the paper prints it
            double V_i = (double)w->m->w.volume[i], right = 0, printed = 0;
            for (int k = 0; k < w->m->pairs.neighbours[i]; k++) {
                const firn_pair pair = firn_pair_at(&w->m->pairs, i, k);
                const double V_j = (double)w->m->w.volume[pair.j];
                const double g2 = (double)firn_v3_dot(pair.g, pair.g);
                right += V_i * V_j * g2;
                printed += V_j * V_j * g2;
            }
            const double change = DT * DT * (printed - right) / (double)w->m->w.diagonal[i];
            printed_off = fmax(printed_off, fabs(change));
        }
        check_figure(T36_diagonal, off);
        check_figure(T36_printed_diagonal, printed_off);
        world_destroy(w);
    }
}

static void T36_uniform(void** state)
{
    (void)state;
    const firn_real e = (firn_real)0.99;
    periodic b = periodic_lattice(H, 8, 0.99, firn_m3_diagonal(e, e, e), DT);
    firn_sph_pressure_args a = args_of(b.w, FIGURE_TOLERANCE(1e-14, 1e-7), 300);
    const firn_sph_pressure_result r = b.w->m->ops->pressure(&a);
    print_message("%d iterations\n", r.iterations);
    assert_at_least(firn_pair_list_total(&b.w->m->pairs),
                    4 * 4 * 4 * 26);  // the middle is not alone
    double low = INFINITY, high = -INFINITY;
    for (firn_local i = 0; i < b.w->m->p.count; i++) {
        const double p = (double)b.w->m->p.pressure[i] / (double)b.w->m->w.lambda[i];
        low = fmin(low, p);
        high = fmax(high, p);
        // pressures are equal, so that forces cancel but for rounding: 1e-4 m/s in float
        assert_less(firn_v3_length(world_v3(b.w->m->w.v_star[i])), 100 * ROUNDING);
    }
    check_figure(T36_uniform, low);
    check_figure(T36_uniform, high);
    world_destroy(b.w);
}

// The stress at which snow that is pressed in one direction yields: p and sigma together.
static void T39_yield(void** state)
{
    (void)state;
    static const int figures[] = {FIGURE_T39_yield_20k, FIGURE_T39_yield_140k};
    for (int k = 0; k < 2; k++) {
        const firn_mat3 F = firn_m3_diagonal(1, (firn_real)0.975, 1), zero = {{{0}}};
        world* w = world_create(H);
        w->material.snow.young = (firn_real)(k == 0 ? 20e3 : 140e3);
        world_lattice(w, firn_v3(0, 0, 0), 5, 5, 5, H);
        for (firn_local p = 0; p < 125; p++) w->seeds.position[p].y *= (firn_real)0.975;
        world_start(w);
        for (firn_local p = 0; p < 125; p++) w->m->p.def_grad_elastic[p] = F;
        world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, 1e-9);
        firn_sph_pressure_args a = args_of(w, 1e-7, 300);
        a.dt = (firn_real)1e-9;
        w->m->ops->pressure(&a);
        const firn_local i = world_find(w, 62);  // the middle
        const double G = (double)w->m->w.shear[i];
        const firn_mat3 sigma = firn_sph_stress(zero, F, (firn_real)G, 0, 0, true);
        // the kernel's sum on this lattice is not 1 to the last digit, and hardens a little
        const double hardening = G / (double)w->m->materials[0].lame_0.mu;
        assert_near(hardening, 1, 0.05);
        check_figure_at(figures[k],
                        ((double)w->m->p.pressure[i] - (double)sigma.m[1][1]) / hardening, __FILE__,
                        __LINE__);
        world_destroy(w);
    }
}

// sum m (v** - v*) = 0 without bodies.
static void T36_momentum(void** state)
{
    (void)state;
    world* w = snow(5, false, 3602);
    world_momentum before = {0}, change = {0};
    firn_vec3* v = firn_alloc((size_t)w->m->p.count, sizeof *v);
    for (firn_local p = 0; p < w->m->p.count; p++) v[p] = world_v3(w->m->w.v_star[p]);
    firn_sph_pressure_args a = args_of(w, 1e-3, 100);
    const firn_sph_pressure_result r = w->m->ops->pressure(&a);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 now = world_v3(w->m->w.v_star[p]);
        world_add_momentum(&before, (double)w->m->p.mass[p], firn_v3(0, 0, 0), firn_v3(0, 0, 0),
                           v[p]);
        world_add_momentum(&change, (double)w->m->p.mass[p], firn_v3(0, 0, 0), firn_v3(0, 0, 0),
                           firn_v3_sub(now, v[p]));
    }
    assert_greater(change.size, 0.01 * before.size);  // it pushed
    check_figure(T36_momentum, world_length(change.linear) / before.size);
    print_message("%d iterations, error %.2g\n", r.iterations, r.error);
    firn_free(v);
    world_destroy(w);
}

// The system by the paper's equations, dense, from positions; nothing of the solver but V, rho and
// the sums over bodies.
static void dense_system(const world* w, double* A, double* b)
{
    const firn_sph* m = w->m;
    const int n = m->p.count;
    double* D = firn_alloc((size_t)n * (size_t)n * 3, sizeof *D);  // div: [i][j][3]
    double* G = firn_alloc((size_t)n * (size_t)n * 3, sizeof *G);  // grad: [i][j][3]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j) continue;
            const firn_vec3 g =
                world_pair_gradient(m->p.position[i], m->p.position[j], (firn_real)m->spacing);
            const double V = (double)m->w.volume[j];
            const double Vg[3] = {V * (double)g.x, V * (double)g.y, V * (double)g.z};
            for (int k = 0; k < 3; k++) {
                D[(i * n + j) * 3 + k] += Vg[k];
                D[(i * n + i) * 3 + k] -= Vg[k];
                G[(i * n + j) * 3 + k] += Vg[k];
                G[(i * n + i) * 3 + k] += Vg[k];
            }
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            D[(i * n + i) * 3 + k] -= (double)m->w.B[k][i];
            G[(i * n + i) * 3 + k] += 1.5 * (double)m->w.B[k][i];
        }
    for (int i = 0; i < n; i++) {
        double div = 0;
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < 3; k++) div += D[(i * n + j) * 3 + k] * (double)m->w.v_star[j][k];
            A[i * n + j] = i == j ? -(double)m->w.rest_density[i] / (double)m->w.lambda[i] : 0;
            for (int l = 0; l < n; l++)
                for (int k = 0; k < 3; k++)
                    A[i * n + j] += DT * DT * D[(i * n + l) * 3 + k] * G[(l * n + j) * 3 + k];
        }
        b[i] = (double)m->w.rest_density[i] - (double)m->p.density[i] * (1 - DT * div);
    }
    firn_free(D);
    firn_free(G);
}

static void T36_dense(void** state)
{
    (void)state;
    for (int floor = 0; floor < 2; floor++) {
        world* w = snow(4, floor, 3603);
        const int n = w->m->p.count;
        double* A = firn_alloc((size_t)n * (size_t)n, sizeof *A);
        double* x = firn_alloc((size_t)n, sizeof *x);
        dense_system(w, A, x);
        for (int i = 0; i < n; i++) {
            assert_greater(fabs(A[i * n + i] / DT / DT), 0);
            assert_finite(A[i * n + i]);
        }
        assert_true(lu_solve(A, x, n));
        // float: where lambda is small p is b lambda/rho_0, and b the difference of two densities
        firn_sph_pressure_args a = args_of(w, FIGURE_TOLERANCE(1e-13, 1e-7), 3000);
        const firn_sph_pressure_result r = w->m->ops->pressure(&a);
        double most = 0, size = 0;
        for (int i = 0; i < n; i++) {
            most = fmax(most, fabs((double)w->m->p.pressure[i] - x[i]));
            size = fmax(size, fabs(x[i]));
        }
        check_figure(T36_dense, most / size);
        print_message("%d iterations, largest pressure %.4g Pa\n", r.iterations, size);
        firn_free(A);
        firn_free(x);
        world_destroy(w);
    }
}

// Nearly incompressible: what is left of the density error where v** takes the snow.
static void T36_stiff(void** state)
{
    (void)state;
    world* w = snow(6, false, 3604);
    const firn_local n = w->m->p.count;
    for (firn_local p = 0; p < n; p++) w->m->w.lambda[p] = (firn_real)1e12;
    firn_sph_pressure_args a = args_of(w, 1e-3, 1000);
    const firn_sph_pressure_result r = w->m->ops->pressure(&a);
    double before = 0, after = 0;
    for (firn_local i = 0; i < n; i++) {
        // rho* - dt div(-dt grad p): what eq. 5 makes of the density; V grad p is in `weighted`
        double lap = 0;
        const firn_vec3 own = firn_v3_scale(world_v3(w->m->w.weighted[i]), 1 / w->m->w.volume[i]);
        for (int k = 0; k < w->m->pairs.neighbours[i]; k++) {
            const firn_pair pair = firn_pair_at(&w->m->pairs, i, k);
            const firn_vec3 other = world_v3(w->m->w.weighted[pair.j]);
            lap += (double)firn_v3_dot(firn_v3_madd(other, -w->m->w.volume[pair.j], own), pair.g);
        }
        before += fabs((double)w->m->w.source[i]) / (double)w->m->w.rest_density[i] / n;
        after +=
            fabs((double)w->m->w.source[i] - DT * DT * lap) / (double)w->m->w.rest_density[i] / n;
    }
    print_message("%d iterations, density error %.4g before, %.4g after\n", r.iterations, before,
                  after);
    assert_greater(before, 0.02);
    assert_less(r.iterations, 1000);
    check_figure(T36_stiff, after);
    world_destroy(w);
}

// A flake alone asks for nothing and gets nothing, whatever its pressure was.
static void alone(void** state)
{
    (void)state;
    world* w = world_create(H);
    world_add(w, firn_v3(0, 0, 0), world_mass(w));
    world_start(w);
    w->m->p.velocity[0] = firn_v3(1, 2, 3);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, DT);
    firn_sph_pressure_args a = args_of(w, 1e-3, 100);
    assert_int_equal(w->m->ops->pressure(&a).iterations, FIRN_SPH_PRESSURE_LEAST);
    assert_equal(w->m->p.pressure[0], 0);
    assert_equal(w->m->w.v_star[0][0], 1);
    assert_equal(w->m->w.v_star[0][1], 2);
    assert_equal(w->m->w.v_star[0][2], 3);
    a.volumes = true;
    w->m->w.lambda[0] = INFINITY;  // a_ii is 0 then
    w->m->p.pressure[0] = 50;
    w->m->ops->pressure(&a);
    assert_equal(w->m->p.pressure[0], 0);
    assert_equal(w->m->w.v_star[0][0], 1);
    world_destroy(w);
}

// Pressure starts where the last step left it: a second solve of the same system has nothing to do.
static void starts_where_it_was(void** state)
{
    (void)state;
    world* w = snow(5, true, 3605);
    firn_sph_pressure_args a = args_of(w, 1e-4, 100);
    const int first = w->m->ops->pressure(&a).iterations;
    world_stages(w, FIRN_SPH_03_OTHER_ACCELERATIONS, FIRN_SPH_04_FRICTION, DT);  // v* again
    const int second = w->m->ops->pressure(&a).iterations;
    print_message("%d iterations, then %d\n", first, second);
    assert_greater(first, 3);
    assert_equal(second, FIRN_SPH_PRESSURE_LEAST);
    world_destroy(w);
}

// Steps that overshoot make the error grow; then they are halved, and the solve gets there.
static void too_bold(void** state)
{
    (void)state;
    world* w = snow(6, false, 3606);
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->w.lambda[p] = (firn_real)1e12;
    firn_sph_pressure_args a = args_of(w, 1e-3, 400);
    a.relaxation = 3;  // of a Jacobi iteration that diverges above about 1
    const firn_sph_pressure_result r = w->m->ops->pressure(&a);
    print_message("%d iterations, error %.2g\n", r.iterations, r.error);
    assert_at_most(r.error, 1e-3);  // the tolerance that was asked for
    world_destroy(w);
}

int test_sph_pressure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T36_diagonal), cmocka_unit_test(T36_uniform),
        cmocka_unit_test(T39_yield),    cmocka_unit_test(T36_momentum),
        cmocka_unit_test(T36_dense),    cmocka_unit_test(T36_stiff),
        cmocka_unit_test(alone),        cmocka_unit_test(starts_where_it_was),
        cmocka_unit_test(too_bold),
    };
    return cmocka_run_group_tests_name("sph_pressure", tests, NULL, NULL);
}
