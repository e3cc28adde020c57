// SPDX-License-Identifier: MIT
// Step 5 against dynamic colliders, for C and CUDA: the normal of the surface that a node meets.
//
// A node inside a collider has mass because there is snow within two cells of it. The face nearest
// to the node need not be the one that this snow touches: above the front edge of a block it is the
// front, in a plate of two cells the other side. So the normal is that at the place of the snow: on
// a line from the node towards the mass around it, where that leaves the collider or about as far
// as the centre of mass of the node's snow. theory/forces.md, "Edges".
#pragma once
#include "geometry/collider/collider_sample.h"

#define FIRN_MPM_AROUND 27               // nodes around a node and itself: (x * 3 + y) * 3 + z
#define FIRN_MPM_SIDED ((firn_real)0.1)  // cells: below it, snow is all around the node
#define FIRN_MPM_LEAVE_STEPS 24          // along the line, of at least this [cells]:
#define FIRN_MPM_LEAVE_STEP ((firn_real)0.1)
// Distance of the snow over the square of firn_mpm_snow_side, both in cells. Above a half-space of
// snow the centre of mass of a node's snow is 0.47 and 1.2 cells away where the side is 0.61 and
// 0.92: at the surface, and one cell above.
#define FIRN_MPM_SNOW_FAR ((firn_real)1.25)

// From the node to the centre of mass of the nodes around it [cells].
FIRN_FN firn_vec3 firn_mpm_snow_side(const firn_real mass[FIRN_MPM_AROUND])
{
    firn_real total = 0;
    firn_vec3 sum = firn_v3(0, 0, 0);
    for (int k = 0; k < FIRN_MPM_AROUND; k++) {
        const firn_vec3 at =
            firn_v3((firn_real)(k / 9 - 1), (firn_real)(k / 3 % 3 - 1), (firn_real)(k % 3 - 1));
        sum = firn_v3_madd(sum, mass[k], at);
        total += mass[k];
    }
    return firn_v3_scale(sum, 1 / total);
}

// Where a line from x inside the collider has left it; x if it does not.
FIRN_FN firn_vec3 firn_mpm_leave(const firn_collider* collider, const firn_shape_tables* shapes,
                                 firn_vec3 x, firn_vec3 towards, firn_real h, firn_real* out_gone)
{
    *out_gone = 0;
    for (int k = 0; k < FIRN_MPM_LEAVE_STEPS; k++) {
        const firn_vec3 at = firn_v3_madd(x, *out_gone, towards);
        const firn_real depth = -firn_collider_distance_shared(collider, shapes, at);
        if (k > 0 && !(depth > 0)) return at;
        *out_gone += firn_max(depth, FIRN_MPM_LEAVE_STEP * h);
    }
    return x;
}

// Normal of the collider for a node at x inside of it, with snow at this side; cells of h.
FIRN_FN firn_vec3 firn_mpm_contact_normal(const firn_collider* collider,
                                          const firn_shape_tables* shapes, firn_vec3 x,
                                          firn_vec3 side, firn_real h)
{
    firn_vec3 at = x, normal;
    const firn_real length = firn_v3_length(side);
    if (length >= FIRN_MPM_SIDED) {
        const firn_vec3 towards = firn_v3_scale(side, 1 / length);
        firn_real gone;
        at = firn_mpm_leave(collider, shapes, x, towards, h, &gone);
        const firn_real far = FIRN_MPM_SNOW_FAR * length * length * h;
        const firn_vec3 snow = firn_v3_madd(x, far, towards);
        if (far > gone && firn_collider_distance_shared(collider, shapes, snow) > 0) at = snow;
    }
    firn_collider_sample_shared(collider, shapes, at, &normal);
    return normal;
}
