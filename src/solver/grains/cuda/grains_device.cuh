// SPDX-License-Identifier: MIT
// What the kernels of the grains solver share: grains and lists on the device, the block that
// steers a step, and small helpers.
//
// Grains are records of four reals, which one instruction moves:
//   moves    x_i, r_i; v_i, flags: phase, broken, state, n_curr, n_max, material
//   (firn_grains_flags) turns    spin, initial radius; initial position, T_i rests    slip, unused;
//   twist, unused listed   x_i when its neighbours were listed, id (its bits) heat     h_i, what
//   rounding left of it, beta, m_i ties     bonds: two words, a bit for each listed neighbour; r_i
//   when they were listed
// Neighbours read the first three, and what a pair needs together lies in one sector of 32 bytes,
// the least that the memory delivers: every pair needs `moves`, those that touch or are bonded
// `turns`, those that slide or roll on each other `rests`. There are two of each, a step reads one
// and writes the other (`hot` says which). The last three belong to a grain alone; there are two as
// well, because a new order of the store reads one and writes the other (`cold`).
//
// Lists: slot k of 32 grains that follow each other lies side by side, so that a warp reads a slot
// at once. A group of 32 has as many rows as the longest list among them.
//
//     list   | row 0 of group 0: j of grain 0 .. 31 | row 1 of group 0 | ... | row 0 of group 5 ...
//                                                                             ^ list_first[5]
// Where a group's rows are depends on which warp came first; what is in them does not. There are
// two of the lists, too: bonds are by the place in a list, and find their places in the new one by
// the one before.
#pragma once
#include <cuda_runtime.h>

#include "device/cuda_reduce.cuh"
#include "solver/grains/cuda/grains_cuda.h"
#include "solver/grains/grain_step.h"
#include "solver/shared/cuda_sim.cuh"

// What a step knows and has found, beside the common part.
struct firn_grains_control : firn_cuda_control {
    int hot, cold;       // which of the two records are the state
    int listed;          // lists are of the store as it is
    int rebuilt;         // 1: step 1 builds lists at the current positions; 0: it restores those
                         // of the positions at which they were built
    int relist_pending;  // after a restore, the lists must be rebuilt at the current positions
    int which;           // of the two lists
    float speed2;        // largest |v|^2 of the state
    firn_grains_moved moved;
    int lost;    // first grain that is not finite or too far away; INT_MAX: none
    int gone;    // grains that the scene culls in this step
    double air;  // [degC] in this step
    firn_grain_constants constants;  // with this step's damping_most
    firn_vec3 gravity;               // [m/s^2] in this step
    // step 1
    int low[3], high[3];  // cells of the outermost grains
    int narrow;           // the box of all cells fits into the table
    int size[3];          // [cells] of the box
    int cell_count;       // with someone in them
    unsigned rows;        // of lists, all together
    int crowded;          // first grain with too many neighbours; INT_MAX: none
    int count_before;     // grains
    int relisted;         // in this step
};

// What a block of threads adds to the sums of a step, and the largest it has seen.
#define FIRN_GRAINS_SUMS 7
typedef struct firn_grains_partial {
    double sum[FIRN_GRAINS_SUMS];  // momentum, kinetic, potential, neighbours, power from outside
    float speed2;
    firn_grains_moved moved;
    int lost, runaway;
} firn_grains_partial;

// See the top of the file.
typedef struct __align__(32) firn_grains_moves
{
    float4 at, motion;
}
firn_grains_moves;
typedef struct __align__(32) firn_grains_turns
{
    float4 spin, origin;
}
firn_grains_turns;
typedef struct __align__(32) firn_grains_rests
{
    float4 slip, twist;
}
firn_grains_rests;

// What functions that are called rather than inlined read of it, in device memory: the address of a
// kernel's argument is not for them (compute-sanitizer does not know it in loops of graphs).
typedef struct firn_grains_world {
    const firn_grains_control* control;
    firn_bodies_view bodies;
    firn_cuda_loads loads;
    const float* body_temperature;
} firn_grains_world;

typedef struct firn_grains_device {
    firn_grains_control* control;
    const firn_grains_world* world;
    firn_grains_cuda_record* records;  // [FIRN_GRAINS_CUDA_BATCH]
    // grains
    firn_grains_moves* moves[2];
    firn_grains_turns* turns[2];
    firn_grains_rests* rests[2];
    float4 *listed[2], *heat[2];
    uint4* ties[2];
    uint8_t* gone;  // culled in this step; null: the scene does not cull
    int capacity;
    // lists
    uint32_t* list[2];
    uint32_t* list_first[2];  // [groups] first row
    uint8_t* list_count;      // [grains]
    uint32_t* new_index;      // [grains] of the grain that was there, while lists change
    unsigned row_capacity;
    // step 1
    uint64_t *key, *key_sorted;          // cells, as state/neighbours.c numbers them
    uint32_t *short_key, *short_sorted;  // the same within the box of all grains
    uint32_t *number, *order;            // 0, 1, 2, ...; sorted by key
    uint32_t *rank, *loose;              // within its cell, and there, as they came
    uint32_t* table;                     // [table_cells + 1] where the grains of a cell begin
    unsigned table_cells;
    float4* look;  // x listed, r as far as lists are concerned
    float* gap;    // [m] its bonds' widest
    void* scratch;
    size_t scratch_bytes;
    firn_grains_partial* partial;  // [blocks of threads]
    // constants
    firn_grain_constants constants;
    firn_grains_dt_rules dt;
    float skin;
    double cell;  // [m] width of a cell
    firn_cuda_forces forces;
    firn_bodies_view bodies;
    firn_cuda_loads loads;  // on them
    const firn_grains_climate* climate;
    const firn_grains_body_climate* body_climate;  // [bodies]
    float* body_temperature;                       // [bodies] [degC] in this step; NaN: none
    firn_device_cull cull;
    int blocks;  // of threads, of the kernels that loop over grains
} firn_grains_device;

#define FIRN_GRAINS_THREADS 128

// Launches; each does nothing where `halt` is set.
// The batch's orders to the control block.
void firn_grains_launch_orders(const firn_grains_device* d, const firn_device_batch* batch,
                               cudaStream_t stream);
// Marks what is culled; speeds, movements and lost grains of the state.
// `in_step`: else it only measures, whatever a batch did before.
void firn_grains_launch_look(const firn_grains_device* d, bool in_step, cudaStream_t stream);
// Length of the step, poses, temperatures; `lists`: set where step 1 has to be done, once or twice.
void firn_grains_launch_begin(const firn_grains_device* d, cudaGraphConditionalHandle lists,
                              cudaStream_t stream);
// Step 1, while `stream` captures; `lists`: cleared when it has been done.
cudaError_t firn_grains_launch_neighbours(const firn_grains_device* d,
                                          cudaGraphConditionalHandle lists, cudaStream_t stream);
// Bytes of scratch memory that it needs.
cudaError_t firn_grains_neighbours_scratch(const firn_grains_device* d, size_t* out_bytes);
// Force fields; only where there are any. After step 1, which a step may end in.
void firn_grains_launch_push(const firn_grains_device* d, cudaStream_t stream);
// Steps 2 to 6 and the record; `loop`: cleared where the batch has ended.
void firn_grains_launch_fused_02_06(const firn_grains_device* d, cudaGraphConditionalHandle loop,
                                    bool heats, cudaStream_t stream);
cudaError_t firn_grains_occupancy_02_06(int* out_blocks);  // on one multiprocessor

// Flags of a grain: bits 0-1 phase, 2 broken, 3-4 state, 8-15 n_curr, 16-23 n_max, 24-31 material.
FIRN_FN uint32_t firn_grains_flags(const firn_grains_matter* g, int neighbours, uint8_t material)
{
    return (uint32_t)g->phase | (uint32_t)(g->broken != 0) << 2 | (uint32_t)g->state << 3 |
           (uint32_t)neighbours << 8 | (uint32_t)g->neighbours_max << 16 | (uint32_t)material << 24;
}

#ifdef __CUDACC__
static __device__ __forceinline__ firn_vec3 firn_grains_xyz(float4 q)
{
    return firn_v3(q.x, q.y, q.z);
}

static __device__ __forceinline__ float4 firn_grains_quad(firn_vec3 v, float w)
{
    return make_float4(v.x, v.y, v.z, w);
}

static __device__ __forceinline__ uint8_t firn_grains_state_of(float4 motion)
{
    return (uint8_t)(__float_as_uint(motion.w) >> 3 & 3u);
}

// The parts of a grain, from its records.
static __device__ __forceinline__ void firn_grains_load_moves(const firn_grains_moves* from,
                                                              firn_grain* g)
{
    const float4 at = __ldg(&from->at), motion = __ldg(&from->motion);
    const uint32_t flags = __float_as_uint(motion.w);
    g->x = firn_grains_xyz(at);
    g->v = firn_grains_xyz(motion);
    g->r = at.w;
    g->phase = (uint8_t)(flags & 3u);
    g->broken = (flags & 4u) != 0;
    g->state = firn_grains_state_of(motion);
}

// Returns its temperature [degC].
static __device__ __forceinline__ float firn_grains_load_turns(const firn_grains_turns* from,
                                                               firn_grain* g)
{
    const float4 spin = __ldg(&from->spin), origin = __ldg(&from->origin);
    g->spin = firn_grains_xyz(spin);
    g->origin = firn_grains_xyz(origin);
    g->origin_r = spin.w;
    return origin.w;
}

static __device__ __forceinline__ void firn_grains_load_rests(const firn_grains_rests* from,
                                                              firn_grain* g)
{
    const float4 slip = __ldg(&from->slip), twist = __ldg(&from->twist);
    g->slip = firn_grains_xyz(slip);
    g->twist = firn_grains_xyz(twist);
}

// Nothing has been listed yet.
static __device__ __forceinline__ void firn_grains_begin_lists(firn_grains_control* c)
{
    for (int a = 0; a < 3; a++) {
        c->low[a] = 0x7fffffff;
        c->high[a] = -0x7fffffff;
    }
    c->rows = 0;
    c->cell_count = 0;
    c->crowded = 0x7fffffff;
}

static __device__ __forceinline__ void firn_grains_stamp(const firn_grains_device& d, int which)
{
    firn_cuda_stamp(&d.records[d.control->record].base, which);
}

// The grain at fault, for the record.
static __device__ __forceinline__ void firn_grains_describe(const firn_grains_device& d, int i,
                                                            firn_grains_cuda_record* r)
{
    const firn_grains_control* c = d.control;
    const float4 at = d.moves[c->hot][i].at, motion = d.moves[c->hot][i].motion;
    r->base.fault_id = __float_as_uint(d.listed[c->cold][i].w);
    r->base.fault_material = (int)(__float_as_uint(motion.w) >> 24);
    r->base.fault_position = firn_grains_xyz(at);
    r->base.fault_velocity = firn_grains_xyz(motion);
    r->base.fault_value = (double)at.w;  // its radius
}

// Neither finite nor near enough to be numbered: a grain that no cell can hold.
static __device__ __forceinline__ bool firn_grains_is_lost(const firn_grains_device& d, firn_vec3 x,
                                                           float speed2)
{
    const float far = (float)(d.dt.radius * FIRN_GRAINS_FAR);
    const bool here = firn_abs(x.x) < far && firn_abs(x.y) < far && firn_abs(x.z) < far;
    return !(speed2 < FIRN_REAL_MAX && here);
}

static __device__ __forceinline__ firn_grains_partial firn_grains_partial_none()
{
    return {{}, 0, firn_grains_moved_none(), 0x7fffffff, 0x7fffffff};
}

// Adds what another thread or block has seen.
static __device__ __forceinline__ void firn_grains_join(firn_grains_partial* p,
                                                        const firn_grains_partial& other)
{
    p->speed2 = fmaxf(p->speed2, other.speed2);
    firn_grains_moved_join(&p->moved, &other.moved);
    p->lost = min(p->lost, other.lost);
    p->runaway = min(p->runaway, other.runaway);
}

// Largest of a warp, of numbers of either sign: bits as integers in the order of the values.
static __device__ __forceinline__ float firn_grains_warp_max(float x)
{
    int bits = __float_as_int(x);
    bits = __reduce_max_sync(0xffffffffu, bits ^ (bits >> 31 & 0x7fffffff));
    return __int_as_float(bits ^ (bits >> 31 & 0x7fffffff));
}

static __device__ __forceinline__ firn_vec3 firn_grains_warp_max3(firn_vec3 v)
{
    return firn_v3(firn_grains_warp_max(v.x), firn_grains_warp_max(v.y), firn_grains_warp_max(v.z));
}

// What threads of a block have seen of the state: `p` of thread 0 is for all of them.
static __device__ __forceinline__ void firn_grains_extremes(firn_grains_partial* p)
{
    __shared__ firn_grains_partial warps[FIRN_GRAINS_THREADS / 32];
    const unsigned all = 0xffffffffu;
    firn_grains_partial warp = firn_grains_partial_none();
    warp.speed2 = firn_grains_warp_max(p->speed2);
    warp.moved.most2 = firn_grains_warp_max(p->moved.most2);
    warp.moved.low = firn_v3_scale(firn_grains_warp_max3(firn_v3_scale(p->moved.low, -1)), -1);
    warp.moved.high = firn_grains_warp_max3(p->moved.high);
    warp.lost = __reduce_min_sync(all, p->lost);
    warp.runaway = __reduce_min_sync(all, p->runaway);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = warp;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int k = 0; k < FIRN_GRAINS_THREADS / 32; k++) firn_grains_join(p, warps[k]);
}

// The same of all blocks, by the last of them.
static __device__ __forceinline__ void firn_grains_all_extremes(const firn_grains_device& d,
                                                                firn_grains_partial* p)
{
    *p = firn_grains_partial_none();
    for (int b = threadIdx.x; b < gridDim.x; b += FIRN_GRAINS_THREADS)
        firn_grains_join(p, d.partial[b]);
    __syncthreads();
    firn_grains_extremes(p);
}
#endif
