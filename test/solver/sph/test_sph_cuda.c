// SPDX-License-Identifier: MIT
// Implicit SPH on a device has the bits of the CPU's SIMD loops with fused multiply-adds, frame by
// frame: the same laws, the same order of particles, lists and sums. So it has however far the
// device runs ahead, and whoever looks on the way.
#include "solver/sph/device_sph.h"

// What differs from the scene of device_sph.h.
static const struct {
    const char *override, *also;
} ways[] = {
    {NULL, NULL},
    {"sph={spacing: 0.05, contact: paper, clamp: paper}", NULL},
    {"sph={spacing: 0.05, contact: coulomb}", NULL},
    {"sph={spacing: 0.05, elasticity: combined, rest_density: plastic}", NULL},
    // residuals are verified
    {"sph={spacing: 0.05, gravity_rise: 0.05, shear_tolerance: 5.0e-5}", NULL},
    {"sph={spacing: 0.05, relaxation: 1}", NULL},  // omega is halved, and solves restart
    {"cull={below: 0.12, start: 0.03}", NULL},
    {"air={velocity: [5, 0, 2], gusts: {strength: 0.4, length: 0.5, period: 0.3, seed: 4}}", NULL},
    {"snow.0={shape: {box: {center: [0, 0.21, 0], size: [1.2, 0.4, 1]}}, material: fresh, "
     "vary: {hardening: {noise: {scale: 0.15, amount: 0.8, octaves: 2, seed: 3}}}}",
     NULL},
    // from here on: also resumed by the other side
    {"emitters=[{shape: {sphere: {center: [0.3, 0.9, 0], radius: 0.2}}, material: fresh, rate: "
     "3000, velocity: [0, -2, 0], spread: 0.3, size: 0.04}, {shape: {box: {center: [-0.4, 1.2, 0], "
     "size: [0.4, 0.02, 0.4]}}, material: icy, rate: 999, start: 0.013, stop: 0.05, seed: 3}]",
     "air={velocity: [1, 0, 0]}"},
    {"emitters=[{shape: {sphere: {center: [0, 0.25, 0], radius: 0.2}}, material: fresh, rate: "
     "1000}]",
     "cull={below: 0.3}"},  // flakes appear after the culling of their step
    {"emitters=[{shape: {sphere: {center: [0.3, 0.9, 0], radius: 0.2}}, material: fresh, rate: "
     "2000, depth: 0.05, speed: 1.5, velocity: [0, -1, 0]}, {shape: {difference: [{box: {center: "
     "[-0.4, "
     "1.2, 0], size: [0.4, 0.2, 0.4]}}, {sphere: {center: [-0.4, 1.3, 0], radius: 0.15}}]}, "
     "material: icy, rate: 700, speed: -0.7}]",
     "air={velocity: [1, 0, 0]}"},  // from the surface, along its normals
    {"air={temperature_keys: [{time: 0, temperature: -20}, {time: 0.1, temperature: 30}], "
     "heat_transfer: 200}",
     "sph={spacing: 0.05, heat_speed: 2.0e4}"},             // several substeps of heat
    {"materials.icy={phase: water, density: 1000}", NULL},  // beside snow
    {"materials.icy={phase: viscous, viscosity: 5, density: 1200, surface_tension: 0.05}", NULL},
    {"materials={fresh: {phase: water}, icy: {phase: viscous, viscosity: 2, density: 1200}}", NULL},
    {"sph={spacing: 0.05, pressure: incompressible}", NULL},
    // by age, there and back
    {"materials={fresh: {density: 300}, icy: {phase: viscous, viscosity: 2, density: 700, becomes: "
     "{material: fresh, after: 0.03, over: 0.02}}}",
     NULL},
    {"materials={fresh: {density: 100, conductivity: 1000, becomes: {material: icy}}, icy: {phase: "
     "water, becomes: {material: fresh}}}",
     "air={temperature: 400, heat_transfer: 1.0e6}"},  // by heat
    {"forces=[{kind: uniform, strength: 8, direction: [1, 0, 2], keys: [[0, 0], [0.02, 1]]}, "
     "{kind: "
     "point, strength: -30, center: [0.2, 0.5, 0], radius: 0.5, falloff: smooth}, {kind: noise, "
     "strength: 20, length: 0.2, period: 0.05, seed: 5}]",
     "emitters=[{shape: {sphere: {center: [0.3, 0.9, 0], radius: 0.2}}, material: fresh, rate: "
     "3000}]"},
    {"gravity_keys=[[0, [0, -9.81, 0]], [0.02, [0, -9.81, 0]], [0.05, [15, 3, -4]]]",
     "sph={spacing: 0.05, gravity_rise: 0.01}"},
    {"emitters=[{shape: {sphere: {center: [0.3, 0.9, 0], radius: 0.2}}, material: fresh, rate: "
     "3000, velocity: [0, -2, 0], speed: 0.2, follow: 1}]",
     NULL},
};
enum { WAYS = sizeof ways / sizeof *ways, RESUMED = 9 };

static const char* const fields[] = {
    "id",       "position",           "velocity",    "def_grad_elastic", "density",
    "pressure", "shear_acceleration", "plastic_det", "material",         "mass"};

// Names the first field and particle that differ.
static void explain(const firn_sim* a, const firn_sim* b, const char* what, int frame)
{
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        firn_field_view x, y;
        if (firn_sim_field(a, fields[f], &x) != FIRN_OK) fail_msg("%s", firn_sim_error(a));
        if (firn_sim_field(b, fields[f], &y) != FIRN_OK) fail_msg("%s", firn_sim_error(b));
        if (x.count != y.count)
            fail_msg("%s, frame %d: %d particles instead of %d", what, frame, (int)y.count,
                     (int)x.count);
        const size_t size = x.type == FIRN_FIELD_VEC3   ? 12
                            : x.type == FIRN_FIELD_MAT3 ? 36
                            : x.type == FIRN_FIELD_U8   ? 1
                                                        : 4;
        int different = 0, first = -1;
        for (firn_local i = 0; i < x.count; i++)
            if (memcmp((const char*)x.data + (size_t)i * size,
                       (const char*)y.data + (size_t)i * size, size) != 0) {
                if (different++ == 0) first = i;
            }
        if (different > 0)
            print_message("%s, frame %d: %s of %d particles of %d, first %d\n", what, frame,
                          fields[f], different, (int)x.count, first);
    }
    fail_msg("%s: other bits in frame %d", what, frame);
}

// Energies are sums in double, added up in another order; momenta may cancel.
static void rows_agree(const firn_sim_info* a, const firn_sim_info* b)
{
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->particle_count, b->particle_count);
    assert_int_equal(a->culled, b->culled);
    assert_int_equal(a->active_blocks, b->active_blocks);
    assert_int_equal(a->iterations, b->iterations);
    assert_equal(a->time, b->time);
    assert_equal(a->dt, b->dt);
    assert_equal(a->residual, b->residual);
    assert_near(a->kinetic, b->kinetic, 1e-12 * a->kinetic);
    assert_near(a->potential, b->potential, 1e-12 * fabs(a->potential));
    for (int d = 0; d < 3; d++)
        assert_near(a->momentum[d], b->momentum[d], 1e-9 * sqrt(a->kinetic));
}

static device_way way_of(int k, bool on_device)
{
    return (device_way){.override = ways[k].override, .also = ways[k].also, .on_device = on_device};
}

static void as_on_the_cpu(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        const char* what = ways[k].override != NULL ? ways[k].override : "as it is";
        const device_way there = way_of(k, true), here = way_of(k, false);
        firn_sim *cpu = device_sim(&here), *other = device_sim(&there);
        uint64_t before = 0;
        for (int frame = 1; frame <= 4; frame++) {
            device_frame(cpu);
            device_frame(other);
            const uint64_t hash = firn_sim_hash(cpu);
            assert_not_equal(hash, before);
            before = hash;
            if (firn_sim_hash(other) != hash) explain(cpu, other, what, frame);
            const firn_sim_info a = firn_sim_read(cpu), b = firn_sim_read(other);
            rows_agree(&a, &b);
        }
        print_message("%s: %d steps\n", what, (int)firn_sim_read(cpu).step);
        assert_greater(firn_sim_read(cpu).step, 10);
        firn_sim_destroy(cpu);
        firn_sim_destroy(other);
    }
}

// Forces on colliders are integers: bitwise equal, too.
static void loads_as_on_the_cpu(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        const device_way there = way_of(k, true), here = way_of(k, false);
        firn_sim *cpu = device_sim(&here), *other = device_sim(&there);
        for (int frame = 1; frame <= 2; frame++) {
            device_frame(cpu);
            device_frame(other);
        }
        for (int c = 0; c < 3; c++) {
            firn_collider_id a, b;
            firn_body_load step[2], mean[2];
            assert_int_equal(firn_sim_body_at(cpu, c, &a), FIRN_OK);
            assert_int_equal(firn_sim_body_at(other, c, &b), FIRN_OK);
            assert_int_equal(firn_sim_body_load(cpu, a, &step[0], &mean[0]), FIRN_OK);
            assert_int_equal(firn_sim_body_load(other, b, &step[1], &mean[1]), FIRN_OK);
            print_message("collider %d: %g %g N\n", c, step[0].force[1], step[1].force[1]);
            assert_memory_equal(&step[0], &step[1], sizeof step[0]);
        }
        firn_sim_destroy(cpu);
        firn_sim_destroy(other);
    }
}

// A run that is looked at after every `every`-th step.
static uint64_t looked_at(const device_way* way, int every)
{
    firn_sim* sim = device_sim(way);
    for (int k = 0; firn_sim_read(sim).frame < 4; k++) {
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
    for (int k = 0; k < WAYS; k += 3) {
        device_way way = way_of(k, true);
        const uint64_t hash = device_hash(&way);
        for (int a = 0; a < 3; a++) {
            const int ahead = (const int[]){0, 1, 7}[a];
            way.run_ahead = ahead;
            if (device_hash(&way) != hash) fail_msg("%d: other bits with run_ahead %d", k, ahead);
        }
        way.run_ahead = 0;
        for (int every = 1; every <= 6; every += 5)
            if (looked_at(&way, every) != hash)
                fail_msg("%d: other bits when looked at after every %d steps", k, every);
    }
}

// A checkpoint does not depend on the machine. 0: the host begins, or continues; 1: the device.
static void is_a_whole(int k, int first, int second)
{
    char dir[300];
    snprintf(dir, sizeof dir, "%s/halves%d-%d%d", FIRN_TEST_TMP, k, first, second);
    const device_way whole = way_of(k, false);
    device_way begin = way_of(k, first == 1), rest = way_of(k, second == 1);
    begin.dir = rest.dir = dir;
    begin.frame_end = 2;
    rest.resume = true;
    const uint64_t hash = device_hash(&whole);
    assert_not_equal(device_hash(&begin), hash);
    if (device_hash(&rest) != hash) fail_msg("%d, %d%d: other bits", k, first, second);
}

static void two_halves_are_a_whole(void** state)
{
    (void)state;
    is_a_whole(0, 0, 0);
    is_a_whole(0, 1, 1);
    for (int k = 0; k < WAYS; k = k == 0 ? RESUMED : k + 1) {
        is_a_whole(k, 0, 1);
        is_a_whole(k, 1, 0);
    }
}

// The sentence of a fault is the CPU's, and so is the state that a shorter step continues from.
static void diverges_as_on_the_cpu(void** state)
{
    (void)state;
    const char* const wild = "sph={spacing: 0.05, dt: 0.01}";
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
    assert_int_equal(rollbacks[0], rollbacks[1]);
    assert_int_equal(result[0], result[1]);
    assert_equal(hash[0], hash[1]);
}

int test_sph_cuda(void)
{
    if (!device_open_sph()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_on_the_cpu), cmocka_unit_test(loads_as_on_the_cpu),
        cmocka_unit_test(always_the_same_bits), cmocka_unit_test(two_halves_are_a_whole),
        cmocka_unit_test(diverges_as_on_the_cpu)};
    return cmocka_run_group_tests_name("sph_cuda", tests, NULL, NULL);
}
