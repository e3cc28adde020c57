// SPDX-License-Identifier: MIT
// Copies colliders to a CUDA device.
//
//   create:  one block of memory     nodes | fields … | level sets … | own bounds | keys | bodies
//   move:    one block per key frame  key | level set | velocities, in use by the bodies' poses
//
// One function lists the contents of a block; it runs twice: to count bytes, then to copy.
#include "geometry/collider/colliders_cuda.h"

#include "core/memory.h"
#include "device/cuda_block.cuh"
#include "device/cuda_check.cuh"
#include "geometry/deform/deform_sample.h"

#define MOVES_AHEAD 8  // moves that the host may be ahead of the device

namespace {

typedef firn_cuda_block block;

const firn_level_set* bring_level_set(block* b, const firn_level_set* set)
{
    firn_level_set copy = *set;
    copy.table = firn_cuda_bring(
        b, set->table, (size_t)set->size[0] * (size_t)set->size[1] * (size_t)set->size[2]);
    copy.value = firn_cuda_bring(b, set->value, (size_t)set->block_count * FIRN_LEVEL_SET_NODES);
    copy.users = 0;  // the host counts
    return firn_cuda_bring(b, &copy, 1);
}

const firn_height_field* bring_fields(block* b, const firn_shapes* shapes,
                                      firn_height_field* scratch)
{
    for (firn_local f = 0; f < shapes->field_count; f++) {
        const firn_height_field* field = &shapes->fields[f];
        scratch[f] = *field;
        scratch[f].value = firn_cuda_bring(b, field->value, (size_t)field->nx * (size_t)field->nz);
        int32_t levels;
        scratch[f].steep =
            firn_cuda_bring(b, field->steep, firn_steep_count(field->nx, field->nz, &levels));
    }
    return firn_cuda_bring(b, scratch, (size_t)shapes->field_count);
}

// Shapes that share a level set share its copy.
const firn_level_set* const* bring_level_sets(block* b, const firn_shapes* shapes,
                                              const firn_level_set** scratch)
{
    for (firn_local s = 0; s < shapes->level_set_count; s++) {
        firn_local same = 0;
        while (shapes->level_sets[same] != shapes->level_sets[s]) same++;
        scratch[s] = same < s ? scratch[same] : bring_level_set(b, shapes->level_sets[s]);
    }
    return firn_cuda_bring(b, scratch, (size_t)shapes->level_set_count);
}

// A key frame on the device.
struct device_key {
    const firn_deform_key*
        host;  // a counted reference, so that the address stays unique; null: free
    const firn_deform_key* key;  // on the device
    void* memory;
    size_t bytes;
    bool used;  // by a pose of the last move
};

const firn_deform_key* bring_key(block* b, const firn_deform_key* key)
{
    firn_deform_key copy = *key;
    const firn_velocity_grid* v = &key->velocity;
    copy.phi = bring_level_set(b, key->phi);
    copy.velocity.value =
        firn_cuda_bring(b, v->value, (size_t)v->size[0] * (size_t)v->size[1] * (size_t)v->size[2]);
    copy.users = 0;
    return firn_cuda_bring(b, &copy, 1);
}

firn_box3 nowhere()
{
    const firn_real most = FIRN_REAL_MAX;
    return firn_box3{{most, most, most}, {-most, -most, -most}};
}

}  // namespace

struct firn_colliders_cuda {
    firn_local count;
    firn_bodies_view view;
    bool deforms;
    bool pools;             // the device can allocate in the order of a stream
    void* memory;           // owned, on the device: all that does not change
    size_t bytes;           // of it
    firn_collider* record;  // owned [count]: the bodies as they are on the device
    device_key* keys;       // owned [key_places]
    firn_local key_places;  // two keys a pose, of this move and of the one before
    firn_collider* staged;  // owned, page-locked [MOVES_AHEAD][count]: on their way to the device
    cudaEvent_t sent[MOVES_AHEAD];  // owned: that part of `staged` has arrived
    int next;                       // part of `staged` to use next
};

namespace {

// Host arrays of device addresses, while a scene is uploaded.
struct scratch {
    firn_height_field* fields;
    const firn_level_set** level_sets;
    firn_box3* own;
};

void free_scratch(scratch* s)
{
    firn_free(s->fields);
    firn_free((void*)s->level_sets);
    firn_free(s->own);
}

bool make_scratch(const firn_shapes* shapes, firn_local count, scratch* s)
{
    s->fields = (firn_height_field*)firn_alloc((size_t)shapes->field_count + 1, sizeof *s->fields);
    s->level_sets = (const firn_level_set**)firn_alloc((size_t)shapes->level_set_count + 1,
                                                       sizeof *s->level_sets);
    s->own = (firn_box3*)firn_alloc((size_t)count + 1, sizeof *s->own);
    return s->fields != nullptr && s->level_sets != nullptr && s->own != nullptr;
}

// Constant data, and the initial state of the colliders.
void fill(firn_colliders_cuda* bodies, const firn_shapes* shapes, const firn_collider* colliders,
          scratch* s, block* b)
{
    firn_bodies_view* view = &bodies->view;
    view->shapes.nodes = firn_cuda_bring(b, shapes->nodes, (size_t)shapes->node_count);
    view->shapes.fields = bring_fields(b, shapes, s->fields);
    view->shapes.level_sets = bring_level_sets(b, shapes, s->level_sets);
    for (firn_local c = 0; c < bodies->count; c++) {
        const firn_collider* from = &colliders[c];
        firn_collider* to = &bodies->record[c];
        *to = *from;
        to->motion.keys = nullptr;
        if (from->motion.keys != nullptr && from->motion.key_count > 0)
            to->motion.keys = firn_cuda_bring(b, from->motion.keys, (size_t)from->motion.key_count);
        to->deform = firn_deform_pose{};
        to->reach = nowhere();
        s->own[c] = from->deforming != nullptr ? nowhere() : firn_shape_bounds(shapes, from->shape);
    }
    view->own = firn_cuda_bring(b, s->own, (size_t)bodies->count);
    view->bodies = firn_cuda_bring(b, bodies->record, (size_t)bodies->count);
    view->count = bodies->count;
}

firn_result upload(firn_colliders_cuda* bodies, const firn_shapes* shapes,
                   const firn_collider* colliders, scratch* s, firn_error* error)
{
    block b = {nullptr, 0, nullptr, cudaSuccess};
    fill(bodies, shapes, colliders, s, &b);
    FIRN_TRY(firn_cuda_alloc(&bodies->memory, b.used, "making room for the scene's bodies", error));
    bodies->bytes = b.used;
    b.base = (char*)bodies->memory;
    b.used = 0;
    fill(bodies, shapes, colliders, s, &b);
    FIRN_CUDA_TRY(b.status, error, "bringing the scene's bodies to the device");
    FIRN_CUDA_TRY(cudaStreamSynchronize(nullptr), error,
                  "bringing the scene's bodies to the device");
    return FIRN_OK;
}

firn_result make_stage(firn_colliders_cuda* bodies, firn_error* error)
{
    const size_t bytes = MOVES_AHEAD * (size_t)bodies->count * sizeof *bodies->staged;
    FIRN_CUDA_TRY(cudaMallocHost((void**)&bodies->staged, bytes), error,
                  "locking memory for the poses of bodies");
    for (int k = 0; k < MOVES_AHEAD; k++)
        FIRN_CUDA_TRY(cudaEventCreateWithFlags(&bodies->sent[k], cudaEventDisableTiming), error,
                      "preparing to move bodies");
    int device = 0, pools = 0;
    FIRN_CUDA_TRY(cudaGetDevice(&device), error, "preparing to move bodies");
    FIRN_CUDA_TRY(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device), error,
                  "preparing to move bodies");
    bodies->pools = pools != 0;
    return FIRN_OK;
}

// A key that no pose uses any more: freed once the stream is past its users. cudaFree, where there
// are no pools, waits for them.
void drop_key(firn_colliders_cuda* bodies, device_key* k, cudaStream_t stream)
{
    if (bodies->pools)
        (void)cudaFreeAsync(k->memory, stream);
    else
        (void)cudaFree(k->memory);
    firn_deform_key_release(k->host);
    *k = device_key{};
}

firn_result add_key(firn_colliders_cuda* bodies, const firn_deform_key* host, device_key* out_key,
                    cudaStream_t stream, firn_error* error)
{
    const char* doing = "bringing a key frame of a deforming body to the device";
    block b = {nullptr, 0, stream, cudaSuccess};
    bring_key(&b, host);
    device_key k = {host, nullptr, nullptr, b.used, true};
    if (bodies->pools) {
        const cudaError_t status = cudaMallocAsync(&k.memory, b.used, stream);
        if (status == cudaErrorMemoryAllocation) {
            (void)cudaGetLastError();
            return firn_cuda_no_memory(b.used, doing, error);
        }
        FIRN_CUDA_TRY(status, error, doing);
    } else {
        FIRN_TRY(firn_cuda_alloc(&k.memory, b.used, doing, error));
    }
    b.base = (char*)k.memory;
    b.used = 0;
    k.key = bring_key(&b, host);
    firn_deform_key_share(host);
    if (b.status != cudaSuccess) drop_key(bodies, &k, stream);
    FIRN_CUDA_TRY(b.status, error, doing);
    *out_key = k;
    return FIRN_OK;
}

// The device's copy of a key, uploaded if it is new.
firn_result use_key(firn_colliders_cuda* bodies, const firn_deform_key* host, cudaStream_t stream,
                    const firn_deform_key** out_key, firn_error* error)
{
    device_key* place = nullptr;
    for (firn_local k = 0; k < bodies->key_places; k++) {
        device_key* at = &bodies->keys[k];
        if (at->host == host) {
            at->used = true;
            *out_key = at->key;
            return FIRN_OK;
        }
        if (at->host == nullptr && place == nullptr) place = at;
    }
    FIRN_ASSERT(place != nullptr);
    FIRN_TRY(add_key(bodies, host, place, stream, error));
    *out_key = place->key;
    return FIRN_OK;
}

// Copies from the host what moves the collider.
void take_driver(firn_collider* record, const firn_collider* host)
{
    record->moved_by = host->moved_by;
    record->drive = host->drive;
    record->drive_time = host->drive_time;
    record->removed = host->removed;
}

// Uploads the records, in the order of the stream.
firn_result send(firn_colliders_cuda* bodies, cudaStream_t queue, firn_error* error)
{
    const int part = bodies->next;
    bodies->next = (part + 1) % MOVES_AHEAD;
    FIRN_CUDA_TRY(cudaEventSynchronize(bodies->sent[part]), error, "waiting for the device");
    firn_collider* staged = bodies->staged + (size_t)part * (size_t)bodies->count;
    for (firn_local c = 0; c < bodies->count; c++) staged[c] = bodies->record[c];
    FIRN_CUDA_TRY(cudaMemcpyAsync(bodies->view.bodies, staged,
                                  (size_t)bodies->count * sizeof *staged, cudaMemcpyHostToDevice,
                                  queue),
                  error, "bringing the poses of bodies to the device");
    FIRN_CUDA_TRY(cudaEventRecord(bodies->sent[part], queue), error,
                  "bringing the poses of bodies to the device");
    return FIRN_OK;
}

// Fills the records for the poses of `host`.
firn_result pose_records(firn_colliders_cuda* bodies, const firn_collider* host,
                         cudaStream_t stream, firn_error* error)
{
    for (firn_local k = 0; k < bodies->key_places; k++) bodies->keys[k].used = false;
    for (firn_local c = 0; c < bodies->count; c++) {
        firn_collider* record = &bodies->record[c];
        take_driver(record, &host[c]);
        record->pose = host[c].pose;
        record->reach = host[c].reach;
        if (host[c].deforming == nullptr || host[c].removed) continue;
        firn_deform_pose deform = host[c].deform;
        FIRN_TRY(use_key(bodies, host[c].deform.a, stream, &deform.a, error));
        FIRN_TRY(use_key(bodies, host[c].deform.b, stream, &deform.b, error));
        record->deform = deform;
    }
    return FIRN_OK;
}

}  // namespace

extern "C" firn_result firn_colliders_cuda_create(const firn_shapes* shapes,
                                                  const firn_collider* colliders, firn_local count,
                                                  firn_colliders_cuda** out_bodies,
                                                  firn_error* error)
{
    firn_colliders_cuda* bodies = (firn_colliders_cuda*)firn_alloc(1, sizeof *bodies);
    if (bodies == nullptr)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the bodies of a device");
    bodies->count = count;
    firn_local deforming = 0;
    for (firn_local c = 0; c < count; c++) deforming += colliders[c].deforming != nullptr ? 1 : 0;
    bodies->deforms = deforming > 0;
    bodies->key_places = 4 * deforming;
    bodies->record = (firn_collider*)firn_alloc((size_t)count + 1, sizeof *bodies->record);
    bodies->keys = (device_key*)firn_alloc((size_t)bodies->key_places + 1, sizeof *bodies->keys);
    scratch s = {};
    firn_result result = FIRN_OK;
    if (!make_scratch(shapes, count, &s) || bodies->record == nullptr || bodies->keys == nullptr)
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the %d bodies of a device",
                           (int)count);
    if (result == FIRN_OK) result = upload(bodies, shapes, colliders, &s, error);
    if (result == FIRN_OK && count > 0) result = make_stage(bodies, error);
    free_scratch(&s);
    if (result != FIRN_OK) {
        firn_colliders_cuda_destroy(bodies);
        return result;
    }
    *out_bodies = bodies;
    return FIRN_OK;
}

extern "C" void firn_colliders_cuda_destroy(firn_colliders_cuda* bodies)
{
    if (bodies == nullptr) return;
    for (firn_local k = 0; bodies->keys != nullptr && k < bodies->key_places; k++) {
        if (bodies->keys[k].host == nullptr) continue;
        (void)cudaFree(bodies->keys[k].memory);  // in pools or not
        firn_deform_key_release(bodies->keys[k].host);
    }
    for (int k = 0; k < MOVES_AHEAD; k++)
        if (bodies->sent[k] != nullptr) (void)cudaEventDestroy(bodies->sent[k]);
    if (bodies->staged != nullptr) (void)cudaFreeHost(bodies->staged);
    if (bodies->memory != nullptr) (void)cudaFree(bodies->memory);
    (void)cudaGetLastError();  // a lost device cannot free; clear the error for later calls
    firn_free(bodies->keys);
    firn_free(bodies->record);
    firn_free(bodies);
}

extern "C" firn_bodies_view firn_colliders_cuda_view(const firn_colliders_cuda* bodies)
{
    return bodies->view;
}

extern "C" size_t firn_colliders_cuda_bytes(const firn_colliders_cuda* bodies)
{
    size_t bytes = bodies->bytes;
    for (firn_local k = 0; k < bodies->key_places; k++) bytes += bodies->keys[k].bytes;
    return bytes;
}

extern "C" bool firn_colliders_cuda_deform(const firn_colliders_cuda* bodies)
{
    return bodies->deforms;
}

extern "C" firn_result firn_colliders_cuda_move(firn_colliders_cuda* bodies, firn_collider* host,
                                                const firn_shapes* shapes, double time,
                                                void* stream, firn_error* error)
{
    if (bodies->count == 0) return FIRN_OK;
    const cudaStream_t queue = (cudaStream_t)stream;
    for (firn_local c = 0; c < bodies->count; c++)
        FIRN_TRY(firn_collider_move(&host[c], shapes, time, error));
    FIRN_TRY(pose_records(bodies, host, queue, error));
    FIRN_TRY(send(bodies, queue, error));
    for (firn_local k = 0; k < bodies->key_places; k++)
        if (bodies->keys[k].host != nullptr && !bodies->keys[k].used)
            drop_key(bodies, &bodies->keys[k], queue);
    return FIRN_OK;
}

extern "C" firn_result firn_colliders_cuda_drive(firn_colliders_cuda* bodies,
                                                 const firn_collider* host, void* stream,
                                                 firn_error* error)
{
    if (bodies->count == 0) return FIRN_OK;
    for (firn_local c = 0; c < bodies->count; c++) {
        firn_collider* record = &bodies->record[c];
        take_driver(record, &host[c]);
        if (record->deforming == nullptr || record->removed)
            record->reach = nowhere();  // kernels pose it again
    }
    return send(bodies, (cudaStream_t)stream, error);
}
