// SPDX-License-Identifier: MIT
// Grains between host and GPU, field by field through a staging array; and the copy to return to.
#include <climits>

#include "core/memory.h"
#include "device/cuda_check.cuh"
#include "solver/grains/cuda/grains_cuda_own.cuh"

namespace {

const int THREADS = 256;

enum field {
#define NUMBER(field, type, kind, unit, step, changes) FIELD_##field,
    FIRN_GRAINS_FIELDS(NUMBER)
#undef NUMBER
        FIELDS
};

const size_t sizes[FIELDS] = {
#define SIZE(field, type, kind, unit, step, changes) sizeof(type),
    FIRN_GRAINS_FIELDS(SIZE)
#undef SIZE
};

void* host_array(const firn_grains_particles* p, int field)
{
    void* const arrays[FIELDS] = {
#define ARRAY(field, type, kind, unit, step, changes) p->field,
        FIRN_GRAINS_FIELDS(ARRAY)
#undef ARRAY
    };
    return arrays[field];
}

__device__ float4* vector_of(const firn_grains_store& s, int field, int i)
{
    switch (field) {
    case FIELD_position: return &s.at[i];
    case FIELD_velocity: return &s.motion[i];
    case FIELD_slip: return &s.rest[i];
    default: return &s.listed[i];
    }
}

// A word of four bytes: a real, or the bits of a number.
__device__ float* word_of(const firn_grains_store& s, int field, int i)
{
    switch (field) {
    case FIELD_radius: return &s.at[i].w;
    case FIELD_temperature: return &s.rest[i].w;
    case FIELD_id: return &s.listed[i].w;
    case FIELD_bonds: return (float*)&s.ties[i].x;
    case FIELD_bonds_more: return (float*)&s.ties[i].y;
    case FIELD_listed_radius: return (float*)&s.ties[i].z;
    case FIELD_enthalpy: return &s.heat[i].x;
    case FIELD_enthalpy_rest: return &s.heat[i].y;
    case FIELD_water: return &s.heat[i].z;
    default: return &s.heat[i].w;  // mass
    }
}

// Lowest bit and width of a field among the flags of a grain.
__device__ int2 bits_of(int field)
{
    switch (field) {
    case FIELD_phase: return make_int2(0, 2);
    case FIELD_broken: return make_int2(2, 1);
    case FIELD_neighbours: return make_int2(8, 8);
    case FIELD_neighbours_max: return make_int2(16, 8);
    default: return make_int2(24, 8);  // material
    }
}

// Grains first .. first + n of one field: from the staging array, or into it.
__global__ void __launch_bounds__(THREADS)
    move_field(firn_grains_store s, int field, size_t size, int first, int n, void* staged, bool in)
{
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS) {
        const int i = first + k;
        if (size == sizeof(firn_vec3)) {
            float4* q = vector_of(s, field, i);
            float* v = (float*)staged + (size_t)k * 3;
            if (in)
                *q = make_float4(v[0], v[1], v[2], q->w);
            else {
                v[0] = q->x;
                v[1] = q->y;
                v[2] = q->z;
            }
        } else if (size == sizeof(float)) {
            float* word = word_of(s, field, i);
            float* other = (float*)staged + k;
            // as bits: a number's may look like a signalling NaN
            *(uint32_t*)(in ? word : other) = *(const uint32_t*)(in ? other : word);
        } else {
            uint32_t* flags = (uint32_t*)&s.motion[i].w;
            uint8_t* byte = (uint8_t*)staged + k;
            const int2 bits = bits_of(field);
            const uint32_t mask = (1u << bits.y) - 1u;
            if (in)
                *flags = (*flags & ~(mask << bits.x)) | (*byte & mask) << bits.x;
            else
                *byte = (uint8_t)(*flags >> bits.x & mask);
        }
    }
}

firn_grains_store store_of(const firn_grains_cuda* c)
{
    const firn_grains_device& d = c->d;
    return firn_grains_store{d.at[c->hot],      d.motion[c->hot], d.rest[c->hot],
                             d.listed[c->cold], d.heat[c->cold],  d.ties[c->cold]};
}

firn_result move_all(firn_grains_cuda* c, const firn_grains_store& store, int count,
                     const firn_grains_particles* host, bool in, cudaStream_t stream,
                     firn_error* error)
{
    for (int field = 0; field < FIELDS; field++) {
        char* array = (char*)host_array(host, field);
        for (int first = 0; first < count; first += FIRN_GRAINS_CUDA_STAGED) {
            const int n =
                count - first < FIRN_GRAINS_CUDA_STAGED ? count - first : FIRN_GRAINS_CUDA_STAGED;
            const size_t bytes = (size_t)n * sizes[field];
            char* at = array + (size_t)first * sizes[field];
            if (in)
                FIRN_CUDA_TRY(
                    cudaMemcpyAsync(c->staging, at, bytes, cudaMemcpyHostToDevice, stream), error,
                    "bringing grains to the device");
            move_field<<<1024, THREADS, 0, stream>>>(store, field, sizes[field], first, n,
                                                     c->staging, in);
            if (!in)
                FIRN_CUDA_TRY(
                    cudaMemcpyAsync(at, c->staging, bytes, cudaMemcpyDeviceToHost, stream), error,
                    "bringing grains from the device");
        }
    }
    FIRN_CUDA_TRY(cudaStreamSynchronize(stream), error, "moving grains between host and device");
    return FIRN_OK;
}

cudaError_t copy_store(const firn_grains_store& from, const firn_grains_store& to, int count,
                       cudaStream_t stream)
{
    const void* const source[] = {from.at,     from.motion, from.rest,
                                  from.listed, from.heat,   from.ties};
    void* const target[] = {to.at, to.motion, to.rest, to.listed, to.heat, to.ties};
    cudaError_t e = cudaSuccess;
    for (int k = 0; k < 6 && e == cudaSuccess; k++)
        e = cudaMemcpyAsync(target[k], source[k], (size_t)count * sizeof(float4),
                            cudaMemcpyDeviceToDevice, stream);
    return e;
}

// The grains are in the first half of each pair, and not listed.
__global__ void begin_state(firn_grains_control* c, int count)
{
    c->count = count;
    c->hot = c->cold = 0;
    c->listed = 0;
    c->ticket = 0;
}

}  // namespace

firn_result firn_grains_cuda_upload(firn_grains_cuda* c, const firn_grains_particles* from,
                                    firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    if (from->count > c->def.capacity)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "%d grains for a device with room for %d",
                         (int)from->count, (int)c->def.capacity);
    c->hot = c->cold = 0;
    c->count = from->count;
    FIRN_TRY(move_all(c, store_of(c), from->count, from, true, c->stream, error));
    FIRN_CUDA_TRY(cudaMemsetAsync(c->d.control, 0, sizeof *c->d.control, c->stream), error,
                  "preparing grains");
    begin_state<<<1, 1, 0, c->stream>>>(c->d.control, from->count);
    firn_grains_launch_look(&c->d, false, c->stream);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "preparing grains");
    return FIRN_OK;
}

firn_result firn_grains_cuda_keep(firn_grains_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->copy), error, "waiting for a copy");
    FIRN_CUDA_TRY(copy_store(store_of(c), c->kept, c->count, c->stream), error,
                  "keeping the state");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->kept_control, c->d.control, sizeof *c->kept_control,
                                  cudaMemcpyDeviceToDevice, c->stream),
                  error, "keeping the state");
    FIRN_CUDA_TRY(cudaEventRecord(c->kept_done, c->stream), error, "keeping the state");
    c->kept_count = c->count;
    return FIRN_OK;
}

firn_result firn_grains_cuda_return(firn_grains_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    c->hot = c->cold = 0;
    c->count = c->kept_count;
    FIRN_CUDA_TRY(copy_store(c->kept, store_of(c), c->kept_count, c->stream), error,
                  "returning to an earlier state");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->d.control, c->kept_control, sizeof *c->kept_control,
                                  cudaMemcpyDeviceToDevice, c->stream),
                  error, "returning to an earlier state");
    begin_state<<<1, 1, 0, c->stream>>>(c->d.control, c->kept_count);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "returning to an earlier state");
    return FIRN_OK;
}

firn_result firn_grains_cuda_download(firn_grains_cuda* c, bool kept, firn_grains_particles* to,
                                      firn_error* error)
{
    FIRN_TRY(firn_grains_cuda_use(c, error));
    const int count = kept ? c->kept_count : c->count;
    if (kept)
        FIRN_CUDA_TRY(cudaStreamWaitEvent(c->copy, c->kept_done, 0), error, "waiting for a copy");
    FIRN_TRY(move_all(c, kept ? c->kept : store_of(c), count, to, false, kept ? c->copy : c->stream,
                      error));
    to->count = count;
    return FIRN_OK;
}
