// SPDX-License-Identifier: MIT
// Steps 2 to 6 of Goswami 2019, Algorithm 1, for one grain, for C and CUDA: the loops and arrays
// around them are in stepNN_*.c on the host and fused_02_06.cu on a device.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "physics/grain_compression.h"
#include "physics/grain_contact.h"
#include "physics/grain_heat.h"

// Step 2: sums over the neighbours and colliders of a grain.
typedef struct firn_grains_sum {
    firn_vec3 force;  // [N]
    firn_grain_compression compression;
    int solid;        // neighbours of snow and ice: what bonds are counted by
    int near;         // of any phase
    int touching;     // colliders
    firn_real power;  // [W] of colliders with a temperature
    uint64_t bonds;   // bit k: there is one with the k-th listed neighbour
} firn_grains_sum;

FIRN_FN firn_grains_sum firn_grains_sum_none(void)
{
    firn_grains_sum s;
    s.force = firn_v3(0, 0, 0);
    for (int k = 0; k < 6; k++) s.compression.side[k] = 0;
    s.solid = s.near = s.touching = 0;
    s.power = 0;
    s.bonds = 0;
    return s;
}

// Counts are bytes in the fields of particles.
FIRN_FN int firn_grains_byte(int count)
{
    return count < 255 ? count : 255;
}

// Bonds of a grain, from its two fields.
FIRN_FN uint64_t firn_grains_bonds(uint32_t bonds, uint32_t more)
{
    return (uint64_t)bonds | (uint64_t)more << 32;
}

#if FIRN_LANES == 1  // not in files of SIMD batches (core/simd/lanes.h)
// The k-th neighbour of its list; `bonds`: before the step.
FIRN_FN void firn_grains_add_neighbour(const firn_grain_constants* c, const firn_grain* self,
                                       const firn_grain* other, int k, uint64_t bonds,
                                       firn_grains_sum* s)
{
    const firn_grain_force f = firn_grain_pair(c, self, other, (bonds >> k & 1) != 0);
    if (!f.near) return;
    s->force = firn_v3_add(s->force, f.force);
    firn_grain_compression_add(s->compression.side, f.n, f.spring);
    s->near++;
    s->solid += other->phase != FIRN_WATER;
    s->bonds |= (uint64_t)f.bonded << k;
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

// The force of a collider on a grain near its AABB. `other`: all other forces [N].
FIRN_FN_APART firn_grain_force firn_grains_meet_body(const firn_grain_constants* c,
                                                     const firn_grain* self,
                                                     const firn_collider* body,
                                                     const firn_shape_tables* shapes,
                                                     firn_vec3 other, firn_real dt)
{
    const firn_grain_force none = {{0, 0, 0}, {0, 0, 0}, 0, false, false};
    firn_grain_wall wall;
    wall.phi = firn_collider_distance_shared(body, shapes, self->x);
    if (wall.phi >= firn_grains_body_range(c, self, body)) return none;
    wall.phi = firn_collider_sample_shared(body, shapes, self->x, &wall.n);
    wall.v = firn_collider_velocity(body, self->x);
    wall.friction = body->friction;
    wall.sticky = body->sticky;
    return firn_grain_wall_force(c, self, &wall, other, dt);
}
#endif

// Step 3. Power from the air [W].
FIRN_FN double firn_grains_air_power(const firn_grain_constants* c, const firn_grain* self,
                                     firn_real temperature, double air, int near, int touching)
{
    return (double)firn_grain_surface_heat(c, self, temperature, (firn_real)air,
                                           firn_grain_open(near, touching));
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
} firn_grains_matter;

// `breaks`: whether step 2 breaks its bonds; F_c [N] of eq. 5; heat: after step 3.
FIRN_FN void firn_grains_settle(const firn_grain_constants* c, firn_grain_heat heat, bool breaks,
                                firn_real F_c, firn_real dt, firn_grains_matter* g)
{
    const uint8_t phase = firn_grain_phase_after(c, g->phase, firn_grain_heat_value(heat));
    if (phase != g->phase) {
        g->phase = phase;
        g->radius = firn_grain_radius_after(c, phase);
        g->neighbours_max = 0;  // bonds of the old phase do not count
        g->broken = 0;
        return;
    }
    g->broken = breaks;
    if (phase == FIRN_WATER) return;
    g->radius = firn_grain_compress(c, g->radius, F_c, dt);
    if (!(g->radius > c->r_ice)) g->phase = FIRN_ICE;
}

// Step 6: how far a grain may go [m], and how slow and near it is at rest.
typedef struct firn_grains_move_rules {
    firn_real dt;        // [s]
    firn_real farthest;  // [m] in a step
    firn_real stick_speed;
    firn_real slip_most;  // [m]
} firn_grains_move_rules;

// False: it would go farther, or is not finite; it has been moved nevertheless.
FIRN_FN bool firn_grains_move(const firn_grains_move_rules* a, firn_vec3 v, firn_vec3* x,
                              firn_vec3* slip)
{
    const firn_real limit = a->farthest / a->dt, speed2 = firn_v3_dot(v, v);
    *x = firn_v3_madd(*x, a->dt, v);
    const firn_vec3 moved = firn_v3_madd(*slip, a->dt, v);
    const bool rests = speed2 < a->stick_speed * a->stick_speed &&
                       firn_v3_dot(moved, moved) < a->slip_most * a->slip_most;
    *slip = rests ? moved : firn_v3(0, 0, 0);
    return speed2 < limit * limit;
}
