// SPDX-License-Identifier: MIT
// How rarely the sun is sampled from each cell, by the optical depth t of the snow between cell and
// sun. An estimate X of a contribution that is computed with probability q and cost C adds the
// variance E[X^2] / q: for a given cost of all, the least comes of q in proportion to sqrt(E[X^2] /
// C) (Bolin and Meyer 1997). Shadow rays of little depth beyond which they end at random have
// E[X^2] of e^-t, so that q falls as e^(-t/2), and k = t / (2 ln 2). An error of t costs time or
// noise, and no bias: groups of 2^3 cells share their k, found at the nodes along one ray.
#include <math.h>

#include "core/threads/team.h"
#include "render/path/medium.h"

// In snow too thin to reach the largest depth: cells that are seen towards the sun.
enum { REACH = 512, AIR_STEP = 4 };
#define DEPTH_PER_LEVEL 1.3862944f  // 2 ln 2

typedef struct sun_args {
    firn_medium* m;
    firn_f3 sun;
} sun_args;

static bool in_window(const firn_medium* m, const int32_t x[3])
{
    for (int a = 0; a < 3; a++)
        if (x[a] < 0 || x[a] > m->size[a] * FIRN_MEDIUM_BLOCK) return false;
    return true;
}

static bool in_air(const firn_medium* m, const int32_t x[3])
{
    int32_t b[3];
    for (int a = 0; a < 3; a++) {
        b[a] = x[a] >> 3;
        if (b[a] >= m->size[a]) return true;
    }
    return m->table[((int64_t)b[2] * m->size[1] + b[1]) * m->size[0] + b[0]] < 0;
}

// Optical depth from node (x, y, z) to the sun, or `enough` if it is more.
static float depth_from(const sun_args* s, int32_t x, int32_t y, int32_t z, float enough)
{
    float depth = 0;
    for (float t = 0.5f; t < REACH && depth < enough;) {
        const int32_t at[3] = {(int32_t)floorf((float)x + t * s->sun.x + 0.5f),
                               (int32_t)floorf((float)y + t * s->sun.y + 0.5f),
                               (int32_t)floorf((float)z + t * s->sun.z + 0.5f)};
        if (!in_window(s->m, at)) break;
        const bool air = in_air(s->m, at);
        if (!air) depth += firn_medium_node(s->m, at[0], at[1], at[2]);
        t += air ? AIR_STEP : 1;
    }
    return depth < enough ? depth : enough;
}

static void set_blocks(const void* self, firn_local begin, firn_local end)
{
    const sun_args* s = self;
    for (firn_local b = begin; b < end; b++) {
        const int32_t* at = s->m->at[b];
        for (int g = 0; g < 64; g++) {
            const int x = 2 * (g & 3), y = 2 * (g >> 2 & 3), z = 2 * (g >> 4);
            const float depth =
                depth_from(s, 8 * at[0] + x + 1, 8 * at[1] + y + 1, 8 * at[2] + z + 1,
                           FIRN_CELL_NEE_SUN_MAX * DEPTH_PER_LEVEL);
            const int k = (int)(depth / DEPTH_PER_LEVEL + 0.5f);
            for (int c = 0; c < 8; c++) {
                uint8_t* flags =
                    &s->m->cells[b][((z + (c >> 2)) * 8 + y + (c >> 1 & 1)) * 8 + x + (c & 1)];
                *flags = (uint8_t)((*flags & FIRN_CELL_NEAR_SURFACE) | k << 1);
            }
        }
    }
}

void firn_medium_set_nee_by_sun(firn_medium* m, firn_f3 sun)
{
    m->rare_by_sun = true;
    const sun_args s = {m, sun};
    firn_share(m->block_count, 4, set_blocks, &s);  // a block: a few microseconds
}
