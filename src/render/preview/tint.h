// SPDX-License-Identifier: MIT
// Snow coloured by a field of its particles, through three colours: where the field is low,
// half-way and high. Blue, white and red are the diverging map of Moreland 2009 in its idea; the
// others are those of the figures of Goswami et al. 2019.
#pragma once
#include "math/rgb.h"
#include "scene/data/render_block.h"
#include "state/field_table.h"

typedef struct firn_tint {
    const firn_real* value;      // borrowed [particles]; null: snow is white
    float from, to;              // values that have the first and the last colour; from != to
    firn_rgb low, middle, high;  // shares of light that are given back
} firn_tint;

FIRN_FN firn_tint firn_tint_make(const firn_colour_block* block, const firn_real* value)
{
    const firn_rgb white = firn_rgb_of(0.95f, 0.95f, 0.95f);
    firn_tint t;
    t.value = value;
    t.from = (float)block->from;
    t.to = (float)block->to;
    t.low = t.middle = t.high = white;
    switch (block->colours) {
    case FIRN_COLOURS_WHITE_BLACK:  // figure 6: density
        t.high = firn_rgb_of(0.012f, 0.012f, 0.014f);
        t.middle = firn_rgb_of(0.20f, 0.20f, 0.205f);  // half as light as white to the eye
        break;
    case FIRN_COLOURS_WHITE_BROWN:  // figures 3 and 4: broken bonds
        t.high = firn_rgb_of(0.20f, 0.075f, 0.02f);
        t.middle = firn_rgb_of(0.50f, 0.36f, 0.26f);
        break;
    case FIRN_COLOURS_PHASES:  // figure 8: snow, ice, water
        t.middle = firn_rgb_of(0.50f, 0.57f, 0.63f);
        t.high = firn_rgb_of(0.03f, 0.17f, 0.45f);
        break;
    default:  // FIRN_COLOURS_BLUE_RED
        t.low = firn_rgb_of(0.06f, 0.20f, 0.95f);
        t.middle = firn_rgb_of(0.90f, 0.90f, 0.90f);
        t.high = firn_rgb_of(0.95f, 0.10f, 0.05f);
        break;
    }
    return t;
}

// Share of light that a particle with this value gives back.
FIRN_FN firn_rgb firn_tint_colour(const firn_tint* t, firn_real value)
{
    const float s = firn_clamp01(((float)value - t->from) / (t->to - t->from));
    return s < 0.5f ? firn_rgb_mix(t->low, t->middle, 2 * s)
                    : firn_rgb_mix(t->middle, t->high, 2 * s - 1);
}
