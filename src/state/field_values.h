// SPDX-License-Identifier: MIT
// Which values of a field are valid. A checksum shows that a file is as it was written, not that
// its values make sense: checkpoints and frames are checked against the column `values` of the
// lists of fields before anything uses them, and so is the state at the end of each frame.
#pragma once
#include "state/particles.h"

typedef struct firn_value_limits {
    firn_local material_count;  // rows of the scene's table of materials
    bool before_first_step;     // fields that the first step writes may be 0
    bool finite_only;           // checks for NaN and infinity only
} firn_value_limits;

// A value that its field does not allow.
typedef struct firn_invalid_value {
    const firn_field* field;  // borrowed from the particles
    firn_local particle;      // index in the arrays
    double value;             // of matrices: an element, or the determinant
} firn_invalid_value;

#ifdef __cplusplus
extern "C" {
#endif

// The first particle with an invalid value of one field. False: all are valid. The result does not
// depend on threads.
bool firn_field_find_invalid(const firn_field* field, firn_local count,
                             const firn_value_limits* limits, firn_invalid_value* out_invalid);
// The same over all fields, in their order.
bool firn_particles_find_invalid(const firn_particles* particles, const firn_value_limits* limits,
                                 firn_invalid_value* out_invalid);
// Prints "'mass' of particle 7 is nan; a finite number above 0 is expected".
void firn_invalid_value_print(const firn_invalid_value* invalid, const firn_value_limits* limits,
                              char* out_text, size_t size);
// Finds an id that two particles have. *out_particle: one of them; -1: all ids are different.
// FIRN_BROKEN_MEMORY.
firn_result firn_particles_find_same_id(const firn_particles* particles, firn_local* out_particle);

#ifdef __cplusplus
}
#endif
