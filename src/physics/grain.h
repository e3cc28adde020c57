// SPDX-License-Identifier: MIT
// A grain of Goswami, Markowicz and Hassan 2019: a sphere of constant mass that is snow, ice or
// water. Its radius says how much air is left in it: r_s is fresh snow, r_i ice, and properties
// in between are interpolated (section 3). Numbers of errata are those of VALIDATION.md,
// section 9.
#pragma once
#include "math/vec3.h"

typedef enum firn_phase { FIRN_SNOW = 0, FIRN_ICE = 1, FIRN_WATER = 2 } firn_phase;

// A grain of the initial snow is intact until a quarter of its neighbours have left it (field
// `whole`).
typedef enum firn_grain_state {
    FIRN_GRAIN_LOOSE = 0,
    FIRN_GRAIN_RELEASED = 1,  // in this step: intact until the one before
    FIRN_GRAIN_INTACT = 2
} firn_grain_state;
#define FIRN_GRAIN_BOND_REACH \
    1.15  // [r_i + r_j] initial distance up to which intact grains are bonded

// How bonds break (section 3.1.2, figure 3).
typedef enum firn_grain_bonds {
    FIRN_BONDS_TRACKED,  // broken while a particle has lost a quarter of its neighbours
    FIRN_BONDS_FOREVER,  // the same, and what has broken once stays so
    FIRN_BONDS_ALWAYS    // never broken: figure 3, left
} firn_grain_bonds;

// Constants of a simulation, ready for use: table 2 at the radius that the scene has.
typedef struct firn_grain_constants {
    firn_real mass;                                // m [kg]
    firn_real mass_paper;                          // rho_s r_s^3 [kg] (erratum 26)
    firn_real r_snow, r_ice, r_water;              // [m]
    firn_real per_span;                            // 1 / (r_snow - r_ice) [1/m]
    firn_real young_snow, young_ice, young_water;  // E [Pa]
    firn_real strength_snow, strength_ice;         // sigma_n [Pa]
    firn_real friction;                            // tan(phi) [-]
    firn_real damping;                             // [-] of the critical, of a pair
    firn_real damping_most;                        // [N s/m]: more would not be stable with this dt
    firn_real shear;                               // [-] stiffness along a contact, of that across
    firn_real shear_damping;                       // [-] the same of damping
    firn_real roll;          // [-] against rolling, of that along a contact times the lever squared
    firn_real roll_damping;  // [-] of damping across a contact times the lever squared
    firn_real rolling;       // [-] most moment against rolling, over the lever and the normal force
    firn_real inertia;       // [m r^2] moment of inertia
    firn_real adhesion;     // [-] share of a bond's strength that friction adds to the normal force
    firn_real memory;       // [-] share of slip and twist that a moving grain keeps in a step
    firn_real lever;        // 1; 0: friction acts at the centres, and grains do not turn
    firn_real stick_speed;  // [m/s] slower grains remember where they came to rest
    firn_real tension;      // k_w = k_s = k_i [N m]
    firn_real reach;        // [m] largest gap that anything acts across
    int32_t bonds;          // firn_grain_bonds
    bool solid;             // initial snow has bonds at rest
    firn_real tensile;      // [N m^5] of a bond of the initial snow, over r^5
    firn_real broken_below;          // [-] n_curr / n_max
    firn_real force_min, force_max;  // [N] of eq. 7
    firn_real durability_loss;       // k_q [1/Pa] per `durability_time` (erratum 33)
    firn_real durability_time;       // [s]
    firn_real heat_capacity[3];      // C_p [J/kg/K], by firn_phase
    firn_real conductivity[3];       // h_T [W/m/K], by firn_phase
    firn_real transfer[3];           // h_T [W/m^2/K] to air and ground, by firn_phase
    firn_real latent;                // L [J/kg]
    firn_real heat_speed;            // S_f [-]
    firn_real conduction;    // the Laplacian of eq. 8, 15/(2 pi H^5) [1/m^5]; 0: packed grains
    firn_real air_transfer;  // [W/m^2/K] of the scene's air, for packed grains
} firn_grain_constants;

// The properties of a grain that its neighbours need, in groups of four reals: SIMD loops gather
// those that a pair needs, a group at a time. `k`, `strength` and `anchor` follow from the rest and
// are for these loops alone.
typedef struct firn_grain {
    firn_vec3 x;         // [m]
    firn_real r;         // [m]
    firn_vec3 v;         // [m/s]
    firn_real k;         // firn_grain_stiffness [N/m]
    firn_vec3 spin;      // [1/s]
    firn_real strength;  // firn_grain_strength [N], negative where bonds are broken
    firn_vec3 origin;    // [m] initial position
    firn_real anchor;    // origin_r of an intact grain, -origin_r of a released one, 0: loose
    firn_vec3 slip;      // [m] from where it came to rest
    uint8_t phase;       // firn_phase
    bool broken;
    uint8_t state;       // firn_grain_state
    firn_vec3 twist;     // [rad] turned since it came to rest
    firn_real origin_r;  // [m] initial radius
} firn_grain;
#define FIRN_GRAIN_REALS 24  // of a firn_grain

// Moment of inertia [kg m^2].
FIRN_FN firn_real firn_grain_inertia(const firn_grain_constants* c, firn_real r)
{
    return c->inertia * c->mass * (r * r);
}

// eta: the share of snow, 1 at r_s, 0 at r_i; also the durability d (erratum 33).
FIRN_FN firn_real firn_grain_snow_share(const firn_grain_constants* c, firn_real r)
{
    return firn_clamp((r - c->r_ice) * c->per_span, 0, 1);
}

// The radius of a solid grain whose share of snow is eta [m].
FIRN_FN firn_real firn_grain_radius(const firn_grain_constants* c, firn_real eta)
{
    return c->r_ice + eta * (c->r_snow - c->r_ice);
}

FIRN_FN firn_real firn_grain_mix(firn_real snow, firn_real ice, firn_real eta)
{
    return ice + eta * (snow - ice);
}

// rho [kg/m^3]: of packed grains of this radius, in bulk. The paper's m / r^3 has the same values.
FIRN_FN firn_real firn_grain_density(const firn_grain_constants* c, firn_real r)
{
    return c->mass_paper / (r * r * r);
}

// k = E r [N/m], the spring of eq. 1.
FIRN_FN firn_real firn_grain_stiffness(const firn_grain_constants* c, firn_real r, uint8_t phase)
{
    if (phase == FIRN_WATER) return c->young_water * r;
    return firn_grain_mix(c->young_snow, c->young_ice, firn_grain_snow_share(c, r)) * r;
}

// 4 sigma_n r^2 [N], the pull that a bond of eq. 1 bears.
FIRN_FN firn_real firn_grain_strength(const firn_grain_constants* c, firn_real r)
{
    const firn_real eta = firn_grain_snow_share(c, r);
    return 4 * firn_grain_mix(c->strength_snow, c->strength_ice, eta) * (r * r);
}

// [m]: no gap of a solid grain's bonds is wider, but where the other's may be (the gap of a pair is
// between the two). Bonds that are strong against their springs end at `reach`.
FIRN_FN firn_real firn_grain_gap(const firn_grain_constants* c, firn_real r, uint8_t phase)
{
    if (phase == FIRN_WATER) return c->reach;
    return firn_min(firn_grain_strength(c, r) / firn_grain_stiffness(c, r, phase), c->reach);
}

// Broken bonds (section 3.1.2; VALIDATION T43). n_max has been updated with n_curr.
FIRN_FN bool firn_grain_breaks(const firn_grain_constants* c, int n_curr, int n_max,
                               bool was_broken)
{
    if (c->bonds == FIRN_BONDS_ALWAYS) return false;
    if (c->bonds == FIRN_BONDS_FOREVER && was_broken) return true;
    return (firn_real)n_curr < c->broken_below * (firn_real)n_max;
}
