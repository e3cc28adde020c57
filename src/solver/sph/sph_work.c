// SPDX-License-Identifier: MIT
// The arrays of a step, out of one piece of memory.
#include <stdint.h>
#include <string.h>

#include "core/memory.h"
#include "linalg/bicgstab.h"
#include "solver/sph/sph_state.h"

// Counts bytes, or gives them out.
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

static void lay_out(firn_sph_work* w, size_t n, layout* l)
{
    firn_real** planes[] = {
        &w->x,      &w->y,        &w->z,          &w->volume,      &w->rest_density,
        &w->lambda, &w->shear,    &w->S2,         &w->wall_kernel, &w->wall_divergence,
        &w->source, &w->diagonal, &w->weighted_p, &w->scale};
    for (size_t k = 0; k < sizeof planes / sizeof *planes; k++)
        *planes[k] = give(l, n, sizeof(firn_real));
    for (int k = 0; k < 3; k++) w->S[k] = give(l, n, sizeof(firn_real));
    for (int k = 0; k < 3; k++) w->B[k] = give(l, n, sizeof(firn_real));
    for (int k = 0; k < 6; k++) w->F[k] = give(l, n, sizeof(firn_real));
    for (int k = 0; k < 9; k++) w->L[k] = give(l, n, sizeof(firn_real));
    firn_real4** records[] = {&w->place,     &w->v_star, &w->weighted, &w->stress[0], &w->stress[1],
                              &w->stress[2], &w->a_G,    &w->b,        &w->r,         &w->shadow,
                              &w->p,         &w->v,      &w->s,        &w->t,         &w->q};
    for (size_t k = 0; k < sizeof records / sizeof *records; k++)
        *records[k] = give(l, n, sizeof(firn_real4));
    w->partial = give(l, 3 * (n / FIRN_BICG_PIECE + 1), sizeof *w->partial);
    w->sums = give(l, n / FIRN_SPH_PIECE + 1, sizeof *w->sums);
}

firn_result firn_sph_work_reserve(firn_sph_work* work, firn_local count)
{
    if (count <= work->capacity && work->memory != NULL) return FIRN_OK;
    const size_t n = ((size_t)count + (size_t)count / 8 + 2 * FIRN_SLICE) / FIRN_SLICE * FIRN_SLICE;
    layout size = {0};
    firn_sph_work fresh = {0};
    lay_out(&fresh, n, &size);
    firn_sph_work_destroy(work);  // first: two of them are never needed at once
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
    *work = (firn_sph_work){0};
}
