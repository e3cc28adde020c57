// SPDX-License-Identifier: MIT
// What CUDA says about this machine. cuda_device.cu asks it; cuda_none.c answers where CUDA is not
// built; device.c judges. Tests make up worlds to hear what is said about them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "core/result.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FIRN_CUDA_CARDS_MAX 32  // beyond these a device can be used, but is not listed

typedef struct firn_cuda_card {
    char name[96];     // "NVIDIA H200"
    uint64_t bytes;    // of memory, all of it
    int major, minor;  // compute capability; 9, 0
} firn_cuda_card;

typedef struct firn_cuda_world {
    bool built;         // this build has CUDA; when not, the rest is zero
    int runtime;        // of this build: 13000 is CUDA 13.0
    int driver;         // the newest CUDA that the driver knows; 0: there is no driver
    int capability;     // the lowest that this build has code for: 75 is 7.5
    char problem[200];  // CUDA's own words when it refused to count devices; else ""
    int count;          // devices
    firn_cuda_card cards[FIRN_CUDA_CARDS_MAX];
} firn_cuda_world;

// Asks the driver. Never fails: what could not be had is zero, and `problem` tells why.
void firn_cuda_world_look(firn_cuda_world* out_world);
// Wakes a device and looks whether this build's code runs on it. False: `problem` in CUDA's words.
bool firn_cuda_world_try(int device, char* problem, size_t size);
// The device that `backend` means in a world; as firn_device_open, but wakes nothing.
firn_result firn_device_choose(const firn_cuda_world* world, const char* backend, int* out_device,
                               firn_error* error);
// "NVIDIA H200, 139 GiB"
void firn_cuda_card_describe(const firn_cuda_card* card, char* text, size_t size);

#ifdef __cplusplus
}
#endif
