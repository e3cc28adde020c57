// SPDX-License-Identifier: MIT
// Neighbours: every pair within the radius is found, once, wherever it is.
#include "state/neighbours.h"

#include <string.h>

#include "core/memory.h"
#include "seed.h"
#include "team_use.h"

#define COUNT 400

// How often the runs of a's cell hold b.
static int times_found(const firn_neighbours* n, const firn_local place[COUNT], int a, int b)
{
    firn_local cell = 0;
    while (n->begin[cell + 1] <= place[a]) cell++;
    const firn_neighbour_runs runs = firn_neighbours_of_cell(n, cell);
    int found = 0;
    for (int r = 0; r < runs.count; r++)
        found += place[b] >= runs.begin[r] && place[b] < runs.end[r];
    return found;
}

// Against all pairs; returns how many of them are within the radius.
static int check_pairs(const firn_vec3 x[COUNT], double radius, int threads)
{
    firn_neighbours n;
    use_team(threads);
    assert_int_equal(firn_neighbours_create(x, COUNT, radius, &n), FIRN_OK);
    use_team(0);
    firn_local place[COUNT];
    for (firn_local k = 0; k < COUNT; k++) place[n.order != NULL ? n.order[k] : k] = k;
    int near = 0;
    for (int a = 0; a < COUNT; a++) {
        assert_memory_equal(&n.x[place[a]], &x[a], sizeof *x);
        for (int b = 0; b < COUNT; b++) {
            const int found = times_found(&n, place, a, b);
            const double d[3] = {(double)x[a].x - (double)x[b].x, (double)x[a].y - (double)x[b].y,
                                 (double)x[a].z - (double)x[b].z};
            const bool is_near = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < radius * radius;
            assert_in_range(found, is_near ? 1 : 0, 1);
            near += is_near;
        }
    }
    for (firn_local c = 1; c < n.cell_count; c++) assert_greater(n.keys[c], n.keys[c - 1]);
    firn_neighbours_destroy(&n);
    return near;
}

static void all_pairs_are_found(void** state)
{
    (void)state;
    any_source r = any_start(11);
    firn_vec3 x[COUNT];
    for (int p = 0; p < COUNT; p++) x[p] = any_vec3(&r, 1);
    assert_in_range(check_pairs(x, 0.3, 1), 4 * COUNT, 20 * COUNT);
    check_pairs(x, 0.3, 7);
    assert_in_range(check_pairs(x, 0.01, 2), COUNT, COUNT + 10);
    assert_int_equal(check_pairs(x, 5, 2), COUNT * COUNT);  // all within one cell of each other
}

// Enough particles for every worker, sorted and not: the tables are those of one thread.
static void threads_change_nothing(void** state)
{
    (void)state;
    enum { MANY = 30001 };
    any_source r = any_start(17);
    firn_vec3* x = firn_alloc(MANY, sizeof *x);
    for (int p = 0; p < MANY; p++) x[p] = any_vec3(&r, p < MANY / 2 ? 1 : 0.01);
    for (int sorted = 0; sorted < 2; sorted++) {
        firn_neighbours one, many;
        assert_int_equal(firn_neighbours_create(x, MANY, 0.05, &one), FIRN_OK);
        assert_int_equal(one.begin[one.cell_count], MANY);
        for (firn_local c = 0; c < one.cell_count; c++) assert_less(one.begin[c], one.begin[c + 1]);
        for (int threads = 2; threads <= 16; threads += 7) {
            use_team(threads);
            assert_int_equal(firn_neighbours_create(x, MANY, 0.05, &many), FIRN_OK);
            use_team(0);
            assert_int_equal(many.cell_count, one.cell_count);
            const size_t cells = (size_t)one.cell_count;
            assert_memory_equal(many.keys, one.keys, cells * sizeof *one.keys);
            assert_memory_equal(many.begin, one.begin, (cells + 1) * sizeof *one.begin);
            assert_memory_equal(many.x, one.x, MANY * sizeof *one.x);
            firn_neighbours_destroy(&many);
        }
        memcpy(x, one.x, MANY * sizeof *x);
        firn_neighbours_destroy(&one);
    }
    firn_free(x);
}

// A cell's number has 21 bits: beyond them everyone is in the last cells, and found there.
static void far_ones_are_found_too(void** state)
{
    (void)state;
    any_source r = any_start(12);
    firn_vec3 x[COUNT];
    const firn_real far = 1 << 21;  // [radii], and a float of that size resolves a quarter
    for (int p = 0; p < COUNT; p++) {
        x[p] = any_vec3(&r, 4);
        if (p % 2 == 0) x[p].y += p % 4 == 0 ? far : -far;
    }
    assert_greater(check_pairs(x, 1, 2), 2 * COUNT);
}

static void coincident_and_none(void** state)
{
    (void)state;
    firn_vec3 x[COUNT];
    for (int p = 0; p < COUNT; p++) x[p] = firn_v3(1, -2, 3);
    assert_int_equal(check_pairs(x, 1e-3, 2), COUNT * COUNT);
    firn_neighbours n;
    assert_int_equal(firn_neighbours_create(NULL, 0, 1, &n), FIRN_OK);
    assert_int_equal(n.cell_count, 0);
    firn_neighbours_destroy(&n);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    any_source r = any_start(13);
    firn_vec3 x[COUNT];
    for (int p = 0; p < COUNT; p++) x[p] = any_vec3(&r, 1);
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        firn_neighbours n = {0};
        firn_memory_fail_at(k, true);
        result = firn_neighbours_create(x, COUNT, 0.2, &n);
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        firn_neighbours_destroy(&n);
        assert_int_equal(firn_memory_read().bytes, before);
        assert_in_range(k, 1, 100);
    }
}

// Other particles in the memory there is: more, fewer, none; the same as made afresh, and no
// allocation where nothing grows.
static void update_uses_the_memory_there_is(void** state)
{
    (void)state;
    any_source r = any_start(14);
    firn_vec3 x[COUNT];
    firn_neighbours n = {0};
    uint64_t allocations = 0;
    static const firn_local counts[] = {COUNT, 100, 0, 1, COUNT, COUNT / 2, COUNT};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (int p = 0; p < COUNT; p++) x[p] = any_vec3(&r, k == 0 ? 4 : 1);  // most cells first
        assert_int_equal(firn_neighbours_update(&n, x, counts[k], 0.3), FIRN_OK);
        if (k == 0) allocations = firn_memory_read().allocations;
        assert_int_equal(firn_memory_read().allocations, allocations);
        firn_neighbours fresh;
        assert_int_equal(firn_neighbours_create(x, counts[k], 0.3, &fresh), FIRN_OK);
        allocations = firn_memory_read().allocations;
        assert_int_equal(n.cell_count, fresh.cell_count);
        for (firn_local c = 0; c < n.cell_count; c++) {
            assert_equal(n.keys[c], fresh.keys[c]);
            assert_int_equal(n.begin[c], fresh.begin[c]);
        }
        if (n.cell_count > 0) assert_int_equal(n.begin[n.cell_count], counts[k]);
        for (firn_local p = 0; p < counts[k]; p++)
            assert_memory_equal(&n.x[p], &fresh.x[p], sizeof *x);
        firn_neighbours_destroy(&fresh);
    }
    firn_neighbours_destroy(&n);
}

// Cells of others: who of `n` is near a cell that its own particles do not have; and its middle.
static void around_a_key_of_others(void** state)
{
    (void)state;
    any_source r = any_start(15);
    firn_vec3 x[COUNT], y[COUNT];
    for (int p = 0; p < COUNT; p++) {
        x[p] = any_vec3(&r, 1);
        y[p] = any_vec3(&r, 1.5);
    }
    const double radius = 0.3;
    firn_neighbours n, others;
    assert_int_equal(firn_neighbours_create(x, COUNT, radius, &n), FIRN_OK);
    assert_int_equal(firn_neighbours_create(y, COUNT, radius, &others), FIRN_OK);
    for (firn_local c = 0; c < others.cell_count; c++) {
        const firn_neighbour_runs runs = firn_neighbours_around(&n, others.keys[c]);
        const firn_vec3 middle = firn_neighbours_cell_middle(others.keys[c], radius);
        for (firn_local q = others.begin[c]; q < others.begin[c + 1]; q++) {
            const double off[3] = {(double)others.x[q].x - (double)middle.x,
                                   (double)others.x[q].y - (double)middle.y,
                                   (double)others.x[q].z - (double)middle.z};
            for (int a = 0; a < 3; a++) assert_near(off[a], 0, 0.5 * radius * 1.00001);
            for (firn_local p = 0; p < COUNT; p++) {
                int found = 0;
                for (int k = 0; k < runs.count; k++) found += p >= runs.begin[k] && p < runs.end[k];
                const double d[3] = {(double)n.x[p].x - (double)others.x[q].x,
                                     (double)n.x[p].y - (double)others.x[q].y,
                                     (double)n.x[p].z - (double)others.x[q].z};
                const bool near = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < radius * radius;
                assert_in_range(found, near ? 1 : 0, 1);
            }
        }
    }
    firn_neighbours_destroy(&n);
    firn_neighbours_destroy(&others);
}

// A walk finds what a search of its own finds, wherever it begins and however far its steps are.
static void walks(void** state)
{
    (void)state;
    any_source r = any_start(16);
    firn_vec3 x[COUNT], y[COUNT];
    for (int p = 0; p < COUNT; p++) {
        x[p] = any_vec3(&r, 1);
        y[p] = any_vec3(&r, 1.5);
    }
    firn_neighbours n, others;
    assert_int_equal(firn_neighbours_create(x, COUNT, 0.3, &n), FIRN_OK);
    assert_int_equal(firn_neighbours_create(y, COUNT, 0.3, &others), FIRN_OK);
    int found = 0;
    for (firn_local first = 0; first < others.cell_count; first += 7)
        for (firn_local step = 1; step < 20; step += 6) {
            firn_neighbour_walk walk = {0};
            for (firn_local c = first; c < others.cell_count; c += step) {
                const firn_neighbour_runs a = firn_neighbours_around(&n, others.keys[c]);
                const firn_neighbour_runs b = firn_neighbours_walk(&n, &walk, others.keys[c]);
                assert_int_equal(a.count, b.count);
                for (int k = 0; k < a.count; k++) {
                    assert_int_equal(a.begin[k], b.begin[k]);
                    assert_int_equal(a.end[k], b.end[k]);
                }
                found += a.count;
            }
        }
    assert_greater(found, 1000);
    firn_neighbours_destroy(&n);
    firn_neighbours_destroy(&others);
}

int test_neighbours(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_are_found),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(far_ones_are_found_too),
        cmocka_unit_test(coincident_and_none),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(update_uses_the_memory_there_is),
        cmocka_unit_test(around_a_key_of_others),
        cmocka_unit_test(walks),
    };
    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
