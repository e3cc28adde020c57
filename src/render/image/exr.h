// SPDX-License-Identifier: MIT
// OpenEXR files with float or half channels, through OpenEXRCore.
#pragma once
#include "core/result.h"

#define FIRN_EXR_SIDE_MAX 32768  // [pixels] larger pictures are refused: 12 GB of floats

typedef struct firn_exr_channel {
    const char* name;    // "R", "albedo.R", "Z"
    const float* plane;  // [height][width]
    bool half;           // stored with 16 bits, clamped to +-65504
} firn_exr_channel;

typedef struct firn_exr_text {
    const char *name, *value;  // written as string attributes
} firn_exr_text;

// Scanlines, ZIP compression. Written under a temporary name, then renamed. Channels may come in
// any order.
firn_result firn_exr_write(const char* path, int32_t width, int32_t height,
                           const firn_exr_channel* channels, size_t channel_count,
                           const firn_exr_text* texts, size_t text_count, firn_error* error);

typedef struct firn_exr_picture {
    int32_t width, height;
    float* rgb;  // owned; [height][width][3]
} firn_exr_picture;

// Reads R, G, B (or Y alone) of the first part, scanlines or tiles, with any compression that the
// library supports (OpenEXRCore 3.1: all but DWA). The picture is the data window; values are as
// stored, non-finite ones included. FIRN_REFUSED_DAMAGED if the file is damaged, deep or
// subsampled.
firn_result firn_exr_read(const char* path, firn_exr_picture* out_picture, firn_error* error);
void firn_exr_picture_destroy(firn_exr_picture* picture);
