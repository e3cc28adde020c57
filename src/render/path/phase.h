// SPDX-License-Identifier: MIT
// Henyey and Greenstein's phase function (1941): p(cos) = (1 - g^2) / (4 pi (1 + g^2 - 2 g
// cos)^1.5). Stomakhin 2013, section 9, with g = 0.5.
#pragma once
#include "math/vec3.h"
#include "render/path/fast_math.h"
#include "render/path/rng.h"

// [1/sr] for the angle between the directions of flight before and after.
FIRN_FN float firn_phase_value(float g, float cosine)
{
    const float s = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) * 0.0795774715f / (s * sqrtf(s));
}

FIRN_FN float firn_phase_cosine(float g, float u)
{
    if (fabsf(g) < 1e-3f) return 1 - 2 * u;
    const float s = (1 - g * g) / (1 - g + 2 * g * u);
    const float cosine = (1 + g * g - s * s) / (2 * g);
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

// A direction after flying along `d` (unit), by p; *out_pdf its density [1/sr].
FIRN_FN firn_f3 firn_phase_sample(float g, firn_f3 d, firn_rng* r, float* out_pdf)
{
    const float cosine = firn_phase_cosine(g, firn_rng_unit(r));
    float turn_sin, turn_cos;
    firn_turn_sincos(firn_rng_unit(r), &turn_sin, &turn_cos);
    const float sine = sqrtf(1 - cosine * cosine);
    *out_pdf = firn_phase_value(g, cosine);
    // two directions across d: Duff et al. 2017
    const float sign = d.z >= 0 ? 1.0f : -1.0f;
    const float a = -1 / (sign + d.z), b = d.x * d.y * a;
    const firn_f3 s = {1 + sign * d.x * d.x * a, sign * b, -sign * d.x};
    const firn_f3 t = {b, sign + d.y * d.y * a, -d.y};
    const float x = sine * turn_cos, y = sine * turn_sin;
    const firn_f3 to = {s.x * x + t.x * y + d.x * cosine, s.y * x + t.y * y + d.y * cosine,
                        s.z * x + t.z * y + d.z * cosine};
    // hundreds of turns in a row must not let the length drift: one Newton step towards 1
    const float scale = 1.5f - 0.5f * (to.x * to.x + to.y * to.y + to.z * to.z);
    return FIRN_LIT(firn_f3){to.x * scale, to.y * scale, to.z * scale};
}
