// SPDX-License-Identifier: MIT
// Compression that does not recover: Goswami et al. 2019, eqs. 5 to 7, Algorithm 3. VALIDATION T44,
// T45.
#pragma once
#include "math/elementary.h"
#include "math/mat3_lanes.h"
#include "physics/grain.h"

// Compressive force on a grain from its six sides: {+x, -x, +y, -y, +z, -z} [N].
//
// The paper sums all forces that are not cohesive. But grains that attract each other compress
// those between them, with the cohesion of table 2 by fifty times what fresh snow withstands: a
// ball of it in empty space would shrink to ice. So attraction is subtracted on its side, and what
// remains is the load from outside.
typedef struct firn_grain_compression {
    firn_real side[6];
} firn_grain_compression;

// Adds a force along one axis to the two sides of it, {+, -}: to the one that it comes from.
FIRN_LANES_FN void firn_grain_compression_axis(firn_lanes side[2], firn_lanes n, firn_lanes spring)
{
    const firn_lanes force = spring * n;
    const firn_lanes_mask ahead = firn_lanes_less(firn_lanes_all(0), n);
    side[0] = firn_lanes_select(ahead, side[0] + force, side[0]);
    side[1] = firn_lanes_select(ahead, side[1], side[1] - force);
}

// Adds `spring` [N] from the direction n, unit, to the sides; < 0: it attracts. Over the lane type,
// as physics/grain_contact.h.
FIRN_LANES_FN void firn_grain_compression_add(firn_lanes side[6], firn_vec3_lanes n,
                                              firn_lanes spring)
{
    firn_grain_compression_axis(side, n.x, spring);
    firn_grain_compression_axis(side + 2, n.y, spring);
    firn_grain_compression_axis(side + 4, n.z, spring);
}

// Eq. 5: along each axis the compressive force between two sides [N] (erratum 32).
FIRN_FN firn_real firn_grain_compression_force(const firn_grain_compression* compression)
{
    const firn_real x = firn_max(firn_min(compression->side[0], compression->side[1]), 0);
    const firn_real y = firn_max(firn_min(compression->side[2], compression->side[3]), 0);
    const firn_real z = firn_max(firn_min(compression->side[4], compression->side[5]), 0);
    return firn_sqrt(x * x + y * y + z * z);
}

// Eq. 7 in the form that fits its constants (erratum 34): D(rho) [N], rho [kg/m^3].
FIRN_FN firn_real firn_grain_withstands(const firn_grain_constants* c, firn_real density)
{
    const firn_real e_8 = (firn_real)3.3546262790251185e-4;
    return c->force_min + (firn_exp(density / 100 - 9) - e_8) * c->force_max;
}

// An upper bound of D(rho) without exp [N], for rho up to 270 kg/m^3; infinite beyond: with
// y = rho/100 - 1, e^y <= 1 + y + y^2. The margins exceed the rounding errors of both.
FIRN_FN firn_real firn_grain_withstands_at_most(const firn_grain_constants* c, firn_real density)
{
    const firn_real e_8 = (firn_real)3.3546262790251185e-4, y = density / 100 - 1;
    if (!(y < (firn_real)1.7)) return FIRN_REAL_MAX;
    const firn_real rise = firn_max(y + y * y, 0) + (firn_real)1e-5;
    return (firn_real)1.00001 * (c->force_min + e_8 * rise * c->force_max);
}

// Eq. 6 (erratum 33): the radius after a step of dt under F_c; only solid grains are compressed.
FIRN_FN firn_real firn_grain_compress(const firn_grain_constants* c, firn_real r, firn_real F_c,
                                      firn_real dt)
{
    // D is at least F_min: most of the snow needs no more than this
    if (!(F_c > c->force_min) || !(r > c->r_ice)) return r;
    const firn_real density = firn_grain_density(c, r);
    if (!(F_c > firn_grain_withstands_at_most(c, density)) &&
        !(F_c > firn_grain_withstands(c, density)))
        return r;
    const firn_real pressure = F_c / ((firn_real)3.14159265358979324 * (r * r));
    const firn_real loss = c->durability_loss * pressure * (dt / c->durability_time);
    const firn_real d = firn_grain_snow_share(c, r) - loss;
    return firn_grain_radius(c, firn_max(d, 0));
}
