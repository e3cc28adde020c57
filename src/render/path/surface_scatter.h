// SPDX-License-Identifier: MIT
// The functions of surface.h, for C and CUDA. BSDFs: Lambert; GGX (Walter et al. 2007) with
// height-correlated shadowing (Heitz 2014) and sampling of visible normals (Heitz 2018, by
// spherical caps: Dupuy and Benyoub 2023).
//
// The coat over a diffuse base has directional albedo E; the base is scaled by
// (1 - E(in)) (1 - E(out)) / (1 - mean E): reciprocal, and a white base conserves energy (Kelemen
// and Szirmay-Kalos 2001).
#pragma once
#include <math.h>

#include "render/ground.h"
#include "render/path/fast_math.h"
#include "render/path/surface.h"
#include "render/pattern.h"

#define FIRN_SURFACE_PI 3.14159265f
#define FIRN_SURFACE_COSINE_MIN 1e-4f  // an interpolated normal may face away from the viewer

// ---- coat ---------------------------------------------------------------------------------------

// Directional albedo E of a rough dielectric coat (GGX): the fraction of light that does not reach
// the base. E = F0 A + B with Schlick's Fresnel; A and B by quadrature over visible normals, raised
// until linear interpolation is nowhere below E (by up to 0.1 at grazing angles, by less than 0.01
// elsewhere), so that coat and base together never reflect more than 1.
#define FIRN_COAT_STEPS 10
// A and B at [roughness 0, 0.1 .. 1][sqrt(cosine) 0, 0.1 .. 1; last: mean over the hemisphere]
// clang-format off
FIRN_FN float firn_coat_a(int i, int j)
{
    static const float a[FIRN_COAT_STEPS + 1][FIRN_COAT_STEPS + 2] = {
  {0.008f, 0.049f, 0.185f, 0.376f, 0.582f, 0.763f, 0.893f, 0.965f, 0.994f, 1.000f, 1.000f, 0.9507f},
  {0.154f, 0.124f, 0.206f, 0.383f, 0.584f, 0.763f, 0.892f, 0.965f, 0.994f, 1.000f, 1.000f, 0.9509f},
  {0.385f, 0.363f, 0.348f, 0.437f, 0.599f, 0.762f, 0.887f, 0.961f, 0.991f, 0.998f, 1.000f, 0.9503f},
  {0.577f, 0.565f, 0.541f, 0.555f, 0.634f, 0.754f, 0.865f, 0.939f, 0.976f, 0.987f, 0.991f, 0.9402f},
  {0.714f, 0.705f, 0.685f, 0.675f, 0.695f, 0.753f, 0.828f, 0.894f, 0.936f, 0.958f, 0.968f, 0.9130f},
  {0.806f, 0.795f, 0.774f, 0.754f, 0.747f, 0.759f, 0.791f, 0.832f, 0.869f, 0.897f, 0.916f, 0.8633f},
  {0.864f, 0.851f, 0.823f, 0.794f, 0.770f, 0.756f, 0.755f, 0.765f, 0.783f, 0.804f, 0.824f, 0.7905f},
  {0.901f, 0.883f, 0.846f, 0.805f, 0.767f, 0.734f, 0.710f, 0.694f, 0.688f, 0.690f, 0.698f, 0.6994f},
  {0.924f, 0.901f, 0.852f, 0.798f, 0.744f, 0.695f, 0.652f, 0.617f, 0.588f, 0.568f, 0.555f, 0.5990f},
  {0.938f, 0.909f, 0.847f, 0.778f, 0.709f, 0.644f, 0.586f, 0.534f, 0.490f, 0.452f, 0.420f, 0.4989f},
  {0.947f, 0.911f, 0.835f, 0.750f, 0.666f, 0.587f, 0.515f, 0.452f, 0.396f, 0.348f, 0.307f, 0.4070f},
    };
    return a[i][j];
}

FIRN_FN float firn_coat_b(int i, int j)
{
    static const float b[FIRN_COAT_STEPS + 1][FIRN_COAT_STEPS + 2] = {
  {0.958f, 1.044f, 0.862f, 0.634f, 0.418f, 0.237f, 0.107f, 0.035f, 0.006f, 0.000f, 0.000f, 0.0496f},
  {0.848f, 0.827f, 0.803f, 0.631f, 0.425f, 0.239f, 0.109f, 0.035f, 0.006f, 0.000f, 0.000f, 0.0497f},
  {0.628f, 0.602f, 0.550f, 0.506f, 0.379f, 0.230f, 0.112f, 0.039f, 0.010f, 0.004f, 0.004f, 0.0492f},
  {0.431f, 0.418f, 0.382f, 0.333f, 0.268f, 0.184f, 0.102f, 0.042f, 0.012f, 0.004f, 0.003f, 0.0409f},
  {0.291f, 0.283f, 0.257f, 0.221f, 0.176f, 0.124f, 0.073f, 0.034f, 0.014f, 0.008f, 0.004f, 0.0316f},
  {0.197f, 0.194f, 0.172f, 0.147f, 0.115f, 0.081f, 0.049f, 0.024f, 0.013f, 0.008f, 0.006f, 0.0231f},
  {0.141f, 0.134f, 0.116f, 0.098f, 0.076f, 0.053f, 0.033f, 0.017f, 0.007f, 0.006f, 0.005f, 0.0156f},
  {0.104f, 0.099f, 0.082f, 0.067f, 0.051f, 0.036f, 0.022f, 0.012f, 0.005f, 0.002f, 0.002f, 0.0098f},
  {0.084f, 0.076f, 0.059f, 0.047f, 0.035f, 0.024f, 0.015f, 0.008f, 0.003f, 0.001f, 0.000f, 0.0062f},
  {0.070f, 0.061f, 0.045f, 0.034f, 0.024f, 0.016f, 0.009f, 0.005f, 0.002f, 0.001f, 0.000f, 0.0041f},
  {0.063f, 0.053f, 0.035f, 0.026f, 0.017f, 0.011f, 0.006f, 0.003f, 0.001f, 0.000f, 0.000f, 0.0028f},
    };
    return b[i][j];
}
// clang-format on

// Interpolates between columns j and j + 1 at `y`, in the row of `roughness`, for F0 = `specular`.
FIRN_FN float firn_coat_between(float roughness, float specular, int j, float y)
{
    const float x = FIRN_COAT_STEPS * (roughness < 0 ? 0.0f : roughness < 1 ? roughness : 1.0f);
    const int i = x < FIRN_COAT_STEPS ? (int)x : FIRN_COAT_STEPS - 1;
    float row[2];
    for (int k = 0; k < 2; k++) {
        const float left = specular * firn_coat_a(i + k, j) + firn_coat_b(i + k, j);
        const float right = specular * firn_coat_a(i + k, j + 1) + firn_coat_b(i + k, j + 1);
        row[k] = (1 - y) * left + y * right;
    }
    const float e = row[0] + (x - (float)i) * (row[1] - row[0]);
    return e < 1 ? e : 1.0f;
}

// E for direction cosine `cosine`.
FIRN_FN float firn_coat_albedo(float roughness, float specular, float cosine)
{
    const float y = FIRN_COAT_STEPS * sqrtf(cosine < 0 ? 0.0f : cosine < 1 ? cosine : 1.0f);
    const int j = y < FIRN_COAT_STEPS ? (int)y : FIRN_COAT_STEPS - 1;
    return firn_coat_between(roughness, specular, j, y - (float)j);
}

// Cosine-weighted mean of E over the hemisphere.
FIRN_FN float firn_coat_mean(float roughness, float specular)
{
    return firn_coat_between(roughness, specular, FIRN_COAT_STEPS, 1);
}

// ---- frame --------------------------------------------------------------------------------------

// Orthonormal basis with the normal as z.
typedef struct firn_frame {
    firn_f3 s, t, n;
} firn_frame;

// Duff et al. 2017
FIRN_FN firn_frame firn_frame_make(firn_vec3 normal)
{
    const firn_f3 n = {(float)normal.x, (float)normal.y, (float)normal.z};
    const float sign = n.z >= 0 ? 1.0f : -1.0f;
    const float a = -1 / (sign + n.z), b = n.x * n.y * a;
    return FIRN_LIT(firn_frame){
        {1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
}

FIRN_FN float firn_f3_dot(firn_f3 a, firn_f3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

FIRN_FN firn_f3 firn_f3_normalized(firn_f3 a)
{
    const float l = sqrtf(firn_f3_dot(a, a));
    if (!(l > 0)) return FIRN_LIT(firn_f3){0, 0, 1};
    return FIRN_LIT(firn_f3){a.x / l, a.y / l, a.z / l};
}

FIRN_FN firn_f3 firn_to_frame(const firn_frame* f, firn_vec3 d)
{
    const firn_f3 v = {(float)d.x, (float)d.y, (float)d.z};
    return FIRN_LIT(firn_f3){firn_f3_dot(f->s, v), firn_f3_dot(f->t, v), firn_f3_dot(f->n, v)};
}

// Outgoing direction in the frame, clamped to lie above the surface.
FIRN_FN firn_f3 firn_from_in_frame(const firn_frame* f, firn_vec3 from)
{
    firn_f3 o = firn_to_frame(f, from);
    if (o.z >= FIRN_SURFACE_COSINE_MIN) return o;
    o.z = FIRN_SURFACE_COSINE_MIN;
    return firn_f3_normalized(o);
}

FIRN_FN firn_vec3 firn_frame_to_world(const firn_frame* f, firn_f3 d)
{
    const firn_vec3 v = firn_v3((firn_real)(f->s.x * d.x + f->t.x * d.y + f->n.x * d.z),
                                (firn_real)(f->s.y * d.x + f->t.y * d.y + f->n.y * d.z),
                                (firn_real)(f->s.z * d.x + f->t.z * d.y + f->n.z * d.z));
    return firn_v3_normalize(v, firn_v3(0, 1, 0));
}

// ---- GGX ----------------------------------------------------------------------------------------

FIRN_FN float firn_ggx_alpha(const firn_surface* s)
{
    const float r = s->roughness < 0.02f ? 0.02f : s->roughness > 1 ? 1.0f : s->roughness;
    return r * r;
}

// GGX distribution of normals h (unit, h.z >= 0). 1 - h.z^2 as a sum of squares is accurate for
// narrow peaks.
FIRN_FN float firn_ggx_distribution(float alpha, firn_f3 h)
{
    const float a2 = alpha * alpha;
    const float s = h.x * h.x + h.y * h.y + a2 * h.z * h.z;
    return a2 / (FIRN_SURFACE_PI * s * s);
}

// The square root in Smith's G1 = 2 c / (c + root).
FIRN_FN float firn_ggx_root(float alpha, float cosine)
{
    const float a2 = alpha * alpha;
    return sqrtf(a2 + (1 - a2) * cosine * cosine);
}

// D G2 / (4 cos_o cos_i) times cos_i, without Fresnel; *out_pdf of i by visible-normal sampling.
FIRN_FN float firn_ggx_value(float alpha, firn_f3 o, firn_f3 i, float* out_pdf, float* out_cosine_h)
{
    const firn_f3 h = firn_f3_normalized(FIRN_LIT(firn_f3){o.x + i.x, o.y + i.y, o.z + i.z});
    const float D = firn_ggx_distribution(alpha, h);
    const float root_o = firn_ggx_root(alpha, o.z), root_i = firn_ggx_root(alpha, i.z);
    *out_pdf = 0.5f * D / (o.z + root_o);
    *out_cosine_h = firn_f3_dot(o, h);
    return 0.5f * D * i.z / (i.z * root_o + o.z * root_i);
}

FIRN_FN firn_f3 firn_ggx_reflect(float alpha, firn_f3 o, firn_rng* r)
{
    const firn_f3 v = firn_f3_normalized(FIRN_LIT(firn_f3){alpha * o.x, alpha * o.y, o.z});
    const float u = firn_rng_unit(r);
    const float z = (1 - u) * (1 + v.z) - v.z;
    const float rho = sqrtf(fmaxf(0, 1 - z * z));
    float sine, cosine;
    firn_sincos_2pi(firn_rng_unit(r), &sine, &cosine);
    const firn_f3 h = firn_f3_normalized(FIRN_LIT(firn_f3){
        alpha * (rho * cosine + v.x), alpha * (rho * sine + v.y), fmaxf(0, z + v.z)});
    const float k = 2 * firn_f3_dot(o, h);
    return FIRN_LIT(firn_f3){k * h.x - o.x, k * h.y - o.y, k * h.z - o.z};
}

// ---- patterns -----------------------------------------------------------------------------------

FIRN_FN_ONCE firn_surface firn_surface_patterned(const firn_surface* s, firn_vec3 x, firn_vec3 n,
                                                 firn_vec3 d, float t)
{
    firn_surface own = *s;
    const float cosine = fabsf((float)firn_v3_dot(n, d));
    const firn_real footprint =
        firn_ground_footprint((firn_real)s->ground_pixel, (firn_real)t, cosine);
    const firn_pattern p = firn_pattern_at(s->pattern, x, n, s->pattern_scale, footprint);
    own.colour = firn_pattern_colour(&p, s->colour);
    own.roughness = fminf(fmaxf(s->roughness * p.roughness, 0.02f), 1);
    return own;
}

FIRN_FN_ONCE float firn_surface_unevenness(const firn_surface* s, firn_vec3 x, firn_vec3 n,
                                           firn_vec3 d, float t)
{
    if (s->pattern != 0) return 0;
    const float cosine = fmaxf(-(float)firn_v3_dot(n, d), 0);
    const firn_real footprint =
        firn_ground_footprint((firn_real)s->ground_pixel, (firn_real)t, cosine);
    return firn_ground_unevenness(firn_v3(x.x, x.z, x.y), true, (firn_real)s->ground, footprint);
}

// ---- materials ----------------------------------------------------------------------------------

FIRN_FN float firn_fifth_power(float x)
{
    return x * x * x * x * x;
}

FIRN_FN float firn_schlick(float f0, float cosine)
{
    return f0 + (1 - f0) * firn_fifth_power(firn_clamp01(1 - cosine));
}

FIRN_FN float firn_coat_transmission(const firn_surface* s, float cosine)
{
    return 1 - firn_coat_albedo(s->roughness, s->specular, cosine);
}

// f of a white base, without the cosine.
FIRN_FN float firn_base_value(const firn_surface* s, float cosine_o, float cosine_i)
{
    const float mean = 1 - firn_coat_mean(s->roughness, s->specular);
    if (!(mean > 1e-3f)) return 0;  // the coat is a mirror
    return firn_coat_transmission(s, cosine_o) * firn_coat_transmission(s, cosine_i) /
           (FIRN_SURFACE_PI * mean);
}

// Probability of sampling the coat rather than the base: by reflectance, but bounded, since neither
// alone samples all directions well.
FIRN_FN float firn_coat_probability(const firn_surface* s, float cosine)
{
    const float base =
        firn_coat_transmission(s, cosine) * fmaxf(s->colour.r, fmaxf(s->colour.g, s->colour.b));
    const float coat = 1 - firn_coat_transmission(s, cosine);
    const float probability = coat + base > 0 ? coat / (coat + base) : 0.5f;
    return fminf(fmaxf(probability, 0.25f), 0.9f);
}

// f cos and pdf in the local frame.
FIRN_FN firn_rgb firn_surface_eval_local(const firn_surface* s, firn_f3 o, firn_f3 i,
                                         float* out_pdf)
{
    *out_pdf = 0;
    if (!(i.z > 0)) return firn_rgb_of(0, 0, 0);
    float coat_pdf = 0, cosine_h = 0;
    switch (s->kind) {
    case FIRN_SURFACE_METAL: {
        const float g = firn_ggx_value(firn_ggx_alpha(s), o, i, out_pdf, &cosine_h);
        return firn_rgb_scale(firn_rgb_of(firn_schlick(s->colour.r, cosine_h),
                                          firn_schlick(s->colour.g, cosine_h),
                                          firn_schlick(s->colour.b, cosine_h)),
                              g);
    }
    case FIRN_SURFACE_ROUGH: {
        const float g = firn_ggx_value(firn_ggx_alpha(s), o, i, &coat_pdf, &cosine_h);
        const float coat = firn_schlick(s->specular, cosine_h) * g;
        const float base = firn_base_value(s, o.z, i.z) * i.z;
        const float probability = firn_coat_probability(s, o.z);
        *out_pdf = probability * coat_pdf + (1 - probability) * i.z / FIRN_SURFACE_PI;
        return firn_rgb_madd(firn_rgb_of(coat, coat, coat), base, s->colour);
    }
    default: *out_pdf = i.z / FIRN_SURFACE_PI; return firn_rgb_scale(s->colour, *out_pdf);
    }
}

FIRN_FN firn_f3 firn_diffuse_direction(firn_rng* r)
{
    const float u = firn_rng_unit(r), radius = sqrtf(u);
    float sine, cosine;
    firn_sincos_2pi(firn_rng_unit(r), &sine, &cosine);
    return FIRN_LIT(firn_f3){radius * cosine, radius * sine, sqrtf(1 - u)};
}

FIRN_FN_ONCE firn_rgb firn_surface_eval(const firn_surface* s, firn_vec3 n, firn_vec3 from,
                                        firn_vec3 to, float* out_pdf)
{
    const firn_frame f = firn_frame_make(n);
    return firn_surface_eval_local(s, firn_from_in_frame(&f, from), firn_to_frame(&f, to), out_pdf);
}

FIRN_FN_ONCE firn_scatter firn_surface_sample(const firn_surface* s, firn_vec3 n, firn_vec3 from,
                                              firn_rng* r)
{
    const firn_frame f = firn_frame_make(n);
    const firn_f3 o = firn_from_in_frame(&f, from);
    const bool samples_coat =
        s->kind == FIRN_SURFACE_METAL ||
        (s->kind == FIRN_SURFACE_ROUGH && firn_rng_unit(r) < firn_coat_probability(s, o.z));
    const firn_f3 i =
        samples_coat ? firn_ggx_reflect(firn_ggx_alpha(s), o, r) : firn_diffuse_direction(r);
    firn_scatter out = {firn_frame_to_world(&f, i), {0, 0, 0}, 0};
    const firn_rgb value = firn_surface_eval_local(s, o, i, &out.pdf);
    if (out.pdf > 0 && out.pdf < INFINITY) out.weight = firn_rgb_scale(value, 1 / out.pdf);
    return out;
}
