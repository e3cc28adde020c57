// SPDX-License-Identifier: MIT
// Motion blur: medium, surfaces and camera at a few times while the shutter is open, centred at the
// frame's time. One sample without motion blur.
#pragma once
#include "render/lens.h"
#include "render/path/geometry/geometry.h"
#include "render/path/lights.h"
#include "render/path/medium.h"
#include "render/path/picture.h"

#define FIRN_SHUTTER_SAMPLES 8  // with motion blur

typedef struct firn_shutter_sample {
    double time;  // [s]
    firn_medium medium;
    firn_geometry* geometry;  // owned
    bool has_interfaces;      // of transparent fluids
    uint32_t submerged;       // bits of the fluids that the eye is in
    firn_camera camera;
    firn_lens lens;
} firn_shutter_sample;

typedef struct firn_shutter {
    firn_shutter_sample at[FIRN_SHUTTER_SAMPLES];
    int32_t count;
} firn_shutter;

// `lights`: how often they are sampled depends on where the snow is.
firn_result firn_shutter_create(firn_shutter* shutter, const firn_scene_data* scene,
                                const firn_picture_snow* snow, const firn_lights* lights,
                                firn_error* error);
void firn_shutter_destroy(firn_shutter* shutter);
// [m] particle spacing in packed snow, of the coarsest snow of the scene. From the scene and not
// from the frame: kernels that change from frame to frame would flicker.
double firn_shutter_spacing(const firn_scene_data* scene, const firn_picture_snow* snow);
int64_t firn_shutter_bytes(const firn_shutter* shutter);

// The shutter sample, of `count`, of a pixel's sample; any FIRN_SHUTTER_SAMPLES consecutive samples
// cover all.
FIRN_FN int32_t firn_shutter_index(int32_t count, uint64_t seed, int64_t pixel, int64_t sample)
{
    if (count == 1) return 0;
    const uint64_t start = (seed + (uint64_t)pixel) * 0x9e3779b97f4a7c15ull >> 60;
    return (int32_t)((start + (uint64_t)sample) % (uint64_t)count);
}

FIRN_FN const firn_shutter_sample* firn_shutter_choose(const firn_shutter* m, uint64_t seed,
                                                       int64_t pixel, int64_t sample)
{
    return &m->at[firn_shutter_index(m->count, seed, pixel, sample)];
}
