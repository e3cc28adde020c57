// SPDX-License-Identifier: MIT
// Sorting particles by cell on a GPU, as state/neighbours.c does: snow in each step, and boundary
// particles. Culled particles get the last key and drop out.
#include <climits>

#include "device/cuda_sort.cuh"
#include "solver/sph/cuda/sph_device.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;
const uint64_t NOWHERE = ~(uint64_t)0;

// As in state/neighbours.c: the outermost cells hold all that is beyond them.
const int ORIGIN = (1 << (FIRN_SPH_AXIS_BITS - 1)) + 1024;
const int FAR = (1 << (FIRN_SPH_AXIS_BITS - 1)) - 1026;

__device__ uint64_t cell_of(float x, double radius)
{
    const double cell = floor((double)x / radius);
    const int near = cell < -FAR ? -FAR : cell > FAR ? FAR : (int)cell;
    return (uint64_t)(near + ORIGIN);
}

__device__ uint64_t key_of(firn_vec3 x, double spacing)
{
    const double radius = 2 * spacing;
    return cell_of(x.x, radius) << (2 * FIRN_SPH_AXIS_BITS) |
           cell_of(x.y, radius) << FIRN_SPH_AXIS_BITS | cell_of(x.z, radius);
}

// Slots beyond the last particle come after all others. Speeds of what stays, and particles that no
// cell can hold.
__global__ void __launch_bounds__(THREADS) keys(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    const int i = firn_sph_thread();
    if (c->halt != 0) return;
    float speed2 = 0;
    if (i < d.capacity) {
        uint64_t key = NOWHERE;
        if (i < c->count) {
            const firn_vec3 x = firn_sph_xyz(d.at[i]), v = firn_sph_xyz(d.motion[i]);
            // flakes appear when others have been culled
            const bool appears = c->emission.step == c->step + 1 && d.tag[i].x >= c->emission.first;
            const bool culls = d.cull.active && !(c->time < d.cull.start) && !appears;
            if (culls && firn_cuda_is_culled(d.cull, &d.bodies.shapes, x)) {
                atomicAdd(&c->gone, 1);
            } else {
                key = key_of(x, d.spacing);
                const float s = firn_v3_dot(v, v);
                const float far = (float)(d.spacing * FIRN_SPH_FAR);
                const bool here = firn_abs(x.x) < far && firn_abs(x.y) < far && firn_abs(x.z) < far;
                if (s < FIRN_REAL_MAX && here)
                    speed2 = s;
                else
                    atomicMin(&c->lost, i);
            }
        }
        d.sort_key[i] = key;
        d.number[i] = (uint32_t)i;
    }
    __syncwarp();
    const unsigned most = __reduce_max_sync(0xffffffffu, __float_as_uint(speed2));
    // most warps need not wait for each other
    if ((threadIdx.x & 31) == 0 && most > *(volatile unsigned*)&c->speed2)
        atomicMax(&c->speed2, most);
}

__global__ void settle(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    c->count -= c->gone;
    if (c->lost == INT_MAX) return;
    firn_sph_cuda_record* r = &d.records[c->record++];
    firn_sph_describe(d, c->lost, &r->base);
    firn_cuda_record_step(c, &r->base);
    r->base.count = c->count;
    c->halt = r->base.end = FIRN_SPH_CUDA_LOST;
}

__global__ void __launch_bounds__(THREADS) collect(const __grid_constant__ firn_sph_device d)
{
    const int k = firn_sph_thread();
    if (firn_sph_idle(d, k)) return;
    const uint32_t p = d.order[k];
    d.sorted[0][k] = d.at[p];
    d.sorted[1][k] = d.motion[p];
    d.sorted[2][k] = d.strain0[p];
    d.sorted[3][k] = d.strain1[p];
    d.sorted[4][k] = d.strain2[p];
    d.sorted[5][k] = d.pull[p];
    if (d.varied != nullptr) d.sorted[6][k] = d.varied[p];
    d.tag_sorted[k] = d.tag[p];
    if (d.emitter != nullptr) d.emitter_sorted[k] = d.emitter[p];
    if (d.warmth != nullptr) d.warmth_sorted[k] = d.warmth[p];
}

__global__ void __launch_bounds__(THREADS) put_back(const __grid_constant__ firn_sph_device d)
{
    const int k = firn_sph_thread();
    if (firn_sph_idle(d, k)) return;
    d.at[k] = d.sorted[0][k];
    d.motion[k] = d.sorted[1][k];
    d.strain0[k] = d.sorted[2][k];
    d.strain1[k] = d.sorted[3][k];
    d.strain2[k] = d.sorted[4][k];
    d.pull[k] = d.sorted[5][k];
    if (d.varied != nullptr) d.varied[k] = d.sorted[6][k];
    d.tag[k] = d.tag_sorted[k];
    if (d.emitter != nullptr) d.emitter[k] = d.emitter_sorted[k];
    if (d.warmth != nullptr) d.warmth[k] = d.warmth_sorted[k];
}

// What is sorted: snow, or boundary particles.
struct sorted {
    firn_sph_cells cells;
    const uint64_t* key;
    int *count, *cell_count;
    int* needed;   // cells, if there were room for them
    int fixed;     // where `count` is null
    int capacity;  // of the scan
};

__device__ int count_of(const sorted& s)
{
    return s.count != nullptr ? *s.count : s.fixed;
}

__global__ void __launch_bounds__(THREADS) mark(const __grid_constant__ sorted s)
{
    const int k = firn_sph_thread();
    if (k >= s.capacity) return;
    s.cells.cell[k] = k < count_of(s) && (k == 0 || s.key[k] != s.key[k - 1]);
}

// `cell` has the number of cells that begin before each; afterwards that of its own.
__global__ void __launch_bounds__(THREADS) tabulate(const __grid_constant__ sorted s)
{
    const int k = firn_sph_thread(), count = count_of(s);
    if (count == 0 && k == 0) {
        *s.cell_count = *s.needed = 0;
        s.cells.begin[0] = 0;
    }
    if (k >= count) return;
    const uint32_t begins = k == 0 || s.key[k] != s.key[k - 1], cell = s.cells.cell[k];
    const uint32_t room = (uint32_t)s.cells.capacity, after = cell + begins;
    if (begins && cell < room) s.cells.key[cell] = s.key[k];
    if (begins && cell <= room) s.cells.begin[cell] = (uint32_t)k;
    s.cells.cell[k] = after - 1;
    if (k != count - 1) return;
    *s.needed = (int)after;
    *s.cell_count = (int)min(after, room);
    if (after <= room) s.cells.begin[after] = (uint32_t)count;
}

cudaError_t launch_cells(const firn_sph_device* d, const sorted& s, cudaStream_t stream)
{
    const int blocks = (s.capacity + THREADS - 1) / THREADS;
    size_t bytes = d->scratch_bytes;
    mark<<<blocks, THREADS, 0, stream>>>(s);
    const cudaError_t e = firn_cuda_scan(s.cells.cell, s.capacity, d->scratch, &bytes, stream);
    tabulate<<<blocks, THREADS, 0, stream>>>(s);
    return e;
}

__global__ void __launch_bounds__(THREADS) wall_keys(const __grid_constant__ firn_sph_device d)
{
    const int b = firn_sph_thread();
    if (d.control->halt != 0 || b >= d.wall.count) return;
    d.wall.sort_key[b] = key_of(firn_sph_xyz(d.wall.loose_x[b]), d.spacing);
    d.wall.number[b] = (uint32_t)b;
}

__global__ void __launch_bounds__(THREADS) collect_wall(const __grid_constant__ firn_sph_device d)
{
    const int k = firn_sph_thread();
    if (d.control->halt != 0 || k >= d.wall.count) return;
    const uint32_t b = d.wall.order[k];
    d.wall.x[k] = d.wall.loose_x[b];
    d.wall.v[k] = d.wall.loose_v[b];
    d.wall.n[k] = d.wall.loose_n[b];
}

}  // namespace

cudaError_t firn_sph_sort_scratch(int count, size_t* out_bytes)
{
    size_t sort = 0, scan = 0;
    const firn_cuda_sort_args a = {nullptr, nullptr, count, 3 * FIRN_SPH_AXIS_BITS + 1};
    cudaError_t e = firn_cuda_sort_64(&a, nullptr, nullptr, nullptr, &sort, nullptr);
    if (e == cudaSuccess) e = firn_cuda_scan(nullptr, count, nullptr, &scan, nullptr);
    *out_bytes = sort > scan ? sort : scan;
    return e;
}

cudaError_t firn_sph_launch_sort(const firn_sph_device* d, cudaStream_t stream)
{
    keys<<<d->blocks, THREADS, 0, stream>>>(*d);
    settle<<<1, 1, 0, stream>>>(*d);
    const firn_cuda_sort_args a = {d->number, d->order, d->capacity, 3 * FIRN_SPH_AXIS_BITS + 1};
    size_t bytes = d->scratch_bytes;
    const cudaError_t e =
        firn_cuda_sort_64(&a, d->sort_key, d->sort_key_out, d->scratch, &bytes, stream);
    if (e != cudaSuccess) return e;
    collect<<<d->blocks, THREADS, 0, stream>>>(*d);
    put_back<<<d->blocks, THREADS, 0, stream>>>(*d);
    firn_sph_control* c = d->control;
    const sorted s = {d->cells, d->sort_key_out, &c->count, &c->cell_count, &c->cells_needed,
                      0,        d->capacity};
    return launch_cells(d, s, stream);
}

cudaError_t firn_sph_launch_sort_wall(const firn_sph_device* d, cudaStream_t stream)
{
    const firn_sph_wall* w = &d->wall;
    if (w->count == 0) return cudaSuccess;
    const int blocks = (w->count + THREADS - 1) / THREADS;
    wall_keys<<<blocks, THREADS, 0, stream>>>(*d);
    const firn_cuda_sort_args a = {w->number, w->order, w->count, 3 * FIRN_SPH_AXIS_BITS + 1};
    size_t bytes = d->scratch_bytes;
    const cudaError_t e =
        firn_cuda_sort_64(&a, w->sort_key, w->sort_key_out, d->scratch, &bytes, stream);
    if (e != cudaSuccess) return e;
    collect_wall<<<blocks, THREADS, 0, stream>>>(*d);
    int* cells = &d->control->wall_cell_count;  // there is room for as many as particles
    const sorted s = {w->cells, w->sort_key_out, nullptr, cells, cells, w->count, w->count};
    return launch_cells(d, s, stream);
}
