// SPDX-License-Identifier: MIT
// T52 (slow): more widths, and the order of accuracy of thin bars and columns in h.
#include "solver/mpm/thin.h"

static const int32_t exact = FIRN_MPM_VOLUMES_EXACT;

// Length and width in cells double together. The section breathes, which makes the wave of length
// 2L slower by nu^2 r^2 k^2 / 2 (Love), k = pi/L and r^2 = width^2 / 6.
static void bars(void** state)
{
    (void)state;
    double v[3];  // at h, h/2, h/4
    for (int k = 0; k < 3; k++) {
        v[k] = thin_bar_speed(4 << k, 16 << k, exact);
        print_message("%d cells wide, %d long: speed %.5f\n", 4 << k, 16 << k, v[k]);
    }
    const double theory = 1 - 0.04 / 6 / 16 * BAR_PI * BAR_PI / 2;
    check_figure(T52_order, log2((theory - v[0]) / (theory - v[2])) / 2);
    check_figure(T52_bar, v[2]);
    check_figure(T52_bar, thin_bar_speed(6, 32, exact));
    check_figure(T52_bar, thin_bar_speed(12, 48, exact));
}

static void columns(void** state)
{
    (void)state;
    double s[3];
    for (int k = 0; k < 3; k++) {
        s[k] = thin_settlement(4, 10 << k, 0.4, exact);
        print_message("%d cells high: settlement %.5f\n", 10 << k, s[k]);
        check_figure(T52_column, s[k]);
    }
    check_figure(T52_column, thin_settlement(16, 24, 0.4, exact));
}

int test_mpm_volumes_order(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bars), cmocka_unit_test(columns)};
    return cmocka_run_group_tests_name("mpm_volumes_order", tests, NULL, NULL);
}
