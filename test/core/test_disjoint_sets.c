// SPDX-License-Identifier: MIT
// Sets that are joined in any order have the same roots: their lowest members.
#include "core/disjoint_sets.h"

#include "firn_test.h"
#include "math/random.h"

enum { COUNT = 1000 };

// Numbers with the same remainder by 7 are connected through neighbours, joined in random order.
static void roots_are_lowest_members(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        firn_local parent[COUNT], order[COUNT];
        for (firn_local k = 0; k < COUNT; k++) parent[k] = order[k] = k;
        for (firn_local k = COUNT - 1; k > 0; k--) {
            const firn_local j = (firn_local)(firn_random_unit(seed, (uint64_t)k) * (k + 1));
            const firn_local swap = order[k];
            order[k] = order[j];
            order[j] = swap;
        }
        for (firn_local k = 0; k < COUNT; k++)
            if (order[k] + 7 < COUNT)
                firn_sets_join(parent, order[k] + 7 * (k % 2), order[k] + 7 * (1 - k % 2));
        for (firn_local k = 0; k < COUNT; k++) assert_int_equal(firn_sets_root(parent, k), k % 7);
    }
}

static void members_alone_and_joined_twice(void** state)
{
    (void)state;
    firn_local parent[3] = {0, 1, 2};
    assert_int_equal(firn_sets_root(parent, 2), 2);
    firn_sets_join(parent, 2, 2);
    firn_sets_join(parent, 2, 1);
    firn_sets_join(parent, 1, 2);
    assert_int_equal(firn_sets_root(parent, 0), 0);
    assert_int_equal(firn_sets_root(parent, 1), 1);
    assert_int_equal(firn_sets_root(parent, 2), 1);
}

int test_disjoint_sets(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(roots_are_lowest_members),
                                       cmocka_unit_test(members_alone_and_joined_twice)};
    return cmocka_run_group_tests_name("disjoint_sets", tests, NULL, NULL);
}
