// SPDX-License-Identifier: MIT
// Contact of snow with colliders on a GPU (support/boundary_contact.c, boundary/boundary.c): posing
// boundary particles, finding blocks of space where surfaces are not sampled yet, and the sums over
// boundary particles.
#include "device/cuda_sort.cuh"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/heat.h"
#include "solver/sph/laws/mirror.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// V_b scales as in boundary.c. Particles of a collider that was removed are far away.
__global__ void __launch_bounds__(THREADS) pose(const __grid_constant__ firn_sph_device d)
{
    const int b = firn_sph_thread();
    if (d.control->halt != 0 || b >= d.wall.count) return;
    const float4 own = d.wall.own[b], own_normal = d.wall.own_normal[b];
    const int body = __float_as_int(own_normal.w);
    const firn_collider* collider = &d.bodies.bodies[body];
    const firn_pose* at = &collider->pose;
    if (collider->deforming != NULL && !collider->removed) return;  // boundary_deforming.cu
    if (collider->removed) {
        d.wall.loose_x[b] = make_float4(1e30f, 1e30f, 1e30f, 0);
        d.wall.loose_v[b] = make_float4(0, 0, 0, own_normal.w);
        d.wall.loose_n[b] = make_float4(0, 0, 0, 0);
        return;
    }
    const double scale = (double)at->scale;
    const float grown = (float)(d.deforming.sampled[body].scale * scale * scale);
    const firn_vec3 x = firn_pose_to_world(at, firn_sph_xyz(own));
    const firn_vec3 n = firn_m3_mul_v3(at->rotation, firn_sph_xyz(own_normal));
    d.wall.loose_x[b] = firn_sph_quad(x, own.w * grown);
    d.wall.loose_v[b] = firn_sph_quad(firn_pose_velocity(at, x), own_normal.w);
    d.wall.loose_n[b] = firn_sph_quad(n, 0);
}

// The fastest boundary particle with snow near its cell, where it is faster than all snow.
__global__ void __launch_bounds__(THREADS) wall_speed(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    const int cell = firn_sph_thread();
    if (c->halt != 0 || cell >= c->wall_cell_count) return;
    const firn_sph_cells& wall = d.wall.cells;
    float most = __uint_as_float(c->speed2);
    const float snow = most;
    for (uint32_t b = wall.begin[cell]; b < wall.begin[cell + 1]; b++) {
        const firn_vec3 v = firn_sph_xyz(d.wall.v[b]);
        most = firn_max(firn_v3_dot(v, v), most);
    }
    if (most > snow && firn_sph_snow_near(d.cells.key, c->cell_count, wall.key[cell]))
        atomicMax(&c->body_speed2, __float_as_uint(most));
}

// Remembers a block that needs samples. A table that is full drops it: it is found again when the
// step is tried again.
__device__ void want(const firn_sph_device& d, uint64_t key)
{
    unsigned slot = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 48) & (FIRN_SPH_WANTED - 1);
    for (int tries = 0; tries < 64; tries++, slot = (slot + 1) & (FIRN_SPH_WANTED - 1)) {
        const unsigned long long before =
            atomicCAS((unsigned long long*)&d.wanted[slot], 0ull, (unsigned long long)key);
        if (before == 0 || before == key) break;
    }
    atomicOr(&d.control->missing, 1);
}

__device__ void look_at(const firn_sph_device& d, int body, firn_vec3 x, double edge)
{
    firn_sph_block block;
    block.body = body;
    block.at[0] = (int32_t)floor((double)x.x / edge);
    block.at[1] = (int32_t)floor((double)x.y / edge);
    block.at[2] = (int32_t)floor((double)x.z / edge);
    const uint64_t key = firn_sph_block_key(block);
    const int at = firn_key_search(d.known, d.known_count, key);
    if (at == d.known_count || d.known[at] != key) want(d, key);
}

// The middle of each cell: near which colliders, and are their surfaces sampled there?
__global__ void __launch_bounds__(THREADS) look(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    if (c->halt != 0 || c->stale != 0) return;  // blocks depend on the scale
    const int cells = c->cell_count, stride = (int)(gridDim.x * blockDim.x);
    const float r = (float)(FIRN_SPH_REACH * d.spacing);
    const double edge = FIRN_SPH_BLOCK * d.spacing;
    for (int cell = firn_sph_thread(); cell < cells; cell += stride) {
        const firn_vec3 x = firn_sph_cell_middle(d.cells.key[cell], d.spacing);
        const firn_vec3 low = firn_v3(x.x - r, x.y - r, x.z - r);
        const firn_vec3 high = firn_v3(x.x + r, x.y + r, x.z + r);
        bool resting = false;
        for (int b = 0; b < d.bodies.count; b++) {
            const firn_collider* body = &d.bodies.bodies[b];
            if (body->removed || body->deforming != NULL) continue;
            if (firn_collider_misses_box(body, low, high)) continue;
            if (firn_collider_rests(body))
                resting = true;
            else
                look_at(d, b, firn_pose_to_body(&body->pose, x),
                        edge / d.deforming.sampled[b].scale);
        }
        if (resting) look_at(d, -1, x, edge);
    }
}

// contact_first[cell]: as many records as the cell has particles, or none.
__global__ void __launch_bounds__(THREADS) count(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int cell = firn_sph_thread();
    if (cell > d.cells.capacity) return;
    uint32_t own = 0;
    if (c->halt == 0 && cell < c->cell_count) {
        const uint64_t key = d.cells.key[cell];
        bool any = false;
        for (int row = 0; row < 9 && !any; row++) {
            const int2 run = firn_sph_run(d.wall.cells, c->wall_cell_count, key, row);
            any = run.x < run.y;
        }
        if (any) own = d.cells.begin[cell + 1] - d.cells.begin[cell];
    }
    d.contact_first[cell] = own;
}

__global__ void __launch_bounds__(THREADS) sum(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const int k = firn_sph_contact_of(d, i);
    if (k < 0) return;
    firn_sph_contact_sums t = firn_sph_contact_none(i);
    firn_sph_asker a = {};
    a.x = firn_sph_xyz(d.at[i]);
    a.h = d.h;
    a.rest_density = d.strain2[i].w;
    const firn_sph_material* mat = &d.materials[d.tag[i].y];
    a.fluid = mat->phase != FIRN_PHASE_SNOW;
    a.coulomb = d.coulomb && !a.fluid;
    const uint64_t key = d.cells.key[d.cells.cell[i]];
    for (int row = 0; row < 9; row++) {
        const int2 run = firn_sph_run(d.wall.cells, c->wall_cell_count, key, row);
        for (int b = run.x; b < run.y; b++) {
            const firn_sph_sample s = firn_sph_sample_at(d, b);
            const firn_collider* body = &d.bodies.bodies[s.body];
            const float kernel = firn_sph_contact_add(&a, &s, body, &t);
            if (d.climate != nullptr)
                firn_sph_contact_warm(body, kernel, d.snow[d.tag[i].y].conductivity, a.h, &t);
        }
    }
    firn_sph_contact_smooth(&a, d.paper_contact, &t);
    firn_sph_contact_rub(&a, &t);
    firn_sph_contact_face(a.h, &t);
    t.fluid = a.fluid;
    if (a.fluid) firn_sph_contact_mirror(&a, mat, d.boundary_volume, d.at[i].w, &t);
    d.contact[k] = t;
    d.contact_B[k] = firn_sph_quad(t.gradient, t.divergence);
    d.contact_LB[k] = make_float4(0, 0, 0, t.kernel);
}

}  // namespace

void firn_sph_launch_pose(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->wall.count > 0)
        pose<<<(d->wall.count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_wall_speed(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->wall.count > 0)
        wall_speed<<<(d->wall.count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_look(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->bodies.count > 0) look<<<d->blocks, THREADS, 0, stream>>>(*d);
}

cudaError_t firn_sph_launch_contacts(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->wall.count == 0) return cudaGetLastError();
    size_t bytes = d->scratch_bytes;
    const int cells = d->cells.capacity + 1;
    count<<<(cells + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*d);
    const cudaError_t e = firn_cuda_scan(d->contact_first, cells, d->scratch, &bytes, stream);
    if (e != cudaSuccess) return e;
    sum<<<d->blocks, THREADS, 0, stream>>>(*d);
    return cudaGetLastError();
}
