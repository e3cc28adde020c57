// SPDX-License-Identifier: MIT
// Transposing records: every level moves every bit to its place, NaNs and their payloads too.
#include "core/simd/records.h"

#include <string.h>

#include "rows_kernels.h"
#include "seed.h"

#define MOST FIRN_LANES_MOST

// Any bits at all: also NaNs, denormals, infinities.
static void fill_bits(any_source* r, void* to, size_t size)
{
    for (size_t k = 0; k < size; k++) ((uint8_t*)to)[k] = (uint8_t)any_below(r, 256);
}

static bool same_bits(const firn_real* a, const firn_real* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void there_and_back(void** state)
{
    (void)state;
    any_source r = any_start(501);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        assert_at_least(k->lanes, 2);
        assert_at_most(k->lanes, MOST);
        assert_equal(MOST % k->lanes, 0);
        for (int trial = 0; trial < 50; trial++) {
            firn_real records[MOST][FIRN_RECORD], back[MOST][FIRN_RECORD];
            firn_real lanes[FIRN_RECORD * MOST];
            fill_bits(&r, records, sizeof records);
            fill_bits(&r, back, sizeof back);
            firn_real behind[FIRN_RECORD];
            if (k->lanes < MOST) memcpy(behind, back[k->lanes], sizeof behind);
            k->to_lanes((const firn_real(*)[FIRN_RECORD])records, lanes);
            for (int f = 0; f < FIRN_RECORD; f++)
                for (int l = 0; l < k->lanes; l++)
                    if (!same_bits(&lanes[f * k->lanes + l], &records[l][f]))
                        fail_msg("level %d, real %d of record %d: %a instead of %a", k->level, f, l,
                                 (double)lanes[f * k->lanes + l], (double)records[l][f]);
            k->from_lanes(lanes, back);
            assert_memory_equal(back, records, (size_t)k->lanes * sizeof *back);
            if (k->lanes < MOST) assert_memory_equal(back[k->lanes], behind, sizeof behind);
        }
    }
}

int test_records(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back)};
    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
