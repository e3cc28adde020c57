// SPDX-License-Identifier: MIT
// Rotations as vectors (axis times angle) in double: exp, log and how their rates belong together.
// For motions: a path of rotation vectors w(t) turns a body by exp(w(t)), and its spin is exactly
// J(w) w', J being the left Jacobian of SO(3) (see e.g. Chirikjian, Stochastic Models, Information
// Theory, and Lie Groups, vol. 2, section 10.1).
#pragma once
#include "math/elementary.h"

// A vector and a unit quaternion (w, x, y, z) in double.
typedef struct firn_dvec3 {
    double v[3];
} firn_dvec3;

typedef struct firn_dquat {
    double q[4];
} firn_dquat;

FIRN_FN firn_dvec3 firn_dv3(double x, double y, double z)
{
    return FIRN_LIT(firn_dvec3){{x, y, z}};
}

// a + s b
FIRN_FN firn_dvec3 firn_dv3_madd(firn_dvec3 a, double s, firn_dvec3 b)
{
    return firn_dv3(a.v[0] + s * b.v[0], a.v[1] + s * b.v[1], a.v[2] + s * b.v[2]);
}

FIRN_FN firn_dvec3 firn_dv3_cross(firn_dvec3 a, firn_dvec3 b)
{
    return firn_dv3(a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                    a.v[0] * b.v[1] - a.v[1] * b.v[0]);
}

FIRN_FN double firn_dv3_dot(firn_dvec3 a, firn_dvec3 b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

FIRN_FN firn_dquat firn_dq_mul(firn_dquat a, firn_dquat b)
{
    const double *p = a.q, *q = b.q;
    return FIRN_LIT(firn_dquat){{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                                 p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                                 p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                                 p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]}};
}

FIRN_FN firn_dquat firn_dq_conjugate(firn_dquat a)
{
    return FIRN_LIT(firn_dquat){{a.q[0], -a.q[1], -a.q[2], -a.q[3]}};
}

// The rotation by |w| about w.
FIRN_FN firn_dquat firn_rotation_exp(firn_dvec3 w)
{
    const double angle = sqrt(firn_dv3_dot(w, w));
    if (!(angle > 1e-150)) return FIRN_LIT(firn_dquat){{1, 0, 0, 0}};
    double s, c;
    firn_sincos_double(0.5 * angle, &s, &c);
    s /= angle;
    return FIRN_LIT(firn_dquat){{c, s * w.v[0], s * w.v[1], s * w.v[2]}};
}

// The rotation vector of q, the short way round: |w| <= pi.
FIRN_FN firn_dvec3 firn_rotation_log(firn_dquat a)
{
    const double sign = a.q[0] < 0 ? -1 : 1;
    const firn_dvec3 v = firn_dv3(sign * a.q[1], sign * a.q[2], sign * a.q[3]);
    const double s = sqrt(firn_dv3_dot(v, v));
    const double angle = 2 * firn_atan2_double(s, sign * a.q[0]);
    const double per = s > 1e-150 ? angle / s : 2;  // angle / sin(angle/2) -> 2
    return firn_dv3(per * v.v[0], per * v.v[1], per * v.v[2]);
}

// J(w) r = r + (1 - cos t)/t^2 w x r + (t - sin t)/t^3 w x (w x r),  t = |w|
FIRN_FN firn_dvec3 firn_rotation_rate(firn_dvec3 w, firn_dvec3 r)
{
    const double t2 = firn_dv3_dot(w, w), t = sqrt(t2);
    double a, b;
    if (t < 0.1) {  // series: the closed forms lose digits; remainder < 1e-17
        a = 1.0 / 2 - t2 * (1.0 / 24 - t2 * (1.0 / 720 - t2 * (1.0 / 40320 - t2 / 3628800)));
        b = 1.0 / 6 - t2 * (1.0 / 120 - t2 * (1.0 / 5040 - t2 * (1.0 / 362880 - t2 / 39916800)));
    } else {
        double s, c;
        firn_sincos_double(0.5 * t, &s, &c);
        a = 2 * s * s / t2;
        b = (t - 2 * s * c) / (t2 * t);
    }
    const firn_dvec3 c1 = firn_dv3_cross(w, r), c2 = firn_dv3_cross(w, c1);
    return firn_dv3_madd(firn_dv3_madd(r, a, c1), b, c2);
}

// J(w)^-1 r = r - 1/2 w x r + (1/t^2 - cot(t/2)/(2 t)) w x (w x r), for t = |w| <= pi
FIRN_FN firn_dvec3 firn_rotation_rate_inverse(firn_dvec3 w, firn_dvec3 r)
{
    const double t2 = firn_dv3_dot(w, w), t = sqrt(t2);
    double b = 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600));
    if (t >= 0.05) {  // below: series, remainder < 1e-16
        double s, c;
        firn_sincos_double(0.5 * t, &s, &c);
        b = (1 - 0.5 * t * c / s) / t2;
    }
    const firn_dvec3 c1 = firn_dv3_cross(w, r), c2 = firn_dv3_cross(w, c1);
    return firn_dv3_madd(firn_dv3_madd(r, -0.5, c1), b, c2);
}
