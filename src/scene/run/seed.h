// SPDX-License-Identifier: MIT
// The particles of a scene before any solver.
#pragma once
#include "core/result.h"
#include "math/mat3.h"
#include "math/vec3.h"

typedef struct firn_comm firn_comm;              // comm/comm.h
typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h
typedef struct firn_snow firn_snow;              // scene/data/snow.h
typedef struct firn_ply_points firn_ply_points;  // geometry/sampling/ply_points.h

// The scene's particles before any solver: positions, velocities, masses, materials, variation.
typedef struct firn_seeds {
    firn_local count, capacity;
    firn_vec3* position;   // owned [m]
    firn_vec3* velocity;   // owned [m/s]
    firn_real* mass;       // owned [kg]
    firn_real* stiffness;  // owned: factor on E [-]
    uint8_t* material;     // owned
    firn_real* volume;     // owned: that a particle represents [m^3]; null: mass / density
    // Factors on xi, theta_c and theta_s [-], owned; null if no snow varies any of them
    // (firn_scene_varies).
    firn_real *hardening, *compression, *stretch;
    firn_real* temperature;  // owned [degC]; null unless firn_scene_heats
    firn_real* size;         // owned [m]: diameter of packed spheres; null where there are none
    firn_vec3* spin;         // owned [rad/s]: of its body; null where none spins
    // State of snow from point files, owned; null where no file has it. 0: that particle has none.
    firn_real* plastic_det;  // J_P [-]
    firn_mat3* def_grad;     // F_E
    double lightest;         // smallest factor on the density of any particle, at most 1
    // Of one rank's part, owned: the number of each particle among those of all ranks, which it has
    // in one process; null: these are all.
    uint32_t* number;
    int64_t total;  // particles of all ranks; 0 where these are all
} firn_seeds;

// Does the scene have a temperature of the air or a collider, or a stiffness that depends on it?
bool firn_scene_heats(const firn_scene_data* scene);
// Does some material have Cam-Clay plasticity?
bool firn_scene_has_cam_clay(const firn_scene_data* scene);
// Does some snow vary hardening or a threshold? Then particles have factors on them.
bool firn_scene_varies(const firn_scene_data* scene);

// Fills every volume of snow for a grid of spacing `cell` [m].
firn_result firn_scene_seed(const firn_scene_data* scene, double cell, firn_seeds* out_seeds,
                            firn_error* error);
// The same on all ranks together: each gets about as many particles as the others, of chunks that
// lie here and there. Fails on all ranks where it fails on one.
firn_result firn_scene_seed_ranks(const firn_scene_data* scene, double cell, firn_comm* comm,
                                  firn_seeds* out_seeds, firn_error* error);
// The same on a lattice, one particle per cell, ignoring particles_per_cell and seeding. Loose snow
// uses its own seeding: a lattice of particles that do not touch would stay visible. `pitch`: null,
// or the size of the particles in cells: they are then placed as a random packing of spheres of
// that size (geometry/sampling/packing.h).
typedef double (*firn_seed_pitch)(const firn_scene_data* scene, const firn_snow* snow);
firn_result firn_scene_seed_lattice(const firn_scene_data* scene, double cell,
                                    firn_seed_pitch pitch, firn_seeds* out_seeds,
                                    firn_error* error);
// Refuses what the functions above would refuse before they create a particle of this snow: a shape
// without an end, too many cells in its bounds. `lattice`: as the second one.
firn_result firn_scene_seed_check(const firn_scene_data* scene, firn_local snow, double cell,
                                  bool lattice, firn_seed_pitch pitch, firn_error* error);
// Volume number `index` alone, as one of the above (on a lattice or not) fills it.
firn_result firn_scene_seed_one(const firn_scene_data* scene, firn_local index, double cell,
                                bool lattice, firn_seed_pitch pitch, firn_seeds* out_seeds,
                                firn_error* error);
// Room for `capacity` in all arrays, in those of factors and temperature where they are wanted.
// False when memory is out: what is there stays.
bool firn_seeds_reserve(firn_seeds* seeds, firn_local capacity, bool varies, bool heats);
// Takes the state that a point file has, if any, for the seeds from `first` on, which are its
// points in their order (seed_state.c). FIRN_BROKEN_MEMORY.
firn_result firn_seeds_take_state(firn_seeds* seeds, firn_local first, const firn_ply_points* file,
                                  firn_error* error);
// Leaves all seeds but keep[0 .. count), which ascends.
void firn_seeds_keep(firn_seeds* seeds, const firn_local* keep, firn_local count);
void firn_seeds_destroy(firn_seeds* seeds);
