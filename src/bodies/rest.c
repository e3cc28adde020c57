// SPDX-License-Identifier: MIT
// Bodies that rest are not computed. Bodies that touch each other or are joined form an island; it
// becomes inactive when all of it was slow for a while, and active when one of it is: pushed by
// snow or by the caller, in contact with something that moves, or has lost a support.
#include "bodies/bodies_state.h"
#include "core/disjoint_sets.h"
#include "geometry/collider/collider_drive.h"

#define REST_SPEED \
    2e-3               // [m/s] of any point; a body that starts to slide at 0.004 m/s^2 does slide
#define REST_TIME 0.5  // [s]
#define TOUCH 1e-3     // [sizes] contacts closer than this

static bool touches(const firn_bodies* bodies, const firn_contact* c)
{
    return c->separation < (firn_real)TOUCH * bodies->items[c->a].size;
}

static void find_islands(firn_bodies* bodies)
{
    for (firn_local k = 0; k < bodies->count; k++) bodies->island[k] = k;
    for (firn_local a = 0; a < bodies->count; a++)
        for (firn_local k = 0; k < bodies->items[a].contact_count; k++) {
            const firn_contact* c = &bodies->contacts[(size_t)a * FIRN_BODY_CONTACTS + (size_t)k];
            if (c->b < bodies->count && touches(bodies, c)) firn_sets_join(bodies->island, a, c->b);
        }
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        const firn_joint_state* j = &bodies->joints[k];
        if (j->acts && j->b < bodies->count) firn_sets_join(bodies->island, j->a, j->b);
    }
}

static void hold(firn_bodies* bodies, firn_local k, bool moving)
{
    if (k >= bodies->count) return;
    firn_body* body = &bodies->items[k];
    body->held = moving || body->held < 0 ? -1 : body->held + 1;
}

static bool is_moving(firn_vec3 v)
{
    return firn_v3_dot(v, v) > 0;
}

// Counts what holds each body.
static void count_supports(firn_bodies* bodies)
{
    for (firn_local k = 0; k < bodies->count; k++) bodies->items[k].held = 0;
    for (firn_local a = 0; a < bodies->count; a++)
        for (firn_local k = 0; k < bodies->items[a].contact_count; k++) {
            const firn_contact* c = &bodies->contacts[(size_t)a * FIRN_BODY_CONTACTS + (size_t)k];
            if (!touches(bodies, c)) continue;
            hold(bodies, a, is_moving(c->velocity));
            hold(bodies, c->b, false);
        }
    for (firn_local k = 0; k < bodies->joint_count; k++) {
        const firn_joint_state* j = &bodies->joints[k];
        if (!j->acts) continue;
        hold(bodies, j->a, is_moving(j->velocity_b) || is_moving(j->spin_b));
        hold(bodies, j->b, false);
    }
}

static bool is_pushed(const firn_body* body)
{
    for (int d = 0; d < 3; d++)
        if (body->push[d] != 0 || body->twist[d] != 0) return true;
    return false;
}

// Activates all of an island if one of it is active.
void firn_bodies_activate(firn_bodies* bodies)
{
    const firn_vec3 change = firn_v3_sub(bodies->gravity, bodies->last_gravity);
    const bool all = firn_v3_dot(change, change) > 0 || bodies->never_rests;
    bodies->last_gravity = bodies->gravity;
    find_islands(bodies);
    count_supports(bodies);
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        const bool moved = is_pushed(body);
        if (moved) body->rest = 0;
        if (body->inactive && (all || moved || body->held != body->supports))
            body->inactive = false;
    }
    // an active member makes the root active, and the root all the others
    for (int pass = 0; pass < 2; pass++)
        for (firn_local k = 0; k < bodies->count; k++) {
            firn_body* root = &bodies->items[firn_sets_root(bodies->island, k)];
            firn_body* body = &bodies->items[k];
            if (!body->free) continue;
            if (pass == 0 && !body->inactive) root->inactive = false;
            if (pass == 1 && !root->inactive && body->inactive) {
                body->inactive = false;
                body->rest = 0;
            }
        }
}

void firn_bodies_rest(firn_bodies* bodies)
{
    if (bodies->never_rests) return;
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        const firn_real speed = firn_v3_length(body->rigid.velocity) +
                                (firn_real)0.5 * body->size * firn_v3_length(body->rigid.spin);
        const bool slow = speed < (firn_real)REST_SPEED && !is_pushed(body);
        body->rest = slow ? body->rest + (firn_real)bodies->dt : 0;
        body->supports = body->held;
    }
    // rest of the root: that of the most restless member; then all of the island follow it
    for (firn_local k = bodies->count - 1; k >= 0; k--) {
        firn_body* root = &bodies->items[firn_sets_root(bodies->island, k)];
        const firn_body* body = &bodies->items[k];
        const bool held = body->supports > 0;
        root->rest = firn_min(root->rest, held ? body->rest : 0);
    }
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        const firn_body* root = &bodies->items[firn_sets_root(bodies->island, k)];
        if (!body->free || body->inactive || !(root->rest >= (firn_real)REST_TIME)) continue;
        body->inactive = true;
        body->rigid.velocity = body->rigid.spin = firn_v3(0, 0, 0);
    }
}
