// SPDX-License-Identifier: MIT
#include "solver/grains/rigid/grains_bodies.h"

#include "core/memory.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/collider/dynamic_collider.h"

#define ROUNDS 8           // iterations over the contact points, which share the load
#define MENDED 0.1         // fraction of an overlap that one step corrects
#define OVERLAP_FREE 1e-3  // [m] not corrected, so that a collider at rest stays in contact

firn_result firn_free_body_create(firn_free_body* body, const firn_collider* collider,
                                  firn_local index, const firn_shapes* shapes, firn_error* error)
{
    body->collider = index;
    body->time = collider->drive_time;
    FIRN_TRY(firn_collider_rigid(collider, shapes, body->time, &body->rigid, error));
    return firn_shape_contact_points(shapes, collider->shape, body->points, &body->point_count);
}

firn_result firn_free_bodies_create(const firn_collider* colliders, firn_local collider_count,
                                    const firn_shapes* shapes, firn_free_body** out_bodies,
                                    firn_local* out_count, firn_error* error)
{
    firn_local count = 0;
    *out_bodies = NULL;
    *out_count = 0;
    for (firn_local c = 0; c < collider_count; c++) count += colliders[c].mass > 0;
    if (count == 0) return FIRN_OK;
    firn_free_body* bodies = firn_alloc((size_t)count, sizeof *bodies);
    if (bodies == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for bodies");
    count = 0;
    for (firn_local c = 0; c < collider_count; c++) {
        if (!(colliders[c].mass > 0)) continue;
        const firn_result r =
            firn_free_body_create(&bodies[count++], &colliders[c], c, shapes, error);
        if (r == FIRN_OK) continue;
        firn_free(bodies);
        return r;
    }
    *out_bodies = bodies;
    *out_count = count;
    return FIRN_OK;
}

bool firn_free_body_take(firn_free_body* body, const firn_collider* colliders, double time)
{
    const firn_collider* c = &colliders[body->collider];
    if (c->removed) return false;
    if (c->moved_by == FIRN_MOVED_BY_SOLVER && c->drive_time == body->time) return true;
    const firn_motion state = firn_collider_state(c, time);
    firn_rigid_set_state(&body->rigid, &state);
    body->time = c->drive_time;
    return c->moved_by == FIRN_MOVED_BY_SOLVER;
}

void firn_grains_push_add(firn_grains_push* push, const firn_rigid* body, firn_vec3 x,
                          firn_vec3 force, firn_vec3 own_torque)
{
    const firn_vec3 f = firn_v3_scale(force, -1);
    const firn_vec3 arm = firn_v3_cross(firn_v3_sub(x, body->position), f);
    const firn_vec3 torque = firn_v3_sub(arm, own_torque);
    push->force[0] += (double)f.x;
    push->force[1] += (double)f.y;
    push->force[2] += (double)f.z;
    push->torque[0] += (double)torque.x;
    push->torque[1] += (double)torque.y;
    push->torque[2] += (double)torque.z;
}

// Applies the contact impulse at x, inside another collider (`phi` < 0): normal part and friction.
static void bounce_off(firn_rigid* rigid, const firn_collider* other, firn_vec3 x, firn_vec3 n,
                       firn_real phi, firn_real dt)
{
    const firn_vec3 v =
        firn_v3_sub(firn_rigid_velocity_at(rigid, x), firn_collider_velocity(other, x));
    const firn_real deep = firn_max(-phi - (firn_real)OVERLAP_FREE, 0);
    const firn_real wanted = (firn_real)MENDED * deep / dt, v_n = firn_v3_dot(v, n);
    if (v_n >= wanted) return;
    const firn_real impulse = (wanted - v_n) / firn_rigid_mobility(rigid, x, n);
    firn_rigid_push(rigid, x, firn_v3_scale(n, impulse));
    const firn_vec3 v_t = firn_v3_madd(v, -v_n, n);
    const firn_real slip = firn_v3_length(v_t);
    if (!(slip > 0)) return;
    const firn_vec3 t = firn_v3_scale(v_t, 1 / slip);
    const firn_real stop = slip / firn_rigid_mobility(rigid, x, t);
    const firn_real most = other->sticky ? stop : other->friction * impulse;
    firn_rigid_push(rigid, x, firn_v3_scale(t, -firn_min(stop, most)));
}

static void keep_out(firn_free_body* body, const firn_collider* colliders,
                     firn_local collider_count, const firn_shapes* shapes, firn_real scale,
                     firn_real dt)
{
    for (int round = 0; round < ROUNDS; round++)
        for (firn_local k = 0; k < body->point_count; k++) {
            const firn_vec3 own =
                firn_v3_scale(firn_v3_sub(body->points[k], body->rigid.center), scale);
            const firn_vec3 x =
                firn_v3_add(body->rigid.position, firn_q_rotate(body->rigid.rotation, own));
            for (firn_local c = 0; c < collider_count; c++) {
                const firn_collider* other = &colliders[c];
                if (c == body->collider || other->mass > 0 || firn_collider_misses(other, x))
                    continue;
                firn_vec3 n;
                const firn_real phi = firn_collider_sample(other, shapes, x, &n);
                if (phi < 0) bounce_off(&body->rigid, other, x, n, phi, dt);
            }
        }
}

// Far more than any body of snow, and the squares of these still fit into a float.
static bool is_bounded(firn_vec3 v)
{
    const firn_real most = (firn_real)1e12;
    return firn_abs(v.x) < most && firn_abs(v.y) < most && firn_abs(v.z) < most;
}

bool firn_free_body_is_valid(const firn_rigid* rigid, double time)
{
    const firn_quat q = rigid->rotation;
    const double size2 = (double)q.w * (double)q.w + (double)q.x * (double)q.x +
                         (double)q.y * (double)q.y + (double)q.z * (double)q.z;
    return is_bounded(rigid->position) && is_bounded(rigid->remainder) &&
           is_bounded(rigid->velocity) && is_bounded(rigid->spin) && size2 > 0.5 && size2 < 2 &&
           time >= 0 && time - time == 0;
}

void firn_free_body_restore(firn_free_body* body, firn_collider* colliders, double time)
{
    firn_collider_follow(&colliders[body->collider], &body->rigid, time);
    body->time = time;
}

void firn_free_body_push(firn_free_body* body, firn_collider* colliders, const firn_body_push* push)
{
    const firn_collider* c = &colliders[body->collider];
    (void)firn_free_body_take(body, colliders, c->drive_time);
    const firn_vec3 x = push->point != NULL ? *push->point : body->rigid.position;
    firn_rigid_push(&body->rigid, x, push->impulse);
    const firn_vec3 turn =
        firn_rigid_inverse_inertia(&body->rigid, body->rigid.rotation, push->angular);
    body->rigid.spin = firn_v3_add(body->rigid.spin, turn);
    firn_free_body_restore(body, colliders, body->time);
}

void firn_free_body_step(firn_free_body* body, const firn_grains_push* push, firn_vec3 gravity,
                         firn_collider* colliders, firn_local collider_count,
                         const firn_shapes* shapes, double time, double dt)
{
    const firn_collider* c = &colliders[body->collider];
    const firn_real h = (firn_real)dt, scale = c->drive.scale;
    const firn_vec3 force =
        firn_v3((firn_real)push->force[0], (firn_real)push->force[1], (firn_real)push->force[2]);
    const firn_vec3 torque =
        firn_v3((firn_real)push->torque[0], (firn_real)push->torque[1], (firn_real)push->torque[2]);
    // velocity after forces first: contacts then correct it before the collider moves
    const firn_vec3 impulse = firn_v3_scale(firn_v3_madd(force, body->rigid.mass, gravity), h);
    firn_rigid_push(&body->rigid, body->rigid.position, impulse);
    const firn_vec3 turn =
        firn_rigid_inverse_inertia(&body->rigid, body->rigid.rotation, firn_v3_scale(torque, h));
    body->rigid.spin = firn_v3_add(body->rigid.spin, turn);
    keep_out(body, colliders, collider_count, shapes, scale, h);
    const firn_vec3 none = firn_v3(0, 0, 0);
    firn_rigid_step(&body->rigid, none, none, none, h);
    firn_free_body_restore(body, colliders, time + dt);
}
