// SPDX-License-Identifier: MIT
// Neighbour lists against all pairs, at every SIMD level and with any number of threads; their
// memory.
#include "state/pair_search.h"

#include "core/memory.h"
#include "gather_kernels.h"
#include "math/vec3.h"
#include "seed.h"
#include "team_use.h"

// Particles sorted by cell, as a solver has them, and their lists.
typedef struct lists {
    firn_local count;
    firn_vec3* x;         // sorted
    firn_real* plane[3];  // readable FIRN_SLICE beyond the end
    firn_neighbours cells;
    firn_pair_list pairs;
    double radius;
} lists;

static lists sorted(const firn_vec3* x, firn_local count, double radius)
{
    lists l = {.count = count, .radius = radius};
    assert_int_equal(firn_neighbours_update(&l.cells, x, count, radius), FIRN_OK);
    l.x = firn_alloc((size_t)count + 1, sizeof *l.x);
    for (int a = 0; a < 3; a++)
        l.plane[a] = firn_alloc((size_t)count + FIRN_SLICE, sizeof(firn_real));
    for (firn_local k = 0; k < count; k++) {
        l.x[k] = l.cells.x[k];
        l.plane[0][k] = l.x[k].x;
        l.plane[1][k] = l.x[k].y;
        l.plane[2][k] = l.x[k].z;
    }
    return l;
}

static void drop(lists* l)
{
    firn_neighbours_destroy(&l->cells);
    firn_pair_list_destroy(&l->pairs);
    firn_free(l->x);
    for (int a = 0; a < 3; a++) firn_free(l->plane[a]);
}

static firn_result search(lists* l, const gather_kernels* k)
{
    FIRN_TRY(firn_pair_list_reserve(&l->pairs, l->count));
    return k->search(&(firn_pair_search_args){.list = &l->pairs,
                                              .cells = &l->cells,
                                              .x = l->plane[0],
                                              .y = l->plane[1],
                                              .z = l->plane[2],
                                              .radius = (firn_real)l->radius});
}

// Distances that rounding may put on either side of the radius.
static bool on_the_edge(double r2, double radius)
{
    return fabs(r2 / (radius * radius) - 1) < 1e-5;
}

// Every list holds who is near, once, ascending, and nobody else; what is left of the rows is the
// particle itself.
static void check_lists(const lists* l)
{
    assert_int_equal(l->pairs.slice_count, firn_slices_of(l->count));
    int64_t total = 0;
    for (firn_local i = 0; i < l->count; i++) {
        int k = 0;
        const int listed = l->pairs.neighbours[i];
        for (firn_local j = 0; j < l->count; j++) {
            const double d[3] = {(double)l->x[j].x - (double)l->x[i].x,
                                 (double)l->x[j].y - (double)l->x[i].y,
                                 (double)l->x[j].z - (double)l->x[i].z};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            const bool found = k < listed && firn_pair_at(&l->pairs, i, k).j == j;
            k += found;
            if (j == i)
                assert_false(found);
            else if (!on_the_edge(r2, l->radius))
                assert_equal(found, r2 < l->radius * l->radius);
        }
        assert_int_equal(k, listed);  // ascending, all of them met
        for (; k < l->pairs.row_count[i / FIRN_SLICE]; k++)
            assert_int_equal(firn_pair_at(&l->pairs, i, k).j, i);
        total += listed;
    }
    for (firn_local p = l->count; p < l->pairs.slice_count * FIRN_SLICE; p++)
        assert_int_equal(l->pairs.neighbours[p], 0);
    assert_equal(firn_pair_list_total(&l->pairs), total);
}

static void check_everywhere(const firn_vec3* x, firn_local count, double radius)
{
    const gather_kernels* k;
    for (int n = 0; (k = gather_kernels_get(n)) != NULL; n++)
        for (int threads = 1; threads <= 32; threads += threads == 1 ? 1 : 5 + 20 * (threads > 6)) {
            use_team(threads);
            lists l = sorted(x, count, radius);
            assert_int_equal(search(&l, k), FIRN_OK);
            check_lists(&l);
            drop(&l);
            use_team(0);
        }
}

static void clouds(void** state)
{
    (void)state;
    any_source r = any_start(71);
    static const int counts[] = {0, 1, 2, 15, 16, 17, 33, 500};
    firn_vec3 x[500];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int p = 0; p < counts[c]; p++) x[p] = any_vec3(&r, 1);
        check_everywhere(x, counts[c], 0.35);
    }
    check_everywhere(x, 500, 0.01);  // hardly anyone
    check_everywhere(x, 100, 9);     // everyone
}

// Dense heaps with nothing between them, some of them in one place, some a kilometre away.
static void clusters(void** state)
{
    (void)state;
    any_source r = any_start(72);
    firn_vec3 x[400];
    for (int p = 0; p < 400; p++) {
        const firn_vec3 middle = {(firn_real)(p % 4 == 1 ? 1000 : 0), (firn_real)(p % 4 == 2), -3};
        x[p] = firn_v3_add(middle, any_vec3(&r, p % 4 == 3 ? 0 : 0.05));
    }
    check_everywhere(x, 400, 0.06);
}

// Room grows with the first search and serves the ones after it; fewer particles use less of it.
static void room_is_kept(void** state)
{
    (void)state;
    any_source r = any_start(73);
    firn_vec3 x[400];
    for (int p = 0; p < 400; p++) x[p] = any_vec3(&r, 1);
    lists l = sorted(x, 400, 0.4);
    const gather_kernels* k = gather_kernels_get(0);
    firn_team* teams[2] = {firn_team_create(2), firn_team_create(3)};
    firn_team_use(teams[1]);
    assert_int_equal(search(&l, k), FIRN_OK);
    const uint64_t allocations = firn_memory_read().allocations;
    for (int n = 0; n < 4; n++) {
        firn_team_use(teams[n % 2]);
        assert_int_equal(search(&l, k), FIRN_OK);
        check_lists(&l);
    }
    assert_int_equal(firn_memory_read().allocations, allocations);
    for (int n = 0; n < 2; n++) firn_team_destroy(teams[n]);
    drop(&l);
}

// A crowd in one place: lists stop at FIRN_PAIRS_MOST, and nothing is written beyond.
static void crowd(void** state)
{
    (void)state;
    enum { COUNT = FIRN_PAIRS_MOST + 50 };
    firn_vec3* x = firn_alloc(COUNT, sizeof *x);
    for (int p = 0; p < COUNT; p++) x[p] = firn_v3(1, 2, 3);
    use_team(2);
    lists l = sorted(x, COUNT, 0.1);
    const gather_kernels* k;
    for (int n = 0; (k = gather_kernels_get(n)) != NULL; n++) {
        assert_int_equal(search(&l, k), FIRN_OK);
        for (firn_local p = 0; p < COUNT; p++) {
            assert_int_equal(l.pairs.neighbours[p], FIRN_PAIRS_MOST);
            for (int j = 0; j < FIRN_PAIRS_MOST; j += 97)  // the first ones, without itself
                assert_int_equal(firn_pair_at(&l.pairs, p, j).j, j + (j >= p));
        }
    }
    drop(&l);
    use_team(0);
    firn_free(x);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    any_source r = any_start(74);
    firn_vec3 x[300];
    for (int p = 0; p < 300; p++) x[p] = any_vec3(&r, 1);
    use_team(2);
    lists l = sorted(x, 300, 0.3);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        firn_memory_fail_at(k, k % 2 == 0);
        result = search(&l, gather_kernels_get(0));
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        if (result != FIRN_OK && k % 3 == 0) {  // what is left can be used again
            assert_int_equal(search(&l, gather_kernels_get(0)), FIRN_OK);
            check_lists(&l);
        }
        firn_pair_list_destroy(&l.pairs);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 30);
    }
    drop(&l);
    use_team(0);
}

int test_pair_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds),
        cmocka_unit_test(clusters),
        cmocka_unit_test(room_is_kept),
        cmocka_unit_test(crowd),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("pair_search", tests, NULL, NULL);
}
