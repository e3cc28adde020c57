// SPDX-License-Identifier: MIT
// Inertia by formula where there is one (moments.h), else as a sum over cells of the shape's
// bounds, which serves booleans, height fields and level sets, those of meshes too. A cell that the
// surface cuts counts with the fraction of it that is inside, as if the surface were flat there:
//
//     share = clamp(1/2 - phi(centre) / w, 0, 1),  w: width of the cell along the normal
//
// which is exact for axis-aligned faces, and second order elsewhere.
#include "geometry/collider/inertia.h"

#include <math.h>

#include "geometry/collider/moments.h"

#define CELLS 80  // along each side of the bounds

static double share_inside(const firn_shapes* shapes, firn_local shape, firn_vec3 x,
                           const double edge[3])
{
    firn_vec3 n;
    const double phi = (double)firn_shape_sample(shapes, shape, x, &n);
    const double width =
        fabs((double)n.x) * edge[0] + fabs((double)n.y) * edge[1] + fabs((double)n.z) * edge[2];
    const double share = 0.5 - phi / width;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

// Volumes are in cells, positions about the middle of the bounds.
static firn_moments sum_cells(const firn_shapes* shapes, firn_local shape, const double middle[3],
                              const double edge[3])
{
    firn_moments sum = {0};
    for (int k = 0; k < CELLS; k++)
        for (int j = 0; j < CELLS; j++)
            for (int i = 0; i < CELLS; i++) {
                const double x[3] = {(i + 0.5 - 0.5 * CELLS) * edge[0],
                                     (j + 0.5 - 0.5 * CELLS) * edge[1],
                                     (k + 0.5 - 0.5 * CELLS) * edge[2]};
                const double s = share_inside(shapes, shape,
                                              firn_v3((firn_real)(middle[0] + x[0]),
                                                      (firn_real)(middle[1] + x[1]),
                                                      (firn_real)(middle[2] + x[2])),
                                              edge);
                if (s == 0) continue;
                sum.volume += s;
                for (int d = 0; d < 3; d++) {
                    sum.first[d] += s * x[d];
                    sum.second[d] += s * (x[d] * x[d] + edge[d] * edge[d] / 12);  // + cell's own
                }
                sum.second[3] += s * x[0] * x[1];
                sum.second[4] += s * x[0] * x[2];
                sum.second[5] += s * x[1] * x[2];
            }
    return sum;
}

// I = integral of (x.x 1 - x x^T), with x relative to the centre of mass.
static firn_mat3 inertia_of(const firn_moments* sum, const double center[3], double mass)
{
    double c[6];  // second moments about the centre of mass, per volume
    for (int d = 0; d < 3; d++) c[d] = sum->second[d] / sum->volume - center[d] * center[d];
    c[3] = sum->second[3] / sum->volume - center[0] * center[1];
    c[4] = sum->second[4] / sum->volume - center[0] * center[2];
    c[5] = sum->second[5] / sum->volume - center[1] * center[2];
    const firn_real xy = (firn_real)(-mass * c[3]), xz = (firn_real)(-mass * c[4]);
    const firn_real yz = (firn_real)(-mass * c[5]);
    return (firn_mat3){{{(firn_real)(mass * (c[1] + c[2])), xy, xz},
                        {xy, (firn_real)(mass * (c[0] + c[2])), yz},
                        {xz, yz, (firn_real)(mass * (c[0] + c[1]))}}};
}

// Moments about `origin`. False: the shape is unbounded or holds nothing.
static bool measure(const firn_shapes* shapes, firn_local shape, firn_moments* out,
                    double origin[3])
{
    const firn_box3 b = firn_shape_bounds(shapes, shape);
    const double low[3] = {(double)b.low.x, (double)b.low.y, (double)b.low.z};
    const double high[3] = {(double)b.high.x, (double)b.high.y, (double)b.high.z};
    double edge[3];
    for (int d = 0; d < 3; d++) {
        if (!(high[d] > low[d]) || low[d] <= -(double)FIRN_REAL_MAX ||
            high[d] >= (double)FIRN_REAL_MAX)
            return false;
        origin[d] = 0.5 * (low[d] + high[d]);
        edge[d] = (high[d] - low[d]) / CELLS;
    }
    if (firn_shape_moments(shapes, shape, out)) {
        origin[0] = origin[1] = origin[2] = 0;
    } else {
        *out = sum_cells(shapes, shape, origin, edge);
        const double cell = edge[0] * edge[1] * edge[2];
        out->volume *= cell;
        for (int d = 0; d < 3; d++) out->first[d] *= cell;
        for (int k = 0; k < 6; k++) out->second[k] *= cell;
    }
    return out->volume > 0;
}

firn_result firn_shape_inertia(const firn_shapes* shapes, firn_local shape, firn_real mass,
                               firn_rigid* out)
{
    firn_moments sum;
    double origin[3];
    if (!(mass > 0) || !firn_is_finite(mass) || !measure(shapes, shape, &sum, origin))
        return FIRN_REFUSED_ARGUMENT;
    const double center[3] = {sum.first[0] / sum.volume, sum.first[1] / sum.volume,
                              sum.first[2] / sum.volume};
    out->mass = mass;
    out->inertia = inertia_of(&sum, center, (double)mass);
    out->center = firn_v3((firn_real)(origin[0] + center[0]), (firn_real)(origin[1] + center[1]),
                          (firn_real)(origin[2] + center[2]));
    return FIRN_OK;
}

double firn_shape_inertia_volume(const firn_shapes* shapes, firn_local shape)
{
    firn_moments sum;
    double origin[3];
    return measure(shapes, shape, &sum, origin) ? sum.volume : 0;
}
