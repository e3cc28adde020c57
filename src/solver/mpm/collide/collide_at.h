// SPDX-License-Identifier: MIT
// Steps 5 and 9, for C and CUDA: the velocity of a node or particle after contact with colliders.
// Stomakhin 2013, section 8.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "physics/contact.h"
#include "solver/mpm/rigid/contact_node.h"
#include "solver/shared/impulse.h"

// A velocity after contact, whether a collider changed or held it, and the friction impulse per
// mass that it did not use [m/s] (physics/contact.h).
typedef struct firn_mpm_collided {
    firn_vec3 velocity;
    bool touched;
    firn_real unused;
} firn_mpm_collided;

// What the nodes or particles of one block of the grid gave to the same collider, in their order:
// one addition of integers for many contacts. On the CPU only.
typedef struct firn_mpm_pending {
    firn_local collider;  // -1: none
    double sum[6];        // impulse, angular impulse about the position of its pose
} firn_mpm_pending;

// The colliders of a step.
typedef struct firn_mpm_bodies {
    const firn_collider* colliders;  // [count] posed at t^n
    firn_local count;
    const firn_shape_tables* shapes;
    firn_impulse* taken;        // [count] sums of what each of them takes from the snow
    firn_mpm_pending* pending;  // null: nothing is kept back (CUDA)
    // Dynamic colliders, for particles; null: they are skipped. Nodes meet them all at once
    // (rigid/mpm_contacts.h).
    const firn_lump* lumps;
    const firn_local* lump_of;  // [count]
} firn_mpm_bodies;

// How snow at rest is held (physics/contact.h, grip).
typedef struct firn_mpm_hold {
    firn_real* grip;  // of each particle [m/s]; null: the paper's friction
    firn_real time;   // that unused friction lasts [s]
    firn_real limit;  // fastest slip that is stopped [m/s]
} firn_mpm_hold;

// Velocity v at x, inside the bounds of the collider, after contact with it.
FIRN_FN_APART firn_mpm_collided firn_mpm_collide_body(const firn_collider* body,
                                                      const firn_shape_tables* shapes, firn_vec3 x,
                                                      firn_vec3 v)
{
    firn_mpm_collided r;
    r.velocity = v;
    r.touched = false;
    r.unused = 0;
    if (firn_collider_distance_shared(body, shapes, x) > 0) return r;
    firn_vec3 n;
    firn_collider_sample_shared(body, shapes, x, &n);
    const firn_vec3 v_co = firn_collider_velocity(body, x);
    r.touched = firn_v3_dot(firn_v3_sub(v, v_co), n) < 0 || body->sticky;  // approaching, or held
    r.velocity = firn_contact_velocity(v, v_co, n, body->friction, body->sticky);
    if (!body->sticky) r.unused = firn_contact_unused(v, v_co, n, body->friction);
    return r;
}

// Adds what is pending: at the end of each block, whichever thread it belongs to.
FIRN_FN void firn_mpm_flush(const firn_mpm_bodies* b)
{
    firn_mpm_pending* p = b->pending;
    if (p->collider >= 0) {
        firn_impulse* sum = &b->taken[p->collider];
        firn_impulse_add(sum, firn_v3(0, 0, 0), p->sum[0], p->sum[1], p->sum[2]);
        firn_impulse_turn(sum, p->sum[3], p->sum[4], p->sum[5]);
    }
    p->collider = -1;
    for (int k = 0; k < 6; k++) p->sum[k] = 0;
}

// What collider c takes from snow of `mass` at x.
FIRN_FN void firn_mpm_take(const firn_mpm_bodies* b, firn_local c, firn_vec3 x, firn_real mass,
                           firn_vec3 before, firn_vec3 after)
{
    const firn_vec3 arm = firn_v3_sub(x, b->colliders[c].pose.position);
    if (b->pending == NULL) {
        firn_impulse_take(&b->taken[c], arm, mass, before, after);
        return;
    }
    firn_mpm_pending* p = b->pending;
    if (p->collider != c) firn_mpm_flush(b);
    p->collider = c;
    const double m = (double)mass, rx = (double)arm.x, ry = (double)arm.y, rz = (double)arm.z;
    const double jx = m * ((double)before.x - (double)after.x);
    const double jy = m * ((double)before.y - (double)after.y);
    const double jz = m * ((double)before.z - (double)after.z);
    p->sum[0] += jx;
    p->sum[1] += jy;
    p->sum[2] += jz;
    p->sum[3] += ry * jz - rz * jy;
    p->sum[4] += rz * jx - rx * jz;
    p->sum[5] += rx * jy - ry * jx;
}

// True if snow pushes the collider.
FIRN_FN bool firn_mpm_gives_way(const firn_collider* collider)
{
    return firn_collider_is_free(collider);
}

// Velocity between v and `after` that snow at x gets from collider c: `after`, unless it gives way.
FIRN_FN_APART firn_vec3 firn_mpm_give_way(const firn_mpm_bodies* b, firn_local c, firn_vec3 x,
                                          firn_vec3 v, firn_vec3 after)
{
    const firn_local k = b->lump_of[c];
    if (k < 0) return after;
    const firn_vec3 change = firn_v3_sub(after, v);
    return firn_v3_madd(v, firn_lump_share(&b->lumps[k], x, change), change);
}

// Velocity v at x of snow of `mass` after all colliders, in order.
FIRN_FN firn_mpm_collided firn_mpm_collide_at(const firn_mpm_bodies* b, firn_vec3 x, firn_vec3 v,
                                              firn_real mass)
{
    firn_mpm_collided all;
    all.velocity = v;
    all.touched = false;
    all.unused = 0;
    for (firn_local c = 0; c < b->count; c++) {
        const firn_collider* body = &b->colliders[c];
        if (firn_collider_misses(body, x)) continue;
        const bool gives_way = firn_mpm_gives_way(body);
        if (gives_way && b->lumps == NULL) continue;
        firn_mpm_collided r = firn_mpm_collide_body(body, b->shapes, x, all.velocity);
        if (gives_way) r.velocity = firn_mpm_give_way(b, c, x, all.velocity, r.velocity);
        if (r.touched) firn_mpm_take(b, c, x, mass, all.velocity, r.velocity);
        all.velocity = r.velocity;
        all.touched = all.touched || r.touched;
        all.unused += r.unused;
    }
    return all;
}

// The kinematic collider that holds a node at x: the last one that contains it. There must be one.
FIRN_FN firn_local firn_mpm_holder(const firn_mpm_bodies* b, firn_vec3 x)
{
    for (firn_local c = b->count - 1; c > 0; c--)
        if (!firn_mpm_gives_way(&b->colliders[c]) && !firn_collider_misses(&b->colliders[c], x) &&
            !(firn_collider_distance_shared(&b->colliders[c], b->shapes, x) > 0))
            return c;
    return 0;
}

// Velocity v of particle p at x after its grip on colliders within two cells of h has acted.
FIRN_FN firn_vec3 firn_mpm_hold_at(const firn_mpm_bodies* b, firn_vec3 x, firn_vec3 v,
                                   firn_real mass, firn_real h, const firn_mpm_hold* hold,
                                   firn_local p)
{
    firn_real grip = hold->grip[p];
    if (!(grip > 0)) return v;
    const firn_vec3 reach = firn_v3(2 * h, 2 * h, 2 * h);
    for (firn_local c = 0; c < b->count; c++) {
        const firn_collider* body = &b->colliders[c];
        if (body->sticky || !(body->friction > 0) ||
            firn_collider_misses_box(body, firn_v3_sub(x, reach), firn_v3_add(x, reach)))
            continue;
        firn_vec3 n;
        const firn_real phi = firn_collider_sample_shared(body, b->shapes, x, &n);
        if (!(phi < 2 * h)) continue;
        firn_vec3 held = firn_contact_hold(v, firn_collider_velocity(body, x), n,
                                           firn_contact_share(phi / h), hold->limit, &grip);
        if (firn_mpm_gives_way(body)) held = firn_mpm_give_way(b, c, x, v, held);
        firn_mpm_take(b, c, x, mass, v, held);
        v = held;
    }
    hold->grip[p] = grip;
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
