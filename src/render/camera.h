// SPDX-License-Identifier: MIT
// A pinhole camera: pixels to rays and points to pixels. Used by every kind of picture.
// Pixel (0, 0) is the upper left one; its centre is at (0.5, 0.5).
#pragma once
#include "math/elementary.h"
#include "math/vec3.h"

typedef struct firn_camera {
    firn_vec3 eye;                 // [m]
    firn_vec3 right, up, forward;  // unit, orthogonal
    firn_real pixel;               // width of a pixel at distance 1 along `forward`
    firn_real center_x, center_y;  // [pixels] where `forward` meets the picture
    int32_t width, height;         // [pixels]
    firn_real distance;            // [m] from the eye to look_at: the scale of the scene
} firn_camera;

typedef struct firn_ray {
    firn_vec3 origin;     // [m]
    firn_vec3 direction;  // unit
} firn_ray;

// `fov_deg`: vertical field of view in (0, 180) [degrees]. If the camera looks straight up or down,
// the top of the picture points along -z. If eye and look_at coincide, it looks along -z.
// `up`: points to the top of the picture, any length; 0, or along the view: the vertical.
FIRN_FN firn_camera firn_camera_make_rolled(firn_vec3 eye, firn_vec3 look_at, firn_vec3 up,
                                            double fov_deg, int32_t width, int32_t height)
{
    firn_camera c;
    c.eye = eye;
    c.width = width;
    c.height = height;
    const firn_vec3 away = firn_v3_sub(look_at, eye);
    c.distance = firn_v3_length(away);
    if (!(c.distance > 0) || !firn_is_finite(c.distance)) c.distance = 1;
    c.forward = firn_v3_normalize(away, firn_v3(0, 0, -1));
    const bool steep = firn_abs(c.forward.y) > 0.99999f;
    firn_vec3 vertical = steep ? firn_v3(0, 0, -1) : firn_v3(0, 1, 0);
    const firn_vec3 across = firn_v3_cross(c.forward, up);
    if (firn_v3_dot(across, across) > 1e-8f * firn_v3_dot(up, up)) vertical = up;
    c.right = firn_v3_normalize(firn_v3_cross(c.forward, vertical), firn_v3(1, 0, 0));
    c.up = firn_v3_cross(c.right, c.forward);
    double s, cosine;
    firn_sincos_double(fov_deg * (0.5 * 3.14159265358979323846 / 180.0), &s, &cosine);
    c.pixel = (firn_real)(2 * s / (cosine * height));
    c.center_x = 0.5f * (firn_real)width;
    c.center_y = 0.5f * (firn_real)height;
    return c;
}

// The same, upright.
FIRN_FN firn_camera firn_camera_make(firn_vec3 eye, firn_vec3 look_at, double fov_deg,
                                     int32_t width, int32_t height)
{
    return firn_camera_make_rolled(eye, look_at, firn_v3(0, 0, 0), fov_deg, width, height);
}

// The ray through picture position (px, py) [pixels].
FIRN_FN firn_ray firn_camera_ray(const firn_camera* c, firn_real px, firn_real py)
{
    firn_vec3 d = firn_v3_madd(c->forward, (px - c->center_x) * c->pixel, c->right);
    d = firn_v3_madd(d, (c->center_y - py) * c->pixel, c->up);
    return FIRN_LIT(firn_ray){c->eye, firn_v3_normalize(d, c->forward)};
}

// Pixel position of x and its depth along `forward` [m]. False if x is not in front of the eye.
FIRN_FN bool firn_camera_project(const firn_camera* c, firn_vec3 x, firn_real* out_px,
                                 firn_real* out_py, firn_real* out_depth)
{
    const firn_vec3 v = firn_v3_sub(x, c->eye);
    const firn_real depth = firn_v3_dot(v, c->forward);
    if (!(depth > 1e-6f * c->distance)) return false;
    const firn_real scale = 1 / (depth * c->pixel);
    *out_px = c->center_x + firn_v3_dot(v, c->right) * scale;
    *out_py = c->center_y - firn_v3_dot(v, c->up) * scale;
    *out_depth = depth;
    return true;
}
