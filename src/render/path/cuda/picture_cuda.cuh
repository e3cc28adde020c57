// SPDX-License-Identifier: MIT
// What the files of a picture on a CUDA device share: its arrays there.
#pragma once
#include "device/cuda_check.cuh"
#include "device/cuda_memory.cuh"
#include "geometry/collider/colliders_cuda.h"
#include "render/path/lanes/lane_scene.h"
// the functions that C compiles once
#include "render/path/bvh/bvh_trace.h"
#include "render/path/environment_sample.h"
#include "render/path/lights_sample.h"
#include "render/path/surface_scatter.h"

// What a round counts; integers, so that the order of sums does not matter.
struct firn_cuda_tally {
    unsigned long long events, lookups, bounces, rays, dropped;
    unsigned next;  // job
};

struct firn_cuda_picture {
    int device;
    firn_picture_work work;
    firn_film* film;        // borrowed; of the host
    firn_lane_scene scene;  // of the host
    int32_t* tiles;         // owned; of the host: those not finished
    int32_t tile_count;
    int64_t room;                                       // samples of a batch
    int64_t passes;                                     // of the next round
    int blocks;                                         // of the kernel that traces
    cudaStream_t stream;                                // owned
    firn_colliders_cuda* bodies[FIRN_SHUTTER_SAMPLES];  // owned; null: not needed
    firn_cuda_memory memory;                            // owned; all below and what they refer to
    firn_lane_scene* device_scene;
    firn_film_pixel* pixels;    // [height][width]
    firn_film_sample* samples;  // [room]
    int32_t* device_tiles;      // [tiles_y][tiles_x]
    firn_cuda_tally* tally;
    double* sums;  // [rows or tiles, whichever are more]
};

// Copies the scene, with all that it refers to, to the device. (picture_upload.cu)
firn_result firn_cuda_picture_upload(firn_cuda_picture* p, firn_error* error);
// As many blocks as run at a time: they stay until a batch is done. (picture_trace.cu)
firn_result firn_cuda_picture_blocks(firn_cuda_picture* p, firn_error* error);
// Traces the tiles of a batch and adds their samples to the film. (picture_trace.cu)
firn_result firn_cuda_picture_batch(firn_cuda_picture* p, const firn_lane_round& round,
                                    firn_error* error);
