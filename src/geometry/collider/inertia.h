// SPDX-License-Identifier: MIT
// Centre of mass and inertia of a shape of uniform density: exact for simple solids, else from its
// level set.
#pragma once
#include "geometry/sdf/shape.h"
#include "physics/rigid_body.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets mass, inertia (about the centre of mass, the shape's axes) and center of `out`; the rest is
// as before. Where there is no formula, errors are below 1 % for shapes that fill a hundredth of
// their bounds and more. FIRN_REFUSED_ARGUMENT: the shape is unbounded or holds nothing, or the
// mass is not above 0; `out` is as before.
firn_result firn_shape_inertia(const firn_shapes* shapes, firn_local shape, firn_real mass,
                               firn_rigid* out);

// Volume of a shape, found in the same way [m^3]; 0 for one that is unbounded or holds nothing.
double firn_shape_inertia_volume(const firn_shapes* shapes, firn_local shape);

#ifdef __cplusplus
}
#endif
