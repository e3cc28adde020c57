// SPDX-License-Identifier: MIT
// Copies a picture's snow, surfaces and lights to a CUDA device, into one block of its memory.
#include "core/memory.h"
#include "device/cuda_block.cuh"
#include "render/path/cuda/picture_cuda.cuh"

namespace {

const char* const DOING = "bringing a picture's scene to the device";

size_t window_blocks(const firn_medium* m)
{
    return (size_t)m->size[0] * (size_t)m->size[1] * (size_t)m->size[2];
}

// A block of threads per block of cells, a thread per cell.
__global__ void copy_corners(const float* nodes, float* corners)
{
    const int k = (int)threadIdx.x, x = k & 7, y = k >> 3 & 7, z = k >> 6;
    const float* n = nodes + (size_t)blockIdx.x * FIRN_MEDIUM_NODES + (size_t)((z * 9 + y) * 9 + x);
    float4* to = (float4*)(corners + ((size_t)blockIdx.x * 512 + (size_t)k) * 8);
    to[0] = make_float4(n[0], n[1], n[9], n[10]);
    to[1] = make_float4(n[81], n[82], n[90], n[91]);
}

size_t corners_of(const firn_medium* m)
{
    return (size_t)m->block_count * 512 * 8;
}

void bring_medium(firn_cuda_block* b, bool with_corners, firn_medium* m)
{
    m->at = nullptr;  // only the host asks
    m->table = firn_cuda_bring(b, m->table, window_blocks(m));
    m->nodes = firn_cuda_bring(b, m->nodes, (size_t)m->block_count * FIRN_MEDIUM_NODES);
    m->cells = firn_cuda_bring(b, m->cells, (size_t)m->block_count);
    if (!with_corners || m->block_count == 0) return;
    m->corners = firn_cuda_room<float>(b, corners_of(m));
    if (m->corners == nullptr || b->status != cudaSuccess) return;
    copy_corners<<<(unsigned)m->block_count, 512, 0, b->stream>>>(m->nodes, m->corners);
    b->status = cudaGetLastError();
}

// Corners take six times the room of nodes: where they would take a quarter of what is free, paths
// read the nodes.
bool has_room_for_corners(const firn_lane_scene* scene)
{
    size_t bytes = 0, free_bytes = 0, total = 0;
    for (int k = 0; k < scene->count; k++)
        bytes += corners_of(&scene->at[k].medium) * sizeof(float);
    if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) return (void)cudaGetLastError(), false;
    return bytes < free_bytes / 4;
}

// `solids`: scratch, copies of the host's with the device's addresses.
void bring_bvh(firn_cuda_block* b, firn_bvh* bvh, const firn_bodies_view* bodies,
               firn_solid* solids)
{
    for (int32_t k = 0; k < bvh->solid_count; k++) {
        solids[k] = bvh->solids[k];
        solids[k].tables = bodies->shapes;
        solids[k].collider = bodies->bodies + (bvh->solids[k].collider - bvh->colliders);
    }
    bvh->nodes = firn_cuda_bring(b, bvh->nodes, (size_t)bvh->node_count);
    bvh->items = firn_cuda_bring(b, bvh->items, (size_t)bvh->item_count);
    bvh->parts = firn_cuda_bring(b, bvh->parts, (size_t)bvh->part_count);
    bvh->solids = firn_cuda_bring(b, solids, (size_t)bvh->solid_count);
    bvh->normals = firn_cuda_bring(b, bvh->normals, (size_t)bvh->normal_count);
    bvh->uv = firn_cuda_bring(b, bvh->uv, (size_t)bvh->uv_count);
    bvh->painted = firn_cuda_bring(b, bvh->painted, (size_t)bvh->painted_count);
    bvh->texels = firn_cuda_bring(b, bvh->texels, (size_t)bvh->texel_count);
    bvh->planes = firn_cuda_bring(b, bvh->planes, (size_t)bvh->plane_count);
    bvh->surfaces =
        firn_cuda_bring(b, bvh->surfaces, (size_t)bvh->collider_count + (size_t)bvh->fluid_count);
    bvh->shapes = nullptr;
    bvh->colliders = nullptr;
}

void bring_environment(firn_cuda_block* b, firn_environment* e)
{
    if (e->width == 0) return;
    const size_t texels = (size_t)e->width * (size_t)e->height;
    e->texels = firn_cuda_bring(b, e->texels, texels);
    e->row_cdf = firn_cuda_bring(b, e->row_cdf, (size_t)e->height + 1);
    e->column_cdf = firn_cuda_bring(b, e->column_cdf, texels + (size_t)e->height);
}

// The bodies that the solids of shutter time k refer to: one copy for all times where none deforms.
const firn_colliders_cuda* bodies_of(const firn_cuda_picture* p, int k)
{
    while (k > 0 && p->bodies[k] == nullptr) k--;
    return p->bodies[k];
}

void bring_scene(const firn_cuda_picture* p, firn_lane_scene* copy, firn_solid* solids,
                 bool with_corners, firn_cuda_block* b, firn_lane_scene** out)
{
    *copy = p->scene;
    bring_environment(b, &copy->lights.environment);
    for (int k = 0; k < copy->count; k++) {
        firn_lane_shutter* at = &copy->at[k];
        at->view = firn_path_view{};
        bring_medium(b, with_corners, &at->medium);
        firn_bodies_view bodies = {};
        if (at->bvh.solid_count > 0) bodies = firn_colliders_cuda_view(bodies_of(p, k));
        bring_bvh(b, &at->bvh, &bodies, solids);
    }
    *out = firn_cuda_bring(b, copy, 1);
}

firn_result make_bodies(firn_cuda_picture* p, firn_error* error)
{
    bool deform = true;
    for (int k = 0; k < p->scene.count; k++) {
        const firn_bvh* bvh = &p->scene.at[k].bvh;
        if (bvh->solid_count == 0 || (!deform && bodies_of(p, k) != nullptr)) continue;
        FIRN_TRY(firn_colliders_cuda_create(bvh->shapes, bvh->colliders, bvh->collider_count,
                                            &p->bodies[k], error));
        deform = firn_colliders_cuda_deform(p->bodies[k]);
        if (deform)
            FIRN_TRY(firn_colliders_cuda_move(p->bodies[k], bvh->colliders, bvh->shapes,
                                              p->work.shutter->at[k].time, p->stream, error));
    }
    return FIRN_OK;
}

int32_t most_solids(const firn_lane_scene* scene)
{
    int32_t most = 0;
    for (int k = 0; k < scene->count; k++)
        if (scene->at[k].bvh.solid_count > most) most = scene->at[k].bvh.solid_count;
    return most;
}

}  // namespace

firn_result firn_cuda_picture_upload(firn_cuda_picture* p, firn_error* error)
{
    FIRN_TRY(make_bodies(p, error));
    firn_lane_scene* copy = (firn_lane_scene*)firn_alloc(1, sizeof *copy);
    firn_solid* solids =
        (firn_solid*)firn_alloc((size_t)most_solids(&p->scene) + 1, sizeof *solids);
    firn_result r = copy != nullptr && solids != nullptr
                        ? FIRN_OK
                        : firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture's scene");
    firn_cuda_block b = {nullptr, 0, p->stream, cudaSuccess};
    const bool with_corners = has_room_for_corners(&p->scene);
    if (r == FIRN_OK) {
        bring_scene(p, copy, solids, with_corners, &b, &p->device_scene);
        void* memory = nullptr;
        r = firn_cuda_alloc(&memory, b.used, DOING, error);
        b.base = (char*)memory;
        if (memory != nullptr) {
            p->memory.array[p->memory.count++] = memory;
            p->memory.bytes += b.used;
        }
    }
    if (r == FIRN_OK) {
        b.used = 0;
        bring_scene(p, copy, solids, with_corners, &b, &p->device_scene);
        if (b.status == cudaSuccess) b.status = cudaStreamSynchronize(p->stream);
        if (b.status != cudaSuccess) r = firn_cuda_fail(b.status, DOING, error);
    }
    firn_free(copy);
    firn_free(solids);
    return r;
}
