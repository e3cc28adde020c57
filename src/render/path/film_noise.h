// SPDX-License-Identifier: MIT
// Sums over a film from which the noise of a picture follows, each in one order; for C and CUDA.
#pragma once
#include "render/path/film_pixel.h"

enum {
    FIRN_FILM_TILE = 16,       // [pixels] side of the tiles that may be finished early
    FIRN_FILM_PASSES_MIN = 16  // before a tile may be finished
};

// Sum of the radiance of a row's pixels, mean of the colours.
FIRN_FN double firn_film_row_light(const firn_film_pixel* pixels, int32_t width, int32_t y)
{
    double sum = 0;
    for (int32_t x = 0; x < width; x++) {
        const firn_film_pixel* p = &pixels[(int64_t)y * width + x];
        if (p->count == 0) continue;
        for (int c = 0; c < 3; c++)
            sum += (double)(p->light[0][c] + p->light[1][c]) / (3 * (double)p->count);
    }
    return sum;
}

// Sum of the squared noise of a tile's pixels; *out_count: their number.
FIRN_FN double firn_film_tile_noise(const firn_film_pixel* pixels, int32_t width, int32_t height,
                                    int32_t tile, float floor_luminance, int* out_count)
{
    const int32_t tiles_x = (width + FIRN_FILM_TILE - 1) / FIRN_FILM_TILE;
    const int32_t x0 = tile % tiles_x * FIRN_FILM_TILE, y0 = tile / tiles_x * FIRN_FILM_TILE;
    double square = 0;
    int count = 0;
    for (int32_t y = y0; y < y0 + FIRN_FILM_TILE && y < height; y++)
        for (int32_t x = x0; x < x0 + FIRN_FILM_TILE && x < width; x++, count++) {
            const double n =
                (double)firn_film_noise(&pixels[(int64_t)y * width + x], floor_luminance);
            square += n * n;
        }
    *out_count = count;
    return square;
}

// Whether a tile has reached the noise that is wanted; 0: none is.
FIRN_FN bool firn_film_tile_is_finished(double square, int count, int64_t passes, double wanted)
{
    return wanted > 0 && passes >= FIRN_FILM_PASSES_MIN && sqrt(square / count) < wanted;
}
