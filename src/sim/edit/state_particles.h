// SPDX-License-Identifier: MIT
// The section of the particles: every field, bit for bit.
#pragma once
#include "sim/sim.h"

size_t firn_state_particles_size(const firn_sim* sim);
void firn_state_particles_save(const firn_sim* sim, char* block);
// Checks the fields and every value of them (state/field_values.h), and that ids are unique.
firn_result firn_state_particles_restore(firn_sim* sim, const char* block, size_t size,
                                         firn_error* error);
