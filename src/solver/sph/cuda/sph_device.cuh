// SPDX-License-Identifier: MIT
// What the kernels of the SPH solver share: particles, lists and the arrays of a step on the
// device, and small helpers.
//
// Particles are records of 16 bytes, so that one instruction moves four reals:
//   at       x_i, m_i                    strain0  F_E row 0, J_P
//   motion   v_i, p_i                    strain1  F_E row 1, rho_i
//   pull     a_i^G, factor on E          strain2  F_E row 2, rho_0
//   tag      id, material                varied   factors on xi, theta_c, theta_s
//   emitter  1 + its index; 0: not a flake
//   warmth   temperature, water, age, density at birth
// A step sorts them by cell, as the CPU does (state/neighbours.c).
//
// Lists: slot k of 32 particles that follow each other lies side by side, so that a warp reads a
// slot at once; the slopes W'(r_ij)/r_ij lie beside the neighbours, of which 16 bits are stored:
// which of the nine runs of three cells around the particle's cell, and how far into the run.
// Neighbours are in storage order, and a thread adds one after the other: sums have the bits of the
// CPU's SIMD loops.
//
// Arrays that are alive at different times share memory (sph_cuda.cu).
#pragma once
#include <cuda_runtime.h>

#include "device/cuda_reduce.cuh"
#include "solver/shared/cuda_sim.cuh"
#include "solver/sph/cuda/boundary/boundary_deforming.cuh"
#include "solver/sph/cuda/rigid/rigid.cuh"
#include "solver/sph/cuda/sph_control.cuh"
#include "solver/sph/laws/contact.h"
#include "solver/sph/laws/near_snow.h"

#define FIRN_SPH_THREADS 128
#define FIRN_SPH_SUM_CHUNK 1024  // particles of a partial sum: FIRN_SPH_CHUNK, FIRN_BICG_CHUNK

// Cells of 2 h with somebody in them, and particles sorted by them.
typedef struct firn_sph_cells {
    uint64_t* key;    // [cells] ascending
    uint32_t* begin;  // [cells + 1]
    uint32_t* cell;   // [particles] the cell of each
    int capacity;
} firn_sph_cells;

// Boundary particles.
typedef struct firn_sph_wall {
    float4 *own, *own_normal;  // [capacity] local position, V_b; local normal, collider (its bits)
    float4 *x, *v, *n;         // [capacity] sorted by cell: x_b, V_b; v_b, collider; normal
    float4 *loose_x, *loose_v, *loose_n;  // the same as they came
    uint64_t *sort_key, *sort_key_out;
    uint32_t *number, *order;
    firn_sph_cells cells;
    int count, capacity;
} firn_sph_wall;

typedef struct firn_cuda_wind firn_cuda_wind;  // solver/shared/cuda/cuda_air.cuh

// Argument of kernels, by value.
typedef struct firn_sph_device {
    firn_sph_control* control;
    firn_sph_cuda_record* records;
    int capacity, blocks;  // particles; blocks of threads for one thread each
    // particles
    float4 *at, *motion, *strain0, *strain1, *strain2, *pull, *varied;
    uint2* tag;
    uint32_t* emitter;  // null: no emitters
    float4* warmth;     // null: neither temperatures nor changes of phase
    float4* sorted[7];  // scratch for their new order: those of the first line
    uint2* tag_sorted;
    uint32_t* emitter_sorted;
    float4* warmth_sorted;
    firn_cuda_flakes flakes;
    uint64_t *sort_key, *sort_key_out;
    uint32_t *number, *order;
    void* scratch;
    size_t scratch_bytes;
    firn_sph_cells cells;
    uint32_t* run_begin;  // [cells][9] runs of particles around each cell
    uint32_t* run_end;    // [cells][9] only while lists are computed
    // lists
    uint16_t* list;        // [rows][32] run << FIRN_SPH_RUN_BITS | particle within the run
    float* slope;          // [rows][32] W'(r_ij)/r_ij
    uint32_t* list_first;  // [capacity / 32 + 1] first row
    uint32_t* neighbours;  // [capacity]
    unsigned row_capacity;
    // colliders
    firn_bodies_view bodies;
    firn_cuda_loads loads;
    firn_cuda_forces forces;
    firn_sph_deforming deforming;
    firn_sph_rigid rigid;
    firn_sph_wall wall;
    const uint64_t* known;  // [known_count] blocks of space with samples, ascending
    int known_count;
    uint64_t* wanted;  // [FIRN_SPH_WANTED] blocks that need them; 0: free
    firn_sph_contact_sums* contact;
    float4 *contact_B,
        *contact_LB;          // [contacts] B, sum of V_b v_b . grad W_ib; L B, sum of V_b W_ib
    uint32_t* contact_first;  // [cells + 1]
    int contact_capacity;
    // of the step, as firn_sph_work
    float4 *place, *place_p, *v_star, *weighted;
    float4* stress[3];  // V sigma L by rows, each with a coordinate
    float *density, *rest_density, *lambda, *shear, *pressure, *source, *diagonal, *miss, *S2;
    float *S[3], *L[9], *M[6];
    // where there are fluids: what snow has of snow (firn_sph_snow_of)
    float4* place_snow;  // x_i, and V_i of snow; before, m_i / rho_0 of all
    float* S_snow[3];
    float4 *cr_r, *cr_p, *cr_Ap, *cr_Az;  // of the viscosity solve
    float* mu;                            // viscosities
    float4 *r, *p, *s;  // of the shear solve, whose x is in `pull`; those that neighbours read
    float *b[3], *shadow[3], *v[3], *t[3];
    double* partial;  // [chunks][FIRN_SPH_SUMS]
    // constants
    float h;
    double spacing;
    firn_sph_settings settings;
    firn_sph_dt_rules dt;
    bool combined, plastic, paper_clamp, paper_contact, coulomb;
    bool fluids, incompressible, coheres;
    bool volumes;  // sums over neighbours count volumes, not masses
    float boundary_volume;
    int material_count;
    float psi, relaxation;
    double density_error, shear_tolerance;
    int pressure_iterations, shear_iterations;
    const firn_sph_material* materials;
    const firn_snow_material* snow;
    const firn_sph_becomes* becomes;  // null: no changes of phase
    firn_cuda_wind* wind;             // null: the same everywhere
    firn_sph_climate* climate;        // null: no temperatures
    firn_device_cull cull;
} firn_sph_device;

#define FIRN_SPH_WANTED (1 << 16)
#define FIRN_SPH_RUN_BITS 12  // of an entry of a list, for the particle within its run
#define FIRN_SPH_RUN_MOST (1 << FIRN_SPH_RUN_BITS)

// The key of a block of space; 0 is none.
FIRN_FN uint64_t firn_sph_block_key(firn_sph_block b)
{
    const uint64_t half = 1 << 17, mask = (1 << 18) - 1;
    return (uint64_t)(b.body + 2) << 54 | (((uint64_t)b.at[0] + half) & mask) << 36 |
           (((uint64_t)b.at[1] + half) & mask) << 18 | (((uint64_t)b.at[2] + half) & mask);
}

FIRN_FN firn_sph_block firn_sph_block_of_key(uint64_t key)
{
    const int half = 1 << 17;
    const uint64_t mask = (1 << 18) - 1;
    firn_sph_block b;
    b.body = (firn_local)(key >> 54) - 2;
    b.at[0] = (int32_t)(key >> 36 & mask) - half;
    b.at[1] = (int32_t)(key >> 18 & mask) - half;
    b.at[2] = (int32_t)(key & mask) - half;
    return b;
}

// Launches; kernels do nothing where `halt` is set. Those that return a cudaError_t are called
// while the stream captures. sph_prepare.cu
void firn_sph_launch_orders(const firn_sph_device* d, const firn_device_batch* batch,
                            cudaStream_t stream);
void firn_sph_launch_begin(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_choose(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_check_lists(const firn_sph_device* d, cudaStream_t stream);
// After it: a step that is tried again must not be pushed twice.
void firn_sph_launch_push(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_stamp(const firn_sph_device* d, int which, cudaStream_t stream);
void firn_sph_launch_end(const firn_sph_device* d, cudaGraphConditionalHandle loop,
                         cudaStream_t stream);
// sph_emit.cu
void firn_sph_launch_emit(const firn_sph_device* d, cudaStream_t stream);
// sph_sort.cu
cudaError_t firn_sph_launch_sort(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_sort_wall(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_sort_scratch(int count, size_t* out_bytes);
void firn_sph_launch_lists(const firn_sph_device* d, cudaStream_t stream);
// boundary_contact.cu
void firn_sph_launch_pose(const firn_sph_device* d, cudaStream_t stream);
// After both sorts: the fastest boundary particle near snow.
void firn_sph_launch_wall_speed(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_look(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_contacts(const firn_sph_device* d, cudaStream_t stream);
// boundary_deforming.cu: before the boundary particles are sorted, and after.
cudaError_t firn_sph_launch_pose_deforming(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_wall_volumes(const firn_sph_device* d, cudaStream_t stream);
// rigid_holds.cu: before the host begins the step of its engine, and after.
cudaError_t firn_sph_launch_count_holds(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_holds(const firn_sph_device* d, cudaStream_t stream);
// rigid_solve.cu, as in rigid/sph_lumps.h; nothing where there are no dynamic colliders.
void firn_sph_launch_carry(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_brake(const firn_sph_device* d, firn_sph_brake how, cudaStream_t stream);
void firn_sph_launch_open_couple(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_couple(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_follow(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_balance(const firn_sph_device* d, cudaStream_t stream);
// stepNN_*.cu
// fluid/sph_phases.cu: which phases there are
void firn_sph_launch_phases(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_snow_places(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_cohesion(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_viscosity(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_rest_density(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_gradient_correction(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_other_accelerations(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_friction(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_pressure(const firn_sph_device* d, cudaStream_t stream);
// Friction of the particles near colliders, once the pressure is known (contact: coulomb).
void firn_sph_launch_grip(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_shear(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_velocity(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_loads(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_deformation(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_advect(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_change(const firn_sph_device* d, cudaStream_t stream);
cudaError_t firn_sph_launch_heat(const firn_sph_device* d, cudaStream_t stream);

// The arrays as the snow among fluids sees them: neighbours that are fluids have no volume.
static inline firn_sph_device firn_sph_snow_of(const firn_sph_device* d)
{
    firn_sph_device snow = *d;
    if (!d->fluids) return snow;
    snow.place = d->place_snow;
    for (int k = 0; k < 3; k++) snow.S[k] = d->S_snow[k];
    return snow;
}

#ifdef __CUDACC__
static __device__ __forceinline__ firn_vec3 firn_sph_xyz(float4 q)
{
    return firn_v3(q.x, q.y, q.z);
}

static __device__ __forceinline__ float4 firn_sph_quad(firn_vec3 v, float w)
{
    return make_float4(v.x, v.y, v.z, w);
}

static __device__ __forceinline__ int firn_sph_thread(void)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

// True where the calling thread has no particle, or the batch has ended.
static __device__ __forceinline__ bool firn_sph_idle(const firn_sph_device& d, int i)
{
    return d.control->halt != 0 || i >= d.control->count;
}

static __device__ __forceinline__ bool firn_sph_is_fluid(const firn_sph_device& d, int i)
{
    return d.volumes && d.lambda[i] > FIRN_SPH_LAMBDA_MOST;
}

// The list of a particle: its k-th neighbour is at [32 k].
typedef struct firn_sph_list {
    const uint16_t* code;
    float* slope;
    const uint32_t* runs;
    int count;
} firn_sph_list;

static __device__ __forceinline__ firn_sph_list firn_sph_list_of(const firn_sph_device& d, int i)
{
    const size_t at = (size_t)d.list_first[i >> 5] * 32 + (size_t)(i & 31);
    return firn_sph_list{d.list + at, d.slope + at, d.run_begin + 9 * (size_t)d.cells.cell[i],
                         (int)d.neighbours[i]};
}

static __device__ __forceinline__ uint32_t firn_sph_neighbour(const firn_sph_list& list, int k)
{
    const uint32_t code = __ldg(list.code + 32 * k);
    return __ldg(list.runs + (code >> FIRN_SPH_RUN_BITS)) + (code & (FIRN_SPH_RUN_MOST - 1));
}

static __device__ __forceinline__ firn_vec3 firn_sph_plane3(float* const plane[3], int i)
{
    return firn_v3(plane[0][i], plane[1][i], plane[2][i]);
}

static __device__ __forceinline__ firn_mat3 firn_sph_plane9(float* const plane[9], int i)
{
    firn_mat3 m;
#pragma unroll
    for (int k = 0; k < 9; k++) m.m[k / 3][k % 3] = plane[k][i];
    return m;
}

// A symmetric matrix: xx xy xz yy yz zz.
static __device__ __forceinline__ firn_mat3 firn_sph_plane6(float* const p[6], int i)
{
    const float xx = p[0][i], xy = p[1][i], xz = p[2][i], yy = p[3][i], yz = p[4][i], zz = p[5][i];
    return firn_mat3{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

static __device__ __forceinline__ void firn_sph_keep3(float* const plane[3], int i, firn_vec3 v)
{
    plane[0][i] = v.x;
    plane[1][i] = v.y;
    plane[2][i] = v.z;
}

// Replaces the first three reals of a record.
static __device__ __forceinline__ void firn_sph_put3(float4* at, firn_vec3 v)
{
    *at = firn_sph_quad(v, at->w);
}

// F_E of the particle's records.
static __device__ __forceinline__ firn_mat3 firn_sph_strain(const firn_sph_device& d, int i)
{
    const float4 a = d.strain0[i], b = d.strain1[i], c = d.strain2[i];
    return firn_mat3{{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
}

// The same from its upper half, as the CPU's loops over neighbours have it (it is symmetric).
static __device__ __forceinline__ firn_mat3 firn_sph_strain_upper(const firn_sph_device& d, int i)
{
    const float4 a = d.strain0[i], b = d.strain1[i];
    return firn_mat3{{{a.x, a.y, a.z}, {a.y, b.y, b.z}, {a.z, b.z, d.strain2[i].z}}};
}

// sum_j V_j u_j grad W_ij^T of a field u.
static __device__ __forceinline__ firn_mat3 firn_sph_sum_gradient(const firn_sph_device& d,
                                                                  const float4* __restrict__ u,
                                                                  int i)
{
    const firn_sph_list list = firn_sph_list_of(d, i);
    const firn_vec3 x_i = firn_sph_xyz(d.place[i]);
    firn_mat3 sum = {};
    const auto add = [&](int k, float4 near, float4 v) {
        const firn_vec3 Vg = firn_v3_lanes_scale(firn_v3_lanes_sub(x_i, firn_sph_xyz(near)),
                                                 __ldg(list.slope + 32 * k) * near.w);
        const float u_j[3] = {v.x, v.y, v.z};
#pragma unroll
        for (int r = 0; r < 3; r++) {
            sum.m[r][0] = firn_lanes_fma(u_j[r], Vg.x, sum.m[r][0]);
            sum.m[r][1] = firn_lanes_fma(u_j[r], Vg.y, sum.m[r][1]);
            sum.m[r][2] = firn_lanes_fma(u_j[r], Vg.z, sum.m[r][2]);
        }
    };
    const int AT_ONCE = 4;  // neighbours whose records are on their way
    int k = 0;
    for (; k + AT_ONCE <= list.count; k += AT_ONCE) {
        uint32_t j[AT_ONCE];
        float4 near[AT_ONCE], v[AT_ONCE];
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) j[n] = firn_sph_neighbour(list, k + n);
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) {
            near[n] = __ldg(d.place + j[n]);
            v[n] = __ldg(u + j[n]);
        }
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) add(k + n, near[n], v[n]);
    }
    for (; k < list.count; k++) {
        const uint32_t j = firn_sph_neighbour(list, k);
        add(k, __ldg(d.place + j), __ldg(u + j));
    }
    return sum;
}

static __device__ __forceinline__ void firn_sph_stamp(const firn_sph_device& d, int which)
{
    firn_cuda_stamp(&d.records[d.control->record].base, which);
}

// The particle at fault, for the record.
static __device__ __forceinline__ void firn_sph_describe(const firn_sph_device& d, int i,
                                                         firn_device_record* r)
{
    r->fault_id = d.tag[i].x;
    r->fault_material = (int32_t)d.tag[i].y;
    r->fault_position = firn_sph_xyz(d.at[i]);
    r->fault_velocity = firn_sph_xyz(d.motion[i]);
    r->fault_value = (double)d.strain1[i].w;  // its density
}

// The run of three cells along z, the row-th of nine around a key: entries begin .. end. No
// coordinate of a cell is 0, so subtraction does not borrow.
static __device__ __forceinline__ int2 firn_sph_run(const firn_sph_cells& c, int cell_count,
                                                    uint64_t key, int row)
{
    const uint64_t x = (uint64_t)1 << (2 * FIRN_SPH_AXIS_BITS);
    const uint64_t y = (uint64_t)1 << FIRN_SPH_AXIS_BITS;
    const uint64_t first = key - x - y - 1 + (uint64_t)(row / 3) * x + (uint64_t)(row % 3) * y;
    const int begin = firn_key_search(c.key, cell_count, first);
    int end = begin;
    while (end < cell_count && c.key[end] <= first + 2) end++;
    return make_int2((int)c.begin[begin], (int)c.begin[end]);
}
#endif
