// SPDX-License-Identifier: MIT
// Snow coloured by a field of its particles: blue where it is low, white as snow in the middle, red
// where it is high (the diverging map of Moreland 2009 in its idea).
#pragma once
#include "render/colour.h"

typedef struct firn_tint {
    const firn_real* value;  // borrowed [particles]; null: snow is white
    float from, to;          // values that are blue and red; from != to
} firn_tint;

// Share of light that a particle with this value gives back.
FIRN_FN firn_rgb firn_tint_colour(const firn_tint* t, firn_real value)
{
    const firn_rgb low = firn_rgb_of(0.06f, 0.20f, 0.95f), high = firn_rgb_of(0.95f, 0.10f, 0.05f);
    const firn_rgb middle = firn_rgb_of(0.90f, 0.90f, 0.90f);
    const float s = firn_clamp01(((float)value - t->from) / (t->to - t->from));
    return s < 0.5f ? firn_rgb_mix(low, middle, 2 * s) : firn_rgb_mix(middle, high, 2 * s - 1);
}
