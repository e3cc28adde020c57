// SPDX-License-Identifier: MIT
// Forces between two grains, and between a grain and a body: Goswami et al. 2019, eqs. 1 to 4 and
// Algorithm 2. A force is that on grain i; seen from j it is the opposite, bit for bit (T42).
#pragma once
#include "physics/grain.h"

typedef struct firn_grain_force {
    firn_vec3 force;   // [N] on i, all of it
    firn_vec3 n;       // from i towards what acts
    firn_real spring;  // [N] of it, what presses against n; < 0: pulls. For eq. 5
    bool near;         // a neighbour: close enough for a bond, whether there is one or not
    bool bonded;       // there is one from now on
} firn_grain_force;

// [N s/m] of a spring k between two grains.
FIRN_FN firn_real firn_grain_damper(const firn_grain_constants* c, firn_real k)
{
    const firn_real half = (firn_real)0.5;
    return firn_min(2 * c->damping * firn_sqrt(half * k * c->mass), c->damping_most);
}

// Eq. 3: friction where grains overlap, at most `limit` [N]. It opposes the slip; u_t is what two
// grains at rest have moved against each other since, and where they move, the velocity decides
// (erratum 30). v and u: of j relative to i, n: from i to j.
FIRN_FN firn_vec3 firn_grain_friction(firn_vec3 v, firn_vec3 u, firn_vec3 n, firn_real k,
                                      firn_real damper, firn_real limit)
{
    const firn_vec3 q =
        firn_v3(k * u.x + damper * v.x, k * u.y + damper * v.y, k * u.z + damper * v.z);
    const firn_vec3 q_t = firn_v3_madd(q, -firn_v3_dot(q, n), n);
    const firn_real size = firn_v3_length(q_t);
    return size > limit ? firn_v3_scale(q_t, limit / size) : q_t;
}

// Both are snow or ice: eqs. 2 and 3. n: from i to j, overlap = r_i + r_j - |x_j - x_i|.
//
// A bond is formed where two grains touch, and lasts until it is pulled too hard or one of them
// loses its bonds. The paper lets any two grains pull that are near enough. But the gap that a bond
// bridges is a quarter of a grain's size, and the pull across it fifty times its weight: snow at
// rest would draw itself together before anything touches it.
FIRN_FN firn_grain_force firn_grain_solid_pair(const firn_grain_constants* c, const firn_grain* i,
                                               const firn_grain* j, firn_vec3 n, firn_real overlap,
                                               bool bonded)
{
    const firn_real half = (firn_real)0.5;
    const firn_real k =
        half * (firn_grain_stiffness(c, i->r, i->phase) + firn_grain_stiffness(c, j->r, j->phase));
    const firn_real bears = half * (firn_grain_strength(c, i->r) + firn_grain_strength(c, j->r));
    firn_grain_force f = {{0, 0, 0}, n, 0, -k * overlap < bears, false};
    f.bonded = f.near && !i->broken && !j->broken && (bonded || overlap >= 0);
    if (!f.bonded && overlap <= 0) return f;
    const firn_vec3 v = firn_v3_sub(j->v, i->v);
    const firn_real damper = firn_grain_damper(c, k), spring = k * overlap;
    firn_real press = spring - damper * firn_v3_dot(v, n);
    if (!f.bonded) press = firn_max(press, 0);  // what is not bonded is not pulled
    f.force = firn_v3_scale(n, -press);
    f.spring = spring;
    if (overlap <= 0) return f;
    const firn_vec3 u = firn_v3_sub(j->slip, i->slip);
    f.force = firn_v3_add(
        f.force, firn_grain_friction(v, u, n, c->shear * k, half * damper, c->friction * spring));
    return f;
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
    const firn_real press = firn_max(spring - damper * firn_v3_dot(v, n), 0);
    f.force = firn_v3_madd(f.force, -press, n);
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
    return firn_grain_solid_pair(c, i, j, n, touch - distance, bonded);
}

// A body as a grain meets it.
typedef struct firn_grain_wall {
    firn_real phi;       // [m] of the body at x_i
    firn_vec3 n;         // outward unit normal
    firn_vec3 v;         // [m/s] of the body there
    firn_real friction;  // Coulomb mu [-]
    bool sticky;         // snow is bonded to it, and does not slip
} firn_grain_wall;

// The force of a body on grain i: a mirrored grain behind the surface pushes it (Algorithm 3, line
// 2), which is twice the spring and twice the damper. `other`: all other forces on i [N], which
// friction at rest answers; dt: [s] of the step.
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
    firn_real press = spring - 2 * firn_grain_damper(c, half_k) * firn_v3_dot(v, wall->n);
    if (!bonded) press = firn_max(press, 0);
    f.force = firn_v3_scale(wall->n, press);
    f.spring = spring;
    // as much friction as would end the slip within the step
    const firn_vec3 stop = firn_v3_madd(other, c->mass / dt, v);
    const firn_vec3 stop_t = firn_v3_madd(stop, -firn_v3_dot(stop, wall->n), wall->n);
    const firn_real size = firn_v3_length(stop_t);
    const firn_real limit = bonded ? size : water ? 0 : wall->friction * firn_max(spring, 0);
    f.force = firn_v3_madd(f.force, size > limit ? -limit / size : -1, stop_t);
    return f;
}
