// SPDX-License-Identifier: MIT
// T35: the corrected gradient is exact for linear fields wherever neighbours span space, gives what
// they know where they do not, and eq. 18 takes the change of volume from the plain one.
#include "solver/sph/world.h"

#define H 0.05

static void set_linear(world* w, firn_mat3 A)
{
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 v = firn_m3_mul_v3(A, w->m->p.position[p]);
        w->m->w.weighted[p] = firn_vec4_all(w->m->w.volume[p]) * (firn_vec4){v.x, v.y, v.z, 0};
    }
}

// sum V_j (u_j - u_i) grad W_ij^T of a linear field in double, as the lists have it.
static void plain_gradient(const world* w, firn_mat3 A, firn_local i, double out[3][3])
{
    memset(out, 0, 9 * sizeof(double));
    for (int k = 0; k < w->m->pairs.neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(&w->m->pairs, i, k);
        const firn_vec3 d = firn_v3_sub(w->m->p.position[pair.j], w->m->p.position[i]);
        const double x[3] = {(double)d.x, (double)d.y, (double)d.z};
        const double g[3] = {(double)pair.g.x, (double)pair.g.y, (double)pair.g.z};
        for (int r = 0; r < 3; r++) {
            double u = 0;
            for (int c = 0; c < 3; c++) u += (double)A.m[r][c] * x[c];
            for (int c = 0; c < 3; c++) out[r][c] += (double)w->m->w.volume[pair.j] * u * g[c];
        }
    }
}

// out = B L^T
static void correct(double B[3][3], firn_mat3 L, double out[3][3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            out[r][c] = 0;
            for (int k = 0; k < 3; k++) out[r][c] += B[r][k] * (double)L.m[c][k];
        }
}

static double off(double B[3][3], firn_mat3 A)
{
    double most = 0;
    for (int k = 0; k < 9; k++)
        most = fmax(most, fabs(B[k / 3][k % 3] - (double)A.m[k / 3][k % 3]));
    return most;
}

static world* cloud(double jitter, uint64_t seed)
{
    any_source r = any_start(seed);
    world* w = world_create(H);
    world_cloud(w, &r, 8, jitter, 0.2);
    world_start(w);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, 1e-3);
    return w;
}

static void T35_random_cloud(void** state)
{
    (void)state;
    world* w = cloud(0.3, 3501);
    any_source r = any_start(3502);
    const firn_mat3 A = any_mat3(&r, 1);
    double corrected = 0, plain = 0;
    for (firn_local i = 0; i < w->m->p.count; i++) {
        double B[3][3], C[3][3];
        plain_gradient(w, A, i, B);
        correct(B, firn_sph_correction_of(&w->m->w, i), C);
        corrected = fmax(corrected, off(C, A));
        plain = fmax(plain, off(B, A));
    }
    check_figure(T35_corrected, corrected);
    check_figure(T35_plain, plain);
    world_destroy(w);
}

// The function that the solves and step 8 use: trace of the plain one, the rest of the corrected.
static void T35_split(void** state)
{
    (void)state;
    world* w = cloud(0.3, 3503);
    any_source r = any_start(3504);
    const firn_mat3 A = any_mat3(&r, 1);
    set_linear(w, A);
    double trace_off = 0, rest_off = 0;
    for (firn_local i = 0; i < w->m->p.count; i++) {
        double B[3][3];
        plain_gradient(w, A, i, B);
        const firn_vec3 own = firn_m3_mul_v3(A, w->m->p.position[i]);
        const firn_mat3 G =
            firn_sph_gradient_particle(&w->m->pairs, &w->m->w, w->m->w.weighted, own, 0, i);
        const double plain_trace = B[0][0] + B[1][1] + B[2][2];
        const double trace = (double)G.m[0][0] + (double)G.m[1][1] + (double)G.m[2][2];
        const double trace_A = (double)firn_m3_trace(A);
        trace_off = fmax(trace_off, fabs(trace - plain_trace));
        for (int k = 0; k < 9; k++) {
            const double third = k % 4 == 0 ? 1.0 / 3 : 0;
            const double deviator = (double)G.m[k / 3][k % 3] - third * trace;
            const double of_A = (double)A.m[k / 3][k % 3] - third * trace_A;
            rest_off = fmax(rest_off, fabs(deviator - of_A));
        }
    }
    check_figure(T35_split, trace_off);
    check_figure(T35_split, rest_off);
    world_destroy(w);
}

// Neighbours in a plane, on a line, one, none: what is known is right, the rest is 0, no NaN.
static void T35_flat(void** state)
{
    (void)state;
    any_source r = any_start(3505);
    const firn_mat3 A = any_mat3(&r, 1), turn = any_rotation(&r);
    for (int dimensions = 0; dimensions < 3; dimensions++) {
        world* w = world_create(H);
        const int nx = dimensions > 0 ? 6 : 1, ny = dimensions > 1 ? 6 : 1;
        for (int i = 0; i < nx; i++)
            for (int j = 0; j < ny; j++)
                world_add(w,
                          firn_m3_mul_v3(turn, firn_v3((firn_real)(H * (i + 0.1 * (j % 3))),
                                                       (firn_real)(H * j), 0)),
                          world_mass(w));
        if (dimensions == 0) world_add(w, firn_v3(1, 2, 3), world_mass(w));  // out of reach
        world_start(w);
        world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, 1e-3);
        for (firn_local i = 0; i < w->m->p.count; i++) {
            const firn_mat3 L = firn_sph_correction_of(&w->m->w, i);
            assert_true(firn_m3_is_finite(L));
            double B[3][3], C[3][3];
            plain_gradient(w, A, i, B);
            correct(B, L, C);
            for (int d = 0; d < 3; d++) {  // along the turned axes
                double got[3] = {0}, want[3] = {0};
                for (int row = 0; row < 3; row++)
                    for (int c = 0; c < 3; c++) {
                        got[row] += C[row][c] * (double)turn.m[c][d];
                        want[row] += (double)A.m[row][c] * (double)turn.m[c][d];
                    }
                if (d >= dimensions) memset(want, 0, sizeof want);
                assert_less(world_difference(got, want), 100 * ROUNDING);
            }
        }
        world_destroy(w);
    }
}

// One neighbour only, and one in the same place.
static void one_neighbour(void** state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        world* w = world_create(H);
        world_add(w, firn_v3(0, 0, 0), world_mass(w));
        world_add(w, firn_v3((firn_real)(same ? 0 : 0.7 * H), 0, 0), world_mass(w));
        world_start(w);
        world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, 1e-3);
        for (firn_local i = 0; i < 2; i++) {
            assert_int_equal(w->m->pairs.neighbours[i], 1);
            const firn_mat3 L = firn_sph_correction_of(&w->m->w, i);
            assert_true(firn_m3_is_finite(L));
            if (same) assert_equal(firn_m3_norm(L), 0);
        }
        world_step(w, 1e-3);
        for (firn_local i = 0; i < 2; i++) assert_true(firn_v3_is_finite(w->m->p.velocity[i]));
        world_destroy(w);
    }
}

// Bodies are in the moment (eq. 15): L is the inverse of both sums.
static void moment_with_bodies(void** state)
{
    (void)state;
    any_source r = any_start(3506);
    world* w = world_create(H);
    world_cloud(w, &r, 6, 0.2, 0.1);
    world_plane(w, firn_v3(0, (firn_real)(-0.9 * H), 0), firn_v3(0, 1, 0), 0);
    world_start(w);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, 1e-3);
    int near = 0;
    for (firn_local t = 0; t < w->m->contact_count; t++) {
        const firn_sph_contact_sums* contact = &w->m->contact[t];
        if (!(contact->kernel > 0)) continue;
        near++;
        double M[3][3], C[3][3];
        plain_gradient(w, firn_m3_identity(), contact->particle, M);  // rows x_ji, columns grad W
        for (int k = 0; k < 9; k++) M[k / 3][k % 3] += (double)contact->moment.m[k % 3][k / 3];
        correct(M, firn_sph_correction_of(&w->m->w, contact->particle), C);
        assert_less(off(C, firn_m3_identity()), 100 * ROUNDING);
    }
    assert_greater(near, 30);
    world_destroy(w);
}

// Everything moves alike, the floor too: no gradient anywhere, so nothing deforms.
static void moving_as_one(void** state)
{
    (void)state;
    any_source r = any_start(3507);
    world* w = world_create(H);
    world_cloud(w, &r, 6, 0.2, 0.1);
    const firn_vec3 v = firn_v3((firn_real)0.3, (firn_real)-0.2, (firn_real)0.1);
    world_plane(w, firn_v3(0, (firn_real)(-0.9 * H), 0), firn_v3(0, 1, 0), 0)->motion.velocity = v;
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = v;
    world_start(w);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, 1e-3);
    world_stages(w, FIRN_SPH_08_DEFORMATION, FIRN_SPH_08_DEFORMATION, 1e-3);
    for (firn_local p = 0; p < w->m->p.count; p++)
        assert_less(firn_m3_norm(firn_m3_sub(w->m->p.def_grad_elastic[p], firn_m3_identity())),
                    20 * ROUNDING);
    world_destroy(w);
}

int test_sph_gradient(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T35_random_cloud),   cmocka_unit_test(T35_split),
        cmocka_unit_test(T35_flat),           cmocka_unit_test(one_neighbour),
        cmocka_unit_test(moment_with_bodies), cmocka_unit_test(moving_as_one),
    };
    return cmocka_run_group_tests_name("sph_gradient", tests, NULL, NULL);
}
