// SPDX-License-Identifier: MIT
// From firn's axes (Y up) to those of programs with Z up: (x, y, z) -> (x, -z, y), a quarter turn
// about x. Both are right-handed.
#pragma once
#include "firn/types.h"

// Three floats as an exporter stores them.
static inline void firn_export_axes(firn_vec3 v, bool z_up, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)(z_up ? -v.z : v.y);
    out[2] = (float)(z_up ? v.y : v.z);
}
