// SPDX-License-Identifier: MIT
// One rank's share of a simulation (design/0028): the particles of its blocks, and what a step
// exchanges with the shares of other ranks. A share is a firn_mpm with `part` set; all ranks do its
// steps together.
#pragma once
#include "solver/mpm/mpm_state.h"
#include "solver/mpm/ranks/rank_work.h"
#include "solver/shared/halo/halo.h"
#include "solver/shared/loads.h"

struct firn_mpm_part {
    firn_comm* comm;  // borrowed
    firn_cuts cuts;   // who owns which block
    firn_halo halo;
    firn_loads foreign_loads;  // of nodes that another rank reports: not used
    firn_work work;            // what blocks cost
    double division_seconds;   // [s] of the last division by work; 0: there was none
    bool is_divided;           // the next migration is part of it

    // migration
    int32_t* owner;    // owned [owner_capacity]; of each particle
    firn_local* keep;  // owned [owner_capacity]
    firn_local owner_capacity;
    int64_t *leaving, *arriving;  // owned [ranks]
    size_t* place;                // owned [ranks]: where the next particle is packed
    char *out, *in;               // owned: packed particles
    size_t out_capacity, in_capacity;
    firn_message *to, *from;  // owned [ranks]
    firn_local ordered;       // the first particles, which are in the order of one process
    uint8_t* disordered;      // owned [blocks]; scratch
    firn_local disordered_capacity;

    size_t* bytes;      // owned [ranks]
    int64_t* sizes;     // owned [2 ranks]
    firn_local filled;  // rows of all ranks that are being put (rank_fill.h)
};

// Makes m->part. FIRN_BROKEN_MEMORY.
firn_result firn_mpm_part_create(firn_mpm* m, firn_comm* comm);
void firn_mpm_part_destroy(firn_mpm_part* part);

// Makes room for `wanted` bytes; what was there is lost. False: out of memory.
bool firn_mpm_part_grow(void** array, size_t* capacity, size_t wanted);

// Step 0.
firn_result firn_mpm_part_prepare(firn_mpm* m, firn_error* error);
// Moves particles to the owners of their blocks, `most` of each rank. *out_moved: whether any rank
// had some.
firn_result firn_mpm_part_migrate(firn_mpm* m, int64_t most, bool* out_moved, firn_error* error);
// Appends packed particles, for which there is room: one after the other, each field by field.
void firn_mpm_part_append(firn_mpm* m, const char* from, int64_t count);
// Particles from number `first` on are new, on all ranks alike: this rank keeps those of its
// blocks, as the last in the order of one process.
void firn_mpm_part_take_fresh(firn_mpm* m, firn_local first);
// After the sort: particles that came from elsewhere take their place in their cell.
void firn_mpm_part_order_cells(firn_mpm* m);
// After particles were reordered: notes where each is.
void firn_mpm_part_name_places(firn_mpm* m);

// Steps 1 and 3, and both at once, with sums on shared nodes.
void firn_mpm_part_rasterize(firn_mpm* m);
void firn_mpm_part_forces(firn_mpm* m);
void firn_mpm_part_fused_01_03(firn_mpm* m);

// End of a step, on all ranks, whatever happened: the same result everywhere. Then `report` is that
// of all ranks on rank 0, and loads are those of all.
firn_result firn_mpm_part_end(firn_mpm* m, firn_result result, firn_step_report* report,
                              firn_error* error);
