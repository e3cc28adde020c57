// SPDX-License-Identifier: MIT
// T34 and the first line of T41: density and hardening on lattices, through the cells, the lists
// and step 1. The spacing is a power of two, so that distances on the lattice are exact and
// particles two spacings apart are no neighbours.
#include "solver/sph/world.h"

#define H 0.03125

// What step 1 says of the particle at lattice place (i, j, k) of an n^3 block.
typedef struct seen {
    double density, shear, rest_density;  // over those of fresh snow
    int neighbours;
    firn_mat3 L;
} seen;

static world* block(int n, double edge)
{
    world* w = world_create(H);
    world_lattice(w, firn_v3(0, 0, 0), n, n, n, edge * H);
    world_start(w);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, 1e-3);
    return w;
}

static seen look(const world* w, int n, int i, int j, int k)
{
    const firn_local p = world_find(w, (i * n + j) * n + k);
    const firn_snow_material* s = &w->material.snow;
    const double rho_0 = (double)s->density;
    const double mu_0 = (double)firn_snow_lame(s->young, s->poisson).mu;
    return (seen){(double)w->m->p.density[p] / rho_0, (double)w->m->w.shear[p] / mu_0,
                  (double)w->m->w.rest_density[p] / rho_0, w->m->pairs.neighbours[p],
                  firn_sph_correction_of(&w->m->w, p)};
}

static void T34_places(void** state)
{
    (void)state;
    enum { N = 7 };
    world* w = block(N, 1);
    const seen inside = look(w, N, 3, 3, 3), face = look(w, N, 0, 3, 3), edge = look(w, N, 0, 0, 3);
    const seen corner = look(w, N, 0, 0, 0);
    check_figure(T34_interior, inside.density);
    check_figure(T34_surface, face.density);
    check_figure(T34_edge, edge.density);
    check_figure(T34_corner, corner.density);
    assert_int_equal(inside.neighbours, 26);
    assert_int_equal(face.neighbours, 17);
    assert_int_equal(edge.neighbours, 11);
    assert_int_equal(corner.neighbours, 7);
    // V is h^3 over the density found, so that L is the inverse of the figure times it
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a == b)
                check_figure(T34_moment, inside.density / (double)inside.L.m[a][b]);
            else
                assert_near(inside.L.m[a][b], 0, 10 * ROUNDING);
    check_figure(T41_surface_hardening, face.shear);
    check_figure(T41_corner_hardening, corner.shear);
    world_destroy(w);
}

// Snow that was pressed as a whole: what the kernel makes of its density.
static void T34_compressed(void** state)
{
    (void)state;
    enum { N = 11 };
    static const struct {
        double edge;
        int figure, neighbours;
    } rows[] = {{0.95, FIGURE_T34_compressed_95, 32},
                {0.9, FIGURE_T34_compressed_90, 32},
                {0.8, FIGURE_T34_compressed_80, 80},
                {0.7, FIGURE_T34_compressed_70, 0},
                {0.5, FIGURE_T34_compressed_50, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        world* w = block(N, rows[k].edge);
        const seen inside = look(w, N, 5, 5, 5);
        check_figure_at(rows[k].figure, inside.density * pow(rows[k].edge, 3), __FILE__, __LINE__);
        if (rows[k].neighbours > 0) assert_int_equal(inside.neighbours, rows[k].neighbours);
        // F_E is 1: all of it is plastic, and hardens
        assert_near(inside.rest_density / inside.density, 1, 2 * ROUNDING);
        const double J_P = 1 / inside.rest_density;
        const double harder = fmin(exp(10 * (1 - J_P)), 1000);
        assert_near(inside.shear / harder, 1, 50 * ROUNDING);
        world_destroy(w);
    }
}

static void T41_alone(void** state)
{
    (void)state;
    world* w = block(1, 1);
    const seen alone = look(w, 1, 0, 0, 0);
    check_figure(T34_isolated, alone.density);
    check_figure(T41_isolated_hardening, alone.shear);
    assert_int_equal(alone.neighbours, 0);
    for (int k = 0; k < 9; k++) assert_equal(alone.L.m[k / 3][k % 3], 0);
    world_destroy(w);
}

// eq. 21: the elastic part of the compression is no hardening; a reflected F_E counts by its size.
static void rest_density_leaves_out_the_elastic_part(void** state)
{
    (void)state;
    world* w = block(7, 0.99);
    const firn_local p = world_find(w, (3 * 7 + 3) * 7 + 3);
    const firn_real e = (firn_real)0.99;
    for (int sign = -1; sign <= 1; sign += 2) {
        w->m->p.def_grad_elastic[p] = firn_m3_diagonal(e, e, e * (firn_real)sign);
        world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_01_REST_DENSITY, 1e-3);
        const seen s = look(w, 7, 3, 3, 3);
        assert_near(s.rest_density / s.density / pow(0.99, 3), 1, 4 * ROUNDING);
        assert_near((double)w->m->p.plastic_det[p] * s.rest_density, 1, 4 * ROUNDING);
    }
    world_destroy(w);
}

// Section 4.2.6: hardening by det F_P, wherever the particles are; and IISPH's rho_0.
static void other_rest_densities(void** state)
{
    (void)state;
    world* w = block(5, 0.9);
    const firn_local middle = (2 * 5 + 2) * 5 + 2;
    w->m->def.rest_density = FIRN_SPH_PLASTIC;
    firn_local p = world_find(w, middle);
    w->m->p.plastic_det[p] = (firn_real)0.8;
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_01_REST_DENSITY, 1e-3);
    p = world_find(w, middle);
    assert_equal(w->m->w.rest_density[p], w->m->p.density[p]);  // the pressure's: F_E is 1
    assert_equal(w->m->p.plastic_det[p], (firn_real)0.8);       // read, not written
    assert_near(look(w, 5, 2, 2, 2).shear / exp(2), 1, 20 * ROUNDING);
    w->m->def.rest_density = FIRN_SPH_CURRENT;
    w->m->def.pressure = FIRN_SPH_INCOMPRESSIBLE;
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_01_REST_DENSITY, 1e-3);
    for (p = 0; p < w->m->p.count; p++) assert_equal(w->m->w.rest_density[p], 400);
    world_destroy(w);
}

int test_sph_lattice(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T34_places),
        cmocka_unit_test(T34_compressed),
        cmocka_unit_test(T41_alone),
        cmocka_unit_test(rest_density_leaves_out_the_elastic_part),
        cmocka_unit_test(other_rest_densities),
    };
    return cmocka_run_group_tests_name("sph_lattice", tests, NULL, NULL);
}
