// SPDX-License-Identifier: MIT
// Mass of a snow body as the scene describes it: bulk density, variation and volume, independent of
// the solver and its resolution.
#pragma once
#include "scene/data/scene.h"

// [kg/m^3] The material's density times the mean of what `vary` makes of it in the shape. `cell`:
// [m] size of particles. Without a shape: the material's.
double firn_snow_density(const firn_scene_data* scene, const firn_snow* snow, double cell);
// [kg] That density times the volume of the shape; loose snow has less. 0: no shape, or no volume.
double firn_snow_mass(const firn_scene_data* scene, const firn_snow* snow, double cell);
