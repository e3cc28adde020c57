// SPDX-License-Identifier: MIT
// Particles between host and GPU, field by field through a staging array; the copy to return to;
// and nodes for tests.
#include <climits>

#include "core/memory.h"
#include "device/cuda_check.cuh"
#include "solver/mpm/cuda/mpm_cuda_own.cuh"

namespace {

const int THREADS = 256;

enum field {
    POSITION,
    VELOCITY,
    STRAIN,
    PLASTIC,
    MASS,
    VOLUME,
    STIFFNESS,
    MATERIAL,
    ID,
    AFFINE,
    HARDENING,
    COMPRESSION,
    STRETCH,
    FIELDS
};

const size_t sizes[FIELDS] = {
    sizeof(firn_vec3), sizeof(firn_vec3), sizeof(firn_mat3), sizeof(float),
    sizeof(float),     sizeof(float),     sizeof(float),     1,
    sizeof(uint32_t),  sizeof(firn_mat3), sizeof(float),     sizeof(float),
    sizeof(float)};

void* host_array(const firn_mpm_particles* p, int field)
{
    void* const arrays[FIELDS] = {p->position, p->velocity, p->def_grad_elastic, p->plastic_det,
                                  p->mass,     p->volume,   p->stiffness,        p->material,
                                  p->id,       p->affine,   p->hardening,        p->compression,
                                  p->stretch};
    return arrays[field];
}

__device__ float* real_of(const firn_mpm_store& s, int field, int p)
{
    switch (field) {
    case PLASTIC: return &s.motion[p].w;
    case MASS: return &s.at[p].w;
    case VOLUME: return &s.strain2[p].y;
    case STIFFNESS: return &s.strain2[p].z;
    case HARDENING: return &s.varied[p].x;
    case COMPRESSION: return &s.varied[p].y;
    default: return &s.varied[p].z;
    }
}

__device__ void put_matrix(float4* a, float4* b, float4* c, const float* m, bool packed)
{
    if (packed) {  // F_E: nine reals in a row, what follows them stays
        *a = make_float4(m[0], m[1], m[2], m[3]);
        *b = make_float4(m[4], m[5], m[6], m[7]);
        c->x = m[8];
    } else {
        *a = make_float4(m[0], m[1], m[2], 0);
        *b = make_float4(m[3], m[4], m[5], 0);
        *c = make_float4(m[6], m[7], m[8], 0);
    }
}

__device__ void get_matrix(float4 a, float4 b, float4 c, float* m, bool packed)
{
    const float packed_m[9] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x};
    const float rows[9] = {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z};
    for (int k = 0; k < 9; k++) m[k] = packed ? packed_m[k] : rows[k];
}

// Particles first .. first + n of one field: from the staging array, or into it.
__global__ void __launch_bounds__(THREADS)
    move_field(firn_mpm_store s, int field, int first, int n, void* staged, bool in)
{
    for (int k = blockIdx.x * THREADS + threadIdx.x; k < n; k += gridDim.x * THREADS) {
        const int p = first + k;
        float* real = (float*)staged;
        switch (field) {
        case POSITION:
        case VELOCITY: {
            float4* q = field == POSITION ? &s.at[p] : &s.motion[p];
            float* v = real + (size_t)k * 3;
            if (in) {
                q->x = v[0];
                q->y = v[1];
                q->z = v[2];
            } else {
                v[0] = q->x;
                v[1] = q->y;
                v[2] = q->z;
            }
            break;
        }
        case STRAIN:
        case AFFINE: {
            const bool F = field == STRAIN;
            float4 *a = F ? s.strain0 : s.affine0, *b = F ? s.strain1 : s.affine1;
            float4* c = F ? s.strain2 : s.affine2;
            float* m = real + (size_t)k * 9;
            if (in)
                put_matrix(&a[p], &b[p], &c[p], m, F);
            else
                get_matrix(a[p], b[p], c[p], m, F);
            break;
        }
        case MATERIAL:
            if (in)
                s.strain2[p].w = __int_as_float(((const uint8_t*)staged)[k]);
            else
                ((uint8_t*)staged)[k] = (uint8_t)__float_as_int(s.strain2[p].w);
            break;
        case ID:
            if (in)
                s.id[p] = ((const uint32_t*)staged)[k];
            else
                ((uint32_t*)staged)[k] = s.id[p];
            break;
        default:
            if (in)
                *real_of(s, field, p) = real[k];
            else
                real[k] = *real_of(s, field, p);
        }
    }
}

firn_mpm_store store_of(const firn_mpm_cuda* c)
{
    const firn_mpm_device& d = c->d;
    return firn_mpm_store{d.at,      d.motion,  d.strain0, d.strain1, d.strain2, d.affine0,
                          d.affine1, d.affine2, d.varied,  d.id,      d.gone};
}

firn_result move_all(firn_mpm_cuda* c, const firn_mpm_store& store, int count,
                     const firn_mpm_particles* host, bool in, cudaStream_t stream,
                     firn_error* error)
{
    for (int field = 0; field < FIELDS; field++) {
        char* array = (char*)host_array(host, field);
        if (array == nullptr) continue;
        for (int first = 0; first < count; first += FIRN_MPM_CUDA_STAGED) {
            const int n =
                count - first < FIRN_MPM_CUDA_STAGED ? count - first : FIRN_MPM_CUDA_STAGED;
            const size_t bytes = (size_t)n * sizes[field];
            char* at = array + (size_t)first * sizes[field];
            if (in)
                FIRN_CUDA_TRY(
                    cudaMemcpyAsync(c->staging, at, bytes, cudaMemcpyHostToDevice, stream), error,
                    "bringing particles to the device");
            move_field<<<1024, THREADS, 0, stream>>>(store, field, first, n, c->staging, in);
            if (!in)
                FIRN_CUDA_TRY(
                    cudaMemcpyAsync(at, c->staging, bytes, cudaMemcpyDeviceToHost, stream), error,
                    "bringing particles from the device");
        }
    }
    FIRN_CUDA_TRY(cudaStreamSynchronize(stream), error, "moving particles between host and device");
    return FIRN_OK;
}

// Culled particles still have their place in store: closes the gaps, in order.
firn_result drop_gone(const firn_mpm_store& store, int count, firn_mpm_particles* host,
                      firn_error* error)
{
    uint8_t* gone = (uint8_t*)firn_alloc((size_t)count + 1, 1);
    if (gone == nullptr) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for culling");
    const cudaError_t e = cudaMemcpy(gone, store.gone, (size_t)count, cudaMemcpyDeviceToHost);
    int kept = 0;
    for (int p = 0; p < count && e == cudaSuccess; p++) {
        if (gone[p] != 0) continue;
        for (int f = 0; f < FIELDS && kept != p; f++) {
            char* array = (char*)host_array(host, f);
            if (array == nullptr) continue;
            for (size_t b = 0; b < sizes[f]; b++)
                array[(size_t)kept * sizes[f] + b] = array[(size_t)p * sizes[f] + b];
        }
        kept++;
    }
    firn_free(gone);
    FIRN_CUDA_TRY(e, error, "asking which particles are gone");
    host->count = kept;
    return FIRN_OK;
}

cudaError_t copy_store(const firn_mpm_store& from, const firn_mpm_store& to, int count,
                       cudaStream_t stream)
{
    const size_t n = (size_t)count;
    float4* const source[] = {from.at,      from.motion,  from.strain0, from.strain1, from.strain2,
                              from.affine0, from.affine1, from.affine2, from.varied};
    float4* const target[] = {to.at,      to.motion,  to.strain0, to.strain1, to.strain2,
                              to.affine0, to.affine1, to.affine2, to.varied};
    cudaError_t e =
        cudaMemcpyAsync(to.id, from.id, n * sizeof *from.id, cudaMemcpyDeviceToDevice, stream);
    for (int k = 0; k < 9 && e == cudaSuccess; k++)
        if (source[k] != nullptr)
            e = cudaMemcpyAsync(target[k], source[k], n * sizeof(float4), cudaMemcpyDeviceToDevice,
                                stream);
    if (e == cudaSuccess && from.gone != nullptr)
        e = cudaMemcpyAsync(to.gone, from.gone, n, cudaMemcpyDeviceToDevice, stream);
    return e;
}

__global__ void set_count(firn_mpm_control* c, int count)
{
    c->count = count;
}

__global__ void forget_speeds(firn_mpm_control* c)
{
    c->speed2 = c->sound2 = 0;
}

}  // namespace

firn_result firn_mpm_cuda_upload(firn_mpm_cuda* c, const firn_mpm_particles* from, int64_t step,
                                 firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    if (from->count > c->def.capacity)
        return firn_fail(error, FIRN_BROKEN_INTERNAL, "%d particles for a device with room for %d",
                         (int)from->count, (int)c->def.capacity);
    const size_t n = (size_t)from->count;
    FIRN_TRY(move_all(c, store_of(c), from->count, from, true, c->stream, error));
    if (c->d.gone != nullptr)
        FIRN_CUDA_TRY(cudaMemsetAsync(c->d.gone, 0, n, c->stream), error, "preparing particles");
    FIRN_CUDA_TRY(cudaMemsetAsync(c->d.control, 0, sizeof *c->d.control, c->stream), error,
                  "preparing particles");
    set_count<<<1, 1, 0, c->stream>>>(c->d.control, from->count);
    c->count = from->count;
    c->stress = FIRN_STRESS_NONE;
    if (step == 0) {  // until step 2 has volumes there is no stress
        FIRN_CUDA_TRY(cudaMemsetAsync(c->d.stress0, 0, n * sizeof(float4), c->stream), error,
                      "preparing particles");
        FIRN_CUDA_TRY(cudaMemsetAsync(c->d.stress1, 0,
                                      n * sizeof(float4) / (c->def.may_solve ? 1 : 2), c->stream),
                      error, "preparing particles");
        if (c->d.stress2 != nullptr)
            FIRN_CUDA_TRY(cudaMemsetAsync(c->d.stress2, 0, n * sizeof(float), c->stream), error,
                          "preparing particles");
    }
    return FIRN_OK;
}

firn_result firn_mpm_cuda_measure(firn_mpm_cuda* c, double* out_speed, double* out_sound,
                                  firn_local* out_bad, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    firn_mpm_launch_measure(&c->d, c->stream);
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->control, c->d.control, sizeof *c->control,
                                  cudaMemcpyDeviceToHost, c->stream),
                  error, "measuring speeds");
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->stream), error, "measuring speeds");
    union {
        unsigned bits;
        float real;
    } speed2, sound2;
    speed2.bits = c->control->speed2;
    sound2.bits = c->control->sound2;
    *out_speed = sqrt((double)speed2.real);
    *out_sound = sqrt((double)sound2.real);
    *out_bad = c->control->bad == INT_MAX ? c->count : c->control->bad;
    return FIRN_OK;
}

firn_result firn_mpm_cuda_keep(firn_mpm_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    FIRN_CUDA_TRY(cudaStreamSynchronize(c->copy), error, "waiting for a copy");
    FIRN_CUDA_TRY(copy_store(store_of(c), c->kept, c->count, c->stream), error,
                  "keeping the state");
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->kept_control, c->d.control, sizeof *c->kept_control,
                                  cudaMemcpyDeviceToDevice, c->stream),
                  error, "keeping the state");
    FIRN_CUDA_TRY(cudaEventRecord(c->kept_done, c->stream), error, "keeping the state");
    c->kept_count = c->count;
    c->kept_stress = c->stress;
    return FIRN_OK;
}

// The stress is made again: the same function of the same numbers, so the same bits. What the
// control block knew then comes back after it.
firn_result firn_mpm_cuda_return(firn_mpm_cuda* c, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    FIRN_CUDA_TRY(copy_store(c->kept, store_of(c), c->kept_count, c->stream), error,
                  "returning to an earlier state");
    c->count = c->kept_count;
    set_count<<<1, 1, 0, c->stream>>>(c->d.control, c->count);
    c->stress = c->kept_stress;  // none: the next batch makes it
    if (c->stress != FIRN_STRESS_NONE) {
        forget_speeds<<<1, 1, 0, c->stream>>>(c->d.control);
        firn_mpm_launch_stress(&c->d, c->stress == FIRN_STRESS_LINEAR, false, c->stream);
    }
    FIRN_CUDA_TRY(cudaMemcpyAsync(c->d.control, c->kept_control, sizeof *c->kept_control,
                                  cudaMemcpyDeviceToDevice, c->stream),
                  error, "returning to an earlier state");
    return FIRN_OK;
}

firn_result firn_mpm_cuda_download(firn_mpm_cuda* c, bool kept, firn_mpm_particles* to,
                                   firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    const cudaStream_t stream = kept ? c->copy : c->stream;
    const int count = kept ? c->kept_count : c->count;
    const firn_mpm_store store = kept ? c->kept : store_of(c);
    if (kept)
        FIRN_CUDA_TRY(cudaStreamWaitEvent(c->copy, c->kept_done, 0), error, "waiting for a copy");
    FIRN_TRY(move_all(c, store, count, to, false, stream, error));
    to->count = count;
    return store.gone != nullptr ? drop_gone(store, count, to, error) : FIRN_OK;
}

firn_result firn_mpm_cuda_read_nodes(firn_mpm_cuda* c, firn_mpm_cuda_nodes* out, firn_error* error)
{
    FIRN_TRY(firn_mpm_cuda_use(c, error));
    firn_device_grid_counts counts;
    FIRN_CUDA_TRY(cudaMemcpy(&counts, c->d.grid.counts, sizeof counts, cudaMemcpyDeviceToHost),
                  error, "reading nodes");
    const size_t blocks = (size_t)counts.block_count, nodes = blocks * FIRN_BLOCK_NODES;
    *out = firn_mpm_cuda_nodes{(firn_local)nodes, nullptr, nullptr, nullptr};
    out->coord = (int32_t(*)[3])firn_alloc(nodes + 1, sizeof *out->coord);
    out->velocity = (firn_real(*)[4])firn_alloc(nodes + 1, sizeof *out->velocity);
    out->now = (firn_real(*)[4])firn_alloc(nodes + 1, sizeof *out->now);
    int4* coord = (int4*)firn_alloc(blocks + 1, sizeof *coord);
    if (out->coord == nullptr || out->velocity == nullptr || out->now == nullptr ||
        coord == nullptr) {
        firn_free(coord);
        firn_mpm_cuda_nodes_free(out);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    cudaMemcpy(coord, c->d.grid.coord, blocks * sizeof *coord, cudaMemcpyDeviceToHost);
    cudaMemcpy(out->velocity, c->d.node_velocity, nodes * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(out->now, c->d.node_new, nodes * sizeof(float4), cudaMemcpyDeviceToHost);
    for (size_t n = 0; n < nodes; n++) {
        const int4 b = coord[n / FIRN_BLOCK_NODES];
        const int local = (int)(n % FIRN_BLOCK_NODES);
        out->coord[n][0] = b.x * 4 + (local >> 4);
        out->coord[n][1] = b.y * 4 + (local >> 2 & 3);
        out->coord[n][2] = b.z * 4 + (local & 3);
    }
    firn_free(coord);
    FIRN_CUDA_TRY(cudaGetLastError(), error, "reading nodes");
    return FIRN_OK;
}

void firn_mpm_cuda_nodes_free(firn_mpm_cuda_nodes* nodes)
{
    firn_free(nodes->coord);
    firn_free(nodes->velocity);
    firn_free(nodes->now);
    *nodes = firn_mpm_cuda_nodes{};
}
