// SPDX-License-Identifier: MIT
// Henyey-Greenstein phase function (1941): p(cos) = (1 - g^2) / (4 pi (1 + g^2 - 2 g cos)^1.5).
// Stomakhin 2013, section 9, uses g = 0.5.
#pragma once
#include "math/vec3.h"
#include "render/path/fast_math.h"
#include "render/path/rng.h"

// [1/sr]; `cosine` of the angle between the directions of propagation before and after.
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

// Samples a direction after propagation along `d` (unit); *out_pdf its density [1/sr].
FIRN_FN firn_f3 firn_phase_sample(float g, firn_f3 d, firn_rng* r, float* out_pdf)
{
    const float cosine = firn_phase_cosine(g, firn_rng_unit(r));
    float sin_phi, cos_phi;
    firn_sincos_2pi(firn_rng_unit(r), &sin_phi, &cos_phi);
    const float sine = sqrtf(1 - cosine * cosine);
    *out_pdf = firn_phase_value(g, cosine);
    // orthonormal basis about d: Duff et al. 2017
    const float sign = d.z >= 0 ? 1.0f : -1.0f;
    const float a = -1 / (sign + d.z), b = d.x * d.y * a;
    const firn_f3 s = {1 + sign * d.x * d.x * a, sign * b, -sign * d.x};
    const firn_f3 t = {b, sign + d.y * d.y * a, -d.y};
    const float x = sine * cos_phi, y = sine * sin_phi;
    const firn_f3 to = {s.x * x + t.x * y + d.x * cosine, s.y * x + t.y * y + d.y * cosine,
                        s.z * x + t.z * y + d.z * cosine};
    // one Newton step towards unit length, so that it does not drift over hundreds of scatterings
    const float scale = 1.5f - 0.5f * (to.x * to.x + to.y * to.y + to.z * to.z);
    return FIRN_LIT(firn_f3){to.x * scale, to.y * scale, to.z * scale};
}
