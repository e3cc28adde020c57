// SPDX-License-Identifier: MIT
// What the kernels of the material point method share: the particles and nodes on the device, the
// block that steers a step, and small helpers.
//
// Particles are records of 16 bytes, so that one instruction moves four reals:
//   at       x_p, m_p            strain0  F_E 00 01 02 10
//   motion   v_p, J_P            strain1  F_E 11 12 20 21
//                                strain2  F_E 22, V_p^0, stiffness, material (its bits)
//   stress   what step 3 (and step 6) make of F_E and J_P, found at the end of the step before:
//            explicit      s0, s1: -V_p^0 P F_E^T (xx xy xz yy | yz zz)
//            semi-implicit s0, s1, s2: X = L - I (xx xy xz yy | yz zz), 2 mu V, lambda J (2J-1) V |
//                          lambda J (J-1) V   (physics/snow_derivative_lanes.h)
#pragma once
#include <cuda_runtime.h>

#include "device/cuda_reduce.cuh"
#include "math/mat3.h"
#include "solver/mpm/collide/collide_at.h"
#include "solver/mpm/cuda/mpm_cuda.h"
#include "solver/mpm/rigid/contact_lump.h"
#include "solver/shared/cuda/cuda_flakes.cuh"
#include "solver/shared/cuda_sim.cuh"
#include "state/device_grid.cuh"

// What a step knows and has found, beside the common part.
struct firn_mpm_control : firn_cuda_control {
    double left;       // [s] to the frame's time
    double dt_given;   // [s] of the step; 0: chosen here
    double time_next;  // [s] at the step's end: the frame's time, to the last bit, in its last step
    firn_vec3 gravity;  // [m/s^2] in the step
    float slow;         // [m/s] slip that grip may stop
    int64_t pushed;     // 1 + the last step whose forces particles have got
    double dt_factor;
    unsigned speed2, sound2;          // bits of the largest |v|^2 and c^2, found for the next step
    unsigned speed2_now, sound2_now;  // those that this step began with
    double speed, sound;              // of this step's start
    double mass;                      // of all particles, step 1
    double elastic, plastic_min, plastic_max;  // of this step's start
    int bad, inverted, runaway;                // particles at fault; INT_MAX: none
    // the solve
    double size;           // what the residual is relative to
    double zAz, ApAp, rr;  // scalar products
    double alpha, beta;    // of the iteration
    double residual;
    int iterations, stalled;
    firn_cuda_emission emission;
    double tick_time;  // [s] of the powder's last tick
    int ticks;         // one ends with the step
    int64_t shed;      // points that it sheds
};

// What a block of threads adds to the sums of a step.
typedef struct firn_mpm_partial {
    double mass, momentum[3], kinetic, potential;
    double elastic, plastic_min, plastic_max;
} firn_mpm_partial;

// A node inside a dynamic collider, and its velocity after step 5.
typedef struct firn_mpm_rigid_contact {
    firn_mpm_contact c;
    firn_vec3 after;
} firn_mpm_rigid_contact;

// L^T V of a dynamic collider in the solve, and what conjugate residuals have for it
// (rigid/contact_solve.c).
typedef struct firn_mpm_rigid_entry {
    double x[6], r[6], z[6], p[6], Az[6], Ap[6];
    double scale[6];  // preconditioner; 1: none
    double lent[6];   // L^-T z: the velocity of its nodes in H z
} firn_mpm_rigid_entry;

typedef struct firn_mpm_rigid_head {
    int lump_count, contact_count;
    int round;  // of Newton's method
} firn_mpm_rigid_head;

// Dynamic colliders of a step (cuda/rigid/contact_settle.cu). All null: there are none.
typedef struct firn_mpm_rigid {
    firn_mpm_rigid_head* head;  // it and the next three come from the host before each step
    firn_lump* lumps;           // [colliders]
    firn_local* lump_of;        // [colliders] -1: kinematic in this step
    firn_lump_pin* pins;
    firn_impulse* sums;             // [colliders][FIRN_MPM_LUMP_SUMS]; zero between kernels
    firn_mpm_rigid_entry* entries;  // [colliders]
    firn_mpm_rigid_contact* contact;
    int contact_capacity;
} firn_mpm_rigid;

typedef struct firn_cuda_wind firn_cuda_wind;  // solver/shared/cuda/cuda_air.cuh

#define FIRN_MPM_POWDER_CHUNK 1024  // particles whose new points are counted together

// Powder (mpm_powder.cu). All null: none.
typedef struct firn_mpm_powder {
    firn_powder_law law;
    double tick;  // [s]
    float spacing;
    float2* broken;           // [particles] broken_share, broken_det
    firn_powder_birth* born;  // [capacity] of the last tick
    int64_t* chunk;           // [chunks of particles]
    int capacity;
} firn_mpm_powder;

#define FIRN_MPM_FIXED 1e-30f  // [m/s] marks a node whose velocity a collider decides

typedef struct firn_mpm_device {
    firn_device_grid grid;
    firn_mpm_control* control;
    firn_mpm_cuda_record* records;  // [FIRN_MPM_CUDA_BATCH]
    // particles
    float4 *at, *motion, *strain0, *strain1, *strain2;
    float4 *affine0, *affine1, *affine2;  // B_p by rows; null with FLIP
    float4* varied;                       // factors on xi, theta_c, theta_s; null: 1
    float* consolidation;                 // alpha of Cam-Clay; null: no such material
    float *creep, *healed;                // creep_stiffness, healed_det; null: no ageing
    firn_mpm_hold hold;                   // grip: null with the paper's friction; the limit is in
                                          // the control block
    uint32_t* id;
    uint32_t* emitter;  // 1 + its index; 0: not a flake; null: no emitters
    firn_cuda_flakes flakes;
    firn_mpm_powder powder;
    bool weighs;  // step 2 finds V_p^0 in the first step
    float4 *stress0, *stress1;
    float* stress2;
    uint8_t* gone;  // culled; null: the scene does not cull
    // nodes
    float4 *tile_a, *tile_b;  // [occupied][343] what a block adds: momentum, mass; force or H u
    float4* node_velocity;    // v_i^n, m_i
    float4* node_new;         // v_i^*, then v_i^{n+1}; fourth: 0 where no collider
                              // decides, else unused friction, at least FIRN_MPM_FIXED;
                              // negative where it is a dynamic one
    float4 *cr_r, *cr_p, *cr_Az, *cr_Ap, *cr_scale, *cr_z;
    firn_mpm_partial* partial;  // [blocks of threads] of the passes over particles
    double* cr_partial;         // [blocks of threads][4] of those over nodes
    // constants
    const firn_mpm_material* materials;          // at the start of the step
    const firn_mpm_material* materials_next;     // at its end; without keys the same
    const firn_mpm_material_def* material_defs;  // null: no material has keys
    firn_mpm_material* material_rows;            // both tables
    int material_count;
    firn_bodies_view bodies;
    firn_cuda_loads loads;  // on them
    firn_mpm_rigid rigid;   // those that have a mass
    firn_cuda_forces forces;
    firn_device_air* air;  // on the device
    firn_cuda_wind* wind;  // a volume of it; null: the same everywhere
    int drags;             // the air does
    float mass_min, lightest, flip, beta;
    int spline;
    int at_surface;  // contact: surface
    int inertial;
    firn_mpm_dt_rules dt;
    double tolerance, speed_floor;
    int max_iterations, iterations_target;
    int implicit;       // of the batch
    double time_scale;  // of ageing
    firn_device_cull cull;
} firn_mpm_device;

// Blocks of threads of the kernels that loop over occupied blocks; the host computes them once.
typedef struct firn_mpm_launch {
    int p2g, g2p, apply, nodes, contacts;
} firn_mpm_launch;

// Launches. Each reads counts on the device and does nothing where `halt` is set.
void firn_mpm_launch_begin(const firn_mpm_device* d, cudaStream_t stream);
void firn_mpm_launch_end(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream);
void firn_mpm_launch_add_mass(const firn_mpm_device* d, const firn_mpm_launch* l,
                              cudaStream_t stream);
void firn_mpm_launch_measure(const firn_mpm_device* d, cudaStream_t stream);
// Ends the batch when it has had its steps; what `begin` does, for launches that come before it.
void firn_mpm_launch_check(const firn_mpm_device* d, cudaStream_t stream);
// `forget`: the speeds that it finds are not those of the next step.
void firn_mpm_launch_stress(const firn_mpm_device* d, bool linear, bool forget,
                            cudaStream_t stream);
// Materials with keys: at a time [s] that the host gives; at the start of the step; at its end.
// Each does nothing where no material has keys.
void firn_mpm_launch_materials_at(const firn_mpm_device* d, double time, cudaStream_t stream);
void firn_mpm_launch_materials_now(const firn_mpm_device* d, cudaStream_t stream);
void firn_mpm_launch_materials_next(const firn_mpm_device* d, cudaStream_t stream);
void firn_mpm_launch_orders(const firn_mpm_device* d, const firn_device_batch* batch,
                            cudaStream_t stream);
void firn_mpm_launch_cull(const firn_mpm_device* d, cudaStream_t stream);
// New flakes, after it.
void firn_mpm_launch_emit(const firn_mpm_device* d, cudaStream_t stream);
// Force fields, when the step has room for its grid; and what says that particles have got them: a
// step may find later that it lacks room for contacts, and is tried again.
void firn_mpm_launch_push(const firn_mpm_device* d, cudaStream_t stream);
// Drag of the air, after force fields: the same holds for it.
void firn_mpm_launch_blow(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream);
void firn_mpm_launch_pushed(const firn_mpm_device* d, cudaStream_t stream);
void firn_mpm_launch_fused_01_03(const firn_mpm_device* d, const firn_mpm_launch* l, bool linear,
                                 cudaStream_t stream);
void firn_mpm_launch_volumes(const firn_mpm_device* d, cudaStream_t stream);
void firn_mpm_launch_grid_velocity(const firn_mpm_device* d, const firn_mpm_launch* l,
                                   cudaStream_t stream);
void firn_mpm_launch_grid_collide(const firn_mpm_device* d, const firn_mpm_launch* l,
                                  cudaStream_t stream);
void firn_mpm_launch_solve_start(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaGraphConditionalHandle loop, cudaStream_t stream);
void firn_mpm_launch_solve_iteration(const firn_mpm_device* d, const firn_mpm_launch* l,
                                     cudaGraphConditionalHandle loop, cudaStream_t stream);
// After the solve: what colliders take in it.
void firn_mpm_launch_react(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream);
void firn_mpm_launch_take_reactions(const firn_mpm_device* d, const firn_mpm_launch* l,
                                    cudaStream_t stream);
// Dynamic colliders (cuda/rigid/contact_settle.cu, contact_solve.cu); only where there are any.
// Step 5, after kinematic ones: the list of contacts; `loop` is set where there are some.
void firn_mpm_launch_find(const firn_mpm_device* d, const firn_mpm_launch* l,
                          cudaGraphConditionalHandle loop, cudaStream_t stream);
// A round of Newton's method; `loop` is cleared when all have settled.
void firn_mpm_launch_round(const firn_mpm_device* d, const firn_mpm_launch* l,
                           cudaGraphConditionalHandle loop, cudaStream_t stream);
// Velocities of nodes.
void firn_mpm_launch_place(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream);
// Step 6: entries of the solve, from the diagonal of H in the tiles where it is preconditioned.
void firn_mpm_launch_lump_start(const firn_mpm_device* d, const firn_mpm_launch* l,
                                cudaStream_t stream);
// Their residual, from H x in the tiles.
void firn_mpm_launch_lump_residual(const firn_mpm_device* d, const firn_mpm_launch* l,
                                   cudaStream_t stream);
// Before H z: nodes get the velocities of their colliders. After it: A z of the entries, and nodes
// are zero again.
void firn_mpm_launch_lump_lend(const firn_mpm_device* d, const firn_mpm_launch* l,
                               cudaStream_t stream);
void firn_mpm_launch_lump_apply(const firn_mpm_device* d, const firn_mpm_launch* l,
                                cudaStream_t stream);
// After the solve: V and the velocities of nodes; then what colliders take, from H v in the tiles.
void firn_mpm_launch_lump_follow(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaStream_t stream);
void firn_mpm_launch_lump_react(const firn_mpm_device* d, const firn_mpm_launch* l,
                                cudaStream_t stream);
void firn_mpm_launch_fused_07_10(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaStream_t stream);
// What breaking snow sheds, at the end of a step that ends a tick of the powder.
void firn_mpm_launch_shed(const firn_mpm_device* d, cudaStream_t stream);
cudaError_t firn_mpm_launch_reorder(const firn_mpm_device* d, float4* scratch, cudaStream_t stream);

// Blocks that run at once on one multiprocessor, of the kernels that loop over occupied blocks.
cudaError_t firn_mpm_occupancy_01_03(const firn_mpm_device* d, int* out_blocks);
cudaError_t firn_mpm_occupancy_07_10(const firn_mpm_device* d, int* out_blocks);
cudaError_t firn_mpm_occupancy_06(int* out_blocks);

#ifdef __CUDACC__
static __device__ __forceinline__ bool firn_mpm_idle(const firn_mpm_device& d)
{
    return firn_device_idle(d.grid, &d.control->halt);
}

// Particles have got the forces of this step in an attempt that lacked room.
static __device__ __forceinline__ bool firn_mpm_is_pushed(const firn_mpm_device& d)
{
    return d.control->pushed == d.control->step + 1;
}

static __device__ __forceinline__ void firn_mpm_stamp(const firn_mpm_device& d, int which)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    firn_cuda_stamp(&d.records[d.control->record].base, which);
}

static __device__ __forceinline__ firn_vec3 firn_mpm_node_position(const firn_mpm_device& d, int i)
{
    const int4 c = d.grid.coord[i / FIRN_BLOCK_NODES];
    const int local = i % FIRN_BLOCK_NODES;
    const float h = d.grid.cell;
    return firn_v3((float)(c.x * 4 + (local >> 4)) * h, (float)(c.y * 4 + (local >> 2 & 3)) * h,
                   (float)(c.z * 4 + (local & 3)) * h);
}

static __device__ __forceinline__ float4 firn_f4_add(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static __device__ __forceinline__ float firn_f4_add(float a, float b)
{
    return a + b;
}

// a + s b
static __device__ __forceinline__ float4 firn_f4_madd(float4 a, float s, float4 b)
{
    return make_float4(fmaf(s, b.x, a.x), fmaf(s, b.y, a.y), fmaf(s, b.z, a.z), fmaf(s, b.w, a.w));
}

// What the occupied blocks that reach node `local` of block b add to it, always in the same order.
template <typename T>
static __device__ __forceinline__ T firn_mpm_gather_tiles(const firn_device_grid& g, const T* tile,
                                                          int b, int local)
{
    const int x = local >> 4, y = local >> 2 & 3, z = local & 3;
    const int* inverse = g.inverse + (size_t)b * 8;
    T sum = {};
#pragma unroll
    for (int n = 0; n < 8; n++) {
        const int X = x + (n >> 2) * 4, Y = y + (n >> 1 & 1) * 4, Z = z + (n & 1) * 4;
        if (X > 6 || Y > 6 || Z > 6) continue;
        const int from = inverse[n];
        if (from < 0) continue;
        sum = firn_f4_add(
            sum, tile[(size_t)from * FIRN_DEVICE_TILE +
                      (size_t)((X * FIRN_DEVICE_TILE_SIDE + Y) * FIRN_DEVICE_TILE_SIDE + Z)]);
    }
    return sum;
}
#endif
