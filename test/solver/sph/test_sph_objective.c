// SPDX-License-Identifier: MIT
// T40: what a rigid turn does to F_E, with the clamp that turns with the snow and with the paper's.
#include "solver/sph/world.h"

#define H 0.05
#define PI 3.14159265358979324

// One turn in one go: F' = R F_E.
static void T40_clamp(void** state)
{
    (void)state;
    const firn_mat3 F = firn_m3_diagonal((firn_real)1.005, 1, 1);
    const firn_mat3 R = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
    for (int paper = 0; paper < 2; paper++) {
        const firn_sph_clamped c =
            firn_sph_clamp_particle(firn_m3_mul(R, F), (firn_real)0.025, (firn_real)0.0075, paper);
        const int stretched = paper ? 0 : 1;
        for (int k = 0; k < 9; k++) {
            const double want = k % 4 != 0 ? 0 : k / 4 == stretched ? 1.005 : 1;
            assert_near(c.F_E.m[k / 3][k % 3], want, 4 * ROUNDING);
        }
        assert_near(c.ratio, 1, 4 * ROUNDING);
    }
}

// Whatever F' is: symmetric, stretches in the box, the objective one turns with an added rotation.
static void random_clamps(void** state)
{
    (void)state;
    any_source r = any_start(4001);
    for (int n = 0; n < 300; n++) {
        const firn_mat3 F = any_stretched(&r, n % 3 == 0 ? -0.5 : 0.9, 1.1), Q = any_rotation(&r);
        const firn_real c = (firn_real)0.025, s = (firn_real)0.0075;
        const firn_sph_clamped a = firn_sph_clamp_particle(F, c, s, false);
        const firn_sph_clamped b = firn_sph_clamp_particle(firn_m3_mul(Q, F), c, s, false);
        const firn_mat3 turned = firn_m3_mul_transposed(firn_m3_mul(Q, a.F_E), Q);
        assert_less(firn_m3_norm(firn_m3_sub(turned, b.F_E)), 40 * ROUNDING);
        const firn_sph_clamped paper = firn_sph_clamp_particle(F, c, s, true);
        const firn_sph_clamped same = firn_sph_clamp_particle(firn_m3_mul(Q, F), c, s, true);
        assert_less(firn_m3_norm(firn_m3_sub(paper.F_E, same.F_E)), 40 * ROUNDING);
        for (int k = 0; k < 3; k++)
            assert_near(a.F_E.m[k][(k + 1) % 3], a.F_E.m[(k + 1) % 3][k], 4 * ROUNDING);
        const firn_svd3 svd = firn_svd3_of(a.F_E);
        const double stretch[3] = {(double)svd.s.x, (double)svd.s.y, (double)svd.s.z};
        for (int k = 0; k < 3; k++) {
            assert_greater(stretch[k], 0.975 - 4 * ROUNDING);
            assert_less(stretch[k], 1.0075 + 4 * ROUNDING);
        }
        // |det F'| = ratio det F_E
        assert_near(fabs((double)firn_m3_det(F)), (double)a.ratio * (double)firn_m3_det(a.F_E),
                    20 * ROUNDING);
    }
}

static void not_finite_stays(void** state)
{
    (void)state;
    firn_mat3 F = firn_m3_identity();
    F.m[1][2] = (firn_real)NAN;
    assert_false(firn_m3_is_finite(firn_sph_clamp_particle(F, 0, 0, false).F_E));
    const firn_mat3 zero = {{{0}}};  // all stretches at the lower bound, whichever way
    const firn_sph_clamped c =
        firn_sph_clamp_particle(zero, (firn_real)0.025, (firn_real)0.0075, false);
    assert_true(firn_m3_is_finite(c.F_E));
    assert_equal(c.ratio, 0);
}

// A block turned by 90 degrees in many steps of steps 1, 2 and 8, each of them with the velocity of
// the turn. Forward differences stretch what turns by (1 + (omega dt)^2)^(1/2) a step (T07): the
// same for both axes, so that their difference is what is looked at. Step 8 then scales all axes
// alike (firn_sph_rotation_factor), which shows along the axis of the turn.
static void T40_turn(void** state)
{
    (void)state;
    enum { STEPS = 500 };
    for (int paper = 0; paper < 2; paper++) {
        world* w = world_create(H);
        world_lattice(w, firn_v3((firn_real)(-1.5 * H), (firn_real)(-1.5 * H), 0), 4, 4, 3, H);
        w->def.clamp = paper ? FIRN_SPH_PAPER : FIRN_SPH_OBJECTIVE;
        w->material.snow.critical_stretch = w->material.snow.critical_compression = (firn_real)0.1;
        world_start(w);
        for (firn_local p = 0; p < w->m->p.count; p++)
            w->m->p.def_grad_elastic[p] = firn_m3_diagonal((firn_real)1.005, 1, 1);
        const double angle = 0.5 * PI / STEPS, dt = 1e-3, omega = angle / dt;
        for (int k = 0; k < STEPS; k++) {
            world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, dt);
            for (firn_local p = 0; p < w->m->p.count; p++) {
                const firn_vec3 x = w->m->p.position[p];
                w->m->p.velocity[p] =
                    firn_v3((firn_real)(-omega * (double)x.y), (firn_real)(omega * (double)x.x), 0);
            }
            world_stages(w, FIRN_SPH_08_DEFORMATION, FIRN_SPH_08_DEFORMATION, dt);
            for (firn_local p = 0; p < w->m->p.count; p++) {
                firn_vec3* x = &w->m->p.position[p];
                const double c = cos(angle), s = sin(angle), old = (double)x->x;
                *x = firn_v3((firn_real)(c * old - s * (double)x->y),
                             (firn_real)(s * old + c * (double)x->y), x->z);
                w->m->p.velocity[p] = firn_v3(0, 0, 0);
            }
        }
        double least = INFINITY, most = -INFINITY;
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_mat3* F = &w->m->p.def_grad_elastic[p];
            const double difference = ((double)F->m[1][1] - (double)F->m[0][0]) /
                                      ((double)F->m[2][2] * sqrt(1 + angle * angle * STEPS));
            least = fmin(least, paper ? -difference : difference);
            most = fmax(most, paper ? -difference : difference);
        }
        if (paper) {
            check_figure(T40_paper, least);
            check_figure(T40_paper, most);
        } else {
            check_figure(T40_turned, least);
            check_figure(T40_turned, most);
        }
        world_destroy(w);
    }
}

int test_sph_objective(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T40_clamp), cmocka_unit_test(random_clamps),
                                       cmocka_unit_test(not_finite_stays),
                                       cmocka_unit_test(T40_turn)};
    return cmocka_run_group_tests_name("sph_objective", tests, NULL, NULL);
}
