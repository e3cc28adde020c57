// SPDX-License-Identifier: MIT
// What the pixels of a picture show: the things that the first paths meet, with their coverage, and
// how fast they move. Traced on the CPU for every backend, with the rays and random numbers of the
// picture's own first samples: on the CPU it meets what they met.
#pragma once
#include "core/text.h"
#include "render/image/exr.h"
#include "render/path/picture.h"

typedef struct firn_picture_work firn_picture_work;  // machine/picture_machine.h

#define FIRN_VISIBLE_SAMPLES 16  // of a pixel, at most
#define FIRN_VISIBLE_RANKS 4     // things of a pixel with the largest coverage

struct firn_visible {
    int32_t width, height;
    int32_t thing_count;  // colliders, then fluids, then snow
    int32_t fluid_first;
    // planes [height][width]; owned: one block, starting at velocity[0]
    float* velocity[3];                // [m/s] mean of the samples that meet something
    float* id[FIRN_VISIBLE_RANKS];     // firn_crypto_float of the name; 0: none
    float* cover[FIRN_VISIBLE_RANKS];  // share of the samples, descending
};

// `snow`: all particles of the picture, also those of fluids.
firn_result firn_visible_create(firn_visible* visible, const firn_picture_work* work,
                                const firn_picture_snow* snow, int64_t samples, firn_error* error);
void firn_visible_destroy(firn_visible* visible);

// "collider.0", "fluid.0", "snow".
void firn_visible_name(const firn_visible* visible, int32_t thing, char* out, size_t size);

// Channels velocity.{X,Y,Z}, and crypto_object00.{R,G,B,A} and 01 of Cryptomatte 1.2.
#define FIRN_VISIBLE_CHANNELS_MAX 11
size_t firn_visible_channels(const firn_visible* visible, bool velocity, bool id,
                             firn_exr_channel* out_channels);
// The attributes that say what the ids mean. `manifest`: owned by the caller, what texts[3]
// borrows.
#define FIRN_VISIBLE_TEXTS 4
bool firn_visible_texts(const firn_visible* visible, firn_exr_text* out_texts, char** out_manifest);
