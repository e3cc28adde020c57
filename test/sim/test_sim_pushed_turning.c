// SPDX-License-Identifier: MIT
// Angular momentum of snow and a dynamic collider. FLIP and semi-implicit mpm do not conserve the
// snow's own, collider or not: a box must not be worse than a second block of snow in its place.
#include "figure.h"
#include "pushed_fixture.h"

// As pushed_collision, with snow instead of the box.
static const char two_blocks[] =
    "gravity: [0, 0, 0]\n"
    "snow:\n"
    "  - {shape: {box: {center: [0.1, 0.1, 0.02], size: [0.2, 0.2, 0.2]}},\n"
    "     velocity: [2, 0.3, 0]}\n"
    "  - {shape: {box: {center: [0.32, 0.17, 0], size: [0.2, 0.3, 0.2]}},\n"
    "     velocity: [-1, 0, 0.2], spin: [0, 1, 2]}\n";

// The most that angular momentum changes in a step with boxes of a tenth to ten times 4.8 kg, which
// is what the second block weighs.
static double worst_box(const pushed_mode* m)
{
    const double masses[] = {0.48, 4.8, 48};
    double worst = 0;
    for (int w = 0; w < 3; w++) {
        const pushed_drift d = pushed_collide(m, masses[w]);
        print_message("%s box of %5.2f kg: %.2g a step at most, %.2g in all\n", m->keys, masses[w],
                      d.l, d.l_all);
        worst = fmax(worst, d.l);
    }
    return worst;
}

static void a_box_is_no_worse_than_snow(void** state)
{
    (void)state;
    static const pushed_mode modes[] = {
        {"mpm", "mpm: {cell: 0.04, transfer: apic}\n", NULL, NULL},
        {"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", NULL, NULL},
        {"mpm", "mpm: {cell: 0.04}\n", NULL, NULL},
    };
    double most = 0;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        const pushed_drift snow = pushed_meet(&modes[k], two_blocks);
        print_message("%s two blocks: %.2g a step at most, %.2g in all\n", modes[k].keys, snow.l,
                      snow.l_all);
        most = fmax(most, worst_box(&modes[k]) / snow.l);
    }
    check_figure(T59_turning_over_snow, most);
}

// sph conserves it with and without colliders, however early its solves stop.
static void sph_conserves_turning(void** state)
{
    (void)state;
    static const pushed_mode modes[] = {
        {"sph", "sph: {spacing: 0.03}\n", NULL, NULL},
        {"sph", "sph: {spacing: 0.03, shear_tolerance: 0.01}\n", NULL, NULL},
    };
    check_figure(T59_angular_momentum, pushed_meet(&modes[0], two_blocks).l);
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        check_figure(T59_angular_momentum, worst_box(&modes[k]));
}

int test_sim_pushed_turning(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_is_no_worse_than_snow),
                                       cmocka_unit_test(sph_conserves_turning)};
    return cmocka_run_group_tests_name("sim_pushed_turning", tests, NULL, NULL);
}
