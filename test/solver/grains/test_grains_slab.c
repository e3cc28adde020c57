// SPDX-License-Identifier: MIT
// Conductivity of packed grains as users get them: a slab takes the temperature of a plate, at
// several densities and sizes of grains, and a box that of the air, against exact solutions.
#include "solver/grains/as_run.h"
#include "solver/slab_exact.h"

#define BEGIN (-10.0)   // [degC]
#define OUTSIDE (-1.0)  // [degC]
#define CAPACITY 2090.0

static double mean_temperature(const firn_sim* sim)
{
    const firn_field_view T = as_run_field(sim, "temperature");
    double sum = 0;
    for (int64_t i = 0; i < T.count; i++) sum += as_run_value(&T, i, 0);
    return sum / (double)T.count;
}

static firn_sim* create(const char* gravity, double radius, const slab_exact* s,
                        const double size[3], const char* outside)
{
    char text[1200];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: grains\ntime: {frames: 100, fps: 100}\ngravity: %s\n"
             "grains: {radius: %g, conductivity_snow: %g, conductivity_ice: %g, capacity_ice: %g}\n"
             "materials: {own: {density: %g}}\n"
             "snow: [{shape: {box: {center: [0, %g, 0], size: [%g, %g, %g]}}, material: own, "
             "temperature: %g}]\n%s\n",
             gravity, radius, s->k, s->k, CAPACITY, s->density, size[1] / 2, size[0], size[1],
             size[2], BEGIN, outside);
    return as_run_create(text);
}

// Heat that the snow has taken up until `time`, over the exact amount.
static double share(firn_sim* sim, double time, double exact)
{
    as_run_until(sim, time);
    const double found = (mean_temperature(sim) - BEGIN) / ((1 - exact) * (OUTSIDE - BEGIN));
    print_message("after %g s %.4f of the exact heat\n", time, found);
    return found;
}

static void a_slab_conducts(void** state)
{
    (void)state;
    // k in proportion to the density: the same time scale
    const struct {
        double density, radius;
    } cases[] = {{150, 0.008}, {300, 0.008}, {550, 0.01}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const slab_exact s = {cases[k].density / 0.06, cases[k].density, CAPACITY, 1e6};
        char plate[200];
        snprintf(
            plate, sizeof plate,
            "colliders: [{shape: {plane: {}}, friction: 1, temperature: %g, heat_transfer: %g}]",
            OUTSIDE, s.transfer);
        const double size[3] = {0.3, 0.08, 0.3};
        firn_sim* sim = create("[0, -9.81, 0]", cases[k].radius, &s, size, plate);
        print_message("%g kg/m^3, r_s = %g m: ", s.density, cases[k].radius);
        check_figure(T50_slab, share(sim, 0.14, slab_exact_mean(&s, size[1], 0.14)));
        firn_sim_destroy(sim);
    }
}

// Centres of grains are a radius below the surface of the box: it loses 2 r of its width, which is
// a tenth here.
static void air_warms_a_box(void** state)
{
    (void)state;
    const double size[3] = {0.16, 0.12, 0.16};
    const slab_exact s = {8000, 300, CAPACITY, 8e4};
    firn_sim* sim = create("[0, 0, 0]", 0.009, &s, size,
                           "air: {temperature: -1, heat_transfer: 8e4, drag: false}");
    double exact = 1;
    for (int d = 0; d < 3; d++) exact *= slab_exact_mean(&s, size[d] / 2, 0.1);
    check_figure(T50_box, share(sim, 0.1, exact));
    firn_sim_destroy(sim);
}

// Snow with the heat of 80 degC is wet: 80 K c/L of it is water, at 0 degC. On a plate at 0 degC
// it stays so.
static void warm_snow_is_wet(void** state)
{
    (void)state;
    firn_sim* sim = as_run_create(
        "firn: 1\nsolver: grains\ntime: {frames: 2, fps: 100}\n"
        "grains: {radius: 0.02, capacity_ice: 2090}\n"
        "snow: [{shape: {box: {center: [0, 0.1, 0], size: [0.2, 0.2, 0.2]}}, temperature: 80}]\n"
        "colliders: [{shape: {plane: {}}, temperature: 0}]\n");
    for (int frame = 0; frame < 2; frame++) {
        const firn_field_view water = as_run_field(sim, "water"),
                              T = as_run_field(sim, "temperature");
        for (int64_t i = 0; i < water.count; i++) {
            check_figure(T50_wet, as_run_value(&water, i, 0));
            assert_true(as_run_value(&T, i, 0) == 0);
        }
        as_run_until(sim, 0.01 * (frame + 1));
    }
    firn_sim_destroy(sim);
}

int test_grains_slab(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_slab_conducts),
                                       cmocka_unit_test(air_warms_a_box),
                                       cmocka_unit_test(warm_snow_is_wet)};
    return cmocka_run_group_tests_name("grains_slab", tests, NULL, NULL);
}
