// SPDX-License-Identifier: MIT
// Heat from a plate and from the air into blocks of snow, against the exact mean temperature, for
// the program as users run it. The temperature of a particle is that of its centre: half a spacing
// of snow is in series with the surface.
#include "solver/grains/as_run.h"
#include "solver/slab_exact.h"

#define BEGIN (-10.0)   // [degC]
#define OUTSIDE (-1.0)  // [degC]

static double mean_temperature(const firn_sim* sim)
{
    const firn_field_view T = as_run_field(sim, "temperature");
    double sum = 0;
    for (int64_t i = 0; i < T.count; i++) sum += as_run_value(&T, i, 0);
    return sum / (double)T.count;
}

// Heat that the snow has taken up, over the exact amount.
static void check(firn_sim* sim, double time, double exact)
{
    as_run_until(sim, time);
    const double share = (mean_temperature(sim) - BEGIN) / ((1 - exact) * (OUTSIDE - BEGIN));
    print_message("after %g s %.4f of the exact heat\n", time, share);
    check_figure(T50_sph_heat, share);
}

static firn_sim* create(const char* gravity, const double size[3], const char* outside)
{
    char text[1200];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: sph\ntime: {frames: 40, fps: 20}\ngravity: %s\n"
             "sph: {spacing: 0.01}\nmaterials: {slab: {preset: snow, conductivity: 1000}}\n"
             "snow: [{shape: {box: {center: [0, %g, 0], size: [%g, %g, %g]}}, material: slab, "
             "temperature: -10}]\n%s\n",
             gravity, size[1] / 2, size[0], size[1], size[2], outside);
    return as_run_create(text);
}

static void a_plate_warms_a_slab(void** state)
{
    (void)state;
    const double heights[] = {0.06, 0.08}, transfers[] = {1e5, 1e4};
    for (int k = 0; k < 2; k++) {
        const slab_exact s = {1000, 400, 2090, transfers[k]};
        char plate[200];
        snprintf(plate, sizeof plate,
                 "colliders: [{shape: {plane: {}}, friction: 1, temperature: -1, heat_transfer: "
                 "%g}]",
                 transfers[k]);
        firn_sim* sim = create("[0, -9.81, 0]", (const double[]){0.08, heights[k], 0.08}, plate);
        check(sim, 0.4, slab_exact_mean(&s, heights[k], 0.4));
        check(sim, 0.8, slab_exact_mean(&s, heights[k], 0.8));
        firn_sim_destroy(sim);
    }
}

// Six faces: the mean of a box is the product of the means of three slabs. On a plate of the
// temperature of the air the face below counts once.
static void air_warms_a_box(void** state)
{
    (void)state;
    const double size[3] = {0.12, 0.08, 0.1};
    const slab_exact s = {1000, 400, 2090, 1e4};
    const char* outside[] = {
        "air: {temperature: -1, heat_transfer: 1e4, drag: false}",
        "air: {temperature: -1, heat_transfer: 1e4, drag: false}\ncolliders: [{shape: {plane: {}}, "
        "friction: 1, temperature_of_air: true, heat_transfer: 1e4}]"};
    for (int k = 0; k < 2; k++) {
        firn_sim* sim = create(k == 0 ? "[0, 0, 0]" : "[0, -9.81, 0]", size, outside[k]);
        for (int n = 1; n <= 2; n++) {
            double exact = 1;
            for (int d = 0; d < 3; d++) exact *= slab_exact_mean(&s, size[d] / 2, 0.2 * n);
            check(sim, 0.2 * n, exact);
        }
        firn_sim_destroy(sim);
    }
}

int test_sph_slab(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_plate_warms_a_slab),
                                       cmocka_unit_test(air_warms_a_box)};
    return cmocka_run_group_tests_name("sph_slab", tests, NULL, NULL);
}
