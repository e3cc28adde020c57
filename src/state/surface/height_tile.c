// SPDX-License-Identifier: MIT
#include "state/surface/height_tile.h"

#define CELL 4  // samples along a side of a cell
#define CELLS (FIRN_TILE / CELL)
#define QUAD 2  // samples along a side of a quarter of a cell
#define QUADS (FIRN_TILE / QUAD)
#define ROUNDING 1e-5f  // more than the roundings of squared distances in widths, as floats
#define FLOATS 4e-7     // more than the relative rounding of some heights to floats

typedef struct work {
    const firn_height_tile* tile;
    float* top;                    // [FIRN_TILE][FIRN_TILE]
    bool done[CELLS][CELLS];       // what follows, from above, is buried
    firn_local end[CELLS][CELLS];  // the first item that may be in the air
    float lowest[CELLS][CELLS];    // [m] top of the lowest sample; -INFINITY: some have none
    int open;                      // cells that are not done
} work;

// A particle over the tile: samples and cells that it may cover, from the tile's first.
typedef struct stamp {
    double x, y, z, r, reach;  // [m] relative to the first sample of the field
    int32_t i0, i1, j0, j1;    // samples
    bool prepared;
    double dx2[FIRN_TILE], dz2[FIRN_TILE];  // 1 - dx^2, and dz^2, of samples, in widths
} stamp;

static void load(const work* w, const firn_height_item* item, stamp* s)
{
    const firn_height_tile* t = w->tile;
    const firn_vec3 x = t->snow->position[item->particle];
    s->r = firn_height_radius(t->snow, item->particle);
    s->reach = FIRN_HEIGHT_WIDTH * s->r;
    s->x = (double)x.x - t->def->x;
    s->y = (double)x.y;
    s->z = (double)x.z - t->def->z;
    s->i0 = item->i0, s->i1 = item->i1;
    s->j0 = item->j0, s->j1 = item->j1;
    s->prepared = false;
}

// Finds the samples of an item; none: i0 > i1.
static void place(const work* w, firn_height_item* item)
{
    const firn_height_tile* t = w->tile;
    stamp s;
    load(w, item, &s);
    int32_t i0, i1, j0, j1;
    if (!firn_height_cover((s.z - s.reach) / t->step_z, (s.z + s.reach) / t->step_z, t->row,
                           t->row + t->rows - 1, &j0, &j1) ||
        !firn_height_cover((s.x - s.reach) / t->step_x, (s.x + s.reach) / t->step_x, t->column,
                           t->column + t->columns - 1, &i0, &i1)) {
        i0 = t->column + 1, i1 = t->column;
        j0 = t->row + 1, j1 = t->row;
    }
    item->i0 = (int8_t)(i0 - t->column), item->i1 = (int8_t)(i1 - t->column);
    item->j0 = (int8_t)(j0 - t->row), item->j1 = (int8_t)(j1 - t->row);
}

// ---- which cells are solid ----------------------------------------------------------------------

// Quarters of cells, so small that most particles that reach one cover it.
typedef struct quads {
    // [m] centre of the last particle that covers the quarter, or of the lowest that reaches it;
    // above the lowest of the tile; INFINITY: none
    float base[QUADS][QUADS];
    int32_t end[QUADS][QUADS];  // the first item that may be in the air; INT32_MAX: none
} quads;

// Smallest and largest squared distance of the samples of quarters along one axis, in widths.
typedef struct span {
    float near2[QUADS], far2[QUADS];
} span;

static void measure(const stamp* s, double at, double step, int32_t first, int32_t q0, int32_t q1,
                    span* out)
{
    const double per_reach = 1 / s->reach;
    for (int32_t q = q0; q <= q1; q++) {
        const float a = (float)(((first + q * QUAD) * step - at) * per_reach);
        const float b = (float)(((first + q * QUAD + QUAD - 1) * step - at) * per_reach);
        const float a2 = a * a, b2 = b * b, least = a2 < b2 ? a2 : b2;
        out->near2[q] = a <= 0 && b >= 0 ? 0 : least;
        out->far2[q] = a2 < b2 ? b2 : a2;
    }
}

// The particles of a sample are at most `limit` apart if each is so near to the base of its
// quarter: the base covers the sample too, or is the lowest of all.
static void judge(const firn_height_tile* t, const stamp* s, double lowest, int32_t item, quads* q)
{
    span across, along;
    const int32_t a0 = s->i0 / QUAD, a1 = s->i1 / QUAD;
    measure(s, s->x, t->step_x, t->column, a0, a1, &across);
    measure(s, s->z, t->step_z, t->row, s->j0 / QUAD, s->j1 / QUAD, &along);
    const float y = (float)(s->y - lowest);
    const float limit = (float)(t->gap - FLOATS * (fabs(s->y) + fabs(lowest) + t->gap));
    for (int32_t b = s->j0 / QUAD; b <= s->j1 / QUAD; b++) {
        const float near2 = along.near2[b], far2 = along.far2[b];
        float* base = q->base[b];
        int32_t* end = q->end[b];
#pragma omp simd
        for (int32_t a = a0; a <= a1; a++) {
            const bool reaches = across.near2[a] + near2 <= 1 + ROUNDING;
            const bool covers = across.far2[a] + far2 <= 1 - ROUNDING;
            const float first = base[a] < y ? base[a] : y;
            const float kept = reaches ? first : base[a];
            const int32_t ends = (reaches & (y - base[a] > limit)) ? item : INT32_MAX;
            end[a] = end[a] < ends ? end[a] : ends;
            base[a] = covers ? y : kept;
        }
    }
}

// A cell from its four quarters.
static void judge_cell(work* w, const quads* q, int a, int b)
{
    bool any = false;
    firn_local end = INT32_MAX;
    for (int k = 0; k < 4; k++) {
        const int i = 2 * a + (k & 1), j = 2 * b + (k >> 1);
        any = any || q->base[j][i] < INFINITY;
        end = q->end[j][i] < end ? q->end[j][i] : end;
    }
    w->end[b][a] = end;
    w->lowest[b][a] = -INFINITY;
    w->open += any;
}

static void judge_all(work* w)
{
    const firn_height_tile* t = w->tile;
    quads q;
    stamp s;
    for (int k = 0; k < QUADS * QUADS; k++) {
        q.base[k / QUADS][k % QUADS] = INFINITY;
        q.end[k / QUADS][k % QUADS] = INT32_MAX;
    }
    const double lowest = t->count > 0 ? (double)t->snow->position[t->list[0].particle].y : 0;
    for (firn_local k = 0; k < t->count; k++) {
        place(w, &t->list[k]);
        if (t->list[k].i0 > t->list[k].i1) continue;
        load(w, &t->list[k], &s);
        judge(t, &s, lowest, k, &q);
    }
    for (int b = 0; b < CELLS; b++)
        for (int a = 0; a < CELLS; a++) judge_cell(w, &q, a, b);
}

// ---- samples ------------------------------------------------------------------------------------

static void prepare(const work* w, stamp* s)
{
    const firn_height_tile* t = w->tile;
    s->prepared = true;
    // Whole cells: of their samples those beyond i0 .. i1 and j0 .. j1 are never covered.
    for (int32_t i = s->i0 / CELL * CELL; i < s->i1 / CELL * CELL + CELL; i++) {
        const double dx = ((t->column + i) * t->step_x - s->x) / s->reach;
        s->dx2[i] = i < s->i0 || i > s->i1 ? -1 : 1 - dx * dx;
    }
    for (int32_t j = s->j0 / CELL * CELL; j < s->j1 / CELL * CELL + CELL; j++) {
        const double dz = ((t->row + j) * t->step_z - s->z) / s->reach;
        s->dz2[j] = j < s->j0 || j > s->j1 ? 2 : dz * dz;
    }
}

// Raises the samples of a cell where nothing is in the air.
static void raise_cell(work* w, const stamp* s, int32_t a, int32_t b)
{
    float lowest = INFINITY;
    for (int32_t j = b * CELL; j < b * CELL + CELL; j++) {
        float* top = w->top + j * FIRN_TILE + a * CELL;
        const double* dx2 = s->dx2 + a * CELL;
        const double dz2 = s->dz2[j], y = s->y, r = s->r;
        double height[CELL];
#pragma omp simd
        for (int i = 0; i < CELL; i++) {
            const double left = dx2[i] - dz2;
            const double root = sqrt(left > 0 ? left : 0);
            height[i] = left >= 0 ? y + r * root : -INFINITY;
        }
        for (int i = 0; i < CELL; i++) {
            const float h = (float)height[i];
            top[i] = h > top[i] ? h : top[i];
            lowest = top[i] < lowest ? top[i] : lowest;
        }
    }
    w->lowest[b][a] = lowest;
}

static void add_from_above(work* w, stamp* s, firn_local item)
{
    const float most = (float)(s->y + s->r), ever = (float)(s->y + w->tile->largest);
    for (int32_t b = s->j0 / CELL; b <= s->j1 / CELL; b++)
        for (int32_t a = s->i0 / CELL; a <= s->i1 / CELL; a++) {
            if (w->done[b][a] || item >= w->end[b][a]) continue;
            if (ever <= w->lowest[b][a]) {  // all that follow are buried
                w->done[b][a] = true;
                w->open--;
            } else if (most > w->lowest[b][a]) {
                if (!s->prepared) prepare(w, s);
                raise_cell(w, s, a, b);
            }
        }
}

static void add_from_below(work* w, stamp* s, firn_local item)
{
    for (int32_t b = s->j0 / CELL; b <= s->j1 / CELL; b++)
        for (int32_t a = s->i0 / CELL; a <= s->i1 / CELL; a++) {
            if (item < w->end[b][a]) continue;
            if (!s->prepared) prepare(w, s);
            for (int32_t j = b * CELL; j < b * CELL + CELL; j++)
                for (int32_t i = a * CELL; i < a * CELL + CELL; i++)
                    firn_height_raise(&w->top[j * FIRN_TILE + i], s->y, s->r, s->dx2[i] - s->dz2[j],
                                      w->tile->gap);
        }
}

void firn_height_tile_fill(const firn_height_tile* tile, float* out_top)
{
    work w = {.tile = tile, .top = out_top};
    stamp s;
    judge_all(&w);
    firn_local first_loose = INT32_MAX;
    for (int c = 0; c < CELLS * CELLS; c++) {
        const firn_local end = w.end[c / CELLS][c % CELLS];
        first_loose = end < first_loose ? end : first_loose;
    }
    for (int k = 0; k < FIRN_TILE * FIRN_TILE; k++) out_top[k] = -INFINITY;
    for (firn_local k = tile->count - 1; k >= 0 && w.open > 0; k--) {
        load(&w, &tile->list[k], &s);
        if (s.i0 <= s.i1) add_from_above(&w, &s, k);
    }
    for (int k = 0; k < FIRN_TILE * FIRN_TILE; k++)
        if (!(out_top[k] > -INFINITY)) out_top[k] = NAN;
    for (firn_local k = first_loose; k < tile->count; k++) {
        load(&w, &tile->list[k], &s);
        if (s.i0 <= s.i1) add_from_below(&w, &s, k);
    }
}
