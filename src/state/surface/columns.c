// SPDX-License-Identifier: MIT
#include "state/surface/columns.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"

#define COLUMNS_PER_PARTICLE 4  // at most: particles far away make columns wider, not more
#define COLUMNS_MIN 64

static bool is_there(const firn_height_snow* snow, firn_local p)
{
    const firn_vec3 x = snow->position[p];
    return firn_height_radius(snow, p) > 0 && isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

// Bounds of the centres.
static void measure(firn_columns* c, const firn_height_snow* snow, double* out_x, double* out_z)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    c->count = 0;
    c->largest = 0;
    for (firn_local p = 0; p < snow->count; p++) {
        c->largest = fmax(c->largest, firn_height_radius(snow, p));
        if (!is_there(snow, p)) continue;
        const firn_vec3 v = snow->position[p];
        const double x[3] = {(double)v.x, (double)v.y, (double)v.z};
        for (int d = 0; d < 3; d++) {
            low[d] = fmin(low[d], x[d]);
            high[d] = fmax(high[d], x[d]);
        }
        c->count++;
    }
    c->x = c->count > 0 ? low[0] : 0;
    c->z = c->count > 0 ? low[2] : 0;
    c->low = low[1];
    c->high = high[1];
    *out_x = c->count > 0 ? high[0] - low[0] : 0;
    *out_z = c->count > 0 ? high[2] - low[2] : 0;
}

// Columns as wide as a particle, or wider where these would be too many.
static firn_result lay_out(firn_columns* c, firn_local particles, double size_x, double size_z)
{
    const double most = COLUMNS_MIN + (double)COLUMNS_PER_PARTICLE * c->count;
    c->width = fmax(2 * FIRN_HEIGHT_WIDTH * c->largest, 1e-9);
    for (;;) {
        const double nx = floor(size_x / c->width) + 1, nz = floor(size_z / c->width) + 1;
        if (nx * nz <= most) {
            c->nx = (firn_local)nx;
            c->nz = (firn_local)nz;
            break;
        }
        c->width *= 1.5;
    }
    const firn_local need = c->nx * c->nz + 1;
    return firn_reserve((void**)&c->begin, &c->column_capacity, need, sizeof *c->begin) &&
                   firn_reserve((void**)&c->item, &c->item_capacity, c->count + 1,
                                sizeof *c->item) &&
                   firn_key_sort_reserve(&c->sort, particles, firn_team_size()) == FIRN_OK
               ? FIRN_OK
               : FIRN_BROKEN_MEMORY;
}

static firn_local index_of(double at, firn_local count)
{
    const double k = floor(at);
    return k < 0 ? 0 : k < count ? (firn_local)k : count - 1;
}

// Column in the upper half, the order of heights as floats in the lower.
static uint64_t key_of(const firn_columns* c, firn_vec3 x)
{
    const firn_local i = index_of(((double)x.x - c->x) / c->width, c->nx);
    const firn_local k = index_of(((double)x.z - c->z) / c->width, c->nz);
    const float y = (float)x.y + 0.0f;  // -0 is 0
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits = bits >> 31 != 0 ? ~bits : bits | (uint32_t)1 << 31;
    return (uint64_t)(k * c->nx + i) << 32 | bits;
}

// Heights may be doubles that are equal as floats.
static void order_column(firn_column_item* item, firn_local count)
{
    for (firn_local k = 1; k < count; k++) {
        const firn_column_item moved = item[k];
        firn_local to = k;
        for (; to > 0 && item[to - 1].x.y > moved.x.y; to--) item[to] = item[to - 1];
        item[to] = moved;
    }
}

typedef struct build_pass {
    firn_columns* c;
    const firn_height_snow* snow;
    const firn_local* order;  // null: identity
} build_pass;

static void make_keys(const void* self, firn_local begin, firn_local end)
{
    const build_pass* b = self;
    for (firn_local p = begin; p < end; p++)
        b->c->sort.key[0][p] =
            is_there(b->snow, p) ? key_of(b->c, b->snow->position[p]) : UINT64_MAX;  // at the end
}

static void fill_items(const void* self, firn_local begin, firn_local end)
{
    const build_pass* b = self;
    for (firn_local k = begin; k < end; k++) {
        const firn_local p = b->order != NULL ? b->order[k] : k;
        b->c->item[k] =
            (firn_column_item){b->snow->position[p], (firn_real)firn_height_radius(b->snow, p), p};
    }
}

static void order_columns(const void* self, firn_local begin, firn_local end)
{
    const firn_columns* c = ((const build_pass*)self)->c;
    for (firn_local k = begin; k < end; k++)
        order_column(c->item + c->begin[k], c->begin[k + 1] - c->begin[k]);
}

firn_result firn_columns_build(firn_columns* c, const firn_height_snow* snow)
{
    double size_x, size_z;
    measure(c, snow, &size_x, &size_z);
    FIRN_TRY(lay_out(c, snow->count, size_x, size_z));
    build_pass pass = {.c = c, .snow = snow};
    firn_share(snow->count, 1024, make_keys, &pass);
    const uint64_t* keys;
    if (!firn_key_sort_run(&c->sort, snow->count, &keys, &pass.order)) pass.order = NULL;
    firn_local column = 0;
    for (firn_local k = 0; k < c->count; k++)
        for (; column <= (firn_local)(keys[k] >> 32); column++) c->begin[column] = k;
    for (; column <= c->nx * c->nz; column++) c->begin[column] = c->count;
    firn_share(c->count, 1024, fill_items, &pass);
    firn_share(c->nx * c->nz, 256, order_columns, &pass);
    return FIRN_OK;
}

void firn_columns_destroy(firn_columns* c)
{
    firn_free(c->begin);
    firn_free(c->item);
    firn_key_sort_destroy(&c->sort);
    *c = (firn_columns){0};
}

bool firn_columns_range(const firn_columns* c, int axis, double from, double to,
                        firn_local* out_first, firn_local* out_last)
{
    const double corner = axis == 0 ? c->x : c->z;
    const firn_local count = axis == 0 ? c->nx : c->nz;
    const double a = (from - corner) / c->width, b = (to - corner) / c->width;
    if (c->count == 0 || !(b >= 0 && a < count)) return false;
    *out_first = index_of(a, count);
    *out_last = index_of(b, count);
    return *out_first <= *out_last;
}

firn_local firn_columns_above(const firn_columns* c, firn_local column, double height)
{
    firn_local low = c->begin[column], high = c->begin[column + 1];
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        if ((double)c->item[middle].x.y < height)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ---- heights ------------------------------------------------------------------------------------

#define HEADS 9  // columns around a point: two along each axis, three where numbers round

bool firn_columns_height(const firn_columns* c, double x, double z, float* out_height)
{
    const double reach = FIRN_HEIGHT_WIDTH * c->largest, gap = FIRN_HEIGHT_GAP * c->largest;
    firn_local i0, i1, k0, k1, next[HEADS], end[HEADS];
    if (!firn_columns_range(c, 0, x - reach, x + reach, &i0, &i1) ||
        !firn_columns_range(c, 2, z - reach, z + reach, &k0, &k1))
        return false;
    int heads = 0;
    for (firn_local k = k0; k <= k1; k++)
        for (firn_local i = i0; i <= i1 && heads < HEADS; i++) {
            next[heads] = c->begin[k * c->nx + i];
            end[heads++] = c->begin[k * c->nx + i + 1];
        }
    float top = NAN;
    for (;;) {
        int lowest = -1;
        for (int h = 0; h < heads; h++)
            if (next[h] < end[h] &&
                (lowest < 0 || c->item[next[h]].x.y < c->item[next[lowest]].x.y))
                lowest = h;
        if (lowest < 0) break;
        const firn_column_item* p = &c->item[next[lowest]++];
        const double r = (double)p->radius, wide = FIRN_HEIGHT_WIDTH * r;
        const double dx = (0 - ((double)p->x.x - x)) / wide, dz = (0 - ((double)p->x.z - z)) / wide;
        firn_height_raise(&top, (double)p->x.y, r, 1 - dx * dx - dz * dz, gap);
    }
    if (isnan(top)) return false;
    *out_height = top;
    return true;
}
