// SPDX-License-Identifier: MIT
// Ray traversal of the medium: position, current cell, free flight to the next collision.
//
// Flights are sampled by delta tracking (Woodcock et al. 1965) with the largest corner of a cell as
// its majorant, which bounds the trilinear field. Transmittance is estimated by ratio tracking
// (Novak et al. 2014) with Russian roulette. Both skip empty blocks in one step.
#pragma once
#include <float.h>

#include "render/path/medium.h"
#include "render/path/rng.h"

typedef struct firn_walk {
    const firn_medium* m;
    firn_f3 p;  // [cells]
    int32_t cell[3];
    int32_t block;    // -1: air, or outside the window
    bool outside;     // of the window
    uint8_t flags;    // FIRN_CELL_ of the cell
    float majorant;   // [1/cell] of the cell; 0: empty
    float c[8];       // extinction = c0 + c1 u + c2 v + c3 w + c4 uv + c5 uw + c6 vw + c7 uvw
    float flown;      // [cells] distance since the flight began
    float depth;      // optical depth left until the next tentative collision, by majorants
    int64_t lookups;  // tentative collisions so far
} firn_walk;

typedef enum firn_flight {
    FIRN_FLIGHT_COLLIDED,      // at p
    FIRN_FLIGHT_FAR,           // `far` was reached
    FIRN_FLIGHT_NEAR_SURFACE,  // at a cell near a surface, or at air
    FIRN_FLIGHT_OUT            // left the window
} firn_flight;

// Reads the cell: majorant, flags and the coefficients of trilinear interpolation.
FIRN_FN void firn_walk_enter(firn_walk* w)
{
    const firn_medium* m = w->m;
    const int32_t bx = w->cell[0] >> 3, by = w->cell[1] >> 3, bz = w->cell[2] >> 3;
    w->majorant = 0;
    w->block = -1;
    w->flags = 0;
    w->outside =
        bx < 0 || by < 0 || bz < 0 || bx >= m->size[0] || by >= m->size[1] || bz >= m->size[2];
    if (w->outside) return;
    w->block = m->table[((int64_t)bz * m->size[1] + by) * m->size[0] + bx];
    if (w->block < 0) return;
    const firn_medium_corners n =
        firn_medium_corners_at(m, w->block, w->cell[0] & 7, w->cell[1] & 7, w->cell[2] & 7);
    const float a = n.v[0], b = n.v[1], c = n.v[2], d = n.v[3];
    const float e = n.v[4], f = n.v[5], g = n.v[6], h = n.v[7];
    const float low = firn_f_max(firn_f_max(a, b), firn_f_max(c, d)),
                high = firn_f_max(firn_f_max(e, f), firn_f_max(g, h));
    w->majorant = firn_f_max(low, high);
    w->flags = m->cells[w->block][((w->cell[2] & 7) * 8 + (w->cell[1] & 7)) * 8 + (w->cell[0] & 7)];
    w->c[0] = a;
    w->c[1] = b - a;
    w->c[2] = c - a;
    w->c[3] = e - a;
    w->c[4] = (d - c) - (b - a);
    w->c[5] = (f - e) - (b - a);
    w->c[6] = (g - e) - (c - a);
    w->c[7] = ((h - g) - (f - e)) - ((d - c) - (b - a));
}

// Extinction at p [1/cell].
FIRN_FN float firn_walk_extinction(const firn_walk* w)
{
    const float* c = w->c;
    const float u = w->p.x - (float)w->cell[0], v = w->p.y - (float)w->cell[1],
                t = w->p.z - (float)w->cell[2];
    return (c[0] + c[1] * u) + v * (c[2] + c[4] * u) +
           t * ((c[3] + c[5] * u) + v * (c[6] + c[7] * u));
}

// Negative gradient of extinction: towards thinner snow; zero in a uniform cell.
FIRN_FN firn_f3 firn_walk_outward(const firn_walk* w)
{
    const float* c = w->c;
    const float u = w->p.x - (float)w->cell[0], v = w->p.y - (float)w->cell[1],
                t = w->p.z - (float)w->cell[2];
    return FIRN_LIT(firn_f3){-(c[1] + c[4] * v + t * (c[5] + c[7] * v)),
                             -(c[2] + c[4] * u + t * (c[6] + c[7] * u)),
                             -(c[3] + c[5] * u + v * (c[6] + c[7] * u))};
}

// 1/d, finite even for d = 0; its sign gives the exit face.
FIRN_FN float firn_walk_inverse(float d)
{
    return fabsf(d) > 1e-12f ? 1 / d : d < 0 ? -1e12f : 1e12f;
}

// Places the walk at a point, inside or outside the window.
FIRN_FN void firn_walk_put(firn_walk* w, firn_f3 p)
{
    w->p = p;
    // clamp positions far outside so that they fit an integer
    const float x = firn_f_min(firn_f_max(p.x, -1e6f), 1e6f),
                y = firn_f_min(firn_f_max(p.y, -1e6f), 1e6f),
                z = firn_f_min(firn_f_max(p.z, -1e6f), 1e6f);
    w->cell[0] = (int32_t)floorf(x);
    w->cell[1] = (int32_t)floorf(y);
    w->cell[2] = (int32_t)floorf(z);
    w->flown = 0;
    firn_walk_enter(w);
}

// A walk that begins at a point.
FIRN_FN firn_walk firn_walk_begin(const firn_medium* m, firn_f3 p)
{
    firn_walk w;
    memset(&w, 0, sizeof w);
    w.m = m;
    firn_walk_put(&w, p);
    return w;
}

// Advances from outside to where the ray enters the window. False: it misses the window.
FIRN_FN bool firn_walk_to_window(firn_walk* w, firn_f3 d, firn_f3 inverse)
{
    const float p[3] = {w->p.x, w->p.y, w->p.z}, i[3] = {inverse.x, inverse.y, inverse.z};
    float in = 0, out = FLT_MAX;
    int axis = -1;
    for (int a = 0; a < 3; a++) {
        const float end = (float)(w->m->size[a] * FIRN_MEDIUM_BLOCK);
        const float s = -p[a] * i[a], t = (end - p[a]) * i[a];
        const float near = firn_f_min(s, t), far = firn_f_max(s, t);
        if (near > in) {
            in = near;
            axis = a;
        }
        out = firn_f_min(out, far);
    }
    if (!(in < out) || w->m->size[0] == 0) return false;
    float q[3] = {p[0] + in * d.x, p[1] + in * d.y, p[2] + in * d.z};
    for (int a = 0; a < 3; a++) {  // clamp, so that rounding cannot leave it outside
        const int32_t end = w->m->size[a] * FIRN_MEDIUM_BLOCK;
        if (a == axis) q[a] = i[a] > 0 ? 0 : (float)end;
        const int32_t c = (int32_t)floorf(q[a]);
        w->cell[a] = c < 0 ? 0 : c >= end ? end - 1 : c;
    }
    w->p = FIRN_LIT(firn_f3){q[0], q[1], q[2]};
    w->flown += in;
    firn_walk_enter(w);
    return true;
}

// Distance to the exit of the cell (in air: of the block), and the axis of the exit face.
FIRN_FN float firn_walk_exit(const firn_walk* w, firn_f3 inverse, int* out_axis)
{
    const int32_t mask = w->block < 0 ? ~7 : ~0, width = w->block < 0 ? 8 : 1;
    const int32_t x = (w->cell[0] & mask) + (inverse.x > 0 ? width : 0);
    const int32_t y = (w->cell[1] & mask) + (inverse.y > 0 ? width : 0);
    const int32_t z = (w->cell[2] & mask) + (inverse.z > 0 ? width : 0);
    const float sx = ((float)x - w->p.x) * inverse.x, sy = ((float)y - w->p.y) * inverse.y,
                sz = ((float)z - w->p.z) * inverse.z;
    const float s = firn_f_min(sx, firn_f_min(sy, sz));
    *out_axis = s == sx ? 0 : s == sy ? 1 : 2;
    return s > 0 ? s : 0;
}

// The cell of position p within the air of a block, whose cells are low .. low + 7.
FIRN_FN int32_t firn_walk_cell_in_block(int32_t cell, float p)
{
    const int32_t low = cell & ~7, c = (int32_t)floorf(p);
    return c < low ? low : c > low + 7 ? low + 7 : c;
}

// Over a face, upwards or downwards: the next cell, or from air the first of the next block.
FIRN_FN void firn_walk_cross_face(int32_t* cell, float* p, bool up, bool air)
{
    if (air) *cell = up ? *cell | 7 : *cell & ~7;
    *cell += up ? 1 : -1;
    *p = (float)(*cell + (up ? 0 : 1));
}

// Advances by s, as given by firn_walk_exit, into the cell beyond the face of `axis`. No index is
// chosen at run time: a GPU keeps the walk in registers.
FIRN_FN void firn_walk_cross(firn_walk* w, firn_f3 d, firn_f3 inverse, float s, int axis)
{
    const bool air = w->block < 0;
    firn_f3 p = {w->p.x + s * d.x, w->p.y + s * d.y, w->p.z + s * d.z};
    if (air) {
        if (axis != 0) w->cell[0] = firn_walk_cell_in_block(w->cell[0], p.x);
        if (axis != 1) w->cell[1] = firn_walk_cell_in_block(w->cell[1], p.y);
        if (axis != 2) w->cell[2] = firn_walk_cell_in_block(w->cell[2], p.z);
    }
    if (axis == 0)
        firn_walk_cross_face(&w->cell[0], &p.x, inverse.x > 0, air);
    else if (axis == 1)
        firn_walk_cross_face(&w->cell[1], &p.y, inverse.y > 0, air);
    else
        firn_walk_cross_face(&w->cell[2], &p.z, inverse.z > 0, air);
    w->p = p;
    w->flown += s;
    firn_walk_enter(w);
}

// Starts a flight.
FIRN_FN void firn_walk_launch(firn_walk* w, firn_rng* r)
{
    w->flown = 0;
    w->depth = firn_exponential(firn_rng_unit(r));
}

FIRN_FN bool firn_walk_near_surface(const firn_walk* w)
{
    return w->block < 0 || (w->flags & FIRN_CELL_NEAR_SURFACE) != 0;
}

// Delta tracking along d (unit) until one of firn_flight happens. `stop_near_surface`: stop at
// cells near surfaces.
FIRN_FN firn_flight firn_walk_fly(firn_walk* w, firn_f3 d, float far, bool stop_near_surface,
                                  firn_rng* r)
{
    const firn_f3 inverse = {firn_walk_inverse(d.x), firn_walk_inverse(d.y),
                             firn_walk_inverse(d.z)};
    if (w->outside && !firn_walk_to_window(w, d, inverse)) return FIRN_FLIGHT_OUT;
    for (;;) {
        int axis;
        const float s = firn_walk_exit(w, inverse, &axis), through = w->majorant * s;
        if (w->depth < through) {
            const float step = w->depth / w->majorant;
            if (w->flown + step >= far) return FIRN_FLIGHT_FAR;
            w->flown += step;
            w->p = FIRN_LIT(firn_f3){w->p.x + step * d.x, w->p.y + step * d.y, w->p.z + step * d.z};
            const float u = firn_rng_unit(r), next = firn_rng_unit(r);
            w->lookups++;
            if (u * w->majorant < firn_walk_extinction(w)) return FIRN_FLIGHT_COLLIDED;
            w->depth = firn_exponential(next);
            continue;
        }
        w->depth -= through;
        if (w->flown + s >= far) return FIRN_FLIGHT_FAR;
        firn_walk_cross(w, d, inverse, s, axis);
        if (w->outside) return FIRN_FLIGHT_OUT;
        if (stop_near_surface && firn_walk_near_surface(w)) return FIRN_FLIGHT_NEAR_SURFACE;
    }
}

// Optical depth from p over `far` [cells] along d, or at least `enough`. Without random numbers:
// along a ray in a cell extinction is a cubic, which Gauss's rule of two points integrates exactly.
FIRN_FN float firn_walk_depth(firn_walk w, firn_f3 d, float far, float enough)
{
    const firn_f3 inverse = {firn_walk_inverse(d.x), firn_walk_inverse(d.y),
                             firn_walk_inverse(d.z)};
    float depth = 0;
    w.flown = 0;
    if (w.outside && !firn_walk_to_window(&w, d, inverse)) return 0;
    while (!w.outside && w.flown < far && depth < enough) {
        int axis;
        const float s = firn_walk_exit(&w, inverse, &axis);
        if (w.majorant > 0) {
            const float way = firn_f_min(s, far - w.flown);
            firn_walk near = w, more = w;
            const float a = 0.21132487f * way, b = 0.78867513f * way;
            near.p = FIRN_LIT(firn_f3){w.p.x + a * d.x, w.p.y + a * d.y, w.p.z + a * d.z};
            more.p = FIRN_LIT(firn_f3){w.p.x + b * d.x, w.p.y + b * d.y, w.p.z + b * d.z};
            depth += 0.5f * way * (firn_walk_extinction(&near) + firn_walk_extinction(&more));
        }
        firn_walk_cross(&w, d, inverse, s, axis);
    }
    return depth;
}

// Unbiased estimate of the transmittance from p to distance `far` [cells] along d, by ratio
// tracking.
FIRN_FN float firn_walk_transmittance(firn_walk w, firn_f3 d, float far, firn_rng* r,
                                      int64_t* lookups)
{
    const firn_f3 inverse = {firn_walk_inverse(d.x), firn_walk_inverse(d.y),
                             firn_walk_inverse(d.z)};
    float transmittance = 1;
    w.flown = 0;
    if (w.outside && !firn_walk_to_window(&w, d, inverse)) return transmittance;
    w.depth = firn_exponential(firn_rng_unit(r));
    for (;;) {
        int axis;
        const float s = firn_walk_exit(&w, inverse, &axis), through = w.majorant * s;
        if (w.depth < through) {
            const float step = w.depth / w.majorant;
            if (w.flown + step >= far) return transmittance;
            w.flown += step;
            w.p = FIRN_LIT(firn_f3){w.p.x + step * d.x, w.p.y + step * d.y, w.p.z + step * d.z};
            const float u = firn_rng_unit(r), next = firn_rng_unit(r);
            ++*lookups;
            transmittance *= firn_f_max(0, 1 - firn_walk_extinction(&w) / w.majorant);
            if (transmittance <
                0.5f) {  // Russian roulette: most shadow rays end soon in dense snow
                if (u * 0.5f >= transmittance) return 0;
                transmittance = 0.5f;
            }
            w.depth = firn_exponential(next);
            continue;
        }
        w.depth -= through;
        if (w.flown + s >= far) return transmittance;
        firn_walk_cross(&w, d, inverse, s, axis);
        if (w.outside) return transmittance;
    }
}
