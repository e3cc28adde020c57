// SPDX-License-Identifier: MIT
// Particles: one array per field; everything that must not forget a field loops over the list.
#include "state/particles.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

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

static size_t largest_element(const firn_particles* particles)
{
    size_t largest = 1;
    for (int f = 0; f < particles->field_count; f++)
        if (particles->fields[f].size > largest) largest = particles->fields[f].size;
    return largest;
}

firn_result firn_particles_reserve(firn_particles* particles, firn_local capacity)
{
    if (capacity <= particles->capacity) return FIRN_OK;
    void* bigger[FIRN_FIELDS_MAX + 1] = {0};
    const size_t n = (size_t)capacity;
    bool ok = true;
    for (int f = 0; f < particles->field_count && ok; f++)
        ok = (bigger[f] = firn_alloc(n, particles->fields[f].size)) != NULL;
    if (ok) ok = (bigger[FIRN_FIELDS_MAX] = firn_alloc(n, largest_element(particles))) != NULL;
    if (!ok) {
        for (int f = 0; f <= FIRN_FIELDS_MAX; f++) firn_free(bigger[f]);
        return FIRN_BROKEN_MEMORY;
    }
    for (int f = 0; f < particles->field_count; f++) {
        firn_field* field = &particles->fields[f];
        if (field->data != NULL)
            memcpy(bigger[f], field->data, (size_t)particles->count * field->size);
        firn_free(field->data);
        field->data = bigger[f];
    }
    firn_free(particles->scratch);
    particles->scratch = bigger[FIRN_FIELDS_MAX];
    particles->capacity = capacity;
    return FIRN_OK;
}

void firn_particles_destroy(firn_particles* particles)
{
    for (int f = 0; f < particles->field_count; f++) firn_free(particles->fields[f].data);
    firn_free(particles->scratch);
    *particles = (firn_particles){0};
}

const firn_field* firn_particles_find(const firn_particles* particles, const char* name)
{
    for (int f = 0; f < particles->field_count; f++)
        if (strcmp(particles->fields[f].name, name) == 0) return &particles->fields[f];
    return NULL;
}

// Inlined with a constant size, each copy is a few moves.
static inline __attribute__((always_inline)) void gather(char* to, const char* from, size_t size,
                                                         const firn_local* order, firn_local count,
                                                         int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (firn_local k = 0; k < count; k++)
        memcpy(to + (size_t)k * size, from + (size_t)order[k] * size, size);
}

static void gather_field(char* to, const firn_field* field, const firn_local* order,
                         firn_local count, int threads)
{
    const char* from = field->data;
    switch (field->type) {
    case FIRN_FIELD_REAL: gather(to, from, sizeof(firn_real), order, count, threads); break;
    case FIRN_FIELD_VEC3: gather(to, from, sizeof(firn_vec3), order, count, threads); break;
    case FIRN_FIELD_MAT3: gather(to, from, sizeof(firn_mat3), order, count, threads); break;
    case FIRN_FIELD_U8: gather(to, from, 1, order, count, threads); break;
    case FIRN_FIELD_U32: gather(to, from, 4, order, count, threads); break;
    }
}

void firn_particles_reorder(firn_particles* particles, const firn_local* order, int threads)
{
    firn_particles_keep(particles, order, particles->count, threads);
}

void firn_particles_keep(firn_particles* particles, const firn_local* keep, firn_local count,
                         int threads)
{
    FIRN_ASSERT(count >= 0 && count <= particles->count);
    for (int f = 0; f < particles->field_count; f++) {
        firn_field* field = &particles->fields[f];
        gather_field(particles->scratch, field, keep, count, threads);
        if (count > 0) memcpy(field->data, particles->scratch, (size_t)count * field->size);
    }
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

firn_result firn_particles_copy(firn_particles* to, const firn_particles* from)
{
    if (to->field_count == 0) {
        for (int f = 0; f < from->field_count; f++)
            firn_particles_add_field(to, from->fields[f].name, from->fields[f].unit,
                                     from->fields[f].type);
    }
    if (to->field_count != from->field_count) return FIRN_BROKEN_INTERNAL;
    to->count = to->count < from->count ? to->count : from->count;
    FIRN_TRY(firn_particles_reserve(to, from->count));
    for (int f = 0; f < from->field_count; f++)
        if (from->count > 0)
            memcpy(to->fields[f].data, from->fields[f].data,
                   (size_t)from->count * from->fields[f].size);
    to->count = from->count;
    return FIRN_OK;
}

size_t firn_particles_bytes_each(const firn_particles* particles)
{
    size_t bytes = 0;
    for (int f = 0; f < particles->field_count; f++) bytes += particles->fields[f].size;
    return bytes;
}
