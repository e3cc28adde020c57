// SPDX-License-Identifier: MIT
// Snow pushes dynamic colliders on a GPU: momentum as on the CPU, balls rest as deep, bitwise the
// same in every run, from states of either backend, and grains with the CPU's bits.
// FIRN_TEST_DEVICE=cpu: the host stands in for the device.
#include "device/device.h"
#include "edit/edit_fixture.h"
#include "figure.h"
#include "pushed_fixture.h"

static char backend[16] = "cuda";

#define WAY(solver, keys)           \
    {                               \
        solver, keys, NULL, backend \
    }
static const pushed_mode modes[] = {
    WAY("mpm", "mpm: {cell: 0.04, integrator: explicit, transfer: apic}\n"),
    WAY("mpm", "mpm: {cell: 0.04, integrator: explicit}\n"),
    WAY("mpm", "mpm: {cell: 0.04}\n"),
    WAY("mpm", "mpm: {cell: 0.04, preconditioner: diagonal}\n"),
    WAY("grains", "grains: {radius: 0.01}\n"),
};
enum { MODES = sizeof modes / sizeof *modes };

static bool conserves_turning(int k)
{
    return k == 0 || k == MODES - 1;
}

static pushed_mode on_cpu(const pushed_mode* m)
{
    return (pushed_mode){m->solver, m->keys, NULL, NULL};
}

static void momentum_is_conserved(void** state)
{
    (void)state;
    const double masses[] = {0.032, 3.2, 320};
    double p = 0, l = 0, fastest = 0;
    for (int k = 0; k < MODES; k++)
        for (int w = 0; w < 3; w++) {
            const pushed_drift d = pushed_collide(&modes[k], masses[w]);
            print_message("%s%g kg: %.2g, %.2g, %.2g m/s\n", modes[k].keys, masses[w], d.p, d.l,
                          d.fastest);
            p = fmax(p, d.p);
            if (conserves_turning(k)) l = fmax(l, d.l);
            fastest = fmax(fastest, d.fastest);
        }
    check_figure(T59_momentum, p);
    check_figure(T59_angular_momentum, l);
    check_figure(T59_light_speed, fastest);
}

static void a_ball_takes_what_the_snow_gives(void** state)
{
    (void)state;
    check_figure(T59_ball_momentum, fmax(pushed_ball_miss(&modes[1]), pushed_ball_miss(&modes[2])));
}

// How deep the lowest point of the ball is below the surface of the bed, which is at 0.24 m.
static double depth_of(double y)
{
    return 0.24 - (y - 0.12);
}

static void a_ball_rests_as_deep_as_on_the_cpu(void** state)
{
    (void)state;
    double most = 0;
    for (int k = 1; k < MODES - 1; k++)
        for (int heavy = 0; heavy < 2; heavy++) {
            const double mass = heavy ? 10 : 2;
            const pushed_mode cpu = on_cpu(&modes[k]);
            const double a = depth_of(pushed_ball_rest(&cpu, mass));
            const double b = depth_of(pushed_ball_rest(&modes[k], mass));
            print_message("%s%g kg: depth %.4f m on the CPU, %.4f m here\n", modes[k].keys, mass, a,
                          b);
            assert_true(a > 0.005);
            most = fmax(most, fabs(b / a - 1));
        }
    check_figure(T59_depth_apart, most);
}

// The hash of each frame; `looks`: the state is read after every step.
static void run(const pushed_mode* m, bool looks, uint64_t hash[4])
{
    firn_sim* sim = pushed_start(m, pushed_boxes, 1);
    for (int f = 0; f < 4; f++) {
        while (firn_sim_read(sim).frame == f) {
            pushed_step(sim);
            if (looks) assert_not_equal(firn_sim_hash(sim), 0);
        }
        hash[f] = pushed_hash(sim);
    }
    firn_sim_destroy(sim);
}

static void always_the_same_bits(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        uint64_t one[4], again[4], looked[4];
        run(&modes[k], false, one);
        run(&modes[k], false, again);
        run(&modes[k], true, looked);
        assert_memory_equal(one, again, sizeof one);
        assert_memory_equal(one, looked, sizeof one);
    }
}

// Links, a stack and the snow of the CPU, bit for bit.
static const char chained[] =
    "gravity: [0, -9.81, 0]\n"
    "snow:\n"
    "  - {shape: {box: {center: [0.05, 0.1, 0], size: [0.12, 0.2, 0.2]}}}\n"
    "colliders:\n"
    "  - {shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}, friction: 0.4}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.06}}, position: [-0.3, 0.25, 0],\n"
    "     velocity: [3, -1, 0], mass: 5}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.02, 0.1, 0.02]}}, position: [-0.3, 0.36, 0],\n"
    "     mass: 0.3}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, position: [0.2, 0.0501, 0],\n"
    "     friction: 0.5, mass: 1}\n"
    "  - {shape: {box: {center: [0, 0, 0], size: [0.1, 0.1, 0.1]}}, position: [0.2, 0.1502, 0],\n"
    "     friction: 0.5, mass: 1}\n"
    "joints:\n"
    "  - {kind: ball, a: 1, b: 2, point: [-0.3, 0.31, 0]}\n"
    "  - {kind: ball, a: 2, point: [-0.3, 0.41, 0]}\n";

static void grains_have_the_bits_of_the_cpu(void** state)
{
    (void)state;
    const pushed_mode* here = &modes[MODES - 1];
    const pushed_mode cpu = on_cpu(here);
    static const char* const scenes[] = {NULL, chained};
    for (int s = 0; s < 2; s++) {
        const char* scene = scenes[s] != NULL ? scenes[s] : pushed_boxes;
        firn_sim *a = pushed_start(&cpu, scene, 2), *b = pushed_start(here, scene, 1);
        for (int f = 0; f < 8; f++) {
            play_frames(a, 1);
            play_frames(b, 1);
            if (pushed_hash(a) != pushed_hash(b)) fail_msg("scene %d, frame %d", s, f + 1);
        }
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
}

// A state that was saved on either backend continues on the other: grains bit for bit.
static void resumes_on_the_other_backend(void** state)
{
    (void)state;
    for (int k = 2; k < MODES; k += 2) {
        const pushed_mode cpu = on_cpu(&modes[k]);
        const pushed_mode* const from[] = {&cpu, &modes[k]};
        for (int way = 0; way < 2; way++) {
            firn_sim* a = pushed_start(from[way], pushed_boxes, 1);
            firn_sim* b = pushed_start(from[1 - way], pushed_boxes, 1);
            play_frames(a, 2);
            size_t size;
            void* block = edit_save(a, &size);
            EDIT_OK(b, firn_sim_restore(b, block, size));
            assert_int_equal(pushed_hash(a), pushed_hash(b));
            free(block);
            play_frames(a, 2);
            play_frames(b, 2);
            const firn_rigid *p = pushed_body(a, 0), *q = pushed_body(b, 0);
            const double apart = (double)firn_v3_length(firn_v3_sub(p->position, q->position));
            print_message("%s: %.2g m apart after two frames\n", modes[k].solver, apart);
            if (k == MODES - 1) assert_int_equal(pushed_hash(a), pushed_hash(b));
            check_figure(T59_resumed_apart, apart);
            firn_sim_destroy(a);
            firn_sim_destroy(b);
        }
    }
}

// Saved and restored on the device itself: bit for bit.
static void resumes_here(void** state)
{
    (void)state;
    for (int k = 0; k < MODES; k++) {
        firn_sim* a = pushed_start(&modes[k], pushed_boxes, 1);
        play_frames(a, 2);
        size_t size;
        void* block = edit_save(a, &size);
        play_frames(a, 2);
        const uint64_t later = pushed_hash(a);
        EDIT_OK(a, firn_sim_restore(a, block, size));
        play_frames(a, 2);
        if (pushed_hash(a) != later) fail_msg("%s", modes[k].keys);
        free(block);
        firn_sim_destroy(a);
    }
}

// Pushed by the caller between steps; a body that comes later.
static void the_caller_may_interfere(void** state)
{
    (void)state;
    for (int k = 1; k < MODES; k++) {
        firn_sim* sim = pushed_start(&modes[k], pushed_boxes, 1);
        pushed_step(sim);
        const double before = (double)pushed_body(sim, 1)->velocity.x;
        const firn_vec3 J = {(firn_real)0.4, 0, 0};
        EDIT_OK(sim, firn_sim_body_impulse(sim, collider_at(sim, 2), J, NULL));
        assert_near((double)pushed_body(sim, 1)->velocity.x, before + 1, 1e-5);
        pushed_step(sim);
        assert_near((double)pushed_body(sim, 1)->velocity.x, before + 1, 0.1);
        play_frames(sim, 2);
        const firn_sim_info info = firn_sim_read(sim);
        assert_true(isfinite((double)pushed_body(sim, 0)->position.y));
        assert_int_equal(info.rollbacks, 0);
        firn_sim_destroy(sim);
    }
}

// More nodes in a collider than there is room for at first: the device asks for more.
static void a_collider_full_of_snow(void** state)
{
    (void)state;
    static const char full[] =
        "gravity: [0, 0, 0]\n"
        "snow:\n"
        "  - {shape: {box: {center: [0, 0, 0], size: [0.92, 0.92, 0.92]}}, velocity: [1, 0, 0]}\n"
        "colliders:\n"
        "  - {shape: {box: {center: [0, 0, 0], size: [0.9, 0.9, 0.9]}}, position: [0.01, 0, 0],\n"
        "     sticky: true, mass: 200}\n";
    const pushed_mode fine = WAY("mpm", "mpm: {cell: 0.02, integrator: explicit}\n");
    firn_sim* sim = pushed_start(&fine, full, 2);
    const pushed_motion snow = pushed_snow(sim);
    const size_t before = sim->solver->device_bytes(sim->self);
    for (int n = 0; n < 3; n++) pushed_step(sim);
    if (sim->solver->remote(sim->self))
        assert_greater(sim->solver->device_bytes(sim->self), before);
    const pushed_motion s = pushed_snow(sim), b = pushed_bodies(sim);
    print_message("momentum %.6g of %.6g kg m/s; the collider has %.6g\n", s.p[0] + b.p[0],
                  snow.p[0], b.p[0]);
    assert_near((s.p[0] + b.p[0]) / snow.p[0], 1, 1e-5);
    assert_true(b.p[0] > 0.3 * snow.p[0]);
    firn_sim_destroy(sim);
}

int test_sim_pushed_cuda(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    int device;
    firn_error error = {0};
    if (firn_device_open(name != NULL ? name : "cuda", &device, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return FIRN_TEST_SKIPPED;
    }
    if (device < 0) strcpy(backend, "cpu");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(a_ball_takes_what_the_snow_gives),
        cmocka_unit_test(a_ball_rests_as_deep_as_on_the_cpu),
        cmocka_unit_test(always_the_same_bits),
        cmocka_unit_test(grains_have_the_bits_of_the_cpu),
        cmocka_unit_test(resumes_on_the_other_backend),
        cmocka_unit_test(resumes_here),
        cmocka_unit_test(the_caller_may_interfere),
        cmocka_unit_test(a_collider_full_of_snow),
    };
    return cmocka_run_group_tests_name("sim_pushed_cuda", tests, NULL, NULL);
}
