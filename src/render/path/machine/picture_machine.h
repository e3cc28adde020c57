// SPDX-License-Identifier: MIT
// What traces the paths of a picture: the CPU (picture_cpu.c) or a GPU (cuda/picture_cuda.cu).
// picture.c has the loop over passes, the same for all.
#pragma once
#include "render/path/lights.h"
#include "render/path/picture.h"
#include "render/path/shutter.h"

// What is rendered, prepared by the host and constant while it is traced.
typedef struct firn_picture_work {
    const firn_shutter* shutter;
    const firn_lights* lights;
    uint64_t seed;
    bool transparent;          // the scene has a shadow catcher
    bool may_finish;           // a tile may be finished early: the picture has a noise target
    int32_t width, height;     // [pixels]
    int32_t tiles_x, tiles_y;  // of FIRN_FILM_TILE pixels
} firn_picture_work;

// All calls but `destroy` end with FIRN_BROKEN_DEVICE or FIRN_BROKEN_MEMORY where a device fails.
struct firn_picture_machine {
    // `film` (borrowed until destroy, of the work's size, empty) gets the pixels. `device`: number
    // of a GPU. *out_self is set on success only.
    firn_result (*create)(const firn_picture_work* work, firn_film* film, int device,
                          void** out_self, firn_error* error);
    void (*destroy)(void* self);
    // Passes of the next round, between 1 and wanted - done.
    int64_t (*round)(const void* self, int64_t done, int64_t wanted);
    // One path of every pixel of tiles that are not finished, in passes first .. first + passes -
    // 1, added to the film in order. `finished`: [tiles_y][tiles_x].
    firn_result (*trace)(void* self, int64_t first, int64_t passes, const uint8_t* finished,
                         firn_picture_stats* stats, firn_error* error);
    // firn_film_row_light of all rows, [height].
    firn_result (*rows)(void* self, double* out_light, firn_error* error);
    // firn_film_tile_noise of all tiles, [tiles_y][tiles_x].
    firn_result (*noise)(void* self, float floor_luminance, double* out_square, firn_error* error);
    // Brings the pixels to the film.
    firn_result (*fetch)(void* self, firn_error* error);
};

// Passes of a round on the CPU: few at first for early feedback, more later.
static inline int64_t firn_picture_round(int64_t done, int64_t wanted)
{
    const int64_t passes = done < 4 ? 1 : done < 16 ? 4 : 8;
    return done + passes < wanted ? passes : wanted - done;
}

extern const firn_picture_machine firn_picture_on_cpu;
