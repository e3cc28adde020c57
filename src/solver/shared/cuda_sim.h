// SPDX-License-Identifier: MIT
// Simulations on a CUDA device, created from a solver's table of kernels (cuda_sim.cuh).
#pragma once
#include "solver/shared/device_sim.h"

typedef struct firn_collider firn_collider;      // geometry/collider/collider.h
typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h
typedef struct firn_shapes firn_shapes;          // geometry/sdf/shape.h

#ifdef __cplusplus
extern "C" {
#endif

// FIRN_CUDA_TABLE(firn_mpm_kernels): the table, or null where this build has no CUDA.
#ifdef FIRN_HAVE_CUDA
#define FIRN_CUDA_TABLE(table) (&(table))
#else
#define FIRN_CUDA_TABLE(table) NULL
#endif

typedef struct firn_cuda_kernels firn_cuda_kernels;  // what a solver fills; cuda_sim.cuh

// Arguments that all solvers have.
typedef struct firn_cuda_def {
    int device;                    // number
    firn_local capacity;           // particles
    const firn_shapes* shapes;     // borrowed until destroy
    const firn_scene_data* scene;  // borrowed until destroy: gravity and forces; null: none
    firn_collider* colliders;      // borrowed until destroy; moved by the host where they deform
    firn_local collider_count;
} firn_cuda_def;

// `own`: the solver's constants, borrowed for the call. FIRN_BROKEN_MEMORY with the numbers when
// the particles do not fit, FIRN_REFUSED_BACKEND where `kernels` is null; *out_sim is as before.
firn_result firn_cuda_sim_create(const firn_cuda_kernels* kernels, const firn_cuda_def* def,
                                 const void* own, firn_device_sim** out_sim, firn_error* error);

#ifdef __cplusplus
}
#endif
