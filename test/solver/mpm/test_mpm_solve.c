// SPDX-License-Identifier: MIT
// T17, T21: the linear solve on the snow's own system: against a dense solve, at colliding nodes,
// and in the limit of small steps.
#include "solver/mpm/linear.h"

static const double h = 0.01;

#ifdef FIRN_DOUBLE
#define TOLERANCE 1e-10
#else
#define TOLERANCE 2e-7  // what float can reach
#endif

// Snow of 3x3x3 cells, which touches 6x6x6 nodes, stressed, moving at random, hardened.
static world* small_block(uint64_t seed, double dt)
{
    any_source r = any_start(seed);
    world* w = world_create(h);
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    w->def.dt = dt;
    w->def.tolerance = TOLERANCE;
    w->def.max_iterations = 2000;
    w->scene.gravity[1] = -9.81;
    world_scatter(w, &r, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, 8, 0);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = any_vec3(&r, 1);
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        w->m->p.def_grad_elastic[p] = any_stretched(&r, 0.98, 1.005);
        w->m->p.plastic_det[p] = (firn_real)any_between(&r, 0.95, 1);
    }
    return w;
}

// Solves the dense n x n system in place by Gauss with pivots; rhs becomes the solution.
static void dense_solve(double* A, double* rhs, int n)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(A[i * n + c]) > fabs(A[pivot * n + c])) pivot = i;
        for (int j = 0; j < n; j++) {
            const double keep = A[c * n + j];
            A[c * n + j] = A[pivot * n + j];
            A[pivot * n + j] = keep;
        }
        const double keep = rhs[c];
        rhs[c] = rhs[pivot];
        rhs[pivot] = keep;
        for (int i = c + 1; i < n; i++) {
            const double f = A[i * n + c] / A[c * n + c];
            if (f == 0) continue;
            for (int j = c; j < n; j++) A[i * n + j] -= f * A[c * n + j];
            rhs[i] -= f * rhs[c];
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int j = c + 1; j < n; j++) rhs[c] -= A[c * n + j] * rhs[j];
        rhs[c] /= A[c * n + c];
    }
}

// Lists the free unknowns (node * 4 + axis) of the system.
static int free_unknowns(const world* w, firn_local* list)
{
    int count = 0;
    for (firn_local n = 0; n < world_nodes(w); n++)
        for (int a = 0; a < 3; a++)
            if (w->m->node_velocity[n][3] > 0 && w->m->node_fixed[n] == 0)
                list[count++] = 4 * n + a;
    return count;
}

// The operator's columns, one application each; fixed nodes are zero in them.
static double* dense_matrix(world* w, firn_mpm_solve_args* a, const firn_local* list, int n)
{
    double* A = firn_alloc((size_t)n * (size_t)n, sizeof *A);
    firn_vec4 *u = linear_vector(w), *Au = linear_vector(w);
    for (int c = 0; c < n; c++) {
        u[list[c] / 4][list[c] % 4] = 1;
        linear_apply(w, a, u, Au);
        u[list[c] / 4][list[c] % 4] = 0;
        for (int i = 0; i < n; i++) A[i * n + c] = (double)Au[list[i] / 4][list[i] % 4];
    }
    firn_free(u);
    firn_free(Au);
    return A;
}

// v^{n+1} by the solver and by the dense solve, in the mass norm over v*.
static void against_dense(bool wall)
{
    world* w = small_block(1711, 5e-4);
    if (wall) world_plane(w, firn_v3(0, (firn_real)(0.5 * h), 0), firn_v3(0, 1, 0), 0.3);
    w->def.guess = wall ? FIRN_MPM_GUESS_FORCED : FIRN_MPM_GUESS_INERTIAL;
    w->m->def.guess = w->def.guess;
    w->m->base.collider_count = w->scene.collider_count;
    memcpy(w->m->base.colliders, w->bodies, (size_t)w->m->base.collider_count * sizeof *w->bodies);
    firn_mpm_solve_args a = linear_start(w, 5e-4);
    firn_local* list = firn_alloc((size_t)world_nodes(w) * 3, sizeof *list);
    const int n = free_unknowns(w, list);
    if (!wall) assert_int_equal(n, 3 * 216);
    double* A = dense_matrix(w, &a, list, n);
    // b - A (fixed part): velocities of fixed nodes act on the free ones
    firn_vec4 *held = linear_vector(w), *Aheld = linear_vector(w);
    int fixed = 0;
    for (firn_local k = 0; k < world_nodes(w); k++) {
        if (w->m->node_fixed[k] == 0) continue;
        held[k] = a.b[k];
        fixed++;
    }
    assert_equal(wall, fixed > 20);
    linear_apply(w, &a, held, Aheld);
    double* x = firn_alloc((size_t)n, sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = (double)a.b[list[i] / 4][list[i] % 4] - (double)Aheld[list[i] / 4][list[i] % 4];
    dense_solve(A, x, n);
    for (firn_local k = 0; k < world_nodes(w); k++) a.node_new[k] = a.b[k];  // v* again
    const firn_cr_result r = linear_solve(w, &a);
    assert_int_equal(r.reason, FIRN_CR_CONVERGED);
    double error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        const double m = (double)w->m->node_velocity[list[i] / 4][3];
        error += m * pow((double)a.node_new[list[i] / 4][list[i] % 4] - x[i], 2);
        size += m * pow((double)a.b[list[i] / 4][list[i] % 4], 2);
    }
    print_message("%d unknowns, %d fixed nodes, %d iterations\n", n, fixed, r.iterations);
    check_figure(T17_dense, sqrt(error / size));
    for (firn_local k = 0; k < world_nodes(w); k++)  // colliding nodes keep v* bit for bit
        if (w->m->node_fixed[k] != 0) assert_memory_equal(&a.node_new[k], &a.b[k], sizeof *a.b);
    void* all[] = {list, A, held, Aheld, x};
    for (int k = 0; k < 5; k++) firn_free(all[k]);
    world_destroy(w);
}

static void dense(void** state)
{
    (void)state;
    against_dense(false);
}

static void dense_at_a_wall(void** state)
{
    (void)state;
    against_dense(true);
}

// Fixed nodes come out of a whole step with the velocity that the body gave them.
static void bodies_decide(void** state)
{
    (void)state;
    world* w = small_block(1712, 5e-4);
    firn_collider* floor = world_plane(w, firn_v3(0, (firn_real)h, 0), firn_v3(0, 1, 0), 0);
    floor->sticky = true;
    floor->motion.velocity = firn_v3((firn_real)0.25, 0, (firn_real)-0.5);
    w->m->base.collider_count = 1;
    w->m->base.colliders[0] = *floor;
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_06_SOLVE, 5e-4);
    int held = 0;
    for (firn_local n = 0; n < world_nodes(w); n++) {
        if (!(w->m->node_velocity[n][3] > 0)) continue;
        const bool below = firn_grid_node_position(&w->m->grid, n).y <= (firn_real)h;
        assert_int_equal(below, w->m->node_fixed[n]);
        if (!below) continue;
        held++;
        assert_equal(w->m->node_new[n][0], (firn_real)0.25);
        assert_equal(w->m->node_new[n][1], 0);
        assert_equal(w->m->node_new[n][2], (firn_real)-0.5);
    }
    assert_greater(held, 50);
    world_destroy(w);
}

// One particle, and none: systems that are almost nothing.
static void tiny_worlds(void** state)
{
    (void)state;
    for (int count = 0; count < 2; count++) {
        world* w = world_create(h);
        w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
        w->scene.gravity[1] = -9.81;
        if (count == 1) world_add(w, firn_v3(0, 0, 0), 1e-30);
        world_start(w);
        for (int k = 0; k < 3; k++) world_step(w, 1e-4);
        for (firn_local p = 0; p < w->m->p.count; p++) {
            assert_true(firn_v3_is_finite(w->m->p.velocity[p]));
            assert_true(firn_m3_is_finite(w->m->p.def_grad_elastic[p]));
        }
        assert_finite(w->report.residual);
        world_destroy(w);
    }
}

// |v_implicit - v_explicit| after one step of dt, mass norm.
static double implicit_minus_explicit(double dt)
{
    world* w = small_block(2101, dt);
    any_source r = any_start(2102);
    for (firn_local p = 0; p < w->m->p.count;
         p++)  // forces add a term of third order: keep them small
        w->m->p.def_grad_elastic[p] = any_stretched(&r, 0.999, 1.0005);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, dt);
    firn_vec4* v_star = linear_vector(w);
    memcpy(v_star, w->m->node_new, (size_t)world_nodes(w) * sizeof *v_star);
    world_stages(w, FIRN_MPM_06_SOLVE, FIRN_MPM_06_SOLVE, dt);
    double sum = 0;
    for (firn_local n = 0; n < world_nodes(w); n++)
        for (int a = 0; a < 3; a++)
            sum += (double)w->m->node_velocity[n][3] *
                   pow((double)w->m->node_new[n][a] - (double)v_star[n][a], 2);
    firn_free(v_star);
    world_destroy(w);
    return sqrt(sum);
}

static void second_order_in_dt(void** state)
{
    (void)state;
    // dt^2 lambda_max is 0.05 at most: the next term of the series stays below the tolerance
    const double dt = 4e-5;
    check_figure(T21_ratio, implicit_minus_explicit(dt) / implicit_minus_explicit(dt / 2));
    check_figure(T21_ratio, implicit_minus_explicit(dt / 2) / implicit_minus_explicit(dt / 4));
}

int test_mpm_solve(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense), cmocka_unit_test(dense_at_a_wall), cmocka_unit_test(bodies_decide),
        cmocka_unit_test(tiny_worlds), cmocka_unit_test(second_order_in_dt)};
    return cmocka_run_group_tests_name("mpm_solve", tests, NULL, NULL);
}
