// SPDX-License-Identifier: MIT
// Grains on a device have the bits of the CPU's plain loops, frame by frame: the same functions,
// the same order of grains, lists and sums. So they do however far the device runs ahead, and
// whoever looks on the way.
#include "solver/grains/device_grains.h"

// What differs from the scene of device_grains.h.
static const char* const ways[] = {
    NULL,
    "air={drag: false}",  // no temperature of the air; that of a body stays
    "grains={radius: 0.05, dt: 0.001, bonds: forever, stick_speed: 0}",
    "grains={radius: 0.07, bonds: always, durability_loss: 0.0005}",
    "cull={below: 0.12, start: 0.03}",
    "cull={inside: {sphere: {center: [0, 0.3, 0], radius: 0.2}}}",
    // some grains so far away that the box of all cells fits into no table; no higher than the
    // others, since the fall would stiffen the springs of all and make 200 times as many steps
    "snow.1={shape: {sphere: {center: [30000, 0.7, -40000], radius: 0.12}}, material: fresh, "
    "temperature: -1}",
    "forces=[{kind: noise, strength: 40, length: 0.3, period: 0.05, seed: 2}, {kind: vortex, "
    "strength: 20, radius: 0.5, falloff: smooth, keys: [[0, 1], [0.1, -1]]}]",
    "gravity_keys=[[0, [0, -9.81, 0]], [0.03, [5, -20, 0]], [0.06, [5, -20, 0]], [0.06, [0, 3, "
    "1]]]",
};
enum { WAYS = sizeof ways / sizeof *ways };

static const char* const fields[] = {"id",       "position",      "velocity", "slip",
                                     "listed",   "listed_radius", "bonds",    "radius",
                                     "enthalpy", "temperature",   "water",    "mass",
                                     "phase",    "broken",        "material", "neighbours_max"};

// Names the first field and grain that differ.
static void explain(const firn_sim* a, const firn_sim* b, const char* what, int frame)
{
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        firn_field_view x, y;
        if (firn_sim_field(a, fields[f], &x) != FIRN_OK) fail_msg("%s", firn_sim_error(a));
        if (firn_sim_field(b, fields[f], &y) != FIRN_OK) fail_msg("%s", firn_sim_error(b));
        if (x.count != y.count)
            fail_msg("%s, frame %d: %d grains instead of %d", what, frame, (int)y.count,
                     (int)x.count);
        const size_t size = x.type == FIRN_FIELD_VEC3 ? 12 : x.type == FIRN_FIELD_U8 ? 1 : 4;
        int different = 0, first = -1;
        for (firn_local i = 0; i < x.count; i++)
            if (memcmp((const char*)x.data + (size_t)i * size,
                       (const char*)y.data + (size_t)i * size, size) != 0) {
                if (different++ == 0) first = i;
            }
        if (different > 0)
            print_message("%s, frame %d: %s of %d grains of %d, first %d\n", what, frame, fields[f],
                          different, (int)x.count, first);
    }
    fail_msg("%s: other bits in frame %d", what, frame);
}

// Sums of a row are in double, added up in another order; momenta may cancel.
static void rows_agree(const firn_sim_info* a, const firn_sim_info* b)
{
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->particle_count, b->particle_count);
    assert_int_equal(a->culled, b->culled);
    assert_int_equal(a->active_blocks, b->active_blocks);
    assert_equal(a->time, b->time);
    assert_equal(a->dt, b->dt);
    assert_near(a->kinetic, b->kinetic, 1e-12 * a->kinetic);
    assert_near(a->potential, b->potential, 1e-12 * fabs(a->potential));
    for (int d = 0; d < 3; d++)
        assert_near(a->momentum[d], b->momentum[d], 1e-9 * sqrt(a->kinetic));
}

static void as_on_the_cpu(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        const char* what = ways[k] != NULL ? ways[k] : "as it is";
        firn_sim* plain = device_sim(&(device_way){.override = ways[k]});
        firn_sim* other = device_sim(&(device_way){.override = ways[k], .on_device = true});
        uint64_t before = 0;
        for (int frame = 1; frame <= 6; frame++) {
            device_frame(plain);
            device_frame(other);
            const uint64_t hash = firn_sim_hash(plain);
            assert_not_equal(hash, before);
            before = hash;
            if (firn_sim_hash(other) != hash) explain(plain, other, what, frame);
            const firn_sim_info a = firn_sim_read(plain), b = firn_sim_read(other);
            rows_agree(&a, &b);
        }
        // each is a scene of some 200 steps; looking at every step of a longer one takes minutes
        assert_in_range(firn_sim_read(plain).step, 51, 1000);
        firn_sim_destroy(plain);
        firn_sim_destroy(other);
    }
}

// The scene does what it is for: there is water, ice again, broken bonds, and snow.
static void it_is_busy(void** state)
{
    (void)state;
    firn_sim* sim = device_sim(&(device_way){.on_device = true});
    int seen[3] = {0, 0, 0}, broken = 0;
    for (int frame = 1; frame <= 6; frame++) {
        device_frame(sim);
        firn_field_view phase, breaks;
        assert_int_equal(firn_sim_field(sim, "phase", &phase), FIRN_OK);
        assert_int_equal(firn_sim_field(sim, "broken", &breaks), FIRN_OK);
        for (firn_local i = 0; i < phase.count; i++) {
            seen[((const uint8_t*)phase.data)[i]]++;
            broken += ((const uint8_t*)breaks.data)[i];
        }
    }
    print_message("snow %d, ice %d, water %d, broken %d\n", seen[0], seen[1], seen[2], broken);
    assert_greater(seen[0], 100);
    assert_greater(seen[1], 100);
    assert_greater(seen[2], 10);
    assert_greater(broken, 10);
    firn_sim_destroy(sim);
}

// A run that is looked at after every `every`-th step.
static uint64_t looked_at(const char* override, int every)
{
    firn_sim* sim = device_sim(&(device_way){.override = override, .on_device = true});
    for (int k = 0; firn_sim_read(sim).frame < 6; k++) {
        if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        if (k % every != 0) continue;
        const uint64_t now = firn_sim_hash(sim);
        assert_not_equal(now, 0);
        assert_equal(now, firn_sim_hash(sim));  // looking changes nothing
    }
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return hash;
}

static void always_the_same_bits(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k += 2) {
        const uint64_t hash = device_hash(&(device_way){.override = ways[k], .on_device = true});
        for (int a = 0; a < 4; a++) {
            const int ahead = (const int[]){0, 1, 7, 64}[a];
            const device_way way = {.override = ways[k], .on_device = true, .run_ahead = ahead};
            if (device_hash(&way) != hash) fail_msg("%d: other bits with run_ahead %d", k, ahead);
        }
        for (int every = 1; every <= 11; every += 5)
            if (looked_at(ways[k], every) != hash)
                fail_msg("%d: other bits when looked at after every %d steps", k, every);
    }
}

// Frames to `frame_end` in folder `dir`, from what is there when `resume`.
static uint64_t leg(const char* override, const char* dir, int64_t frame_end, bool resume,
                    bool on_device)
{
    const device_way way = {.override = override,
                            .dir = dir,
                            .frame_end = frame_end,
                            .resume = resume,
                            .on_device = on_device};
    return device_hash(&way);
}

// A checkpoint knows no machine.
static void two_halves_are_a_whole(void** state)
{
    (void)state;
    for (int k = 0; k < 6; k += 2)
        for (int first = 0; first < 2; first++) {  // who begins; the device goes on
            char dir[300];
            snprintf(dir, sizeof dir, "%s/halves%d%d", FIRN_TEST_TMP, k, first);
            const uint64_t whole = device_hash(&(device_way){.override = ways[k]});
            const uint64_t half = leg(ways[k], dir, 3, false, first == 1);
            assert_not_equal(half, whole);
            if (leg(ways[k], dir, 6, true, true) != whole)
                fail_msg("%d: a resumed run has other bits", k);
        }
}

// The sentence of a fault is the CPU's, and so is the state that a shorter step goes on from.
static void diverges_as_on_the_cpu(void** state)
{
    (void)state;
    const char* const wild = "grains={radius: 0.05, dt: 0.004, young_snow: 40000}";
    uint64_t hash[2];
    int rollbacks[2];
    firn_result result[2];
    for (int side = 0; side < 2; side++) {
        firn_sim* sim = device_sim(&(device_way){.override = wild, .on_device = side == 1});
        result[side] = firn_sim_run(sim);
        rollbacks[side] = (int)firn_sim_read(sim).rollbacks;
        hash[side] = result[side] == FIRN_OK ? firn_sim_hash(sim) : 0;
        firn_sim_destroy(sim);
    }
    print_message("%d rollbacks\n", rollbacks[0]);
    assert_greater(rollbacks[0], 0);
    assert_int_equal(rollbacks[0], rollbacks[1]);
    assert_int_equal(result[0], result[1]);
    assert_equal(hash[0], hash[1]);
}

// With a dynamic collider between melting grains: the CPU's bits, however far the device may run
// ahead (it does not) and whoever looks.
static void pushes_bodies_as_on_the_cpu(void** state)
{
    (void)state;
    static const char ball[] =
        "colliders.1={shape: {sphere: {center: [0, 0, 0], radius: 0.15}}, "
        "position: [0.1, 0.6, 0], velocity: [0, -2, 0], mass: 2, temperature: 30}";
    const uint64_t cpu = device_hash(&(device_way){.override = ball});
    assert_equal(device_hash(&(device_way){.override = ball, .on_device = true}), cpu);
    assert_equal(device_hash(&(device_way){.override = ball, .on_device = true, .run_ahead = 1}),
                 cpu);
}

int test_grains_cuda(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_busy),
                                       cmocka_unit_test(as_on_the_cpu),
                                       cmocka_unit_test(always_the_same_bits),
                                       cmocka_unit_test(two_halves_are_a_whole),
                                       cmocka_unit_test(diverges_as_on_the_cpu),
                                       cmocka_unit_test(pushes_bodies_as_on_the_cpu)};
    return cmocka_run_group_tests_name("grains_cuda", tests, NULL, NULL);
}
