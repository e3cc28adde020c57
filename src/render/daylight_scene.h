// SPDX-License-Identifier: MIT
// Sun and sky as the scene's block `render` says.
#pragma once
#include "render/daylight.h"
#include "scene/data/render_block.h"

// A radiance of 1 with the model sun-sky [kcd/m^2]: the sun high in a clear sky gives about as much
// light as with the gradient.
#define FIRN_SUN_SKY_UNIT 24.0

firn_daylight firn_daylight_of_scene(const firn_render_block* render);
// The model for a sun in this direction. `turbidity`: 2 to 10.
firn_daylight firn_daylight_sun_sky(firn_vec3 sun, double turbidity, double sun_strength,
                                    double sky_strength);
// [lx], CIE XYZ: light of the sun on a surface that faces it, at this cosine of its zenith angle;
// turbidity 0: above the atmosphere.
void firn_sun_light(double cosine, double turbidity, double out_xyz[3]);
