// SPDX-License-Identifier: MIT
// The level set of a ball, for tests.
#pragma once
#include "gallery.h"
#include "geometry/levelset/level_set.h"

static inline firn_real sphere_phi(const void* context, firn_vec3 x)
{
    const double* s = context;  // centre, radius
    return (firn_real)(gallery_length(x.x - s[0], x.y - s[1], x.z - s[2]) - s[3]);
}

// Centre and radius [m].
static const double ball[4] = {0.13, -0.21, 0.37, 0.5};

static inline firn_box3 ball_box(const double* s)
{
    return (firn_box3){
        firn_v3((firn_real)(s[0] - s[3]), (firn_real)(s[1] - s[3]), (firn_real)(s[2] - s[3])),
        firn_v3((firn_real)(s[0] + s[3]), (firn_real)(s[1] + s[3]), (firn_real)(s[2] + s[3]))};
}

static inline const firn_level_set* build_ball(const double* s, double voxel)
{
    const firn_level_set* set = NULL;
    firn_error error = {0};
    if (firn_level_set_build(ball_box(s), (firn_real)voxel, (firn_real)(4 * voxel), sphere_phi, s,
                             &set, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return set;
}
