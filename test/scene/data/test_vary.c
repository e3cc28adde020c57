// SPDX-License-Identifier: MIT
// Variation as data: nothing by default, deep copies, and what can change a factor. Reading and
// writing it is tested with the whole scene (parse, scene_write).
#include "scene/data/vary.h"

#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "firn_test.h"

static void nothing_by_default(void** state)
{
    (void)state;
    firn_vary none = firn_vary_default(), zero = {0};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        assert_false(firn_vary_changes(&none, q));
        assert_false(firn_vary_changes(&zero, q));
        assert_equal(none.shell.factor[q], 1);
    }
    firn_text text = {0};
    firn_vary_write(&text, &none, 17, false);
    firn_vary_write(&text, &zero, 17, true);
    assert_int_equal(text.length, 0);
    firn_vary_release(&none);
    firn_vary_release(&zero);
}

// Each way to vary concerns the quantity that it names, and no other.
static void what_changes(void** state)
{
    (void)state;
    firn_vary_layer layer = {.to = 1, .factor = {1, 1, 1, 1, 1}};
    char file[] = "a.vdb";
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        for (int way = 0; way < 6; way++) {
            firn_vary v = firn_vary_default();
            for (int k = 0; k < FIRN_VARY_COUNT; k++) layer.factor[k] = 1;
            if (way == 0) v.field[q].noise.scale = v.field[q].noise.amount = 1;
            if (way == 1) v.field[q].texture.file = file;
            if (way == 2 || way == 5) v.shell.factor[q] = 2;
            if (way == 2) v.shell.thickness = 1;
            if (way == 3) {
                layer.factor[q] = 0.5;
                v.layers = (firn_vary_layers){&layer, 1, 1};
            }
            if (way == 4) v.field[q].noise.scale = 1;  // of amount 0: no noise
            for (int k = 0; k < FIRN_VARY_COUNT; k++)
                assert_int_equal(firn_vary_changes(&v, k), k == q && way < 4);
        }
    }
}

static firn_vary full(void)
{
    firn_vary v = firn_vary_default();
    v.field[FIRN_VARY_STRETCH].texture.file = firn_strdup("a.vdb");
    v.field[FIRN_VARY_STRETCH].texture.grid = firn_strdup("grid");
    v.field[FIRN_VARY_DENSITY].texture.file = firn_strdup("b.vdb");
    assert_true(
        firn_reserve((void**)&v.layers.items, &v.layers.capacity, 3, sizeof *v.layers.items));
    v.layers.count = 3;
    v.layers.items[2].to = 0.5;
    return v;
}

static void deep_copies(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_vary v = full();
    firn_vary copy = v;
    assert_true(firn_vary_own(&copy));
    assert_string_equal(copy.field[FIRN_VARY_STRETCH].texture.grid, "grid");
    assert_not_equal(copy.field[FIRN_VARY_STRETCH].texture.grid,
                     v.field[FIRN_VARY_STRETCH].texture.grid);
    assert_not_equal(copy.layers.items, v.layers.items);
    assert_equal(copy.layers.items[2].to, 0.5);
    firn_vary_release(&v);
    assert_string_equal(copy.field[FIRN_VARY_DENSITY].texture.file, "b.vdb");
    firn_vary_release(&copy);
    assert_equal(firn_memory_read().bytes, before);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    firn_vary v = full();
    const uint64_t before = firn_memory_read().bytes;
    for (int forever = 0; forever < 2; forever++) {
        int failures = 0;
        for (uint64_t k = 1;; k++, failures++) {
            firn_vary copy = v;
            firn_memory_fail_at(k, forever);
            const bool ok = firn_vary_own(&copy);
            firn_memory_fail_at(0, false);
            firn_vary_release(&copy);
            assert_equal(firn_memory_read().bytes, before);
            if (ok) break;
        }
        assert_int_equal(failures, 4);
    }
    firn_vary_release(&v);
}

int test_vary(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_by_default), cmocka_unit_test(what_changes),
        cmocka_unit_test(deep_copies), cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("vary", tests, NULL, NULL);
}
