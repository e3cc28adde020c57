// SPDX-License-Identifier: MIT
// Sorting particles by block and cell on a GPU (the drawing is in device_grid.cuh).
#include <climits>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "math/morton.h"
#include "state/device_table.cuh"

namespace {

const firn_device_key EMPTY = FIRN_DEVICE_EMPTY;
const int THREADS = 256;
const int GRID = 132 * 8;  // blocks per launch: fills the largest devices; every kernel loops
const int BINNED = 4;      // particles of a thread at once
const unsigned ALL = 0xffffffffu;

__device__ __forceinline__ int lane_id()
{
    return threadIdx.x & 31;
}

__global__ void reset(firn_device_grid g)
{
    const size_t slots = (size_t)g.table_mask + 1;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t s = (size_t)blockIdx.x * blockDim.x + threadIdx.x; s < slots; s += stride) {
        g.table_key[s] = EMPTY;
        g.table_first[s] = INT_MAX;
        g.table_value[s] = -1;
        for (int c = 0; c < FIRN_BLOCK_NODES; c++)
            g.cell_start[s * FIRN_BLOCK_NODES + (size_t)c] = 0;
    }
    for (size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x; p < (size_t)g.particle_capacity;
         p += stride)
        g.label[p] = FIRN_DEVICE_NONE;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *g.counts = firn_device_grid_counts{};
        g.counts->lost = INT_MAX;
    }
}

// Removes the blocks of the last step from the table.
__global__ void clear(firn_device_grid g, const int* halt)
{
    if (firn_device_idle(g, halt)) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        g.counts->used = g.counts->alive = 0;
        g.counts->lost = INT_MAX;
    }
    const int warps = (gridDim.x * blockDim.x) >> 5;
    for (int b = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; b < g.counts->block_count;
         b += warps) {
        const int slot = g.coord[b].w;
        unsigned* cells = g.cell_start + (size_t)slot * FIRN_BLOCK_NODES;
        cells[lane_id()] = 0;
        cells[lane_id() + 32] = 0;
        if (lane_id() == 0) {
            g.table_key[slot] = EMPTY;
            g.table_first[slot] = INT_MAX;
            g.table_value[slot] = -1;
        }
    }
}

// The first lane of the run that a lane belongs to. `starts`: the lane begins a run.
__device__ __forceinline__ int run_leader(bool starts)
{
    return 31 - __clz(__ballot_sync(ALL, starts) & (ALL >> (31 - lane_id())));
}

// Where a particle is.
struct binned {
    firn_device_key key;  // of its block; EMPTY: in none
    int cell;
};

// Finds the block and cell of particle p.
__device__ __forceinline__ binned bin_of(const firn_device_sort_args& a, int p)
{
    const firn_device_grid& g = a.grid;
    const float4 x = a.at[p];
    const float inv = g.inverse_cell;
    const float i = floorf(x.x * inv), j = floorf(x.y * inv), k = floorf(x.z * inv);
    const float most = fmaxf(fabsf(i), fmaxf(fabsf(j), fabsf(k)));
    // a NaN fails one of the three comparisons
    const bool held = i == i && j == j && k == k && most < 4.0f * (FIRN_BLOCK_LIMIT - 2);
    if (!held) atomicMin(&g.counts->lost, p);
    if (!held || (a.gone != nullptr && a.gone[p] != 0)) return binned{EMPTY, 0};
    const int bx = (int)i - 1, by = (int)j - 1, bz = (int)k - 1;
    return binned{firn_device_key_of(bx >> 2, by >> 2, bz >> 2),
                  ((bx & 3) << 2 | (by & 3)) << 2 | (bz & 3)};
}

// Particles of a warp are close in space, so the first lane of a run of equal blocks (or cells)
// does the lookup (or atomic) for the run. Finding equal keys anywhere in the warp by match_any is
// more expensive than the few atomics that it saves. A warp bins 32 particles of each of EACH tiles
// together, so that it waits for the memory of all of them at once.
template <int EACH> __global__ void __launch_bounds__(THREADS) bin(firn_device_sort_args a)
{
    const firn_device_grid& g = a.grid;
    if (firn_device_idle(g, a.halt)) return;
    const int count = *a.count;
    for (int base = blockIdx.x * THREADS * EACH; base < count; base += gridDim.x * THREADS * EACH) {
        binned at[EACH];
        unsigned slot[EACH], label[EACH], rank[EACH];
        int first[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int p = base + e * THREADS + (int)threadIdx.x;
            at[e] = p < count ? bin_of(a, p) : binned{EMPTY, 0};
            // most particles stay in their block, and most blocks in their slot
            slot[e] = p < count ? g.label[p] / FIRN_BLOCK_NODES & g.table_mask : 0;
        }
        firn_device_key there[EACH];
#pragma unroll
        for (int e = 0; e < EACH; e++) there[e] = *(volatile firn_device_key*)&g.table_key[slot[e]];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int p = base + e * THREADS + (int)threadIdx.x;
            const firn_device_key before = __shfl_up_sync(ALL, at[e].key, 1);
            const int leader = run_leader(lane_id() == 0 || at[e].key != before);
            if (at[e].key != EMPTY && lane_id() == leader) {
                if (there[e] != at[e].key) slot[e] = firn_device_find_or_take(g, at[e].key);
                atomicMin(&g.table_first[slot[e]], p);
            }
            slot[e] = __shfl_sync(ALL, slot[e], leader);
            label[e] = at[e].key != EMPTY ? slot[e] * FIRN_BLOCK_NODES + (unsigned)at[e].cell
                                          : FIRN_DEVICE_NONE;
        }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const unsigned before = __shfl_up_sync(ALL, label[e], 1);
            const unsigned starts = __ballot_sync(ALL, lane_id() == 0 || label[e] != before);
            first[e] = 31 - __clz(starts & (ALL >> (31 - lane_id())));
            rank[e] = 0;
            if (label[e] != FIRN_DEVICE_NONE && lane_id() == first[e]) {
                const unsigned later = first[e] == 31 ? 0 : starts >> (first[e] + 1);
                rank[e] =
                    atomicAdd(&g.cell_start[label[e]], later != 0 ? __ffs(later) : 32 - first[e]);
            }
        }
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int p = base + e * THREADS + (int)threadIdx.x;
            rank[e] = __shfl_sync(ALL, rank[e], first[e]) + (unsigned)(lane_id() - first[e]);
            if (p >= count) continue;
            g.label[p] = label[e];
            g.rank[p] = rank[e];
        }
    }
}

// Selects particles that are the first of their block.
struct is_first {
    firn_device_grid g;
    const int *halt, *count;
    __device__ bool operator()(int p) const
    {
        if (firn_device_idle(g, halt) || p >= *count) return false;
        const unsigned label = g.label[p];
        return label != FIRN_DEVICE_NONE && g.table_first[label / FIRN_BLOCK_NODES] == p;
    }
};

__global__ void morton_keys(firn_device_grid g, const int* halt)
{
    const int count = firn_device_idle(g, halt) ? 0 : g.counts->picked;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < g.occupied_capacity;
         i += gridDim.x * blockDim.x) {
        firn_device_key key = EMPTY;
        if (i < count) {
            const firn_device_key k = g.table_key[g.label[g.pick[i]] / FIRN_BLOCK_NODES];
            key = firn_morton_code(k >> 36 & 0x3ffff, k >> 18 & 0x3ffff, k & 0x3ffff);
        }
        g.morton[0][i] = key;
    }
}

// One warp per occupied block: its number, position and particle count.
__global__ void number_occupied(firn_device_grid g, const int* halt, const int* pick)
{
    if (firn_device_idle(g, halt)) return;
    const int count = g.counts->picked;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        g.counts->occupied_count = count;
        if (count > g.occupied_capacity) g.counts->room = 1;
    }
    if (count > g.occupied_capacity) return;
    const int warps = (gridDim.x * blockDim.x) >> 5;
    for (int h = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; h < count; h += warps) {
        const unsigned slot = g.label[pick[h]] / FIRN_BLOCK_NODES;
        const unsigned* cells = g.cell_start + (size_t)slot * FIRN_BLOCK_NODES;
        const unsigned sum = __reduce_add_sync(ALL, cells[lane_id()] + cells[lane_id() + 32]);
        if (lane_id() < 8) g.inverse[(size_t)h * 8 + lane_id()] = -1;
        if (lane_id() == 0) {
            const int3 c = firn_device_coord_of(g.table_key[slot]);
            g.coord[h] = make_int4(c.x, c.y, c.z, (int)slot);
            g.table_value[slot] = h;
            g.total[h] = (int)sum;
        }
    }
}

__global__ void activate_neighbours(firn_device_grid g, const int* halt)
{
    if (firn_device_idle(g, halt)) return;
    const int count = g.counts->occupied_count * 8;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        const int4 c = g.coord[k >> 3];
        const unsigned slot = firn_device_find_or_take(
            g, firn_device_key_of(c.x + (k >> 2 & 1), c.y + (k >> 1 & 1), c.z + (k & 1)));
        g.reached[k] = (int)slot;
        if (g.table_value[slot] < 0) atomicMin(&g.table_first[slot], k);
    }
}

// Selects the first reference to each active block that is not occupied.
struct is_first_reach {
    firn_device_grid g;
    const int* halt;
    __device__ bool operator()(int k) const
    {
        if (firn_device_idle(g, halt) || k >= g.counts->occupied_count * 8) return false;
        const int slot = g.reached[k];
        return g.table_value[slot] < 0 && g.table_first[slot] == k;
    }
};

__global__ void number_others(firn_device_grid g, const int* halt)
{
    if (firn_device_idle(g, halt)) return;
    const int occupied = g.counts->occupied_count, others = g.counts->picked;
    if (blockIdx.x == 0 && threadIdx.x == 0) g.counts->block_count = occupied + others;
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < others; j += gridDim.x * blockDim.x) {
        const int slot = g.reached[g.pick[j]], b = occupied + j;
        const int3 c = firn_device_coord_of(g.table_key[slot]);
        g.coord[b] = make_int4(c.x, c.y, c.z, slot);
        g.table_value[slot] = b;
        for (int n = 0; n < 8; n++) g.inverse[(size_t)b * 8 + (size_t)n] = -1;
    }
}

struct occupied_total {
    firn_device_grid g;
    const int* halt;
    __device__ int operator()(int h) const
    {
        return !firn_device_idle(g, halt) && h < g.counts->occupied_count ? g.total[h] : 0;
    }
};

// One warp per occupied block: its neighbours, and where its cells begin.
__global__ void link_occupied(firn_device_grid g, const int* halt)
{
    if (firn_device_idle(g, halt)) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) g.counts->alive = g.first[g.counts->occupied_count];
    const int warps = (gridDim.x * blockDim.x) >> 5, lane = lane_id();
    for (int h = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; h < g.counts->occupied_count;
         h += warps) {
        if (lane < 8) {
            const int b = g.table_value[g.reached[h * 8 + lane]];
            g.neighbour[h * 8 + lane] = b;
            g.inverse[(size_t)b * 8 + (size_t)lane] = h;
        }
        uint2* cells = (uint2*)(g.cell_start + (size_t)g.coord[h].w * FIRN_BLOCK_NODES) + lane;
        const uint2 n = *cells;
        unsigned sum = n.x + n.y;
        for (int d = 1; d < 32; d <<= 1) {
            const unsigned below = __shfl_up_sync(ALL, sum, d);
            if (lane >= d) sum += below;
        }
        const unsigned begin = (unsigned)g.first[h] + sum - (n.x + n.y);
        *cells = make_uint2(begin, begin + n.x);
    }
}

__global__ void scatter(firn_device_grid g, const int* halt, const int* particle_count)
{
    if (firn_device_idle(g, halt)) return;
    const int count = *particle_count;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += gridDim.x * blockDim.x) {
        const unsigned label = g.label[p];
        if (label != FIRN_DEVICE_NONE) g.loose[g.cell_start[label] + g.rank[p]] = p;
    }
}

// Within a cell, particles are in order of thread arrival. Each particle counts those with a lower
// number, which is its final position.
__global__ void settle(firn_device_grid g, const int* halt)
{
    if (firn_device_idle(g, halt)) return;
    const int count = g.counts->alive;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        const int p = g.loose[k];
        const unsigned label = g.label[p];
        const unsigned begin = g.cell_start[label];
        const unsigned end = (label & 63) == 63
                                 ? (unsigned)g.first[g.table_value[label / FIRN_BLOCK_NODES] + 1]
                                 : g.cell_start[label + 1];
        unsigned place = begin;
        for (unsigned j = begin; j < end; j++) place += g.loose[j] < p;
        g.order[place] = p;
    }
}

cudaError_t select_firsts(const firn_device_sort_args& a, void* scratch, size_t* bytes,
                          cudaStream_t stream)
{
    return cub::DeviceSelect::If(scratch, *bytes, thrust::counting_iterator<int>(0), a.grid.pick,
                                 &a.grid.counts->picked, a.grid.particle_capacity,
                                 is_first{a.grid, a.halt, a.count}, stream);
}

cudaError_t select_reaches(const firn_device_sort_args& a, void* scratch, size_t* bytes,
                           cudaStream_t stream)
{
    return cub::DeviceSelect::If(scratch, *bytes, thrust::counting_iterator<int>(0), a.grid.pick,
                                 &a.grid.counts->picked, a.grid.occupied_capacity * 8,
                                 is_first_reach{a.grid, a.halt}, stream);
}

cudaError_t scan_totals(const firn_device_sort_args& a, void* scratch, size_t* bytes,
                        cudaStream_t stream)
{
    const auto totals = thrust::make_transform_iterator(thrust::counting_iterator<int>(0),
                                                        occupied_total{a.grid, a.halt});
    return cub::DeviceScan::ExclusiveSum(scratch, *bytes, totals, a.grid.first,
                                         a.grid.occupied_capacity + 1, stream);
}

cudaError_t sort_occupied(const firn_device_sort_args& a, void* scratch, size_t* bytes,
                          cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, a.grid.morton[0], a.grid.morton[1],
                                           a.grid.pick, a.grid.pick_sorted,
                                           a.grid.occupied_capacity, 0, 54, stream);
}

}  // namespace

#define TRY(call)                                 \
    do {                                          \
        const cudaError_t status = (call);        \
        if (status != cudaSuccess) return status; \
    } while (0)

cudaError_t firn_device_sort_scratch(int particles, int occupied, size_t* out_bytes)
{
    firn_device_sort_args a = {};
    a.grid.particle_capacity = particles;
    a.grid.occupied_capacity = occupied;
    size_t most = 0, bytes = 0;
    cudaError_t (*const parts[])(const firn_device_sort_args&, void*, size_t*, cudaStream_t) = {
        select_firsts, select_reaches, scan_totals, sort_occupied};
    for (auto part : parts) {
        bytes = 0;
        TRY(part(a, nullptr, &bytes, nullptr));
        most = bytes > most ? bytes : most;
    }
    *out_bytes = most;
    return cudaSuccess;
}

void firn_device_grid_reset(const firn_device_grid* grid, cudaStream_t stream)
{
    reset<<<GRID, THREADS, 0, stream>>>(*grid);
}

cudaError_t firn_device_sort(const firn_device_sort_args* args, cudaStream_t stream)
{
    const firn_device_sort_args& a = *args;
    const firn_device_grid& g = a.grid;
    size_t bytes = g.scratch_bytes;
    clear<<<GRID, THREADS, 0, stream>>>(g, a.halt);
    bin<BINNED><<<GRID, THREADS, 0, stream>>>(a);
    TRY(select_firsts(a, g.scratch, &bytes, stream));
    const int* pick = g.pick;
    if (a.morton) {
        morton_keys<<<GRID, THREADS, 0, stream>>>(g, a.halt);
        bytes = g.scratch_bytes;
        TRY(sort_occupied(a, g.scratch, &bytes, stream));
        pick = g.pick_sorted;
    }
    number_occupied<<<GRID, THREADS, 0, stream>>>(g, a.halt, pick);
    activate_neighbours<<<GRID, THREADS, 0, stream>>>(g, a.halt);
    bytes = g.scratch_bytes;
    TRY(select_reaches(a, g.scratch, &bytes, stream));
    number_others<<<GRID, THREADS, 0, stream>>>(g, a.halt);
    bytes = g.scratch_bytes;
    TRY(scan_totals(a, g.scratch, &bytes, stream));
    link_occupied<<<GRID, THREADS, 0, stream>>>(g, a.halt);
    scatter<<<GRID, THREADS, 0, stream>>>(g, a.halt, a.count);
    settle<<<GRID, THREADS, 0, stream>>>(g, a.halt);
    return cudaGetLastError();
}
