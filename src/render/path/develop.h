// SPDX-License-Identifier: MIT
// From layers to files: a picture for screens, and all layers as OpenEXR.
#pragma once
#include "render/image/exr.h"
#include "render/image/image.h"
#include "render/path/film.h"

// Beauty through the tone curve and sRGB (tone.h), brightened by 2^exposure [stops]. `out_image` is
// created.
firn_result firn_film_image(const firn_film_layers* layers, double exposure, firn_image* out_image,
                            firn_error* error);

// Channels: R, G, B, A, Z [m], variance.{R,G,B} and samples as floats (a half rounds by 1/2048,
// more than the noise of a reference picture); albedo.{R,G,B} and N.{X,Y,Z} as halves. `texts`
// become string attributes.
firn_result firn_film_write_exr(const char* path, const firn_film_layers* layers,
                                const firn_exr_text* texts, size_t text_count, firn_error* error);
