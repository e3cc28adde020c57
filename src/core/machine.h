// SPDX-License-Identifier: MIT
// What this machine can do at best, measured: the floors that a loop's time is held against.
// Never enters a result. Busy neighbours only make figures worse, so the best of several tries
// counts.
#pragma once
#include "core/result.h"

// Loops of one SIMD level.
typedef struct firn_machine_loops {
    const char* simd;  // "baseline", "x86-64-v3", ...
    int lanes;         // reals in a register
    // `rounds` times FIRN_MACHINE_CHAINS independent x <- a x + b of full registers; gives some x.
    firn_real (*chains)(int64_t rounds, firn_real a, firn_real b);
} firn_machine_loops;

// Enough to hide the latency of two units of 4 to 5 cycles (multiplication, then addition, where
// they are not fused), few enough for 16 registers.
#define FIRN_MACHINE_CHAINS 12

// The best level of this machine, or the named one. Null: unknown, or the machine lacks it.
const firn_machine_loops* firn_machine_loops_find(const char* simd);

// Clock rate of a core that is busy [Hz]: a chain of additions, each of which waits for the one
// before it, runs at one per cycle.
double firn_machine_clock(int tries);
// Operations on reals per second of one core; a fused multiply-add counts as two.
double firn_machine_flops(const firn_machine_loops* loops, int tries);
// Bytes per second of `threads` threads that copy an array of `bytes` into another; bytes read and
// bytes written both count. FIRN_BROKEN_MEMORY: no room for the arrays.
firn_result firn_machine_copy(int threads, size_t bytes, int tries, double* out_rate);
// [bytes] of an array well beyond the last cache, so that copies are the memory's work.
size_t firn_machine_copy_bytes(void);
