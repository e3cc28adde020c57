// SPDX-License-Identifier: MIT
// Colliders: solid bodies that snow can hit: a shape or a deforming body, its motion, and how its
// surface behaves. Stomakhin 2013, section 8. Does not: feel the snow's push; where a solver lets
// it, the solver moves the body (FIRN_DRIVER_FREE).
#pragma once
#include "geometry/collider/look.h"
#include "geometry/deform/deform_pose.h"
#include "geometry/motion/motion.h"

typedef struct firn_deforming firn_deforming;  // geometry/deform/deforming.h
typedef struct firn_shapes firn_shapes;        // geometry/sdf/shape.h

// What moves a body (collider_drive.h). The scene's own copies keep what it begins with.
typedef enum firn_driver {
    FIRN_DRIVER_SCENE,   // `motion`
    FIRN_DRIVER_CALLER,  // `drive`, as whoever uses the simulation said last
    FIRN_DRIVER_FREE     // `drive`, as the solver said last: gravity and snow push it
} firn_driver;

typedef struct firn_collider {
    firn_local shape;           // index in the scene's shapes; -1: `deforming`
    firn_deforming* deforming;  // a share of it; null: `shape`
    firn_motion motion;         // keys owned; moves the shape, or the deforming body as a whole
    firn_driver driver;         // zeroed: the scene
    firn_motion drive;          // without keys; from drive_time on, where the scene does not drive
    double drive_time;          // [s]
    firn_real mass;             // [kg]; 0: it moves as its driver says, whatever pushes it
    firn_real friction;         // Coulomb mu [-]
    bool sticky;                // relative velocity 0 on contact, whatever its direction
    firn_real viscosity;        // nu_b [m^2/s]; < 0: by friction (firn_collider_viscosity)
    firn_real adhesion;         // [-]
    firn_real temperature;      // [degC]; NaN: it exchanges no heat, or that of the air
    bool temperature_of_air;  // it is as warm as the air: firn_body_temperature (scene/data/air.h)
    firn_real heat_transfer;  // [W/m^2/K] between it and snow
    firn_look look;           // zeroed: chosen
    firn_pose pose;           // at the time of the last firn_collider_move
    firn_deform_pose deform;  // then, in the body's own coordinates
    firn_box3 reach;          // then, in world coordinates: beyond it phi > 0
} firn_collider;

#ifdef __cplusplus
extern "C" {
#endif

// `out_copy` (overwritten) owns its keys and has its share of a deforming body. FIRN_BROKEN_MEMORY:
// it is zeroed.
firn_result firn_collider_copy(const firn_collider* collider, firn_collider* out_copy);
void firn_collider_destroy(firn_collider* collider);  // frees what it owns, zeroes the struct

// Copies and destroys `count` of them; on failure `to` is zeroed.
firn_result firn_colliders_copy(const firn_collider* from, firn_local count, firn_collider* to);
void firn_colliders_destroy(firn_collider* colliders, firn_local count);

// Sets the pose for this time. Called once per step, before any sample. Only deforming bodies can
// fail (a file is gone, memory is out): the pose is then as it was.
firn_result firn_collider_move(firn_collider* collider, const firn_shapes* shapes, double time,
                               firn_error* error);

// A box that contains the body, in its own coordinates, for the pose.
firn_box3 firn_collider_bounds(const firn_collider* collider, const firn_shapes* shapes);

// Level set and outward normal of the body at x, in world coordinates, for the pose.
firn_real firn_collider_distance(const firn_collider* collider, const firn_shapes* shapes,
                                 firn_vec3 x);
firn_real firn_collider_sample(const firn_collider* collider, const firn_shapes* shapes,
                               firn_vec3 x, firn_vec3* out_normal);

#ifdef __cplusplus
}
#endif

// The viscous friction of the body, nu_b of Gissler et al. 2020, eq. 24 [m^2/s]: what is given, or
// as much as `friction` and `sticky` promise; their scenes have 0 to 10, and 1 for what a Coulomb
// coefficient of 0.4 looks like.
FIRN_FN firn_real firn_collider_viscosity(const firn_collider* c)
{
    if (c->viscosity >= 0) return c->viscosity;
    return c->sticky ? 10 : (firn_real)2.5 * c->friction;
}

// True where the body surely is not. Asked first, because phi is dear and most of the snow is far
// from any body.
FIRN_FN bool firn_collider_misses(const firn_collider* c, firn_vec3 x)
{
    const firn_box3* box = &c->reach;
    return x.x < box->low.x || x.y < box->low.y || x.z < box->low.z || x.x > box->high.x ||
           x.y > box->high.y || x.z > box->high.z;
}
// The same for a whole box.
FIRN_FN bool firn_collider_misses_box(const firn_collider* c, firn_vec3 low, firn_vec3 high)
{
    const firn_box3* box = &c->reach;
    return high.x < box->low.x || high.y < box->low.y || high.z < box->low.z ||
           low.x > box->high.x || low.y > box->high.y || low.z > box->high.z;
}
