// SPDX-License-Identifier: MIT
// Volumes by sorted cells against sums over all pairs, on any number of threads.
#include "solver/sph/boundary/boundary_volume.h"

#include "physics/sph_kernel.h"
#include "seed.h"
#include "team_use.h"

enum { COUNT = 1500 };

static void equals_all_pairs(void** state)
{
    (void)state;
    any_source r = any_start(3821);
    static firn_vec3 x[COUNT];
    static firn_real volume[COUNT], again[COUNT];
    const double h = 0.07;
    for (int p = 0; p < COUNT; p++) x[p] = any_vec3(&r, 0.5);
    x[1] = x[0];                           // two in one place
    x[2] = firn_v3((firn_real)9e8, 0, 0);  // beyond all cells
    x[3] = firn_v3(5, -5, 5);              // alone
    firn_key_sort sort = {0};
    assert_int_equal(firn_key_sort_reserve(&sort, COUNT, 7), FIRN_OK);
    firn_boundary_volumes(x, COUNT, h, 0.8, &sort, volume);
    for (int p = 0; p < COUNT; p++) {
        double sum = 0;
        for (int q = 0; q < COUNT; q++) {
            const double dx = (double)x[p].x - (double)x[q].x, dy = (double)x[p].y - (double)x[q].y;
            const double dz = (double)x[p].z - (double)x[q].z;
            const double d = sqrt(dx * dx + dy * dy + dz * dz);
            sum += (double)firn_sph_w((firn_real)d, (firn_real)h);
        }
        // a sum of kernels, each with the rounding of a distance in float
        assert_near((double)volume[p] * sum / 0.8, 1, 1e-5);
    }
    const double alone = 0.8 * 3.14159265358979 * h * h * h;  // 0.8 / W(0)
    assert_near((double)volume[2] / alone, 1, 1e-5);
    assert_near((double)volume[3] / alone, 1, 1e-5);
    use_team(7);
    firn_boundary_volumes(x, COUNT, h, 0.8, &sort, again);
    use_team(0);
    assert_memory_equal(volume, again, sizeof volume);
    firn_key_sort_destroy(&sort);
}

int test_boundary_volume(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_all_pairs)};
    return cmocka_run_group_tests_name("boundary_volume", tests, NULL, NULL);
}
