// SPDX-License-Identifier: MIT
// Each flavour of lanes behind the same table: vectors here, one lane where one_lane_kernels.c
// includes this file.
#include "lanes_kernels.h"

#include "math/polar3_lanes.h"
#include "math/spectrum3_lanes.h"
#include "math/svd3_lanes.h"
#include "physics/snow_derivative_lanes.h"
#include "physics/snow_plasticity_lanes.h"
#include "physics/snow_stress.h"
#include "physics/snow_stress_lanes.h"

// Reals `stride` bytes apart, one a lane.
static firn_lanes gather_reals(const firn_real* from, size_t stride)
{
    firn_real all[FIRN_LANES];
    for (size_t l = 0; l < FIRN_LANES; l++)
        memcpy(&all[l], (const char*)from + l * stride, sizeof *all);
    return firn_lanes_load(all);
}

static firn_real lane(firn_lanes x, int l)
{
    firn_real all[FIRN_LANES];
    firn_lanes_store(all, x);
    return all[l];
}

static firn_mat3_lanes gather_apart(const firn_mat3* from, size_t stride)
{
    firn_mat3_lanes r;
    for (int i = 0; i < 9; i++) r.m[i / 3][i % 3] = gather_reals(&from->m[i / 3][i % 3], stride);
    return r;
}

static firn_mat3_lanes gather(const firn_mat3* from)
{
    return gather_apart(from, sizeof *from);
}

static firn_mat3 lane_of(const firn_mat3_lanes* a, int l)
{
    firn_mat3 r;
    for (int i = 0; i < 9; i++) r.m[i / 3][i % 3] = lane(a->m[i / 3][i % 3], l);
    return r;
}

static firn_mat3 lane_of_sym(const firn_sym3_lanes* a, int l)
{
    const firn_real xy = lane(a->xy, l), xz = lane(a->xz, l), yz = lane(a->yz, l);
    return (firn_mat3){
        {{lane(a->xx, l), xy, xz}, {xy, lane(a->yy, l), yz}, {xz, yz, lane(a->zz, l)}}};
}

static void products(int count, const firn_mat3* A, const firn_mat3* B, lanes_products* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_mat3_lanes a = gather(A + k), b = gather(B + k);
        const firn_mat3_lanes ab = firn_m3_lanes_mul(a, b);
        const firn_mat3_lanes abt = firn_m3_lanes_mul_transposed(a, b);
        const firn_mat3_lanes cof = firn_m3_lanes_cofactor(a);
        const firn_sym3_lanes E = firn_m3_lanes_left_strain(a);
        const firn_lanes det = firn_m3_lanes_det(a), dot = firn_m3_lanes_dot(a, b);
        for (int l = 0; l < FIRN_LANES; l++)
            out[k + l] = (lanes_products){lane_of(&ab, l),    lane_of(&abt, l), lane_of(&cof, l),
                                          lane_of_sym(&E, l), lane(det, l),     lane(dot, l)};
    }
}

static void products_scalar(int count, const firn_mat3* A, const firn_mat3* B, lanes_products* out)
{
    for (int k = 0; k < count; k++)
        out[k] =
            (lanes_products){firn_m3_mul(A[k], B[k]),
                             firn_m3_mul_transposed(A[k], B[k]),
                             firn_m3_cofactor(A[k]),
                             firn_m3_sub(firn_m3_mul_transposed(A[k], A[k]), firn_m3_identity()),
                             firn_m3_det(A[k]),
                             firn_m3_dot(A[k], B[k])};
}

static void svd(int count, const firn_mat3* F, firn_svd3* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_mat3_lanes f = gather(F + k);
        const firn_svd3_lanes r = firn_svd3_lanes_of(&f);
        for (int l = 0; l < FIRN_LANES; l++)
            out[k + l] = (firn_svd3){lane_of(&r.U, l),
                                     firn_v3(lane(r.s.x, l), lane(r.s.y, l), lane(r.s.z, l)),
                                     lane_of(&r.V, l)};
    }
}

static void svd_scalar(int count, const firn_mat3* F, firn_svd3* out)
{
    for (int k = 0; k < count; k++) out[k] = firn_svd3_of(F[k]);
}

static void rotation(int count, const firn_mat3* F, firn_mat3* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_mat3_lanes R = firn_polar3_lanes_rotation(gather(F + k));
        for (int l = 0; l < FIRN_LANES; l++) out[k + l] = lane_of(&R, l);
    }
}

static void rotation_scalar(int count, const firn_mat3* F, firn_mat3* out)
{
    for (int k = 0; k < count; k++) out[k] = firn_polar3_rotation(F[k]);
}

static void left_stretch(int count, const firn_mat3* F, firn_mat3* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_mat3_lanes f = gather(F + k);
        const firn_sym3_lanes X = firn_polar3_lanes_left_stretch(f, firn_m3_lanes_det(f)).X;
        for (int l = 0; l < FIRN_LANES; l++) out[k + l] = lane_of_sym(&X, l);
    }
}

static void spectrum(int count, const firn_mat3* A, lanes_spectrum* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_mat3_lanes a = gather(A + k);
        const firn_spectrum3_lanes s = firn_spectrum3_lanes_of(
            (firn_sym3_lanes){a.m[0][0], a.m[0][1], a.m[0][2], a.m[1][1], a.m[1][2], a.m[2][2]},
            FIRN_REAL_EPSILON * (firn_real)0.01);
        for (int l = 0; l < FIRN_LANES; l++)
            out[k + l] = (lanes_spectrum){
                {lane(s.apart, l), lane(s.mean + s.half, l), lane(s.mean - s.half, l)},
                lane_of_sym(&s.P, l),
                lane_of_sym(&s.D, l)};
    }
}

static void exponential(int count, const firn_real* x, firn_real* out)
{
    for (int k = 0; k < count; k += FIRN_LANES)
        firn_lanes_store(out + k, firn_lanes_exp(firn_lanes_load(x + k)));
}

static void hardening(int count, const firn_real* xi, const firn_real* J_P, const firn_real* cap,
                      firn_real* out)
{
    for (int k = 0; k < count; k += FIRN_LANES)
        firn_lanes_store(out + k, firn_snow_hardening_lanes(firn_lanes_load(xi + k),
                                                            firn_lanes_load(J_P + k),
                                                            firn_lanes_load(cap + k)));
}

static void clamp(int count, const lanes_trial* trial, firn_snow_clamped* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_lanes one = firn_lanes_all(1);
        const firn_snow_clamped_lanes c =
            firn_snow_clamp_lanes(gather_apart(&trial[k].F_hat, sizeof *trial),
                                  gather_reals(&trial[k].J_P, sizeof *trial),
                                  one - gather_reals(&trial[k].theta_c, sizeof *trial),
                                  one + gather_reals(&trial[k].theta_s, sizeof *trial));
        const unsigned inverted = firn_mask_bits(c.inverted);
        for (int l = 0; l < FIRN_LANES; l++) {
            memset(&out[k + l], 0,
                   sizeof out[k + l]);  // padding too: results are compared as bytes
            out[k + l].F_E = lane_of(&c.F_E, l);
            out[k + l].J_P = lane(c.J_P, l);
            out[k + l].inverted = (inverted >> l & 1) != 0;
        }
    }
}

static void clamp_scalar(int count, const lanes_trial* t, firn_snow_clamped* out)
{
    for (int k = 0; k < count; k++)
        out[k] = firn_snow_clamp(t[k].F_hat, t[k].J_P, t[k].theta_c, t[k].theta_s);
}

static void respond(int count, const lanes_elastic* of, lanes_response* out)
{
    for (int k = 0; k < count; k += FIRN_LANES) {
        const firn_mat3_lanes F = gather_apart(&of[k].F_E, sizeof *of);
        const firn_mat3_lanes grad_u = gather_apart(&of[k].grad_u, sizeof *of);
        const firn_lame_lanes lame = {gather_reals(&of[k].lame.mu, sizeof *of),
                                      gather_reals(&of[k].lame.lambda, sizeof *of)};
        const firn_snow_stretch_lanes s = firn_snow_stretch_lanes_of(F);
        const firn_sym3_lanes tau = firn_snow_stress_lanes(&s, lame);
        const firn_sym3_lanes from_X = firn_snow_stress_lanes_from(
            &s.X, firn_lanes_all(2) * lame.mu, firn_snow_pressure_lanes(s.J, lame));
        const firn_lanes energy = firn_snow_energy_lanes(&s, lame);
        const firn_snow_linear_lanes linear = firn_snow_linear_lanes_of(&s, lame);
        const firn_mat3_lanes T = firn_snow_linear_lanes_apply(&linear, grad_u);
        for (int l = 0; l < FIRN_LANES; l++)
            out[k + l] = (lanes_response){lane_of_sym(&tau, l), lane_of_sym(&from_X, l),
                                          lane_of(&T, l), lane(energy, l)};
    }
}

static void respond_scalar(int count, const lanes_elastic* of, lanes_response* out)
{
    for (int k = 0; k < count; k++) {
        const firn_mat3 F = of[k].F_E, R = firn_polar3_rotation(F);
        const firn_spin_solve A = firn_snow_spin_solve(firn_polar3_stretch(R, F));
        const firn_mat3 dP =
            firn_snow_stress_derivative(F, R, A, of[k].lame, firn_m3_mul(of[k].grad_u, F));
        const firn_mat3 tau = firn_m3_mul_transposed(firn_snow_stress(F, R, of[k].lame), F);
        out[k] = (lanes_response){tau, tau, firn_m3_mul_transposed(dP, F),
                                  firn_snow_energy(F, R, of[k].lame)};
    }
}

#if defined(FIRN_ONE_LANE) && FIRN_SIMD_LEVEL == 4
#define TABLE one_lane_kernels_level4
#elif defined(FIRN_ONE_LANE) && FIRN_SIMD_LEVEL == 3
#define TABLE one_lane_kernels_level3
#elif defined(FIRN_ONE_LANE)
#define TABLE one_lane_kernels_level1
#elif FIRN_SIMD_LEVEL == 4
#define TABLE lanes_kernels_level4
#elif FIRN_SIMD_LEVEL == 3
#define TABLE lanes_kernels_level3
#else
#define TABLE lanes_kernels_level1
#endif
const lanes_kernels TABLE = {
    FIRN_SIMD_LEVEL, FIRN_LANES,      products,     products_scalar, svd,         svd_scalar,
    rotation,        rotation_scalar, left_stretch, spectrum,        exponential, hardening,
    clamp,           clamp_scalar,    respond,      respond_scalar};
