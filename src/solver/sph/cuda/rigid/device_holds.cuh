// SPDX-License-Identifier: MIT
// Loops over particles near dynamic colliders, on a GPU. A block of threads per collider adds up
// what its holds give, one after the other as the CPU does: threads compute the terms of a tile of
// holds, then one thread per term adds them in order.
#pragma once
#include "solver/sph/cuda/device_contact.cuh"

// Where the rows of a field of the shear solve go: three planes, or the first three reals of
// records.
typedef struct firn_sph_rows {
    float4* record;
    float* plane[3];
} firn_sph_rows;

// Drag velocities follow V.
void firn_sph_launch_rub(const firn_sph_device* d, cudaStream_t stream);
// rigid_shear.cu, as in rigid/sph_lumps_shear.h; nothing where there are no dynamic colliders, but
// for the friction of a second solve and the question whether there is one.
void firn_sph_launch_open_shear(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_yield(const firn_sph_device* d, const float4* u, const firn_sph_rows* rows,
                           bool known, cudaStream_t stream);
void firn_sph_launch_again(const firn_sph_device* d, cudaGraphConditionalHandle second,
                           cudaStream_t stream);
void firn_sph_launch_grip_again(const firn_sph_device* d, cudaStream_t stream);
void firn_sph_launch_close_shear(const firn_sph_device* d, cudaStream_t stream);

#ifdef __CUDACC__
// True where the calling block has no lump, or the batch has ended.
static __device__ __forceinline__ bool firn_sph_lump_idle(const firn_sph_device& d)
{
    return d.control->halt != 0 || (int)blockIdx.x >= d.rigid.head->count;
}

// Holds of all lumps.
static __device__ __forceinline__ int firn_sph_hold_count(const firn_sph_device& d)
{
    return d.rigid.list_first[d.rigid.head->count];
}

// Adds the terms of the holds of the calling block's lump to `sum`, in shared memory. term(hold,
// out) adds to out[TERMS], which is zero.
template <int TERMS, typename Term>
static __device__ void firn_sph_add_holds(const firn_sph_device& d, double* sum, Term term)
{
    const int TILE = TERMS > 8 ? 64 : FIRN_SPH_THREADS;
    __shared__ double tile[TERMS > 8 ? 64 : FIRN_SPH_THREADS][TERMS];
    const int k = (int)blockIdx.x, begin = d.rigid.list_first[k], end = d.rigid.list_first[k + 1];
    const int thread = (int)threadIdx.x;
    for (int at = begin; at < end; at += TILE) {
        if (thread < TILE && at + thread < end) {
            double own[TERMS] = {};
            term(d.rigid.hold[d.rigid.list[at + thread]], own);
            for (int t = 0; t < TERMS; t++) tile[thread][t] = own[t];
        }
        __syncthreads();
        const int count = end - at < TILE ? end - at : TILE;
        if (thread < TERMS) {
            double all = sum[thread];
            for (int n = 0; n < count; n++) all += tile[n][thread];
            sum[thread] = all;
        }
        __syncthreads();
    }
}

// Calls what(hold) for each hold of the calling thread's contact record, in order.
template <typename What>
static __device__ __forceinline__ void firn_sph_each_hold(const firn_sph_device& d, What what)
{
    const int k = firn_sph_thread();
    if (d.control->halt != 0 || k >= d.control->contact_count) return;
    for (uint32_t n = d.rigid.hold_first[k]; n < d.rigid.hold_first[k + 1]; n++)
        if (d.rigid.hold[n].lump >= 0) what(d.rigid.hold[n]);
}
#endif
