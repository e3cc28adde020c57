// SPDX-License-Identifier: MIT
// Smooth interfaces between transparent bodies: Fresnel's equations, Snell's law, and the
// absorption of Beer and Lambert.
#pragma once
#include <math.h>

#include "math/elementary.h"
#include "math/rgb.h"
#include "math/vec3.h"

// Reflectance for unpolarised light. `cosine`: of the angle of incidence, 0..1; `eta`: index of
// refraction beyond over that before the interface. 1: total reflection.
FIRN_FN float firn_fresnel(float cosine, float eta)
{
    const float sine2 = (1 - cosine * cosine) / (eta * eta);
    if (!(sine2 < 1)) return 1;
    const float beyond = sqrtf(1 - sine2);
    const float s = (cosine - eta * beyond) / (cosine + eta * beyond);
    const float p = (eta * cosine - beyond) / (eta * cosine + beyond);
    return 0.5f * (s * s + p * p);
}

// `n`: unit normal against d (unit).
FIRN_FN firn_vec3 firn_reflect(firn_vec3 d, firn_vec3 n)
{
    return firn_v3_madd(d, -2 * firn_v3_dot(d, n), n);
}

// The direction beyond the interface; not for total reflection.
FIRN_FN firn_vec3 firn_refract(firn_vec3 d, firn_vec3 n, firn_real eta)
{
    const firn_real cosine = -firn_v3_dot(d, n), per_eta = 1 / eta;
    const firn_real beyond2 = 1 - (1 - cosine * cosine) * per_eta * per_eta;
    const firn_real along = per_eta * cosine - firn_sqrt(firn_max(beyond2, 0));
    return firn_v3_normalize(firn_v3_madd(firn_v3_scale(d, per_eta), along, n), d);
}

// Share of light that is left after `distance` [m]; absorption [1/m].
FIRN_FN firn_rgb firn_absorb(firn_rgb absorption, float distance)
{
    const double d = -(double)distance;
    return firn_rgb_of((float)firn_exp_double(d * (double)absorption.r),
                       (float)firn_exp_double(d * (double)absorption.g),
                       (float)firn_exp_double(d * (double)absorption.b));
}
