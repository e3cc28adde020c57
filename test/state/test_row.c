// SPDX-License-Identifier: MIT
// Rows: each function against the same written out for sixteen reals, bit for bit.
#include "rows_check.h"

// a*b + c as math/shared.h's firn_fma rounds it at a level.
static firn_real fused(int level, firn_real a, firn_real b, firn_real c)
{
#if defined(__aarch64__)
    level = 3;
#endif
    if (level < 3) return a * b + c;
#ifdef FIRN_DOUBLE
    return fma(a, b, c);
#else
    return fmaf(a, b, c);
#endif
}

static void same_as_written_out(void** state)
{
    (void)state;
    any_source r = any_start(511);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        for (int trial = 0; trial < 200; trial++) {
            firn_real a[16], b[16], q[4];
            const firn_real x = (firn_real)any_between(&r, -2, 2);
            for (int i = 0; i < 16; i++) a[i] = (firn_real)any_between(&r, -2, 2);
            for (int i = 0; i < 16; i++) b[i] = (firn_real)any_between(&r, -2, 2);
            for (int i = 0; i < 4; i++) q[i] = (firn_real)any_between(&r, -2, 2);
            rows_row out;
            k->row(a, b, x, q, &out);
            for (int i = 0; i < 16; i++) {
                assert_equal(out.add[i], a[i] + b[i]);
                assert_equal(out.mul[i], a[i] * b[i]);
                assert_equal(out.scale[i], x * a[i]);
                assert_equal(out.madd[i], fused(k->level, x, a[i], b[i]));
                assert_equal(out.each[i], q[i % 4]);
                assert_equal(out.along[i], q[i / 4]);
            }
            for (int c = 0; c < 4; c++)
                assert_equal(out.sum[c], (a[c] + a[8 + c]) + (a[4 + c] + a[12 + c]));
        }
    }
}

int test_row(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_written_out)};
    return cmocka_run_group_tests_name("row", tests, NULL, NULL);
}
