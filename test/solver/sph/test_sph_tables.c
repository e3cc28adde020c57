// SPDX-License-Identifier: MIT
// The fast passes of every SIMD level against the plain loops, stage by stage and in whole steps.
// They differ by rounding only: sums run over the same neighbours in the same order, but fused here
// and not there.
#include "solver/sph/busy.h"

static const char* const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
#define NAMES 3

// A few roundings for each of the about 30 neighbours, in the worst of a thousand particles.
#define APART (100 * ROUNDING)

// Largest difference of two arrays of reals over the largest of the first.
static double apart(const firn_real* a, const firn_real* b, firn_local count)
{
    double most = 0, size = 0;
    for (firn_local k = 0; k < count; k++) {
        if (!(isfinite((double)a[k]) && isfinite((double)b[k]))) return INFINITY;
        most = fmax(most, fabs((double)a[k] - (double)b[k]));
        size = fmax(size, fabs((double)a[k]));
    }
    return size > 0 ? most / size : most;
}

// The same of vectors in records, whose fourth reals mean nothing.
static double records_apart(const firn_vec4* a, const firn_vec4* b, firn_local count)
{
    double most = 0, size = 0;
    for (firn_local k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            if (!(isfinite((double)a[k][c]) && isfinite((double)b[k][c]))) return INFINITY;
            most = fmax(most, fabs((double)a[k][c] - (double)b[k][c]));
            size = fmax(size, fabs((double)a[k][c]));
        }
    return size > 0 ? most / size : most;
}

#define assert_arrays_near(a, b, count) assert_less(apart(a, b, count), APART)

static void same_lists(const world* plain, const world* fast)
{
    const firn_pair_list *a = &plain->m->pairs, *b = &fast->m->pairs;
    assert_int_equal(a->count, b->count);
    for (firn_local p = 0; p < a->count; p++) {
        assert_int_equal(a->neighbours[p], b->neighbours[p]);
        for (int k = 0; k < a->neighbours[p]; k++)
            assert_int_equal(firn_pair_at(a, p, k).j, firn_pair_at(b, p, k).j);
    }
}

static void same_gradients(const world* plain, const world* fast)
{
    const double size = 1 / pow(BUSY_H, 4);
    for (firn_local p = 0; p < plain->m->p.count; p++)
        for (int k = 0; k < plain->m->pairs.neighbours[p]; k++) {
            const firn_vec3 d = firn_v3_sub(firn_pair_at(&plain->m->pairs, p, k).g,
                                            firn_pair_at(&fast->m->pairs, p, k).g);
            assert_less(firn_v3_length(d), 10 * ROUNDING * size);
        }
}

static void same_work(const world* plain, const world* fast)
{
    const firn_sph_work *a = &plain->m->w, *b = &fast->m->w;
    const firn_local n = plain->m->p.count;
    assert_arrays_near(plain->m->p.density, fast->m->p.density, n);
    assert_arrays_near(plain->m->p.plastic_det, fast->m->p.plastic_det, n);
    assert_arrays_near(a->volume, b->volume, n);
    assert_arrays_near(a->rest_density, b->rest_density, n);
    assert_less(apart(a->lambda, b->lambda, n), 20 * APART);  // an exponential of ten times that
    assert_less(apart(a->shear, b->shear, n), 20 * APART);
    for (int k = 0; k < 6; k++) assert_arrays_near(a->F[k], b->F[k], n);
    for (int k = 0; k < 3; k++) assert_arrays_near(a->S[k], b->S[k], n);
    assert_arrays_near(a->S2, b->S2, n);
    // the pseudo-inverse of a nearly flat neighbourhood is 50 times as sensitive
    for (int k = 0; k < 9; k++) assert_less(apart(a->L[k], b->L[k], n), 50 * APART);
}

static void pressure_alike(world* plain, world* fast)
{
    world* both[2] = {plain, fast};
    for (int k = 0; k < 2; k++) {
        both[k]->m->def.density_error = 1e-12;  // as many iterations in both
        both[k]->m->def.pressure_iterations = 12;
        world_stages(both[k], FIRN_SPH_05_PRESSURE, FIRN_SPH_05_PRESSURE, BUSY_DT);
        assert_int_equal(both[k]->m->pressure_iterations, 12);
    }
    const firn_local n = plain->m->p.count;
    assert_less(apart(plain->m->w.source, fast->m->w.source, n), 10 * APART);
    assert_arrays_near(plain->m->w.diagonal, fast->m->w.diagonal, n);
    assert_less(apart(plain->m->p.pressure, fast->m->p.pressure, n), 20 * APART);
    assert_less(records_apart(plain->m->w.v_star, fast->m->w.v_star, n), 20 * APART);
    assert_near(plain->m->pressure_error / fast->m->pressure_error, 1, 20 * APART);
}

static firn_sph_shear_args shear_args(world* w)
{
    return (firn_sph_shear_args){.pairs = &w->m->pairs,
                                 .work = &w->m->w,
                                 .density = w->m->p.density,
                                 .mass = w->m->p.mass,
                                 .acceleration = w->m->p.shear_acceleration,
                                 .combined = w->m->def.elasticity == FIRN_SPH_COMBINED,
                                 .dt = (firn_real)w->m->base.dt,
                                 .tolerance = FIGURE_TOLERANCE(1e-10, 1e-5),
                                 .max_iterations = 500};
}

static void shear_alike(world* plain, world* fast)
{
    world* both[2] = {plain, fast};
    const firn_local n = plain->m->p.count;
    for (int k = 0; k < 2; k++) {
        firn_sph_shear_args a = shear_args(both[k]);
        both[k]->m->ops->shear_right_hand_side(&a);
        for (firn_local p = 0; p < n; p++)  // something rough to apply the operator to
            both[k]->m->w.p[p] = (firn_vec4){(firn_real)(p % 7) - 3, (firn_real)(p % 5) - 2,
                                             (firn_real)(p % 3) - 1, 0};
        both[k]->m->ops->shear_apply(&a, both[k]->m->w.p, both[k]->m->w.t);
    }
    assert_less(records_apart(plain->m->w.b, fast->m->w.b, n), 50 * APART);
    assert_less(records_apart(plain->m->w.t, fast->m->w.t, n), 50 * APART);
    for (int k = 0; k < 2; k++) {
        firn_sph_shear_args a = shear_args(both[k]);
        const firn_bicg_result r = both[k]->m->ops->shear(&a);
        assert_int_equal(r.reason, FIRN_BICG_CONVERGED);
    }
    // two solves of one system to the same tolerance are apart by it times the condition
    assert_less(records_apart(plain->m->w.a_G, fast->m->w.a_G, n), FIGURE_TOLERANCE(1e-8, 3e-3));
}

static void deformation_alike(world* plain, world* fast)
{
    world* both[2] = {plain, fast};
    const firn_local n = plain->m->p.count;
    for (int k = 0; k < 2; k++)
        for (firn_local p = 0; p < n; p++) {
            any_source r = {plain->m->p.id[p], 0};
            both[k]->m->p.velocity[p] = any_vec3(&r, 0.5);
        }
    for (int k = 0; k < 2; k++)
        world_stages(both[k], FIRN_SPH_08_DEFORMATION, FIRN_SPH_08_DEFORMATION, BUSY_DT);
    // gradients of noise are hundreds a second; where F' has two like stretches U turns freely, but
    // U S U^T does not
    assert_less(apart((const firn_real*)plain->m->p.def_grad_elastic,
                      (const firn_real*)fast->m->p.def_grad_elastic, 9 * n),
                100 * APART);
    assert_less(apart(plain->m->p.plastic_det, fast->m->p.plastic_det, n), 100 * APART);
}

static void stages_alike(int elasticity, int clamp, int rest_density, const char* name)
{
    world *plain = busy_world(9, 1, "plain"), *fast = busy_world(9, 1, name);
    world* both[2] = {plain, fast};
    for (int k = 0; k < 2; k++) {
        both[k]->m->def.elasticity = elasticity;
        both[k]->m->def.clamp = clamp;
        both[k]->m->def.rest_density = rest_density;
        world_stages(both[k], FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, BUSY_DT);
    }
    assert_greater(plain->m->contact_count, 50);
    same_lists(plain, fast);
    same_gradients(plain, fast);
    same_work(plain, fast);
    assert_less(records_apart(plain->m->w.v_star, fast->m->w.v_star, plain->m->p.count), APART);
    if (elasticity == FIRN_SPH_SPLIT) pressure_alike(plain, fast);
    shear_alike(plain, fast);
    deformation_alike(plain, fast);
    world_destroy(plain);
    world_destroy(fast);
}

static void every_stage(void** state)
{
    (void)state;
    int tested = 0;
    for (int k = 0; k < NAMES; k++) {
        if (firn_sph_ops_find(names[k]) == NULL) continue;
        stages_alike(FIRN_SPH_SPLIT, FIRN_SPH_OBJECTIVE, FIRN_SPH_CURRENT, names[k]);
        stages_alike(FIRN_SPH_COMBINED, FIRN_SPH_PAPER, FIRN_SPH_PLASTIC, names[k]);
        tested++;
    }
    assert_greater(tested, 0);
}

// Fluids: the clamp p >= 0 of the incompressible solve.
static void incompressible(void** state)
{
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        if (firn_sph_ops_find(names[k]) == NULL) continue;
        world *plain = busy_world(6, 1, "plain"), *fast = busy_world(6, 1, names[k]);
        world* both[2] = {plain, fast};
        for (int b = 0; b < 2; b++) {
            both[b]->m->def.pressure = FIRN_SPH_INCOMPRESSIBLE;
            world_stages(both[b], FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, BUSY_DT);
        }
        pressure_alike(plain, fast);
        int zero = 0;
        for (firn_local p = 0; p < plain->m->p.count; p++) {
            assert_at_least(fast->m->p.pressure[p], 0);
            zero += fast->m->p.pressure[p] == 0;
        }
        assert_greater(zero, 5);
        assert_less(zero, plain->m->p.count - 5);
        world_destroy(plain);
        world_destroy(fast);
    }
}

// Largest distance of the same particles in two worlds, in spacings.
static double moved_apart(const world* a, const world* b)
{
    firn_vec3* at = firn_alloc((size_t)a->m->p.count, sizeof *at);
    for (firn_local p = 0; p < a->m->p.count; p++) at[a->m->p.id[p]] = a->m->p.position[p];
    double most = 0;
    for (firn_local p = 0; p < b->m->p.count; p++)
        most =
            fmax(most, (double)firn_v3_length(firn_v3_sub(b->m->p.position[p], at[b->m->p.id[p]])));
    firn_free(at);
    return most / BUSY_H;
}

// Whole steps, with solves so far that where they stop hardly shows.
static void whole_steps(void** state)
{
    (void)state;
    world* all[NAMES + 1] = {busy_world(7, 1, "plain")};
    for (int k = 0; k < NAMES; k++)
        if (firn_sph_ops_find(names[k]) != NULL) all[k + 1] = busy_world(7, 1, names[k]);
    for (int k = 0; k <= NAMES; k++) {
        if (all[k] == NULL) continue;
        all[k]->m->def.density_error = FIGURE_TOLERANCE(1e-10, 1e-6);
        all[k]->m->def.pressure_iterations = 500;
        all[k]->m->def.shear_tolerance = FIGURE_TOLERANCE(1e-10, 1e-5);
        for (int n = 0; n < 10; n++) world_step(all[k], 2e-4);
        if (k > 0) check_figure(sph_levels_apart, moved_apart(all[0], all[k]));
    }
    // both fuse, lane by lane: bit for bit
    if (all[2] != NULL && all[3] != NULL)
        assert_equal(firn_particles_hash(&all[2]->m->base.store),
                     firn_particles_hash(&all[3]->m->base.store));
    for (int k = 0; k <= NAMES; k++)
        if (all[k] != NULL) world_destroy(all[k]);
}

static void tables(void** state)
{
    (void)state;
    const firn_sph_ops *best = firn_sph_ops_find(NULL), *plain = firn_sph_ops_find("plain");
    assert_string_equal(plain->simd, "plain");
    assert_string_equal(firn_sph_ops_find("baseline")->simd, "baseline");
    assert_null(firn_sph_ops_find("x86-64-v5"));
    assert_true(best->rest_density != plain->rest_density);
    assert_true(best->pressure != plain->pressure);
    assert_true(best->shear != plain->shear);
    assert_true(best->deformation != plain->deformation);
    assert_true(best->gradient_correction != plain->gradient_correction);
    world* w = world_create(BUSY_H);
    void* self = NULL;
    const firn_solver_args args = {.simd = "x86-64-v5", .device = FIRN_DEVICE_CPU};
    assert_int_equal(firn_solver_sph.create(&w->scene, &w->seeds, &args, &self, &w->error),
                     FIRN_REFUSED_BACKEND);
    assert_null(self);
    assert_contains(w->error.text, "x86-64-v5");
    assert_contains(w->error.text, "plain");
    world_destroy(w);
}

int test_sph_tables(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage),
        cmocka_unit_test(incompressible),
        cmocka_unit_test(whole_steps),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests_name("sph_tables", tests, NULL, NULL);
}
