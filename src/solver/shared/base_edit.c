// SPDX-License-Identifier: MIT
// Edits of the particles between steps.
#include <string.h>

#include "core/memory.h"
#include "core/threads/copy.h"
#include "scene/data/scene.h"
#include "solver/shared/base.h"
#include "solver/shared/device_run.h"

uint64_t firn_base_ids_end(const firn_particles* store)
{
    const uint32_t* id = firn_particles_find(store, "id")->data;
    uint64_t end = 0;
    for (firn_local p = 0; p < store->count; p++) end = id[p] >= end ? (uint64_t)id[p] + 1 : end;
    return end;
}

firn_result firn_base_grow_emitters(firn_solver_base* base, const firn_field_row* fields,
                                    size_t field_count, int64_t** emitted, int64_t** emitted_before,
                                    firn_error* error)
{
    const size_t n = (size_t)base->scene->emitter_count;  // with the new one
    int64_t *now = firn_alloc(n + 1, sizeof *now), *before = firn_alloc(n + 1, sizeof *before);
    const bool marked = firn_particles_find(&base->store, "emitter") != NULL;
    if (now == NULL || before == NULL ||
        (!marked && firn_base_append_fields(base, fields, field_count) != FIRN_OK)) {
        firn_free(now);
        firn_free(before);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for another emitter");
    }
    memcpy(now, *emitted, (n - 1) * sizeof *now);
    firn_free(*emitted);
    firn_free(*emitted_before);
    *emitted = now;
    *emitted_before = before;
    return FIRN_OK;
}

firn_result firn_base_add(firn_solver_base* base, const firn_seeds* seeds, uint32_t* next_id,
                          firn_error* error)
{
    const uint64_t end = firn_base_ids_end(&base->store);
    if ((*next_id > end ? *next_id : end) + (uint64_t)seeds->count > UINT32_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%d more particles: their ids would exceed 2^32 - 1", (int)seeds->count);
    uint32_t first = *next_id > end ? *next_id : (uint32_t)end;
    if (firn_base_append(base, seeds, &first) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for %d more particles",
                         (int)seeds->count);
    *next_id = first;
    firn_device_run_host_changed(base);
    return FIRN_OK;
}

firn_result firn_base_keep(void* self, const firn_local* keep, firn_local count, firn_error* error)
{
    (void)error;
    firn_particles_keep(&((firn_solver_base*)self)->store, keep, count);
    firn_device_run_host_changed(self);
    return FIRN_OK;
}

firn_result firn_base_write(void* self, const firn_field* field, const void* values,
                            firn_error* error)
{
    (void)error;
    const size_t bytes = (size_t)((const firn_solver_base*)self)->store.count * field->size;
    if (bytes > 0) firn_share_copy(field->data, values, bytes);
    firn_device_run_host_changed(self);
    return FIRN_OK;
}
