// SPDX-License-Identifier: MIT
// What a picture gathers: sums of the samples of each pixel, and the layers made of them.
//
// Samples go alternately to two halves: their difference is an honest measure of the noise, and
// the denoiser lets each half choose the weights for the other.
#pragma once
#include "core/result.h"
#include "render/image/colour.h"

#define FIRN_FILM_SIDE_MAX 32768  // [pixels]

// One path's contribution. Everything is linear; depth and normal of the first thing seen.
typedef struct firn_film_sample {
    firn_rgb light;
    firn_rgb albedo;                // of what is seen: surface colour, or the snow's; sky: 0
    float normal[3];                // of what is seen; 0: none
    float depth;                    // [m] along the ray; sky: 0
    float alpha;                    // 1: something, 0: background
    float caught_lit, caught_full;  // of a catcher: luminance of the light on it, and in the open
    bool caught;  // a catcher of shadows was seen: nothing but the light that is missing on it
} firn_film_sample;

// Sums; a spread is the sum of squared deviations from the mean so far (Welford 1962), which keeps
// its digits where the noise is small beside the light.
typedef struct firn_film_pixel {
    float light[2][3];      // of the halves: samples 0, 2, 4 ... and 1, 3, 5 ...
    float light_spread[3];  // of both together
    float luminance_spread;
    float albedo[3], albedo_spread[3];
    float normal[3], normal_spread[3];
    float depth, depth_spread;  // of the samples that saw something
    float alpha;
    float caught_lit, caught_full;
    uint32_t caught;  // samples that saw a catcher: alpha gains 1 - lit / full of their share
    uint32_t seen;    // samples with alpha > 0: depth is their mean
    uint32_t count;
} firn_film_pixel;

typedef struct firn_film {
    int32_t width, height;
    firn_film_pixel* pixels;  // owned; [height][width]
} firn_film;

// Layers as planes of floats [height][width], ready for a file. Owned: one block, starting at r.
typedef struct firn_film_layers {
    int32_t width, height;
    float *r, *g, *b, *a;  // beauty, not multiplied by anything
    float* depth;          // [m]; sky: 0
    float *albedo_r, *albedo_g, *albedo_b;
    float *normal_x, *normal_y, *normal_z;
    float *variance_r, *variance_g, *variance_b;  // of the pixel's mean; one sample: its square
    float* samples;
} firn_film_layers;

firn_result firn_film_create(firn_film* film, int32_t width, int32_t height, firn_error* error);
void firn_film_destroy(firn_film* film);
// Non-finite samples are dropped (they never spoil a pixel); returns false for such. Two threads
// may add to different pixels at once.
bool firn_film_add(firn_film* film, int32_t x, int32_t y, const firn_film_sample* sample);
// Standard error of the pixel's mean luminance over the mean itself (at least `floor_luminance`,
// which is over 0); 1 with fewer than two samples: nothing is known.
float firn_film_noise(const firn_film_pixel* pixel, float floor_luminance);
// Everything in the layers is finite.
firn_result firn_film_develop(const firn_film* film, firn_film_layers* out_layers,
                              firn_error* error);
void firn_film_layers_destroy(firn_film_layers* layers);
