// SPDX-License-Identifier: MIT
// Cuts between ranks: every block of space has one owner, ranks get equal shares of the weight to
// the heaviest block, and a cut through a flat layer has a short border.
#include "comm/cuts.h"

#include <string.h>

#include "figure.h"
#include "seed.h"

#define BLOCKS 4000

static void share_out(const firn_cuts* cuts, const int32_t (*block)[3], const double* weight,
                      firn_local count, double* share)
{
    memset(share, 0, (size_t)cuts->ranks * sizeof *share);
    for (firn_local k = 0; k < count; k++) {
        const int owner = firn_cuts_owner(cuts, block[k]);
        assert_in_range(owner, 0, cuts->ranks - 1);
        share[owner] += weight[k];
    }
}

// Different blocks of a cube.
static void any_blocks(any_source* r, int side, firn_local count, int32_t (*block)[3])
{
    const int all = side * side * side;
    firn_local made = 0;
    for (int k = 0; k < all && made < count; k++) {
        if (any_below(r, all - k) >= count - made) continue;
        block[made][0] = k / side / side - side / 2;
        block[made][1] = k / side % side - 100;
        block[made][2] = k % side + 1000;
        made++;
    }
    assert_int_equal(made, count);
}

static void shares_are_equal(void** state)
{
    (void)state;
    any_source r = any_start(61);
    static int32_t block[BLOCKS][3];
    static double weight[BLOCKS], share[256];
    const int ranks[] = {1, 2, 3, 5, 8, 17, 64};
    for (size_t n = 0; n < sizeof ranks / sizeof *ranks; n++) {
        firn_cuts cuts;
        assert_int_equal(firn_cuts_create(ranks[n], &cuts), FIRN_OK);
        any_blocks(&r, 30, BLOCKS, block);
        double all = 0;
        for (int k = 0; k < BLOCKS; k++) all += weight[k] = any_between(&r, 0, 500);
        assert_int_equal(firn_cuts_make(&cuts, (const int32_t(*)[3])block, weight, BLOCKS),
                         FIRN_OK);
        share_out(&cuts, (const int32_t(*)[3])block, weight, BLOCKS, share);
        // each of the log2(ranks) cuts is off by half the heaviest block at most
        double most = 0;
        for (int q = 0; q < ranks[n]; q++) most = fmax(most, share[q]);
        const double bound = all / ranks[n] + 250 * ceil(log2(ranks[n] + 0.5));
        print_message("%d ranks: %.0f of %.0f, at most %.0f\n", ranks[n], most, all, bound);
        assert_true(most <= bound);
        firn_cuts_destroy(&cuts);
    }
}

static void few_blocks(void** state)
{
    (void)state;
    const int32_t block[3][3] = {{0, 0, 0}, {1, 0, 0}, {-131072, 131071, 5}};
    const double weight[3] = {1, 1, 1};
    double share[8];
    firn_cuts cuts;
    assert_int_equal(firn_cuts_create(8, &cuts), FIRN_OK);
    share_out(&cuts, block, weight, 3, share);  // before the first cut, too
    for (firn_local count = 0; count <= 3; count++) {
        assert_int_equal(firn_cuts_make(&cuts, block, weight, count), FIRN_OK);
        share_out(&cuts, block, weight, count, share);
        double all = 0;
        for (int q = 0; q < 8; q++) {
            assert_true(share[q] <= 1);  // a rank each
            all += share[q];
        }
        assert_true(all == count);
    }
    firn_cuts_destroy(&cuts);
}

// A layer of 64 x 2 x 64 blocks on 16 ranks: squares of 16 blocks have 64 blocks at their borders.
static void a_layer_is_cut_into_squares(void** state)
{
    (void)state;
    static int32_t block[64 * 2 * 64][3];
    static double weight[64 * 2 * 64];
    firn_local count = 0;
    for (int x = 0; x < 64; x++)
        for (int y = 0; y < 2; y++)
            for (int z = 0; z < 64; z++, count++) {
                block[count][0] = x;
                block[count][1] = y;
                block[count][2] = z;
                weight[count] = 1;
            }
    firn_cuts cuts;
    assert_int_equal(firn_cuts_create(16, &cuts), FIRN_OK);
    assert_int_equal(firn_cuts_make(&cuts, (const int32_t(*)[3])block, weight, count), FIRN_OK);
    int border[16] = {0};
    for (firn_local k = 0; k < count; k++) {
        const int owner = firn_cuts_owner(&cuts, block[k]);
        bool is_border = false;
        for (int n = 0; n < 4; n++) {
            int32_t at[3];
            memcpy(at, block[k], sizeof at);
            at[n < 2 ? 0 : 2] += n % 2 == 0 ? 1 : -1;
            if (at[0] >= 0 && at[0] < 64 && at[2] >= 0 && at[2] < 64)
                is_border |= firn_cuts_owner(&cuts, at) != owner;
        }
        border[owner] += is_border;
    }
    for (int q = 0; q < 16; q++) {
        print_message("rank %d: %d blocks at borders\n", q, border[q]);
        assert_in_range(border[q], 1, 2 * 60);
    }
    firn_cuts_destroy(&cuts);
}

int test_cuts(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_equal),
                                       cmocka_unit_test(few_blocks),
                                       cmocka_unit_test(a_layer_is_cut_into_squares)};
    return cmocka_run_group_tests_name("cuts", tests, NULL, NULL);
}
