// SPDX-License-Identifier: MIT
// What the camera sees while its shutter is open: snow, bodies and camera at a few moments, spread
// over the exposure about the frame's time. One moment when there is no motion blur.
#pragma once
#include "render/lens.h"
#include "render/path/geometry/geometry.h"
#include "render/path/medium.h"
#include "render/path/picture.h"

#define FIRN_MOMENTS 8  // of an exposure with motion blur

typedef struct firn_moment {
    double time;  // [s]
    firn_medium medium;
    firn_geometry* geometry;  // owned
    firn_camera camera;
    firn_lens lens;
} firn_moment;

typedef struct firn_moments {
    firn_moment at[FIRN_MOMENTS];
    int32_t count;
} firn_moments;

firn_result firn_moments_create(firn_moments* moments, const firn_scene_data* scene,
                                const firn_picture_snow* snow, int threads, firn_error* error);
void firn_moments_destroy(firn_moments* moments);
int64_t firn_moments_bytes(const firn_moments* moments);

// Sample k of a pixel sees one of them; any FIRN_MOMENTS samples in a row see all.
FIRN_FN const firn_moment* firn_moments_choose(const firn_moments* m, uint64_t seed, int64_t pixel,
                                               int64_t sample)
{
    if (m->count == 1) return &m->at[0];
    const uint64_t start = (seed + (uint64_t)pixel) * 0x9e3779b97f4a7c15ull >> 60;
    return &m->at[(start + (uint64_t)sample) % (uint64_t)m->count];
}
