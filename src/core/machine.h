// SPDX-License-Identifier: MIT
// Measures the peak rates of this machine, for the roofline bounds of `firn bench`. Never affects
// simulation results. Other load only lowers the rates, so the best of several tries counts.
#pragma once
#include "core/result.h"

// Loops of one SIMD level.
typedef struct firn_machine_loops {
    const char* simd;  // "baseline", "x86-64-v3", ...
    int lanes;         // reals per register
    // Does `rounds` times FIRN_MACHINE_CHAINS independent x <- a x + b on full registers; returns
    // some x.
    firn_real (*chains)(int64_t rounds, firn_real a, firn_real b);
} firn_machine_loops;

// Enough to hide the latency of two units of 4 to 5 cycles (multiplication and addition where they
// are not fused), few enough for 16 registers.
#define FIRN_MACHINE_CHAINS 12

// Get the named level, or the best level of this machine for null. Null: unknown or unsupported.
const firn_machine_loops* firn_machine_loops_find(const char* simd);

// Clock rate of a busy core [Hz]: a chain of dependent additions runs at one per cycle.
double firn_machine_clock(int tries);
// Operations on reals per second of one core; a fused multiply-add counts as two.
double firn_machine_flops(const firn_machine_loops* loops, int tries);
// Bytes per second of `threads` threads that copy an array of `bytes` into another; bytes read and
// bytes written both count. FIRN_BROKEN_MEMORY: out of memory for the arrays.
firn_result firn_machine_copy(int threads, size_t bytes, int tries, double* out_rate);
// [bytes] Size of an array that is well beyond the last-level cache.
size_t firn_machine_copy_bytes(void);
