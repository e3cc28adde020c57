// SPDX-License-Identifier: MIT
// Step 1 on a GPU (step01_neighbours.h): sort grains by cell, then build the lists. Cells and their
// order are those of state/neighbours.c, so that grains are stored, listed and summed as on the
// CPU.
//
//   keys      the cell of each grain, and the box of all of them
//   narrow    the box fits into a table of cells, unless a grain is far away: grains are counted by
//             cell, the counts scanned, and the table says where a cell's grains begin. Within a
//             cell they are first in arbitrary order; each then counts those that come before it,
//             so that the order is deterministic
//   wide      else: a sort by whole keys, and cells are found by binary search
//   reorder   move grains into that order
//   list      a thread per grain searches nine runs of three cells
#include <climits>

#include "device/cuda_graph.cuh"
#include "device/cuda_sort.cuh"
#include "math/key_search.h"
#include "solver/grains/cuda/device_bonds.cuh"
#include "solver/grains/cuda/grains_device.cuh"

namespace {

const int THREADS = FIRN_GRAINS_THREADS;
const unsigned ALL = 0xffffffffu;
const uint32_t NOWHERE = 0xffffffffu;  // new index of a grain that has been culled

// As in state/neighbours.c: 21 bits an axis, the outermost cells hold all that is beyond them.
const int AXIS_BITS = 21;
const int FAR = (1 << (AXIS_BITS - 1)) - 2;
const uint64_t AXIS_MASK = ((uint64_t)1 << AXIS_BITS) - 1;

__device__ int cell_of(float x, double width)
{
    const double cell = floor((double)x / width);
    const int near = cell < -FAR ? -FAR : cell > FAR ? FAR : (int)cell;
    return near + FAR + 1;
}

__device__ int axis_of(uint64_t key, int axis)
{
    return (int)(key >> (AXIS_BITS * (2 - axis)) & AXIS_MASK);
}

// A cell more on each side, so that every occupied cell has 26 around it.
__device__ void choose(const firn_grains_device& d, cudaGraphConditionalHandle narrow)
{
    firn_grains_control* c = d.control;
    c->count_before = c->count;
    if (c->rebuilt != 0) c->count -= c->gone;
    double cells = 1;
    for (int a = 0; a < 3; a++) {
        c->size[a] = c->count > 0 ? c->high[a] - c->low[a] + 3 : 3;
        cells *= c->size[a];
    }
    c->narrow = cells <= (double)d.table_cells;
    cudaGraphSetConditional(narrow, c->narrow != 0);
}

// Culled grains and slots beyond the last come after all others.
__global__ void __launch_bounds__(THREADS)
    keys(const __grid_constant__ firn_grains_device d, cudaGraphConditionalHandle narrow)
{
    firn_grains_control* c = d.control;
    const firn_grains_moves* moves = d.moves[c->hot];
    const float4* listed = d.listed[c->cold];
    const bool rebuilt = c->rebuilt != 0;
    const bool drops = rebuilt && c->gone > 0;
    const int count = c->count;
    int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {INT_MIN, INT_MIN, INT_MIN};
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < d.capacity; i += gridDim.x * THREADS) {
        uint64_t key = ~(uint64_t)0;
        if (i < count && drops && d.gone[i] != 0) {
            d.new_index[i] = NOWHERE;
        } else if (i < count) {
            const float4 x = rebuilt ? moves[i].at : listed[i];
            const int at[3] = {cell_of(x.x, d.cell), cell_of(x.y, d.cell), cell_of(x.z, d.cell)};
            key =
                (uint64_t)at[0] << (2 * AXIS_BITS) | (uint64_t)at[1] << AXIS_BITS | (uint64_t)at[2];
            for (int a = 0; a < 3; a++) {
                low[a] = min(low[a], at[a]);
                high[a] = max(high[a], at[a]);
            }
        }
        d.key[i] = key;
    }
    __syncwarp();
    for (int a = 0; a < 3; a++) {
        const int lowest = __reduce_min_sync(ALL, low[a]),
                  highest = __reduce_max_sync(ALL, high[a]);
        if ((threadIdx.x & 31) != 0) continue;
        atomicMin(&c->low[a], lowest);
        atomicMax(&c->high[a], highest);
    }
    if (firn_cuda_is_last_block(&c->ticket) && threadIdx.x == 0) choose(d, narrow);
}

__global__ void __launch_bounds__(THREADS) count(const __grid_constant__ firn_grains_device d)
{
    const firn_grains_control* c = d.control;
    const unsigned y = (unsigned)c->size[1], z = (unsigned)c->size[2];
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < c->count_before;
         i += gridDim.x * THREADS) {
        const uint64_t key = d.key[i];
        if (key == ~(uint64_t)0) continue;
        const unsigned at[3] = {(unsigned)(axis_of(key, 0) - c->low[0] + 1),
                                (unsigned)(axis_of(key, 1) - c->low[1] + 1),
                                (unsigned)(axis_of(key, 2) - c->low[2] + 1)};
        const unsigned cell = (at[0] * y + at[1]) * z + at[2];
        d.short_key[i] = cell;
        d.rank[i] = atomicAdd(&d.table[cell], 1u);
    }
}

// Into their cells, in arbitrary order; occupied cells are those that have a first grain.
__global__ void __launch_bounds__(THREADS) place(const __grid_constant__ firn_grains_device d)
{
    firn_grains_control* c = d.control;
    int begun = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < c->count_before;
         i += gridDim.x * THREADS) {
        if (d.key[i] == ~(uint64_t)0) continue;
        const uint32_t rank = d.rank[i];
        d.loose[d.table[d.short_key[i]] + rank] = (uint32_t)i;
        begun += rank == 0;
    }
    __syncwarp();
    begun = __reduce_add_sync(ALL, begun);
    if ((threadIdx.x & 31) == 0) atomicAdd(&c->cell_count, begun);
}
__global__ void __launch_bounds__(THREADS) count_cells(const __grid_constant__ firn_grains_device d)
{
    firn_grains_control* c = d.control;
    int begun = 0;
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < c->count; k += gridDim.x * THREADS)
        begun += k == 0 || d.key_sorted[k - 1] != d.key_sorted[k];
    __syncwarp();
    begun = __reduce_add_sync(ALL, begun);
    if ((threadIdx.x & 31) == 0) atomicAdd(&c->cell_count, begun);
}

// Where the grain of slot k belongs within its cell.
__device__ __forceinline__ int settle_in_cell(const firn_grains_device& d, uint32_t p)
{
    const uint32_t cell = d.short_key[p], begin = d.table[cell], end = d.table[cell + 1];
    uint32_t at = begin;
    for (uint32_t m = begin; m < end; m++) at += d.loose[m] < p;
    d.order[at] = p;
    d.short_sorted[at] = cell;
    return (int)at;
}

// To the other half of each pair of arrays. Radii and gaps only shrink while a list is valid; but
// with heat, snow may become water, whose range is larger.
__global__ void __launch_bounds__(THREADS) reorder(const __grid_constant__ firn_grains_device d)
{
    const firn_grains_control* c = d.control;
    const int hot = c->hot, cold = c->cold, count = c->count;
    const bool rebuilt = c->rebuilt != 0, may_heat = d.climate->may_heat, narrow = c->narrow != 0;
    const firn_grain_constants* constants = &d.constants;
    const float r_other =
        firn_max(constants->r_ice, constants->r_water);  // after a change of phase
    for (int slot = blockIdx.x * THREADS + threadIdx.x; slot < count; slot += gridDim.x * THREADS) {
        const uint32_t p = narrow ? d.loose[slot] : d.order[slot];
        const int k = narrow ? settle_in_cell(d, p) : slot;
        const firn_grains_moves own = d.moves[hot][p];
        const float4 at = own.at;
        float4 listed = d.listed[cold][p];
        uint4 ties = d.ties[cold][p];
        if (rebuilt) {
            listed = make_float4(at.x, at.y, at.z, listed.w);
            ties.z = __float_as_uint(at.w);
        }
        d.moves[1 - hot][k] = own;
        d.turns[1 - hot][k] = d.turns[hot][p];
        d.rests[1 - hot][k] = d.rests[hot][p];
        d.listed[1 - cold][k] = listed;
        d.heat[1 - cold][k] = d.heat[cold][p];
        d.ties[1 - cold][k] = ties;
        d.new_index[p] = (uint32_t)k;
        const float r = __uint_as_float(ties.z);
        d.look[k] = make_float4(listed.x, listed.y, listed.z, may_heat ? firn_max(r, r_other) : r);
        d.gap[k] = may_heat ? constants->reach : firn_grain_gap(constants, r, FIRN_SNOW);
    }
}

// First grain whose key is not below `key`.
__device__ int first_of(const firn_grains_device& d, uint64_t key)
{
    return firn_key_search(d.key_sorted, d.control->count, key);
}

// Grains begin .. end of three cells in a row along z, the row-th of nine around grain i.
__device__ __forceinline__ int2 run_of(const firn_grains_device& d, bool narrow, int size_y,
                                       int size_z, uint64_t key, int row)
{
    const int x = row / 3 - 1, y = row % 3 - 1;
    if (!narrow) {
        const uint64_t first = key - ((uint64_t)1 << (2 * AXIS_BITS)) - ((uint64_t)1 << AXIS_BITS) -
                               1 + ((uint64_t)(x + 1) << (2 * AXIS_BITS)) +
                               ((uint64_t)(y + 1) << AXIS_BITS);
        return make_int2(first_of(d, first), first_of(d, first + 3));
    }
    const int first = (int)(uint32_t)key + (x * size_y + y) * size_z - 1;
    return make_int2((int)__ldg(&d.table[first]), (int)__ldg(&d.table[first + 3]));
}

// Calls take(j) for every neighbour j of grain i, in their order.
template <typename Take>
__device__ __forceinline__ void search(const firn_grains_device& d, int i, Take take)
{
    const firn_grains_control* c = d.control;
    const bool narrow = c->narrow != 0;
    const int size_y = c->size[1], size_z = c->size[2];
    const uint64_t key = narrow ? d.short_sorted[i] : d.key_sorted[i];
    const float4 self = d.look[i];
    const float gap = d.gap[i];
    int2 run[9];  // all at once: independent loads
#pragma unroll
    for (int row = 0; row < 9; row++) run[row] = run_of(d, narrow, size_y, size_z, key, row);
#pragma unroll 1
    for (int row = 0; row < 9; row++) {
        const int end = run[row].y;
#pragma unroll 4
        for (int j = run[row].x; j < end; j++) {
            const float4 other = __ldg(&d.look[j]);
            const firn_vec3 way = firn_v3_sub(firn_grains_xyz(other), firn_grains_xyz(self));
            const float reach = self.w + other.w + firn_max(gap, __ldg(&d.gap[j])) + d.skin;
            if (firn_v3_dot(way, way) < reach * reach && j != i) take(j);
        }
    }
}

// The neighbours that a thread has found: most grains have fewer than 48, which are in shared
// memory while their list is built; a larger buffer would reduce occupancy.
const int NEAR = 48;
struct firn_grains_found {
    const uint32_t* near;  // every THREADS-th is this thread's
    const uint32_t* all;   // its list, every 32nd

    __device__ __forceinline__ uint32_t get(int k) const
    {
        return k < NEAR ? near[k * THREADS] : all[k * 32];
    }
};

__device__ void end_here(const firn_grains_device& d, int end)
{
    firn_grains_control* c = d.control;
    firn_grains_cuda_record* r = &d.records[c->record++];
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count;
    c->listed = 0;
    c->halt = r->base.end = end;
    if (end == FIRN_GRAINS_CUDA_CROWDED) firn_grains_describe(d, c->crowded, r);
}

// Commits the new order and the lists, or ends the step. Without room for lists nothing has
// changed: the other halves still hold the old state.
__device__ void settle(const firn_grains_device& d, cudaGraphConditionalHandle lists)
{
    firn_grains_control* c = d.control;
    cudaGraphSetConditional(lists, 0);
    const bool crowded = c->crowded != INT_MAX;
    if (!crowded && c->rows > d.row_capacity) {
        c->count = c->count_before;
        return end_here(d, FIRN_DEVICE_ROOM);
    }
    c->hot = 1 - c->hot;
    c->cold = 1 - c->cold;
    c->which = 1 - c->which;
    if (crowded) return end_here(d, FIRN_GRAINS_CUDA_CROWDED);
    c->listed = 1;
    if (c->rebuilt != 0) {
        c->gone = 0;
        return;
    }
    if (c->relist_pending == 0) return;
    c->rebuilt = 1;
    firn_grains_begin_lists(c);
    cudaGraphSetConditional(lists, 1);
}

// The NEAR-th to the last neighbour of a grain that has so many.
__device__ __noinline__ void search_rest(const firn_grains_device& d, int i, int n, uint32_t* to)
{
    int k = 0;
    search(d, i, [&](int j) {
        if (k >= NEAR && k < n) to[(size_t)k * 32] = (uint32_t)j;
        k++;
    });
}

__global__ void __launch_bounds__(THREADS)
    list(const __grid_constant__ firn_grains_device d, cudaGraphConditionalHandle lists)
{
    __shared__ uint32_t found[NEAR * THREADS];
    uint32_t* near = found + threadIdx.x;
    firn_grains_control* c = d.control;
    const int count = c->count, lane = threadIdx.x & 31, next = 1 - c->which;
    for (int base = blockIdx.x * THREADS; base < count; base += gridDim.x * THREADS) {
        const int i = base + (int)threadIdx.x;
        int n = 0;
        if (i < count)
            search(d, i, [&](int j) {
                if (n < NEAR) near[n * THREADS] = (uint32_t)j;
                n++;
            });
        if (n > FIRN_GRAINS_LIST_MOST) atomicMin(&c->crowded, i);
        n = min(n, FIRN_GRAINS_LIST_MOST);
        __syncwarp();
        const unsigned rows = __reduce_max_sync(ALL, (unsigned)n);
        unsigned first = 0;
        if (lane == 0 && i < count) {
            first = atomicAdd(&c->rows, rows);
            d.list_first[next][i >> 5] = first;
        }
        first = __shfl_sync(ALL, first, 0);
        if (i >= count) continue;
        d.list_count[i] = (uint8_t)n;
        if (first > d.row_capacity || rows > d.row_capacity - first) continue;  // see settle
        uint32_t* to = d.list[next] + (size_t)first * 32 + (size_t)lane;
        for (int k = 0; k < n && k < NEAR; k++) to[(size_t)k * 32] = near[k * THREADS];
        if (n > NEAR) search_rest(d, i, n, to);
        firn_grains_place_bonds(d, i, firn_grains_found{near, to}, n);
    }
    if (firn_cuda_is_last_block(&c->ticket) && threadIdx.x == 0) settle(d, lists);
}

// One more than there are cells: the last is where the last cell ends.
cudaError_t add_up(const firn_grains_device* d, void* scratch, size_t* bytes, cudaStream_t stream)
{
    return firn_cuda_scan(d->table, (int)d->table_cells + 1, scratch, bytes, stream);
}

cudaError_t sort_wide(const firn_grains_device* d, void* scratch, size_t* bytes,
                      cudaStream_t stream)
{
    const firn_cuda_sort_args a = {d->number, d->order, d->capacity, 64};
    return firn_cuda_sort_64(&a, d->key, d->key_sorted, scratch, bytes, stream);
}

}  // namespace

cudaError_t firn_grains_neighbours_scratch(const firn_grains_device* d, size_t* out_bytes)
{
    size_t narrow = 0, wide = 0;
    cudaError_t e = add_up(d, nullptr, &narrow, nullptr);
    if (e == cudaSuccess) e = sort_wide(d, nullptr, &wide, nullptr);
    *out_bytes = narrow > wide ? narrow : wide;
    return e;
}

cudaError_t firn_grains_launch_neighbours(const firn_grains_device* d,
                                          cudaGraphConditionalHandle lists, cudaStream_t stream)
{
    cudaGraphConditionalHandle narrow;
    cudaError_t e = firn_cuda_capture_handle(stream, &narrow);
    if (e != cudaSuccess) return e;
    size_t bytes = d->scratch_bytes;
    keys<<<d->blocks, THREADS, 0, stream>>>(*d, narrow);
    e = firn_cuda_capture_choice(
        stream, narrow,
        [&](cudaStream_t inner) {
            cudaError_t done = cudaMemsetAsync(
                d->table, 0, ((size_t)d->table_cells + 1) * sizeof *d->table, inner);
            count<<<d->blocks, THREADS, 0, inner>>>(*d);
            if (done == cudaSuccess) done = add_up(d, d->scratch, &bytes, inner);
            place<<<d->blocks, THREADS, 0, inner>>>(*d);
            return done != cudaSuccess ? done : cudaGetLastError();
        },
        [&](cudaStream_t inner) {
            const cudaError_t sorted = sort_wide(d, d->scratch, &bytes, inner);
            count_cells<<<d->blocks, THREADS, 0, inner>>>(*d);
            return sorted != cudaSuccess ? sorted : cudaGetLastError();
        });
    if (e != cudaSuccess) return e;
    reorder<<<d->blocks, THREADS, 0, stream>>>(*d);
    list<<<d->blocks, THREADS, 0, stream>>>(*d, lists);
    return cudaGetLastError();
}
