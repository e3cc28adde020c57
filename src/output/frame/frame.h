// SPDX-License-Identifier: MIT
// Frames and checkpoints: HDF5 files. A frame is VTKHDF (ParaView opens it); a checkpoint holds
// every field bit for bit and whatever else enters the next step.
// Each is written to a temporary name, flushed, and renamed: never half a file (RELIABILITY.md).
#pragma once
#include "core/result.h"
#include "firn/play.h"
#include "state/particles.h"

typedef struct firn_frame_info {
    int64_t frame, step;
    double time;       // [s]
    double fps, cell;  // [1/s], [m]
    uint64_t scene_hash;
    uint64_t state_hash;  // checkpoints: hash of the particles
    char scene[128], solver[32];
    int real_bytes;  // 4 or 8: precision of the build that wrote it
} firn_frame_info;

// `views[0]` must be "position". Reals are written as float32. Fields go to PointData by name.
firn_result firn_frame_write(const char* path, const firn_frame_info* info,
                             const firn_field_view* views, int view_count, int compression,
                             firn_error* error);

// A body that the scene does not drive: its motion does not tell where the body is, so frames do.
typedef struct firn_frame_body {
    firn_local body;          // index in the scene's colliders
    firn_body_driver driver;  // not FIRN_BODY_SCENE
    firn_body_pose pose;      // at the frame's time
} firn_frame_body;
// The same with such bodies, ascending; none: the same file. FIRN_REFUSED_ARGUMENT: a pose that is
// not finite, no rotation, or out of order.
firn_result firn_frame_write_posed(const char* path, const firn_frame_info* info,
                                   const firn_frame_body* bodies, firn_local body_count,
                                   const firn_field_view* views, int view_count, int compression,
                                   firn_error* error);

// A frame read back: position always, the others null when the file lacks them. Owned arrays.
typedef struct firn_frame {
    firn_frame_info info;
    firn_local count;
    firn_vec3* position;
    firn_vec3* velocity;
    firn_real* density;
    firn_real* mass;
    uint32_t* id;
    // of grains
    firn_real* radius;        // [m]
    firn_real* temperature;   // [degC]
    firn_real* water;         // molten share
    uint8_t* phase;           // 0 snow, 1 ice, 2 water
    uint8_t* broken;          // 1: its bonds are broken
    firn_frame_body* bodies;  // ascending
    firn_local body_count;
} firn_frame;
// The file's own seal (size, checksum; seal.h) is verified before HDF5 sees any of it; structure
// and counts are checked again before anything is allocated.
firn_result firn_frame_read(const char* path, firn_frame* out_frame, firn_error* error);
// Only the header and the number of particles.
firn_result firn_frame_read_info(const char* path, firn_frame_info* out_info, firn_local* out_count,
                                 firn_error* error);
void firn_frame_destroy(firn_frame* frame);

firn_result firn_checkpoint_write(const char* path, const firn_frame_info* info,
                                  const firn_particles* particles, const void* extra,
                                  size_t extra_size, firn_error* error);
// Only the header: to see whether it fits (scene, solver, precision) before restoring.
firn_result firn_checkpoint_read_info(const char* path, firn_frame_info* out_info,
                                      firn_local* out_count, size_t* out_extra_size,
                                      firn_error* error);
// Fields of `particles` by name; each must be there with its type. Grows `particles` as needed.
// Refused before anything was read: particles are as before; later: their count is 0.
firn_result firn_checkpoint_read(const char* path, firn_particles* particles, void* extra,
                                 size_t extra_size, firn_error* error);
