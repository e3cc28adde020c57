// SPDX-License-Identifier: MIT
// Procedural surfaces by name, in world coordinates: asphalt, rock, wood, ice, snow. The preview
// and the path tracer draw the same. Features narrower than a pixel fade to their mean.
#pragma once
#include "geometry/collider/look.h"
#include "math/rgb.h"
#include "render/texture.h"

typedef struct firn_pattern {
    firn_rgb factor;  // on the surface's colour; mean 1
    float roughness;  // factor
} firn_pattern;

// ---- noise --------------------------------------------------------------------------------------

// 1 where a feature of this length is resolved, 0 where it is narrower than a pixel.
FIRN_FN float firn_pattern_seen(firn_real footprint, firn_real length)
{
    return firn_clamp01(1.5f - 2.0f * (float)(footprint / length));
}

// Octaves of value noise from `length` [m] down, each half as long: about -1 .. 1, mean 0.
FIRN_FN float firn_pattern_octaves(uint32_t seed, firn_vec3 x, firn_real length, int octaves,
                                   firn_real footprint)
{
    float sum = 0, weight = 0.55f;
    for (int k = 0; k < octaves; k++) {
        const float seen = firn_pattern_seen(footprint, length);
        if (seen <= 0) break;
        const firn_vec3 at = firn_v3_scale(x, 1 / length);
        sum += seen * weight * firn_value_noise3(seed + (uint32_t)k * 0x51ed270bu, at);
        weight *= 0.55f;
        length *= (firn_real)0.5;
        // rotate each octave so that the lattices do not align
        x = firn_v3((firn_real)0.8 * x.x - (firn_real)0.6 * x.y,
                    (firn_real)0.6 * x.x + (firn_real)0.8 * x.y, x.z);
        x = firn_v3(x.x, (firn_real)0.8 * x.y - (firn_real)0.6 * x.z,
                    (firn_real)0.6 * x.y + (firn_real)0.8 * x.z);
    }
    return sum;
}

// Nearest of the points that are scattered one to a cell of the integer lattice (Worley 1996).
typedef struct firn_cells {
    float near, next;  // distances of the nearest point and of the one after it
    float tone;        // of the nearest, uniform in 0 .. 1
} firn_cells;

FIRN_FN firn_cells firn_pattern_cells(uint32_t seed, firn_vec3 at)
{
    const float x = firn_texture_wrap(at.x), y = firn_texture_wrap(at.y),
                z = firn_texture_wrap(at.z);
    const int32_t i = (int32_t)x, j = (int32_t)y, k = (int32_t)z;
    const float f = x - (float)i, g = y - (float)j, h = z - (float)k;
    float near = 9, next = 9;
    uint32_t owner = 0;
    for (int32_t c = 0; c < 27; c++) {
        const int32_t a = c % 3 - 1, b = c / 3 % 3 - 1, d = c / 9 - 1;
        const uint32_t cell = (uint32_t)((i + a) & 4095) + ((uint32_t)((j + b) & 4095) << 12);
        const uint32_t bits = firn_hash32(cell + firn_hash32(seed + (uint32_t)((k + d) & 4095)));
        const float u = (float)a + (float)(bits & 1023u) * (1.0f / 1024) - f;
        const float v = (float)b + (float)(bits >> 10 & 1023u) * (1.0f / 1024) - g;
        const float w = (float)d + (float)(bits >> 20 & 1023u) * (1.0f / 1024) - h;
        const float square = u * u + v * v + w * w;
        if (square < near) {
            next = near;
            near = square;
            owner = bits;
        } else if (square < next) {
            next = square;
        }
    }
    return FIRN_LIT(firn_cells){sqrtf(near), sqrtf(next), firn_hash_unit(owner)};
}

// ---- surfaces -----------------------------------------------------------------------------------

FIRN_FN firn_pattern firn_pattern_grey(float factor, float warm, float roughness)
{
    return FIRN_LIT(firn_pattern){firn_rgb_of(factor * (1 + warm), factor, factor * (1 - warm)),
                                  roughness};
}

// Stones of 14 mm in bitumen, worn and stained over metres.
FIRN_FN firn_pattern firn_pattern_asphalt(firn_vec3 x, firn_real footprint)
{
    const float stains = firn_pattern_octaves(11, x, (firn_real)1.6, 5, footprint);
    const float seen = firn_pattern_seen(footprint, (firn_real)0.014);
    float stone = 1;
    if (seen > 0) {
        const firn_cells c = firn_pattern_cells(12, firn_v3_scale(x, (firn_real)(1 / 0.014)));
        const float edge = firn_clamp01((c.next - c.near) * 5);
        const float light = c.tone > 0.93f ? 2.6f : 0.75f + 0.75f * c.tone;
        stone = 1 + seen * (0.45f + edge * (light - 0.45f) - 0.943f);  // less their mean
    }
    return firn_pattern_grey(stone * (1 + 0.3f * stains), 0.02f, 1 - 0.15f * stains);
}

// Layered and weathered, with cracks every few decimetres.
FIRN_FN firn_pattern firn_pattern_rock(firn_vec3 x, firn_real footprint)
{
    const float rough = firn_pattern_octaves(21, x, (firn_real)0.5, 8, footprint);
    const float warm = firn_pattern_octaves(22, x, (firn_real)1.1, 3, footprint);
    const firn_vec3 bent = firn_v3_madd(x, (firn_real)(0.08f * rough), firn_v3(1, 1, 1));
    const firn_vec3 layer = firn_v3((firn_real)0.3 * bent.x, 3 * bent.y, (firn_real)0.3 * bent.z);
    const float strata = firn_pattern_octaves(23, layer, (firn_real)0.5, 4, 3 * footprint);
    const float seen = firn_pattern_seen(footprint, (firn_real)0.05);
    float crack = 0;
    if (seen > 0) {
        const firn_cells c = firn_pattern_cells(24, firn_v3_scale(bent, (firn_real)2.4));
        crack = seen * (1 - firn_clamp01((c.next - c.near) * 18));
    }
    // 0.932: mean with cracks
    const float whole = 1 + seen * (1 / 0.932f - 1);
    const float tone = fmaxf(1 + 0.75f * rough + 0.25f * strata, 0) * (1 - 0.6f * crack) * whole;
    return firn_pattern_grey(tone, 0.12f * warm, 1 - 0.1f * strata);
}

// Planks 14 cm wide along x; along z on walls that face x.
FIRN_FN firn_pattern firn_pattern_wood(firn_vec3 x, firn_vec3 normal, firn_real footprint)
{
    const firn_vec3 n = firn_v3_abs(normal);
    const bool flat = n.y >= n.x && n.y >= n.z, side = !flat && n.x > n.z;
    const firn_real along = side ? x.z : x.x, across = flat ? x.z : x.y;
    const firn_real width = (firn_real)0.14, place = across / width;
    const float row = floorf((float)place);
    const uint32_t plank = firn_hash32((uint32_t)(int32_t)row + 31u);
    const float tone = 0.8f + 0.4f * firn_hash_unit(plank);
    const firn_vec3 own = firn_v3(along + (firn_real)(plank & 1023u), across, (firn_real)0.5);
    const firn_vec3 slow = firn_v3((firn_real)0.7 * own.x, 6 * own.y, own.z);
    const float bend = firn_pattern_octaves(plank, slow, 1, 3, 6 * footprint);
    float ring = 7 * ((float)place - row) + 2.2f * bend;  // year rings
    ring -= floorf(ring);
    ring = 1 - fabsf(2 * ring - 1);
    const float seen = firn_pattern_seen(footprint, width / 7);
    ring = 0.5f + seen * (ring * ring * (3 - 2 * ring) - 0.5f);
    const firn_vec3 fibres = firn_v3(12 * own.x, 350 * own.y, own.z);
    const float fine =
        firn_pattern_seen(footprint, (firn_real)0.003) * firn_value_noise3(plank + 5u, fibres);
    // the gap is as wide as a pixel at least, and as much paler
    const float pixel = (float)footprint, gap = 0.004f, wide = pixel > gap ? pixel : gap;
    const float from_edge = 0.14f * (0.5f - fabsf((float)place - row - 0.5f));
    const float dark = firn_clamp01(1.5f - 2 * from_edge / wide) * (gap / wide);
    const float factor =
        tone * (0.8f + 0.42f * ring + 0.12f * bend + 0.1f * fine) * (1 - 0.8f * dark);
    return firn_pattern_grey(factor, 0.1f * (1 - ring), 1.15f - 0.3f * ring);
}

// Dark and clear, with white cracks and frost.
FIRN_FN firn_pattern firn_pattern_ice(firn_vec3 x, firn_real footprint)
{
    const float frost = firn_pattern_octaves(41, x, (firn_real)1.3, 7, footprint);
    const firn_vec3 bent = firn_v3_madd(x, (firn_real)(0.1f * frost), firn_v3(1, 1, 1));
    const float seen = firn_pattern_seen(footprint, (firn_real)0.1);
    float crack = 0;
    if (seen > 0) {
        const firn_cells c = firn_pattern_cells(42, firn_v3_scale(bent, (firn_real)1.7));
        const firn_cells d = firn_pattern_cells(43, firn_v3_scale(bent, (firn_real)6.1));
        crack = seen * (1 - firn_clamp01((c.next - c.near) * 28) + 0.4f -
                        0.4f * firn_clamp01((d.next - d.near) * 22));
    }
    const float white = firn_clamp01(0.5f + 0.9f * frost) - 0.5f;
    const float factor = 1 + 0.55f * white + 0.75f * (crack - 0.115f * seen);  // less its mean
    return firn_pattern_grey(factor, -0.05f * (0.5f - white), 1 + 1.2f * white + crack);
}

// Drifts, and grains of millimetres.
FIRN_FN firn_pattern firn_pattern_snow(firn_vec3 x, firn_real footprint)
{
    const float drifts = firn_pattern_octaves(51, x, (firn_real)0.9, 4, footprint);
    const float grains = firn_pattern_octaves(52, x, (firn_real)0.01, 3, footprint);
    return firn_pattern_grey(1 + 0.05f * drifts + 0.08f * grains, 0.01f * drifts, 1);
}

// At x of a surface with this normal. `scale`: 1 is life-size; `footprint` [m]: width of a pixel.
FIRN_FN firn_pattern firn_pattern_at(int32_t kind, firn_vec3 x, firn_vec3 normal, float scale,
                                     firn_real footprint)
{
    const firn_real size = scale > 0 ? 1 / (firn_real)scale : 1;
    x = firn_v3_scale(x, size);
    footprint *= size;
    switch (kind) {
    case FIRN_LOOK_ASPHALT: return firn_pattern_asphalt(x, footprint);
    case FIRN_LOOK_ROCK: return firn_pattern_rock(x, footprint);
    case FIRN_LOOK_WOOD: return firn_pattern_wood(x, normal, footprint);
    case FIRN_LOOK_ICE: return firn_pattern_ice(x, footprint);
    case FIRN_LOOK_SNOW: return firn_pattern_snow(x, footprint);
    default: return firn_pattern_grey(1, 0, 1);
    }
}

// The colour with its pattern: still that of a surface that reflects at most what it gets.
FIRN_FN firn_rgb firn_pattern_colour(const firn_pattern* p, firn_rgb colour)
{
    const firn_rgb c = firn_rgb_mul(p->factor, colour);
    return firn_rgb_of(firn_clamp01(c.r), firn_clamp01(c.g), firn_clamp01(c.b));
}
