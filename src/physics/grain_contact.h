// SPDX-License-Identifier: MIT
// Forces between two grains, and between a grain and a collider: Goswami et al. 2019, eqs. 1 to 4
// and Algorithm 2. A force is that on grain i; on j it is the opposite, bit for bit (T42).
//
// The forces between solid grains are written over the lane type (core/simd/lanes.h): one grain in
// plain loops and CUDA kernels, a SIMD batch in fast loops. No multiply-add is fused, so that all
// have the same bits. The rest is for one grain.
#pragma once
#include "math/mat3_lanes.h"
#include "physics/grain.h"

// a . b and a + s b without fused multiply-adds.
FIRN_LANES_FN firn_lanes firn_grain_dot(firn_vec3_lanes a, firn_vec3_lanes b)
{
    return a.x * b.x + (a.y * b.y + a.z * b.z);
}

FIRN_LANES_FN firn_vec3_lanes firn_grain_madd(firn_vec3_lanes a, firn_lanes s, firn_vec3_lanes b)
{
    return firn_v3_lanes(s * b.x + a.x, s * b.y + a.y, s * b.z + a.z);
}

// [N s/m] of a spring k between two grains.
FIRN_LANES_FN firn_lanes firn_grain_damper(const firn_grain_constants* c, firn_lanes k)
{
    const firn_lanes half = firn_lanes_all((firn_real)0.5), m = firn_lanes_all(c->mass);
    return firn_lanes_min(firn_lanes_all(2 * c->damping) * firn_lanes_sqrt(half * k * m),
                          firn_lanes_all(c->damping_most));
}

// Eq. 3: friction where grains overlap, at most `limit` [N]. It opposes the slip; u_t is what two
// grains at rest have moved against each other since, and where they move, the velocity decides
// (erratum 30). v and u: of j relative to i, n: from i to j.
FIRN_LANES_FN firn_vec3_lanes firn_grain_friction(firn_vec3_lanes v, firn_vec3_lanes u,
                                                  firn_vec3_lanes n, firn_lanes k,
                                                  firn_lanes damper, firn_lanes limit)
{
    const firn_vec3_lanes q =
        firn_v3_lanes(k * u.x + damper * v.x, k * u.y + damper * v.y, k * u.z + damper * v.z);
    const firn_vec3_lanes q_t = firn_grain_madd(q, -firn_grain_dot(q, n), n);
    const firn_lanes size = firn_lanes_sqrt(firn_grain_dot(q_t, q_t));
    return firn_v3_lanes_select(firn_lanes_less(limit, size),
                                firn_v3_lanes_scale(q_t, limit / size), q_t);
}

// What the force between solid grains needs of one of them.
typedef struct firn_grain_solid {
    firn_vec3_lanes v, slip;  // [m/s], [m]
    firn_lanes k;             // firn_grain_stiffness [N/m]
    firn_lanes strength;      // firn_grain_strength [N]
    firn_lanes_mask broken;
} firn_grain_solid;

typedef struct firn_grain_solid_force {
    firn_vec3_lanes force;  // [N] on i
    firn_lanes spring;      // [N] see firn_grain_force
    firn_lanes_mask near, bonded;
} firn_grain_solid_force;

// Both are snow or ice: eqs. 2 and 3. n: from i to j, overlap = r_i + r_j - |x_j - x_i|; `within`:
// lanes within reach; `bonded`: lanes with a bond before the step.
//
// A bond is formed where two grains touch, and lasts until it is pulled too hard or one of them
// loses its bonds. In the paper any two grains attract that are near enough. But the gap that a
// bond bridges is a quarter of a grain's size, and the force across it fifty times its weight: snow
// at rest would contract before anything touches it.
FIRN_LANES_FN firn_grain_solid_force firn_grain_solid_pair(
    const firn_grain_constants* c, const firn_grain_solid* i, const firn_grain_solid* j,
    firn_vec3_lanes n, firn_lanes overlap, firn_lanes_mask within, firn_lanes_mask bonded)
{
    const firn_lanes zero = firn_lanes_all(0), half = firn_lanes_all((firn_real)0.5);
    const firn_vec3_lanes none = firn_v3_lanes(zero, zero, zero);
    const firn_lanes k = half * (i->k + j->k), bears = half * (i->strength + j->strength);
    firn_grain_solid_force f;
    f.force = none;
    f.spring = zero;
    f.near = firn_mask_and(within, firn_lanes_less(-k * overlap, bears));
    const firn_lanes_mask whole = firn_mask_not(firn_mask_or(i->broken, j->broken));
    const firn_lanes_mask meets = firn_mask_or(bonded, firn_lanes_at_most(zero, overlap));
    f.bonded = firn_mask_and(f.near, firn_mask_and(whole, meets));
    const firn_lanes_mask overlaps = firn_mask_and(f.near, firn_lanes_less(zero, overlap));
    const firn_lanes_mask acts = firn_mask_or(f.bonded, overlaps);
    if (!firn_mask_any(acts)) return f;
    const firn_vec3_lanes v = firn_v3_lanes_sub(j->v, i->v);
    const firn_lanes damper = firn_grain_damper(c, k), spring = k * overlap;
    firn_lanes normal_force = spring - damper * firn_grain_dot(v, n);
    // without a bond there is no attraction
    normal_force = firn_lanes_select(f.bonded, normal_force, firn_lanes_max(normal_force, zero));
    firn_vec3_lanes force = firn_v3_lanes_scale(n, -normal_force);
    if (firn_mask_any(overlaps)) {
        const firn_vec3_lanes u = firn_v3_lanes_sub(j->slip, i->slip);
        const firn_vec3_lanes t =
            firn_grain_friction(v, u, n, firn_lanes_all(c->shear) * k, half * damper,
                                firn_lanes_all(c->friction) * spring);
        force = firn_v3_lanes_select(overlaps, firn_v3_lanes_add(force, t), force);
    }
    f.force = firn_v3_lanes_select(acts, force, none);
    f.spring = firn_lanes_select(acts, spring, zero);
    return f;
}

#if FIRN_LANES == 1
typedef struct firn_grain_force {
    firn_vec3 force;   // [N] on i, all of it
    firn_vec3 n;       // from i towards what acts
    firn_real spring;  // [N] of it, the compressive part along n; < 0: attraction. For eq. 5
    bool near;         // a neighbour: close enough for a bond, whether there is one or not
    bool bonded;       // there is one from now on
} firn_grain_force;

FIRN_FN firn_grain_solid firn_grain_solid_of(const firn_grain_constants* c, const firn_grain* g)
{
    return FIRN_LIT(firn_grain_solid){g->v, g->slip, firn_grain_stiffness(c, g->r, g->phase),
                                      firn_grain_strength(c, g->r), g->broken};
}

// One is water: eq. 4, and repulsion by overlap. Water slides without friction.
FIRN_FN firn_grain_force firn_grain_water_pair(const firn_grain_constants* c, const firn_grain* i,
                                               const firn_grain* j, firn_vec3 n, firn_real overlap,
                                               firn_real distance)
{
    const firn_real half = (firn_real)0.5;
    firn_grain_force f = {{0, 0, 0}, n, 0, overlap > -c->reach, false};
    if (!f.near) return f;
    f.force = firn_v3_scale(n, c->tension / distance);
    if (overlap <= 0) return f;
    const firn_real k =
        half * (firn_grain_stiffness(c, i->r, i->phase) + firn_grain_stiffness(c, j->r, j->phase));
    const firn_vec3 v = firn_v3_sub(j->v, i->v);
    const firn_real damper = firn_grain_damper(c, k), spring = k * overlap;
    const firn_real normal_force = firn_max(spring - damper * firn_v3_dot(v, n), 0);
    f.force = firn_v3_madd(f.force, -normal_force, n);
    f.spring = spring;
    return f;
}

// The force on i from j, with a bond between them or without; zero and not near where they are too
// far apart.
FIRN_FN firn_grain_force firn_grain_pair(const firn_grain_constants* c, const firn_grain* i,
                                         const firn_grain* j, bool bonded)
{
    const firn_vec3 d = firn_v3_sub(j->x, i->x);
    const firn_real touch = i->r + j->r, far = touch + c->reach, d2 = firn_v3_dot(d, d);
    firn_grain_force none = {{0, 0, 0}, {0, 0, 0}, 0, false, false};
    if (d2 >= far * far || !(d2 > 0)) return none;
    const firn_real distance = firn_sqrt(d2);
    const firn_vec3 n = firn_v3_scale(d, 1 / distance);
    if (i->phase == FIRN_WATER || j->phase == FIRN_WATER)
        return firn_grain_water_pair(c, i, j, n, touch - distance, distance);
    const firn_grain_solid a = firn_grain_solid_of(c, i), b = firn_grain_solid_of(c, j);
    const firn_grain_solid_force f =
        firn_grain_solid_pair(c, &a, &b, n, touch - distance, true, bonded);
    return FIRN_LIT(firn_grain_force){f.force, n, f.spring, f.near, f.bonded};
}

// A collider where a grain is near it.
typedef struct firn_grain_wall {
    firn_real phi;       // [m] of the collider at x_i
    firn_vec3 n;         // outward unit normal
    firn_vec3 v;         // [m/s] of the collider there
    firn_real friction;  // Coulomb mu [-]
    bool sticky;         // snow is bonded to it and does not slip
} firn_grain_wall;

// The force of a collider on grain i: a mirrored grain behind the surface pushes it (Algorithm 3,
// line 2), which is twice the spring and twice the damper. `other`: all other forces on i [N],
// which friction at rest answers; dt: [s] of the step.
FIRN_FN firn_grain_force firn_grain_wall_force(const firn_grain_constants* c, const firn_grain* i,
                                               const firn_grain_wall* wall, firn_vec3 other,
                                               firn_real dt)
{
    const bool water = i->phase == FIRN_WATER;
    const firn_real half_k = firn_grain_stiffness(c, i->r, i->phase), k = 2 * half_k;
    const firn_real overlap = i->r - wall->phi;
    const bool bonded = wall->sticky && !water && !i->broken;
    firn_grain_force f = {{0, 0, 0}, {-wall->n.x, -wall->n.y, -wall->n.z}, 0, false, false};
    f.near = overlap > 0 || (bonded && -k * overlap < 2 * firn_grain_strength(c, i->r));
    if (!f.near) return f;
    const firn_vec3 v = firn_v3_sub(i->v, wall->v);
    const firn_real spring = k * overlap;
    firn_real normal_force = spring - 2 * firn_grain_damper(c, half_k) * firn_v3_dot(v, wall->n);
    if (!bonded) normal_force = firn_max(normal_force, 0);
    f.force = firn_v3_scale(wall->n, normal_force);
    f.spring = spring;
    // at most the friction that stops the slip within the step
    const firn_vec3 stop = firn_v3_madd(other, c->mass / dt, v);
    const firn_vec3 stop_t = firn_v3_madd(stop, -firn_v3_dot(stop, wall->n), wall->n);
    const firn_real size = firn_v3_length(stop_t);
    const firn_real limit = bonded ? size : water ? 0 : wall->friction * firn_max(spring, 0);
    f.force = firn_v3_madd(f.force, size > limit ? -limit / size : -1, stop_t);
    return f;
}
#endif
