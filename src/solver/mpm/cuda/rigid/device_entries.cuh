// SPDX-License-Identifier: MIT
// Velocities of dynamic colliders as unknowns of step 6 on a GPU: six entries of weight 1 each
// (rigid/contact_solve.c of the CPU). The one thread that has the sums over all nodes adds theirs;
// they are few.
#pragma once
#include "solver/mpm/cuda/mpm_device.cuh"

#ifdef __CUDACC__
static __device__ __forceinline__ int firn_rigid_count(const firn_mpm_rigid& r)
{
    return r.head != nullptr ? r.head->lump_count : 0;
}

// z = P r, and what it means for the nodes.
static __device__ __forceinline__ void firn_rigid_precondition(const firn_lump* lump,
                                                               firn_mpm_rigid_entry* e)
{
    for (int d = 0; d < 6; d++) e->lent[d] = e->z[d] = e->scale[d] * e->r[d];
    firn_lump_backward(lump->L, e->lent);
}

// <b, b>; x is b at first.
static __device__ __forceinline__ void firn_rigid_start_sums(const firn_mpm_rigid& r,
                                                             double (&sum)[1])
{
    for (int k = 0; k < firn_rigid_count(r); k++)
        for (int d = 0; d < 6; d++) sum[0] += r.entries[k].x[d] * r.entries[k].x[d];
}

// <r, r>
static __device__ __forceinline__ void firn_rigid_residual_sums(const firn_mpm_rigid& r,
                                                                double (&sum)[1])
{
    for (int k = 0; k < firn_rigid_count(r); k++)
        for (int d = 0; d < 6; d++) sum[0] += r.entries[k].r[d] * r.entries[k].r[d];
}

// <z, Az>, <Az, P Az>, <Ap, P Az>
static __device__ __forceinline__ void firn_rigid_measure_sums(const firn_mpm_rigid& r,
                                                               double (&sum)[3])
{
    for (int k = 0; k < firn_rigid_count(r); k++) {
        const firn_mpm_rigid_entry* e = &r.entries[k];
        for (int d = 0; d < 6; d++) {
            const double PAz = e->scale[d] * e->Az[d];
            sum[0] += e->z[d] * e->Az[d];
            sum[1] += e->Az[d] * PAz;
            sum[2] += e->Ap[d] * PAz;
        }
    }
}

// p = z + beta p, Ap = Az + beta Ap, x += alpha p, r -= alpha Ap, z = P r; <r, r>, <Ap, P Ap>
static __device__ __forceinline__ void firn_rigid_move_sums(const firn_mpm_rigid& r, double alpha,
                                                            double beta, double (&sum)[2])
{
    for (int k = 0; k < firn_rigid_count(r); k++) {
        firn_mpm_rigid_entry* e = &r.entries[k];
        for (int d = 0; d < 6; d++) {
            e->p[d] = e->z[d] + beta * e->p[d];
            e->Ap[d] = e->Az[d] + beta * e->Ap[d];
            e->x[d] += alpha * e->p[d];
            e->r[d] -= alpha * e->Ap[d];
            sum[0] += e->r[d] * e->r[d];
            sum[1] += e->Ap[d] * e->scale[d] * e->Ap[d];
        }
        firn_rigid_precondition(&r.lumps[k], e);
    }
}
#endif
