// SPDX-License-Identifier: MIT
// OpenEXR files: linear layers as floats, through OpenEXRCore.
#pragma once
#include "core/result.h"

#define FIRN_EXR_SIDE_MAX 32768  // [pixels] refused beyond: 12 GB of floats

typedef struct firn_exr_channel {
    const char* name;    // "R", "albedo.R", "Z"
    const float* plane;  // [height][width]
    bool half;           // stored with 16 bits; beyond +-65504 as that
} firn_exr_channel;

typedef struct firn_exr_text {
    const char *name, *value;  // written as string attributes
} firn_exr_text;

// Scanlines, ZIP. Written under a temporary name, then renamed. Any order of channels.
firn_result firn_exr_write(const char* path, int32_t width, int32_t height,
                           const firn_exr_channel* channels, size_t channel_count,
                           const firn_exr_text* texts, size_t text_count, firn_error* error);

typedef struct firn_exr_picture {
    int32_t width, height;
    float* rgb;  // owned; [height][width][3]
} firn_exr_picture;

// R, G, B (or Y alone) of the first part, scanlines or tiles, any compression that the library
// unpacks (OpenEXRCore 3.1: all but DWA). The picture is the data window; values are as stored,
// non-finite ones too. FIRN_REFUSED_DAMAGED when it is not a good file, or deep, or subsampled.
firn_result firn_exr_read(const char* path, firn_exr_picture* out_picture, firn_error* error);
void firn_exr_picture_destroy(firn_exr_picture* picture);
