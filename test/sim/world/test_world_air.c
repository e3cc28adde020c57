// SPDX-License-Identifier: MIT
// Gravity and wind that change between steps: free fall, flakes that drift, and what is refused.
#include "world_air_cases.h"

// Mean velocity of the flakes, which are above the block.
static firn_vec3 drift(const firn_sim* sim)
{
    firn_field_view x, v;
    assert_int_equal(firn_sim_field(sim, "position", &x), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "velocity", &v), FIRN_OK);
    firn_vec3 sum = firn_v3(0, 0, 0);
    int count = 0;
    for (firn_local p = 0; p < x.count; p++) {
        if (((const firn_vec3*)x.data)[p].y < 2) continue;
        sum = firn_v3_add(sum, ((const firn_vec3*)v.data)[p]);
        count++;
    }
    assert_int_equal(count, 20);
    return firn_v3_scale(sum, (firn_real)1 / (firn_real)count);
}

// A flake falls at v_t ~ 1 m/s and takes on the wind at the rate g/v_t ~ 10/s: to e^-10 of it in a
// second.
static void flakes_drift(void** state)
{
    (void)state;
    char text[500];
    snprintf(text, sizeof text, "%sair: {}\n", snowfall);
    firn_sim* sim = world_start("sph", text);
    assert_equal(firn_sim_wind(sim).x, 0);
    WORLD_MUST(sim, firn_sim_set_wind(sim, firn_v3(2, 0, 0)));
    assert_equal(firn_sim_wind(sim).x, 2);
    world_frames(sim, 100);
    firn_vec3 v = drift(sim);
    assert_near(v.x, 2, 2e-3);
    assert_near(v.z, 0, 2e-3);
    WORLD_MUST(sim, firn_sim_set_wind(sim, firn_v3(0, 0, -1)));
    world_frames(sim, 100);
    v = drift(sim);
    assert_near(v.x, 0, 2e-3);
    assert_near(v.z, -1, 2e-3);
    firn_sim_destroy(sim);
}

int test_world_air(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parabola), cmocka_unit_test(as_the_scene),
                                       cmocka_unit_test(refuses_gravity),
                                       cmocka_unit_test(flakes_drift),
                                       cmocka_unit_test(air_that_was_not_there)};
    return cmocka_run_group_tests_name("world_air", tests, NULL, NULL);
}
