// SPDX-License-Identifier: MIT
// Bi-CGSTAB on a GPU: the vectors, sums and decisions of linalg/bicgstab.h, with its bits. The
// operator is the caller's (step06_shear.cu).
#pragma once
#include "solver/sph/cuda/sph_device.cuh"

// Passes over all entries of the vectors. Those with sums are followed by a decision.
enum firn_sph_bicg_pass {
    FIRN_BICG_SIZE,    // <b, b>
    FIRN_BICG_FIT,     // <b, v>, v = A x
    FIRN_BICG_START,   // x times the fit; r = b - fit v: the start
    FIRN_BICG_ALPHA,   // <shadow, v>
    FIRN_BICG_HALF,    // s = r - alpha v; <s, s>
    FIRN_BICG_OMEGA,   // <t, s>
    FIRN_BICG_MOVE,    // x += alpha p + omega s, r = s - omega t, or half of it; <shadow, r>
    FIRN_BICG_RESTART  // r = b - v, v = A x
};

// A pass, its sums, and what follows from them. `loop`: goes on, after START, MOVE and RESTART;
// `again`: a restart follows, after MOVE. Other passes ignore them.
void firn_sph_launch_bicg(const firn_sph_device* d, firn_sph_bicg_pass pass,
                          cudaGraphConditionalHandle loop, cudaGraphConditionalHandle again,
                          cudaStream_t stream);
// p = r + beta (p - omega v)
void firn_sph_launch_bicg_turn(const firn_sph_device* d, cudaStream_t stream);
