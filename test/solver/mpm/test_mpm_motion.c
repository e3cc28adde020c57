// SPDX-License-Identifier: MIT
// T06, T07: bodies that move freely: falling without deforming, and the drift of F in a rigid spin.
#include "precise.h"
#include "solver/mpm/world.h"

typedef struct fall {
    const char* name;
    firn_mpm_integrator integrator;
    firn_mpm_transfer transfer;
    double beta, flip;
} fall;

static void free_fall_of(const fall* kind)
{
    const double h = 0.02, dt = 1e-4, g[3] = {0.5, -9.81, 0.25}, v0[3] = {1, 2, -0.5};
    const int steps = 20;
    world* w = world_create(h);
    w->def.integrator = kind->integrator;
    w->def.transfer = kind->transfer;
    w->def.beta = kind->beta;
    w->def.flip = kind->flip;
    w->def.dt = dt;
    memcpy(w->scene.gravity, g, sizeof g);
    world_lattice(w, (const double[3]){-2.3, 3.1, 0.4}, (const double[3]){4, 5, 3}, 2, 0);
    for (firn_local p = 0; p < w->seeds.count; p++)
        w->seeds.velocity[p] = firn_v3((firn_real)v0[0], (firn_real)v0[1], (firn_real)v0[2]);
    world_start(w);
    int iterations = 0;
    for (int k = 0; k < steps; k++) {
        world_step(w, dt);
        iterations += w->report.iterations;
        assert_finite(w->report.residual);
    }
    double velocity = 0, place = 0, strain = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_vec3 x0 = w->seeds.position[w->m->p.id[p]];
        for (int a = 0; a < 3; a++) {
            const double v = v0[a] + steps * dt * g[a];
            const double moved = steps * dt * v0[a] + dt * dt * g[a] * steps * (steps + 1) / 2;
            velocity = fmax(velocity, fabs((double)(&w->m->p.velocity[p].x)[a] - v));
            place =
                fmax(place, fabs((double)(&w->m->p.position[p].x)[a] - (double)(&x0.x)[a] - moved));
        }
        strain = fmax(strain, (double)precise_distance(precise_from(w->m->p.def_grad_elastic[p]),
                                                       precise_identity()));
        assert_equal(w->m->p.plastic_det[p], 1);
    }
    print_message("free fall: %s\n", kind->name);
    check_figure(T06_velocity, velocity);
    check_figure(T06_height, place);
    check_figure(T06_deformation, strain);
    check_figure(T06_iterations, iterations);
    world_destroy(w);
}

static void free_fall(void** state)
{
    (void)state;
    static const fall kinds[] = {
        {"explicit, PIC", FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, 0, 0},
        {"explicit, blend", FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, 0, 0.95},
        {"explicit, FLIP", FIRN_MPM_EXPLICIT, FIRN_MPM_FLIP, 0, 1},
        {"explicit, APIC", FIRN_MPM_EXPLICIT, FIRN_MPM_APIC, 0, 0.95},
        {"backward Euler, blend", FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, 1, 0.95},
        {"trapezoidal, FLIP", FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_FLIP, 0.5, 1},
        {"backward Euler, APIC", FIRN_MPM_SEMI_IMPLICIT, FIRN_MPM_APIC, 1, 0.95}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) free_fall_of(&kinds[k]);
}

// Snow that stands still, without gravity: nothing at all happens, also not in the linear solve.
static void rest_is_rest(void** state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        world* w = world_create(0.02);
        w->def.integrator = integrator;
        world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, 2, 0);
        world_start(w);
        for (int k = 0; k < 3; k++) world_step(w, 1e-4);
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 x0 = w->seeds.position[w->m->p.id[p]];
            assert_memory_equal(&w->m->p.position[p], &x0, sizeof x0);
            assert_equal(firn_v3_length(w->m->p.velocity[p]), 0);
        }
        assert_equal(w->report.kinetic, 0);
        assert_equal(w->report.elastic, 0);
        world_destroy(w);
    }
}

// The paper's update F <- (I + dt W) F on a grid that turns for ever. Particles are put back after
// each step 10: only their deformation goes on.
static void spin_drift(void** state)
{
    (void)state;
    const double turn = 3.14159265358979323846 / 2, dt = 1e-3;
    const int steps = 1000;
    world* w = world_create(0.02);
    w->def.dt = dt;
    world_lattice(w, (const double[3]){-2, -2, -2}, (const double[3]){4, 4, 4}, 2, 0);
    world_start(w);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, dt);
    const firn_vec3 omega = {0, 0, (firn_real)(turn / (steps * dt))};
    for (firn_local n = 0; n < world_nodes(w); n++) {
        const firn_vec3 v = firn_v3_cross(omega, firn_grid_node_position(&w->m->grid, n));
        w->m->node_new[n] = (firn_vec4){v.x, v.y, v.z, 0};
    }
    const size_t size = (size_t)w->m->p.count * sizeof(firn_vec3);
    firn_vec3* place = firn_alloc(size, 1);
    assert_non_null(place);
    memcpy(place, w->m->p.position, size);
    for (int k = 0; k < steps; k++) {
        world_stages(w, FIRN_MPM_07_DEFORMATION, FIRN_MPM_10_ADVECT, dt);
        memcpy(w->m->p.position, place, size);
    }
    firn_free(place);
    for (firn_local p = 0; p < w->m->p.count; p += 111) {
        precise s[3];
        precise_singular_values(precise_from(w->m->p.def_grad_elastic[p]), s, NULL);
        check_figure(T07_spin_drift, (double)s[0]);
        check_figure(T07_spin_drift, (double)s[1]);
        check_figure(T06_deformation, (double)s[2] - 1);
    }
    world_destroy(w);
}

// Step 7 on a linear velocity field, which splines reproduce: F <- (I + dt A) F, in this order.
static void deformation_update(void** state)
{
    (void)state;
    any_source r = any_start(702);
    const double dt = 1e-3;
    world* w = world_create(0.02);
    w->def.dt = dt;
    w->material.snow.critical_compression = w->material.snow.critical_stretch = (firn_real)0.9;
    world_scatter(w, &r, (const double[3]){-2, -2, -2}, (const double[3]){4, 4, 4}, 4, 0);
    world_start(w);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, dt);
    const firn_mat3 A = any_mat3(&r, 100);
    for (firn_local n = 0; n < world_nodes(w); n++) {
        const firn_vec3 v = firn_m3_mul_v3(A, firn_grid_node_position(&w->m->grid, n));
        w->m->node_new[n] = (firn_vec4){v.x, v.y, v.z, 0};
    }
    firn_mat3 F[256];
    assert_at_most(w->m->p.count, 256);
    for (firn_local p = 0; p < w->m->p.count; p++)
        w->m->p.def_grad_elastic[p] = F[p] = any_stretched(&r, 0.5, 1.5);
    world_stages(w, FIRN_MPM_07_DEFORMATION, FIRN_MPM_10_ADVECT, dt);
    const precise3 grow = precise_madd(precise_identity(), dt, precise_from(A));
    double worst = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        worst = fmax(worst, (double)precise_distance(precise_from(w->m->p.def_grad_elastic[p]),
                                                     precise_mul(grow, precise_from(F[p]))));
    check_figure(T07_update, worst);
    world_destroy(w);
}

int test_mpm_motion(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_fall), cmocka_unit_test(rest_is_rest),
                                       cmocka_unit_test(spin_drift),
                                       cmocka_unit_test(deformation_update)};
    return cmocka_run_group_tests_name("mpm_motion", tests, NULL, NULL);
}
