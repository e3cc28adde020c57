// SPDX-License-Identifier: MIT
// Cohesive Cam-Clay: a second plasticity, for weak layers and slabs. Gaume, Gast, Teran, van
// Herwijnen, Jiang 2018, "Dynamic anticrack propagation in snow". theory/mpm.md has the derivation,
// what is verified and what is assumed. For C and CUDA; plain and fast loops call the same
// function.
//
// Snow yields on an ellipse of pressure p and von Mises stress q:
//     y(p, q) = (1 + 2 beta) q^2 + M^2 (p + beta p_0) (p - p_0) = 0
// M friction, beta cohesion: beta p_0 is the strength in isotropic tension, p_0 in isotropic
// compression. It hardens and softens with alpha, the plastic volumetric strain:
//     p_0 = K sinh(xi max(-alpha, 0)),   K = lambda + 2/3 mu
// Plastic flow is associated. The return mapping works on principal Hencky strains, for which
//     p = -K tr eps,   q = sqrt(6) mu |dev eps|
// and everything below is divided by K: no stiffness enters, only mu/K. The loops then compute the
// stress by physics/snow_stress.h, which differs from Hencky's by 3/2 of the elastic strain: 0.2 %
// for snow that yields at a strain of 1e-3.
#pragma once
#include "math/elementary.h"
#include "math/svd3.h"
#include "physics/snow_material.h"

// The constants in the form of the return mapping.
typedef struct firn_cam_clay_law {
    firn_real friction;  // M [-]; 0: the material has the law of Stomakhin et al. 2013
    firn_real cohesion;  // beta [-]
    firn_real xi;        // hardening [-]
    firn_real collapse;  // [-] as in firn_cam_clay
    firn_real shear;     // mu / K [-]
    firn_real alpha_0;   // alpha of snow at rest [-], negative
} firn_cam_clay_law;

typedef struct firn_cam_clay_returned {
    firn_mat3 F_E;
    firn_real J_P;    // det F_P
    firn_real alpha;  // hardening variable
    bool inverted;    // det of the trial <= 0 or not finite: the step must be rejected
} firn_cam_clay_returned;

// asinh x for x >= 0
FIRN_FN double firn_cam_clay_asinh(double x)
{
    return firn_log_double(x + sqrt(x * x + 1));
}

FIRN_FN firn_cam_clay_law firn_cam_clay_law_of(const firn_snow_material* s)
{
    const firn_lame lame = firn_snow_lame(s->young, s->poisson);
    const firn_real K = lame.lambda + 2 * lame.mu / 3;
    const firn_cam_clay* c = &s->cam_clay;
    firn_cam_clay_law law = {c->friction, c->cohesion, c->hardening, c->collapse, lame.mu / K, 0};
    if (c->friction > 0)
        law.alpha_0 = (firn_real)(-firn_cam_clay_asinh((double)(c->consolidation / K)) /
                                  (double)c->hardening);
    return law;
}

// Snow whose bonds broke as its pores collapsed: grains without cohesion.
FIRN_FN bool firn_cam_clay_is_broken(const firn_cam_clay_law* law, firn_real alpha)
{
    return law->collapse > 0 && !(alpha < 0);
}

// p_0 / K. Broken snow resists compression again once its pores are closed: when its volume has
// shrunk by exp(-collapse).
FIRN_FN double firn_cam_clay_cap(const firn_cam_clay_law* law, firn_real alpha, firn_real J_P)
{
    const double packing = firn_cam_clay_is_broken(law, alpha)
                               ? -firn_log_double((double)J_P) - (double)law->collapse
                               : -(double)alpha;
    if (!(packing > 0)) return 0;
    const double e = firn_exp_double(fmin((double)law->xi * packing, 20.0));  // 20: no overflow
    return 0.5 * (e - 1 / e);
}

// alpha after a plastic volumetric strain: opening softens, compaction hardens. A porous weak layer
// softens by both until its bonds are broken.
FIRN_FN double firn_cam_clay_soften(const firn_cam_clay_law* law, double alpha, double strain)
{
    if (!(law->collapse > 0)) return alpha + strain;
    return alpha < 0 ? alpha + fabs(strain) : alpha;
}

// The ellipse N(P, Q) = A Q^2 + M^2 (P - center)^2 = radius^2, all divided by K.
typedef struct firn_cam_clay_ellipse {
    double A;               // 1 + 2 beta
    double M2;              // M^2
    double center, radius;  // radius: M times the half axis
} firn_cam_clay_ellipse;

FIRN_FN firn_cam_clay_ellipse firn_cam_clay_ellipse_of(const firn_cam_clay_law* law, double cap,
                                                       bool broken)
{
    const double beta = broken ? 0 : (double)law->cohesion, M = (double)law->friction;
    return FIRN_LIT(firn_cam_clay_ellipse){1 + 2 * beta, M * M, 0.5 * (1 - beta) * cap,
                                           0.5 * M * (1 + beta) * cap};
}

// The factors by which flow along the gradient of y brings (P - center) and Q onto the ellipse:
//     P - center = (P_t - center) / (1 + 2 M^2 g),   Q = Q_t / (1 + 6 mu/K A g)
// with N(g) = radius^2. 1/sqrt(N) is nearly linear in g and concave, so that Newton's iteration on
// it converges from g = 0 without overshooting, in about five iterations.
FIRN_FN void firn_cam_clay_project(const firn_cam_clay_ellipse* e, double shear, double offset,
                                   double Q, double* out_volume, double* out_shear)
{
    const double a = 2 * e->M2, b = 6 * shear * e->A;
    double g = 0, fa = 1, fb = 1;
    for (int k = 0; k < 40; k++) {
        fa = 1 / (1 + a * g);
        fb = 1 / (1 + b * g);
        const double v = e->M2 * offset * offset * fa * fa, s = e->A * Q * Q * fb * fb;
        const double root = sqrt(v + s), beyond = root / e->radius - 1;
        if (!(beyond > 1e-14)) break;
        g += (v + s) / (a * fa * v + b * fb * s) * beyond;
    }
    *out_volume = fa;
    *out_shear = fb;
}

// The return mapping of a trial beyond the ellipse.
FIRN_FN_APART firn_cam_clay_returned firn_cam_clay_flow(firn_mat3 F_hat, firn_real J_P,
                                                        firn_real alpha,
                                                        const firn_cam_clay_law* law)
{
    const firn_svd3 svd = firn_svd3_of(F_hat);
    if (!(svd.s.z > FIRN_REAL_TINY))
        return FIRN_LIT(firn_cam_clay_returned){F_hat, J_P, alpha, true};
    double eps[3] = {firn_log_double((double)svd.s.x), firn_log_double((double)svd.s.y),
                     firn_log_double((double)svd.s.z)};
    const double trace = eps[0] + eps[1] + eps[2];
    for (int k = 0; k < 3; k++) eps[k] -= trace / 3;
    const double dev = sqrt(eps[0] * eps[0] + eps[1] * eps[1] + eps[2] * eps[2]);
    const double Q = sqrt(6.0) * (double)law->shear * dev;
    const bool broken = firn_cam_clay_is_broken(law, alpha);
    const firn_cam_clay_ellipse e =
        firn_cam_clay_ellipse_of(law, firn_cam_clay_cap(law, alpha, J_P), broken);
    const double offset = -trace - e.center;
    if (e.A * Q * Q + e.M2 * offset * offset <= e.radius * e.radius)
        return FIRN_LIT(firn_cam_clay_returned){F_hat, J_P, alpha, false};
    double volume = 0, shear = 0;  // without strength: no stress at all
    if (e.radius > 1e-12) firn_cam_clay_project(&e, (double)law->shear, offset, Q, &volume, &shear);
    const double new_trace = -(e.center + volume * offset);
    firn_real s[3];
    for (int k = 0; k < 3; k++) s[k] = (firn_real)firn_exp_double(shear * eps[k] + new_trace / 3);
    const firn_mat3 F_E =
        firn_m3_mul_transposed(firn_m3_mul(svd.U, firn_m3_diagonal(s[0], s[1], s[2])), svd.V);
    const double strain = trace - new_trace;
    return FIRN_LIT(firn_cam_clay_returned){
        F_E, (firn_real)((double)J_P * firn_exp_double(strain)),
        (firn_real)firn_cam_clay_soften(law, (double)alpha, strain), false};
}

// True when the trial is inside the ellipse by bounds that need no singular values: with
// E = F^T F - I, eps = E/2 up to 0.3 |E|^2 for |E| <= 0.1.
FIRN_FN bool firn_cam_clay_surely_elastic(firn_mat3 F, firn_real det, firn_real J_P,
                                          firn_real alpha, const firn_cam_clay_law* law)
{
    firn_mat3 E = firn_m3_transposed_mul(F, F);
    for (int k = 0; k < 3; k++) E.m[k][k] -= 1;
    const double size2 = (double)firn_m3_dot(E, E);
    if (!(size2 <= 0.01)) return false;
    const double mean = (double)(E.m[0][0] + E.m[1][1] + E.m[2][2]) / 3;
    const double dev = 0.5 * sqrt(fmax(size2 - 3 * mean * mean, 0.0)) + 0.3 * size2;
    const double Q = sqrt(6.0) * (double)law->shear * dev;
    const firn_cam_clay_ellipse e = firn_cam_clay_ellipse_of(
        law, firn_cam_clay_cap(law, alpha, J_P), firn_cam_clay_is_broken(law, alpha));
    const double offset = -firn_log_double((double)det) - e.center;
    return e.A * Q * Q + e.M2 * offset * offset <= e.radius * e.radius;
}

// F_hat: the elastic trial; J_P and alpha before the step. p_0 is that of the step's beginning.
FIRN_FN firn_cam_clay_returned firn_cam_clay_return(firn_mat3 F_hat, firn_real J_P, firn_real alpha,
                                                    const firn_cam_clay_law* law)
{
    const firn_real det = firn_m3_det(F_hat);
    if (!(det > FIRN_REAL_TINY) || !firn_m3_is_finite(F_hat) || !(J_P > 0) ||
        !firn_is_finite(J_P) || !firn_is_finite(alpha))
        return FIRN_LIT(firn_cam_clay_returned){F_hat, J_P, alpha, true};
    if (firn_cam_clay_surely_elastic(F_hat, det, J_P, alpha, law))
        return FIRN_LIT(firn_cam_clay_returned){F_hat, J_P, alpha, false};
    return firn_cam_clay_flow(F_hat, J_P, alpha, law);
}
