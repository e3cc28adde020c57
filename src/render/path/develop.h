// SPDX-License-Identifier: MIT
// Output files of a film: an 8-bit picture, and all layers as OpenEXR.
#pragma once
#include "render/image/exr.h"
#include "render/image/image.h"
#include "render/path/film.h"

// Tone-maps the beauty layer to sRGB (tone_map.h; `tone`: firn_tone_name) after scaling by
// 2^exposure [stops]. Creates `out_image`.
firn_result firn_film_image(const firn_film_layers* layers, double exposure, int32_t tone,
                            firn_image* out_image, firn_error* error);

// Channels: R, G, B, A, Z [m], variance.{R,G,B} and samples as floats (the rounding of a half,
// 1/2048, exceeds the noise of a reference picture); albedo.{R,G,B} and N.{X,Y,Z} as halves.
// `light`: also direct.{R,G,B} and indirect.{R,G,B}. `more` channels, such as those of visible.h,
// are appended. `texts` become string attributes.
typedef struct firn_film_extra {
    bool light;
    const firn_exr_channel* more;  // borrowed
    size_t more_count;
} firn_film_extra;
firn_result firn_film_write_exr(const char* path, const firn_film_layers* layers,
                                const firn_film_extra* extra, const firn_exr_text* texts,
                                size_t text_count, firn_error* error);
