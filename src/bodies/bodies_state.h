// SPDX-License-Identifier: MIT
// What the engine stores (bodies.h). Only files of this folder see it, and its tests.
#pragma once
#include "bodies/bodies.h"
#include "geometry/collider/contact_points.h"

#define FIRN_PAIR_CONTACTS 8  // of two colliders

// What is computed of a body in a step.
typedef struct firn_mover {
    firn_vec3 position;  // of the centre of mass [m]
    firn_vec3 velocity, spin;
    firn_real inverse_mass;  // 0: immovable
    firn_mat3 inverse;       // I^-1 in world axes, of the current rotation
    firn_vec3 shift, turn;   // [m], [rad] since the start of the step
} firn_mover;

typedef struct firn_body {
    firn_local collider;   // index
    firn_rigid rigid;      // state
    double time;           // [s] of the state; the collider's drive_time differs if the caller has
                           //     set another state since
    firn_real rest;        // [s] for how long it has been slower than what counts as motion
    bool inactive;         // rests: not computed
    bool free;             // moved by the engine in this step
    firn_mat3 inverse;     // of rigid.inertia
    firn_real size;        // diagonal of its bounds [m]
    firn_real depth;       // [m] above a point of the surface, where normals of others are sampled
    firn_real slide;       // [m] how far points look for the deepest one (contact_find.c)
    firn_real damping[2];  // [1/s] of velocity and of spin
    double push[3], twist[3];                   // [N s], [N m s] of the snow in this step
    firn_vec3 points[FIRN_CONTACT_POINTS_MAX];  // of the surface, in the shape's coordinates [m]
    firn_real radius;  // [m] > 0: the shape is all within this distance of `points`, exactly
    firn_local point_count;
    firn_local contact_count, memory_count;
    firn_local supports;  // what held it when it became inactive
    firn_local held;      // what holds it now: contacts and joints; -1: something that moves
} firn_body;

// A contact of body a with body b (a < b), or with collider `other` that has no mass.
typedef struct firn_contact {
    firn_local a, b;               // indices of movers; b: the immovable one
    firn_local other;              // collider
    bool of_b;                     // found from a point of b's surface
    firn_vec3 x;                   // [m] at the start of the step
    firn_vec3 n;                   // out of b: what pushes a
    firn_vec3 t[2];                // with n an orthonormal basis
    firn_real separation;          // [m] at the start of the step; < 0: overlap
    firn_vec3 velocity;            // [m/s] of the surface of `other` there, if it has no mass
    firn_vec3 from_a, from_b;      // [m] from the centres of mass to x, at the start of the step
    firn_real friction;            // mu; < 0: sticks
    firn_real restitution;         // [-]
    firn_real approach;            // [m/s] < 0: at the start of the step
    firn_real normal, tangent[2];  // [N s] impulses of a substep
    firn_real most;                // [N s] largest normal impulse of a substep
    firn_real guess, guess_tangent[2];  // [N s] of the step, as predicted
    // of the substep
    firn_vec3 r_a, r_b;      // [m] from the centres of mass
    firn_real mass;          // [kg] that a normal impulse meets
    firn_real slide;         // [kg] that a tangential impulse meets at least
    firn_real tangent_k[3];  // [kg] inverse of the 2x2 matrix of tangents: 00, 01, 11
} firn_contact;

// What a contact of the last step leaves to the next one, which begins with its impulses.
typedef struct firn_contact_memory {
    firn_local other;
    firn_vec3 x;
    firn_real normal;
    firn_vec3 tangent;  // as a vector: tangents may be others
} firn_contact_memory;

// Impulses of a joint in a substep.
typedef struct firn_joint_impulse {
    firn_vec3 linear;     // [N s] at the point; x: along the line
    firn_vec3 angular;    // [N m s]
    firn_real low, high;  // [N m s] at the limits of a hinge
} firn_joint_impulse;

typedef struct firn_joint_state {
    firn_joint def;
    firn_local a, b;         // movers
    firn_vec3 own_a, own_b;  // the points: from the centre of mass, body axes; in the shape's
                             //     coordinates where b has no mass; in the world's where it is none
    firn_vec3 axis_a, axis_b;  // in the same axes
    firn_quat relative;        // conj(R_a) R_b at the start
    firn_real length;          // [m]
    bool broken;
    bool acts;  // in this step
    firn_joint_impulse by;
    firn_joint_impulse kept;            // those of the last substep, while the others are predicted
    firn_vec3 sum_linear, sum_angular;  // [N s], [N m s] of the step
    firn_vec3 force, torque;            // [N], [N m] of the last step
    firn_real angle;                    // [rad]
    // of the substep
    firn_quat turned_b;                 // rotation of b
    firn_vec3 x_b, velocity_b, spin_b;  // of b if it has no mass: at the start of the step
    firn_quat start_b;
    firn_vec3 r_a, r_b;            // [m] from the centres of mass to the point of action
    firn_vec3 gap;                 // [m] of a's point from b's
    firn_vec3 line;                // unit vector from b's point to a's
    firn_real distance;            // [m] between them
    firn_mat3 point_k, angular_k;  // inverse masses
    firn_vec3 twist;               // [rad] error of the rotation
    firn_vec3 axis;                // of the hinge, world
} firn_joint_state;

// How stiff constraints are in a substep (design/0019): a spring of frequency omega and damping
// ratio zeta, integrated implicitly.
typedef struct firn_soft {
    firn_real rate;     // [1/s] share of an error that is corrected
    firn_real mass;     // factors on the impulse
    firn_real impulse;  // and on the impulse so far
} firn_soft;

struct firn_bodies {
    firn_body* items;             // owned [capacity]
    firn_mover* movers;           // owned [capacity + 1]; the last, [count], is immovable
    firn_contact* contacts;       // owned [capacity][FIRN_BODY_CONTACTS]
    firn_contact_memory* memory;  // owned [capacity][FIRN_BODY_CONTACTS]
    firn_local* island;           // owned [capacity]
    firn_local count, capacity;
    firn_joint_state* joints;  // owned
    firn_local joint_count, joint_capacity;
    firn_local* of;  // owned [collider_count]: body; -1
    firn_local collider_count, of_capacity;
    bool never_rests;
    // of the step
    const firn_collider* colliders;  // borrowed, from begin to finish
    const firn_shapes* shapes;
    firn_vec3 gravity;
    double time, dt;
    int substeps;
    // carried from step to step
    firn_vec3 last_gravity;
    double last_h;  // [s] length of the last substep; 0: none yet
};

// True for positions, velocities and spins that a body may have: far more than in any scene, and
// their squares still fit into a float. A body beyond them is lost (firn_bodies_check).
FIRN_FN bool firn_body_is_bounded(firn_vec3 v)
{
    const firn_real most = (firn_real)1e12;
    return firn_abs(v.x) < most && firn_abs(v.y) < most && firn_abs(v.z) < most;
}

// contacts.c: all contacts of the step, with the impulses of the last one.
void firn_bodies_find_contacts(firn_bodies* bodies);
// After a step.
void firn_bodies_remember_contacts(firn_bodies* bodies);
// contact_find.c: contacts of body `a` with collider `other`, at most FIRN_PAIR_CONTACTS; x, n (out
// of `other`) and separation are set.
firn_local firn_body_meets(const firn_bodies* bodies, const firn_body* a, firn_local other,
                           firn_contact out[FIRN_PAIR_CONTACTS]);
// rest.c: which bodies are inactive; at the end of a step.
void firn_bodies_activate(firn_bodies* bodies);
void firn_bodies_rest(firn_bodies* bodies);
// joints.c: positions of joints at the start of a step.
void firn_bodies_place_joints(firn_bodies* bodies);
bool firn_bodies_are_joined(const firn_bodies* bodies, firn_local a, firn_local other);
