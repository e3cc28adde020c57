// SPDX-License-Identifier: MIT
// Cam-Clay in the running solver: a sheared and pressed layer ends on the yield surface; fast loops
// give what the plain ones give; threads change nothing.
#include "physics/cam_clay.h"

#include "solver/mpm/world.h"

static const double M = 1.2, beta = 0.5, p_0 = 2000, young = 1e6;

static void make_clay(firn_material* m)
{
    m->snow.young = (firn_real)young;
    m->snow.poisson = (firn_real)0.25;
    m->snow.cam_clay =
        (firn_cam_clay){(firn_real)M, (firn_real)beta, (firn_real)p_0, (firn_real)0.01, 0};
}

static void move_plate(firn_collider* plate, firn_keyframe keys[2], double x, double y)
{
    plate->sticky = true;
    for (int k = 0; k < 2; k++)
        keys[k] = (firn_keyframe){k, firn_v3((firn_real)(x * k), (firn_real)(y * k), 0),
                                  firn_q_identity(), 1};
    plate->motion.keys = keys;
    plate->motion.key_count = 2;
}

// Stress of a particle in the middle of the layer [Pa].
typedef struct stress {
    double p, q;
    double surface;  // q on the yield surface at p
} stress;

static stress middle(const world* w, const firn_vec3 center)
{
    firn_local best = 0;
    for (firn_local k = 1; k < w->m->p.count; k++)
        if (firn_v3_length(firn_v3_sub(w->m->p.position[k], center)) <
            firn_v3_length(firn_v3_sub(w->m->p.position[best], center)))
            best = k;
    const firn_mpm_material* mat = &w->m->materials[0];
    const firn_mat3 F = w->m->p.def_grad_elastic[best];
    const firn_mat3 t =
        firn_m3_mul_transposed(firn_snow_stress(F, firn_polar3_rotation(F), mat->lame_0), F);
    const double mean = (double)(t.m[0][0] + t.m[1][1] + t.m[2][2]) / 3;
    double s2 = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) s2 += pow((double)t.m[i][j] - (i == j ? mean : 0), 2);
    const double K = young / 1.5;
    const double cap =
        K * firn_cam_clay_cap(&mat->clay, w->m->p.consolidation[best], w->m->p.plastic_det[best]);
    const double inside = (-mean + beta * cap) * (cap + mean) / (1 + 2 * beta);
    return (stress){-mean, sqrt(1.5 * s2), M * sqrt(fmax(inside, 0))};
}

// A layer of 8 cells between two sticky plates, the upper one moving by (x, y) m/s.
static stress strain(double x, double y, double end)
{
    world* w = world_create(0.01);
    make_clay(&w->material);
    w->def.flip = 0.5;  // static: waves must fade
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){16, 8, 16}, 2, 0);
    firn_keyframe keys[2][2];
    move_plate(world_plane(w, firn_v3(0, (firn_real)0.01, 0), firn_v3(0, 1, 0), 0), keys[0], 0, 0);
    move_plate(world_plane(w, firn_v3(0, (firn_real)0.07, 0), firn_v3(0, -1, 0), 0), keys[1], x, y);
    world_start(w);
    while (w->time < end) world_step(w, 1);
    const stress s = middle(w, firn_v3((firn_real)0.08, (firn_real)0.04, (firn_real)0.08));
    print_message("plate (%g, %g) m/s: p %.1f Pa, q %.1f Pa, surface %.1f Pa\n", x, y, s.p, s.q,
                  s.surface);
    world_destroy(w);
    return s;
}

// Elastic strains are 0.3 % at most, so that the stress is within 1 % of Hencky's.
static void strained_layers_yield_on_the_surface(void** state)
{
    (void)state;
    const stress elastic = strain(0.02, 0, 0.004);
    assert_less(elastic.q, 0.9 * elastic.surface);
    const double ways[4][2] = {{0.1, 0}, {0.1, -0.02}, {0, -0.05}, {0, 0.05}};
    for (int k = 0; k < 4; k++) {
        const stress s = strain(ways[k][0], ways[k][1], 0.02);
        assert_near(s.q, s.surface, 0.01 * p_0);
        if (k == 0) assert_at_least(s.q, 0.5 * M * p_0 * sqrt(beta / (1 + 2 * beta)));
    }
}

static firn_material materials[2];

// A ball of two materials that hits the floor.
static world* fall(firn_mpm_integrator integrator, int threads, const char* simd)
{
    any_source r = {91, 0};
    world* w = world_create(0.01);
    w->def.integrator = integrator;
    w->scene.gravity[1] = -9.81;
    materials[0] = materials[1] = w->material;
    make_clay(&materials[1]);
    materials[1].snow.cam_clay.collapse = (firn_real)0.1;
    materials[1].snow.cam_clay.hardening = 1;
    w->scene.materials = materials;
    w->scene.material_count = 2;
    world_scatter(w, &r, (const double[3]){0.2, 0.1, 0.4}, (const double[3]){8, 8, 8}, 8, 4);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        w->seeds.velocity[p] = firn_v3(1, -2, 0);
        w->seeds.material[p] = (uint8_t)any_below(&r, 2);
    }
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), (firn_real)0.4);
    world_start_on(w, threads, simd);
    for (int k = 0; k < 60; k++) world_step(w, 1e-4);
    return w;
}

static void fast_loops_agree(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const firn_mpm_integrator integrator = k == 0 ? FIRN_MPM_EXPLICIT : FIRN_MPM_SEMI_IMPLICIT;
        world *plain = fall(integrator, 1, "plain"), *fast = fall(integrator, 1, NULL);
        world* threads = fall(integrator, 3, NULL);
        double off = 0, alpha = 0, flowed = 0;
        for (firn_local p = 0; p < fast->m->p.count; p++) {
            // the same order: both sort by cell
            assert_int_equal(plain->m->p.id[p], fast->m->p.id[p]);
            off = fmax(off, (double)firn_v3_length(
                                firn_v3_sub(plain->m->p.position[p], fast->m->p.position[p])));
            alpha = fmax(
                alpha, fabs((double)(plain->m->p.consolidation[p] - fast->m->p.consolidation[p])));
            flowed = fmax(flowed, fabs((double)fast->m->p.consolidation[p] -
                                       (double)fast->m->materials[1].clay.alpha_0));
            assert_memory_equal(&fast->m->p.consolidation[p], &threads->m->p.consolidation[p],
                                sizeof(firn_real));
            assert_memory_equal(&fast->m->p.position[p], &threads->m->p.position[p],
                                sizeof(firn_vec3));
        }
        print_message("%s: positions differ by %.2g m, alpha by %.2g of %.2g\n",
                      k == 0 ? "explicit" : "semi-implicit", off, alpha, flowed);
        assert_greater(flowed, 1e-3);
        // 60 steps of rounding: a thousandth of a cell (explicit), and what the solve leaves
        assert_less(off, k == 0 ? 1e-5 : 1e-4);
        world_destroy(plain);
        world_destroy(fast);
        world_destroy(threads);
    }
}

int test_mpm_cam_clay(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strained_layers_yield_on_the_surface),
                                       cmocka_unit_test(fast_loops_agree)};
    return cmocka_run_group_tests_name("mpm_cam_clay", tests, NULL, NULL);
}
