// SPDX-License-Identifier: MIT
// Particles: one array per field. All operations loop over the list of fields.
#include "state/particles.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
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
            memcpy(bigger[f], field->data, (size_t)particles->count * field->size);
        firn_free(field->data);
        field->data = bigger[f];
    }
    particles->capacity = capacity;
    return FIRN_OK;
}

void firn_particles_destroy(firn_particles* particles)
{
    for (int f = 0; f < particles->field_count; f++) firn_free(particles->fields[f].data);
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

// Follows each cycle of the permutation once, from the positions in `start`, in place, so that no
// field needs a second copy. All fields at once, with prefetching, because each step of a cycle
// waits for memory.
static void turn_cycles(const firn_field* fields, int field_count, const firn_local* order,
                        const firn_local* start, firn_local cycles)
{
    char first[FIRN_FIELDS_MAX][sizeof(firn_mat3)];
    for (firn_local c = 0; c < cycles; c++) {
        firn_local to = start[c];
        for (int f = 0; f < field_count; f++)
            copy_element(first[f], (char*)fields[f].data + (size_t)to * fields[f].size,
                         fields[f].size);
        for (firn_local from = order[to]; from != start[c]; from = order[to]) {
            const size_t next = (size_t)order[from];
            for (int f = 0; f < field_count; f++) {
                char* data = fields[f].data;
                const size_t size = fields[f].size;
                __builtin_prefetch(data + next * size);
                copy_element(data + (size_t)to * size, data + (size_t)from * size, size);
            }
            to = from;
        }
        for (int f = 0; f < field_count; f++)
            copy_element((char*)fields[f].data + (size_t)to * fields[f].size, first[f],
                         fields[f].size);
    }
}

// Lists one position of each cycle longer than 1 at the front of `scratch`: at most count/2, so
// that one bit per position, for those visited, fits behind them.
static firn_local find_cycles(const firn_local* order, firn_local count, firn_local* scratch)
{
    const firn_local words = count / 32 + 1;
    firn_local* met = scratch + (count - words);
    memset(met, 0, (size_t)words * sizeof *met);
    firn_local cycles = 0;
    for (firn_local k = 0; k < count; k++) {
        if (order[k] == k || ((uint32_t)met[k >> 5] >> (k & 31) & 1) != 0) continue;
        scratch[cycles++] = k;
        for (firn_local at = order[k]; at != k; at = order[at])
            met[at >> 5] = (firn_local)((uint32_t)met[at >> 5] | (uint32_t)1 << (at & 31));
    }
    return cycles;
}

// Divides the fields among `parts` by bytes: where part k begins.
static int part_begin(const firn_particles* particles, int part, int parts)
{
    const size_t all = firn_particles_bytes_each(particles);
    size_t bytes = 0;
    int f = 0;
    for (; f < particles->field_count && bytes * (size_t)parts < all * (size_t)part; f++)
        bytes += particles->fields[f].size;
    return f;
}

void firn_particles_reorder(firn_particles* particles, const firn_local* order, firn_local* scratch,
                            int threads)
{
    if (particles->count == 0) return;
    const firn_local cycles = find_cycles(order, particles->count, scratch);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int part = 0; part < threads; part++) {
        const int begin = part_begin(particles, part, threads);
        const int end = part_begin(particles, part + 1, threads);
        turn_cycles(particles->fields + begin, end - begin, order, scratch, cycles);
    }
}

typedef struct keep_job {
    const firn_particles* particles;
    const firn_local* keep;
    firn_local count;
} keep_job;

static void keep_fields(const void* self, firn_local begin, firn_local end)
{
    const keep_job* job = self;
    for (firn_local f = begin; f < end; f++) {
        const firn_field* field = &job->particles->fields[f];
        char* data = field->data;
        for (firn_local k = 0; k < job->count; k++) {  // keep[k] >= k: nothing is lost unread
            const firn_local from = job->keep[k];
            if (from != k)
                copy_element(data + (size_t)k * field->size, data + (size_t)from * field->size,
                             field->size);
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
