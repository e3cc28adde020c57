// SPDX-License-Identifier: MIT
// Checks of values: one fast pass per field, which almost always finds nothing; only then the
// search for the first particle.
#include "state/field_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sort_keys.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "math/mat3.h"

// Elements per chunk of the fast pass.
#define CHUNK 4096

static int reals_of(firn_field_type type)
{
    switch (type) {
    case FIRN_FIELD_REAL: return 1;
    case FIRN_FIELD_VEC3: return 3;
    case FIRN_FIELD_MAT3: return 9;
    default: return 0;
    }
}

// Bounds of the elements of a field.
typedef struct bounds {
    double low, high;  // inclusive
    bool above;        // the low one is exclusive
    bool upright;      // matrices: the determinant is positive
} bounds;

static bounds bounds_of(const firn_field* field, const firn_value_limits* limits)
{
    const double most = (double)FIRN_REAL_MAX;
    if (limits->finite_only) return (bounds){-most, most, false, false};
    const bool unwritten = field->changes == FIRN_CHANGES_FIRST_STEP && limits->before_first_step;
    switch (field->values) {
    case FIRN_VALUES_ANY: return (bounds){-INFINITY, INFINITY, false, false};
    case FIRN_VALUES_FINITE: return (bounds){-most, most, false, false};
    case FIRN_VALUES_DEFORMATION: return (bounds){-most, most, false, true};
    case FIRN_VALUES_POSITIVE: return (bounds){0, most, !unwritten, false};
    case FIRN_VALUES_AT_LEAST_0: return (bounds){0, most, false, false};
    case FIRN_VALUES_SHARE:
    case FIRN_VALUES_FLAG: return (bounds){0, 1, false, false};
    case FIRN_VALUES_PHASE: return (bounds){0, 2, false, false};
    case FIRN_VALUES_MATERIAL: return (bounds){0, (double)limits->material_count - 1, false, false};
    }
    return (bounds){0, 0, false, false};
}

static bool is_valid(double x, const bounds* b)
{
    return x >= b->low && x <= b->high && !(b->above && x == b->low);
}

// Whether all reals of [first, end) lie within the bounds. NaN does not.
static bool reals_are_valid(const firn_real* x, size_t first, size_t end, const bounds* b)
{
    const firn_real low = (firn_real)b->low, high = (firn_real)b->high;
    int wrong = 0;
    if (b->above) {
#pragma omp simd reduction(| : wrong)
        for (size_t k = first; k < end; k++) wrong |= !(x[k] > low) | !(x[k] <= high);
    } else {
#pragma omp simd reduction(| : wrong)
        for (size_t k = first; k < end; k++) wrong |= !(x[k] >= low) | !(x[k] <= high);
    }
    return wrong == 0;
}

static bool bytes_are_valid(const uint8_t* x, size_t first, size_t end, const bounds* b)
{
    const int most = (int)b->high;
    int wrong = 0;
#pragma omp simd reduction(| : wrong)
    for (size_t k = first; k < end; k++) wrong |= x[k] > most;
    return wrong == 0;
}

// The value of particle p that is wrong. False: none.
static bool look(const firn_field* field, firn_local p, const bounds* b, double* out_value)
{
    if (field->type == FIRN_FIELD_U8) {
        *out_value = ((const uint8_t*)field->data)[p];
        return !is_valid(*out_value, b);
    }
    const int n = reals_of(field->type);
    const firn_real* x = (const firn_real*)field->data + (size_t)p * (size_t)n;
    for (int k = 0; k < n; k++) {
        *out_value = (double)x[k];
        if (!is_valid(*out_value, b)) return true;
    }
    if (!b->upright) return false;
    *out_value = (double)firn_m3_det(((const firn_mat3*)field->data)[p]);
    return !(*out_value > 0);
}

// The first wrong particle of [first, end), `end` where there is none.
static firn_local look_at(const firn_field* field, firn_local first, firn_local end,
                          const bounds* b)
{
    const size_t n = (size_t)reals_of(field->type);
    if (field->type == FIRN_FIELD_U8
            ? bytes_are_valid(field->data, (size_t)first, (size_t)end, b)
            : !b->upright && reals_are_valid(field->data, n * (size_t)first, n * (size_t)end, b))
        return end;
    double value;
    firn_local p = first;
    while (p < end && !look(field, p, b, &value)) p++;
    return p;
}

typedef struct look_job {
    const firn_field* field;
    const bounds* b;
    firn_local count;  // particles
    firn_local* bad;   // the first wrong one
} look_job;

static void look_at_chunks(const void* self, firn_local begin, firn_local end)
{
    const look_job* job = self;
    for (firn_local c = begin; c < end; c++) {
        const firn_local first = c * CHUNK;
        const firn_local last = job->count - first > CHUNK ? first + CHUNK : job->count;
        const firn_local p = look_at(job->field, first, last, job->b);
        if (p < last) firn_atomic_min(job->bad, p);
    }
}

bool firn_field_find_invalid(const firn_field* field, firn_local count,
                             const firn_value_limits* limits, firn_invalid_value* out_invalid)
{
    const bool real = reals_of(field->type) > 0;
    if (field->values == FIRN_VALUES_ANY || count == 0 || (limits->finite_only && !real))
        return false;
    const bounds b = bounds_of(field, limits);
    firn_local bad = count;
    firn_share((count - 1) / CHUNK + 1, 1, look_at_chunks, &(look_job){field, &b, count, &bad});
    if (bad == count) return false;
    *out_invalid = (firn_invalid_value){.field = field, .particle = bad};
    look(field, bad, &b, &out_invalid->value);
    return true;
}

bool firn_particles_find_invalid(const firn_particles* particles, const firn_value_limits* limits,
                                 firn_invalid_value* out_invalid)
{
    for (int f = 0; f < particles->field_count; f++)
        if (firn_field_find_invalid(&particles->fields[f], particles->count, limits, out_invalid))
            return true;
    return false;
}

void firn_invalid_value_print(const firn_invalid_value* invalid, const firn_value_limits* limits,
                              char* out_text, size_t size)
{
    const bounds b = bounds_of(invalid->field, limits);
    char wanted[96];
    switch (limits->finite_only ? FIRN_VALUES_FINITE : invalid->field->values) {
    case FIRN_VALUES_FINITE: snprintf(wanted, sizeof wanted, "a finite number"); break;
    case FIRN_VALUES_DEFORMATION:
        snprintf(wanted, sizeof wanted, "a finite matrix with a determinant above 0");
        break;
    case FIRN_VALUES_POSITIVE: snprintf(wanted, sizeof wanted, "a finite number above 0"); break;
    case FIRN_VALUES_AT_LEAST_0:
        snprintf(wanted, sizeof wanted, "a finite number of at least 0");
        break;
    default: snprintf(wanted, sizeof wanted, "0 to %g", b.high); break;
    }
    snprintf(out_text, size, "'%s' of particle %d is %g; expected is %s", invalid->field->name,
             (int)invalid->particle, invalid->value, wanted);
}

firn_result firn_particles_find_same_id(const firn_particles* particles, firn_local* out_particle)
{
    *out_particle = -1;
    const firn_field* field = firn_particles_find(particles, "id");
    if (field == NULL || particles->count < 2) return FIRN_OK;
    const uint32_t* id = field->data;
    firn_key_sort sort = {0};
    const firn_result r = firn_key_sort_reserve(&sort, particles->count, firn_team_size());
    if (r == FIRN_OK) {
        for (firn_local p = 0; p < particles->count; p++) sort.key[0][p] = id[p];
        const uint64_t* keys;
        const firn_local* order;
        firn_key_sort_run(&sort, particles->count, &keys, &order);
        for (firn_local k = 1; k < particles->count && *out_particle < 0; k++)
            if (keys[k] == keys[k - 1]) *out_particle = order != NULL ? order[k] : k;
    }
    firn_key_sort_destroy(&sort);
    return r;
}
