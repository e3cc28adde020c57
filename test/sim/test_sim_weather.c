// SPDX-License-Identifier: MIT
// Temperature set by the caller and by the scene's keys gives bitwise identical results; warm air
// warms snow; solvers that do not support heat refuse.
#include "play_fixture.h"

// A slab of snow on warm ground. `air` and `ground` are keys of the two.
static firn_sim* start(const char* air, const char* ground)
{
    char text[1000];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: sph\ntime: {frames: 4, fps: 100}\n"
             "sph: {spacing: 0.03, heat_speed: 1000}\n"
             "snow:\n  - shape: {box: {center: [0, 0.06, 0], size: [0.15, 0.12, 0.15]}}\n"
             "    temperature: -10\n"
             "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n    %s\n"
             "air: {drag: false, %s}\n",
             ground, air);
    return play_start(text);
}

static double mean_temperature(const firn_sim* sim)
{
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, "temperature", &view), FIRN_OK);
    const firn_real* T = view.data;
    double sum = 0;
    for (firn_local k = 0; k < view.count; k++) sum += (double)T[k];
    return sum / (double)view.count;
}

// A step of the temperature at frame 2: by two keys, or by hand.
static void keys_are_hands(void** state)
{
    (void)state;
    static const char keyed_air[] = "temperature_keys: [{time: 0, temperature: 5}, {time: 0.02, "
                                    "temperature: 5}, {time: 0.02, temperature: -30}]";
    firn_sim* keyed = start(keyed_air, "temperature_of_air: true");
    firn_sim* hand = start("temperature: 5", "temperature: 5");
    firn_sim* warm = start("temperature: 5", "temperature: 5");
    firn_sim* cold_ground = start(keyed_air, "temperature: 5");
    assert_equal(firn_sim_temperature(keyed), 5);
    assert_equal(firn_sim_temperature(hand), 5);
    play_frames(keyed, 2);
    play_frames(hand, 2);
    play_frames(warm, 4);
    play_frames(cold_ground, 4);
    assert_equal(firn_sim_hash(keyed), firn_sim_hash(hand));
    const double before = mean_temperature(hand);
    assert_greater(before, -10);
    assert_int_equal(firn_sim_set_temperature(hand, -30), FIRN_OK);
    assert_equal(firn_sim_temperature(keyed), -30);
    assert_equal(firn_sim_temperature(hand), -30);
    play_frames(keyed, 2);
    play_frames(hand, 2);
    assert_equal(firn_sim_hash(keyed), firn_sim_hash(hand));
    assert_less(mean_temperature(hand), before);
    assert_greater(mean_temperature(warm), before);
    assert_greater(mean_temperature(cold_ground), mean_temperature(keyed));  // the ground counts
    firn_sim* const all[] = {keyed, hand, warm, cold_ground};
    for (int k = 0; k < 4; k++) firn_sim_destroy(all[k]);
}

// Only a collider has a temperature until the caller sets that of the air.
static void air_that_was_not_there(void** state)
{
    (void)state;
    static const char text[] =
        "firn: 1\nsolver: sph\ntime: {frames: 4, fps: 100}\n"
        "sph: {spacing: 0.03, heat_speed: 1000}\n"
        "snow:\n  - shape: {box: {center: [0, 0.2, 0], size: [0.12, 0.12, 0.12]}}\n"
        "    temperature: -10\n"
        "colliders:\n  - shape: {plane: {point: [0, -1, 0], normal: [0, 1, 0]}}\n"
        "    temperature: -10\n";
    firn_sim *a = play_start(text), *b = play_start(text);
    assert_nan(firn_sim_temperature(a));
    assert_int_equal(firn_sim_set_temperature(a, 30), FIRN_OK);
    play_frames(a, 2);
    play_frames(b, 2);
    // [K] all is at -10: only rounding of floats of 10 over the steps
    assert_near(mean_temperature(b), -10, 1e-3);
    assert_greater(mean_temperature(a), -9.9);
    firn_sim_destroy(a);
    firn_sim_destroy(b);
}

static void refused(void** state)
{
    (void)state;
    firn_sim* sim = start("temperature: 5", "friction: 0.4");
    const double bad[] = {-300, NAN, INFINITY, 1e6};
    for (int k = 0; k < 4; k++)
        assert_int_equal(firn_sim_set_temperature(sim, bad[k]), FIRN_REFUSED_ARGUMENT);
    assert_equal(firn_sim_temperature(sim), 5);
    firn_sim_destroy(sim);
    sim = play_start("firn: 1\nsolver: mpm\nmpm: {cell: 0.05}\n"
                     "snow:\n  - shape: {sphere: {center: [0, 0, 0], radius: 0.1}}\n");
    assert_int_equal(firn_sim_set_temperature(sim, 0), FIRN_REFUSED_NAME);
    assert_contains(firn_sim_error(sim), "solver 'mpm' does not support heat");
    assert_nan(firn_sim_temperature(sim));
    firn_sim_destroy(sim);
    sim = play_start("firn: 1\nsolver: sph\nsph: {spacing: 0.05}\n"
                     "snow:\n  - shape: {sphere: {center: [0, 0, 0], radius: 0.1}}\n");
    assert_int_equal(firn_sim_set_temperature(sim, 0), FIRN_REFUSED_NAME);
    assert_contains(firn_sim_error(sim), "air: {temperature: -5}");
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    firn_sim_destroy(sim);
}

int test_sim_weather(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_hands),
                                       cmocka_unit_test(air_that_was_not_there),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("sim_weather", tests, NULL, NULL);
}
