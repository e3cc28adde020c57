// SPDX-License-Identifier: MIT
// One contact, by impulses: never apart from what Coulomb allows, never into each other. Plain
// functions for C and CUDA; the loops are in bodies_step.c. Impulses are accumulated over the
// sweeps of a substep and clamped as sums (Catto 2006), contacts are soft while positions are
// corrected and hard while the velocities that this adds are taken out again ("soft step" of
// Box2D 3; Macklin et al. 2019 on substeps): theory/bodies.md.
#pragma once
#include "bodies/bodies_state.h"

// Velocity of the mover's material at r from its centre.
FIRN_FN firn_vec3 firn_mover_velocity(const firn_mover* m, firn_vec3 r)
{
    return firn_v3_add(m->velocity, firn_v3_cross(m->spin, r));
}

FIRN_FN void firn_mover_push(firn_mover* m, firn_vec3 r, firn_vec3 impulse, firn_real sign)
{
    m->velocity = firn_v3_madd(m->velocity, sign * m->inverse_mass, impulse);
    m->spin = firn_v3_madd(m->spin, sign, firn_m3_mul_v3(m->inverse, firn_v3_cross(r, impulse)));
}

// K d: the change of velocity at r by a unit impulse along d there [1/kg].
FIRN_FN firn_vec3 firn_mover_response(const firn_mover* m, firn_vec3 r, firn_vec3 d)
{
    const firn_vec3 turn = firn_v3_cross(firn_m3_mul_v3(m->inverse, firn_v3_cross(r, d)), r);
    return firn_v3_madd(turn, m->inverse_mass, d);
}

FIRN_FN firn_soft firn_soft_of(firn_real omega, firn_real zeta, firn_real h)
{
    const firn_real a = 2 * zeta + h * omega, b = h * omega * a, c = 1 / (1 + b);
    return FIRN_LIT(firn_soft){omega / a, b * c, c};
}

// Impulses act at one point of both bodies, so that angular momentum is conserved to rounding. It
// keeps its place relative to the centre of the body that it is a point of: that of a wheel is
// below its axle.
FIRN_FN void firn_contact_place(firn_contact* c, const firn_mover* a, const firn_mover* b)
{
    const firn_vec3 x =
        c->of_b ? firn_v3_add(b->position, c->from_b) : firn_v3_add(a->position, c->from_a);
    c->r_a = c->of_b ? firn_v3_sub(x, a->position) : c->from_a;
    c->r_b = c->of_b ? c->from_b : firn_v3_sub(x, b->position);
    const firn_vec3 k_n =
        firn_v3_add(firn_mover_response(a, c->r_a, c->n), firn_mover_response(b, c->r_b, c->n));
    const firn_vec3 k_0 = firn_v3_add(firn_mover_response(a, c->r_a, c->t[0]),
                                      firn_mover_response(b, c->r_b, c->t[0]));
    const firn_vec3 k_1 = firn_v3_add(firn_mover_response(a, c->r_a, c->t[1]),
                                      firn_mover_response(b, c->r_b, c->t[1]));
    c->mass = 1 / firn_v3_dot(k_n, c->n);
    const firn_real k00 = firn_v3_dot(k_0, c->t[0]), k11 = firn_v3_dot(k_1, c->t[1]);
    const firn_real k01 = firn_v3_dot(k_0, c->t[1]), det = 1 / (k00 * k11 - k01 * k01);
    c->tangent_k[0] = k11 * det;
    c->tangent_k[1] = -k01 * det;
    c->tangent_k[2] = k00 * det;
    c->slide = 1 / (k00 + k11);
}

// Velocity of a relative to b.
FIRN_FN firn_vec3 firn_contact_relative(const firn_contact* c, const firn_mover* a,
                                        const firn_mover* b)
{
    const firn_vec3 v_b = b->inverse_mass == 0 ? c->velocity : firn_mover_velocity(b, c->r_b);
    return firn_v3_sub(firn_mover_velocity(a, c->r_a), v_b);
}

FIRN_FN void firn_contact_apply(const firn_contact* c, firn_mover* a, firn_mover* b,
                                firn_vec3 impulse)
{
    firn_mover_push(a, c->r_a, impulse, 1);
    firn_mover_push(b, c->r_b, impulse, -1);
}

FIRN_FN firn_vec3 firn_contact_tangential(const firn_contact* c, const firn_real by[2])
{
    return firn_v3_madd(firn_v3_scale(c->t[0], by[0]), by[1], c->t[1]);
}

// The impulses of the last substep, as a first guess.
FIRN_FN void firn_contact_warm(const firn_contact* c, firn_mover* a, firn_mover* b)
{
    const firn_vec3 along = firn_contact_tangential(c, c->tangent);
    firn_contact_apply(c, a, b, firn_v3_madd(along, c->normal, c->n));
}

// Friction with the impulses so far, `tangent` and normal impulse `normal`.
FIRN_FN void firn_contact_rub(const firn_contact* c, firn_mover* a, firn_mover* b, firn_real normal,
                              firn_real tangent[2])
{
    const firn_vec3 v = firn_contact_relative(c, a, b);
    const firn_real v_0 = firn_v3_dot(v, c->t[0]), v_1 = firn_v3_dot(v, c->t[1]);
    firn_real now[2] = {tangent[0] - (c->tangent_k[0] * v_0 + c->tangent_k[1] * v_1),
                        tangent[1] - (c->tangent_k[1] * v_0 + c->tangent_k[2] * v_1)};
    const firn_real size = firn_sqrt(now[0] * now[0] + now[1] * now[1]);
    const firn_real most = c->friction * normal;
    if (c->friction >= 0 && size > most) {
        // slides: against its velocity, which an impulse that stops it need not be
        now[0] = tangent[0] - c->slide * v_0;
        now[1] = tangent[1] - c->slide * v_1;
        const firn_real long2 = now[0] * now[0] + now[1] * now[1];
        const firn_real s = long2 > most * most ? most / firn_sqrt(long2) : 1;
        now[0] *= s;
        now[1] *= s;
    } else if (c->friction < 0 && !(normal > 0)) {
        now[0] = now[1] = 0;
    }
    const firn_real change[2] = {now[0] - tangent[0], now[1] - tangent[1]};
    firn_contact_apply(c, a, b, firn_contact_tangential(c, change));
    tangent[0] = now[0];
    tangent[1] = now[1];
}

// Separation now [m].
FIRN_FN firn_real firn_contact_separation(const firn_contact* c, const firn_mover* a,
                                          const firn_mover* b, firn_real elapsed)
{
    const firn_vec3 move_a = firn_v3_add(a->shift, firn_v3_cross(a->turn, c->from_a));
    const firn_vec3 move_b = b->inverse_mass == 0
                                 ? firn_v3_scale(c->velocity, elapsed)
                                 : firn_v3_add(b->shift, firn_v3_cross(b->turn, c->from_b));
    return c->separation + firn_v3_dot(c->n, firn_v3_sub(move_a, move_b));
}

// One contact of a sweep in a substep of h. `soft` null: hard, velocities only.
FIRN_FN void firn_contact_solve(firn_contact* c, firn_mover* a, firn_mover* b,
                                const firn_soft* soft, firn_real push_out, firn_real elapsed,
                                firn_real h)
{
    firn_contact_rub(c, a, b, c->normal, c->tangent);
    const firn_real s = firn_contact_separation(c, a, b, elapsed);
    firn_real bias = 0, mass = 1, impulse = 0;
    if (s > 0) {
        bias = s / h;  // may close the gap, but no more
    } else if (soft != NULL) {
        bias = firn_max(soft->rate * s, -push_out);
        mass = soft->mass;
        impulse = soft->impulse;
    }
    const firn_real v_n = firn_v3_dot(firn_contact_relative(c, a, b), c->n);
    const firn_real change = -c->mass * mass * (v_n + bias) - impulse * c->normal;
    const firn_real now = firn_max(c->normal + change, 0);
    firn_contact_apply(c, a, b, firn_v3_scale(c->n, now - c->normal));
    c->normal = now;
    c->most = firn_max(c->most, now);
}

// After the substeps: what came in faster than `threshold` goes back with its share of the speed.
FIRN_FN void firn_contact_bounce(firn_contact* c, firn_mover* a, firn_mover* b, firn_real threshold)
{
    if (!(c->restitution > 0) || c->approach > -threshold || !(c->most > 0)) return;
    const firn_real v_n = firn_v3_dot(firn_contact_relative(c, a, b), c->n);
    const firn_real change = -c->mass * (v_n + c->restitution * c->approach);
    const firn_real now = firn_max(c->normal + change, 0);
    firn_contact_apply(c, a, b, firn_v3_scale(c->n, now - c->normal));
    c->normal = now;
}

// One contact of a sweep over a whole step of dt, with the predicted velocities.
FIRN_FN void firn_contact_predict(firn_contact* c, firn_mover* a, firn_mover* b, firn_real dt)
{
    firn_contact_rub(c, a, b, c->guess, c->guess_tangent);
    const firn_real v_n = firn_v3_dot(firn_contact_relative(c, a, b), c->n);
    const firn_real bias = firn_max(c->separation, 0) / dt;
    const firn_real now = firn_max(c->guess - c->mass * (v_n + bias), 0);
    firn_contact_apply(c, a, b, firn_v3_scale(c->n, now - c->guess));
    c->guess = now;
}
