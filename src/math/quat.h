// SPDX-License-Identifier: MIT
// Unit quaternions for rotations.
#pragma once
#include "math/elementary.h"
#include "math/mat3.h"

FIRN_FN firn_quat firn_q_identity(void)
{
    return FIRN_LIT(firn_quat){1, 0, 0, 0};
}

FIRN_FN firn_quat firn_q_mul(firn_quat a, firn_quat b)
{
    return FIRN_LIT(firn_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                               a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                               a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

FIRN_FN firn_quat firn_q_normalize(firn_quat q)
{
    const firn_real l = firn_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(l > FIRN_REAL_TINY)) return firn_q_identity();
    const firn_real s = 1 / l;
    return FIRN_LIT(firn_quat){q.w * s, q.x * s, q.y * s, q.z * s};
}

// Turn by |w| radians about w (a rotation vector).
FIRN_FN firn_quat firn_q_from_vector(firn_vec3 w)
{
    const double angle = sqrt((double)w.x * w.x + (double)w.y * w.y + (double)w.z * w.z);
    if (angle < 1e-300) return firn_q_identity();
    double s, c;
    firn_sincos_double(0.5 * angle, &s, &c);
    s /= angle;
    return FIRN_LIT(firn_quat){(firn_real)c, (firn_real)(s * w.x), (firn_real)(s * w.y),
                               (firn_real)(s * w.z)};
}

// Euler angles in radians: about x first, then y, then z (fixed axes).
FIRN_FN firn_quat firn_q_from_euler(firn_vec3 angle)
{
    const firn_quat qx = firn_q_from_vector(firn_v3(angle.x, 0, 0));
    const firn_quat qy = firn_q_from_vector(firn_v3(0, angle.y, 0));
    const firn_quat qz = firn_q_from_vector(firn_v3(0, 0, angle.z));
    return firn_q_mul(qz, firn_q_mul(qy, qx));
}

FIRN_FN firn_mat3 firn_q_to_m3(firn_quat q)
{
    const firn_real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const firn_real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const firn_real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return FIRN_LIT(firn_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                                {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                                {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

// The shortest rotation that takes unit vector a to unit vector b.
FIRN_FN firn_quat firn_q_between(firn_vec3 a, firn_vec3 b)
{
    const firn_real c = firn_v3_dot(a, b);
    if (c < (firn_real)-0.999999) {  // opposite: half a turn about any axis across a
        const firn_vec3 other =
            firn_abs(a.x) < (firn_real)0.6 ? firn_v3(1, 0, 0) : firn_v3(0, 1, 0);
        const firn_vec3 axis = firn_v3_normalize(firn_v3_cross(a, other), firn_v3(0, 0, 1));
        return FIRN_LIT(firn_quat){0, axis.x, axis.y, axis.z};
    }
    const firn_vec3 n = firn_v3_cross(a, b);
    return firn_q_normalize(FIRN_LIT(firn_quat){1 + c, n.x, n.y, n.z});
}

// The inverse of a unit quaternion.
FIRN_FN firn_quat firn_q_conjugate(firn_quat q)
{
    return FIRN_LIT(firn_quat){q.w, -q.x, -q.y, -q.z};
}

// q v q*; exactly v for the identity.
FIRN_FN firn_vec3 firn_q_rotate(firn_quat q, firn_vec3 v)
{
    const firn_vec3 u = firn_v3(q.x, q.y, q.z);
    const firn_vec3 t = firn_v3_scale(firn_v3_cross(u, v), 2);
    return firn_v3_add(firn_v3_madd(v, q.w, t), firn_v3_cross(u, t));
}
