// SPDX-License-Identifier: MIT
// Runs of some hundred steps on a device: the snow of the CPU, and always the same bits, however
// far the device runs ahead and whoever looks on the way. Culling, and steps that diverge.
#include "solver/mpm/device_sim.h"

static const char* const ways[] = {
    "mpm.integrator=semi-implicit",
    "mpm.integrator=explicit",
    "mpm.integrator=auto",
    "mpm={" DEVICE_MPM ", dt: 0.0005, preconditioner: diagonal, guess: inertial}",
    "mpm={cell: 0.02, dt_max: 0.0005, iterations_target: 900, transfer: apic, spline: quadratic}",
    "mpm={" DEVICE_MPM ", dt: 0.0002, integrator: explicit, transfer: apic}",
    "mpm={" DEVICE_MPM ", integrator: explicit, spline: quadratic}",
    ("snow.0.vary={hardening: {noise: {scale: 0.02, amount: 0.5}}, layers: [{to: 0.06, "
     "compression: 2, stretch: 0.5}]}"),
    "forces=[{kind: uniform, strength: 20, direction: [1, 0, 0.5], keys: [[0, 0], [0.02, 1]]}, "
    "{kind: point, strength: 30, center: [0.2, 0.1, 0], radius: 0.4, falloff: smooth}, {kind: "
    "vortex, strength: 40, radius: 0.2, falloff: inverse}, {kind: noise, strength: 30, length: "
    "0.1, "
    "period: 0.03, seed: 5}]",
    "gravity_keys=[[0, [0, -9.81, 0]], [0.02, [0, -9.81, 0]], [0.03, [40, 10, 5]]]",
    "air={velocity: [12, 3, -5], gusts: {strength: 0.4, length: 0.1, period: 0.03, seed: 4}}",
    "emitters=[{shape: {sphere: {center: [0.2, 0.25, 0], radius: 0.03}}, flow: 6, velocity: [-2, "
    "-1, 0], speed: 0.5, spread: 0.1}, {shape: {box: {center: [0, 0.3, 0], size: [0.3, 0.02, "
    "0.3]}}, "
    "rate: 4000, velocity: [0, -1, 0], start: 0.013, mass: 0.04, seed: 3}]",
    "mpm={" DEVICE_MPM ", integrator: explicit, contact: surface}",
    device_keyed,
    device_keyed,
    "emitters=[{shape: {sphere: {center: [0.2, 0.25, 0], radius: 0.03}}, flow: 6, velocity: [-2, "
    "-1, 0], spread: 0.1, follow: 1}]"};
// The same beside it; null: nothing.
static const char* const also[] = {[14] = "mpm.integrator=explicit", [15] = device_moving};
enum { WAYS = 16 };

// Frame by frame, so that adaptive steps, the choice of the integrator and the reports are seen.
static void as_on_the_cpu(void** state)
{
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        device_way way = {.override = ways[k], .also = also[k]};
        firn_sim* plain = device_sim(&way);
        way.on_device = true;
        firn_sim* other = device_sim(&way);
        for (int frame = 1; frame <= 6; frame++) {
            if (firn_sim_frame(plain) != FIRN_OK) fail_msg("%s", firn_sim_error(plain));
            if (firn_sim_frame(other) != FIRN_OK) fail_msg("%s", firn_sim_error(other));
            const device_figures a = device_figures_of(plain), b = device_figures_of(other);
            char what[64];
            snprintf(what, sizeof what, "%.24s frame %d", ways[k], frame);
            device_compare(what, &a, &b);
        }
        assert_greater(firn_sim_read(plain).step, 50);
        firn_sim_destroy(plain);
        firn_sim_destroy(other);
    }
}

// Both follow the same rule from iteration counts to steps, for as long as the counts are the same;
// they part when one solve needs an iteration more.
static void steps_are_learnt(void** state)
{
    (void)state;
    const char* const learns = "mpm={cell: 0.02, dt_max: 0.002, iterations_target: 7}";
    firn_sim* plain = device_sim(&(device_way){.override = learns});
    firn_sim* other = device_sim(&(device_way){.override = learns, .on_device = true});
    int followed = 0, shorter = 0, longer = 0;
    double before = 0;
    for (;; followed++) {
        if (firn_sim_step(plain) != FIRN_OK) fail_msg("%s", firn_sim_error(plain));
        if (firn_sim_step(other) != FIRN_OK) fail_msg("%s", firn_sim_error(other));
        const firn_sim_info a = firn_sim_read(plain), b = firn_sim_read(other);
        if (!(fabs(a.dt - b.dt) <= 1e-4 * a.dt))
            fail_msg("step %d: dt %.9g instead of %.9g", followed, b.dt, a.dt);
        shorter += a.dt < 0.999 * before;
        longer += a.dt > 1.001 * before;
        before = a.dt;
        if (a.iterations != b.iterations || a.frame == 6) {
            assert_near(a.iterations, b.iterations, 1);
            break;
        }
    }
    print_message("%d steps alike, of them %d shorter and %d longer\n", followed, shorter, longer);
    assert_at_least(followed, 10);
    assert_greater(shorter, 2);
    assert_greater(longer, 1);
    firn_sim_destroy(plain);
    firn_sim_destroy(other);
}

// A run that is looked at after every `every`-th step.
static uint64_t looked_at(const device_way* way, int every)
{
    firn_sim* sim = device_sim(way);
    uint64_t before = 0;
    int64_t step = -1;
    for (int k = 0; firn_sim_read(sim).frame < 6; k++) {
        if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        if (k % every != 0) continue;
        const uint64_t now = firn_sim_hash(sim);
        // a step changes something, unless it was rolled back or nothing is left
        const firn_sim_info info = firn_sim_read(sim);
        assert_not_equal(now, 0);
        assert_true(now != before || info.step <= step || info.particle_count == 0);
        assert_equal(now, firn_sim_hash(sim));  // looking does not
        before = now;
        step = info.step;
    }
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    return hash;
}

static void always_the_same_bits(void** state)
{
    (void)state;
    static const char* const more[] = {"cull={below: 0.04}"};
    for (int k = 0; k < WAYS + 1; k++) {
        const char* override = k < WAYS ? ways[k] : more[0];
        device_way way = {
            .override = override, .also = k < WAYS ? also[k] : NULL, .on_device = true};
        const uint64_t hash = device_hash(&way);
        for (int a = 0; a < 4; a++) {
            way.run_ahead = (const int[]){0, 1, 7, 64}[a];
            if (device_hash(&way) != hash)
                fail_msg("%s: other bits with run_ahead %d", override, way.run_ahead);
        }
        way.run_ahead = 0;
        for (int every = 1; every <= 16; every += 5)
            if (looked_at(&way, every) != hash)
                fail_msg("%s: other bits when looked at after every %d steps", override, every);
        char dir[300];
        snprintf(dir, sizeof dir, "%s/same%d", FIRN_TEST_TMP, k);
        way.dir = dir;
        if (device_hash(&way) != hash) fail_msg("%s: other bits with files", override);
    }
}

static int compare_ids(const void* a, const void* b)
{
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

// Sorted. Free it.
static uint32_t* ids_left(const firn_sim* sim, firn_local* count)
{
    const uint32_t* id = device_field(sim, "id", count);
    uint32_t* out = firn_alloc((size_t)*count + 1, sizeof *out);
    assert_non_null(out);
    memcpy(out, id, (size_t)*count * sizeof *out);
    qsort(out, (size_t)*count, sizeof *out, compare_ids);
    return out;
}

// Steps of a given length, so that both cull at the same times. A particle within rounding of the
// rule at that time would be left on one side only: there is none with these numbers on two SIMD
// levels, and a few are allowed for.
static void culled_as_on_the_cpu(void** state)
{
    (void)state;
    static const char* const rules[] = {
        "cull={below: 0.03}", "cull={inside: {sphere: {center: [0.03, 0.02, 0], radius: 0.04}}}",
        "cull={outside: {box: {center: [0, 0.1, 0], size: [0.16, 0.2, 0.14]}}, below: 0.01}"};
    for (int k = 0; k < 3; k++) {
        uint32_t* ids[2];
        firn_local count[2];
        int64_t culled[2];
        for (int side = 0; side < 2; side++) {
            const device_way way = {.override = rules[k],
                                    .also = "mpm.dt=0.0005",
                                    .frame_end = 3,
                                    .on_device = side == 1};
            firn_sim* sim = device_sim(&way);
            const firn_local all = firn_sim_read(sim).particle_count;
            device_run(sim);
            ids[side] = ids_left(sim, &count[side]);
            culled[side] = firn_sim_read(sim).culled;
            assert_int_equal(culled[side] + firn_sim_read(sim).particle_count, all);
            assert_int_equal(firn_sim_read(sim).particle_count, count[side]);
            assert_greater(culled[side], all / 50);
            assert_greater(count[side], all / 50);
            firn_sim_destroy(sim);
        }
        int apart = 0;
        for (firn_local i = 0, j = 0; i < count[0] || j < count[1];) {
            const uint32_t a = i < count[0] ? ids[0][i] : UINT32_MAX;
            const uint32_t b = j < count[1] ? ids[1][j] : UINT32_MAX;
            apart += a != b;
            i += a <= b;
            j += b <= a;
        }
        print_message("%s: %d and %d particles are left, %d only on one side\n", rules[k],
                      (int)count[0], (int)count[1], apart);
        assert_at_most(apart, 4);
        firn_free(ids[0]);
        firn_free(ids[1]);
    }
}

// Flakes appear while others, which were culled, have not been dropped yet: the device has room for
// both, and nothing depends on when it makes it.
static void flakes_beside_culling(void** state)
{
    (void)state;
    device_way way = {.override = "emitters=[{shape: {sphere: {center: [0.2, 0.12, 0], radius: "
                                  "0.03}}, rate: 30000, velocity: [0, -4, 0]}]",
                      .also = "cull={below: 0.04}"};
    int64_t made[2];
    uint64_t hash[3];
    for (int k = 0; k < 4; k++) {  // the CPU, then the device
        way.on_device = k > 0;
        way.run_ahead = (const int[]){0, 0, 1, 7}[k];
        firn_sim* sim = device_sim(&way);
        device_run(sim);
        const firn_sim_info info = firn_sim_read(sim);
        if (k < 2) made[k] = info.particle_count + info.culled;
        if (k < 2) print_message("%d culled of %d\n", (int)info.culled, (int)made[k]);
        if (k > 0) hash[k - 1] = firn_sim_hash(sim);
        assert_greater(info.culled, 500);
        firn_sim_destroy(sim);
    }
    assert_int_equal(made[0], made[1]);
    assert_equal(hash[0], hash[1]);
    assert_equal(hash[0], hash[2]);
}

// None left: the run goes on to its end.
static void all_culled(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {  // at once, and after a while
        const char* rule = k == 0 ? "cull={below: 1}"
                                  : "cull={outside: {sphere: {center: [0, 0.25, 0], radius: 0.2}}}";
        firn_sim* sim = device_sim(&(device_way){.override = rule, .on_device = true});
        const firn_local all = firn_sim_read(sim).particle_count;
        device_run(sim);
        const firn_sim_info info = firn_sim_read(sim);
        assert_int_equal(info.frame, 6);
        assert_int_equal(info.particle_count, 0);
        assert_int_equal(info.culled, all);
        assert_equal(info.kinetic, 0);
        assert_equal(info.elastic, 0);
        assert_equal(info.plastic_min, 1);
        firn_local count;
        (void)device_field(sim, "position", &count);
        assert_int_equal(count, 0);
        firn_sim_destroy(sim);
    }
}

// The first sentence about a rollback.
typedef struct heard {
    char text[512];
} heard;

static void hear(void* user, firn_log_level level, const char* id, const char* text)
{
    heard* h = user;
    (void)level;
    if (strcmp(id, "sim.rollback") == 0 && h->text[0] == '\0')
        snprintf(h->text, sizeof h->text, "%s", text);
}

// What a sentence says went wrong.
static const char* kind_of(const char* text)
{
    static const char* const kinds[] = {"cross more than a cell", "inverted or not finite",
                                        "did not converge", "stalled", "beyond the grid"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strstr(text, kinds[k]) != NULL) return kinds[k];
    fail_msg("no known fault: '%s'", text);
    return NULL;
}

// Steps far too long: the same fault at the same step as on the CPU, and a run that finishes.
static void rolled_back(void** state)
{
    (void)state;
    static const char* const rough[] = {
        "mpm={cell: 0.02, dt: 0.02, dt_max: 0.02, integrator: explicit}",
        "mpm={cell: 0.02, dt: 0.005, dt_max: 0.02, integrator: explicit}",
        "mpm={cell: 0.02, dt: 0.005, dt_max: 0.02, max_iterations: 3}"};
    // flakes that have appeared appear again
    static const char* const also[] = {
        NULL,
        "emitters=[{shape: {sphere: {center: [0.2, 0.25, 0], radius: 0.03}}, rate: 9000, velocity: "
        "[-1, -1, 0]}]",
        "forces=[{kind: vortex, strength: 10, radius: 0.2, falloff: inverse}]"};
    for (int k = 0; k < 3; k++) {
        heard said[2] = {{{0}}, {{0}}};
        int64_t rollbacks[2];
        firn_local count[2];
        for (int side = 0; side < 2; side++) {
            const device_way way = {.override = rough[k],
                                    .also = also[k],
                                    .on_device = side == 1,
                                    .log = hear,
                                    .user = &said[side]};
            firn_sim* sim = device_sim(&way);
            device_run(sim);
            const device_figures f = device_figures_of(sim);
            rollbacks[side] = f.info.rollbacks;
            count[side] = (firn_local)f.info.particle_count;
            assert_int_equal(f.info.frame, 6);
            assert_equal(f.info.time, 0.06);
            assert_finite(f.kinetic);
            assert_greater(f.low, -0.5 * DEVICE_CELL);
            assert_less(f.kinetic, 50);
            firn_sim_destroy(sim);
        }
        print_message("cpu %d: %s\ndevice %d: %s\n", (int)rollbacks[0], said[0].text,
                      (int)rollbacks[1], said[1].text);
        assert_greater(rollbacks[0], 0);
        assert_greater(rollbacks[1], 0);
        assert_string_equal(kind_of(said[0].text), kind_of(said[1].text));
        int64_t step[2];
        for (int side = 0; side < 2; side++) {
            const char* at = strstr(said[side].text, ": step ");
            assert_non_null(at);
            step[side] = strtoll(at + 7, NULL, 10);
        }
        assert_int_equal(step[0], step[1]);
        assert_int_equal(count[0], count[1]);
        // the same bits again, rollbacks included
        const device_way way = {.override = rough[k], .also = also[k], .on_device = true};
        assert_equal(device_hash(&way), device_hash(&way));
    }
}

int test_mpm_cuda_run(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_cpu),
                                       cmocka_unit_test(steps_are_learnt),
                                       cmocka_unit_test(always_the_same_bits),
                                       cmocka_unit_test(culled_as_on_the_cpu),
                                       cmocka_unit_test(flakes_beside_culling),
                                       cmocka_unit_test(all_culled),
                                       cmocka_unit_test(rolled_back)};
    return cmocka_run_group_tests_name("mpm_cuda_run", tests, NULL, NULL);
}
