// SPDX-License-Identifier: MIT
// Shading of fluids in the preview: reflection of sky and sun, what is seen through the fluid, its
// colour by thickness, its own light where it scatters or is opaque.
#pragma once
#include "render/preview/fluid/fluid_layer.h"
#include "render/preview/shade.h"

// What a camera ray sees of fluid k, which it enters at `span`. `behind`: radiance of what lies
// behind it straight on, at distance `end` [m]; null: refracts and traces the rest of the scene.
// `memo` may be null.
firn_rgb firn_shade_fluid(const firn_view* view, int32_t fluid, const firn_fluid_span* span,
                          firn_ray ray, const firn_rgb* behind, firn_real end, firn_sky_memo* memo);
