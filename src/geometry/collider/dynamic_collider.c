// SPDX-License-Identifier: MIT
#include "geometry/collider/dynamic_collider.h"

#define MASS_MAX 1e12  // [kg] as of the scene's key; moments of inertia stay in float's range

// Moments that a body can have: none is larger than the two others together.
static bool is_inertia(firn_vec3 i)
{
    const firn_real most = (firn_real)1.0001;  // flat bodies, rounded
    return firn_v3_is_finite(i) && i.x > 0 && i.y > 0 && i.z > 0 && i.x <= most * (i.y + i.z) &&
           i.y <= most * (i.x + i.z) && i.z <= most * (i.x + i.y);
}

static bool has_inertia(const firn_collider* c)
{
    return c->inertia.x != 0 || c->inertia.y != 0 || c->inertia.z != 0;
}

static firn_result weigh(const firn_collider* collider, const firn_shapes* shapes, firn_real mass,
                         firn_rigid* out_body, firn_error* error)
{
    *out_body = (firn_rigid){0};
    if (!(mass > 0) || !((double)mass <= MASS_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a dynamic collider needs a mass above 0 and up to %g kg, this one has "
                         "%g kg",
                         MASS_MAX, (double)mass);
    if (collider->deforming != NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a deforming collider cannot be dynamic: remove its mass");
    if (firn_shape_inertia(shapes, collider->shape, mass, out_body) != FIRN_OK)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a dynamic collider needs a shape with a volume and an end on all sides: "
                         "give it another shape than a plane, or remove its mass");
    if (has_inertia(collider) && !is_inertia(collider->inertia))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "no body has an inertia of %g, %g and %g kg m^2: each must be above 0 and "
                         "at most the sum of the others",
                         (double)collider->inertia.x, (double)collider->inertia.y,
                         (double)collider->inertia.z);
    return FIRN_OK;
}

firn_result firn_collider_set_dynamic(firn_collider* collider, const firn_shapes* shapes,
                                      firn_real mass, firn_error* error)
{
    firn_rigid body;
    FIRN_TRY(weigh(collider, shapes, mass, &body, error));
    const firn_motion* m = &collider->motion;
    firn_motion state = *m;
    const firn_vec3 arm =
        firn_q_rotate(firn_q_normalize(m->rotation), firn_v3_scale(body.center, m->scale));
    state.velocity = firn_v3_sub(m->velocity, firn_v3_cross(m->spin, arm));
    FIRN_TRY(firn_collider_drive(collider, FIRN_MOVED_BY_SOLVER, &state, 0, error));
    collider->mass = mass;
    return FIRN_OK;
}

firn_result firn_collider_rigid(const firn_collider* collider, const firn_shapes* shapes,
                                double time, firn_rigid* out_body, firn_error* error)
{
    firn_rigid body;
    FIRN_TRY(weigh(collider, shapes, collider->mass, &body, error));
    const firn_motion state = firn_collider_state(collider, time);
    body.inertia = firn_m3_scale(body.inertia, state.scale * state.scale);
    if (has_inertia(collider))
        body.inertia =
            firn_m3_diagonal(collider->inertia.x, collider->inertia.y, collider->inertia.z);
    firn_rigid_set_state(&body, &state);
    *out_body = body;
    return FIRN_OK;
}

void firn_collider_follow(firn_collider* collider, const firn_rigid* body, double time)
{
    const firn_real scale = collider->drive.scale;
    const firn_pose pose = firn_rigid_pose(body, scale);
    firn_motion drive = firn_motion_at_rest();
    drive.position = drive.pivot = pose.position;
    drive.rotation = body->rotation;
    drive.scale = scale;
    drive.velocity = pose.velocity;
    drive.spin = pose.spin;
    collider->drive = drive;
    collider->drive_time = time;
}

double firn_collider_volume(const firn_collider* collider, const firn_shapes* shapes)
{
    const double scale = (double)collider->motion.scale;
    if (collider->deforming != NULL) return 0;
    return firn_shape_inertia_volume(shapes, collider->shape) * scale * scale * scale;
}
