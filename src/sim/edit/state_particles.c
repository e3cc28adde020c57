// SPDX-License-Identifier: MIT
// Layout: a head, then for each field a row and its array, which begin at multiples of 8 bytes.
#include "sim/edit/state_particles.h"

#include <string.h>

#include "core/threads/copy.h"
#include "sim/edit/edit.h"
#include "state/field_values.h"

typedef struct head {
    int64_t count, fields;
} head;

typedef struct row {
    char name[40];
    uint32_t type, bytes;  // bytes of an element
} row;

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

// Of the first fields.
static size_t size_of(const firn_particles* p, int fields, firn_local count)
{
    size_t size = sizeof(head);
    for (int f = 0; f < fields; f++)
        size += sizeof(row) + padded((size_t)count * p->fields[f].size);
    return size;
}

size_t firn_state_particles_size(const firn_sim* sim)
{
    const firn_particles* p = sim->solver->particles(sim->self);
    return size_of(p, p->field_count, firn_sim_count(sim));
}

void firn_state_particles_save(const firn_sim* sim, char* block)
{
    const firn_particles* p = sim->solver->particles(sim->self);
    const head h = {p->count, p->field_count};
    memcpy(block, &h, sizeof h);
    block += sizeof h;
    for (int f = 0; f < p->field_count; f++) {
        const firn_field* field = &p->fields[f];
        const size_t bytes = (size_t)p->count * field->size;
        row r = {.type = (uint32_t)field->type, .bytes = (uint32_t)field->size};
        strncpy(r.name, field->name, sizeof r.name - 1);
        memcpy(block, &r, sizeof r);
        block += sizeof r;
        if (bytes > 0) firn_share_copy(block, field->data, bytes);
        memset(block + bytes, 0, padded(bytes) - bytes);
        block += padded(bytes);
    }
}

// Checks that the block has the fields of `p`, for `h->count` particles; the last of them may lack,
// which came with a collider or an emitter that was added since.
static firn_result check_fields(const firn_particles* p, const head* h, const char* block,
                                size_t size, firn_error* error)
{
    if (h->fields < 1 || h->fields > p->field_count || h->count < 0 || h->count > INT32_MAX ||
        size != size_of(p, (int)h->fields, (firn_local)h->count))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "it has %lld particles with %lld fields in %zu bytes", (long long)h->count,
                         (long long)h->fields, size);
    block += sizeof *h;
    for (int f = 0; f < h->fields; f++) {
        row r;
        memcpy(&r, block, sizeof r);
        r.name[sizeof r.name - 1] = '\0';
        const firn_field* field = &p->fields[f];
        if (strcmp(r.name, field->name) != 0 || r.type != (uint32_t)field->type ||
            r.bytes != field->size)
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "field %d of its particles is not '%s' as in this simulation", f,
                             field->name);
        block += sizeof r + padded((size_t)h->count * field->size);
    }
    return FIRN_OK;
}

static firn_result check_values(const firn_sim* sim, const firn_particles* p, firn_error* error)
{
    const firn_value_limits limits = {.material_count = sim->scene.material_count,
                                      .before_first_step = sim->step == 0};
    firn_invalid_value invalid;
    if (firn_particles_find_invalid(p, &limits, &invalid)) {
        char what[256];
        firn_invalid_value_print(&invalid, &limits, what, sizeof what);
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "%s", what);
    }
    firn_local same;
    if (firn_particles_find_same_id(p, &same) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory to check its particles");
    if (same < 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "'id' of particle %d is that of another particle, too", (int)same);
}

firn_result firn_state_particles_restore(firn_sim* sim, const char* block, size_t size,
                                         firn_error* error)
{
    firn_particles* p = sim->solver->particles(sim->self);
    head h;
    if (size < sizeof h) return firn_fail(error, FIRN_REFUSED_DAMAGED, "it has no particles");
    memcpy(&h, block, sizeof h);
    FIRN_TRY(check_fields(p, &h, block, size, error));
    FIRN_TRY(firn_sim_check_room(sim, h.count, error));
    if (firn_particles_reserve(p, (firn_local)h.count) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory for its %lld particles",
                         (long long)h.count);
    block += sizeof h;
    for (int f = 0; f < p->field_count; f++) {
        const size_t bytes = (size_t)h.count * p->fields[f].size;
        if (f >= h.fields) {
            if (bytes > 0) memset(p->fields[f].data, 0, bytes);
            continue;
        }
        block += sizeof(row);
        if (bytes > 0) firn_share_copy(p->fields[f].data, block, bytes);
        block += padded(bytes);
    }
    p->count = (firn_local)h.count;
    return check_values(sim, p, error);
}
