// SPDX-License-Identifier: MIT
// Particles: one array per field. All operations loop over the list of fields.
#include "state/particles.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/threads/copy.h"
#include "core/threads/team.h"

size_t firn_field_type_size(firn_field_type type)
{
    switch (type) {
    case FIRN_FIELD_REAL: return sizeof(firn_real);
    case FIRN_FIELD_VEC3: return sizeof(firn_vec3);
    case FIRN_FIELD_MAT3: return sizeof(firn_mat3);
    case FIRN_FIELD_U8: return 1;
    case FIRN_FIELD_U32: return 4;
    }
    return 0;
}

int firn_particles_add_field(firn_particles* particles, const char* name, const char* unit,
                             firn_field_type type)
{
    FIRN_ASSERT(particles->capacity == 0 && particles->field_count < FIRN_FIELDS_MAX);
    firn_field* field = &particles->fields[particles->field_count];
    *field =
        (firn_field){.name = name, .unit = unit, .type = type, .size = firn_field_type_size(type)};
    return particles->field_count++;
}

firn_result firn_particles_append_field(firn_particles* particles, const char* name,
                                        const char* unit, firn_field_type type)
{
    FIRN_ASSERT(particles->field_count < FIRN_FIELDS_MAX);
    firn_field field = {
        .name = name, .unit = unit, .type = type, .size = firn_field_type_size(type)};
    if (particles->capacity > 0) {
        field.data = firn_alloc((size_t)particles->capacity, field.size);
        if (field.data == NULL) return FIRN_BROKEN_MEMORY;
    }
    particles->fields[particles->field_count++] = field;
    firn_free(particles->spare);  // has room for the fields that there were
    particles->spare = NULL;
    return FIRN_OK;
}

firn_result firn_particles_reserve(firn_particles* particles, firn_local capacity)
{
    if (capacity <= particles->capacity) return FIRN_OK;
    void* bigger[FIRN_FIELDS_MAX] = {0};
    const size_t n = (size_t)capacity;
    bool ok = true;
    for (int f = 0; f < particles->field_count && ok; f++)
        ok = (bigger[f] = firn_alloc(n, particles->fields[f].size)) != NULL;
    if (!ok) {
        for (int f = 0; f < FIRN_FIELDS_MAX; f++) firn_free(bigger[f]);
        return FIRN_BROKEN_MEMORY;
    }
    for (int f = 0; f < particles->field_count; f++) {
        firn_field* field = &particles->fields[f];
        if (field->data != NULL)
            firn_share_copy(bigger[f], field->data, (size_t)particles->count * field->size);
        firn_free(field->data);
        field->data = bigger[f];
    }
    firn_free(particles->spare);
    particles->spare = NULL;
    particles->capacity = capacity;
    return FIRN_OK;
}

void firn_particles_destroy(firn_particles* particles)
{
    for (int f = 0; f < particles->field_count; f++) firn_free(particles->fields[f].data);
    firn_free(particles->spare);
    *particles = (firn_particles){0};
}

const firn_field* firn_particles_find(const firn_particles* particles, const char* name)
{
    for (int f = 0; f < particles->field_count; f++)
        if (strcmp(particles->fields[f].name, name) == 0) return &particles->fields[f];
    return NULL;
}

// Fixed sizes for the common fields in single precision, so that the copy is inlined.
static inline void copy_element(char* to, const char* from, size_t size)
{
    switch (size) {
    case 1: *to = *from; break;
    case 4: memcpy(to, from, 4); break;
    case 12: memcpy(to, from, 12); break;
    case 36: memcpy(to, from, 36); break;
    default: memcpy(to, from, size); break;
    }
}

#define BLOCK 256  // particles that are moved together, or not at all: 2 microseconds

// Consecutive fields that are permuted together: first into the spare array, one field behind the
// other, then back. Every part writes its own blocks of them.
typedef struct field_group {
    const firn_field* fields;
    int field_count;
    const firn_local* order;
    firn_local count;  // particles
    char* spare;
} field_group;

static inline void gather_elements(char* to, const char* from, size_t size, const firn_local* order,
                                   firn_local begin, firn_local end)
{
    for (firn_local k = begin; k < end; k++)
        memcpy(to + (size_t)k * size, from + (size_t)order[k] * size, size);
}

// Whether all particles of block b stay where they are: most do while snow hardly moves. Else they
// are [*out_begin, *out_end).
static bool block_stays(const field_group* g, firn_local b, firn_local* out_begin,
                        firn_local* out_end)
{
    *out_begin = b * BLOCK;
    *out_end = g->count - *out_begin < BLOCK ? g->count : *out_begin + BLOCK;
    for (firn_local k = *out_begin; k < *out_end; k++)
        if (g->order[k] != k) return false;
    return true;
}

static void gather_range(const field_group* g, firn_local begin, firn_local end)
{
    char* to = g->spare;
    for (int f = 0; f < g->field_count; f++) {
        const char* from = g->fields[f].data;
        const size_t size = g->fields[f].size;
        if (size == 1)  // sizes that the compiler knows: copies without calls
            gather_elements(to, from, 1, g->order, begin, end);
        else if (size == 4)
            gather_elements(to, from, 4, g->order, begin, end);
        else if (size == sizeof(firn_vec3))
            gather_elements(to, from, sizeof(firn_vec3), g->order, begin, end);
        else if (size == sizeof(firn_mat3))
            gather_elements(to, from, sizeof(firn_mat3), g->order, begin, end);
        else
            gather_elements(to, from, size, g->order, begin, end);
        to += (size_t)g->count * size;
    }
}

static void return_range(const field_group* g, firn_local begin, firn_local end)
{
    const char* from = g->spare;
    for (int f = 0; f < g->field_count; f++) {
        const size_t size = g->fields[f].size, first = (size_t)begin * size;
        memcpy((char*)g->fields[f].data + first, from + first, (size_t)(end - begin) * size);
        from += (size_t)g->count * size;
    }
}

static void gather_blocks(const void* self, firn_local begin, firn_local end)
{
    firn_local from, to;
    for (firn_local b = begin; b < end; b++)
        if (!block_stays(self, b, &from, &to)) gather_range(self, from, to);
}

static void return_blocks(const void* self, firn_local begin, firn_local end)
{
    firn_local from, to;
    for (firn_local b = begin; b < end; b++)
        if (!block_stays(self, b, &from, &to)) return_range(self, from, to);
}

static size_t largest_field(const firn_particles* particles)
{
    size_t most = 0;
    for (int f = 0; f < particles->field_count; f++)
        most = particles->fields[f].size > most ? particles->fields[f].size : most;
    return most;
}

firn_result firn_particles_reorder(firn_particles* particles, const firn_local* order)
{
    const size_t room = largest_field(particles);
    if (particles->spare == NULL && particles->capacity > 0) {
        particles->spare = firn_alloc((size_t)particles->capacity, room);
        if (particles->spare == NULL) return FIRN_BROKEN_MEMORY;
    }
    for (int f = 0, next; f < particles->field_count && order != NULL; f = next) {
        size_t bytes = 0;
        for (next = f; next < particles->field_count; next++) {
            if (bytes + particles->fields[next].size > room) break;
            bytes += particles->fields[next].size;
        }
        const field_group group = {particles->fields + f, next - f, order, particles->count,
                                   particles->spare};
        const firn_local blocks = particles->count / BLOCK + (particles->count % BLOCK != 0);
        firn_share(blocks, 2, gather_blocks, &group);
        firn_share(blocks, 4, return_blocks, &group);
    }
    return FIRN_OK;
}

typedef struct keep_job {
    const firn_particles* particles;
    const firn_local* keep;
    firn_local count;
} keep_job;

// The end of the run that begins at k: those of its elements move by the same distance. Distances
// grow with k.
static firn_local end_of_run(const keep_job* job, firn_local k)
{
    const firn_local by = job->keep[k] - k;
    firn_local low = k + 1, high = job->count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        if (job->keep[middle] - middle == by)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void keep_fields(const void* self, firn_local begin, firn_local end)
{
    const keep_job* job = self;
    for (firn_local f = begin; f < end; f++) {
        const firn_field* field = &job->particles->fields[f];
        char* data = field->data;
        firn_local next;
        for (firn_local k = 0; k < job->count; k = next) {  // keep[k] >= k: nothing is lost unread
            next = end_of_run(job, k);
            if (job->keep[k] != k)
                memmove(data + (size_t)k * field->size, data + (size_t)job->keep[k] * field->size,
                        (size_t)(next - k) * field->size);
        }
    }
}

void firn_particles_keep(firn_particles* particles, const firn_local* keep, firn_local count)
{
    FIRN_ASSERT(count >= 0 && count <= particles->count);
    const firn_local grain = 1 + 10000 / (count + 1);  // fields; elements take some nanoseconds
    firn_share(particles->field_count, grain, keep_fields, &(keep_job){particles, keep, count});
    particles->count = count;
}

uint64_t firn_particles_hash(const firn_particles* particles)
{
    uint64_t hash = firn_hash(&particles->count, sizeof particles->count, 0);
    for (int f = 0; f < particles->field_count; f++) {
        const firn_field* field = &particles->fields[f];
        hash = firn_hash(field->name, strlen(field->name), hash);
        if (particles->count > 0)
            hash = firn_hash(field->data, (size_t)particles->count * field->size, hash);
    }
    return hash;
}

size_t firn_particles_bytes_each(const firn_particles* particles)
{
    size_t bytes = 0;
    for (int f = 0; f < particles->field_count; f++) bytes += particles->fields[f].size;
    return bytes;
}
