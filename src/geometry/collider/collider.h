// SPDX-License-Identifier: MIT
// Colliders: solids that snow collides with, each with a shape or a deformation, a motion and the
// properties of its surface. Stomakhin 2013, section 8. A kinematic collider moves as the scene or
// the caller says; a dynamic one has a mass, and the solver moves it (FIRN_MOVED_BY_SOLVER).
#pragma once
#include "geometry/collider/look.h"
#include "geometry/deform/deform_pose.h"
#include "geometry/motion/motion.h"

typedef struct firn_deforming firn_deforming;  // geometry/deform/deforming.h
typedef struct firn_shapes firn_shapes;        // geometry/sdf/shape.h

// What moves a collider (collider_drive.h). The copies of the scene keep the initial value.
typedef enum firn_moved_by {
    FIRN_MOVED_BY_SCENE,   // kinematic: `motion`
    FIRN_MOVED_BY_CALLER,  // kinematic: `drive`, as last set by the caller of the simulation
    FIRN_MOVED_BY_SOLVER   // dynamic: `drive`, as last set by the solver
} firn_moved_by;

typedef struct firn_collider {
    firn_local shape;           // index in the scene's shapes; -1: `deforming`
    firn_deforming* deforming;  // one counted reference; null: `shape`
    firn_motion motion;         // keys owned; moves the shape, or the deforming collider as a whole
    firn_moved_by moved_by;     // zeroed: by the scene
    firn_motion drive;          // without keys; from drive_time on, unless moved by the scene
    double drive_time;          // [s]
    firn_real mass;             // [kg]; 0: kinematic, not affected by forces
    firn_vec3 inertia;          // [kg m^2] about the centre of mass, along the shape's axes; 0: by
                                //     mass and shape
    firn_real restitution;      // [-] of contacts between colliders
    firn_real damping, angular_damping;  // [1/s] of a dynamic one
    firn_real friction;                  // Coulomb mu [-]
    bool sticky;                         // relative velocity 0 on contact, also when separating
    firn_real viscosity;                 // nu_b [m^2/s]; < 0: by friction (firn_collider_viscosity)
    firn_real adhesion;                  // [-]
    firn_real temperature;               // [degC]; NaN: no heat exchange, or that of the air
    bool temperature_of_air;             // has the temperature of the air (scene/data/air.h)
    firn_real heat_transfer;             // [W/m^2/K] to snow in contact
    firn_look look;                      // zeroed: chosen by the picture
    bool removed;             // taken out of the simulation: has no surface, bounds are empty
    firn_pose pose;           // at the time of the last firn_collider_move
    firn_deform_pose deform;  // then, in local coordinates
    firn_box3 reach;          // then, in world coordinates: beyond it phi > 0
} firn_collider;

#ifdef __cplusplus
extern "C" {
#endif

// `out_copy` (overwritten) owns its keys and a reference to the deformation. FIRN_BROKEN_MEMORY: it
// is zeroed.
firn_result firn_collider_copy(const firn_collider* collider, firn_collider* out_copy);
void firn_collider_destroy(firn_collider* collider);  // frees what it owns, zeroes the struct

// Copies and destroys `count` of them; on failure `to` is zeroed.
firn_result firn_colliders_copy(const firn_collider* from, firn_local count, firn_collider* to);
void firn_colliders_destroy(firn_collider* colliders, firn_local count);

// Sets the pose for this time. Called once per step, before sampling. Only deforming colliders can
// fail (missing file, out of memory): the pose is then unchanged. A removed collider keeps its pose
// and gets empty bounds, so that everything misses it.
firn_result firn_collider_move(firn_collider* collider, const firn_shapes* shapes, double time,
                               firn_error* error);

// A box that contains the collider, in local coordinates, for the pose.
firn_box3 firn_collider_bounds(const firn_collider* collider, const firn_shapes* shapes);

// Level set and outward normal of the collider at x, in world coordinates, for the pose.
firn_real firn_collider_distance(const firn_collider* collider, const firn_shapes* shapes,
                                 firn_vec3 x);
firn_real firn_collider_sample(const firn_collider* collider, const firn_shapes* shapes,
                               firn_vec3 x, firn_vec3* out_normal);

#ifdef __cplusplus
}
#endif

// Viscous friction of the collider, nu_b of Gissler et al. 2020, eq. 24 [m^2/s]: the given value,
// or one derived from `friction` and `sticky`. Scenes of the paper have 0 to 10; 1 looks like a
// Coulomb coefficient of 0.4.
FIRN_FN firn_real firn_collider_viscosity(const firn_collider* c)
{
    if (c->viscosity >= 0) return c->viscosity;
    return c->sticky ? 10 : (firn_real)2.5 * c->friction;
}

// True if forces move it: it has a mass, and the caller does not move it.
FIRN_FN bool firn_collider_is_free(const firn_collider* c)
{
    return c->mass > 0 && c->moved_by == FIRN_MOVED_BY_SOLVER;
}

// True if x is outside the bounds: an early-out, because evaluating phi is expensive and most snow
// is far from any collider.
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
