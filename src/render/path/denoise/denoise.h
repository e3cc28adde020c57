// SPDX-License-Identifier: MIT
// Takes the noise out of a picture: means over windows that look alike in the picture itself and in
// depth, normal and albedo (joint non-local means; Rousselle, Manzi and Zwicker 2013). Each half of
// the samples chooses the weights for the other, so that noise does not choose itself.
// Not for reference pictures: it is biased, and a single sample far brighter than all around is
// cut.
#pragma once
#include "render/path/film.h"

// Replaces r, g, b of `layers`, developed from `film`; the variance layers still tell the noise
// that there was. `threads` 0: all cores; the same bits for any number. On failure nothing is
// changed.
firn_result firn_denoise(const firn_film* film, firn_film_layers* layers, int threads,
                         firn_error* error);
