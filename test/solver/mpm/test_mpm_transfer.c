// SPDX-License-Identifier: MIT
// T04, T05: what goes from particles to the grid and back is conserved, or lost as predicted.
#include "solver/mpm/world.h"
#include "splines.h"

static const double h = 0.01;

// Loose particles, some far apart, with random velocities and strains.
static world* random_cloud(uint64_t seed, double flip, firn_spline spline)
{
    any_source r = any_start(seed);
    world* w = world_create(h);
    w->def.flip = flip;
    w->def.spline = spline;
    w->scene.gravity[1] = -9.81;
    world_scatter(w, &r, (const double[3]){-5, -3, 11}, (const double[3]){10, 10, 10}, 2, 0);
    for (int k = 0; k < 20; k++) world_add(w, any_vec3(&r, 3), 1e-5);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        w->seeds.velocity[p] = any_vec3(&r, 2);
        w->seeds.mass[p] *= (firn_real)any_between(&r, 0.5, 1.5);
    }
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++)
        w->m->p.def_grad_elastic[p] = any_stretched(&r, 0.975, 1.0075);
    return w;
}

// Sum of |m v|: what an error of the sum is measured against.
static double momentum_size(const world* w)
{
    double size = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        size += (double)w->m->p.mass[p] * (double)firn_v3_length(w->m->p.velocity[p]);
    return size;
}

static const firn_vec3 zero = {0, 0, 0};

static void mass_and_momentum(void** state)
{
    const firn_spline spline = spline_of(state);
    for (int flip = 0; flip < 2; flip++) {
        world* w = random_cloud(2011, flip, spline);
        const double size = momentum_size(w);
        const world_momentum before = world_particle_momentum(w, zero);
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_10_ADVECT, 1e-5);
        const world_momentum old = world_node_momentum(w, w->m->node_velocity, zero);
        const world_momentum new = world_node_momentum(w, w->m->node_new, zero);
        const world_momentum after = world_particle_momentum(w, zero);
        check_figure(T04_mass, old.mass / before.mass - 1);
        check_figure(T04_momentum_to_grid, world_difference(old.linear, before.linear) / size);
        if (flip == 0) {
            check_figure(T04_momentum_pic, world_difference(after.linear, new.linear) / size);
        } else {
            double expected[3];
            for (int a = 0; a < 3; a++)
                expected[a] = before.linear[a] + new.linear[a] - old.linear[a];
            check_figure(T04_momentum_flip, world_difference(after.linear, expected) / size);
        }
        world_destroy(w);
    }
}

// The report's momentum and kinetic energy are those of the particles.
static void report_agrees(void** state)
{
    const firn_spline spline = spline_of(state);
    world* w = random_cloud(2012, 0.95, spline);
    const world_momentum before = world_particle_momentum(w, zero);
    double kinetic = 0, potential = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const double m = (double)w->m->p.mass[p];
        kinetic += 0.5 * m * (double)firn_v3_dot(w->m->p.velocity[p], w->m->p.velocity[p]);
        potential += m * 9.81 * (double)w->m->p.position[p].y;
    }
    const double size = momentum_size(w);
    world_step(w, 1e-6);
    check_figure(T04_momentum_to_grid, world_difference(w->report.momentum, before.linear) / size);
    check_figure(T04_mass, w->report.kinetic / kinetic - 1);
    check_figure(T04_mass, (w->report.potential - potential) / kinetic);
    assert_greater(w->report.elastic, 0);
    world_destroy(w);
}

// A force-free ball of 10 cells' radius that turns rigidly.
static world* turning_ball(double flip, firn_mpm_transfer transfer, firn_spline spline)
{
    const double radius = 10, from[3] = {-10, -10, -10}, size[3] = {20, 20, 20};
    world* w = world_create(h);
    w->def.flip = flip;
    w->def.spline = spline;
    w->def.transfer = transfer;
    world_lattice(w, from, size, 2, radius);
    const firn_vec3 omega = {1, 2, -1};
    for (firn_local p = 0; p < w->seeds.count; p++)
        w->seeds.velocity[p] = firn_v3_cross(omega, w->seeds.position[p]);
    world_start(w);
    return w;
}

// Angular momentum of the particles' own spin, B_p (APIC): sum m eps_abc B_cb.
static void add_affine(const world* w, double angular[3])
{
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const firn_mat3 B = w->m->p.affine[p];
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            angular[a] += (double)w->m->p.mass[p] * ((double)B.m[c][b] - (double)B.m[b][c]);
        }
    }
}

static void angular_momentum(void** state)
{
    const firn_spline spline = spline_of(state);
    double loss[3];
    const double flip[3] = {0, 0.95, 1};
    for (int k = 0; k < 3; k++) {
        world* w = turning_ball(flip[k], FIRN_MPM_FLIP, spline);
        const world_momentum before = world_particle_momentum(w, zero);
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_10_ADVECT, 1e-4);
        const world_momentum grid = world_node_momentum(w, w->m->node_velocity, zero);
        const world_momentum after = world_particle_momentum(w, zero);
        const double size = world_length(before.angular);
        check_figure(T05_angular_to_grid, world_difference(grid.angular, before.angular) / size);
        loss[k] = 1 - world_length(after.angular) / size;
        if (flip[k] == 1)
            check_figure(T05_angular_flip, world_difference(after.angular, before.angular) / size);
        world_destroy(w);
    }
    // 5 D/R^2, D = h^2/3 or h^2/4; (R/h)^2 = 100; as the cubic splines' figure has it
    check_figure(T05_pic_loss, loss[0] * 100 * (double)firn_spline_affine(spline) / 3);
    check_figure(T05_blend_loss, loss[1] / loss[0]);
}

static void apic_keeps_it_all(void** state)
{
    const firn_spline spline = spline_of(state);
    world* w = turning_ball(0, FIRN_MPM_APIC, spline);
    const world_momentum before = world_particle_momentum(w, zero);
    const double size = world_length(before.angular);
    for (int step = 0; step < 4; step++) {
        world_step(w, 1e-4);
        world_momentum after = world_particle_momentum(w, zero);
        add_affine(w, after.angular);
        check_figure(T05_angular_apic, world_difference(after.angular, before.angular) / size);
        // 0 at the start: what roundings of float leave of sums over the ball
        assert_less(world_length(after.linear), 1e-6 * size);
    }
    world_destroy(w);
}

int test_mpm_transfer(void)
{
    const struct CMUnitTest tests[] = {EACH_SPLINE(mass_and_momentum), EACH_SPLINE(report_agrees),
                                       EACH_SPLINE(angular_momentum),
                                       EACH_SPLINE(apic_keeps_it_all)};
    return cmocka_run_group_tests_name("mpm_transfer", tests, NULL, NULL);
}
