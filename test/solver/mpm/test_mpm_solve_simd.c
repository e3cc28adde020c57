// SPDX-License-Identifier: MIT
// The fast linear solve of step 6 does what the plain one does: the same operator, preconditioner
// and solution on every SIMD level, self-adjoint, with the same bits for any number of threads and
// on x86-64-v3 and -v4. Errors are in epsilons of the sum of the sizes of all terms, as in
// test_mpm_fused.c.
#include "core/hash.h"
#include "solver/mpm/linear.h"
#include "solver/mpm/tangle.h"
#include "splines.h"

static const tangle kinds[] = {
    {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, true, FIRN_MPM_PRECONDITIONER_DIAGONAL,
     FIRN_SPLINE_CUBIC},
    {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, true, FIRN_MPM_PRECONDITIONER_NONE, FIRN_SPLINE_CUBIC},
    {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC, false, FIRN_MPM_PRECONDITIONER_DIAGONAL,
     FIRN_SPLINE_CUBIC},
    {FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, true, FIRN_MPM_PRECONDITIONER_DIAGONAL,
     FIRN_SPLINE_QUADRATIC}};
enum { KINDS = 4 };

static const double dt = 1e-4;
// Residual over v* at which solves stop: what firn_real can reach, with a margin.
#ifdef FIRN_DOUBLE
#define TOLERANCE 1e-9
#else
#define TOLERANCE 1e-5
#endif

static void copy_nodes(const world* w, firn_vec4* to, const firn_vec4* from)
{
    memcpy(to, from, (size_t)world_nodes(w) * sizeof *to);
}

// A world with v* in node_new, ready for step 6.
static world* before_solve(const tangle* kind, const world* state, int threads, const char* simd)
{
    world* w = tangle_copy(kind, state, threads, simd);
    w->m->def.dt = dt;
    w->m->def.tolerance = TOLERANCE;
    w->m->def.max_iterations = 500;
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, dt);
    return w;
}

// Random on free nodes, 0 elsewhere: the space in which the operator is self-adjoint.
static void random_free(const world* w, any_source* r, firn_vec4* u)
{
    linear_random(w, r, u);
    for (firn_local n = 0; n < world_nodes(w); n++)
        if (w->m->node_fixed[n] != 0) u[n] = (firn_vec4){0, 0, 0, 0};
}

// Sizes of the terms of H u per node: |grad w| times the stiffness times sum |grad w| |u|. Free it.
static double* sizes_of_H(const world* w, const firn_vec4* u)
{
    double* out = firn_alloc((size_t)world_nodes(w), sizeof *out);
    assert_non_null(out);
    for (firn_local b = 0; b < w->m->grid.occupied_count; b++) {
        for (firn_local k = w->m->grid.first[b]; k < w->m->grid.first[b + 1]; k++) {
            const firn_local p = w->m->grid.order[k];
            const tangle_reach at = tangle_reach_of(w, b, p);
            double gradient = 0;
            for (int n = 0; n < 64; n++)
                for (int a = 0; a < 3; a++)
                    gradient += at.slope[n] * fabs((double)u[at.node[n]][a]);
            for (int n = 0; n < 64; n++)
                out[at.node[n]] += at.slope[n] * tangle_stress(w, p) * gradient;
        }
    }
    return out;
}

enum { VECTORS = 3 };

// What linearize and apply leave, of one way.
typedef struct way {
    firn_vec4 *scale, *b, *guess;
    firn_vec4 *Hu[VECTORS], *Au[VECTORS];
} way;

static way take_way(const world* w, firn_mpm_solve_args* a, bool fast, const firn_vec4* v_star,
                    firn_vec4* const* u)
{
    const firn_mpm_ops* ops = w->m->ops;
    way out = {linear_vector(w), linear_vector(w), linear_vector(w), {0}, {0}};
    copy_nodes(w, a->node_new, v_star);
    (fast ? ops->linearize_simd : ops->linearize)(a);
    if (a->scale != NULL) copy_nodes(w, out.scale, a->scale);
    copy_nodes(w, out.b, a->b);
    copy_nodes(w, out.guess, a->node_new);
    for (int k = 0; k < VECTORS; k++) {
        out.Hu[k] = linear_vector(w);
        out.Au[k] = linear_vector(w);
        (fast ? ops->apply_simd : ops->apply)(a, u[k], out.Au[k]);
        copy_nodes(w, out.Hu[k], a->node_Hu);
    }
    return out;
}

static void drop_way(way* out)
{
    firn_free(out->scale);
    firn_free(out->b);
    firn_free(out->guess);
    for (int k = 0; k < VECTORS; k++) {
        firn_free(out->Hu[k]);
        firn_free(out->Au[k]);
    }
}

static void compare_operators(const world* w, const firn_mpm_solve_args* a, const way* fast,
                              const way* plain, firn_vec4* const* u, const char* simd)
{
    double scale = 0, force = 0, image = 0;
    const double by = (double)(a->beta * a->dt * a->dt);
    for (int k = 0; k < VECTORS; k++) {
        double* size = sizes_of_H(w, u[k]);
        for (firn_local n = 0; n < world_nodes(w); n++) {
            const double m = (double)w->m->node_velocity[n][3];
            for (int c = 0; c < 3; c++) {
                tangle_worst(&force, fabs((double)fast->Hu[k][n][c] - (double)plain->Hu[k][n][c]),
                             size[n]);
                const double sum = fabs((double)u[k][n][c]) + (m > 0 ? by / m * size[n] : 0);
                tangle_worst(&image, fabs((double)fast->Au[k][n][c] - (double)plain->Au[k][n][c]),
                             sum);
                const double P = (double)plain->scale[n][c];
                if (a->scale != NULL) tangle_worst(&scale, fabs((double)fast->scale[n][c] - P), P);
            }
        }
        firn_free(size);
    }
    // the sums of test_mpm_fused.c: terms by the hundred, measured before they cancel
    tangle_check("H u", simd, force, 3);
    tangle_check("A u", simd, image, 3);
    // positive terms, nothing cancels; a few hundred of them
    if (a->scale != NULL) tangle_check("preconditioner", simd, scale, 24);
    const size_t bytes = (size_t)world_nodes(w) * sizeof(firn_vec4);
    assert_memory_equal(fast->b, plain->b, bytes);
    assert_memory_equal(fast->guess, plain->guess, bytes);
}

// <u, v> in the mass product.
static double mass_dot(const world* w, const firn_vec4* u, const firn_vec4* v)
{
    double sum = 0;
    for (firn_local n = 0; n < world_nodes(w); n++)
        for (int c = 0; c < 3; c++)
            sum += (double)w->m->node_velocity[n][3] * (double)u[n][c] * (double)v[n][c];
    return sum;
}

static void check_self_adjoint(const world* w, const way* fast, firn_vec4* const* u)
{
    double worst = 0;
    for (int k = 0; k < VECTORS; k++) {
        const int l = (k + 1) % VECTORS;
        const double difference = mass_dot(w, u[k], fast->Au[l]) - mass_dot(w, u[l], fast->Au[k]);
        worst = fmax(worst, fabs(difference) / sqrt(mass_dot(w, u[k], u[k]) *
                                                    mass_dot(w, fast->Au[l], fast->Au[l])));
    }
    check_figure(T16_self_adjoint, worst);
}

// Both solves from the same v*; gives the hash of the fast one's velocities.
static uint64_t solve_both(const world* w, const firn_mpm_solve_args* a, const firn_vec4* v_star,
                           const char* simd)
{
    firn_vec4 *plain = linear_vector(w), *apart = linear_vector(w);
    copy_nodes(w, a->node_new, v_star);
    const firn_cr_result slow = w->m->ops->solve(a);
    copy_nodes(w, plain, a->node_new);
    copy_nodes(w, a->node_new, v_star);
    const firn_cr_result fast = w->m->ops->solve_simd(a);
    for (firn_local n = 0; n < world_nodes(w); n++) apart[n] = a->node_new[n] - plain[n];
    const double error = sqrt(mass_dot(w, apart, apart) / mass_dot(w, v_star, v_star));
    print_message("%-10s %s: %d and %d iterations, solutions %.2g apart, residuals %.2g, %.2g\n",
                  simd, a->scale != NULL ? "preconditioned" : "plain", slow.iterations,
                  fast.iterations, error, slow.residual, fast.residual);
    assert_int_equal(slow.reason, FIRN_CR_CONVERGED);
    assert_int_equal(fast.reason, FIRN_CR_CONVERGED);
    assert_greater(slow.iterations, 3);
    assert_near(slow.iterations, fast.iterations, 1 + slow.iterations / 10);
    // both within the tolerance of the solution, and the operator's smallest eigenvalue is near 1
    assert_less(error, 4 * TOLERANCE);
    for (firn_local n = 0; n < world_nodes(w); n++)
        if (w->m->node_fixed[n] != 0)
            assert_memory_equal(&a->node_new[n], &v_star[n], sizeof *v_star);
    const uint64_t hash = firn_hash(a->node_new, (size_t)world_nodes(w) * sizeof *v_star, 3);
    firn_free(plain);
    firn_free(apart);
    return hash;
}

static uint64_t hash_way(const world* w, const way* out)
{
    const size_t bytes = (size_t)world_nodes(w) * sizeof(firn_vec4);
    uint64_t hash = firn_hash(out->scale, bytes, 4);
    for (int k = 0; k < VECTORS; k++) hash = firn_hash(out->Au[k], bytes, hash);
    return hash;
}

// Hashes of the fast and of the plain way; `compare`: also compares the two.
static void step_6(const tangle* kind, const world* state, int threads, const char* simd,
                   bool compare, uint64_t out_hash[2])
{
    any_source r = {83, 0};
    world* w = before_solve(kind, state, threads, simd);
    firn_mpm_solve_args a = firn_mpm_args_solve(w->m);
    firn_vec4 *v_star = linear_vector(w), *u[VECTORS];
    copy_nodes(w, v_star, w->m->node_new);
    for (int k = 0; k < VECTORS; k++) {
        u[k] = linear_vector(w);
        random_free(w, &r, u[k]);
    }
    way plain = take_way(w, &a, false, v_star, u), fast = take_way(w, &a, true, v_star, u);
    out_hash[0] = hash_way(w, &fast);
    out_hash[1] = hash_way(w, &plain);
    if (compare) {
        compare_operators(w, &a, &fast, &plain, u, simd);
        check_self_adjoint(w, &fast, u);
        out_hash[0] ^= solve_both(w, &a, v_star, simd);
    } else {
        copy_nodes(w, a.node_new, v_star);
        w->m->ops->solve_simd(&a);
        out_hash[0] ^= firn_hash(a.node_new, (size_t)world_nodes(w) * sizeof *v_star, 3);
    }
    drop_way(&plain);
    drop_way(&fast);
    for (int k = 0; k < VECTORS; k++) firn_free(u[k]);
    firn_free(v_star);
    world_destroy(w);
}

static void fast_is_plain(void** state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        world* tangled = tangle_make(&kinds[kind], 1, 1.01);
        uint64_t before[2] = {0}, now[2];
        for (int level = 0; level < TANGLE_LEVELS; level++) {
            const char* simd = tangle_levels[level];
            if (firn_mpm_ops_find(simd) == NULL) continue;
            step_6(&kinds[kind], tangled, 1, simd, true, now);
            if (level == 2) assert_memory_equal(now, before, sizeof now);  // both fuse
            memcpy(before, now, sizeof now);
        }
        world_destroy(tangled);
    }
}

static void any_number_of_threads(void** state)
{
    const tangle* kind = &kinds[spline_of(state) == FIRN_SPLINE_QUADRATIC ? 3 : 0];
    world* tangled = tangle_make(kind, 1, 1.01);
    for (int level = 0; level < TANGLE_LEVELS; level++) {
        const char* simd = tangle_levels[level];
        if (firn_mpm_ops_find(simd) == NULL) continue;
        uint64_t one[2], many[2];
        step_6(kind, tangled, 1, simd, false, one);
        for (int t = FIRN_TEST_SANITIZED ? 2 : 0; t < 3; t++) {
            step_6(kind, tangled, (const int[]){2, 3, 8}[t], simd, false, many);
            assert_memory_equal(one, many, sizeof one);
        }
    }
    world_destroy(tangled);
}

int test_mpm_solve_simd(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_is_plain),
                                       EACH_SPLINE(any_number_of_threads)};
    return cmocka_run_group_tests_name("mpm_solve_simd", tests, NULL, NULL);
}
