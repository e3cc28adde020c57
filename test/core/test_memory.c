// SPDX-License-Identifier: MIT
// Memory: aligned, zeroed, counted, capped, and failing when a test says so.
#include "core/memory.h"

#include <pthread.h>
#include <string.h>

#include "firn_test.h"

static bool is_zero(const void* block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char*)block)[i] != 0) return false;
    return true;
}

static void aligned_and_zeroed(void** state)
{
    (void)state;
    for (size_t bytes = 0; bytes < 300; bytes++) {
        unsigned char* dirty = firn_alloc(bytes, 1);  // the next block may reuse this memory
        memset(dirty, 0xff, bytes);
        firn_free(dirty);
        void* block = firn_alloc(bytes, 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % FIRN_ALIGNMENT, 0);
        assert_true(is_zero(block, bytes));
        firn_free(block);
    }
    firn_free(NULL);
}

static void counted(void** state)
{
    (void)state;
    const firn_memory_stats before = firn_memory_read();
    void* a = firn_alloc(1000, 3);
    void* b = firn_alloc(1, 500);
    const firn_memory_stats during = firn_memory_read();
    assert_int_equal(during.bytes, before.bytes + 3500);
    assert_int_equal(during.allocations, before.allocations + 2);
    assert_at_least(during.peak_bytes, during.bytes);
    firn_free(a);
    firn_free(b);
    const firn_memory_stats after = firn_memory_read();
    assert_int_equal(after.bytes, before.bytes);
    assert_at_least(after.peak_bytes, before.bytes + 3500);
}

static void too_large(void** state)
{
    (void)state;
    const firn_memory_stats before = firn_memory_read();
    assert_null(firn_alloc(SIZE_MAX / 4 + 2, 4));  // the product overflows to 4
    assert_null(firn_alloc(SIZE_MAX / 2, 3));      // the product overflows
    assert_null(firn_alloc(SIZE_MAX - 63, 1));     // room for the header overflows
    assert_null(firn_alloc(SIZE_MAX, 1));
    const firn_memory_stats after = firn_memory_read();
    assert_int_equal(after.bytes, before.bytes);
    assert_int_equal(after.allocations, before.allocations);
}

static void budget_has_a_cap(void** state)
{
    (void)state;
    firn_memory_budget* budget = firn_memory_budget_create(1000);
    assert_null(firn_memory_use(budget));
    void* fits = firn_alloc(1000, 1);
    void* over = firn_alloc(1, 1);
    firn_free(fits);
    void* again = firn_alloc(999, 1);
    void* exactly = firn_alloc(1, 1);
    assert_int_equal(firn_memory_budget_bytes(budget), 1000);
    assert_ptr_equal(firn_memory_use(NULL), budget);
    assert_non_null(fits);
    assert_null(over);
    assert_non_null(again);
    assert_non_null(exactly);
    void* of_none = firn_alloc(100000, 1);
    assert_non_null(of_none);
    firn_free(of_none);
    firn_free(again);
    assert_int_equal(firn_memory_budget_bytes(budget), 1);
    firn_memory_budget_release(budget);  // one block is left, which keeps the budget alive
    firn_free(exactly);
}

typedef struct user {
    firn_memory_budget* budget;
    void* block;
} user;

static void* take_what_fits(void* self)
{
    user* u = self;
    firn_memory_use(u->budget);
    u->block = firn_alloc(3000, 1);
    if (u->block == NULL) u->block = firn_alloc(700, 1);
    return NULL;
}

// Each thread has a budget of its own, and a block returns to the one that it came from.
static void budgets_side_by_side(void** state)
{
    (void)state;
    firn_memory_budget* budgets[2] = {firn_memory_budget_create(1000),
                                      firn_memory_budget_create(5000)};
    void* blocks[2] = {NULL, NULL};
    pthread_t threads[2];
    user users[2];
    for (int k = 0; k < 2; k++) {
        users[k] = (user){budgets[k], NULL};
        assert_int_equal(pthread_create(&threads[k], NULL, take_what_fits, &users[k]), 0);
    }
    for (int k = 0; k < 2; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        blocks[k] = users[k].block;
    }
    assert_int_equal(firn_memory_budget_bytes(budgets[0]), 700);
    assert_int_equal(firn_memory_budget_bytes(budgets[1]), 3000);
    firn_memory_use(budgets[0]);
    firn_free(blocks[1]);
    firn_free(blocks[0]);
    assert_ptr_equal(firn_memory_used(), budgets[0]);
    firn_memory_use(NULL);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(firn_memory_budget_bytes(budgets[k]), 0);
        firn_memory_budget_release(budgets[k]);
    }
    firn_memory_budget_release(NULL);
}

static void fails_when_told(void** state)
{
    (void)state;
    void* block[6];
    firn_memory_fail_at(3, false);
    for (int k = 0; k < 6; k++) block[k] = firn_alloc(10, 1);
    for (int k = 0; k < 6; k++) {
        assert_equal(block[k] == NULL, k == 2);
        firn_free(block[k]);
    }
    firn_memory_fail_at(2, true);
    for (int k = 0; k < 6; k++) block[k] = firn_alloc(10, 1);
    firn_memory_fail_at(0, false);
    for (int k = 0; k < 6; k++) {
        assert_equal(block[k] == NULL, k >= 1);
        firn_free(block[k]);
    }
    void* works = firn_alloc(10, 1);
    assert_non_null(works);
    firn_free(works);
}

static void grows(void** state)
{
    (void)state;
    int* numbers = firn_alloc(4, sizeof *numbers);
    for (int k = 0; k < 4; k++) numbers[k] = k + 1;
    numbers = firn_realloc(numbers, 4, 9, sizeof *numbers);
    for (int k = 0; k < 9; k++) assert_int_equal(numbers[k], k < 4 ? k + 1 : 0);
    firn_memory_fail_at(1, false);
    assert_null(firn_realloc(numbers, 9, 20, sizeof *numbers));
    assert_int_equal(numbers[3], 4);  // a failure leaves the old block
    numbers = firn_realloc(numbers, 9, 2, sizeof *numbers);
    assert_int_equal(numbers[1], 2);
    firn_free(numbers);
    void* fresh = firn_realloc(NULL, 0, 3, 8);
    assert_non_null(fresh);
    firn_free(fresh);
}

static void reserve(void** state)
{
    (void)state;
    void* array = NULL;
    firn_local capacity = 0;
    uint64_t before = firn_memory_read().allocations;
    for (firn_local need = 1; need <= 10000; need++) {
        assert_true(firn_reserve(&array, &capacity, need, sizeof(int)));
        assert_at_least(capacity, need);
        ((int*)array)[need - 1] = need;
    }
    assert_less(firn_memory_read().allocations - before, 20);  // grows by factors
    for (int k = 0; k < 10000; k++) assert_int_equal(((int*)array)[k], k + 1);
    const firn_local had = capacity;
    void* const was = array;
    firn_memory_fail_at(1, false);
    assert_false(firn_reserve(&array, &capacity, capacity + 1, sizeof(int)));
    assert_equal(array, was);
    assert_equal(capacity, had);
    firn_free(array);
}

static void strings(void** state)
{
    (void)state;
    char* copy = firn_strdup("snow");
    assert_string_equal(copy, "snow");
    char* part = firn_strndup("snowball", 4);
    assert_string_equal(part, "snow");
    char* empty = firn_strdup("");
    assert_string_equal(empty, "");
    firn_free(copy);
    firn_free(part);
    firn_free(empty);
    firn_memory_fail_at(1, false);
    assert_null(firn_strdup("snow"));
}

int test_memory(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aligned_and_zeroed),
                                       cmocka_unit_test(counted),
                                       cmocka_unit_test(too_large),
                                       cmocka_unit_test(budget_has_a_cap),
                                       cmocka_unit_test(budgets_side_by_side),
                                       cmocka_unit_test(fails_when_told),
                                       cmocka_unit_test(grows),
                                       cmocka_unit_test(reserve),
                                       cmocka_unit_test(strings)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
