// SPDX-License-Identifier: MIT
// Steps 5 and 9, for C and CUDA: the velocity of a node or particle after contact with colliders.
// Stomakhin 2013, section 8.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "physics/contact.h"

// A velocity after contact, and whether a collider changed or held it.
typedef struct firn_mpm_collided {
    firn_vec3 velocity;
    bool touched;
} firn_mpm_collided;

// Velocity v at x, inside the bounds of the collider, after contact with it.
FIRN_FN_APART firn_mpm_collided firn_mpm_collide_body(const firn_collider* body,
                                                      const firn_shape_tables* shapes, firn_vec3 x,
                                                      firn_vec3 v)
{
    firn_mpm_collided r;
    r.velocity = v;
    r.touched = false;
    if (firn_collider_distance_shared(body, shapes, x) > 0) return r;
    firn_vec3 n;
    firn_collider_sample_shared(body, shapes, x, &n);
    const firn_vec3 v_co = firn_collider_velocity(body, x);
    r.touched = firn_v3_dot(firn_v3_sub(v, v_co), n) < 0 || body->sticky;  // approaching, or held
    r.velocity = firn_contact_velocity(v, v_co, n, body->friction, body->sticky);
    return r;
}

// Velocity v at x after all colliders, in order; *out_touched: one of them changed or held it.
FIRN_FN firn_vec3 firn_mpm_collide_at(const firn_collider* colliders, firn_local count,
                                      const firn_shape_tables* shapes, firn_vec3 x, firn_vec3 v,
                                      bool* out_touched)
{
    *out_touched = false;
    for (firn_local c = 0; c < count; c++) {
        if (firn_collider_misses(&colliders[c], x)) continue;
        const firn_mpm_collided r = firn_mpm_collide_body(&colliders[c], shapes, x, v);
        v = r.velocity;
        *out_touched = *out_touched || r.touched;
    }
    return v;
}

// True if a collider may be near the block of 4x4x4 nodes at these coordinates: near its nodes, or
// with `particles` near the particles whose lowest node is in it. Half a cell of margin for
// rounding: the lowest node of a particle is one cell below its own.
FIRN_FN bool firn_mpm_block_near_body(const firn_collider* colliders, firn_local count,
                                      const int32_t coord[3], firn_real h, bool particles)
{
    const firn_real margin = particles ? (firn_real)0.5 : (firn_real)-0.5;
    const firn_real size = (particles ? 5 : 4) * h;
    const firn_vec3 low =
        firn_v3(((firn_real)(4 * coord[0]) + margin) * h, ((firn_real)(4 * coord[1]) + margin) * h,
                ((firn_real)(4 * coord[2]) + margin) * h);
    const firn_vec3 high = firn_v3_add(low, firn_v3(size, size, size));
    for (firn_local c = 0; c < count; c++)
        if (!firn_collider_misses_box(&colliders[c], low, high)) return true;
    return false;
}
