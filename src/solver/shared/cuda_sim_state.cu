// SPDX-License-Identifier: MIT
// Particles between host and device, field by field through a staging array; and the snapshot.
#include <cstring>

#include "core/memory.h"
#include "firn/device.h"
#include "scene/run/gravity.h"
#include "solver/shared/cuda/cuda_forces.cuh"
#include "solver/shared/cuda_sim.cuh"

namespace {

const int THREADS = 256;
const int STAGED = 1 << 20;                    // particles that are on their way at once
const size_t STAGED_EACH = 9 * sizeof(float);  // bytes of the widest field: a matrix
const int PARTS = 4;                           // most arrays that one field lies in

// A field among the arrays of the state.
struct field_view {
    uint32_t* part[PARTS];
    int stride;     // words of an element
    int word, run;  // as firn_cuda_field
    int words;      // of the field
    int shift, bits;
};

// Particles first .. first + n of one field: from the staging array, or into it. As bits: an
// integer may look like a signalling NaN.
__global__ void __launch_bounds__(THREADS)
    move_field(const __grid_constant__ field_view f, int first, int n, void* staged, bool in)
{
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS) {
        const size_t at = (size_t)(first + k) * f.stride + f.word;
        if (f.bits > 0) {
            uint32_t* word = f.part[0] + at;
            uint8_t* byte = (uint8_t*)staged + k;
            const uint32_t mask = (1u << f.bits) - 1u;
            if (in)
                *word = (*word & ~(mask << f.shift)) | (*byte & mask) << f.shift;
            else
                *byte = (uint8_t)(*word >> f.shift & mask);
            continue;
        }
        uint32_t* other = (uint32_t*)staged + (size_t)k * f.words;
        for (int w = 0; w < f.words; w++) {
            uint32_t* word = f.part[w / f.run] + at + w % f.run;
            *(in ? word : other + w) = *(in ? other + w : word);
        }
    }
}

firn_result find_field(const firn_cuda_sim* c, const firn_cuda_array* state,
                       const firn_field* field, field_view* out, firn_error* error)
{
    for (const firn_cuda_field* f = c->kernels->fields; f->name != nullptr; f++) {
        const firn_cuda_field& to = *f;
        if (strcmp(to.name, field->name) != 0) continue;
        const int words = to.bits > 0 ? 1 : (int)(field->size / sizeof(uint32_t));
        *out = {{},      (int)(state[to.array].each / sizeof(uint32_t)),
                to.word, to.run,
                words,   to.shift,
                to.bits};
        for (int w = 0; w < words; w += to.run)
            out->part[w / to.run] = (uint32_t*)state[to.array + w / to.run].data;
        return FIRN_OK;
    }
    return firn_fail(error, FIRN_BROKEN_INTERNAL, "field '%s' has no place on the device",
                     field->name);
}

firn_result move_all(firn_cuda_sim* c, const firn_cuda_array* state, int count,
                     const firn_particles* host, bool in, cudaStream_t stream, firn_error* error)
{
    for (int f = 0; f < host->field_count; f++) {
        const firn_field* field = &host->fields[f];
        field_view view;
        FIRN_TRY(find_field(c, state, field, &view, error));
        for (int first = 0; first < count; first += STAGED) {
            const int n = count - first < STAGED ? count - first : STAGED;
            const size_t bytes = (size_t)n * field->size;
            char* at = (char*)field->data + (size_t)first * field->size;
            if (in)
                FIRN_CUDA_TRY(
                    cudaMemcpyAsync(c->staging, at, bytes, cudaMemcpyHostToDevice, stream), error,
                    "copying particles to the device");
            move_field<<<1024, THREADS, 0, stream>>>(view, first, n, c->staging, in);
            if (!in)
                FIRN_CUDA_TRY(
                    cudaMemcpyAsync(at, c->staging, bytes, cudaMemcpyDeviceToHost, stream), error,
                    "copying particles from the device");
        }
    }
    FIRN_CUDA_TRY(cudaStreamSynchronize(stream), error,
                  "copying particles between host and device");
    return FIRN_OK;
}

// Culled particles still occupy entries of the state: removes them, in order.
firn_result drop_gone(const uint8_t* device_gone, int count, firn_particles* host,
                      firn_error* error)
{
    uint8_t* gone = (uint8_t*)firn_alloc((size_t)count + 1, 1);
    firn_local* keep = (firn_local*)firn_alloc((size_t)count + 1, sizeof *keep);
    cudaError_t e = cudaSuccess;
    const bool memory = gone != nullptr && keep != nullptr;
    if (memory) e = cudaMemcpy(gone, device_gone, (size_t)count, cudaMemcpyDeviceToHost);
    firn_local kept = 0;
    for (int p = 0; memory && p < count; p++)
        if (gone[p] == 0) keep[kept++] = p;
    if (memory && e == cudaSuccess && kept < count) firn_particles_keep(host, keep, kept);
    firn_free(gone);
    firn_free(keep);
    if (!memory) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for culling");
    FIRN_CUDA_TRY(e, error, "copying which particles were culled");
    return FIRN_OK;
}

cudaError_t copy_state(const firn_cuda_array* from, const firn_cuda_array* to, int count,
                       cudaStream_t stream)
{
    cudaError_t e = cudaSuccess;
    for (int k = 0; k < FIRN_CUDA_STATE_MAX && e == cudaSuccess; k++)
        if (from[k].each > 0)
            e = cudaMemcpyAsync(to[k].data, from[k].data, (size_t)count * from[k].each,
                                cudaMemcpyDeviceToDevice, stream);
    return e;
}

void find_state(firn_cuda_sim* c)
{
    if (c->kernels->find_state != nullptr) c->kernels->find_state(c);
}

void* take_bytes(firn_cuda_taking* t, size_t bytes)
{
    uint8_t* array;
    firn_cuda_take(*t, &array, bytes);
    return array;
}

// [fields of the scene] and room for its gravity.
const firn_force* take_forces(firn_cuda_sim* c, firn_cuda_taking* t)
{
    firn_local count = 0;
    const firn_force* fields =
        c->def.scene != nullptr ? firn_scene_forces(c->def.scene, &count) : nullptr;
    firn_cuda_take(*t, &c->forces.gravity, 1);
    firn_cuda_take(*t, &c->forces.fields, (size_t)count);
    c->forces.field_count = count;
    return fields;
}

firn_result bring_forces(firn_cuda_sim* c, const firn_force* fields, firn_error* error)
{
    const size_t count = (size_t)c->forces.field_count;
    if (count > 0)
        FIRN_CUDA_TRY(cudaMemcpyAsync(c->forces.fields, fields, count * sizeof *fields,
                                      cudaMemcpyHostToDevice, c->stream),
                      error, "copying forces");
    return firn_cuda_bring_gravity(c, error);
}

// The host's copy of the control block of a state that begins. The device has read or written the
// one before: move_all and firn_device_ops.wait wait for it.
void begin_control(firn_cuda_sim* c, int count)
{
    memset((void*)c->control, 0, c->kernels->control_size);
    c->control->count = count;
}

}  // namespace

firn_result firn_cuda_bring_gravity(firn_cuda_sim* c, firn_error* error)
{
    firn_gravity gravity = {};
    if (c->def.scene != nullptr) firn_scene_gravity_copy(c->def.scene, &gravity);
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->forces.gravity, &gravity, sizeof gravity,
                                  cudaMemcpyHostToDevice, c->stream),
                  error, "copying gravity");
    return FIRN_OK;
}

firn_result firn_cuda_take_shared(firn_cuda_sim* c, firn_cuda_taking* t, const char* what,
                                  firn_error* error)
{
    const firn_cuda_kernels* k = c->kernels;
    const size_t n = (size_t)c->def.capacity;
    find_state(c);
    for (int a = 0; a < FIRN_CUDA_STATE_MAX; a++) {
        const size_t each = c->snapshot[a].each = c->state[a].each;
        if (each > 0) c->snapshot[a].data = take_bytes(t, n * each);
    }
    c->staging = (uint8_t*)take_bytes(t, (n < STAGED ? n : STAGED) * STAGED_EACH);
    c->device_control = take_bytes(t, k->control_size);
    c->snapshot_control = take_bytes(t, k->control_size);
    c->device_records = take_bytes(t, (size_t)k->batch_max * k->record_size);
    const size_t sums = firn_cuda_loads_bytes(c, 1);
    c->loads.count = c->def.collider_count;
    c->loads.sums = (firn_impulse*)take_bytes(t, FIRN_CUDA_LOADS_COPIES * sums);
    c->loads.steps = (firn_impulse*)take_bytes(t, firn_cuda_loads_bytes(c, k->batch_max));
    const firn_force* fields = take_forces(c, t);
    if (t->status != cudaSuccess) return firn_cuda_no_room(c, t->bytes, what, error);
    return bring_forces(c, fields, error);
}

firn_result firn_cuda_upload(firn_device_sim* sim, const firn_particles* from, int64_t step,
                             double* carried, firn_local* out_bad, firn_error* error)
{
    firn_cuda_sim* c = static_cast<firn_cuda_sim*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    if (from->count > c->def.capacity)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "%d particles for a device with room for %d",
                         (int)from->count, (int)c->def.capacity);
    begin_control(c, from->count);
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->device_control, c->control, c->kernels->control_size,
                                  cudaMemcpyHostToDevice, c->stream),
                  error, "preparing particles");
    find_state(c);
    for (const firn_cuda_array& a : c->state)  // what no field fills
        if (a.each > 0)
            FIRN_CUDA_TRY(cudaMemsetAsync(a.data, 0, (size_t)from->count * a.each, c->stream),
                          error, "preparing particles");
    FIRN_TRY(move_all(c, c->state, from->count, from, true, c->stream, error));
    c->variant = FIRN_CUDA_NO_BATCH;
    *out_bad = from->count;
    return c->kernels->uploaded != nullptr ? c->kernels->uploaded(c, step, carried, out_bad, error)
                                           : FIRN_OK;
}

firn_result firn_cuda_meet_time(firn_device_sim* sim, double time, double* carried,
                                firn_error* error)
{
    firn_cuda_sim* c = static_cast<firn_cuda_sim*>(sim);
    if (c->variant != FIRN_CUDA_NO_BATCH || c->kernels->meet_time == nullptr) return FIRN_OK;
    FIRN_TRY(firn_cuda_use(c, error));
    return c->kernels->meet_time(c, time, carried, error);
}

firn_result firn_cuda_snapshot(firn_device_sim* sim, firn_error* error)
{
    firn_cuda_sim* c = static_cast<firn_cuda_sim*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->copy), error, "waiting for a copy");
    find_state(c);
    FIRN_CUDA_TRY(copy_state(c->state, c->snapshot, c->control->count, c->stream), error,
                  "taking a snapshot");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->snapshot_control, c->device_control, c->kernels->control_size,
                                  cudaMemcpyDeviceToDevice, c->stream),
                  error, "taking a snapshot");
    FIRN_CUDA_TRY(cudaEventRecord(c->snapshot_done, c->stream), error, "taking a snapshot");
    c->snapshot_count = c->control->count;
    c->snapshot_variant = c->variant;
    return FIRN_OK;
}

firn_result firn_cuda_restore_control(firn_cuda_sim* c, firn_error* error)
{
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->device_control, c->snapshot_control, c->kernels->control_size,
                                  cudaMemcpyDeviceToDevice, c->stream),
                  error, "returning to a snapshot");
    return FIRN_OK;
}

firn_result firn_cuda_rollback(firn_device_sim* sim, firn_error* error)
{
    firn_cuda_sim* c = static_cast<firn_cuda_sim*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    begin_control(c, c->snapshot_count);
    find_state(c);
    FIRN_CUDA_TRY(copy_state(c->snapshot, c->state, c->snapshot_count, c->stream), error,
                  "returning to a snapshot");
    FIRN_TRY(firn_cuda_restore_control(c, error));
    c->variant = c->snapshot_variant;
    return c->kernels->rolled_back != nullptr ? c->kernels->rolled_back(c, error) : FIRN_OK;
}

firn_result firn_cuda_download(firn_device_sim* sim, bool of_snapshot, firn_particles* to,
                               firn_error* error)
{
    firn_cuda_sim* c = static_cast<firn_cuda_sim*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    const cudaStream_t stream = of_snapshot ? c->copy : c->stream;
    const int count = of_snapshot ? c->snapshot_count : c->control->count;
    if (!of_snapshot) find_state(c);
    const firn_cuda_array* state = of_snapshot ? c->snapshot : c->state;
    if (of_snapshot)
        FIRN_CUDA_TRY(cudaStreamWaitEvent(c->copy, c->snapshot_done, 0), error,
                      "waiting for a copy");
    if (firn_particles_reserve(to, count) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %d particles", count);
    FIRN_TRY(move_all(c, state, count, to, false, stream, error));
    to->count = count;
    const int gone = c->kernels->gone;
    return gone >= 0 && state[gone].each > 0
               ? drop_gone((const uint8_t*)state[gone].data, count, to, error)
               : FIRN_OK;
}

firn_result firn_cuda_field_of(firn_device_sim* sim, bool of_snapshot, const firn_field* field,
                               bool wait, firn_device_field* out, firn_error* error)
{
    static_assert(PARTS <= FIRN_DEVICE_PARTS_MAX, "room for all arrays of a field");
    firn_cuda_sim* c = static_cast<firn_cuda_sim*>(sim);
    FIRN_TRY(firn_cuda_use(c, error));
    if (!of_snapshot) find_state(c);
    const firn_cuda_array* state = of_snapshot ? c->snapshot : c->state;
    field_view f;
    FIRN_TRY(find_field(c, state, field, &f, error));
    const cudaEvent_t event = of_snapshot ? c->snapshot_done : c->batch_done;
    if (wait) FIRN_CUDA_TRY(cudaEventSynchronize(event), error, "waiting for a field");
    out->count = of_snapshot ? c->snapshot_count : c->control->count;
    out->components = f.words;
    out->component_size = (int)sizeof(uint32_t);
    out->part_components = f.run;
    out->part_count = (f.words + f.run - 1) / f.run;
    for (int k = 0; k < out->part_count; k++) out->parts[k] = f.part[k] + f.word;
    out->stride = (size_t)f.stride * sizeof(uint32_t);
    out->shift = f.shift;
    out->bits = f.bits;
    const int gone = c->kernels->gone;
    out->gone = gone >= 0 && state[gone].each > 0 ? (const uint8_t*)state[gone].data : nullptr;
    out->stream = c->stream;
    out->event = event;
    return FIRN_OK;
}
