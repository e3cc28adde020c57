// SPDX-License-Identifier: MIT
#include "render/path/glints/facets.h"

#include "math/elementary.h"
#include "math/random.h"
#include "render/path/glints/glints.h"

enum { ROWS = FIRN_FACET_ROWS, COLUMNS = FIRN_FACET_COLUMNS };

#define SEED 0x66616365
#define TWO_PI 6.2831853f

static firn_f3 normal_of(int32_t number)
{
    const uint64_t bits = firn_random_bits(SEED, (uint64_t)number);
    const float z = 2 * (float)(bits >> 40) * (1.0f / 16777216.0f) - 1;
    const float side = sqrtf(firn_f_max(0, 1 - z * z));
    float s, c;
    firn_sincos_2pi((float)(bits & 0xffffff) * (1.0f / 16777216.0f), &s, &c);
    return (firn_f3){side * c, side * s, z};
}

// Azimuth in [0, COLUMNS).
static float column_at(firn_f3 d)
{
    const float share = (float)firn_atan2_double((double)d.y, (double)d.x) / TWO_PI;
    return (share < 0 ? share + 1 : share) * COLUMNS;
}

static int row_of(float z)
{
    const int row = (int)((z + 1) * (0.5f * ROWS));
    return row < 0 ? 0 : row >= ROWS ? ROWS - 1 : row;
}

static int bin_of(firn_f3 d)
{
    const int column = (int)column_at(d);
    return row_of(d.z) * COLUMNS + (column < COLUMNS ? column : COLUMNS - 1);
}

void firn_facets_init(firn_facets* f)
{
    int32_t* begin = f->begin;
    memset(begin, 0, sizeof f->begin);
    for (int32_t k = 0; k < FIRN_FACETS; k++) begin[bin_of(normal_of(k)) + 1]++;
    for (int b = 0; b < ROWS * COLUMNS; b++) begin[b + 1] += begin[b];
    for (int32_t k = 0; k < FIRN_FACETS;
         k++) {  // begin becomes the ends, which are the next begins
        const firn_f3 n = normal_of(k);
        const int32_t to = begin[bin_of(n)]++;
        f->normal[to] = n;
        f->number[to] = k;
    }
    memmove(begin + 1, begin, (ROWS * COLUMNS) * sizeof *begin);
    begin[0] = 0;
}

typedef struct search {
    const firn_facets* f;
    int32_t count;
    firn_f3 half;
    void (*found)(void* self, int32_t number, float lobe);
    void* self;
} search;

static void search_bin(const search* s, int bin)
{
    for (int32_t k = s->f->begin[bin]; k < s->f->begin[bin + 1]; k++) {
        if (s->f->number[k] >= s->count) continue;
        const firn_f3 n = s->f->normal[k];
        const float lobe = firn_glint_lobe(n.x * s->half.x + n.y * s->half.y + n.z * s->half.z);
        if (lobe > 0) s->found(s->self, s->f->number[k], lobe);
    }
}

// Bins that a cone about d (unit) meets.
static void search_cone(const search* s, firn_f3 d)
{
    const float sine = sqrtf(1 - FIRN_GLINT_COSINE * FIRN_GLINT_COSINE);
    const float side = sqrtf(firn_f_max(0, 1 - d.z * d.z));
    const bool pole = side <= 1.01f * sine;
    const float low = pole && d.z < 0 ? -1 : d.z * FIRN_GLINT_COSINE - side * sine,
                high = pole && d.z > 0 ? 1 : d.z * FIRN_GLINT_COSINE + side * sine;
    // sin(half width of the azimuths) = sine / side; an angle is at most pi / 2 of its sine
    const float wide = pole ? COLUMNS : 1.5708f * sine / side * (COLUMNS / TWO_PI);
    const bool all = wide >= COLUMNS / 2 - 1;
    const int middle = (int)column_at(d), reach = all ? COLUMNS / 2 : (int)wide + 1;
    for (int row = row_of(low); row <= row_of(high); row++)
        for (int c = all ? 0 : -reach; c < (all ? COLUMNS : reach + 1); c++)
            search_bin(s, row * COLUMNS + (middle + c + COLUMNS) % COLUMNS);
}

// v turned into the particle's set: a rotation by a random unit quaternion (Shoemake 1992).
static firn_f3 turn(uint64_t id, firn_f3 v)
{
    float u[3], s1, c1, s2, c2;
    for (uint64_t k = 0; k < 3; k++)
        u[k] = (float)firn_random_unit(SEED ^ id << 20, k) * 0.9999999f;
    firn_sincos_2pi(u[1], &s1, &c1);
    firn_sincos_2pi(u[2], &s2, &c2);
    const float a = sqrtf(1 - u[0]), b = sqrtf(u[0]);
    const float x = a * s1, y = a * c1, z = b * s2, w = b * c2;
    // t = 2 q x v; v + w t + q x t
    const firn_f3 t = {2 * (y * v.z - z * v.y), 2 * (z * v.x - x * v.z), 2 * (x * v.y - y * v.x)};
    return (firn_f3){v.x + w * t.x + y * t.z - z * t.y, v.y + w * t.y + z * t.x - x * t.z,
                     v.z + w * t.z + x * t.y - y * t.x};
}

void firn_facets_find(const firn_facets* facets, uint64_t id, int32_t count, firn_f3 half,
                      void (*found)(void* self, int32_t number, float lobe), void* self)
{
    const firn_f3 h = turn(id, half);
    const search s = {facets, count, h, found, self};
    search_cone(&s, h);
    search_cone(&s, (firn_f3){-h.x, -h.y, -h.z});  // facets have two sides
}
