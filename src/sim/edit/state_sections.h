// SPDX-License-Identifier: MIT
// The state of a simulation as a sequence of sections, for firn_sim_save and firn_sim_restore.
//
//     head | tag size bytes… | tag size bytes… | …        each begins at a multiple of 8 bytes
//
// A block has all sections of the table, in its order. What becomes part of the state gets a
// section; a section whose bytes change their meaning gets another tag, so that older blocks are
// refused.
#pragma once
#include "sim/sim.h"

#define FIRN_STATE_TAG 8  // bytes of a tag

typedef struct firn_state_section {
    char tag[FIRN_STATE_TAG];
    size_t (*size)(const firn_sim* sim);
    void (*save)(const firn_sim* sim, char* block);  // writes all of its bytes
    // Restores from bytes that need not be aligned and may be damaged. FIRN_REFUSED_DAMAGED and
    // other refusals: `error` says what. May have changed a part: the caller goes back.
    firn_result (*restore)(firn_sim* sim, const char* block, size_t size, firn_error* error);
} firn_state_section;

// In the order in which they are restored.
extern const firn_state_section firn_state_sections[];
extern const size_t firn_state_section_count;
