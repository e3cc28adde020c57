// SPDX-License-Identifier: MIT
// Particles are processed from the lowest up. One that is more than GAP above the top of its column
// so far is in the air and is ignored there:
//
//          o            in the air: more than GAP above the top
//
//        . . .          top of the column so far
//       o o o o
//      o o o o o o      the lowest particle of a column always counts
//
// The order of two particles at the same height does not matter: both lie within the gap or
// neither, and the higher top wins.
//
// Threads: each works on a range of rows and processes all particles in the same order.
#include "state/surface/heights.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"

#define SAMPLES_MIN 2
#define SAMPLES_MAX 16384
#define SIZE_MAX_M 1e9  // [m] the limit of shapes

firn_result firn_height_def_check(const firn_height_def* def, firn_error* error)
{
    if (def->columns < SAMPLES_MIN || def->columns > SAMPLES_MAX || def->rows < SAMPLES_MIN ||
        def->rows > SAMPLES_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "heights with %d x %d samples: use %d to %d per side", def->columns,
                         def->rows, SAMPLES_MIN, SAMPLES_MAX);
    if (!(fabs(def->x) <= SIZE_MAX_M && fabs(def->z) <= SIZE_MAX_M && def->width >= 0 &&
          def->width <= SIZE_MAX_M && def->depth >= 0 && def->depth <= SIZE_MAX_M &&
          (def->width > 0) == (def->depth > 0) && isfinite(def->empty)))
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "heights over %g x %g m at (%g, %g), %g where there is no snow: give two finite "
            "sizes, or 0 and 0 for the bounds of the snow",
            def->width, def->depth, def->x, def->z, def->empty);
    return FIRN_OK;
}

static bool is_there(const firn_height_snow* snow, firn_local p)
{
    const firn_vec3 x = snow->position[p];
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

void firn_heights_find_box(const firn_height_snow* snow, firn_height_def* def, double* out_low,
                           double* out_high)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (firn_local p = 0; p < snow->count; p++) {
        if (!is_there(snow, p)) continue;
        const double r = firn_height_radius(snow, p);
        const double x[3] = {(double)snow->position[p].x, (double)snow->position[p].y,
                             (double)snow->position[p].z};
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], x[i] - r);
            high[i] = fmax(high[i], x[i] + r);
        }
    }
    const bool any = low[0] <= high[0];
    if (out_low != NULL) *out_low = any ? low[1] : 0;
    if (out_high != NULL) *out_high = any ? high[1] : 0;
    if (!any || def->width > 0 || def->depth > 0) return;
    def->x = low[0];
    def->z = low[2];
    // particles without a size may lie in one plane
    def->width = fmax(high[0] - low[0], 1e-6);
    def->depth = fmax(high[2] - low[2], 1e-6);
}

// ---- from the lowest up -------------------------------------------------------------------------

// An unsigned sort key in the order of doubles.
static uint64_t key_of(double y)
{
    uint64_t bits;
    y += 0.0;  // -0 is 0
    memcpy(&bits, &y, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | (uint64_t)1 << 63;
}

typedef struct field {
    const firn_height_snow* snow;
    const firn_height_def* def;
    const firn_local* order;  // null: already sorted
    double step_x, step_z;    // [m] from sample to sample
    double gap;               // [m]
    float* heights;
} field;

// The samples in [from, to], as a range of integers within [first, last].
static bool cover(double from, double to, int32_t first, int32_t last, int32_t* low, int32_t* high)
{
    if (!(to >= first && from <= last)) return false;
    *low = from > first ? (int32_t)ceil(from) : first;
    *high = to < last ? (int32_t)floor(to) : last;
    return *low <= *high;
}

static void add_particle(const field* f, firn_local p, int32_t row_first, int32_t row_last)
{
    const firn_height_def* d = f->def;
    const double r = firn_height_radius(f->snow, p), reach = FIRN_HEIGHT_WIDTH * r;
    const double y = (double)f->snow->position[p].y;
    const double x = (double)f->snow->position[p].x - d->x;
    const double z = (double)f->snow->position[p].z - d->z;
    int32_t i0, i1, j0, j1;
    if (!(r > 0) ||
        !cover((z - reach) / f->step_z, (z + reach) / f->step_z, row_first, row_last, &j0, &j1) ||
        !cover((x - reach) / f->step_x, (x + reach) / f->step_x, 0, d->columns - 1, &i0, &i1))
        return;
    for (int32_t j = j0; j <= j1; j++)
        for (int32_t i = i0; i <= i1; i++) {
            const double dx = (i * f->step_x - x) / reach, dz = (j * f->step_z - z) / reach;
            firn_height_raise(&f->heights[(size_t)j * (size_t)d->columns + (size_t)i], y, r,
                              1 - dx * dx - dz * dz, f->gap);
        }
}

static void fill_rows(const void* self, firn_local first, firn_local end)
{
    const field* f = self;
    const firn_height_def* d = f->def;
    for (int64_t k = (int64_t)first * d->columns; k < (int64_t)end * d->columns; k++)
        f->heights[k] = NAN;  // nothing there yet
    for (firn_local k = 0; k < f->snow->count; k++) {
        const firn_local p = f->order != NULL ? f->order[k] : k;
        if (is_there(f->snow, p)) add_particle(f, p, first, end - 1);
    }
    for (int64_t k = (int64_t)first * d->columns; k < (int64_t)end * d->columns; k++)
        if (isnan(f->heights[k])) f->heights[k] = (float)d->empty;
}

typedef struct key_args {
    const firn_height_snow* snow;
    uint64_t* key;
    firn_real* largest;  // [m] radius
} key_args;

static void make_keys(const void* self, firn_local begin, firn_local end)
{
    const key_args* a = self;
    double largest = 0;
    for (firn_local p = begin; p < end; p++) {
        a->key[p] = is_there(a->snow, p) ? key_of((double)a->snow->position[p].y) : 0;
        largest = fmax(largest, firn_height_radius(a->snow, p));
    }
    firn_atomic_max(a->largest, (firn_real)largest);  // exact: radii are firn_real
}

firn_result firn_heights_make(const firn_height_snow* snow, const firn_height_def* def,
                              float* out_heights, firn_error* error)
{
    FIRN_TRY(firn_height_def_check(def, error));
    firn_height_def box = *def;
    firn_heights_find_box(snow, &box, NULL, NULL);
    def = &box;
    firn_key_sort sort = {0};
    if (firn_key_sort_reserve(&sort, snow->count, firn_team_size()) != FIRN_OK) {
        firn_key_sort_destroy(&sort);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory sorting %d particles by height",
                         (int)snow->count);
    }
    firn_real largest = 0;
    const key_args k = {snow, sort.key[0], &largest};
    firn_share(snow->count, 1024, make_keys, &k);
    const uint64_t* keys;
    const firn_local* order = NULL;
    field f = {.snow = snow,
               .def = def,
               .step_x = def->width / (def->columns - 1),
               .step_z = def->depth / (def->rows - 1),
               .gap = FIRN_HEIGHT_GAP * (double)largest,
               .heights = out_heights};
    if (firn_key_sort_run(&sort, snow->count, &keys, &order)) f.order = order;
    // every part looks at all particles: no more parts than threads
    const int32_t team = firn_team_size();
    firn_share(def->rows, (def->rows + team - 1) / team, fill_rows, &f);
    firn_key_sort_destroy(&sort);
    return FIRN_OK;
}
