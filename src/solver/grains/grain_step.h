// SPDX-License-Identifier: MIT
// Steps 2 to 6 of Goswami 2019, Algorithm 1, for one grain, for C and CUDA: the loops and arrays
// around them are in stepNN_*.c on the host and fused_02_06.cu on a device.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "physics/grain_compression.h"
#include "physics/grain_heat.h"
#include "physics/grain_wall.h"
#include "solver/grains/support/grains_rules.h"
#include "solver/shared/impulse.h"

// Step 2: sums over the neighbours and colliders of a grain.
typedef struct firn_grains_sum {
    firn_vec3 force, torque;  // [N], [N m]
    firn_grain_compression compression;
    int solid;                // neighbours of snow and ice: what bonds are counted by
    int near;                 // of any phase
    int touching;             // colliders
    bool slides;              // a contact with a neighbour is at the limit of friction
    firn_real power;          // [W] of colliders with a temperature
    firn_grain_around walls;  // colliders around it; packed grains
    uint64_t bonds;           // bit k: there is one with the k-th listed neighbour
} firn_grains_sum;

FIRN_FN firn_grains_sum firn_grains_sum_none(void)
{
    firn_grains_sum s;
    s.force = s.torque = firn_v3(0, 0, 0);
    for (int k = 0; k < 6; k++) s.compression.side[k] = 0;
    s.solid = s.near = s.touching = 0;
    s.power = 0;
    s.walls = firn_grain_around_none();
    s.bonds = 0;
    s.slides = false;
    return s;
}

// Counts are bytes in the fields of particles.
FIRN_FN int firn_grains_byte(int count)
{
    return count < 255 ? count : 255;
}

// n_max after a step with n neighbours. Grains of solid snow have as many as initially: those that
// come near when it is compressed are not lost when it is released.
FIRN_FN int firn_grains_neighbours_max(int most, int n, const firn_grain* self)
{
    return n > most && (most == 0 || !(self->origin_r > 0)) ? n : most;
}

// Bonds of a grain, from its two fields.
FIRN_FN uint64_t firn_grains_bonds(uint32_t bonds, uint32_t more)
{
    return (uint64_t)bonds | (uint64_t)more << 32;
}

// Initially, grains that touch or nearly touch are bonded; d: from one to the other, touch: the sum
// of their radii.
FIRN_FN bool firn_grains_bonds_initially(firn_vec3 d, firn_real touch, bool intact)
{
    const firn_real most =
        intact ? (firn_real)FIRN_GRAIN_BOND_REACH : 1 + (firn_real)FIRN_GRAINS_BOND_AT_START;
    const firn_real reach = most * touch;
    return firn_v3_dot(d, d) < reach * reach;
}

#if FIRN_LANES == 1  // not in files of SIMD batches (core/simd/lanes.h)
// The force of the k-th neighbour of its list, which has this phase.
FIRN_FN void firn_grains_add_force(const firn_grain_force* f, uint8_t phase, int k,
                                   firn_grains_sum* s)
{
    s->slides |= f->slides;
    if (!f->near) return;
    s->force = firn_v3_add(s->force, f->force);
    s->torque = firn_v3_add(s->torque, f->torque);
    firn_grain_compression_add(s->compression.side, f->n, f->spring);
    s->near++;
    s->solid += phase != FIRN_WATER;
    s->bonds |= (uint64_t)f->bonded << k;
}

// The k-th neighbour of its list; `bonds`: before the step.
FIRN_FN void firn_grains_add_neighbour(const firn_grain_constants* c, const firn_grain* self,
                                       const firn_grain* other, int k, uint64_t bonds,
                                       firn_grains_sum* s)
{
    const firn_grain_force f = firn_grain_pair(c, self, other, (bonds >> k & 1) != 0);
    firn_grains_add_force(&f, other->phase, k, s);
}

// [m] Distance from a collider within which it may act on the grain.
FIRN_FN firn_real firn_grains_body_range(const firn_grain_constants* c, const firn_grain* self,
                                         const firn_collider* body)
{
    return self->r + (body->sticky ? c->reach : 0);
}

// AABB early-out: certainly not within `range` of the collider.
FIRN_FN bool firn_grains_misses(const firn_collider* body, firn_vec3 x, firn_real range)
{
    const firn_vec3 room = firn_v3(range, range, range);
    return firn_collider_misses_box(body, firn_v3_sub(x, room), firn_v3_add(x, room));
}

// The force of a collider on a grain near its AABB. `other`: all other forces and torques.
FIRN_FN_APART firn_grain_force firn_grains_meet_body(const firn_grain_constants* c,
                                                     const firn_grain* self,
                                                     const firn_collider* body,
                                                     const firn_shape_tables* shapes,
                                                     const firn_grains_sum* other, firn_real dt)
{
    firn_grain_wall wall;
    wall.phi = firn_collider_distance_shared(body, shapes, self->x);
    if (wall.phi >= firn_grains_body_range(c, self, body)) return firn_grain_force_none();
    wall.phi = firn_collider_sample_shared(body, shapes, self->x, &wall.n);
    wall.v = firn_collider_velocity(body, self->x);
    wall.friction = body->friction;
    wall.sticky = body->sticky;
    return firn_grain_wall_force(c, self, &wall, other->force, other->torque, dt);
}

// What a collider takes from a grain at x in a step of dt [s]: the reaction to force and torque f.
FIRN_FN void firn_grains_take(firn_impulse* sum, const firn_collider* body, firn_vec3 x,
                              const firn_grain_force* f, firn_real dt)
{
    const double by = -(double)dt;
    firn_impulse_add(sum, firn_v3_sub(x, body->pose.position), by * (double)f->force.x,
                     by * (double)f->force.y, by * (double)f->force.z);
    firn_impulse_turn(sum, by * (double)f->torque.x, by * (double)f->torque.y,
                      by * (double)f->torque.z);
}

// Heat of a collider near its AABB, for packed grains; T_other: [degC], NaN: none.
FIRN_FN_APART void firn_grains_warm_by_body(const firn_grain_constants* c, const firn_grain* self,
                                            firn_real T, const firn_collider* body,
                                            const firn_shape_tables* shapes, firn_real T_other,
                                            firn_grains_sum* s)
{
    const firn_real range = (firn_real)FIRN_GRAIN_SURFACE_DEPTH * self->r;
    firn_vec3 n;
    if (firn_collider_distance_shared(body, shapes, self->x) >= range) return;
    const firn_real phi = firn_collider_sample_shared(body, shapes, self->x, &n);
    const firn_real share = firn_grain_wall_share(self->r, phi);
    firn_grain_around_wall(n, share, &s->walls);
    if (T_other == T_other)
        s->power += firn_grain_wall_heat(c, self, T, T_other, body->heat_transfer, phi, share);
}
#endif

// Step 3. Power from the air [W]. near, touching: for conduction: paper; around: neighbours.
FIRN_FN double firn_grains_air_power(const firn_grain_constants* c, const firn_grain* self,
                                     firn_real temperature, double air, int near, int touching,
                                     firn_grain_around around, firn_grain_around walls)
{
    if (c->conduction > 0)
        return (double)firn_grain_surface_heat(c, self, temperature, (firn_real)air,
                                               firn_grain_open(near, touching));
    around.lean = firn_v3_add(around.lean, walls.lean);
    around.count += walls.count;
    return (double)firn_grain_air_heat(c, self, temperature, (firn_real)air, around);
}

typedef struct firn_grains_warmth {
    firn_grain_heat heat;
    firn_real temperature;  // [degC]
    firn_real water;        // beta
} firn_grains_warmth;

// After a step of dt [s] under `power` [W]; radius and phase are those of its start.
FIRN_FN firn_grains_warmth firn_grains_warm(const firn_grain_constants* c, firn_grain_heat heat,
                                            firn_real r, uint8_t phase, double power, double dt)
{
    const double h = firn_grain_heat_value(heat) + dt * power / (double)c->mass;
    firn_grains_warmth after;
    after.heat = firn_grain_heat_of(h);
    after.temperature = (firn_real)firn_grain_temperature(c, h, r, phase);
    after.water = firn_grain_water(c, h);
    return after;
}

// Step 4: properties that compression and heat change.
typedef struct firn_grains_matter {
    firn_real radius;  // [m]
    uint8_t phase;     // firn_phase
    uint8_t broken;
    uint8_t neighbours_max;
    uint8_t state;   // firn_grain_state
    firn_vec3 spin;  // [1/s]
} firn_grains_matter;

// A new radius changes the moment of inertia: spin keeps the angular momentum.
FIRN_FN void firn_grains_resize(firn_real radius, firn_grains_matter* g)
{
    if (radius == g->radius) return;
    const firn_real ratio = g->radius / radius;
    g->spin = firn_v3_scale(g->spin, ratio * ratio);
    g->radius = radius;
}

// `breaks`: whether step 2 breaks its bonds; F_c [N] of eq. 5; heat: after step 3.
FIRN_FN void firn_grains_settle(const firn_grain_constants* c, firn_grain_heat heat, bool breaks,
                                firn_real F_c, firn_real dt, firn_grains_matter* g)
{
    const bool was_loose = g->state == FIRN_GRAIN_LOOSE;
    if (g->state == FIRN_GRAIN_RELEASED) g->state = FIRN_GRAIN_LOOSE;
    const uint8_t phase = firn_grain_phase_after(c, g->phase, firn_grain_heat_value(heat));
    if (phase != g->phase) {
        g->phase = phase;
        firn_grains_resize(firn_grain_radius_after(c, phase), g);
        if (g->state == FIRN_GRAIN_INTACT) g->state = FIRN_GRAIN_RELEASED;
        g->neighbours_max = 0;  // bonds of the old phase do not count
        g->broken = 0;
        return;
    }
    // loose grains of solid snow are bonded where they touch, whatever they had around them
    const bool sticks = c->solid && c->bonds == FIRN_BONDS_TRACKED;
    g->broken = breaks && !(sticks && was_loose);
    if (phase == FIRN_WATER) return;
    if (g->state == FIRN_GRAIN_INTACT && breaks) g->state = FIRN_GRAIN_RELEASED;
    firn_grains_resize(firn_grain_compress(c, g->radius, F_c, dt), g);
    if (!(g->radius > c->r_ice)) g->phase = FIRN_ICE;
}

// Step 6: how far a grain may go [m], and how slow and near it is at rest.
typedef struct firn_grains_move_rules {
    firn_real dt;        // [s]
    firn_real farthest;  // [m] in a step
    firn_real stick_speed;
    firn_real slip_most;   // [m]
    firn_real twist_most;  // [rad]
    firn_real memory;      // [-] share of slip and twist that a moving grain keeps in a step
} firn_grains_move_rules;

FIRN_FN firn_grains_move_rules firn_grains_move_rules_of(const firn_grain_constants* c,
                                                         double radius, firn_real dt)
{
    return FIRN_LIT(firn_grains_move_rules){dt,
                                            (firn_real)radius,
                                            c->stick_speed,
                                            (firn_real)(FIRN_GRAINS_SLIP_MOST * radius),
                                            (firn_real)FIRN_GRAINS_TWIST_MOST,
                                            c->memory};
}

// State that steps 5 and 6 change.
typedef struct firn_grains_motion {
    firn_vec3 x, v, spin;   // [m], [m/s], [1/s]
    firn_vec3 slip, twist;  // [m], [rad]
} firn_grains_motion;

// Step 5; r: the radius after step 4.
FIRN_FN void firn_grains_accelerate(const firn_grain_constants* c, firn_vec3 force,
                                    firn_vec3 torque, firn_real r, firn_real dt, firn_vec3* v,
                                    firn_vec3* spin)
{
    *v = firn_v3_madd(*v, dt / c->mass, force);
    *spin = firn_v3_madd(*spin, dt / firn_grain_inertia(c, r), torque);
}

// Step 6. Displacements since a grain came to rest are springs of friction: where it `slides` they
// are released, else a contact would return more work than was done on it. False: it would go
// farther, or is not finite; it has been moved nevertheless.
FIRN_FN bool firn_grains_move(const firn_grains_move_rules* a, bool slides, firn_grains_motion* g)
{
    const firn_real limit = a->farthest / a->dt, speed2 = firn_v3_dot(g->v, g->v);
    g->x = firn_v3_madd(g->x, a->dt, g->v);
    const firn_vec3 moved = firn_v3_madd(g->slip, a->dt, g->v);
    const firn_vec3 turned = firn_v3_madd(g->twist, a->dt, g->spin);
    const bool rests = !(slides && a->memory > 0) && speed2 < a->stick_speed * a->stick_speed &&
                       firn_v3_dot(moved, moved) < a->slip_most * a->slip_most &&
                       firn_v3_dot(turned, turned) < a->twist_most * a->twist_most;
    const firn_real keeps = rests ? 1 : a->memory;
    g->slip = firn_v3_scale(moved, keeps);
    g->twist = firn_v3_scale(turned, keeps);
    return speed2 < limit * limit && firn_v3_is_finite(g->spin);
}
