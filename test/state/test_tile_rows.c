// SPDX-License-Identifier: MIT
// The fast transfers between particles and tiles: against sums written out in a wider type, and
// against the plain ones of tile.h, on every SIMD level.
#include "state/tile_rows.h"

#include "rows_check.h"

#define REALS (FIRN_TILE_SIDE * FIRN_TILE_SIDE * FIRN_TILE_STRIDE * 4)
#define MOST 40  // particles of a cell

static const firn_real inverse_cell = 50;

typedef struct tiles {
    firn_tile value, force;
} tiles;

// A sum, and the sum of the sizes of its terms: what rounding is measured against.
typedef struct judged {
    precise sum[2][REALS], size[2][REALS];
} judged;

// Particles of one random cell; positions on the cell's faces and corners among them.
static void any_cell(any_source* r, rows_particle* p, int count)
{
    const firn_vec3 cell = any_vec3(r, 20);
    for (int k = 0; k < count; k++) {
        p[k].x = firn_v3((firn_floor(cell.x) + any_place(r)) / inverse_cell,
                         (firn_floor(cell.y) + any_place(r)) / inverse_cell,
                         (firn_floor(cell.z) + any_place(r)) / inverse_cell);
        for (int c = 0; c < 4; c++) p[k].value[c] = (firn_real)any_between(r, -1, 1);
        for (int c = 0; c < 12; c++) p[k].column[c] = (firn_real)any_between(r, -1, 1);
    }
}

// Rounding in x / h may carry a particle over the edge of its cell: those that do are left out.
static int keep_one_cell(const rows_kernels* k, rows_particle* p, int count)
{
    int kept = 0;
    for (int n = 0; n < count; n++)
        if (k->offset(p[n].x, inverse_cell).corner == k->offset(p[0].x, inverse_cell).corner)
            p[kept++] = p[n];
    return kept;
}

static void judge_particle(const rows_kernels* k, firn_spline kind, const rows_particle* p,
                           bool affine, judged* j)
{
    const firn_cell_offset at = k->offset(p->x, inverse_cell);
    const firn_weights w0 = k->offset_plain(p->x, inverse_cell);
    precise w[3][4], s[3][4];
    for (int d = 0; d < 3; d++) {
        judge_axis(kind, at.t[d], inverse_cell, w[d], s[d]);
        for (int c = 0; c < 4 && affine; c++)
            s[d][c] = w[d][c] * ((precise)(c - 1) - (precise)at.t[d]) / (precise)inverse_cell;
    }
    for (int n = 0; n < 64; n++) {
        const int a = n / 16, b = n / 4 % 4, c = n % 4;
        const int node =
            (((w0.base[0] & 3) + a) * FIRN_TILE_SIDE + (w0.base[1] & 3) + b) * FIRN_TILE_STRIDE +
            (w0.base[2] & 3) + c;
        const precise slope[3] = {s[0][a] * w[1][b] * w[2][c], w[0][a] * s[1][b] * w[2][c],
                                  w[0][a] * w[1][b] * s[2][c]};
        for (int e = 0; e < 4; e++) {
            const precise v = w[0][a] * w[1][b] * w[2][c] * (precise)p->value[e];
            j->sum[0][4 * node + e] += v;
            j->size[0][4 * node + e] += precise_abs(v);
            for (int d = 0; d < 3; d++) {
                const precise f = slope[d] * (precise)p->column[4 * d + e];
                j->sum[1][4 * node + e] += f;
                j->size[1][4 * node + e] += precise_abs(f);
            }
        }
    }
}

// n terms added one after the other, each a product of five rounded factors; `onto`: how many
// additions to what the tile held. A node that no particle reaches keeps its bits: tolerance 0.
static void assert_sums(const firn_tile* tile, const precise* start, const precise* sum,
                        const precise* size, int n, int onto)
{
    const firn_real* got = (const firn_real*)tile;
    for (int i = 0; i < REALS; i++) {
        const precise tolerance = size[i] > 0 ? (n + 20) * ROWS_EPSILON * size[i] +
                                                    onto * ROWS_EPSILON * precise_abs(start[i])
                                              : 0;
        if (!(precise_abs((precise)got[i] - (start[i] + sum[i])) <= tolerance))
            fail_msg("real %d: %.9g instead of %.9g", i, (double)got[i],
                     (double)(start[i] + sum[i]));
    }
}

// Zero tiles show that tiny weights keep their digits; full ones that nothing is overwritten.
static void start_tile(any_source* r, bool empty, firn_tile* tile, precise* start)
{
    firn_real* to = (firn_real*)tile;
    for (int i = 0; i < REALS; i++) {
        to[i] = empty ? 0 : (firn_real)any_between(r, -1, 1);
        start[i] = (precise)to[i];
    }
}

static void scatter(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(531);
    enum { TRIALS = 160 };
    static tiles before[TRIALS], now[TRIALS];
    static judged j;
    static precise start[2][REALS];
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        r.index = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            rows_particle p[MOST];
            const bool affine = trial % 4 == 3;
            int count = 1 + any_below(&r, trial % 2 == 0 ? 3 : MOST);
            any_cell(&r, p, count);
            count = keep_one_cell(k, p, count);
            memset(&j, 0, sizeof j);
            for (int q = 0; q < count; q++) judge_particle(k, kind, &p[q], affine, &j);
            tiles* fast = &now[trial];
            start_tile(&r, trial % 3 == 0, &fast->value, start[0]);
            start_tile(&r, trial % 3 == 0, &fast->force, start[1]);
            tiles plain = *fast;
            k->add(kind, p, count, inverse_cell, affine, &fast->value, &fast->force);
            assert_sums(&fast->value, start[0], j.sum[0], j.size[0], count, 1);
            assert_sums(&fast->force, start[1], j.sum[1], j.size[1], count, 1);
            k->add_plain(kind, p, count, inverse_cell, affine, &plain.value, &plain.force);
            for (int i = 0; i < REALS; i++) {  // both were within their tolerance of the judge
                for (int c = 0; c < 2; c++) {
                    j.sum[c][i] =
                        (precise)((const firn_real*)(c ? &plain.force : &plain.value))[i] -
                        start[c][i];
                }
            }
            assert_sums(&fast->value, start[0], j.sum[0], j.size[0], 2 * count, count + 1);
            assert_sums(&fast->force, start[1], j.sum[1], j.size[1], 2 * count, count + 1);
        }
        assert_rows_as_before(k, sizeof now, before, now);
    }
}

// What the judge reads: gradient of `slope`, value of `value`, and the sizes of both sums.
static void judge_reading(const rows_kernels* k, firn_spline kind, const firn_tile* slope,
                          const firn_tile* value, firn_vec3 x, precise out[16], precise size[16])
{
    const firn_cell_offset at = k->offset(x, inverse_cell);
    const firn_weights w0 = k->offset_plain(x, inverse_cell);
    precise w[3][4], s[3][4];
    for (int d = 0; d < 3; d++) judge_axis(kind, at.t[d], inverse_cell, w[d], s[d]);
    for (int i = 0; i < 16; i++) out[i] = size[i] = 0;
    for (int n = 0; n < 64; n++) {
        const int a = n / 16, b = n / 4 % 4, c = n % 4;
        const firn_vec4* g =
            &slope->node[(w0.base[0] & 3) + a][(w0.base[1] & 3) + b][(w0.base[2] & 3) + c];
        const firn_vec4* v =
            &value->node[(w0.base[0] & 3) + a][(w0.base[1] & 3) + b][(w0.base[2] & 3) + c];
        const precise by[4] = {s[0][a] * w[1][b] * w[2][c], w[0][a] * s[1][b] * w[2][c],
                               w[0][a] * w[1][b] * s[2][c], w[0][a] * w[1][b] * w[2][c]};
        for (int d = 0; d < 4; d++) {
            for (int e = 0; e < 4; e++) {
                const precise term = by[d] * (precise)(d < 3 ? *g : *v)[e];
                out[4 * d + e] += term;
                size[4 * d + e] += precise_abs(term);
            }
        }
    }
}

static void gather(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(532);
    enum { TRIALS = 600 };
    static rows_reading before[TRIALS], now[TRIALS];
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        r.index = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            firn_tile slope, other;
            precise unused[REALS], out[16], size[16];
            rows_particle p;
            start_tile(&r, false, &slope, unused);
            start_tile(&r, false, &other, unused);
            any_cell(&r, &p, 1);
            const firn_tile* value = trial % 2 == 0 ? NULL : &other;
            rows_reading plain;
            k->read(kind, &slope, value, p.x, inverse_cell, &now[trial]);
            k->read_plain(kind, &slope, value, p.x, inverse_cell, &plain);
            judge_reading(k, kind, &slope, value != NULL ? value : &slope, p.x, out, size);
            const firn_real *fast = &now[trial].column[0][0], *slow = &plain.column[0][0];
            for (int i = 0; i < 16; i++) {  // 4 + 4 + 4 terms in a row, products of five factors
                assert_near((precise)fast[i], out[i], 20 * ROWS_EPSILON * size[i]);
                assert_near((precise)fast[i], (precise)slow[i], 40 * ROWS_EPSILON * size[i]);
            }
        }
        assert_rows_as_before(k, sizeof now, before, now);
    }
}

// What a scatter adds is read back by a gather with the same weights: sum over nodes of f . u
// equals the particle's column : grad u, whatever f and u (H is symmetric because of it).
static void scatter_is_the_adjoint_of_gather(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(533);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        for (int trial = 0; trial < 100; trial++) {
            firn_tile u, value, force;
            precise unused[REALS], left = 0, right = 0, size = 0;
            rows_particle p;
            rows_reading g;
            start_tile(&r, false, &u, unused);
            start_tile(&r, true, &value, unused);
            start_tile(&r, true, &force, unused);
            any_cell(&r, &p, 1);
            k->add(kind, &p, 1, inverse_cell, false, &value, &force);
            k->read(kind, &u, NULL, p.x, inverse_cell, &g);
            for (int i = 0; i < REALS; i++) {
                const precise term =
                    (precise)((const firn_real*)&u)[i] * (precise)((const firn_real*)&force)[i];
                left += term;
                size += precise_abs(term);
            }
            for (int i = 0; i < 12; i++)
                right += (precise)p.column[i] * (precise)(&g.column[0][0])[i];
            assert_near(left, right, 30 * ROWS_EPSILON * size);
        }
    }
}

// A field a + B x is read as such anywhere in the cell: splines reproduce it.
static void linear_fields(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(534);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        for (int trial = 0; trial < 200; trial++) {
            const firn_vec3 x = {(firn_real)any_between(&r, 1, 1.0001 + 3) / inverse_cell,
                                 (firn_real)any_between(&r, 1, 1.0001 + 3) / inverse_cell,
                                 (firn_real)any_between(&r, 1, 1.0001 + 3) / inverse_cell};
            const firn_mat3 B = any_mat3(&r, 1);
            firn_tile u;
            rows_reading g;
            memset(&u, 0, sizeof u);
            for (int i = 0; i < FIRN_TILE_SIDE * FIRN_TILE_SIDE * FIRN_TILE_SIDE; i++) {
                const int at[3] = {i / 49, i / 7 % 7, i % 7};
                for (int e = 0; e < 3; e++)
                    u.node[at[0]][at[1]][at[2]][e] = B.m[e][0] * (firn_real)at[0] +
                                                     B.m[e][1] * (firn_real)at[1] +
                                                     B.m[e][2] * (firn_real)at[2];
            }
            k->read(kind, &u, NULL, x, inverse_cell, &g);
            const precise h = 1 / (precise)inverse_cell;
            for (int e = 0; e < 3; e++) {
                precise expected = 0;
                for (int d = 0; d < 3; d++) {
                    // values up to 18 with slopes of one per cell
                    assert_near((precise)g.column[d][e] * h, (precise)B.m[e][d], 60 * ROWS_EPSILON);
                    expected += (precise)B.m[e][d] * (precise)(&x.x)[d] / h;
                }
                assert_near((precise)g.value[e], expected, 60 * ROWS_EPSILON);
            }
        }
    }
}

int test_tile_rows(void)
{
    const struct CMUnitTest tests[] = {EACH_SPLINE(scatter), EACH_SPLINE(gather),
                                       EACH_SPLINE(scatter_is_the_adjoint_of_gather),
                                       EACH_SPLINE(linear_fields)};
    return cmocka_run_group_tests_name("tile_rows", tests, NULL, NULL);
}
