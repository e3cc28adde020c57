// SPDX-License-Identifier: MIT
// Everything that one grains simulation owns, and the stages of a step in their order.
#pragma once
#include "core/simd/vec4.h"
#include "physics/grain_compression.h"
#include "physics/grain_heat.h"
#include "solver/grains/grains.h"
#include "solver/grains/grains_fields.h"
#include "solver/grains/support/grains_rules.h"
#include "solver/shared/base.h"
#include "solver/shared/stages.h"
#include "state/neighbours.h"

// The stages, in order: the lines of Algorithm 1. Timers, log and stats.csv use the same names.
typedef enum firn_grains_stage {
    FIRN_GRAINS_00_PREPARE,
    FIRN_GRAINS_01_NEIGHBOURS,
    FIRN_GRAINS_02_COHESION,
    FIRN_GRAINS_03_HEAT,
    FIRN_GRAINS_04_COMPRESSION,
    FIRN_GRAINS_05_VELOCITY,
    FIRN_GRAINS_06_ADVECT,
    FIRN_GRAINS_FUSED_02_06,  // replaces 2 to 6 on a GPU, and on a CPU where firn_grains_fuses
    FIRN_GRAINS_STAGE_COUNT
} firn_grains_stage;

// Neighbour lists: all grains within reach plus a skin, valid while firn_grains_still. In the order
// of the store, so that sums over neighbours are reproducible. The 64 bits of the fields bonds and
// bonds_more mark the neighbours that a grain has a bond with, so that a list has at most 64
// entries.
#define FIRN_GRAINS_SLICE 16  // lanes of the widest level (FIRN_LANES_MOST)
#define FIRN_GRAINS_BLOCK 64  // grains processed together; divides FIRN_GRAINS_CHUNK
typedef struct firn_grains_list {
    int64_t* first;  // [grains] where in j its neighbours begin
    uint8_t* count;  // [grains] number of neighbours
    int32_t* j;
    firn_local capacity;  // [grains]
    int room;             // capacity of j, in neighbours per grain on average
    // The same lists transposed for SIMD, in slices of FIRN_GRAINS_SLICE lanes: row k of a slice
    // holds the k-th neighbour of each lane's grain. Short lists are padded with the grain itself.
    // The grains of a block are in its lanes, ordered by the lengths of their lists.
    int32_t* lane;          // [slices][FIRN_GRAINS_SLICE] grain of each lane
    firn_local* row_first;  // [slices + 1]
    int32_t* rows;          // [rows][FIRN_GRAINS_SLICE]
    int64_t row_capacity;
    bool laid;           // the rows are filled
    int64_t* old_first;  // previous lists, while bonds are carried over to the new ones
    int32_t* old_j;
} firn_grains_list;

// Sums for stats.csv over one chunk of grains. Chunks have a fixed size and are added in order, so
// that the result does not depend on the number of threads.
#define FIRN_GRAINS_CHUNK 128
static inline firn_local firn_grains_chunks(firn_local grains)
{
    return (grains + FIRN_GRAINS_CHUNK - 1) / FIRN_GRAINS_CHUNK;
}

typedef struct firn_grains_sums {
    double momentum[3], kinetic, potential;
    double neighbours;
    double heat;  // [J] gained from outside [3]
    firn_local
        runaway;  // first grain that moves too far in a fused pass; the number of grains: none
} firn_grains_sums;

// Arrays of the step, one entry per grain. Written by the step in brackets.
typedef struct firn_grains_work {
    firn_grain* grain;               // as neighbours see it [1]
    firn_real *x, *y, *z, *r, *gap;  // input of the neighbour search [1]
    firn_vec3* force;                // all forces, gravity too [N] [2]
    firn_vec3* torque;               // [N m] [2]
    uint8_t* slides;                 // a contact is at the limit of friction [2]
    firn_real* compression;          // F_c of eq. 5 [N] [2]
    uint8_t* near;                   // neighbours of any phase [2]
    uint8_t* touching;               // bodies [2]
    firn_real* body_power;           // heat from colliders [W] [2]
    firn_grain_around* walls;        // colliders around it [2]
    uint8_t* broken;                 // the new tags: neighbours still read the old ones [2]
    double* power;                   // heat gained [W] [3]
    firn_grains_moved* moved;        // [chunks] since lists were built [1]
    firn_grains_sums* sums;          // [chunks] [2, 3]
    firn_local capacity;
} firn_grains_work;

typedef struct firn_grains_ops firn_grains_ops;  // grains_cpu.h

typedef struct firn_grains {
    firn_solver_base base;  // its store is sorted by cell when neighbours are listed
    firn_grains_def def;
    const firn_grains_ops* ops;  // loops for the SIMD level chosen
    bool may_heat;    // a temperature is given, or heat_speed: lists are ready for grains that melt
    double radius;    // r_s [m]
    double dt_usual;  // [s]
    firn_grain_constants constants;  // for the dt of the step

    firn_grains_particles p;      // typed pointers into base.store
    firn_real* body_temperature;  // owned [collider_count] [degC]; NaN: none; of the step
    firn_real* start_radius;      // owned [material_count] [m]

    firn_neighbours cells;  // of the grains where they were listed
    firn_grains_list list;
    bool listed;            // `list` is valid for base.store
    firn_real skin;         // [m]
    firn_local* scratch;    // [base.store.capacity]: where culled grains were
    firn_local* new_index;  // [base.store.capacity] of each grain, while lists are rebuilt
    // edits since the lists were built (support/grains_edit.c)
    bool edited;
    firn_local listed_count;  // grains that the lists have
    int32_t adds;             // how often grains were added since
    firn_local* was;  // [base.store.capacity] index in the lists; -k: came with the k-th addition
    firn_grains_work w;
    void* memory;  // owned: one block with scratch, work and list

    // of the step
    double air;         // [degC]; NaN: it exchanges no heat
    bool all_solid;     // no grain is water
    bool any_anchored;  // some grain is intact, or was until this step
    bool heats;         // air or some collider has a temperature now
    firn_vec3 gravity;  // [m/s^2]

    // carried from step to step (checkpoints), beside base.step
    uint32_t next_id;
    double heat_gained;  // [J] from air and colliders since the start (T47)
} firn_grains;
