// SPDX-License-Identifier: MIT
// Thin-lens depth of field: points on the focal plane, perpendicular to `forward`, are sharp;
// others blur over a circle of confusion (Cook, Porter and Carpenter 1984).
#pragma once
#include "render/camera.h"

typedef struct firn_lens {
    firn_real radius;  // [m] of the aperture; 0: pinhole camera
    firn_real focus;   // [m] along `forward` to the focal plane
} firn_lens;

// `diameter` [m] of the aperture; `focus` [m], 0: the distance of look_at.
FIRN_FN firn_lens firn_lens_make(const firn_camera* c, double diameter, double focus)
{
    return FIRN_LIT(firn_lens){diameter > 0 ? (firn_real)(0.5 * diameter) : 0,
                               focus > 0 ? (firn_real)focus : c->distance};
}

// Uniform point on the unit disc from u, v in [0, 1) by the concentric map, which preserves
// stratification (Shirley and Chiu 1997).
FIRN_FN void firn_disc_point(firn_real u, firn_real v, firn_real* out_x, firn_real* out_y)
{
    const firn_real a = 2 * u - 1, b = 2 * v - 1;
    const bool a_is_larger = firn_abs(a) > firn_abs(b);
    const firn_real r = a_is_larger ? a : b, other = a_is_larger ? b : a;
    *out_x = 0;
    *out_y = 0;
    if (r == 0) return;
    double s, c;
    firn_sincos_double(0.78539816339744831 * (double)(other / r), &s, &c);
    *out_x = r * (firn_real)(a_is_larger ? c : s);
    *out_y = r * (firn_real)(a_is_larger ? s : c);
}

// The ray through picture position (px, py) [pixels] and lens sample (u, v) in [0, 1): the rays of
// all lens samples meet in one point of the focal plane.
FIRN_FN firn_ray firn_lens_ray(const firn_camera* c, firn_lens lens, firn_real px, firn_real py,
                               firn_real u, firn_real v)
{
    if (!(lens.radius > 0)) return firn_camera_ray(c, px, py);
    firn_real x, y;
    firn_disc_point(u, v, &x, &y);
    x *= lens.radius;
    y *= lens.radius;
    // from the lens sample to the point in focus, in camera coordinates
    const firn_real right = (px - c->center_x) * c->pixel * lens.focus - x;
    const firn_real up = (c->center_y - py) * c->pixel * lens.focus - y;
    firn_vec3 d = firn_v3_scale(c->forward, lens.focus);
    d = firn_v3_madd(firn_v3_madd(d, right, c->right), up, c->up);
    const firn_vec3 from = firn_v3_madd(firn_v3_madd(c->eye, x, c->right), y, c->up);
    return FIRN_LIT(firn_ray){from, firn_v3_normalize(d, c->forward)};
}
