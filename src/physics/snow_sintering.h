// SPDX-License-Identifier: MIT
// Sintering: grains of broken snow that touch grow together again. The strength relative to snow
// that has not broken follows a power of the time in contact,
//     s(t) = (t / t_s)^n,  at most 1.
// n = 0.18: the resistance to penetration of sieved snow grows so (van Herwijnen and Miller 2013,
// mean of samples of many densities). The time t_s of full strength is not measured; presets do not
// sinter, measured snow within a day (assumed). For C and CUDA.
#pragma once
#include "math/elementary.h"
#include "physics/snow_material.h"

// The strength `dt` later: t = t_s s^(1/n) is the time in contact that snow of strength s seems to
// have had, so that steps of any size give the same curve.
FIRN_FN double firn_sintered_strength(const firn_sintering_law* law, double strength, double dt)
{
    const double n = (double)law->exponent;
    const double before = strength > 0 ? firn_exp_double(firn_log_double(strength) / n) : 0;
    const double t = before + dt / (double)law->time;
    return t >= 1 ? 1 : t > 0 ? firn_exp_double(n * firn_log_double(t)) : 0;
}

// mpm's strength is in the softening exp(rate (1 - J)) of stretched snow, J > 1: the J of snow that
// was in contact for `dt` [s]. It is apart from J_P, which also says how dense snow is.
FIRN_FN firn_real firn_sintered_det(const firn_sintering_law* law, firn_real J, firn_real rate,
                                    double dt)
{
    if (!(law->time > 0) || !(J > 1) || !(rate > 0)) return J;
    const double weak = (double)rate * (1 - (double)J);
    const double strength = firn_sintered_strength(law, firn_exp_double(weak), dt);
    if (!(strength > 0)) return J;
    const firn_real healed = (firn_real)(1 - firn_log_double(strength) / (double)rate);
    return firn_min(healed, J);
}
