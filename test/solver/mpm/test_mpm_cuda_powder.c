// SPDX-License-Identifier: MIT
// Powder on a device: it sheds as the CPU does, always the same, and a run goes on across machines.
// The points themselves are the host's (solver/shared/powder/powder.h).
#include "sim/sim_powder.h"
#include "solver/mpm/device_sim.h"

// The ball of device_sim.h bursts on the floor. With emitters and culling, too: particles come, and
// entries of the arrays go.
static const struct {
    const char *powder, *also;
} ways[] = {
    {"powder={points: 30, life: 0.05, tick: 0.004, speed: 0.5}", NULL},
    {"powder={points: 30, life: 0.05, tick: 0.004, speed: 0.5}",
     "air={velocity: [6, 0, 3], gusts: {strength: 0.4, length: 0.1, period: 0.03, seed: 4}}"},
    {"powder={points: 400, tick: 0.01, speed: 0.2, rate: 1}",
     "emitters=[{shape: {sphere: {center: [0.2, 0.12, 0], radius: 0.03}}, rate: 20000, velocity: "
     "[-2, -4, 0]}]"},
    {"powder={points: 100, max: 300, speed: 0.2, rate: 1}", "cull={below: 0.02}"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static device_way way_of(int k, bool on_device)
{
    return (device_way){.override = ways[k].powder, .also = ways[k].also, .on_device = on_device};
}

// A particle sheds by the change of its J_P, which two machines find within 1e-3 where snow breaks
// (device_compare): so many points differ, and the chance of rounding up: three of its deviations.
static void as_on_the_cpu(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        firn_powder_clock clock[2];
        for (int side = 0; side < 2; side++) {
            const device_way way = way_of(k, side == 1);
            firn_sim* sim = device_sim(&way);
            device_run(sim);
            clock[side] = firn_sim_powder(sim)->clock;
            assert_int_equal(firn_sim_powder(sim)->store.count, clock[side].count);
            firn_sim_destroy(sim);
        }
        const double a = (double)(clock[0].shed + clock[0].dropped);
        const double b = (double)(clock[1].shed + clock[1].dropped);
        print_message("way %d: shed %g and %g, of them dropped %d and %d; left %d and %d\n", k, a,
                      b, (int)clock[0].dropped, (int)clock[1].dropped, (int)clock[0].count,
                      (int)clock[1].count);
        assert_greater(a, 300);
        assert_near(a, b, 0.02 * a + 3 * sqrt(a));
        assert_near(clock[0].time, clock[1].time, 1e-9);
    }
}

static uint64_t looked_at(const device_way* way, int every)
{
    firn_sim* sim = device_sim(way);
    for (int k = 0; firn_sim_read(sim).frame < 6; k++) {
        if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        if (k % every == 0) assert_not_equal(firn_sim_hash(sim), 0);
    }
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return hash;
}

// Of snow and powder, however far the device runs ahead and whoever looks on the way.
static void always_the_same_bits(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        device_way way = way_of(k, true);
        const uint64_t hash = device_hash(&way);
        for (int a = 0; a < 3; a++) {
            way.run_ahead = (const int[]){0, 1, 7}[a];
            if (device_hash(&way) != hash)
                fail_msg("way %d: other bits with run_ahead %d", k, way.run_ahead);
        }
        way.run_ahead = 0;
        if (looked_at(&way, 5) != hash) fail_msg("way %d: other bits when looked at", k);
    }
}

// The snow is the same with powder and without.
static void snow_does_not_notice(void** state)
{
    (void)state;
    device_figures f[2];
    for (int with = 0; with < 2; with++) {
        const device_way way = {.override = with ? ways[0].powder : NULL, .on_device = true};
        firn_sim* sim = device_sim(&way);
        device_run(sim);
        f[with] = device_figures_of(sim);
        firn_sim_destroy(sim);
    }
    assert_memory_equal(f[0].center, f[1].center, sizeof f[0].center);
    assert_memory_equal(f[0].velocity, f[1].velocity, sizeof f[0].velocity);
    assert_equal(f[0].mass, f[1].mass);
}

// In two halves: on the device bit for bit, across machines as many points as in one run.
static void resumed(void** state)
{
    (void)state;
    device_way way = way_of(0, true);
    const uint64_t whole = device_hash(&way);
    int64_t shed[3];
    for (int k = 0; k < 3; k++) {  // device and device, CPU and device, device and CPU
        char dir[300];
        snprintf(dir, sizeof dir, "%s/powder%d", FIRN_TEST_TMP, k);
        way.dir = dir;
        way.on_device = k != 1;
        way.frame_end = 3;
        way.resume = false;
        (void)device_hash(&way);
        way.on_device = k != 2;
        way.frame_end = 6;
        way.resume = true;
        firn_sim* sim = device_sim(&way);
        device_run(sim);
        shed[k] = firn_sim_powder(sim)->clock.shed;
        if (k == 0) assert_equal(firn_sim_hash(sim), whole);
        firn_sim_destroy(sim);
    }
    print_message("shed %d, %d and %d\n", (int)shed[0], (int)shed[1], (int)shed[2]);
    for (int k = 1; k < 3; k++)
        assert_near((double)shed[k], (double)shed[0],
                    0.02 * (double)shed[0] + 3 * sqrt((double)shed[0]));
}

int test_mpm_cuda_powder(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_on_the_cpu), cmocka_unit_test(always_the_same_bits),
        cmocka_unit_test(snow_does_not_notice), cmocka_unit_test(resumed)};
    return cmocka_run_group_tests_name("mpm_cuda_powder", tests, NULL, NULL);
}
