// SPDX-License-Identifier: MIT
// Where camera rays enter and leave the fluids of a preview: their triangles, rasterized.
#pragma once
#include "render/camera.h"
#include "render/fluid/fluids.h"

// The first stretch of a camera ray in one fluid, averaged over the samples of a pixel.
typedef struct firn_fluid_span {
    float cover;       // share of the pixel, 0..1
    firn_real t, out;  // [m] along the ray: where it enters and leaves
    firn_vec3 normal;  // unit, outward, where it enters
} firn_fluid_span;

// One sample: nearest front face, and the nearest back face behind it.
typedef struct firn_fluid_sample {
    float depth, back;  // [m] along the camera's axis; infinite: none
    float normal[3];
} firn_fluid_sample;

typedef struct firn_fluid_layer {
    int32_t width, height;       // [samples]
    int32_t count;               // fluids
    firn_fluid_sample* samples;  // owned; [count][height][width]
} firn_fluid_layer;

// Triangles with a vertex behind the eye are left out. Bitwise independent of the number of
// threads. On failure there is nothing to destroy.
firn_result firn_fluid_layer_create(firn_fluid_layer* layer, const firn_fluids* fluids,
                                    const firn_camera* camera, firn_error* error);
void firn_fluid_layer_destroy(firn_fluid_layer* layer);
// The span of fluid k at a pixel; cover 0: none. `ray`: of the pixel.
firn_fluid_span firn_fluid_layer_at(const firn_fluid_layer* layer, const firn_camera* camera,
                                    int32_t fluid, int32_t px, int32_t py, firn_ray ray);
