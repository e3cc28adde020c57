// SPDX-License-Identifier: MIT
// T02, T03: what lattices and random clouds of particles look like on the grid: masses, forces of a
// uniformly stressed block, initial densities.
#include "solver/mpm/world.h"
#include "splines.h"

static const double h = 0.01;
static const double origin[3] = {0, 0, 0};

// True for a node at least `depth` cells inside the box [from, from + size] (in cells).
static bool inside(const world* w, firn_local n, const double from[3], const double size[3],
                   double depth)
{
    const firn_vec3 x = firn_grid_node_position(&w->m->grid, n);
    for (int a = 0; a < 3; a++) {
        const double at = (double)(&x.x)[a] / h;
        if (at < from[a] + depth - 1e-6 || at > from[a] + size[a] - depth + 1e-6) return false;
    }
    return true;
}

static void stress_uniformly(world* w, firn_mat3 F_E)
{
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.def_grad_elastic[p] = F_E;
}

// V P F^T / V for the world's snow at F_E = s I: a pressure [Pa], positive in compression.
static double pressure(double s)
{
    const double mu = 1.4e5 / 2.4, lambda = 1.4e5 * 0.2 / (1.2 * 0.6), j = s * s * s;
    return -(2 * mu * (s - 1) + lambda * (j - 1) * s * s) * s;
}

static void lattice_is_exact(void** state)
{
    const double size[3] = {10, 9, 8};
    double mass = 0, force = 0;
    for (int per = 1; per <= 3; per++) {
        const double from[3] = {0.3 * per, -0.123, 7.77};
        world* w = world_create(h);
        w->def.spline = spline_of(state);
        world_lattice(w, from, size, per, 0);
        world_start(w);
        stress_uniformly(w, firn_m3_diagonal((firn_real)0.98, (firn_real)0.98, (firn_real)0.98));
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_03_FORCES, 1e-4);
        int checked = 0;
        for (firn_local n = 0; n < world_nodes(w); n++) {
            if (!inside(w, n, from, size, 2)) continue;
            checked++;
            const firn_vec4 f = w->m->node_force[n];
            mass = fmax(mass, fabs((double)w->m->node_velocity[n][3] / (400 * h * h * h) - 1));
            for (int a = 0; a < 3; a++)
                force = fmax(force, fabs((double)f[a]) / (pressure(0.98) * h * h));
        }
        assert_at_least(checked, 100);
        world_destroy(w);
    }
    check_figure(T02_interior_mass, mass);
    check_figure(T02_interior_force, force);
}

static void spacing_that_does_not_fit(void** state)
{
    const firn_spline spline = spline_of(state);
    const double d = 1 / 1.5, from[3] = {-0.37 * d, -0.37 * d, -0.37 * d}, size[3] = {8, 8, 8};
    world* w = world_create(h);
    w->def.spline = spline;
    world_lattice(w, from, size, 1.5, 0);
    world_start(w);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_03_FORCES, 1e-4);
    int checked = 0;
    for (firn_local n = 0; n < world_nodes(w); n++) {  // nodes with even coordinates are alike
        const firn_vec3 x = firn_grid_node_position(&w->m->grid, n);
        if (!(fabs((double)x.x - 4 * h) < 1e-6 && fabs((double)x.y - 4 * h) < 1e-6)) continue;
        if (!(fabs((double)x.z - 4 * h) < 1e-6)) continue;
        checked++;
        const double per_axis = cbrt((double)w->m->node_velocity[n][3] / (400 * h * h * h));
        if (spline == FIRN_SPLINE_QUADRATIC) {
            check_figure(T02_quadratic_spacing, per_axis);
        } else {
            check_figure(T02_non_integer_spacing, per_axis);
        }
    }
    assert_int_equal(checked, 1);
    world_destroy(w);
}

// Forces out of nothing: why stratified seeding is the default.
static void random_seeding_is_noisy(void** state)
{
    const firn_spline spline = spline_of(state);
    const double size[3] = {20, 20, 20}, n_per_cell = 8;
    any_source r = any_start(2001);
    world* w = world_create(h);
    w->def.spline = spline;
    world_scatter(w, &r, origin, size, n_per_cell, 0);
    world_start(w);
    stress_uniformly(w, firn_m3_diagonal((firn_real)0.98, (firn_real)0.98, (firn_real)0.98));
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_03_FORCES, 1e-4);
    double square = 0;
    int count = 0;
    for (firn_local n = 0; n < world_nodes(w); n++) {
        if (!inside(w, n, origin, size, 2)) continue;
        for (int a = 0; a < 3; a++, count++) square += pow((double)w->m->node_force[n][a], 2);
    }
    const double acceleration = sqrt(square / count) / (400 * h * h * h);
    const double noise = acceleration * 400 * h * sqrt(n_per_cell) / pressure(0.98);
    if (spline == FIRN_SPLINE_QUADRATIC) {
        check_figure(T02_quadratic_noise, noise);
    } else {
        check_figure(T02_random_noise, noise);
    }
    world_destroy(w);
}

static world* world_of_step_2(void)
{
    world* w = world_create(h);
    w->def.volumes = FIRN_MPM_VOLUMES_GRID;
    return w;
}

static double density_of(const world* w, firn_local p)
{
    return (double)w->m->p.mass[p] / (double)w->m->p.volume[p];
}

static bool deep(const world* w, firn_local p, const double size[3], double depth)
{
    const firn_vec3 x = w->m->p.position[p];
    for (int a = 0; a < 3; a++)
        if (!((double)(&x.x)[a] > depth * h && (double)(&x.x)[a] < (size[a] - depth) * h))
            return false;
    return true;
}

static void densities_inside(void** state)
{
    (void)state;
    const double size[3] = {12, 12, 12};
    world* w = world_of_step_2();
    world_lattice(w, origin, size, 2, 0);
    world_start(w);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_02_VOLUMES, 1e-4);
    double worst = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        if (deep(w, p, size, 4)) worst = fmax(worst, fabs(density_of(w, p) / 400 - 1));
    check_figure(T03_lattice_density, worst);
    world_destroy(w);

    any_source r = any_start(2002);
    const double large[3] = {24, 24, 24};
    w = world_of_step_2();
    world_scatter(w, &r, origin, large, 8, 0);
    world_start(w);
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_02_VOLUMES, 1e-4);
    double sum = 0, square = 0, count = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        if (!deep(w, p, large, 4)) continue;
        const double rho = density_of(w, p);
        sum += rho;
        square += rho * rho;
        count++;
    }
    check_figure(T03_poisson_mean, sum / count);
    check_figure(T03_poisson_sd, sqrt(square / count - pow(sum / count, 2)));
    world_destroy(w);
}

// Density at depths below flat surfaces: particles of no weight mark the places.
static void densities_at_surfaces(void** state)
{
    (void)state;
    static const double place[6][3] = {{0, 6, 6}, {0.5, 6, 6}, {1, 6, 6},
                                       {2, 6, 6}, {0, 0, 6},   {0, 0, 0}};
    static const int name[6] = {FIGURE_T03_surface_0, FIGURE_T03_surface_half, FIGURE_T03_surface_1,
                                FIGURE_T03_surface_2, FIGURE_T03_edge,         FIGURE_T03_corner};
    const double size[3] = {12, 12, 12};
    for (int offset = 0; offset < 4; offset++) {
        const double from[3] = {0.25 * offset, 0.25 * offset, 0.25 * offset};
        world* w = world_of_step_2();
        world_lattice(w, from, size, 4, 0);
        const firn_local first = w->seeds.count;
        for (int k = 0; k < 6; k++)
            world_add(w,
                      firn_v3((firn_real)((from[0] + place[k][0]) * h),
                              (firn_real)((from[1] + place[k][1]) * h),
                              (firn_real)((from[2] + place[k][2]) * h)),
                      1e-15);
        world_start(w);
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_02_VOLUMES, 1e-4);
        int found = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const int k = (int)w->m->p.id[p] - (int)first;
            if (k < 0) continue;
            found++;
            check_figure_at(name[k], density_of(w, p) / 400, __FILE__, __LINE__);
        }
        assert_int_equal(found, 6);
        world_destroy(w);
    }
}

// Volumes of a ball come out too big, because its surface looks thin.
static void volume_of_balls(void** state)
{
    (void)state;
    static const int name[3] = {FIGURE_T03_sphere_10, FIGURE_T03_sphere_15, FIGURE_T03_sphere_20};
    for (int k = 0; k < 3; k++) {
        const double radius = 10 + 5 * k, size[3] = {2 * radius, 2 * radius, 2 * radius};
        world* w = world_of_step_2();
        world_lattice(w, origin, size, 2, radius);
        world_start(w);
        world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_02_VOLUMES, 1e-4);
        double sum = 0;
        for (firn_local p = 0; p < w->m->p.count; p++) sum += (double)w->m->p.volume[p];
        check_figure_at(name[k], sum / (4.0 / 3 * 3.14159265358979 * pow(radius * h, 3)), __FILE__,
                        __LINE__);
        world_destroy(w);
    }
}

int test_mpm_lattice(void)
{
    const struct CMUnitTest tests[] = {
        EACH_SPLINE(lattice_is_exact),           EACH_SPLINE(spacing_that_does_not_fit),
        EACH_SPLINE(random_seeding_is_noisy),    cmocka_unit_test(densities_inside),
        cmocka_unit_test(densities_at_surfaces), cmocka_unit_test(volume_of_balls)};
    return cmocka_run_group_tests_name("mpm_lattice", tests, NULL, NULL);
}
