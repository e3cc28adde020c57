// SPDX-License-Identifier: MIT
#include "state/surface/height_map.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "state/surface/height_tile.h"

static firn_local tiles_of(const firn_height_map* f)
{
    return f->across * f->down;
}

firn_result firn_height_map_open(firn_height_map* f, const firn_height_def* def, float* heights)
{
    *f = (firn_height_map){.def = *def, .heights = heights};
    f->across = (def->columns + FIRN_TILE - 1) / FIRN_TILE;
    f->down = (def->rows + FIRN_TILE - 1) / FIRN_TILE;
    const size_t tiles = (size_t)tiles_of(f) + 1;
    f->begin = firn_alloc(tiles, sizeof *f->begin);
    f->now = firn_alloc(tiles, sizeof *f->now);
    f->last = firn_alloc(tiles, sizeof *f->last);
    f->changed = firn_alloc(tiles, sizeof *f->changed);
    f->dirty = firn_alloc(tiles, sizeof *f->dirty);
    return f->begin != NULL && f->now != NULL && f->last != NULL && f->changed != NULL &&
                   f->dirty != NULL
               ? FIRN_OK
               : FIRN_BROKEN_MEMORY;
}

void firn_height_map_close(firn_height_map* f)
{
    firn_free(f->x);
    firn_free(f->radius);
    firn_free(f->range);
    firn_free(f->hash);
    firn_free(f->new_range);
    firn_free(f->new_hash);
    firn_free(f->moved);
    firn_free(f->live);
    firn_free(f->begin);
    firn_free(f->list);
    firn_free(f->now);
    firn_free(f->last);
    firn_free(f->changed);
    firn_free(f->dirty);
    firn_key_sort_destroy(&f->sort);
    *f = (firn_height_map){0};
}

// ---- which tiles have changed -------------------------------------------------------------------

// The finalizer of MurmurHash3: every bit of the input changes every bit of the output.
static uint64_t mix(uint64_t k)
{
    k = (k ^ k >> 33) * 0xff51afd7ed558ccdu;
    k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53u;
    return k ^ k >> 33;
}

static uint64_t bits_of(firn_real value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

static uint64_t hash_of(firn_vec3 x, firn_real r)
{
    return mix(mix(mix(mix(bits_of(x.x) + 1) + bits_of(x.y)) + bits_of(x.z)) + bits_of(r));
}

typedef struct look_pass {
    const firn_height_map* f;
    const firn_height_snow* snow;
    double step_x, step_z;  // [m]
    firn_real* largest;     // [m] radius
} look_pass;

static firn_tile_range range_of(const look_pass* pass, firn_local p)
{
    const firn_tile_range none = {0, -1, 0, -1};
    const firn_height_def* d = &pass->f->def;
    const firn_vec3 v = pass->snow->position[p];
    const double r = firn_height_radius(pass->snow, p), reach = FIRN_HEIGHT_WIDTH * r;
    const double x = (double)v.x - d->x, z = (double)v.z - d->z;
    int32_t i0, i1, j0, j1;
    if (!(r > 0) || !isfinite(x) || !isfinite(v.y) || !isfinite(z) ||
        !firn_height_cover((z - reach) / pass->step_z, (z + reach) / pass->step_z, 0, d->rows - 1,
                           &j0, &j1) ||
        !firn_height_cover((x - reach) / pass->step_x, (x + reach) / pass->step_x, 0,
                           d->columns - 1, &i0, &i1))
        return none;
    return (firn_tile_range){(int16_t)(i0 / FIRN_TILE), (int16_t)(i1 / FIRN_TILE),
                             (int16_t)(j0 / FIRN_TILE), (int16_t)(j1 / FIRN_TILE)};
}

static void look(const void* self, firn_local begin, firn_local end)
{
    const look_pass* pass = self;
    const firn_height_map* f = pass->f;
    double largest = 0;
    for (firn_local p = begin; p < end; p++) {
        const firn_vec3 x = pass->snow->position[p];
        const firn_real r = (firn_real)firn_height_radius(pass->snow, p);  // exact
        largest = (double)r > largest ? (double)r : largest;
        f->moved[p] = p >= f->known || memcmp(&f->x[p], &x, sizeof x) != 0 || f->radius[p] != r;
        if (!f->moved[p]) continue;
        f->new_range[p] = range_of(pass, p);
        f->new_hash[p] = hash_of(x, r);
    }
    firn_atomic_max(pass->largest, (firn_real)largest);
}

static firn_result reserve(firn_height_map* f, firn_local count)
{
    return firn_reserve((void**)&f->x, &f->capacity[0], count, sizeof *f->x) &&
                   firn_reserve((void**)&f->radius, &f->capacity[1], count, sizeof *f->radius) &&
                   firn_reserve((void**)&f->range, &f->capacity[2], count, sizeof *f->range) &&
                   firn_reserve((void**)&f->hash, &f->capacity[3], count, sizeof *f->hash) &&
                   firn_reserve((void**)&f->new_range, &f->capacity[4], count,
                                sizeof *f->new_range) &&
                   firn_reserve((void**)&f->new_hash, &f->capacity[5], count,
                                sizeof *f->new_hash) &&
                   firn_reserve((void**)&f->moved, &f->capacity[6], count, sizeof *f->moved) &&
                   firn_reserve((void**)&f->live, &f->capacity[7], count, sizeof *f->live)
               ? FIRN_OK
               : FIRN_BROKEN_MEMORY;
}

// Adds a particle to the sums of its tiles; with the negative hash, takes it away.
static void add_hash(firn_height_map* f, firn_tile_range t, uint64_t hash)
{
    for (firn_local r = t.r0; r <= t.r1; r++)
        for (firn_local c = t.c0; c <= t.c1; c++) f->now[r * f->across + c] += hash;
}

static firn_result find_changed(firn_height_map* f, const firn_height_snow* snow)
{
    const firn_local n = snow->count;
    FIRN_TRY(reserve(f, n + 1));
    firn_real largest = 0;
    const look_pass pass = {f, snow, f->def.width / (f->def.columns - 1),
                            f->def.depth / (f->def.rows - 1), &largest};
    firn_share(n, 1024, look, &pass);
    for (firn_local p = 0; p < n || p < f->known; p++) {
        if (p < n && !f->moved[p]) continue;
        if (p < f->known) add_hash(f, f->range[p], (uint64_t)0 - f->hash[p]);
        if (p >= n) continue;
        f->x[p] = snow->position[p];
        f->radius[p] = (firn_real)firn_height_radius(snow, p);
        f->range[p] = f->new_range[p];
        f->hash[p] = f->new_hash[p];
        add_hash(f, f->range[p], f->hash[p]);
    }
    f->known = n;
    // the gap depends on the largest particle of all
    const bool all = !f->filled || (double)largest != f->largest;
    f->largest = (double)largest;
    f->changed_count = 0;
    for (firn_local t = 0; t < tiles_of(f); t++)
        if (all || f->now[t] != f->last[t]) f->changed[f->changed_count++] = t;
    return FIRN_OK;
}

// ---- their particles ----------------------------------------------------------------------------

// An unsigned sort key in the order of doubles.
static uint64_t key_of(double y)
{
    uint64_t bits;
    y += 0.0;  // -0 is 0
    memcpy(&bits, &y, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

// begin[t]: number of particles of tile t, then where its list begins.
static int64_t count_lists(firn_height_map* f, firn_local live)
{
    memset(f->begin, 0, ((size_t)tiles_of(f) + 1) * sizeof *f->begin);
    for (firn_local k = 0; k < live; k++) {
        const firn_tile_range t = f->range[f->live[k]];
        for (firn_local r = t.r0; r <= t.r1; r++)
            for (firn_local c = t.c0; c <= t.c1; c++) f->begin[r * f->across + c]++;
    }
    int64_t sum = 0;
    for (firn_local t = 0; t <= tiles_of(f); t++) {
        const firn_local n = f->begin[t];
        f->begin[t] = (firn_local)sum;
        sum += n;
    }
    return sum;
}

// Lists of the changed tiles, from the lowest particle up. Tiles that have not changed get those of
// their particles that reach a changed one; nobody reads these.
static firn_result make_lists(firn_height_map* f, const firn_height_snow* snow)
{
    uint8_t* is_changed = (uint8_t*)f->dirty;  // free until the tiles are filled
    memset(is_changed, 0, (size_t)tiles_of(f));
    for (firn_local k = 0; k < f->changed_count; k++) is_changed[f->changed[k]] = 1;
    firn_local live = 0;
    for (firn_local p = 0; p < snow->count; p++) {
        const firn_tile_range t = f->range[p];
        bool any = false;
        for (firn_local r = t.r0; r <= t.r1; r++)
            for (firn_local c = t.c0; c <= t.c1; c++) any |= is_changed[r * f->across + c];
        if (any) f->live[live++] = p;
    }
    FIRN_TRY(firn_key_sort_reserve(&f->sort, live, firn_team_size()));
    for (firn_local k = 0; k < live; k++)
        f->sort.key[0][k] = key_of((double)snow->position[f->live[k]].y);
    const uint64_t* keys;
    const firn_local* order;
    const bool moved = firn_key_sort_run(&f->sort, live, &keys, &order);
    const int64_t all = count_lists(f, live);
    if (all >= INT32_MAX ||
        !firn_reserve((void**)&f->list, &f->list_capacity, (firn_local)all + 1, sizeof *f->list))
        return FIRN_BROKEN_MEMORY;
    for (firn_local k = 0; k < live; k++) {
        const firn_local p = f->live[moved ? order[k] : k];
        const firn_tile_range t = f->range[p];
        for (firn_local r = t.r0; r <= t.r1; r++)
            for (firn_local c = t.c0; c <= t.c1; c++)
                f->list[f->begin[r * f->across + c]++] = (firn_height_item){.particle = p};
    }
    // each begin is where the next one was
    for (firn_local t = tiles_of(f); t > 0; t--) f->begin[t] = f->begin[t - 1];
    f->begin[0] = 0;
    return FIRN_OK;
}

// ---- samples ------------------------------------------------------------------------------------

typedef struct fill_pass {
    const firn_height_map* f;
    const firn_height_snow* snow;
} fill_pass;

// Copies a tile into the field, and finds the samples that differ.
static void copy_tile(const firn_height_map* f, const firn_height_tile* t, const float* top,
                      int32_t dirty[4])
{
    const float empty = (float)f->def.empty;
    for (int32_t j = 0; j < t->rows; j++) {
        float* out = f->heights + (size_t)(t->row + j) * (size_t)f->def.columns + t->column;
        int32_t first = t->columns, last = -1;
        for (int32_t i = 0; i < t->columns; i++) {
            const float value = top[j * FIRN_TILE + i], height = isnan(value) ? empty : value;
            if (!f->filled || memcmp(&height, &out[i], sizeof height) != 0) {
                first = first < i ? first : i;
                last = i;
            }
            out[i] = height;
        }
        if (last < 0) continue;
        if (t->column + first < dirty[0]) dirty[0] = t->column + first;
        if (t->column + last > dirty[1]) dirty[1] = t->column + last;
        if (t->row + j < dirty[2]) dirty[2] = t->row + j;
        if (t->row + j > dirty[3]) dirty[3] = t->row + j;
    }
}

static void fill_tiles(const void* self, firn_local begin, firn_local end)
{
    const fill_pass* pass = self;
    const firn_height_map* f = pass->f;
    const firn_height_def* d = &f->def;
    float top[FIRN_TILE * FIRN_TILE];
    for (firn_local k = begin; k < end; k++) {
        const firn_local n = f->changed[k];
        firn_height_tile t = {.snow = pass->snow,
                              .def = d,
                              .step_x = d->width / (d->columns - 1),
                              .step_z = d->depth / (d->rows - 1),
                              .gap = FIRN_HEIGHT_GAP * f->largest,
                              .largest = f->largest,
                              .list = f->list + f->begin[n],
                              .count = f->begin[n + 1] - f->begin[n],
                              .column = n % f->across * FIRN_TILE,
                              .row = n / f->across * FIRN_TILE};
        t.columns = d->columns - t.column < FIRN_TILE ? d->columns - t.column : FIRN_TILE;
        t.rows = d->rows - t.row < FIRN_TILE ? d->rows - t.row : FIRN_TILE;
        firn_height_tile_fill(&t, top);
        copy_tile(f, &t, top, f->dirty[n]);
    }
}

firn_result firn_height_map_fill(firn_height_map* f, const firn_height_snow* snow,
                                 int32_t out_rect[4])
{
    FIRN_TRY(find_changed(f, snow));
    if (f->changed_count > 0) {
        const firn_result r = make_lists(f, snow);
        if (r != FIRN_OK) {
            f->filled = false;
            return r;
        }
    }
    int32_t all[4] = {INT32_MAX, -1, INT32_MAX, -1};
    for (firn_local k = 0; k < f->changed_count; k++)
        memcpy(f->dirty[f->changed[k]], all, sizeof all);
    firn_share(f->changed_count, 1, fill_tiles, &(fill_pass){f, snow});
    for (firn_local k = 0; k < f->changed_count; k++) {
        const int32_t* d = f->dirty[f->changed[k]];
        all[0] = d[0] < all[0] ? d[0] : all[0];
        all[1] = d[1] > all[1] ? d[1] : all[1];
        all[2] = d[2] < all[2] ? d[2] : all[2];
        all[3] = d[3] > all[3] ? d[3] : all[3];
    }
    memcpy(f->last, f->now, (size_t)tiles_of(f) * sizeof *f->last);
    f->filled = true;
    if (out_rect == NULL) return FIRN_OK;
    const bool any = all[1] >= 0;
    out_rect[0] = any ? all[0] : 0;
    out_rect[1] = any ? all[2] : 0;
    out_rect[2] = any ? all[1] - all[0] + 1 : 0;
    out_rect[3] = any ? all[3] - all[2] + 1 : 0;
    return FIRN_OK;
}
