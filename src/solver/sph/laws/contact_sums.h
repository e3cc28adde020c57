// SPDX-License-Identifier: MIT
// Sums over the boundary particles near one particle of snow: Gissler 2020, section 3.4, for C and
// CUDA.
#pragma once
#include <string.h>

#include "geometry/collider/collider.h"
#include "physics/sph_adhesion.h"
#include "physics/sph_kernel.h"
#include "solver/sph/laws/contact.h"

// One snow particle whose sums over boundary particles are computed.
typedef struct firn_sph_asker {
    firn_vec3 x;
    firn_real h, rest_density;  // rho_0 of the material
    bool fluid;                 // has the pressure of one; colliders do not rub it
    firn_real weight;           // sum V_b |grad W_ib| [1/m]
    firn_vec3 velocity;         // the same with v_b [1/s]
    bool coulomb;               // friction of colliders that have no viscosity of their own
    firn_real friction;         // sum V_b |grad W_ib| mu_b of these [1/m]
} firn_sph_asker;

// A boundary particle.
typedef struct firn_sph_sample {
    firn_vec3 x, velocity, normal;  // [m], [m/s], outward
    firn_real volume;               // V_b [m^3]
    firn_local body;                // its collider
} firn_sph_sample;

FIRN_FN firn_sph_contact_sums firn_sph_contact_none(firn_local particle)
{
    firn_sph_contact_sums t;
    memset(&t, 0, sizeof t);
    t.particle = particle;
    t.body = FIRN_SPH_NO_BODY;
    t.mirror = 1;
    return t;
}

// Adds boundary particle b of the collider `body`. Returns V_b W_ib, 0 beyond the support.
FIRN_FN firn_real firn_sph_contact_add(firn_sph_asker* a, const firn_sph_sample* b,
                                       const firn_collider* body, firn_sph_contact_sums* t)
{
    const firn_vec3 x_ib = firn_v3_sub(a->x, b->x);
    const firn_real r2 = firn_v3_dot(x_ib, x_ib), h = a->h;
    if (!(r2 < 4 * h * h)) return 0;
    const firn_real r = firn_sqrt(r2), V_b = b->volume;
    t->body = t->body == FIRN_SPH_NO_BODY || t->body == b->body ? b->body : FIRN_SPH_BODIES;
    const firn_vec3 v_b = b->velocity;
    const firn_real slope = V_b * firn_sph_dw_over_r(r, h), kernel = V_b * firn_sph_w(r, h);
    const firn_vec3 g = firn_v3_scale(x_ib, slope);
    t->gradient = firn_v3_add(t->gradient, g);
    t->kernel += kernel;
    t->moment = firn_m3_add(t->moment, firn_m3_outer(g, firn_v3_scale(x_ib, -1)));
    const firn_real weight = -slope * r;
    a->weight += weight;
    a->velocity = firn_v3_madd(a->velocity, weight, v_b);
    t->normal = firn_v3_madd(t->normal, weight, b->normal);
    t->divergence += firn_v3_dot(v_b, g);
    const bool rubs = a->coulomb && !body->sticky && !(body->viscosity >= 0);
    if (rubs) a->friction += weight * body->friction;
    const firn_real nu_b = a->fluid || rubs ? 0 : firn_collider_viscosity(body);
    const firn_real drag = -nu_b * slope * r2 / (r2 + (firn_real)0.01 * h * h);
    t->drag += drag;
    t->drag_velocity = firn_v3_madd(t->drag_velocity, drag, v_b);
    if (body->adhesion > 0 && r > 0)
        t->adhesion = firn_v3_madd(
            t->adhesion, -body->adhesion * a->rest_density * V_b * firn_sph_adhesion(r, 2 * h) / r,
            x_ib);
    return kernel;
}

// A random sample of a plane is bumpy: the sums over it have a part along the surface that brakes
// whatever slides. Where the normals of all particles agree, that part is left out. At edges and in
// corners they do not: the sums stay as they are.
#define FIRN_SPH_FLAT_NORMALS ((firn_real)0.98)   // |mean normal|: 11 degrees on both sides
#define FIRN_SPH_ROUGH_NORMALS ((firn_real)0.85)  // 32 degrees

// `paper`: contact: paper.
FIRN_FN void firn_sph_contact_smooth(const firn_sph_asker* a, bool paper, firn_sph_contact_sums* t)
{
    if (a->fluid) return;  // it needs the exact gradient of the density
    const firn_real length = firn_v3_length(t->normal);
    const firn_real share = a->weight > 0 ? length / a->weight : 0;
    t->normal = length > 0 ? firn_v3_scale(t->normal, 1 / length) : firn_v3(0, 0, 0);
    if (paper || !(share > FIRN_SPH_ROUGH_NORMALS)) return;
    const firn_real x = firn_min(
        (share - FIRN_SPH_ROUGH_NORMALS) / (FIRN_SPH_FLAT_NORMALS - FIRN_SPH_ROUGH_NORMALS), 1);
    t->flat = x * x * (3 - 2 * x);
    const firn_vec3 before = t->gradient;
    t->gradient = firn_sph_along_normal(t, t->gradient);
    t->adhesion = firn_sph_along_normal(t, t->adhesion);
    // sum V_b (v_b - u) . grad W_ib is 0 for snow that moves with the collider, as before
    const firn_vec3 change = firn_v3_sub(t->gradient, before);
    t->divergence += firn_v3_dot(a->velocity, change) / a->weight;
}

// What step 6 needs for Coulomb's friction: the mean coefficient, and a drag of 1/s in place of the
// one that it finds.
FIRN_FN void firn_sph_contact_rub(const firn_sph_asker* a, firn_sph_contact_sums* t)
{
    if (!(a->friction > 0)) return;
    t->friction = a->friction / a->weight;
    t->drag += 1;
    t->drag_velocity = firn_v3_madd(t->drag_velocity, 1 / a->weight, a->velocity);
}
