// SPDX-License-Identifier: MIT
// Sorting particles by block and cell: against a plain sort, for any number of threads, from any
// earlier step, with particles that the grid cannot hold, and without memory.
#include "state/block_sort.h"

#include <stdlib.h>

#include "core/memory.h"
#include "seed.h"
#include "team_use.h"

#define COUNT 5000

static const firn_real cell = (firn_real)0.25;

typedef struct item {
    uint64_t key;  // of the block, then the cell
    firn_local p;
} item;

static int by_key_then_number(const void* a, const void* b)
{
    const item *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->p < y->p ? -1 : x->p > y->p;
}

static void check_against_plain(const firn_sparse_grid* g, const firn_vec3* x, firn_local count)
{
    item* all = firn_alloc((size_t)count, sizeof *all);
    for (firn_local p = 0; p < count; p++) {
        const firn_weights w = firn_weights_of(FIRN_SPLINE_CUBIC, x[p], g->inverse_cell);
        const uint64_t in_block =
            (uint64_t)((w.base[0] & 3) << 4 | (w.base[1] & 3) << 2 | (w.base[2] & 3));
        const uint64_t block = firn_block_key(w.base[0] >> 2, w.base[1] >> 2, w.base[2] >> 2);
        all[p] = (item){block << 6 | in_block, p};
    }
    qsort(all, (size_t)count, sizeof *all, by_key_then_number);
    firn_local b = -1;
    for (firn_local k = 0; k < count; k++) {
        assert_int_equal(g->order[k], all[k].p);
        if (k > 0 && all[k].key >> 6 == all[k - 1].key >> 6) continue;
        b++;
        assert_int_equal(g->first[b], k);
        assert_equal(firn_block_key(g->coord[b][0], g->coord[b][1], g->coord[b][2]),
                     all[k].key >> 6);
    }
    assert_int_equal(g->occupied_count, b + 1);
    assert_int_equal(g->first[g->occupied_count], count);
    firn_free(all);
}

// Particles wander; some jump far, so that blocks become active and inactive; counts shrink.
static void many_steps(void** state)
{
    (void)state;
    firn_vec3* x = firn_alloc(COUNT, sizeof *x);
    firn_sparse_grid g = {.cell = cell, .inverse_cell = 1 / cell};
    firn_block_sort sort = {0};
    any_source r = any_start(701);
    for (firn_local p = 0; p < COUNT; p++) x[p] = any_vec3(&r, 3);
    for (int step = 0; step < 30; step++) {
        const firn_local count = COUNT - 40 * step;
        firn_local bad;
        const int threads = 1 + step % 4;
        use_team(1 + step % 3);
        assert_int_equal(firn_block_sort_run(&sort, &g, x, count, threads, &bad), FIRN_OK);
        assert_int_equal(bad, count);
        check_against_plain(&g, x, count);
        // the same again activates nothing, with the same result
        assert_int_equal(firn_block_sort_run(&sort, &g, x, count, 3, &bad), FIRN_OK);
        check_against_plain(&g, x, count);
        const double push = step % 3 == 0 ? 0 : 0.2;
        for (firn_local p = 0; p < COUNT; p++)
            x[p] = firn_v3_add(x[p], any_vec3(&r, p % 97 == 0 ? 20 : push));
    }
    firn_local bad;
    assert_int_equal(firn_block_sort_run(&sort, &g, x, 0, 2, &bad), FIRN_OK);
    assert_int_equal(g.occupied_count, 0);
    use_team(0);
    firn_block_sort_destroy(&sort);
    firn_grid_destroy(&g);
    firn_free(x);
}

// The first particle that is lost is named, whatever the number of threads, and the grid stays.
static void lost_particles(void** state)
{
    (void)state;
    const firn_real lost[] = {(firn_real)NAN,  (firn_real)INFINITY, -(firn_real)INFINITY,
                              (firn_real)1e30, 524288 * cell,       -524288 * cell};
    firn_vec3* x = firn_alloc(COUNT, sizeof *x);
    firn_sparse_grid g = {.cell = cell, .inverse_cell = 1 / cell};
    firn_block_sort sort = {0};
    any_source r = any_start(702);
    for (firn_local p = 0; p < COUNT; p++) x[p] = any_vec3(&r, 3);
    firn_local bad;
    assert_int_equal(firn_block_sort_run(&sort, &g, x, COUNT, 2, &bad), FIRN_OK);
    const firn_local blocks = g.block_count, occupied = g.occupied_count;
    for (int k = 0; k < 18; k++) {
        const firn_vec3 kept[2] = {x[1234], x[4321]};
        (&x[1234].x)[k % 3] = lost[k / 3];
        (&x[4321].x)[k % 3] = lost[k / 3];
        assert_int_equal(firn_block_sort_run(&sort, &g, x, COUNT, 1 + k % 4, &bad), FIRN_OK);
        assert_int_equal(bad, 1234);
        assert_int_equal(g.block_count, blocks);
        assert_int_equal(g.occupied_count, occupied);
        x[1234] = kept[0];
        x[4321] = kept[1];
    }
    assert_int_equal(firn_block_sort_run(&sort, &g, x, COUNT, 2, &bad), FIRN_OK);
    check_against_plain(&g, x, COUNT);
    firn_block_sort_destroy(&sort);
    firn_grid_destroy(&g);
    firn_free(x);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_vec3* x = firn_alloc(COUNT, sizeof *x);
    any_source r = any_start(703);
    for (firn_local p = 0; p < COUNT; p++) x[p] = any_vec3(&r, 3);
    const uint64_t start = firn_memory_read().bytes;
    bool done = false;
    for (uint64_t k = 1; k < 200 && !done; k++) {
        firn_sparse_grid g = {.cell = cell, .inverse_cell = 1 / cell};
        firn_block_sort sort = {0};
        firn_local bad;
        firn_memory_fail_at(k, false);
        const firn_result result = firn_block_sort_run(&sort, &g, x, COUNT, 2, &bad);
        firn_memory_fail_at(0, false);
        done = result == FIRN_OK;
        if (!done) assert_int_equal(result, FIRN_BROKEN_MEMORY);
        if (done) assert_greater(k, 8);
        firn_block_sort_destroy(&sort);
        firn_grid_destroy(&g);
        assert_int_equal(firn_memory_read().bytes, start);
    }
    assert_true(done);
    firn_free(x);
}

int test_block_sort(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_steps),
                                       cmocka_unit_test(lost_particles),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
