// SPDX-License-Identifier: MIT
// Vectors and 4x4 matrices of the viewer. Matrices are column-major, as in OpenGL:
// m[4 * column + row].
#pragma once
#include <math.h>

static inline float view_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void view_cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Normalises v; a zero vector becomes `otherwise`.
static inline void view_normalize(float v[3], const float otherwise[3])
{
    const float length = sqrtf(view_dot(v, v));
    for (int k = 0; k < 3; k++) v[k] = length > 1e-20f ? v[k] / length : otherwise[k];
}

// Orthonormal axes: z along `backward`, x horizontal if possible.
static inline void view_axes(const float backward[3], float x[3], float y[3], float z[3])
{
    for (int k = 0; k < 3; k++) z[k] = backward[k];
    view_normalize(z, (const float[3]){0, 0, 1});
    view_cross((const float[3]){0, 1, 0}, z, x);
    if (view_dot(x, x) < 1e-8f)
        view_cross((const float[3]){0, 0, -1}, z, x);  // straight up or down
    view_normalize(x, (const float[3]){1, 0, 0});
    view_cross(z, x, y);
}

// Transform from the world to the frame with these axes and origin.
static inline void view_matrix_into(const float x[3], const float y[3], const float z[3],
                                    const float origin[3], float out[16])
{
    const float* axes[3] = {x, y, z};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) out[4 * column + row] = axes[row][column];
        out[12 + row] = -view_dot(axes[row], origin);
    }
    out[3] = out[7] = out[11] = 0;
    out[15] = 1;
}

// Perspective with infinite far plane: depth is 1 - near / distance.
static inline void view_matrix_perspective(float tan_x, float tan_y, float near, float out[16])
{
    for (int k = 0; k < 16; k++) out[k] = 0;
    out[0] = 1 / tan_x;
    out[5] = 1 / tan_y;
    out[10] = -1;
    out[11] = -1;
    out[14] = -2 * near;
}

// out = a b
static inline void view_matrix_multiply(const float a[16], const float b[16], float out[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
            out[4 * column + row] = sum;
        }
}
