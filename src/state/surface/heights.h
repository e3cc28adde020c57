// SPDX-License-Identifier: MIT
// Height of the snow surface over a rectangle of the ground (firn/query.h).
#pragma once
#include <math.h>

#include "core/result.h"
#include "firn/query.h"

// A particle is drawn as a spheroid, wider than high: spheres on a lattice, two radii apart, leave
// a quarter of the ground uncovered; from a width of sqrt(2) radii on they cover it.
#define FIRN_HEIGHT_WIDTH 1.5  // [radii]
#define FIRN_HEIGHT_GAP \
    4  // [largest radii] from the top to the centre of a particle that still lies

typedef struct firn_height_snow {
    const firn_vec3* position;  // [count] [m]; not finite: ignored
    const firn_real* radius;    // [count] [m]; null: all have `same_radius`
    firn_real same_radius;      // [m]
    const uint32_t* id;         // [count]; null: not known
    firn_local count;
} firn_height_snow;

// [m] 0: the particle is ignored.
static inline double firn_height_radius(const firn_height_snow* snow, firn_local p)
{
    const double r = (double)(snow->radius != NULL ? snow->radius[p] : snow->same_radius);
    return r > 0 && isfinite(r) ? r : 0;
}

// Adds a particle with its centre at height y to a sample; the particles come from the lowest up.
// `left`: 1 less the squared distance, in widths. `top` is NAN where there is nothing yet.
static inline void firn_height_raise(float* top, double y, double r, double left, double gap)
{
    if (!(left >= 0)) return;
    const bool first = isnan(*top);
    if (!first && y > (double)*top + gap) return;  // in the air
    const float height = (float)(y + r * sqrt(left));
    if (first || height > *top) *top = height;
}

// FIRN_REFUSED_ARGUMENT: fewer than 2 or more than 16384 samples per side, a size or a value that
// is not finite, one side 0 and the other not. The cookie is not read.
firn_result firn_height_def_check(const firn_height_def* def, firn_error* error);
// Bounds of the snow with the radii of its particles: sets x, z, width and depth if width and depth
// are 0. Without snow they stay 0. `out_low`, `out_high`: vertical bounds [m]; may be null.
void firn_heights_find_box(const firn_height_snow* snow, firn_height_def* def, double* out_low,
                           double* out_high);
// Fills `out_heights` [rows][columns]; without a rectangle in `def`, that of the snow is used.
firn_result firn_heights_make(const firn_height_snow* snow, const firn_height_def* def,
                              float* out_heights, firn_error* error);
