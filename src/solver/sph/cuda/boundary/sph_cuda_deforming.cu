// SPDX-License-Identifier: MIT
// Brings samples of deforming colliders, and their meshes at the two key frames that they are
// between, to the device; and for which scales surfaces are sampled.
#include "core/memory.h"
#include "solver/sph/boundary/boundary.h"
#include "solver/sph/boundary/boundary_deforming.h"
#include "solver/sph/cuda/sph_cuda_own.cuh"

namespace {

// Vertices and triangles of all deforming colliders.
struct mesh_sizes {
    size_t vertices, triangles;
};

const firn_deforming_samples* samples_of(const firn_sph_cuda* c, int collider, firn_local* first)
{
    if (c->samples.boundary == nullptr) return nullptr;
    return firn_boundary_deforming(c->samples.boundary, collider, first);
}

bool on_triangles(const firn_deforming_samples* s)
{
    return s != nullptr && s->on_triangles;
}

mesh_sizes sizes_of(const firn_sph_cuda* c)
{
    mesh_sizes all = {0, 0};
    firn_local first;
    for (int k = 0; k < c->def.collider_count; k++) {
        const firn_deforming_samples* s = samples_of(c, k, &first);
        if (!on_triangles(s)) continue;
        all.vertices += (size_t)s->a.vertex_count;
        all.triangles += (size_t)s->a.triangle_count;
    }
    return all;
}

cudaError_t bring_mesh(const firn_sph_deforming& d, const firn_deforming_samples* s,
                       const firn_sph_sampled* at)
{
    const size_t points = (size_t)s->a.vertex_count * sizeof *d.from;
    const size_t corners = (size_t)s->a.triangle_count * 3 * sizeof *d.corner;
    const auto up = cudaMemcpyHostToDevice;
    cudaError_t e = cudaMemcpy(d.from + at->vertex_first, s->a.vertices, points, up);
    if (e == cudaSuccess) e = cudaMemcpy(d.to + at->vertex_first, s->b.vertices, points, up);
    if (e == cudaSuccess)
        e = cudaMemcpy(d.corner + 3 * at->corner_first, s->a.triangles, corners, up);
    return e;
}

// The table of what colliders were sampled for, and the meshes.
cudaError_t bring_table(const firn_sph_cuda* c, firn_sph_sampled* table)
{
    int vertices = 0, triangles = 0;
    cudaError_t e = cudaSuccess;
    for (int k = 0; k < c->def.collider_count && e == cudaSuccess; k++) {
        firn_local first;
        const firn_deforming_samples* s = samples_of(c, k, &first);
        firn_sph_sampled* at = &table[k];
        at->scale = firn_boundary_scale(c->samples.boundary, k);
        if (s == nullptr) continue;
        at->follows = 1;
        at->time[0] = s->time_a;
        at->time[1] = s->time_b;
        at->on_triangles = s->on_triangles;
        at->vertex_first = vertices;
        at->corner_first = triangles;
        if (!on_triangles(s)) continue;
        e = bring_mesh(c->d.deforming, s, at);
        vertices += s->a.vertex_count;
        triangles += s->a.triangle_count;
    }
    return e;
}

}  // namespace

void firn_sph_cuda_take_meshes(firn_sph_cuda* c, firn_cuda_taking& t)
{
    const mesh_sizes all = sizes_of(c);
    firn_cuda_take(t, &c->d.deforming.from, all.vertices);
    firn_cuda_take(t, &c->d.deforming.to, all.vertices);
    firn_cuda_take(t, &c->d.deforming.corner, 3 * all.triangles);
}

firn_result firn_sph_cuda_bring_sampled(firn_sph_cuda* c, firn_error* error)
{
    const size_t n = (size_t)c->def.collider_count;
    if (n == 0 || c->samples.boundary == nullptr) return FIRN_OK;
    firn_sph_sampled* table = (firn_sph_sampled*)firn_alloc(n, sizeof *table);
    if (table == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    cudaError_t e = bring_table(c, table);
    if (e == cudaSuccess)
        e = cudaMemcpy(c->d.deforming.sampled, table, n * sizeof *table, cudaMemcpyHostToDevice);
    firn_free(table);
    FIRN_CUDA_TRY(e, error, "copying samples of colliders to the device");
    return FIRN_OK;
}

void firn_sph_cuda_deforming_records(const firn_sph_cuda* c, float4* own)
{
    for (int k = 0; k < c->def.collider_count; k++) {
        firn_local first;
        const firn_deforming_samples* s = samples_of(c, k, &first);
        for (firn_local p = 0; s != nullptr && p < s->count; p++) {
            const firn_vec3 at = on_triangles(s) ? s->weight[p] : s->sampled_position[p];
            float triangle = 0;
            if (on_triangles(s)) __builtin_memcpy(&triangle, &s->triangle[p], sizeof triangle);
            own[first + p] = make_float4(at.x, at.y, at.z, triangle);
        }
    }
}

void firn_sph_cuda_scales(const firn_sph_cuda* c, double* out_scales)
{
    const firn_boundary* b = c->samples.boundary;
    for (int k = 0; k < c->def.collider_count; k++)
        out_scales[k] = b != nullptr ? firn_boundary_scale(b, k) : 0;
}
