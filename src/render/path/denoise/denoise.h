// SPDX-License-Identifier: MIT
// Denoising by joint non-local means on colour, depth, normal and albedo (Rousselle, Manzi and
// Zwicker 2013). Cross-filtering: the weights for one half buffer are computed from the other, so
// that noise does not bias its own weights.
// Not for reference pictures: the result is biased, and outlier samples are rejected.
#pragma once
#include "render/path/film.h"

// Replaces r, g, b of `layers`, developed from `film`; the variance layers keep the variance before
// denoising. Bitwise equal for any number of threads. On failure nothing is changed.
firn_result firn_denoise(const firn_film* film, firn_film_layers* layers, firn_error* error);
