// SPDX-License-Identifier: MIT
// Step 5 against dynamic colliders, for C and CUDA: the normal of the surface that a node meets.
//
// A node inside a collider has mass because there is snow within two cells of it. The face nearest
// to the node need not be the one that this snow touches: above the front edge of a block it is the
// front, in a plate of two cells the other side. So the normal is that at the place of the snow: on
// a line from the node towards the mass around it, where that leaves the collider or about as far
// as the centre of mass of the node's snow. Where the collider has an edge there, the normal is
// that of the surface of the snow, which is the smoother of the two. theory/forces.md, "Edges".
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

// Of the normals a cell to all four sides: |mean|. A plane has 1; the edge of a box, a cell away
// from two of them, 0.87 to 0.95.
#define FIRN_MPM_EDGE_LOW ((firn_real)0.9)
#define FIRN_MPM_EDGE_HIGH ((firn_real)0.98)
// [cells] Of the side of the snow, below which it has less and less direction.
#define FIRN_MPM_SURFACE_LOW FIRN_MPM_SIDED
#define FIRN_MPM_SURFACE_HIGH ((firn_real)0.3)

// 0 at x <= low, 1 at x >= high.
FIRN_FN firn_real firn_mpm_ramp(firn_real low, firn_real high, firn_real x)
{
    const firn_real y = firn_max(firn_min((x - low) / (high - low), 1), 0);
    return y * y * (3 - 2 * y);
}

// How flat the collider is where its normal is n: |mean| of the normals around.
FIRN_FN firn_real firn_mpm_flatness(const firn_collider* collider, const firn_shape_tables* shapes,
                                    firn_vec3 at, firn_vec3 n, firn_real h)
{
    const bool steep = firn_abs(n.x) > (firn_real)0.6;
    const firn_vec3 across = steep ? firn_v3(-n.z, 0, n.x) : firn_v3(0, -n.z, n.y);
    const firn_vec3 a = firn_v3_normalize(across, n), b = firn_v3_cross(n, a);
    firn_vec3 sum = n;
    for (int k = 0; k < 4; k++) {
        firn_vec3 other;
        const firn_vec3 to = firn_v3_scale(k < 2 ? a : b, k % 2 == 0 ? h : -h);
        firn_collider_sample_shared(collider, shapes, firn_v3_add(at, to), &other);
        sum = firn_v3_add(sum, other);
    }
    return firn_v3_length(sum) / 5;
}

// Normal of the collider for a node at x inside of it, with snow at this side; cells of h.
FIRN_FN firn_vec3 firn_mpm_contact_normal(const firn_collider* collider,
                                          const firn_shape_tables* shapes, firn_vec3 x,
                                          firn_vec3 side, firn_real h)
{
    firn_vec3 normal;
    const firn_real length = firn_v3_length(side);
    if (length < FIRN_MPM_SIDED) {
        firn_collider_sample_shared(collider, shapes, x, &normal);
        return normal;
    }
    const firn_vec3 towards = firn_v3_scale(side, 1 / length);
    firn_real gone;
    firn_vec3 at = firn_mpm_leave(collider, shapes, x, towards, h, &gone);
    const firn_real far = FIRN_MPM_SNOW_FAR * length * length * h;
    const firn_vec3 snow = firn_v3_madd(x, far, towards);
    if (far > gone && firn_collider_distance_shared(collider, shapes, snow) > 0) at = snow;
    firn_collider_sample_shared(collider, shapes, at, &normal);
    const firn_real flatness = firn_mpm_flatness(collider, shapes, at, normal, h);
    const firn_real edge = (1 - firn_mpm_ramp(FIRN_MPM_EDGE_LOW, FIRN_MPM_EDGE_HIGH, flatness)) *
                           firn_mpm_ramp(FIRN_MPM_SURFACE_LOW, FIRN_MPM_SURFACE_HIGH, length);
    if (!(edge > 0)) return normal;
    return firn_v3_normalize(firn_v3_madd(firn_v3_scale(normal, 1 - edge), edge, towards), normal);
}
