// SPDX-License-Identifier: MIT
// The AABB of a posed (rotated, scaled, translated) box, for C and CUDA. In double, so that host
// and device give the same bits.
#pragma once
#include "geometry/motion/motion.h"
#include "math/box3.h"

// Side `sign` of the AABB of the posed box `own` along axis i, with a margin for the rounding of
// phi; FIRN_REAL_MAX where it is unbounded.
FIRN_FN firn_real firn_posed_side(const firn_pose* pose, const firn_box3* own, int i, int sign)
{
    const double low[3] = {(double)own->low.x, (double)own->low.y, (double)own->low.z};
    const double high[3] = {(double)own->high.x, (double)own->high.y, (double)own->high.z};
    const firn_real position[3] = {pose->position.x, pose->position.y, pose->position.z};
    double side = (double)position[i], size = fabs(side);
    for (int j = 0; j < 3; j++) {
        const double s = (double)pose->scale * (double)pose->rotation.m[i][j];
        if (s == 0) continue;  // that side does not reach this one, however long it is
        const double end = (s > 0) == (sign > 0) ? high[j] : low[j];
        if (fabs(end) >= (double)FIRN_REAL_MAX) return (firn_real)sign * FIRN_REAL_MAX;
        side += s * end;
        size += fabs(s * end);
    }
    side += sign * 16 * (double)FIRN_REAL_EPSILON * size;
    if (fabs(side) >= (double)FIRN_REAL_MAX) return (firn_real)sign * FIRN_REAL_MAX;
    return (firn_real)side;
}

FIRN_FN firn_box3 firn_posed_box(const firn_pose* pose, firn_box3 own)
{
    if (own.low.x > own.high.x) return own;  // empty
    return FIRN_LIT(firn_box3){
        firn_v3(firn_posed_side(pose, &own, 0, -1), firn_posed_side(pose, &own, 1, -1),
                firn_posed_side(pose, &own, 2, -1)),
        firn_v3(firn_posed_side(pose, &own, 0, 1), firn_posed_side(pose, &own, 1, 1),
                firn_posed_side(pose, &own, 2, 1))};
}
