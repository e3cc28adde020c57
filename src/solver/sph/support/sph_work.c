// SPDX-License-Identifier: MIT
// The arrays of a step, in one allocation.
#include <stdint.h>
#include <string.h>

#include "core/memory.h"
#include "linalg/bicgstab.h"
#include "solver/sph/laws/residual.h"
#include "solver/sph/sph_state.h"

// Counts bytes, or assigns them to arrays.
typedef struct layout {
    char* at;  // null: only count
    size_t used;
} layout;

static void* give(layout* l, size_t count, size_t size)
{
    const size_t bytes = (count * size + FIRN_ALIGNMENT - 1) / FIRN_ALIGNMENT * FIRN_ALIGNMENT;
    void* p = l->at != NULL ? l->at + l->used : NULL;
    l->used += bytes;
    return p;
}

#define PLANES_MOST 56
#define RECORDS_MOST 16

// Lists the arrays with one real per particle.
static int planes_of(firn_sph_work* w, firn_real** out[PLANES_MOST])
{
    firn_real** single[] = {&w->x,          &w->y,           &w->z,      &w->volume,
                            &w->density,    &w->lambda,      &w->shear,  &w->inverse_volume,
                            &w->pressure,   &w->wall_kernel, &w->source, &w->wall_divergence,
                            &w->weighted_p, &w->miss,        &w->S2,     &w->rest_density,
                            &w->diagonal};
    int n = 0;
    for (size_t k = 0; k < sizeof single / sizeof *single; k++) out[n++] = single[k];
    for (int k = 0; k < 3; k++) out[n++] = &w->S[k];
    for (int k = 0; k < 3; k++) out[n++] = &w->B[k];
    for (int k = 0; k < 3; k++) out[n++] = &w->LB[k];
    for (int k = 0; k < 6; k++) out[n++] = &w->F[k];
    for (int k = 0; k < 9; k++) out[n++] = &w->L[k];
    for (int k = 0; k < 6; k++) out[n++] = &w->M[k];
    for (int k = 0; w->mixed && k < 3; k++) out[n++] = &w->S_snow[k];
    return n;
}

// Lists the arrays with one vec4 per particle. Not the stress, which has three.
static int records_of(firn_sph_work* w, firn_vec4** out[RECORDS_MOST])
{
    firn_vec4** all[] = {&w->place, &w->place_p, &w->v_star, &w->weighted, &w->a_G, &w->b,
                         &w->r,     &w->shadow,  &w->p,      &w->v,        &w->s,   &w->t};
    int n = sizeof all / sizeof *all;
    for (int k = 0; k < n; k++) out[k] = all[k];
    if (w->mixed) out[n++] = &w->place_snow;
    return n;
}

static void lay_out(firn_sph_work* w, size_t n, layout* l)
{
    firn_real** planes[PLANES_MOST];
    firn_vec4** records[RECORDS_MOST];
    const int plane_count = planes_of(w, planes), record_count = records_of(w, records);
    for (int k = 0; k < plane_count; k++) *planes[k] = give(l, n, sizeof(firn_real));
    for (int k = 0; k < record_count; k++) *records[k] = give(l, n, sizeof(firn_vec4));
    w->stress = give(l, 3 * n, sizeof(firn_vec4));
    w->partial = give(l, FIRN_SPH_SUMS * (n / FIRN_BICG_CHUNK + 1), sizeof *w->partial);
    w->sums = give(l, n / FIRN_SPH_CHUNK + 1, sizeof *w->sums);
    if (!w->mixed) return;
    w->snow_slice = give(l, n / FIRN_SLICE, sizeof *w->snow_slice);
    w->snow_chunk = give(l, n / FIRN_BICG_CHUNK + 1, sizeof *w->snow_chunk);
}

void firn_sph_work_clear_rest(firn_sph_work* work, firn_local count)
{
    firn_real** planes[PLANES_MOST];
    firn_vec4** records[RECORDS_MOST];
    const int plane_count = planes_of(work, planes), record_count = records_of(work, records);
    for (int k = 0; k < plane_count; k++)
        memset(*planes[k] + count, 0, FIRN_SLICE * sizeof(firn_real));
    for (int k = 0; k < record_count; k++)
        memset(*records[k] + count, 0, FIRN_SLICE * sizeof(firn_vec4));
    memset(work->stress + 3 * (size_t)count, 0, 3 * FIRN_SLICE * sizeof(firn_vec4));
}

firn_result firn_sph_work_reserve(firn_sph_work* work, firn_local count)
{
    if (count <= work->capacity && work->memory != NULL) return FIRN_OK;
    const size_t n = ((size_t)count + (size_t)count / 8 + 2 * FIRN_SLICE) / FIRN_SLICE * FIRN_SLICE;
    layout size = {0};
    firn_sph_work fresh = {.mixed = work->mixed};
    lay_out(&fresh, n, &size);
    firn_sph_work_destroy(work);  // before allocating: limits peak memory
    fresh.memory = firn_alloc(size.used, 1);
    if (fresh.memory == NULL || n > INT32_MAX) {
        firn_free(fresh.memory);
        return FIRN_BROKEN_MEMORY;
    }
    layout parts = {fresh.memory, 0};
    lay_out(&fresh, n, &parts);
    fresh.capacity = (firn_local)n - FIRN_SLICE;
    *work = fresh;
    return FIRN_OK;
}

void firn_sph_work_destroy(firn_sph_work* work)
{
    firn_free(work->memory);
    *work = (firn_sph_work){.mixed = work->mixed};
}
