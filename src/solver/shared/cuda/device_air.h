// SPDX-License-Identifier: MIT
// The air of a scene, for a device: its wind, and what it needs to drag snow. It may change between
// steps.
#pragma once
#include <stdbool.h>

#include "firn/types.h"
#include "scene/data/gusts.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_device_air {
    bool drags;      // the air does, with the rest
    double wind[3];  // [m/s] mean, and where a volume has none
    firn_gust_block gusts;
    firn_real density, viscosity;  // [kg/m^3], [Pa s]
} firn_device_air;

firn_device_air firn_device_air_of(const firn_scene_data* scene);

#ifdef __cplusplus
}
#endif
