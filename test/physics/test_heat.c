// SPDX-License-Identifier: MIT
// Conduction on a lattice of particles against exact solutions, the exchange through a surface, and
// stiffness by temperature.
#include "physics/heat.h"

#include <string.h>

#include "core/memory.h"
#include "firn_test.h"

#define PI 3.14159265358979323846

// A lattice of particles, periodic where a side says so. Spline of support 2 h.
typedef struct lattice {
    int n[3];
    bool periodic[3];
    double h;                       // [m] spacing
    double density, heat_capacity;  // [kg/m^3], [J/kg/K]
    double *T, *k, *power;          // [degC], [W/m/K], [W]
} lattice;

static int count_of(const lattice* l)
{
    return l->n[0] * l->n[1] * l->n[2];
}

static lattice make(int nx, int ny, int nz, double h)
{
    lattice l = {.n = {nx, ny, nz}, .h = h, .density = 400, .heat_capacity = 2090};
    const size_t count = (size_t)count_of(&l);
    l.T = firn_alloc(count, sizeof *l.T);
    l.k = firn_alloc(count, sizeof *l.k);
    l.power = firn_alloc(count, sizeof *l.power);
    for (size_t p = 0; p < count; p++) l.k[p] = 0.3;
    return l;
}

static void drop(lattice* l)
{
    firn_free(l->T);
    firn_free(l->k);
    firn_free(l->power);
}

// r dW/dr [m^-3] of the cubic spline with support 2 h (Monaghan 1992): x . grad W.
static double x_grad_W(double r, double h)
{
    const double q = r / h, sigma = 1 / (PI * h * h * h);
    if (q >= 2) return 0;
    const double slope = q < 1 ? -3 * q + 2.25 * q * q : -0.75 * (2 - q) * (2 - q);
    return sigma * slope * q;
}

static int index_of(const lattice* l, const int at[3])
{
    int i[3];
    for (int d = 0; d < 3; d++) {
        i[d] = at[d];
        if (l->periodic[d]) i[d] = (i[d] + l->n[d]) % l->n[d];
        if (i[d] < 0 || i[d] >= l->n[d]) return -1;
    }
    return (i[2] * l->n[1] + i[1]) * l->n[0] + i[0];
}

static double pair_power(const lattice* l, int p, int other, double r)
{
    const double V = l->h * l->h * l->h;
    return (double)firn_heat_pair((firn_real)l->T[p], (firn_real)l->T[other], (firn_real)l->k[p],
                                  (firn_real)l->k[other], (firn_real)V, (firn_real)V,
                                  (firn_real)x_grad_W(r, l->h), (firn_real)(r * r),
                                  (firn_real)l->h);
}

// Power of every particle from all others.
static void find_power(lattice* l)
{
    for (int p = 0; p < count_of(l); p++) {
        const int at[3] = {p % l->n[0], p / l->n[0] % l->n[1], p / l->n[0] / l->n[1]};
        l->power[p] = 0;
        for (int c = 0; c < 27; c++) {
            const int step[3] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
            const int to[3] = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
            const int other = index_of(l, to);
            if (c == 13 || other < 0 || other == p) continue;
            const double r = l->h * sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
            l->power[p] += pair_power(l, p, other, r);
        }
    }
}

static void advance(lattice* l, double dt)
{
    const double capacity = l->density * l->heat_capacity * l->h * l->h * l->h;  // [J/K]
    for (int p = 0; p < count_of(l); p++) l->T[p] += dt * l->power[p] / capacity;
}

static double limit_of(const lattice* l, double heat_transfer)
{
    return (double)firn_heat_step_limit((firn_real)l->density, (firn_real)l->heat_capacity,
                                        (firn_real)0.3, (firn_real)l->h, (firn_real)heat_transfer);
}

// What one gains the other loses, exactly, and heat goes from hot to cold.
static void pairs_conserve_energy(void** state)
{
    (void)state;
    const firn_real V = (firn_real)1e-6, W = (firn_real)-2e5, r2 = (firn_real)1e-4;
    const firn_real h = (firn_real)0.01;
    const firn_real a = firn_heat_pair(-20, 0, (firn_real)0.3, 2, V, 2 * V, W, r2, h);
    const firn_real b = firn_heat_pair(0, -20, 2, (firn_real)0.3, 2 * V, V, W, r2, h);
    assert_greater(a, 0);
    assert_equal(a, -b);
    assert_equal(firn_heat_pair(3, 3, 1, 2, V, V, W, r2, h), 0);
    assert_equal(firn_heat_pair(3, 0, 0, 0, V, V, W, r2, h), 0);   // two insulators
    assert_equal(firn_heat_pair(3, 0, 0, 50, V, V, W, r2, h), 0);  // one is enough
    assert_finite(firn_heat_pair(3, 0, 1, 1, V, V, W, 0, h));
}

// exp(-a q^2 t), a = k/(rho c), q = 2 pi/wavelength. The sum over the 26 neighbours of a lattice
// has 1.013 of the Laplacian of a smooth field, and a sine of 24 particles loses 0.9 % to its own
// curvature: both within 2 %.
static void a_sine_decays(void** state)
{
    (void)state;
    lattice l = make(24, 3, 3, 0.01);
    for (int d = 0; d < 3; d++) l.periodic[d] = true;
    const double q = 2 * PI / (24 * l.h), a = 0.3 / (400 * 2090);
    for (int p = 0; p < count_of(&l); p++) l.T[p] = -10 + 5 * sin(q * l.h * (p % 24));
    const double end = 1 / (a * q * q), dt = 0.5 * limit_of(&l, 0);
    const int steps = (int)ceil(end / dt);
    for (int s = 0; s < steps; s++) {
        find_power(&l);
        advance(&l, end / steps);
    }
    double sum = 0, amplitude = 0;
    for (int p = 0; p < count_of(&l); p++) {
        sum += l.T[p];
        amplitude += 2 * l.T[p] * sin(q * l.h * (p % 24)) / count_of(&l);
    }
    const double rate = -log(amplitude / 5);  // exact: 1
    print_message("decay %.4f of the exact rate, %d steps\n", rate, steps);
    assert_near(rate, 1, 0.02);
    assert_near(sum / count_of(&l), -10, 1e-5);  // energy, to the rounding of fluxes in float
    drop(&l);
}

// Two slabs that touch, of different conductivity, ends held at 0 and 1: the steady flux is that of
// resistances in a row, which needs the harmonic mean at the joint.
static void two_slabs(void** state)
{
    (void)state;
    enum { N = 16 };
    lattice l = make(N, 3, 3, 0.01);
    l.periodic[1] = l.periodic[2] = true;
    for (int p = 0; p < count_of(&l); p++) {
        l.k[p] = p % N < N / 2 ? 0.1 : 0.4;
        l.T[p] = (double)(p % N) / (N - 1);
    }
    l.heat_capacity *= 0.4 / 0.3;  // limit_of takes 0.3
    const double dt = limit_of(&l, 0);
    for (int s = 0; s < 4000; s++) {
        find_power(&l);
        for (int p = 0; p < count_of(&l); p++)
            if (p % N == 0 || p % N == N - 1) l.power[p] = 0;  // held
        advance(&l, dt);
    }
    find_power(&l);
    // slopes away from joint and ends: the flux k dT/dx is the same on both sides
    const double cold = 0.1 * (l.T[5] - l.T[3]), warm = 0.4 * (l.T[12] - l.T[10]);
    print_message("k dT/dx: %.6f and %.6f\n", cold / (2 * l.h), warm / (2 * l.h));
    // 4000 steps bring it within 1 % of the steady state
    assert_near(cold / warm, 1, 0.01);
    // extrapolated to the joint, both sides have the same temperature (within 1 % of the range)
    const double left = l.T[5] + (l.T[5] - l.T[3]) / 2 * 2.5;
    const double right = l.T[10] - (l.T[12] - l.T[10]) / 2 * 2.5;
    assert_near(left, right, 0.01);
    drop(&l);
}

// A slab that suddenly has 0 degC on both faces: exact series. Particles carry no temperature at
// the face itself, which is half a spacing beyond the first layer: the film there has a heat
// transfer of 2 k/h.
static void a_slab_warms_up(void** state)
{
    (void)state;
    enum { N = 20 };
    lattice l = make(N, 3, 3, 0.01);
    l.periodic[1] = l.periodic[2] = true;
    for (int p = 0; p < count_of(&l); p++) l.T[p] = -100;
    const double L = N * l.h, a = 0.3 / (400 * 2090), film = 2 * 0.3 / l.h;
    const double end = 0.1 * L * L / a;  // Fourier number 0.1
    const int steps = (int)ceil(end / limit_of(&l, film));
    for (int s = 0; s < steps; s++) {
        find_power(&l);
        for (int p = 0; p < count_of(&l); p++)
            if (p % N == 0 || p % N == N - 1)
                l.power[p] += (double)firn_heat_surface((firn_real)l.T[p], 0, (firn_real)film,
                                                        (firn_real)(l.h * l.h));
        advance(&l, end / steps);
    }
    double worst = 0;
    for (int i = 0; i < N; i++) {
        double exact = 0;  // Carslaw and Jaeger 1959, sec. 3.3
        for (int m = 1; m < 40; m += 2) {
            const double q = m * PI / L;
            exact -= 400 / (m * PI) * sin(q * (i + 0.5) * l.h) * exp(-a * q * q * end);
        }
        worst = fmax(worst, fabs(l.T[i] - exact));
    }
    print_message("slab: off by %.2f of 100 degC at most\n", worst);
    assert_less(worst, 2);
    drop(&l);
}

// At the limit a lone hot particle among cold ones stays between them; at twice the limit it would
// not.
static void step_limit_keeps_order(void** state)
{
    (void)state;
    for (int run = 0; run < 2; run++) {
        lattice l = make(5, 5, 5, 0.01);
        for (int d = 0; d < 3; d++) l.periodic[d] = true;
        l.T[62] = 100;
        find_power(&l);
        advance(&l, limit_of(&l, 0) * (run == 0 ? 1 : 2));
        double lowest = 1e9;
        for (int p = 0; p < count_of(&l); p++) lowest = fmin(lowest, l.T[p]);
        assert_true(run == 0 ? lowest >= 0 : lowest < 0);
        drop(&l);
    }
    // exchange alone: a lone particle may reach the air's temperature, not pass it
    const double dt = (double)firn_heat_step_limit(400, 2090, 0, (firn_real)0.01, 50);
    const double area = (double)firn_heat_area((firn_real)0.01, 0);
    const double power = (double)firn_heat_surface(-10, 0, 50, (firn_real)area);
    // roundings of float
    assert_near(area / 6e-4, 1, 1e-6);
    assert_near(dt * power / (400 * 2090 * 1e-6) / 10, 1, 1e-5);
}

static void young_by_temperature(void** state)
{
    (void)state;
    firn_snow_material m = {.young = 140000};
    assert_equal(firn_young_at(&m, -40), 140000);
    m.young_count = 3;  // the oven of Gissler et al. 2020, figure 7, with a knee
    m.young_at[0] = (firn_young_row){-100, 600000};
    m.young_at[1] = (firn_young_row){-10, 100000};
    m.young_at[2] = (firn_young_row){0, 20000};
    assert_equal(firn_young_at(&m, -273), 600000);
    assert_equal(firn_young_at(&m, -100), 600000);
    assert_equal(firn_young_at(&m, -10), 100000);
    assert_near(firn_young_at(&m, -55), 350000, 1);
    assert_near(firn_young_at(&m, -5), 60000, 1);
    assert_equal(firn_young_at(&m, 0), 20000);
    assert_equal(firn_young_at(&m, 30), 20000);
}

int test_heat(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_conserve_energy),
                                       cmocka_unit_test(a_sine_decays),
                                       cmocka_unit_test(two_slabs),
                                       cmocka_unit_test(a_slab_warms_up),
                                       cmocka_unit_test(step_limit_keeps_order),
                                       cmocka_unit_test(young_by_temperature)};
    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}
