// SPDX-License-Identifier: MIT
// The sparse grid: every node that a particle reaches exists, blocks of a colour share none, tiles
// scatter and gather what the plain sums say.
#include "state/sparse_grid.h"

#include "core/memory.h"
#include "seed.h"
#include "state/block_sort.h"
#include "state/tile.h"
#include "team_use.h"

static const firn_real cell = (firn_real)0.25;

// Positions in a cloud, and the grid that they activate.
typedef struct cloud {
    firn_local count;
    firn_vec3* x;
    firn_block_sort sort;
    firn_sparse_grid grid;
} cloud;

static cloud make_cloud(uint64_t seed, firn_local count, double size)
{
    cloud c = {.count = count, .grid = {.cell = cell, .inverse_cell = 1 / cell}};
    any_source r = any_start(seed);
    c.x = firn_alloc((size_t)count, sizeof *c.x);
    for (firn_local p = 0; p < count; p++) c.x[p] = any_vec3(&r, size);
    firn_local bad;
    assert_int_equal(firn_block_sort_run(&c.sort, &c.grid, c.x, count, 1, &bad), FIRN_OK);
    assert_int_equal(bad, count);
    return c;
}

static void free_cloud(cloud* c)
{
    firn_free(c->x);
    firn_block_sort_destroy(&c->sort);
    firn_grid_destroy(&c->grid);
}

static int32_t block_of(int32_t node)
{
    return node >= 0 ? node / 4 : -((3 - node) / 4);
}

// Each particle's 64 nodes lie in blocks that exist and that its occupied block lists.
static void every_node_exists(void** state)
{
    (void)state;
    cloud c = make_cloud(601, 3000, 6);
    const firn_sparse_grid* g = &c.grid;
    assert_int_equal(g->first[0], 0);
    assert_int_equal(g->first[g->occupied_count], c.count);
    for (firn_local b = 0; b < g->occupied_count; b++) {
        assert_less(g->first[b], g->first[b + 1]);
        for (firn_local k = g->first[b]; k < g->first[b + 1]; k++) {
            const firn_weights w =
                firn_weights_of(FIRN_SPLINE_CUBIC, c.x[g->order[k]], g->inverse_cell);
            for (int d = 0; d < 3; d++) assert_int_equal(block_of(w.base[d]), g->coord[b][d]);
            for (int n = 0; n < 8; n++) {
                const int32_t o[3] = {3 * (n >> 2), 3 * (n >> 1 & 1), 3 * (n & 1)};
                const firn_local found =
                    firn_grid_find(g, block_of(w.base[0] + o[0]), block_of(w.base[1] + o[1]),
                                   block_of(w.base[2] + o[2]));
                assert_at_least(found, 0);
                bool listed = false;
                for (int l = 0; l < 8; l++) listed = listed || g->neighbour[b][l] == found;
                assert_true(listed);
            }
        }
    }
    assert_int_equal(firn_grid_find(g, 100, 100, 100), -1);
    free_cloud(&c);
}

// No two groups of one colour touch a common block; every occupied block is in one group, and
// groups are of one block in small grids, of up to eight neighbours in large ones.
static void check_colours(uint64_t seed, firn_local count, double size, bool large)
{
    cloud c = make_cloud(seed, count, size);
    const firn_sparse_grid* g = &c.grid;
    assert_equal(g->occupied_count >= FIRN_GRID_LARGE, large);
    firn_local* owner = firn_alloc((size_t)g->block_count, sizeof *owner);
    char* seen = firn_alloc((size_t)g->occupied_count, 1);
    const firn_local groups = g->colour_first[FIRN_GRID_COLOURS];
    assert_int_equal(g->colour_first[0], 0);
    assert_int_equal(g->group_first[0], 0);
    assert_int_equal(g->group_first[groups], g->occupied_count);
    assert_true(large ? groups < g->occupied_count / 2 : groups == g->occupied_count);
    for (int colour = 0; colour < FIRN_GRID_COLOURS; colour++) {
        for (firn_local k = 0; k < g->block_count; k++) owner[k] = -1;
        for (firn_local k = g->colour_first[colour]; k < g->colour_first[colour + 1]; k++) {
            assert_less(g->group_first[k], g->group_first[k + 1]);
            assert_at_most(g->group_first[k + 1] - g->group_first[k], 8);
            for (firn_local n = g->group_first[k]; n < g->group_first[k + 1]; n++) {
                const firn_local b = g->by_colour[n];
                assert_equal(seen[b]++, 0);
                for (int m = 0; m < 8; m++) {
                    const firn_local touched = g->neighbour[b][m];
                    assert_either(owner[touched], -1, k);
                    owner[touched] = k;
                }
            }
        }
    }
    for (firn_local b = 0; b < g->occupied_count; b++) assert_int_equal(seen[b], 1);
    firn_free(owner);
    firn_free(seen);
    free_cloud(&c);
}

static void colours_share_nothing(void** state)
{
    (void)state;
    check_colours(602, 4000, 4, false);
    check_colours(608, 80000, 14, true);
}

// Blocks have the same numbers, whoever enters them first.
static void threads_change_nothing(void** state)
{
    (void)state;
    cloud c = make_cloud(609, 40000, 8);
    const firn_sparse_grid* one = &c.grid;
    const size_t occupied = (size_t)one->occupied_count, blocks = (size_t)one->block_count;
    uint64_t* keys = firn_alloc(occupied, sizeof *keys);
    for (size_t b = 0; b < occupied; b++)
        keys[b] = firn_block_key(one->coord[b][0], one->coord[b][1], one->coord[b][2]);
    firn_sparse_grid g = {.cell = cell, .inverse_cell = 1 / cell};
    for (int threads = 2; threads <= 16; threads += 7) {
        use_team(threads);
        for (int again = 0; again < 3; again++) {
            assert_int_equal(firn_grid_activate(&g, keys, one->occupied_count), FIRN_OK);
            assert_int_equal(g.block_count, one->block_count);
            assert_memory_equal(g.coord, one->coord, blocks * sizeof *g.coord);
            assert_memory_equal(g.neighbour, one->neighbour, occupied * sizeof *g.neighbour);
            assert_memory_equal(g.by_colour, one->by_colour, occupied * sizeof *g.by_colour);
            for (size_t b = 0; b < blocks; b++)
                assert_int_equal(firn_grid_find(&g, g.coord[b][0], g.coord[b][1], g.coord[b][2]),
                                 b);
        }
        use_team(0);
    }
    firn_grid_destroy(&g);
    firn_free(keys);
    free_cloud(&c);
}

// Twice the empty space costs nothing: blocks follow particles.
static void empty_space_is_free(void** state)
{
    (void)state;
    firn_sparse_grid g = {.cell = cell, .inverse_cell = 1 / cell};
    firn_local blocks[2];
    for (int far = 0; far < 2; far++) {
        const uint64_t keys[2] = {firn_block_key(0, 0, 0), firn_block_key(far ? 30000 : 20, 0, 0)};
        assert_less(keys[0], keys[1]);
        assert_int_equal(firn_grid_activate(&g, keys, 2), FIRN_OK);
        blocks[far] = g.block_count;
    }
    assert_int_equal(blocks[0], blocks[1]);
    assert_int_equal(blocks[0], 16);
    assert_int_equal(firn_grid_activate(&g, NULL, 0), FIRN_OK);  // no particles: no blocks
    assert_int_equal(g.block_count, 0);
    firn_grid_destroy(&g);
}

// Wake gives back the block that the key was made of; admitting finds it, or adds one behind.
static void keys_and_limits(void** state)
{
    (void)state;
    firn_sparse_grid g = {.cell = 1, .inverse_cell = 1};
    any_source r = any_start(603);
    for (int n = 0; n < 20000; n++) {
        const double size = n % 2 ? FIRN_BLOCK_LIMIT - 2 : 50;
        const int32_t b[3] = {(int32_t)any_between(&r, -size, size),
                              (int32_t)any_between(&r, -size, size),
                              (int32_t)any_between(&r, -size, size)};
        const uint64_t key = firn_block_key(b[0], b[1], b[2]);
        assert_int_equal(firn_grid_activate(&g, &key, 1), FIRN_OK);
        for (int d = 0; d < 3; d++) assert_int_equal(g.coord[0][d], b[d]);
        firn_local found;
        assert_int_equal(firn_grid_admit(&g, b[0], b[1], b[2], &found), FIRN_OK);
        assert_int_equal(found, 0);
        assert_int_equal(firn_grid_admit(&g, b[0] - 1, b[1], b[2], &found), FIRN_OK);
        assert_int_equal(found, 8);
        assert_int_equal(firn_grid_find(&g, b[0] - 1, b[1], b[2]), 8);
    }
    firn_grid_destroy(&g);
}

static void node_positions(void** state)
{
    (void)state;
    cloud c = make_cloud(604, 200, 3);
    for (firn_local n = 0; n < firn_grid_node_count(&c.grid); n++) {
        const int32_t* b = c.grid.coord[n / 64];
        const firn_vec3 x = firn_grid_node_position(&c.grid, n);
        assert_equal(x.x, (firn_real)(4 * b[0] + n / 16 % 4) * cell);
        assert_equal(x.y, (firn_real)(4 * b[1] + n / 4 % 4) * cell);
        assert_equal(x.z, (firn_real)(4 * b[2] + n % 4) * cell);
    }
    free_cloud(&c);
}

// The node array index of node (i, j, k), or -1.
static firn_local node_at(const firn_sparse_grid* g, int32_t i, int32_t j, int32_t k)
{
    const firn_local b = firn_grid_find(g, block_of(i), block_of(j), block_of(k));
    return b < 0 ? -1 : b * 64 + (i & 3) * 16 + (j & 3) * 4 + (k & 3);
}

// What the sums written out say of one particle: the field's value and gradient there, and what the
// particle adds to `plain` when it scatters column[0] and the gradient of all three.
typedef struct written_out {
    double value[4], grad[3][4];
} written_out;

static written_out write_out(const firn_sparse_grid* g, const firn_weights* w,
                             const firn_real s[3][4], const firn_vec4* field,
                             const firn_vec4 column[3], double (*plain)[4])
{
    written_out out = {0};
    for (int k = 0; k < 64; k++) {
        const int e[3] = {k >> 4, k >> 2 & 3, k & 3};
        const firn_local n = node_at(g, w->base[0] + e[0], w->base[1] + e[1], w->base[2] + e[2]);
        const double wx = (double)w->w[0][e[0]], wy = (double)w->w[1][e[1]];
        const double wz = (double)w->w[2][e[2]];
        const double dw[3] = {(double)s[0][e[0]] * wy * wz, wx * (double)s[1][e[1]] * wz,
                              wx * wy * (double)s[2][e[2]]};
        for (int d = 0; d < 4; d++) {
            out.value[d] += wx * wy * wz * (double)field[n][d];
            plain[n][d] += wx * wy * wz * (double)column[0][d];
            for (int a = 0; a < 3; a++) {
                out.grad[a][d] += dw[a] * (double)field[n][d];
                plain[n][d] += dw[a] * (double)column[a][d];
            }
        }
    }
    return out;
}

// One particle through the tiles; gives the largest error of what it gathered.
static double through_tiles(const firn_sparse_grid* g, firn_vec3 x, const firn_tile* in,
                            firn_tile* out, const firn_vec4* field, const firn_vec4 column[3],
                            double (*plain)[4])
{
    const firn_weights w = firn_weights_of(FIRN_SPLINE_CUBIC, x, g->inverse_cell);
    firn_real s[3][4];
    for (int d = 0; d < 3; d++) firn_bspline_slopes(w.t[d], g->inverse_cell, s[d]);
    const firn_real(*slopes)[4] = (const firn_real(*)[4])s;
    firn_tile_scatter(firn_tile_corner(out, &w), &w, column[0]);
    firn_tile_scatter_gradient(firn_tile_corner(out, &w), &w, slopes, column);
    firn_vec4 grad[3];
    const firn_vec4 value = firn_tile_gather(firn_tile_corner_const(in, &w), &w);
    firn_tile_gather_gradient(firn_tile_corner_const(in, &w), &w, slopes, grad);
    const written_out expected = write_out(g, &w, slopes, field, column, plain);
    double worst = 0;
    for (int d = 0; d < 4; d++) {
        worst = fmax(worst, fabs(expected.value[d] - (double)value[d]));
        for (int a = 0; a < 3; a++)
            worst = fmax(worst, fabs(expected.grad[a][d] - (double)grad[a][d]) * (double)cell);
    }
    return worst;
}

// Tiles against the sums written out: values, gradients, both ways.
static void tiles(void** state)
{
    (void)state;
    cloud c = make_cloud(605, 400, 1.5);
    const firn_sparse_grid* g = &c.grid;
    const size_t nodes = (size_t)firn_grid_node_count(g);
    firn_vec4* field = firn_alloc(nodes, sizeof *field);
    firn_vec4* sum = firn_alloc(nodes, sizeof *sum);
    double(*plain)[4] = firn_alloc(nodes, sizeof *plain);
    any_source r = any_start(606);
    for (size_t n = 0; n < nodes; n++)
        for (int d = 0; d < 4; d++) field[n][d] = (firn_real)any_between(&r, -1, 1);
    const firn_vec4 column[3] = {{1, 2, 3, 4}, {-1, (firn_real)0.5, 2, 0}, {3, -2, 1, 1}};
    double worst = 0;
    for (firn_local b = 0; b < g->occupied_count; b++) {
        firn_tile in, out;
        firn_tile_load(&in, field, g->neighbour[b]);
        firn_tile_clear(&out);
        for (firn_local k = g->first[b]; k < g->first[b + 1]; k++)
            worst =
                fmax(worst, through_tiles(g, c.x[g->order[k]], &in, &out, field, column, plain));
        firn_tile_add(&out, sum, g->neighbour[b]);
    }
    for (size_t n = 0; n < nodes; n++)
        for (int d = 0; d < 4; d++)
            worst = fmax(worst, fabs(plain[n][d] - (double)sum[n][d]) / 100);
    assert_less(worst, 60 * (double)FIRN_REAL_EPSILON);
    firn_free(field);
    firn_free(sum);
    firn_free(plain);
    free_cloud(&c);
}

static void out_of_memory(void** state)
{
    (void)state;
    uint64_t keys[500];
    for (int k = 0; k < 500; k++)
        keys[k] = (firn_block_key(0, 0, 0) & ~(uint64_t)511) + (uint64_t)k;
    const uint64_t start = firn_memory_read().bytes;
    for (uint64_t k = 1; k < 60; k++) {
        firn_sparse_grid g = {.cell = cell, .inverse_cell = 1 / cell};
        firn_memory_fail_at(k, false);
        const firn_result r = firn_grid_activate(&g, keys, 500);
        firn_memory_fail_at(0, false);
        firn_grid_destroy(&g);
        assert_int_equal(firn_memory_read().bytes, start);
        if (r == FIRN_OK) {
            assert_greater(k, 4);
            return;
        }
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
    }
    fail_msg("never succeeded");
}

int test_sparse_grid(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_node_exists),
                                       cmocka_unit_test(colours_share_nothing),
                                       cmocka_unit_test(threads_change_nothing),
                                       cmocka_unit_test(empty_space_is_free),
                                       cmocka_unit_test(keys_and_limits),
                                       cmocka_unit_test(node_positions),
                                       cmocka_unit_test(tiles),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("sparse_grid", tests, NULL, NULL);
}
