// SPDX-License-Identifier: MIT
// What the work of a call of the public interface runs on while the call lasts: a team of threads
// and, for a simulation, its memory budget.
#pragma once
#include "core/threads/team.h"
#include "firn/firn.h"

typedef struct firn_memory_budget firn_memory_budget;

typedef struct firn_entry {
    firn_team* own;  // owned by the entry; null: the simulation's
    firn_team* outer_team;
    firn_memory_budget* outer_memory;
} firn_entry;

// Threads for this call only; below 1: all cores. Without memory for them, the caller's alone.
firn_entry firn_enter(int threads);
// The threads that the program chose for the scene; where it chose none, as firn_enter.
firn_entry firn_scene_enter(const firn_scene* scene, int threads);
// The simulation's team and memory.
firn_entry firn_sim_enter(const firn_sim* sim);
void firn_leave(firn_entry entry);
