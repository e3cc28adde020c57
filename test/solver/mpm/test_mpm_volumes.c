// SPDX-License-Identifier: MIT
// T52: snow a few cells thin, with both kinds of volumes: waves of a free bar run with
// sqrt(E/rho_0), a column between slippery walls settles by rho_0 g H^2 / 2M. With `volumes: grid`
// both are too stiff, by the mean of V_p^0 over the section (thin_step_2_volume).
#include "solver/mpm/thin.h"

static const int32_t exact = FIRN_MPM_VOLUMES_EXACT, grid = FIRN_MPM_VOLUMES_GRID;

static void bars(void** state)
{
    (void)state;
    static const int across[] = {4, 8};
    for (int k = 0; k < 2; k++) {
        const double v = thin_bar_speed(across[k], 32, exact);
        const double v_grid = thin_bar_speed(across[k], 32, grid);
        print_message("%d cells: speed %.4f, %.4f with step 2\n", across[k], v, v_grid);
        check_figure(T52_bar, v);
        check_figure(T52_bar_grid, v_grid / sqrt(thin_step_2_volume(across[k])));
    }
}

static void columns(void** state)
{
    (void)state;
    static const int across[] = {4, 8};
    for (int k = 0; k < 2; k++) {
        const double s = thin_settlement(across[k], 20, 0.4, exact);
        const double s_grid = thin_settlement(across[k], 20, 0.4, grid);
        print_message("%d cells: settlement %.4f, %.4f with step 2\n", across[k], s, s_grid);
        check_figure(T52_column, s);
        check_figure(T52_column_grid, s_grid * thin_step_2_volume(across[k]));
    }
    check_figure(T52_column_flush, thin_settlement(4, 20, 0, exact));
}

int test_mpm_volumes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bars), cmocka_unit_test(columns)};
    return cmocka_run_group_tests_name("mpm_volumes", tests, NULL, NULL);
}
