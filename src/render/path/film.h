// SPDX-License-Identifier: MIT
// Film: per-pixel sums of samples, and the output layers computed from them.
//
// Samples alternate between two half buffers: their difference estimates the noise without bias,
// and the denoiser computes weights from one half for the other.
#pragma once
#include "core/result.h"
#include "math/rgb.h"

#define FIRN_FILM_SIDE_MAX 32768  // [pixels]

// A path's contribution, in linear light; albedo, normal and depth of the first hit.
typedef struct firn_film_sample {
    firn_rgb light;
    firn_rgb direct;  // part of it that was scattered once at most
    firn_rgb albedo;  // of the surface or of the snow; sky: 0
    float normal[3];  // 0: none
    float depth;      // [m] along the ray; sky: 0
    float alpha;      // 1: hit, 0: background
    // luminance of a shadow catcher, with and without occluders
    float catcher_lit, catcher_unshadowed;
    bool catcher;  // the first hit is a shadow catcher
} firn_film_sample;

// Sums over samples. An M2 is the sum of squared deviations from the mean (Welford 1962),
// which stays accurate if the variance is small relative to the mean.
typedef struct firn_film_pixel {
    float light[2][3];  // half buffers: samples 0, 2, 4 ... and 1, 3, 5 ...
    float light_m2[3];  // of both together
    float luminance_m2;
    float direct[3];
    float albedo[3], albedo_m2[3];
    float normal[3], normal_m2[3];
    float depth, depth_m2;  // of the samples that hit something
    float alpha;
    float catcher_lit, catcher_unshadowed;
    uint32_t catcher;    // samples that hit a catcher: their alpha is 1 - lit / full
    uint32_t hit_count;  // samples with alpha > 0
    uint32_t count;
} firn_film_pixel;

typedef struct firn_film {
    int32_t width, height;
    firn_film_pixel* pixels;  // owned; [height][width]
    float*
        glints;  // owned; [height][width][3] light without noise, beside the samples'; null: none
} firn_film;

// Output layers as float planes [height][width]. Owned: one block, starting at r.
typedef struct firn_film_layers {
    int32_t width, height;
    float *r, *g, *b, *a;  // beauty, linear, without exposure
    float* depth;          // [m]; sky: 0
    float *albedo_r, *albedo_g, *albedo_b;
    float *normal_x, *normal_y, *normal_z;
    float *variance_r, *variance_g, *variance_b;  // of the pixel's mean; its square if count is 1
    float* samples;
    float *direct_r, *direct_g, *direct_b;        // part of r, g, b that was scattered once at most
    float *indirect_r, *indirect_g, *indirect_b;  // the rest
} firn_film_layers;

firn_result firn_film_create(firn_film* film, int32_t width, int32_t height, firn_error* error);
void firn_film_destroy(firn_film* film);
// Drops non-finite samples and returns false for them. Threads may add to different pixels
// concurrently.
bool firn_film_add(firn_film* film, int32_t x, int32_t y, const firn_film_sample* sample);
// Computes the layers; all values are finite.
firn_result firn_film_develop(const firn_film* film, firn_film_layers* out_layers,
                              firn_error* error);
// Adds the film's glints to r, g, b; done by firn_film_develop, and after them by firn_denoise.
void firn_film_add_glints(const firn_film* film, firn_film_layers* layers);
void firn_film_layers_destroy(firn_film_layers* layers);
