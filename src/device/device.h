// SPDX-License-Identifier: MIT
// Which machine computes: the CPU, or a CUDA device by its number.
// Does: understand a backend's name, say exactly what is missing when it cannot be had. Does not:
// own memory or run anything on a device; that is the solvers' .cu files.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "core/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_DEVICE_CPU (-1)

// "cpu" gives FIRN_DEVICE_CPU, "cuda" device 0, "cuda:N" device N, ready to be used: its driver is
// new enough, and this build has code for it. FIRN_REFUSED_BACKEND says what is missing and what to
// do; `out_device` is then unchanged.
firn_result firn_device_open(const char* backend, int* out_device, firn_error* error);
// "NVIDIA H200, 139 GiB"; for the CPU, and where the device cannot be asked, "". Cut to `size`.
void firn_device_describe(int device, char* text, size_t size);
// Memory of the device, all of it [bytes]; 0: the CPU, or not known.
uint64_t firn_device_memory(int device);
// What this build has: "cpu" or "cpu cuda".
const char* firn_device_backends(void);

#ifdef __cplusplus
}
#endif
