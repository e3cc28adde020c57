// SPDX-License-Identifier: MIT
// Rays through columns: slab by slab along the axis on which the ray is faster,
//
//     | slab 0 | slab 1 | slab 2 |
//     |        |      __|--      |      in each the columns that the ray may touch, and of these
//     |     ___|----    |        |      the heights that it may touch
//
// until the next slab begins behind the nearest hit.
#include <math.h>

#include "state/surface/columns.h"

#define ROUNDING 1.001                        // no particle is missed at the edge of a range
#define REACH (ROUNDING * FIRN_HEIGHT_WIDTH)  // [radii]

// A ray, in coordinates where particles are spheres: x and z are divided by their width.
typedef struct ray {
    double o[3], d[3];  // origin and direction
    double dd;          // d . d
} ray;

// Where the ray enters a particle; negative: nowhere. 0: the origin is inside.
static double enter(const ray* r, const firn_column_item* p)
{
    const double q[3] = {r->o[0] - (double)p->x.x / FIRN_HEIGHT_WIDTH, r->o[1] - (double)p->x.y,
                         r->o[2] - (double)p->x.z / FIRN_HEIGHT_WIDTH};
    const double radius = (double)p->radius;
    const double c = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - radius * radius;
    if (c <= 0) return 0;
    const double b = q[0] * r->d[0] + q[1] * r->d[1] + q[2] * r->d[2];
    const double root2 = b * b - r->dd * c;
    if (!(b < 0) || !(root2 >= 0)) return -1;
    return c / (sqrt(root2) - b);  // the smaller root, without cancellation
}

// The parameters where a coordinate of the ray is in [from, to], intersected with [*t0, *t1].
static bool clip(double o, double d, double from, double to, double* t0, double* t1)
{
    if (d == 0) return o >= from && o <= to;
    const double a = (from - o) / d, b = (to - o) / d;
    *t0 = fmax(*t0, fmin(a, b));
    *t1 = fmin(*t1, fmax(a, b));
    return *t0 <= *t1;
}

typedef struct search {
    const firn_columns* c;
    ray scaled;
    double o[3], d[3];
    firn_column_hit hit;
    firn_local item;  // of the hit
} search;

static double least(double o, double d, double t0, double t1)
{
    return fmin(o + d * t0, o + d * t1);
}

static double most(double o, double d, double t0, double t1)
{
    return fmax(o + d * t0, o + d * t1);
}

// Particles of one column that the ray may meet between t0 and t1.
static void search_column(search* s, firn_local column, double t0, double t1)
{
    const firn_columns* c = s->c;
    const double from = least(s->o[1], s->d[1], t0, t1) - ROUNDING * c->largest;
    const double to = most(s->o[1], s->d[1], t0, t1) + ROUNDING * c->largest;
    for (firn_local k = firn_columns_above(c, column, from);
         k < c->begin[column + 1] && (double)c->item[k].x.y <= to; k++) {
        const double t = enter(&s->scaled, &c->item[k]);
        // of two at the same distance the one with the smaller index
        if (t < 0 || t > s->hit.t ||
            (t == s->hit.t && s->item >= 0 && c->item[k].particle > s->hit.particle))
            continue;
        s->hit.t = t;
        s->hit.particle = c->item[k].particle;
        s->item = k;
    }
}

// Columns whose centres lie in slab `k` along the axis on which the ray is faster: particles of the
// slab reach a little beyond it.
static bool search_slab(search* s, int major, firn_local k, double t0, double t1)
{
    const firn_columns* c = s->c;
    const int minor = 2 - major;
    const double corner = major == 0 ? c->x : c->z, reach = REACH * c->largest;
    if (!clip(s->o[major], s->d[major], corner + k * c->width - reach,
              corner + (k + 1) * c->width + reach, &t0, &t1))
        return true;
    if (t0 > s->hit.t) return false;
    firn_local first, last;
    if (!firn_columns_range(c, minor, least(s->o[minor], s->d[minor], t0, t1) - reach,
                            most(s->o[minor], s->d[minor], t0, t1) + reach, &first, &last))
        return true;
    for (firn_local m = first; m <= last; m++)
        search_column(s, major == 0 ? m * c->nx + k : k * c->nx + m, t0, t1);
    return true;
}

static void set_normal(search* s)
{
    if (s->hit.particle < 0) return;
    const firn_column_item* p = &s->c->item[s->item];
    const double at[3] = {(double)p->x.x, (double)p->x.y, (double)p->x.z};
    double n[3], length2 = 0;
    for (int d = 0; d < 3; d++) {
        const double across = d == 1 ? 1 : FIRN_HEIGHT_WIDTH * FIRN_HEIGHT_WIDTH;
        n[d] = s->hit.t > 0 ? (s->o[d] + s->hit.t * s->d[d] - at[d]) / across : -s->d[d];
        length2 += n[d] * n[d];
    }
    const double per_length = length2 > 0 ? 1 / sqrt(length2) : 0;
    s->hit.normal = (firn_vec3){(firn_real)(n[0] * per_length), (firn_real)(n[1] * per_length),
                                (firn_real)(n[2] * per_length)};
}

firn_column_hit firn_columns_ray(const firn_columns* c, const double origin[3],
                                 const double direction[3], double t_max)
{
    search s = {.c = c, .hit = {.t = t_max, .particle = -1}, .item = -1};
    for (int d = 0; d < 3; d++) {
        const double across = d == 1 ? 1 : FIRN_HEIGHT_WIDTH;
        s.o[d] = origin[d];
        s.d[d] = direction[d];
        s.scaled.o[d] = origin[d] / across;
        s.scaled.d[d] = direction[d] / across;
        s.scaled.dd += s.scaled.d[d] * s.scaled.d[d];
    }
    const double reach = REACH * c->largest;
    const double end_x = c->x + c->nx * c->width, end_z = c->z + c->nz * c->width;
    double t0 = 0, t1 = t_max;
    if (c->count == 0 || !clip(s.o[0], s.d[0], c->x - reach, end_x + reach, &t0, &t1) ||
        !clip(s.o[2], s.d[2], c->z - reach, end_z + reach, &t0, &t1) ||
        !clip(s.o[1], s.d[1], c->low - ROUNDING * c->largest, c->high + ROUNDING * c->largest, &t0,
              &t1))
        return s.hit;
    const int major = fabs(s.d[0]) >= fabs(s.d[2]) ? 0 : 2;
    firn_local first, last;
    if (!firn_columns_range(c, major, least(s.o[major], s.d[major], t0, t1) - reach,
                            most(s.o[major], s.d[major], t0, t1) + reach, &first, &last))
        return s.hit;
    const bool up = s.d[major] >= 0;
    for (firn_local k = first; k <= last; k++)
        if (!search_slab(&s, major, up ? k : first + last - k, t0, t1)) break;
    set_normal(&s);
    return s.hit;
}
