// SPDX-License-Identifier: MIT
// Powder: fine snow that breaking snow sheds into the air. Points that drag, wind and gravity
// carry, beside the simulation: they have no mass in it and do not act back (design/0030). For C
// and CUDA.
#pragma once
#include "math/elementary.h"
#include "math/random.h"
#include "math/vec3.h"
#include "physics/drag.h"

#define FIRN_POWDER_ICE 917.0      // [kg/m^3] density of a grain of powder
#define FIRN_POWDER_EARLY 1e-9     // a tick may end this share of it early: times are rounded
#define FIRN_POWDER_TICK_MIN 1e-6  // [s] shorter times tear nothing: rates would be rounding errors

// What breaks, and what it sheds.
typedef struct firn_powder_law {
    double rate;    // [1/s] of breaking, |d(ln J_P)/dt|, above which snow sheds
    double speed;   // [m/s] relative to the air, above which it sheds
    double points;  // that a particle sheds while ln J_P changes by 1
    double amount;  // [-] of the mass that breaks: what its points are drawn with
    double size;    // [m] diameter of a grain: it decides the drag
    double life;    // [s] mean time until a point has faded
    double spread;  // [-] random part of a point's velocity, over the speed relative to the air
    int64_t seed;
} firn_powder_law;

// A new point.
typedef struct firn_powder_point {
    firn_vec3 position, velocity;  // [m], [m/s]
    firn_real age, life;           // [s]
} firn_powder_point;

// The same, with what it is drawn with and its material: from a device.
typedef struct firn_powder_birth {
    firn_powder_point point;
    firn_real mass;  // [kg]
    int32_t material;
} firn_powder_birth;

// [s] A tick ends with the step that makes it as long as this.
FIRN_FN double firn_powder_tick_least(double tick)
{
    return tick * (1 - FIRN_POWDER_EARLY);
}

// 0 up to a threshold, 1 from twice the threshold on; 1 without a threshold.
FIRN_FN double firn_powder_ramp(double value, double threshold)
{
    if (!(threshold > 0)) return 1;
    return fmin(fmax(value / threshold - 1, 0.0), 1.0);
}

// Share of a particle's mass that breaks fast in a time [s] in which J_P goes from `before` to
// `after`: torn (J_P grows) or crushed (it falls). A change of ln J_P, the logarithm of the plastic
// volume, by 1 stands for all of the mass. `speed`: relative to the air [m/s]; `open`: share of the
// particle's surface that the air reaches, 1/6 on a flat face: snow inside sheds nothing.
FIRN_FN double firn_powder_broken(const firn_powder_law* law, double before, double after,
                                  double seconds, double speed, double open)
{
    if (!(seconds >= FIRN_POWDER_TICK_MIN) || !(before > 0) || !(after > 0)) return 0;
    const double change = fabs(firn_log_double(after / before));
    return fmin(change, 1.0) * firn_powder_ramp(change / seconds, law->rate) *
           firn_powder_ramp(speed, law->speed) * fmin(6 * open, 1.0);
}

// Number of points that a particle has shed when the share `broken` of its mass has broken in all.
// The random offset, fixed for a particle, makes the mean exact: points * broken.
FIRN_FN int64_t firn_powder_number(const firn_powder_law* law, uint32_t id, double broken)
{
    return (int64_t)floor(law->points * broken + firn_random_unit((uint64_t)law->seed, id));
}

// [kg] that a point of a particle of mass m is drawn with.
FIRN_FN double firn_powder_mass(const firn_powder_law* law, double m)
{
    return law->amount * m / law->points;
}

// Three uniform numbers in [-1, 1) for the point `number` of particle `id`.
FIRN_FN firn_vec3 firn_powder_random(const firn_powder_law* law, uint32_t id, int64_t number,
                                     uint64_t stream)
{
    const uint64_t own = firn_random_bits((uint64_t)law->seed + stream, id);
    const uint64_t at = 3 * (uint64_t)number;
    return firn_v3((firn_real)(2 * firn_random_unit(own, at) - 1),
                   (firn_real)(2 * firn_random_unit(own, at + 1) - 1),
                   (firn_real)(2 * firn_random_unit(own, at + 2) - 1));
}

// Point `number` of a particle at x with velocity v: within the cube of edge h around it, thrown
// off with a random velocity, and at a random moment of the last `seconds`.
FIRN_FN firn_powder_point firn_powder_born(const firn_powder_law* law, uint32_t id, int64_t number,
                                           firn_vec3 x, firn_vec3 v, firn_vec3 wind, firn_real h,
                                           double seconds)
{
    const firn_vec3 place = firn_powder_random(law, id, number, 1);
    const firn_vec3 throwing = firn_powder_random(law, id, number, 2);
    const firn_vec3 chance = firn_powder_random(law, id, number, 3);
    const firn_real speed = firn_v3_length(firn_v3_sub(v, wind));
    firn_powder_point point;
    point.age = (firn_real)(seconds * 0.5 * (1 + (double)chance.x));
    point.life = (firn_real)(law->life * (1 + 0.5 * (double)chance.y));
    point.velocity = firn_v3_madd(v, (firn_real)law->spread * speed, throwing);
    point.position = firn_v3_madd(x, (firn_real)0.5 * h, place);
    return point;
}

// [1/s] of the drag on a grain at `speed` [m/s] relative to the air: physics/drag.h.
FIRN_FN firn_real firn_powder_drag(const firn_powder_law* law, firn_real speed,
                                   firn_real air_density, firn_real air_viscosity)
{
    const firn_real d = (firn_real)law->size;
    return firn_drag_rate(speed, d, firn_drag_flake_mass(d, (firn_real)FIRN_POWDER_ICE),
                          air_density, air_viscosity);
}

// (1 - exp(-z)) / z and (1 - that) / z, z >= 0; e: exp(-z).
FIRN_FN void firn_powder_phi(double z, double* out_e, double* out_1, double* out_2)
{
    *out_e = firn_exp_double(-z);
    if (z < 1e-3) {  // differences would cancel; the next terms are below 1e-11
        *out_1 = 1 - z * (0.5 - z * (1.0 / 6 - z / 24));
        *out_2 = 0.5 - z * (1.0 / 6 - z * (1.0 / 24 - z / 120));
        return;
    }
    *out_1 = (1 - *out_e) / z;
    *out_2 = (1 - *out_1) / z;
}

// Moves a grain for a time T [s] in air of velocity w, with an acceleration g and a rate of drag
// k [1/s]. Exact for a constant k, however long T is:
//   v' = w + g/k + (v - w - g/k) exp(-kT), integrated over time for x.
FIRN_FN void firn_powder_fly(firn_vec3* x, firn_vec3* v, firn_vec3 w, firn_vec3 g, double k,
                             double T)
{
    double e, phi1, phi2;
    firn_powder_phi(k * T, &e, &phi1, &phi2);
    const firn_vec3 slip = firn_v3_sub(*v, w);
    const firn_vec3 way = firn_v3_madd(firn_v3_scale(w, (firn_real)T), (firn_real)(T * phi1), slip);
    *x = firn_v3_add(*x, firn_v3_madd(way, (firn_real)(T * T * phi2), g));
    *v = firn_v3_madd(firn_v3_madd(w, (firn_real)e, slip), (firn_real)(T * phi1), g);
}

// Share of a point's mass that is still drawn: 1 when it is young, 0 at the end of its life.
FIRN_FN firn_real firn_powder_fade(firn_real age, firn_real life)
{
    const firn_real s = firn_clamp(age / life, 0, 1);
    return 1 - s * s * (3 - 2 * s);
}
