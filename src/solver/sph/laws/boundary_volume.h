// SPDX-License-Identifier: MIT
// V_b of boundary particles that move relative to each other, for C and CUDA.
#pragma once
#include "math/vec3.h"
#include "physics/sph_kernel.h"

// W between two boundary particles, `spacing` [m] apart when at rest, for sum_j W_bj.
FIRN_FN double firn_boundary_kernel(firn_vec3 x, firn_vec3 other, double spacing)
{
    const double reach = FIRN_SPH_SUPPORT * spacing;
    const double dx = (double)x.x - (double)other.x, dy = (double)x.y - (double)other.y;
    const double dz = (double)x.z - (double)other.z;
    const double r_2 = dx * dx + dy * dy + dz * dz;
    return r_2 < reach * reach ? (double)firn_sph_w((firn_real)sqrt(r_2), (firn_real)spacing) : 0;
}

// V_b = factor / sum_j W_bj [m^3]; a particle that does not find itself is alone.
FIRN_FN firn_real firn_boundary_volume(double sum, double spacing, double factor)
{
    return (firn_real)(factor / fmax(sum, (double)firn_sph_w0((firn_real)spacing)));
}
