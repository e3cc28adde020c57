// SPDX-License-Identifier: MIT
#include "state/particle_rows.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

#define RUN 65536  // rows that are read together

// Continues `*hash` with all rows of a field.
static firn_result hash_field(const firn_particle_rows* rows, const firn_field* field, int index,
                              char* buffer, firn_hasher* hasher, uint64_t* hash, firn_error* error)
{
    firn_hasher_begin(hasher, firn_hash(field->name, strlen(field->name), *hash));
    for (int64_t first = 0; first < rows->count; first += RUN) {
        const firn_local left = rows->count - (firn_local)first, run = left < RUN ? left : RUN;
        FIRN_TRY(rows->read(rows->self, index, (firn_local)first, run, buffer, error));
        firn_hasher_add(hasher, buffer, (size_t)run * field->size);
    }
    *hash = firn_hasher_value(hasher);
    return FIRN_OK;
}

firn_result firn_particle_rows_hash(const firn_particle_rows* rows, const firn_particles* list,
                                    uint64_t* out_hash, firn_error* error)
{
    size_t most = 1;
    for (int f = 0; f < list->field_count; f++)
        most = list->fields[f].size > most ? list->fields[f].size : most;
    char* buffer = firn_alloc(RUN, most);
    firn_hasher* hasher = firn_hasher_create();
    uint64_t hash = firn_hash(&rows->count, sizeof rows->count, 0);
    firn_result r = FIRN_OK;
    if (buffer == NULL || hasher == NULL)
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the hash of the state");
    for (int f = 0; f < list->field_count && r == FIRN_OK; f++)
        r = hash_field(rows, &list->fields[f], f, buffer, hasher, &hash, error);
    firn_hasher_destroy(hasher);
    firn_free(buffer);
    if (r == FIRN_OK) *out_hash = hash;
    return r;
}

firn_result firn_particle_rows_load(const firn_particle_rows* rows, int field, size_t size,
                                    void** out_data, firn_error* error)
{
    char* data = firn_alloc((size_t)rows->count + 1, size);
    firn_result r = FIRN_OK;
    if (data == NULL)
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a field of %d particles",
                      (int)rows->count);
    for (int64_t first = 0; first < rows->count && r == FIRN_OK; first += RUN) {
        const firn_local left = rows->count - (firn_local)first, run = left < RUN ? left : RUN;
        r = rows->read(rows->self, field, (firn_local)first, run, data + (size_t)first * size,
                       error);
    }
    if (r == FIRN_OK)
        *out_data = data;
    else
        firn_free(data);
    return r;
}
