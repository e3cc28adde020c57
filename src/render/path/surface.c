// SPDX-License-Identifier: MIT
// Surfaces that answer light: Lambert; GGX (Walter et al. 2007) with height-correlated shadowing
// (Heitz 2014) whose normals are chosen among those that are seen (Heitz 2018; by a cap of the
// sphere, Dupuy and Benyoub 2023).
//
// The coat over a diffuse base reflects E of the light (coat.h); of the rest the base gets
// (1 - E(in)) (1 - E(out)) / (1 - mean E): the same both ways, and a white base gives all of it
// back (Kelemen and Szirmay-Kalos 2001).
#include "render/path/surface.h"

#include <math.h>

#include "render/path/coat.h"
#include "render/path/fast_math.h"

#define PI 3.14159265f
#define COSINE_MIN 1e-4f  // a normal that was smoothed over may turn away from where it is seen

// Directions with the normal as z.
typedef struct frame {
    firn_f3 s, t, n;
} frame;

// Duff et al. 2017
static frame make_frame(firn_vec3 normal)
{
    const firn_f3 n = {(float)normal.x, (float)normal.y, (float)normal.z};
    const float sign = n.z >= 0 ? 1.0f : -1.0f;
    const float a = -1 / (sign + n.z), b = n.x * n.y * a;
    return (frame){
        {1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}, n};
}

static float dot(firn_f3 a, firn_f3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static firn_f3 scaled_to_unit(firn_f3 a)
{
    const float l = sqrtf(dot(a, a));
    if (!(l > 0)) return (firn_f3){0, 0, 1};
    return (firn_f3){a.x / l, a.y / l, a.z / l};
}

static firn_f3 to_frame(const frame* f, firn_vec3 d)
{
    const firn_f3 v = {(float)d.x, (float)d.y, (float)d.z};
    return (firn_f3){dot(f->s, v), dot(f->t, v), dot(f->n, v)};
}

// Where light leaves to: always above the surface.
static firn_f3 from_in_frame(const frame* f, firn_vec3 from)
{
    firn_f3 o = to_frame(f, from);
    if (o.z >= COSINE_MIN) return o;
    o.z = COSINE_MIN;
    return scaled_to_unit(o);
}

static firn_vec3 to_world(const frame* f, firn_f3 d)
{
    const firn_vec3 v = firn_v3((firn_real)(f->s.x * d.x + f->t.x * d.y + f->n.x * d.z),
                                (firn_real)(f->s.y * d.x + f->t.y * d.y + f->n.y * d.z),
                                (firn_real)(f->s.z * d.x + f->t.z * d.y + f->n.z * d.z));
    return firn_v3_normalize(v, firn_v3(0, 1, 0));
}

// ---- GGX ----------------------------------------------------------------------------------------

static float width_of(const firn_surface* s)
{
    const float r = s->roughness < 0.02f ? 0.02f : s->roughness > 1 ? 1.0f : s->roughness;
    return r * r;
}

// Density of normals h (unit, h.z >= 0). 1 - h.z^2 as a sum of squares: exact for narrow peaks too.
static float ggx_normals(float alpha, firn_f3 h)
{
    const float a2 = alpha * alpha;
    const float s = h.x * h.x + h.y * h.y + a2 * h.z * h.z;
    return a2 / (PI * s * s);
}

// The root in Smith's shadowing: G1 = 2 c / (c + root)
static float ggx_root(float alpha, float cosine)
{
    const float a2 = alpha * alpha;
    return sqrtf(a2 + (1 - a2) * cosine * cosine);
}

// D G2 / (4 cos_o cos_i) times cos_i, without Fresnel; *out_pdf of choosing i by seen normals.
static float ggx_value(float alpha, firn_f3 o, firn_f3 i, float* out_pdf, float* out_cosine_h)
{
    const firn_f3 h = scaled_to_unit((firn_f3){o.x + i.x, o.y + i.y, o.z + i.z});
    const float D = ggx_normals(alpha, h);
    const float root_o = ggx_root(alpha, o.z), root_i = ggx_root(alpha, i.z);
    *out_pdf = 0.5f * D / (o.z + root_o);
    *out_cosine_h = dot(o, h);
    return 0.5f * D * i.z / (i.z * root_o + o.z * root_i);
}

static firn_f3 ggx_reflect(float alpha, firn_f3 o, firn_rng* r)
{
    const firn_f3 v = scaled_to_unit((firn_f3){alpha * o.x, alpha * o.y, o.z});
    const float u = firn_rng_unit(r);
    const float z = (1 - u) * (1 + v.z) - v.z;
    const float rho = sqrtf(fmaxf(0, 1 - z * z));
    float sine, cosine;
    firn_turn_sincos(firn_rng_unit(r), &sine, &cosine);
    const firn_f3 h = scaled_to_unit(
        (firn_f3){alpha * (rho * cosine + v.x), alpha * (rho * sine + v.y), fmaxf(0, z + v.z)});
    const float k = 2 * dot(o, h);
    return (firn_f3){k * h.x - o.x, k * h.y - o.y, k * h.z - o.z};
}

// ---- kinds --------------------------------------------------------------------------------------

static float fifth_power(float x)
{
    return x * x * x * x * x;
}

static float schlick(float f0, float cosine)
{
    return f0 + (1 - f0) * fifth_power(firn_clamp01(1 - cosine));
}

static float let_in(const firn_surface* s, float cosine)
{
    return 1 - firn_coat_albedo(s->roughness, s->specular, cosine);
}

// f of a white base, without its cosine.
static float base_value(const firn_surface* s, float cosine_o, float cosine_i)
{
    const float mean = 1 - firn_coat_mean(s->roughness, s->specular);
    if (!(mean > 1e-3f)) return 0;  // a mirror: nothing comes through
    return let_in(s, cosine_o) * let_in(s, cosine_i) / (PI * mean);
}

// How often a direction is chosen by the coat rather than by the base: by what they reflect, but
// either at times, since the other alone cannot give all directions well.
static float coat_chance(const firn_surface* s, float cosine)
{
    const float base = let_in(s, cosine) * fmaxf(s->colour.r, fmaxf(s->colour.g, s->colour.b));
    const float coat = 1 - let_in(s, cosine);
    const float chance = coat + base > 0 ? coat / (coat + base) : 0.5f;
    return fminf(fmaxf(chance, 0.25f), 0.9f);
}

// f cos and pdf with the normal as z.
static firn_rgb value_of(const firn_surface* s, firn_f3 o, firn_f3 i, float* out_pdf)
{
    *out_pdf = 0;
    if (!(i.z > 0)) return firn_rgb_of(0, 0, 0);
    float coat_pdf = 0, cosine_h = 0;
    switch (s->kind) {
    case FIRN_SURFACE_METAL: {
        const float g = ggx_value(width_of(s), o, i, out_pdf, &cosine_h);
        return firn_rgb_scale(firn_rgb_of(schlick(s->colour.r, cosine_h),
                                          schlick(s->colour.g, cosine_h),
                                          schlick(s->colour.b, cosine_h)),
                              g);
    }
    case FIRN_SURFACE_ROUGH: {
        const float g = ggx_value(width_of(s), o, i, &coat_pdf, &cosine_h);
        const float coat = schlick(s->specular, cosine_h) * g;
        const float base = base_value(s, o.z, i.z) * i.z;
        const float chance = coat_chance(s, o.z);
        *out_pdf = chance * coat_pdf + (1 - chance) * i.z / PI;
        return firn_rgb_madd(firn_rgb_of(coat, coat, coat), base, s->colour);
    }
    default: *out_pdf = i.z / PI; return firn_rgb_scale(s->colour, *out_pdf);
    }
}

static firn_f3 diffuse_direction(firn_rng* r)
{
    const float u = firn_rng_unit(r), radius = sqrtf(u);
    float sine, cosine;
    firn_turn_sincos(firn_rng_unit(r), &sine, &cosine);
    return (firn_f3){radius * cosine, radius * sine, sqrtf(1 - u)};
}

firn_rgb firn_surface_eval(const firn_surface* s, firn_vec3 n, firn_vec3 from, firn_vec3 to,
                           float* out_pdf)
{
    const frame f = make_frame(n);
    return value_of(s, from_in_frame(&f, from), to_frame(&f, to), out_pdf);
}

firn_scatter firn_surface_sample(const firn_surface* s, firn_vec3 n, firn_vec3 from, firn_rng* r)
{
    const frame f = make_frame(n);
    const firn_f3 o = from_in_frame(&f, from);
    const bool by_coat = s->kind == FIRN_SURFACE_METAL ||
                         (s->kind == FIRN_SURFACE_ROUGH && firn_rng_unit(r) < coat_chance(s, o.z));
    const firn_f3 i = by_coat ? ggx_reflect(width_of(s), o, r) : diffuse_direction(r);
    firn_scatter out = {.to = to_world(&f, i)};
    const firn_rgb value = value_of(s, o, i, &out.pdf);
    if (out.pdf > 0 && out.pdf < INFINITY) out.weight = firn_rgb_scale(value, 1 / out.pdf);
    return out;
}
