// SPDX-License-Identifier: MIT
#include "render/preview/snow/snow_medium.h"

#define THICK_LEAST 0.5  // minimum reduced optical thickness of a cell: below, diffusion fails

// x / sinh(x) and x / tanh(x), x >= 0.
static void hyperbolic(double x, double* by_sinh, double* by_tanh)
{
    if (x < 1e-3) {
        *by_sinh = 1 - x * x / 6;
        *by_tanh = 1 + x * x / 3;
        return;
    }
    const double e = firn_exp_double(-x);
    *by_sinh = 2 * x * e / (1 - e * e);
    *by_tanh = x * (1 + e * e) / (1 - e * e);
}

// `skin` for which u = 1 in the top cell of deep, flat snow at E = 1, laterally uniform. u of each
// cell is r times that of the cell above, with link (1 + r^2) = (6 link_own - 4 link) r.
static double skin_of_unit(double link, double link_own, double skin_own)
{
    const double half = 3 * link_own - 2 * link, root = half * half - link * link;
    const double r = link / (half + sqrt(root > 0 ? root : 0));
    return 5 * link_own - 4 * link + skin_own - link * r;
}

firn_snow_band firn_snow_band_make(double albedo, double g, double thick)
{
    const double s = sqrt((1 - albedo) / (1 - albedo * g));
    const double reduced = fmax(thick * (1 - albedo * g), THICK_LEAST);
    const double kappa = sqrt(3) * s * reduced;
    const double white = (1 - s) * (1 - 0.139 * s) / (1 + 1.17 * s);
    const double sink = (1 - white) / (2 + 2 * white);  // D kappa of deep snow, about s / sqrt(3)
    const double d = kappa > 1e-9 ? sink / kappa : 1 / (3 * reduced);
    double by_sinh, by_tanh;
    hyperbolic(kappa / sqrt(3), &by_sinh, &by_tanh);  // a third of the absorption per axis
    const double link = d * by_sinh, link_own = d * by_tanh;
    hyperbolic(0.5 * kappa, &by_sinh, &by_tanh);
    // from the centre to the surface: u_s = (E / 2 + way u) / (way_own + 1 / 2)
    const double way = 2 * d * by_sinh, way_own = 2 * d * by_tanh, in = 1 / (way_own + 0.5);
    const double skin_own = way_own - way * way * in;
    const double give = fmax(in - 1, fmin((double)FIRN_SNOW_GIVE_LEAST, white));
    // a crumb is one voxel wide: as white as deep snow if it is opaque, lighter if it transmits
    const double through = firn_exp_double(-0.5 * kappa);
    return (firn_snow_band){.albedo = (float)albedo,
                            .white = (float)white,
                            .gamma = (float)s,
                            .link = (float)link,
                            .link_own = (float)link_own,
                            .skin = (float)skin_of_unit(link, link_own, skin_own),
                            .skin_own = (float)skin_own,
                            .give = (float)give,
                            .glow = (float)fmax(white - give, 0),
                            .crumb = (float)(white * (1 - through) + sqrt(white) * through)};
}

firn_snow_medium firn_snow_medium_make(const firn_medium_block* block, const firn_snow_volume* v,
                                       bool masses_known)
{
    // [kg/m^3] of occupancy 1
    double density = block->density;
    if (masses_known && v->volume > 0) density = (double)v->mass / (double)v->volume;
    double thick = block->density > 0 ? block->extinction * density / block->density : 0;
    thick *= 2 * (double)v->voxel;
    if (!(thick < 1e6)) thick = 1e6;
    firn_snow_medium m = {.g = (float)block->anisotropy};
    for (int c = 0; c < 3; c++)
        m.band[c] = firn_snow_band_make(block->albedo[c], block->anisotropy, thick);
    return m;
}
