// SPDX-License-Identifier: MIT
// Simulations: create, step, read particles without copying.
#pragma once
#include "firn/defs.h"
#include "firn/error.h"
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Create a simulation: fills the shapes with particles and prepares the first step. `scene` is
// copied and may be destroyed afterwards. `out_error` may be null.
FIRN_API firn_result firn_sim_create(const firn_scene* scene, const firn_sim_def* def,
                                     firn_sim** out_sim, firn_error* out_error);
FIRN_API void firn_sim_destroy(firn_sim* sim);  // null is allowed
// Get the message of the last call; "" if it succeeded. Borrowed until the next call.
FIRN_API const char* firn_sim_error(const firn_sim* sim);

// Advance by one time step. If it diverges, rolls back to the last frame.
FIRN_API firn_result firn_sim_step(firn_sim* sim);
// Advance to the next frame time. Rolls back and uses smaller steps if a step diverges.
FIRN_API firn_result firn_sim_frame(firn_sim* sim);
// Make a running firn_sim_frame, firn_sim_advance_by or firn_sim_run stop after the current step
// and return FIRN_INTERRUPTED; a run writes a checkpoint first. If none is running, the next call
// that would step returns FIRN_INTERRUPTED. May be called from a signal handler or another thread.
FIRN_API void firn_sim_cancel(firn_sim* sim);

// State and statistics of a simulation.
typedef struct firn_sim_info {
    int64_t frame, step;
    double time, dt;  // [s]
    firn_local particle_count;
    int iterations;                      // of the last solve
    double residual;                     // of the last solve
    double momentum[3];                  // [kg m/s]
    double kinetic, elastic, potential;  // [J]
    double plastic_min, plastic_max;     // J_P
    firn_local active_blocks;            // of the grid; sph: occupied cells
    int shear_iterations;                // sph: of the shear solve; `iterations`: pressure solve
    double neighbours;                   // sph: mean number per particle
    int64_t rollbacks;
    int64_t culled;  // particles removed since the start (block `cull` of the scene)
    uint64_t memory_bytes, memory_peak_bytes;
    int threads;
    const char* simd;       // static
    const char* backend;    // "cpu", "cuda:0"; borrowed until destroy
    const char* device;     // "NVIDIA H200, 139 GiB"; "" for the CPU; borrowed until destroy
    uint64_t device_bytes;  // device memory of this simulation
    int stage_count;
    const char* const* stage_names;  // static
    const double* stage_seconds;     // [stage_count] since creation; borrowed until destroy
} firn_sim_info;
// Functions that fill a struct have the name …_sized in the library: they take the size that the
// program was compiled with, so that the struct may become longer in a later version.
FIRN_API void firn_sim_read_sized(const firn_sim* sim, firn_sim_info* out_info, uint32_t size);
static inline firn_sim_info firn_sim_read(const firn_sim* sim)
{
    firn_sim_info info;
    firn_sim_read_sized(sim, &info, sizeof info);
    return info;
}
// Get a particle field by name: "position", "velocity", "mass", "def_grad_elastic", ... Borrowed
// until the next step. No copy on the CPU; from a device the particles are copied to the host
// first, which may fail (< 0): see firn_sim_error. FIRN_REFUSED_NAME: no such field.
FIRN_API firn_result firn_sim_field(const firn_sim* sim, const char* name,
                                    firn_field_view* out_view);
// Get the number of particle fields, and a field by index.
FIRN_API int firn_sim_field_count(const firn_sim* sim);
FIRN_API firn_result firn_sim_field_at(const firn_sim* sim, int index, firn_field_view* out_view);
// Get the hash of the state. It does not depend on the number of threads. 0: the particles could
// not be copied from their device, see firn_sim_error.
FIRN_API uint64_t firn_sim_hash(const firn_sim* sim);

// ---- this build and machine -------------------------------------------------------------------

typedef struct firn_solver_info {
    const char* name;
    const char* help;
} firn_solver_info;
// Get the number of solvers, and a solver by index.
FIRN_API int firn_solver_list_count(void);
FIRN_API firn_result firn_solver_at(int index, firn_solver_info* out_info);

// Version and features of this build. Strings are static.
typedef struct firn_version_info {
    int major, minor, patch;
    const char* text;      // "0.2.0"
    const char* real;      // "float" or "double"
    const char* simd;      // best level of this machine
    const char* simd_all;  // "baseline x86-64-v3 x86-64-v4 plain"
    const char* backends;  // "cpu cuda", or "cpu" for a build without CUDA
    const char* features;  // "vdb freetype"
} firn_version_info;
FIRN_API void firn_version_sized(firn_version_info* out_info, uint32_t size);
static inline firn_version_info firn_version(void)
{
    firn_version_info info;
    firn_version_sized(&info, sizeof info);
    return info;
}

// A GPU that simulations can run on.
typedef struct firn_device_info {
    char backend[32];       // "cuda:0", for firn_sim_def.backend
    char name[96];          // "NVIDIA H200"
    uint64_t memory_bytes;  // total
    int capability[2];      // CUDA compute capability, {9, 0}
} firn_device_info;
FIRN_API int firn_device_list_sized(firn_device_info* out_devices, uint32_t size, int most,
                                    firn_error* out_why);
// Get the first `most` devices of this machine; returns the total number. If there are none,
// `out_why` (may be null) has the reason, the same message as from firn_sim_create.
static inline int firn_device_list(firn_device_info* out_devices, int most, firn_error* out_why)
{
    return firn_device_list_sized(out_devices, sizeof *out_devices, most, out_why);
}

#ifdef __cplusplus
}
#endif
