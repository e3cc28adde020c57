// SPDX-License-Identifier: MIT
#include "render/preview/sky_cones.h"

#define RINGS 4
#define SPOKES 8

// Sample directions of the cone about axis d, on rings of equal area out to 30 degrees: a fifth of
// the cosine-weighted hemisphere; neighbouring cones touch.
static firn_vec3 in_cone(firn_vec3 d, int ring, int spoke)
{
    static const firn_real turn[SPOKES][2] = {{0.92388f, 0.38268f},   {0.38268f, 0.92388f},
                                              {-0.38268f, 0.92388f},  {-0.92388f, 0.38268f},
                                              {-0.92388f, -0.38268f}, {-0.38268f, -0.92388f},
                                              {0.38268f, -0.92388f},  {0.92388f, -0.38268f}};
    const firn_vec3 side = firn_abs(d.y) < 0.9f ? firn_v3(0, 1, 0) : firn_v3(1, 0, 0);
    const firn_vec3 a = firn_v3_normalize(firn_v3_cross(side, d), firn_v3(1, 0, 0));
    const firn_vec3 b = firn_v3_cross(d, a);
    const firn_real in = 1 - 0.13f * ((firn_real)ring + 0.5f) / RINGS;
    const firn_real out = firn_sqrt(1 - in * in);
    const firn_vec3 p = firn_v3_madd(firn_v3_scale(d, in), out * turn[spoke][0], a);
    return firn_v3_madd(p, out * turn[spoke][1], b);
}

firn_sky_cones firn_sky_cones_make(const firn_daylight* day, firn_rgb ground)
{
    firn_sky_cones s = {.sun = day->sun, .direct = day->direct, .ground = ground};
    firn_daylight plain = *day;  // without the glow, which does not depend on the axis height
    plain.direct = firn_rgb_of(0, 0, 0);
    for (int i = 0; i <= FIRN_SKY_CONES; i++) {
        const firn_real axis = 2 * (firn_real)i / FIRN_SKY_CONES - 1;
        const firn_vec3 d = firn_v3(firn_sqrt(firn_max(1 - axis * axis, 0)), axis, 0);
        float above = 0, glow = 0;
        firn_rgb sum = {0, 0, 0};
        for (int k = 0; k < RINGS * SPOKES; k++) {
            const firn_vec3 e = in_cone(d, k / SPOKES, k % SPOKES);
            if (e.y > 0) {
                above += 1;
                sum = firn_rgb_add(sum, firn_daylight_sky(&plain, e));
            }
            float c = firn_clamp01((float)e.y);  // with the sun at the zenith
            c *= c;
            c *= c;
            glow += 0.16f * c * c;
        }
        s.above[i] = above > 0 ? firn_rgb_scale(sum, 1 / above) : day->horizon;
        s.below[i] = 1 - above / (RINGS * SPOKES);
        s.glow[i] = glow / (RINGS * SPOKES);
    }
    return s;
}
