// SPDX-License-Identifier: MIT
// Particles: one array per field, 64-byte aligned. A solver lists its fields once (an X macro in
// its <name>_fields.h) and registers them here; allocation, copying, reordering, hashing,
// checkpoints and export use this list.
#pragma once
#include "core/result.h"

#define FIRN_FIELDS_MAX 32

// When a field is written after the particles have been seeded.
typedef enum firn_field_changes {
    FIRN_CHANGES_ALWAYS,
    FIRN_CHANGES_FIRST_STEP,  // zero before it, constant after it
    FIRN_CHANGES_NEVER
} firn_field_changes;

// Valid values of a field; of each element of vectors and matrices. All but ANY are finite.
typedef enum firn_field_values {
    FIRN_VALUES_ANY,  // integers only
    FIRN_VALUES_FINITE,
    FIRN_VALUES_POSITIVE,
    FIRN_VALUES_AT_LEAST_0,
    FIRN_VALUES_SHARE,        // 0 to 1
    FIRN_VALUES_DEFORMATION,  // matrices with a positive determinant
    FIRN_VALUES_FLAG,         // 0 or 1
    FIRN_VALUES_PHASE,        // 0 snow, 1 ice, 2 water
    FIRN_VALUES_MATERIAL      // index in the scene's table of materials
} firn_field_values;

typedef struct firn_field {
    const char* name;  // borrowed, static
    const char* unit;  // borrowed, static
    firn_field_type type;
    firn_field_changes changes;  // "always" unless the solver sets it when it registers the field
    firn_field_values values;    // "any" unless the solver sets it: field_values.h
    size_t size;                 // bytes per element
    void* data;                  // owned; [capacity]
} firn_field;

typedef struct firn_particles {
    firn_local count, capacity;
    int field_count;
    firn_field fields[FIRN_FIELDS_MAX];
    char* spare;  // owned; [capacity] of the largest field, for reordering; null: never reordered
} firn_particles;

#ifdef __cplusplus
extern "C" {
#endif

size_t firn_field_type_size(firn_field_type type);
// Registers a field and returns its index. Only while capacity is 0.
int firn_particles_add_field(firn_particles* particles, const char* name, const char* unit,
                             firn_field_type type);
// Registers a field of particles that exist: it is zero. FIRN_BROKEN_MEMORY: nothing is changed.
firn_result firn_particles_append_field(firn_particles* particles, const char* name,
                                        const char* unit, firn_field_type type);
// Reserves for `capacity` particles. FIRN_BROKEN_MEMORY: nothing is changed.
firn_result firn_particles_reserve(firn_particles* particles, firn_local capacity);
void firn_particles_destroy(firn_particles* particles);
// Find a field by name; null: none.
const firn_field* firn_particles_find(const firn_particles* particles, const char* name);
// Reorders: new particle k is old particle order[k]; order is a permutation, null: identity. The
// result does not depend on threads. Allocates in the first call after reserving, for identity too.
// FIRN_BROKEN_MEMORY: nothing is changed.
firn_result firn_particles_reorder(firn_particles* particles, const firn_local* order);
// Removes all particles but keep[0 .. count), which ascends. The result does not depend on threads.
void firn_particles_keep(firn_particles* particles, const firn_local* keep, firn_local count);
// Hash over count and all fields, in order: equal states have equal hashes.
uint64_t firn_particles_hash(const firn_particles* particles);
// Bytes of one particle in all fields.
size_t firn_particles_bytes_each(const firn_particles* particles);

#ifdef __cplusplus
}
#endif
