// SPDX-License-Identifier: MIT
// Forces between two grains: Goswami et al. 2019, eqs. 1 to 4 and Algorithm 2. A force is that on
// grain i; on j it is the opposite, bit for bit (T42).
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

FIRN_LANES_FN firn_vec3_lanes firn_grain_cross(firn_vec3_lanes a, firn_vec3_lanes b)
{
    return firn_v3_lanes(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// k a + c b, at most `limit` long. `out_limited`: lanes where it is longer.
FIRN_LANES_FN firn_vec3_lanes firn_grain_limited(firn_lanes k, firn_vec3_lanes a, firn_lanes c,
                                                 firn_vec3_lanes b, firn_lanes limit,
                                                 firn_lanes_mask* out_limited)
{
    const firn_vec3_lanes q =
        firn_v3_lanes(k * a.x + c * b.x, k * a.y + c * b.y, k * a.z + c * b.z);
    const firn_lanes size = firn_lanes_sqrt(firn_grain_dot(q, q));
    *out_limited = firn_lanes_less(limit, size);
    return firn_v3_lanes_select(*out_limited, firn_v3_lanes_scale(q, limit / size), q);
}

// The part of a across the unit vector n.
FIRN_LANES_FN firn_vec3_lanes firn_grain_across(firn_vec3_lanes a, firn_vec3_lanes n)
{
    return firn_grain_madd(a, -firn_grain_dot(a, n), n);
}

// What the force between solid grains needs of one of them.
typedef struct firn_grain_solid {
    firn_vec3_lanes v;       // [m/s]
    firn_lanes r;            // [m]
    firn_lanes k;            // firn_grain_stiffness [N/m]
    firn_lanes strength;     // firn_grain_strength [N]
    firn_lanes tensile;      // firn_grain_tensile [N], where it is anchored
    firn_vec3_lanes origin;  // [m] initial position, where it is intact or was until this step
    firn_lanes origin_r;     // [m] initial radius
    firn_lanes_mask broken;
    firn_lanes_mask intact;    // FIRN_GRAIN_INTACT
    firn_lanes_mask anchored;  // intact, or FIRN_GRAIN_RELEASED
} firn_grain_solid;

// What friction needs besides.
typedef struct firn_grain_surface {
    firn_vec3_lanes spin;         // [1/s]
    firn_vec3_lanes slip, twist;  // [m], [rad] since it came to rest
} firn_grain_surface;

typedef struct firn_grain_solid_force {
    firn_vec3_lanes force;  // [N] on i
    firn_lanes spring;      // [N] see firn_grain_force
    firn_lanes overlap;     // r_i + r_j - |x_j - x_i| [m]
    firn_lanes k, damper;   // [N/m], [N s/m]
    firn_lanes bears;       // [N] adhesion, of a bond
    firn_lanes_mask near, bonded;
    firn_lanes_mask holds;         // a bond of the initial snow acts
    firn_lanes_mask has_friction;  // there is friction: firn_grain_pair_friction
} firn_grain_solid_force;

// The pull that bonds of the initial snow bear [N]: sigma_t of rho^(7/3), times r^2 (theory/).
FIRN_LANES_FN firn_lanes firn_grain_tensile(const firn_grain_constants* c, firn_lanes r)
{
    const firn_lanes r2 = r * r;
    return firn_lanes_all(c->tensile) / (r2 * r2 * r);
}

// Length at rest of a bond of the initial snow [m]: the initial distance, which shrinks with the
// grains. `out_initial`: lanes of two anchored grains that were near enough initially.
FIRN_LANES_FN firn_lanes firn_grain_rest_length(const firn_grain_solid* i,
                                                const firn_grain_solid* j, firn_lanes touch,
                                                firn_lanes_mask* out_initial)
{
    const firn_vec3_lanes d = firn_v3_lanes_sub(j->origin, i->origin);
    const firn_lanes d2 = firn_grain_dot(d, d), radii = i->origin_r + j->origin_r;
    const firn_lanes far = firn_lanes_all((firn_real)FIRN_GRAIN_BOND_REACH) * radii;
    *out_initial =
        firn_mask_and(firn_mask_and(i->anchored, j->anchored), firn_lanes_less(d2, far * far));
    return firn_lanes_sqrt(d2) * (touch / radii);
}

// Both are snow or ice: eq. 2, along n. n: from i to j; `within`: lanes within reach; `bonded`:
// lanes with a bond before the step.
//
// A bond is formed where two grains touch, and lasts until it is pulled too hard or one of them
// loses its bonds; in the paper any two near grains attract, and snow at rest would contract. Bonds
// of the initial snow are at rest at their initial lengths: it falls as one and keeps its shape.
FIRN_LANES_FN firn_grain_solid_force firn_grain_solid_pair(
    const firn_grain_constants* c, const firn_grain_solid* i, const firn_grain_solid* j,
    firn_vec3_lanes n, firn_lanes distance, firn_lanes_mask within, firn_lanes_mask bonded)
{
    const firn_lanes zero = firn_lanes_all(0), half = firn_lanes_all((firn_real)0.5);
    const firn_vec3_lanes none = firn_v3_lanes(zero, zero, zero);
    const firn_lanes touch = i->r + j->r, bears = half * (i->strength + j->strength);
    firn_grain_solid_force f;
    f.force = none;
    f.spring = f.damper = zero;
    f.k = half * (i->k + j->k);
    f.overlap = touch - distance;
    f.bears = firn_lanes_all(c->adhesion) * bears;
    f.near = firn_mask_and(within, firn_lanes_less(-f.k * f.overlap, bears));
    const firn_lanes_mask sound = firn_mask_not(firn_mask_or(i->broken, j->broken));
    firn_lanes pressed = f.overlap;  // relative to the length at rest
    const firn_lanes_mask touches = firn_lanes_at_most(zero, f.overlap);
    f.holds = firn_mask_and(within, firn_mask_not(within));
    firn_lanes_mask may = firn_mask_or(bonded, touches);  // be bonded
    if (firn_mask_any(firn_mask_and(may, firn_mask_and(i->anchored, j->anchored)))) {
        firn_lanes_mask initial;
        const firn_lanes rest = firn_grain_rest_length(i, j, touch, &initial);
        const firn_lanes_mask intact = firn_mask_and(firn_mask_and(i->intact, j->intact), initial);
        const firn_lanes_mask held = firn_mask_and(firn_mask_and(intact, bonded), within);
        const firn_lanes_mask bears_it =
            firn_lanes_less(f.k * (distance - rest), half * (i->tensile + j->tensile));
        f.holds = firn_mask_and(firn_mask_and(held, sound), bears_it);
        f.near = firn_mask_or(f.near, f.holds);
        pressed = firn_lanes_select(f.holds, rest - distance, pressed);
        // a broken bond of intact grains only pushes; released ones must touch to be bonded again
        may = firn_mask_and(may, firn_mask_or(firn_mask_not(initial), touches));
        may = firn_mask_and(may, firn_mask_not(intact));
    }
    f.bonded = firn_mask_or(f.holds, firn_mask_and(f.near, firn_mask_and(sound, may)));
    const firn_lanes_mask overlaps = firn_mask_and(f.near, firn_lanes_less(zero, f.overlap));
    const firn_lanes_mask acts = firn_mask_or(f.bonded, overlaps);
    const firn_lanes_mask sticks = firn_lanes_less(-f.k * f.overlap, f.bears);
    f.has_friction = firn_mask_or(f.holds, firn_mask_or(overlaps, firn_mask_and(f.bonded, sticks)));
    if (!firn_mask_any(acts)) return f;
    const firn_vec3_lanes v = firn_v3_lanes_sub(j->v, i->v);
    f.damper = firn_grain_damper(c, f.k);
    const firn_lanes spring = f.k * pressed;
    firn_lanes normal_force = spring - f.damper * firn_grain_dot(v, n);
    // without a bond there is no attraction
    normal_force = firn_lanes_select(f.bonded, normal_force, firn_lanes_max(normal_force, zero));
    f.force = firn_v3_lanes_select(acts, firn_v3_lanes_scale(n, -normal_force), none);
    f.spring = firn_lanes_select(acts, spring, zero);
    return f;
}

typedef struct firn_grain_friction {
    firn_vec3_lanes force, torque;  // [N], [N m] on i; on j the force is the opposite
    firn_lanes_mask slides;         // the limit of sliding or rolling is reached
} firn_grain_friction;

// Levers from the centres to the point of contact; the sum is the distance, and `arm` half of it.
typedef struct firn_grain_levers {
    firn_lanes i, j, arm;  // [m]
} firn_grain_levers;

FIRN_LANES_FN firn_grain_levers firn_grain_levers_of(const firn_grain_constants* c,
                                                     firn_lanes overlap, firn_lanes r_i,
                                                     firn_lanes r_j)
{
    const firn_lanes lever = firn_lanes_all(c->lever), half = firn_lanes_all((firn_real)0.5);
    firn_grain_levers l;
    l.i = lever * (r_i - half * overlap);
    l.j = lever * (r_j - half * overlap);
    l.arm = half * (l.i + l.j);
    return l;
}

// Of the surface of j relative to that of i, at the point of contact and along it; v and spins:
// velocities, or displacements since the grains came to rest.
FIRN_LANES_FN firn_vec3_lanes firn_grain_sliding(const firn_grain_levers* l, firn_vec3_lanes v,
                                                 firn_vec3_lanes spin_i, firn_vec3_lanes spin_j,
                                                 firn_vec3_lanes n)
{
    const firn_vec3_lanes roll = firn_grain_madd(firn_v3_lanes_scale(spin_i, l->i), l->j, spin_j);
    return firn_grain_across(firn_v3_lanes_sub(v, firn_grain_cross(roll, n)), n);
}

// A bond of the initial snow that holds does so by its spring: this damps how the two slide and
// turn against each other.
FIRN_LANES_FN firn_grain_friction firn_grain_bond_friction(
    const firn_grain_constants* c, const firn_grain_solid_force* f, const firn_grain_surface* i,
    const firn_grain_surface* j, const firn_grain_levers* l, firn_vec3_lanes n, firn_vec3_lanes v)
{
    const firn_lanes c_t = firn_lanes_all(c->shear_damping) * f->damper;
    const firn_lanes c_r = firn_lanes_all(c->roll_damping) * (f->damper * (l->arm * l->arm));
    firn_grain_friction out;
    out.force = firn_v3_lanes_scale(firn_grain_sliding(l, v, i->spin, j->spin, n), c_t);
    out.torque = firn_grain_madd(firn_v3_lanes_scale(firn_grain_cross(n, out.force), l->i), c_r,
                                 firn_v3_lanes_sub(j->spin, i->spin));
    out.slides = firn_mask_not(f->has_friction);
    return out;
}

// Eq. 3, where grains overlap: at most tan(phi) of the spring. It opposes the slip at the point of
// contact; u_t is what two grains at rest have moved and turned against each other since, and where
// they move, the velocity decides (erratum 30). Rolling is resisted in the same way.
FIRN_LANES_FN firn_grain_friction firn_grain_contact_friction(
    const firn_grain_constants* c, const firn_grain_solid_force* f, const firn_grain_surface* i,
    const firn_grain_surface* j, const firn_grain_levers* l, firn_vec3_lanes n, firn_vec3_lanes v)
{
    const firn_lanes zero = firn_lanes_all(0), arm2 = l->arm * l->arm;
    const firn_lanes pressed =
        firn_lanes_max(f->spring + firn_lanes_select(f->bonded, f->bears, zero), zero);
    const firn_lanes k_t = firn_lanes_all(c->shear) * f->k;
    const firn_lanes c_t = firn_lanes_all(c->shear_damping) * f->damper;
    const firn_vec3_lanes u_t =
        firn_grain_sliding(l, firn_v3_lanes_sub(j->slip, i->slip), i->twist, j->twist, n);
    const firn_vec3_lanes v_t = firn_grain_sliding(l, v, i->spin, j->spin, n);
    firn_grain_friction out;
    firn_lanes_mask slides, rolls;
    out.force =
        firn_grain_limited(k_t, u_t, c_t, v_t, firn_lanes_all(c->friction) * pressed, &slides);
    const firn_vec3_lanes moment = firn_grain_limited(
        firn_lanes_all(c->roll) * (k_t * arm2), firn_v3_lanes_sub(j->twist, i->twist),
        firn_lanes_all(c->roll_damping) * (f->damper * arm2), firn_v3_lanes_sub(j->spin, i->spin),
        firn_lanes_all(c->rolling) * (l->arm * pressed), &rolls);
    out.slides = firn_mask_or(slides, rolls);
    out.torque =
        firn_v3_lanes_add(firn_v3_lanes_scale(firn_grain_cross(n, out.force), l->i), moment);
    return out;
}

// Friction of a bond or a contact; none without either. It acts at one point on both grains,
// and what turns i against j turns j against i: linear and angular momentum are conserved.
// v: of j relative to i; `f`: of firn_grain_solid_pair.
FIRN_LANES_FN firn_grain_friction firn_grain_pair_friction(const firn_grain_constants* c,
                                                           const firn_grain_solid_force* f,
                                                           const firn_grain_surface* i,
                                                           const firn_grain_surface* j,
                                                           firn_lanes r_i, firn_lanes r_j,
                                                           firn_vec3_lanes n, firn_vec3_lanes v)
{
    const firn_lanes zero = firn_lanes_all(0);
    const firn_grain_levers l = firn_grain_levers_of(c, f->overlap, r_i, r_j);
    const firn_lanes_mask bonds = firn_mask_and(f->has_friction, f->holds);
    const firn_lanes_mask contacts = firn_mask_and(f->has_friction, firn_mask_not(f->holds));
    firn_grain_friction out;
    out.force = out.torque = firn_v3_lanes(zero, zero, zero);
    out.slides = contacts;
    if (firn_mask_any(bonds)) {
        const firn_grain_friction t = firn_grain_bond_friction(c, f, i, j, &l, n, v);
        out.force = firn_v3_lanes_select(bonds, t.force, out.force);
        out.torque = firn_v3_lanes_select(bonds, t.torque, out.torque);
    }
    if (firn_mask_any(contacts)) {
        const firn_grain_friction t = firn_grain_contact_friction(c, f, i, j, &l, n, v);
        out.force = firn_v3_lanes_select(contacts, t.force, out.force);
        out.torque = firn_v3_lanes_select(contacts, t.torque, out.torque);
        out.slides = firn_mask_and(contacts, t.slides);
    }
    return out;
}

#if FIRN_LANES == 1
typedef struct firn_grain_force {
    firn_vec3 force;   // [N] on i, all of it
    firn_vec3 torque;  // [N m] on i
    firn_vec3 n;       // from i towards what acts
    firn_real spring;  // [N] of it, the compressive part along n; < 0: attraction. For eq. 5
    bool near;         // a neighbour: close enough for a bond, whether there is one or not
    bool bonded;       // there is one from now on
    bool slides;       // friction is at its limit
} firn_grain_force;

FIRN_FN firn_grain_force firn_grain_force_none(void)
{
    firn_grain_force f;
    f.force = f.torque = f.n = firn_v3(0, 0, 0);
    f.spring = 0;
    f.near = f.bonded = f.slides = false;
    return f;
}

FIRN_FN firn_grain_solid firn_grain_solid_of(const firn_grain_constants* c, const firn_grain* g)
{
    firn_grain_solid s;
    s.v = g->v;
    s.r = g->r;
    s.k = firn_grain_stiffness(c, g->r, g->phase);
    s.strength = firn_grain_strength(c, g->r);
    s.tensile = g->state != FIRN_GRAIN_LOOSE ? firn_grain_tensile(c, g->r) : 0;
    s.origin = g->origin;
    s.origin_r = g->origin_r;
    s.broken = g->broken;
    s.intact = g->state == FIRN_GRAIN_INTACT;
    s.anchored = g->state != FIRN_GRAIN_LOOSE;
    return s;
}

FIRN_FN firn_grain_surface firn_grain_surface_of(const firn_grain* g)
{
    return FIRN_LIT(firn_grain_surface){g->spin, g->slip, g->twist};
}

// One is water: eq. 4, and repulsion by overlap. Water slides without friction.
FIRN_FN firn_grain_force firn_grain_water_pair(const firn_grain_constants* c, const firn_grain* i,
                                               const firn_grain* j, firn_vec3 n, firn_real overlap,
                                               firn_real distance)
{
    const firn_real half = (firn_real)0.5;
    firn_grain_force f = firn_grain_force_none();
    f.n = n;
    f.near = overlap > -c->reach;
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

// A pair before friction.
typedef struct firn_grain_contact {
    firn_grain_force on_i;
    firn_grain_solid_force solid;  // where there is friction
    bool has_friction, holds;      // see firn_grain_solid_force
} firn_grain_contact;

// Whether firn_grain_touch may read initial positions and radii.
FIRN_FN bool firn_grain_reads_origins(const firn_grain* i, const firn_grain* j, bool bonded)
{
    if (i->state == FIRN_GRAIN_LOOSE || j->state == FIRN_GRAIN_LOOSE) return false;
    const firn_vec3 d = firn_v3_sub(j->x, i->x);
    const firn_real touch = i->r + j->r;
    return bonded || firn_v3_dot(d, d) < (firn_real)1.001 * (touch * touch);
}

// The pair without its friction: of j it reads what has no need of spin, slip and twist, and
// initial position and radius where firn_grain_reads_origins. Too far apart: zero and not near.
FIRN_FN firn_grain_contact firn_grain_touch(const firn_grain_constants* c, const firn_grain* i,
                                            const firn_grain* j, bool bonded)
{
    firn_grain_contact t;
    t.on_i = firn_grain_force_none();
    t.has_friction = t.holds = false;
    const firn_vec3 d = firn_v3_sub(j->x, i->x);
    const firn_real touch = i->r + j->r, far = touch + c->reach, d2 = firn_v3_dot(d, d);
    if (d2 >= far * far || !(d2 > 0)) return t;
    const firn_real distance = firn_sqrt(d2);
    const firn_vec3 n = firn_v3_scale(d, 1 / distance);
    if (i->phase == FIRN_WATER || j->phase == FIRN_WATER) {
        t.on_i = firn_grain_water_pair(c, i, j, n, touch - distance, distance);
        return t;
    }
    const firn_grain_solid a = firn_grain_solid_of(c, i), b = firn_grain_solid_of(c, j);
    t.solid = firn_grain_solid_pair(c, &a, &b, n, distance, true, bonded);
    t.on_i.force = t.solid.force;
    t.on_i.n = n;
    t.on_i.spring = t.solid.spring;
    t.on_i.near = t.solid.near;
    t.on_i.bonded = t.solid.bonded;
    t.has_friction = t.solid.has_friction;
    t.holds = t.solid.holds;
    return t;
}

// Adds the friction of a pair that has_friction. Slip and twist have no effect where a bond of the
// initial snow holds.
FIRN_FN void firn_grain_add_friction(const firn_grain_constants* c, const firn_grain* i,
                                     const firn_grain* j, firn_grain_contact* t)
{
    const firn_grain_surface surface_i = firn_grain_surface_of(i),
                             surface_j = firn_grain_surface_of(j);
    const firn_grain_friction friction = firn_grain_pair_friction(
        c, &t->solid, &surface_i, &surface_j, i->r, j->r, t->on_i.n, firn_v3_sub(j->v, i->v));
    t->on_i.force = firn_v3_add(t->on_i.force, friction.force);
    t->on_i.torque = friction.torque;
    t->on_i.slides = friction.slides;
}

// The force on i from j, with a bond between them or without.
FIRN_FN firn_grain_force firn_grain_pair(const firn_grain_constants* c, const firn_grain* i,
                                         const firn_grain* j, bool bonded)
{
    firn_grain_contact t = firn_grain_touch(c, i, j, bonded);
    if (t.has_friction) firn_grain_add_friction(c, i, j, &t);
    return t.on_i;
}
#endif
