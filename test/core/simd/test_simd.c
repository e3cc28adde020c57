// SPDX-License-Identifier: MIT
// The choice of a SIMD level: by name, the best without one, and the refusals.
#include "core/simd/simd.h"

#include <string.h>

#include "core/words.h"
#include "firn_test.h"

static void best_without_a_name(void** state)
{
    (void)state;
    firn_simd_choice best;
    assert_int_equal(firn_simd_choose(NULL, &best, NULL), FIRN_OK);
    assert_true(firn_simd_has(best.level));
    assert_false(best.plain);
    for (int level = best.level + 1; level <= 4; level++) assert_false(firn_simd_has(level));
    assert_true(firn_words_have(firn_simd_names, best.name));
}

static void by_name(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int level;
    } levels[] = {{"baseline", 1}, {"x86-64-v3", 3}, {"x86-64-v4", 4}};
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        firn_simd_choice choice;
        const bool has = firn_simd_has(levels[k].level);
        assert_int_equal(firn_simd_choose(levels[k].name, &choice, NULL),
                         has ? FIRN_OK : FIRN_REFUSED_BACKEND);
        if (!has) continue;
        assert_int_equal(choice.level, levels[k].level);
        assert_string_equal(choice.name, levels[k].name);
        assert_false(choice.plain);
    }
}

static void plain_is_of_the_best_level(void** state)
{
    (void)state;
    firn_simd_choice best, plain;
    assert_int_equal(firn_simd_choose(NULL, &best, NULL), FIRN_OK);
    assert_int_equal(firn_simd_choose(FIRN_SIMD_PLAIN, &plain, NULL), FIRN_OK);
    assert_int_equal(plain.level, best.level);
    assert_true(plain.plain);
    assert_string_equal(plain.name, "plain");
}

static void refusals(void** state)
{
    (void)state;
    static const char* const names[] = {"", "x86-64-v5", "Baseline", "plain "};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        firn_simd_choice choice;
        firn_error error;
        assert_int_equal(firn_simd_choose(names[k], &choice, &error), FIRN_REFUSED_BACKEND);
        assert_contains(error.text, names[k]);
    }
}

int test_simd(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(best_without_a_name),
        cmocka_unit_test(by_name),
        cmocka_unit_test(plain_is_of_the_best_level),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("simd", tests, NULL, NULL);
}
