// SPDX-License-Identifier: MIT
// Lanes from scattered places are what plain loads give, to the bit, at every SIMD level.
#include "core/simd/lanes_gather.h"

#include "core/memory.h"
#include "gather_kernels.h"
#include "lanes_check.h"

#define RECORDS 1000

// Reals of any kind: NaNs and zeros of both signs keep their bits.
static firn_real* garbage_records(any_source* r, size_t count)
{
    firn_real* base = firn_alloc(count, sizeof *base);
    assert_non_null(base);
    for (size_t k = 0; k < count; k++)
        base[k] = k % 5 == 0 ? any_garbage(r) : (firn_real)any_between(r, -9, 9);
    return base;
}

static void same_as_loads(void** state)
{
    (void)state;
    any_source r = any_start(61);
    for (size_t stride = 4; stride <= 12; stride += 8) {
        firn_real* base = garbage_records(&r, RECORDS * stride);
        const gather_kernels* k;
        for (int n = 0; (k = gather_kernels_get(n)) != NULL; n++)
            for (int round = 0; round < 500; round++) {
                int32_t index[FIRN_LANES_MOST + 1];  // read from any address
                for (int l = 0; l <= k->lanes; l++) index[l] = any_below(&r, RECORDS);
                if (round == 0) index[1] = index[2] = 0;
                if (round == 1) index[1] = index[k->lanes] = RECORDS - 1;
                firn_real four[4 * FIRN_LANES_MOST];
                k->gather4(base, stride, index + 1, four);
                for (int l = 0; l < k->lanes; l++) {
                    const size_t at = (size_t)index[l + 1];
                    assert_memory_equal(&four[4 * l], &base[stride * at], 4 * sizeof *four);
                }
            }
        firn_free(base);
    }
}

static void there_and_back(void** state)
{
    (void)state;
    any_source r = any_start(62);
    firn_real *from = garbage_records(&r, 4 * RECORDS), *to = garbage_records(&r, 4 * RECORDS);
    const gather_kernels* k;
    for (int n = 0; (k = gather_kernels_get(n)) != NULL; n++) {
        assert_in_range(k->lanes, 1, FIRN_LANES_MOST);
        for (int first = 0; first + k->lanes <= RECORDS; first += 7) {
            const size_t bytes = 4 * (size_t)k->lanes * sizeof *from;
            firn_real after[4];
            const int next = first + k->lanes < RECORDS ? first + k->lanes : 0;
            memcpy(after, to + 4 * (size_t)next, sizeof after);
            k->copy4(from + 4 * (size_t)first, to + 4 * (size_t)first);
            assert_memory_equal(to + 4 * (size_t)first, from + 4 * (size_t)first, bytes);
            if (next > 0)  // not a record more
                assert_memory_equal(to + 4 * (size_t)next, after, sizeof after);
        }
    }
    firn_free(from);
    firn_free(to);
}

int test_lanes_gather(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_loads),
                                       cmocka_unit_test(there_and_back)};
    return cmocka_run_group_tests_name("lanes_gather", tests, NULL, NULL);
}
