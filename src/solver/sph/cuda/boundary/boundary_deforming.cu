// SPDX-License-Identifier: MIT
// Boundary particles of deforming colliders on a GPU (boundary/boundary_deforming.c, boundary.c):
// which of these colliders have snow near, how their particles follow the surface, and their
// volumes. The host makes key frames and samples; a step that finds others than it needs ends, and
// the host brings them (sph_cuda_deforming.cu).
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/boundary_pose.h"
#include "solver/sph/laws/boundary_volume.h"
#include "solver/sph/laws/sampled_scale.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) find_near(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    const int stride = (int)(gridDim.x * blockDim.x);
    const float r = (float)(FIRN_SPH_REACH * d.spacing);
    for (int cell = firn_sph_thread(); cell < c->cell_count; cell += stride) {
        const firn_vec3 x = firn_sph_cell_middle(d.cells.key[cell], d.spacing);
        const firn_vec3 low = firn_v3(x.x - r, x.y - r, x.z - r);
        const firn_vec3 high = firn_v3(x.x + r, x.y + r, x.z + r);
        for (int b = 0; b < d.bodies.count; b++) {
            const firn_collider* body = &d.bodies.bodies[b];
            if (body->deforming == NULL || body->removed || d.deforming.near[b] != 0) continue;
            if (!firn_collider_misses_box(body, low, high)) d.deforming.near[b] = 1;
        }
    }
}

// Are all colliders sampled for their scale, and for the key frames that they are between?
__global__ void check(const __grid_constant__ firn_sph_device d)
{
    if (d.control->halt != 0) return;
    for (int b = (int)threadIdx.x; b < d.bodies.count; b += (int)blockDim.x) {
        const firn_collider* body = &d.bodies.bodies[b];
        const firn_sph_sampled* s = &d.deforming.sampled[b];
        if (body->removed) continue;
        const bool moved = body->deforming != NULL && d.deforming.near[b] != 0 &&
                           (s->follows == 0 || s->time[0] != body->deform.a->time ||
                            s->time[1] != body->deform.b->time);
        if (moved || s->scale != firn_sph_sampled_scale(body))
            d.control->stale = d.control->missing = 1;
    }
}

// Position and velocity of the particle of a record, on the surface.
__device__ firn_vec3 follow(const firn_sph_device& d, const firn_collider* body, float4 own, int b,
                            firn_vec3* out_velocity)
{
    const firn_sph_sampled* s = &d.deforming.sampled[b];
    if (s->on_triangles == 0) {
        const firn_vec3 x = firn_pose_to_world(
            &body->pose, firn_sph_follow_surface(&body->deform, firn_sph_xyz(own)));
        *out_velocity = firn_collider_velocity(body, x);
        return x;
    }
    const int32_t* corner = d.deforming.corner + 3 * (s->corner_first + __float_as_int(own.w));
    firn_vec3 from[3], to[3], own_velocity;
    for (int k = 0; k < 3; k++) {
        from[k] = d.deforming.from[s->vertex_first + corner[k]];
        to[k] = d.deforming.to[s->vertex_first + corner[k]];
    }
    const firn_vec3 x =
        firn_pose_to_world(&body->pose, firn_sph_follow_triangle(from, to, firn_sph_xyz(own),
                                                                 &body->deform, &own_velocity));
    *out_velocity = firn_sph_follow_velocity(&body->pose, x, own_velocity);
    return x;
}

// Particles of colliders without snow near are far away, as those of removed ones.
__global__ void __launch_bounds__(THREADS) pose(const __grid_constant__ firn_sph_device d)
{
    const int k = firn_sph_thread();
    if (d.control->halt != 0 || d.control->stale != 0 || k >= d.wall.count) return;
    const float tag = d.wall.own_normal[k].w;
    const int b = __float_as_int(tag);
    const firn_collider* body = &d.bodies.bodies[b];
    if (body->deforming == NULL || body->removed) return;
    if (d.deforming.near[b] == 0) {
        d.wall.loose_x[k] = make_float4(1e30f, 1e30f, 1e30f, 0);
        d.wall.loose_v[k] = make_float4(0, 0, 0, tag);
        d.wall.loose_n[k] = make_float4(0, 0, 0, 0);
        return;
    }
    firn_vec3 v, n;
    const firn_vec3 on = follow(d, body, d.wall.own[k], b, &v);
    const firn_vec3 x = firn_sph_sink(body, &d.bodies.shapes, on, d.deforming.depth, &n);
    d.wall.loose_x[k] = firn_sph_quad(x, 0);
    d.wall.loose_v[k] = firn_sph_quad(v, tag);
    d.wall.loose_n[k] = firn_sph_quad(n, 0);
}

// V_b over the particles of the same collider, in the order of boundary_volume.c: cells by z, y, x.
__global__ void __launch_bounds__(THREADS) volumes(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || c->stale != 0 || k >= d.wall.count) return;
    const int b = __float_as_int(d.wall.v[k].w);
    if (d.bodies.bodies[b].deforming == NULL || d.deforming.near[b] == 0) return;
    const firn_sph_cells& cells = d.wall.cells;
    const firn_vec3 x = firn_sph_xyz(d.wall.x[k]);
    const uint64_t along_x = (uint64_t)1 << (2 * FIRN_SPH_AXIS_BITS);
    const uint64_t along_y = (uint64_t)1 << FIRN_SPH_AXIS_BITS;
    const uint64_t corner = cells.key[cells.cell[k]] - along_x - along_y - 1;
    double sum = 0;
    for (int n = 0; n < 27; n++) {
        const uint64_t key = corner + (uint64_t)(n % 3) * along_x +
                             (uint64_t)(n / 3 % 3) * along_y + (uint64_t)(n / 9);
        const int cell = firn_key_search(cells.key, c->wall_cell_count, key);
        if (cell == c->wall_cell_count || cells.key[cell] != key) continue;
        for (uint32_t other = cells.begin[cell]; other < cells.begin[cell + 1]; other++)
            if (__float_as_int(d.wall.v[other].w) == b)
                sum += firn_boundary_kernel(x, firn_sph_xyz(d.wall.x[other]), d.spacing);
    }
    d.wall.x[k].w = firn_boundary_volume(sum, d.spacing, d.deforming.factor);
}

int wall_blocks(const firn_sph_device* d)
{
    return (d->wall.count + THREADS - 1) / THREADS;
}

}  // namespace

cudaError_t firn_sph_launch_pose_deforming(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->bodies.count == 0) return cudaSuccess;
    if (d->deforming.count > 0) {
        const cudaError_t e = cudaMemsetAsync(
            d->deforming.near, 0, (size_t)d->bodies.count * sizeof *d->deforming.near, stream);
        if (e != cudaSuccess) return e;
        find_near<<<d->blocks, THREADS, 0, stream>>>(*d);
    }
    check<<<1, 64, 0, stream>>>(*d);
    if (d->deforming.count > 0 && d->wall.count > 0)
        pose<<<wall_blocks(d), THREADS, 0, stream>>>(*d);
    return cudaGetLastError();
}

void firn_sph_launch_wall_volumes(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->deforming.count > 0 && d->wall.count > 0)
        volumes<<<wall_blocks(d), THREADS, 0, stream>>>(*d);
}
