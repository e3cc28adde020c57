// SPDX-License-Identifier: MIT
#include "rows_kernels.h"

#include "state/tile_rows.h"

#define MOST 64  // particles of one call

static void to_lanes(const firn_real records[][FIRN_RECORD], firn_real* lanes)
{
    firn_lanes all[FIRN_RECORD];
    firn_records_to_lanes(records, all);
    for (int k = 0; k < FIRN_RECORD; k++) firn_lanes_store(lanes + k * FIRN_LANES, all[k]);
}

static void from_lanes(const firn_real* lanes, firn_real records[][FIRN_RECORD])
{
    firn_lanes all[FIRN_RECORD];
    for (int k = 0; k < FIRN_RECORD; k++) all[k] = firn_lanes_load(lanes + k * FIRN_LANES);
    firn_records_from_lanes(all, records);
}

static void row(const firn_real a[16], const firn_real b[16], firn_real x, const firn_real q[4],
                rows_row* out)
{
    const firn_row A = firn_row_load(a), B = firn_row_load(b);
    firn_vec4 four;
    memcpy(&four, q, sizeof four);
    firn_row_store(out->add, firn_row_add(A, B));
    firn_row_store(out->mul, firn_row_mul(A, B));
    firn_row_store(out->scale, firn_row_scale(x, A));
    firn_row_store(out->madd, firn_row_madd(x, A, B));
    firn_row_store(out->each, firn_row_each(four));
    firn_row_store(out->along, firn_row_along(q));
    const firn_vec4 sum = firn_row_sum(A);
    memcpy(out->sum, &sum, sizeof sum);
}

static firn_cell_offset offset(firn_vec3 x, firn_real inverse_cell)
{
    return firn_cell_offset_of(x, inverse_cell);
}

static firn_weights offset_plain(firn_vec3 x, firn_real inverse_cell)
{
    return firn_weights_of(FIRN_SPLINE_CUBIC, x, inverse_cell);
}

// The fourth line of a stencil is padding, which may differ from level to level.
static void clear_padding(firn_stencil* at)
{
    memset(at->w[3], 0, sizeof at->w[3]);
    memset(at->s[3], 0, sizeof at->s[3]);
}

static void stencil(firn_spline kind, const firn_real t[3], firn_real inverse_cell,
                    firn_stencil* out)
{
    const firn_cell_offset at = {{t[0], t[1], t[2]}, 0};
    firn_stencil_at(kind, &at, inverse_cell, out);
    clear_padding(out);
}

static void stencil_plain(firn_spline kind, const firn_real t[3], firn_real inverse_cell,
                          firn_stencil* out)
{
    for (int d = 0; d < 3; d++) {
        firn_spline_weights(kind, t[d], out->w[d]);
        firn_spline_slopes(kind, t[d], inverse_cell, out->s[d]);
    }
}

static void moments(firn_spline kind, const firn_real t[3], firn_real cell, firn_stencil* out)
{
    const firn_cell_offset place = {{t[0], t[1], t[2]}, 0};
    firn_stencil at;
    firn_stencil_at(kind, &place, 1 / cell, &at);
    firn_stencil_moments(&at, t, cell, out);
    clear_padding(out);
}

static void square(firn_stencil* at)
{
    firn_stencil_square(at);
}

static void add(firn_spline kind, const rows_particle* p, int count, firn_real inverse_cell,
                bool affine, firn_tile* value, firn_tile* force)
{
    firn_load load[MOST], slope[MOST];
    int corner = 0;
    for (int k = 0; k < count; k++) {
        const firn_cell_offset at = firn_cell_offset_of(p[k].x, inverse_cell);
        firn_vec4 v;
        memcpy(&v, p[k].value, sizeof v);
        corner = at.corner;
        firn_stencil_at(kind, &at, inverse_cell, &load[k].at);
        firn_load_value(&load[k], v);
        slope[k].at = load[k].at;
        if (affine) firn_stencil_moments(&load[k].at, at.t, 1 / inverse_cell, &slope[k].at);
        firn_load_gradient(&slope[k], p[k].column);
    }
    firn_tile_add_values(&value->node[0][0][0] + corner, load, count);
    firn_tile_add_gradients(&force->node[0][0][0] + corner, slope, count);
}

static void add_plain(firn_spline kind, const rows_particle* p, int count, firn_real inverse_cell,
                      bool affine, firn_tile* value, firn_tile* force)
{
    for (int k = 0; k < count; k++) {
        const firn_weights w = firn_weights_of(kind, p[k].x, inverse_cell);
        firn_real s[3][4];
        firn_vec4 v, column[3];
        memcpy(&v, p[k].value, sizeof v);
        memcpy(column, p[k].column, sizeof column);
        firn_tile_scatter(firn_tile_corner(value, &w), &w, v);
        for (int d = 0; d < 3; d++) firn_spline_slopes(kind, w.t[d], inverse_cell, s[d]);
        if (affine) {
            firn_tile_scatter_affine(firn_tile_corner(force, &w), &w, (firn_vec4){0, 0, 0, 0},
                                     column, 1 / inverse_cell);
        } else {
            firn_tile_scatter_gradient(firn_tile_corner(force, &w), &w, (const firn_real(*)[4])s,
                                       column);
        }
    }
}

static void read(firn_spline kind, const firn_tile* slope, const firn_tile* value, firn_vec3 x,
                 firn_real inverse_cell, rows_reading* out)
{
    const firn_cell_offset place = firn_cell_offset_of(x, inverse_cell);
    firn_stencil at;
    firn_real all[FIRN_ROW];
    firn_stencil_at(kind, &place, inverse_cell, &at);
    firn_tile_read(&slope->node[0][0][0] + place.corner,
                   value != NULL ? &value->node[0][0][0] + place.corner : NULL, &at, all);
    memcpy(out, all, sizeof *out);
}

static void read_plain(firn_spline kind, const firn_tile* slope, const firn_tile* value,
                       firn_vec3 x, firn_real inverse_cell, rows_reading* out)
{
    const firn_weights w = firn_weights_of(kind, x, inverse_cell);
    firn_real s[3][4];
    firn_vec4 g[3];
    for (int d = 0; d < 3; d++) firn_spline_slopes(kind, w.t[d], inverse_cell, s[d]);
    firn_tile_gather_gradient(firn_tile_corner_const(slope, &w), &w, (const firn_real(*)[4])s, g);
    const firn_vec4 v =
        firn_tile_gather(firn_tile_corner_const(value != NULL ? value : slope, &w), &w);
    memcpy(out->column, g, sizeof out->column);
    memcpy(out->value, &v, sizeof v);
}

#if FIRN_SIMD_LEVEL == 4
#define TABLE rows_kernels_level4
#elif FIRN_SIMD_LEVEL == 3
#define TABLE rows_kernels_level3
#else
#define TABLE rows_kernels_level1
#endif
const rows_kernels TABLE = {FIRN_SIMD_LEVEL, FIRN_LANES,   to_lanes,  from_lanes,    row,
                            offset,          offset_plain, stencil,   stencil_plain, moments,
                            square,          add,          add_plain, read,          read_plain};
