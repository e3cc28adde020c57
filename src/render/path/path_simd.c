// SPDX-License-Identifier: MIT
// Eight paths at a time, one per lane of a vector. Flights and turns in the snow, which are nearly
// all of the work, go in step; surfaces, air, the first thing seen and lights other than the sun
// are left to the functions of the plain loop, lane by lane (path_lanes.h). A lane whose path has
// ended takes the next one. The same numbers in the same order as path.c: same bits.
#include "render/path/path_lanes.h"

// ---- functions of the plain loop, for eight numbers ---------------------------------------------

// The next number of the lanes in `mask`; the others keep their place.
static inline firn_f8 draw(swarm* s, firn_i8 mask)
{
    firn_u8 a = s->rng[0], b = s->rng[1], c = s->rng[2], d = s->rng[3];
    const firn_u8 result = (a + d) >> 8, t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = d << 11 | d >> 21;
    s->rng[0] = (firn_u8)firn_i8_select(mask, (firn_i8)a, (firn_i8)s->rng[0]);
    s->rng[1] = (firn_u8)firn_i8_select(mask, (firn_i8)b, (firn_i8)s->rng[1]);
    s->rng[2] = (firn_u8)firn_i8_select(mask, (firn_i8)c, (firn_i8)s->rng[2]);
    s->rng[3] = (firn_u8)firn_i8_select(mask, (firn_i8)d, (firn_i8)s->rng[3]);
    return firn_f8_of((firn_i8)result) * firn_f8_all(1.0f / 16777216.0f);
}

static inline firn_f8 exponential(firn_f8 u)
{
    const firn_f8 y = 1 - u;
    firn_u8 bits = (firn_u8)y;
    const firn_i8 k = (firn_i8)((bits - 0x3f3504f3u) & 0xff800000u) >> 23;
    bits -= (firn_u8)k << 23;
    const firn_f8 m = (firn_f8)bits;
    const firn_f8 s = (m - 1) / (m + 1), z = s * s;
    const firn_f8 p =
        s * (2 + z * (0.66666667f + z * (0.4f + z * (0.28571429f + z * 0.22222222f))));
    return -(firn_f8_of(k) * 0.69314718f + p);
}

static inline void turn_sincos(firn_f8 u, firn_f8* out_sin, firn_f8* out_cos)
{
    const firn_i8 quarter = __builtin_convertvector(4 * u + 0.5f, firn_i8);
    const firn_f8 r = (u - 0.25f * firn_f8_of(quarter)) * 6.28318531f, z = r * r;
    const firn_f8 s =
        r * (1 + z * (-0.16666667f + z * (8.3333333e-3f + z * (-1.984127e-4f + z * 2.7e-6f))));
    const firn_f8 c = 1 + z * (-0.5f + z * (4.1666667e-2f + z * (-1.3888889e-3f + z * 2.46e-5f)));
    const firn_i8 swap = (quarter & 1) != 0, down = (quarter & 2) != 0,
                  left = ((quarter + 1) & 2) != 0;
    const firn_f8 a = firn_f8_select(swap, c, s), b = firn_f8_select(swap, s, c);
    *out_sin = firn_f8_select(down, -a, a);
    *out_cos = firn_f8_select(left, -b, b);
}

static inline firn_f8 phase_value(float g, firn_f8 cosine)
{
    const firn_f8 s = (1 + g * g) - 2 * g * cosine;
    return (1 - g * g) * 0.0795774715f / (s * firn_f8_sqrt(s));
}

static inline firn_f8 phase_cosine(float g, firn_f8 u)
{
    if (fabsf(g) < 1e-3f) return 1 - 2 * u;
    const firn_f8 s = (1 - g * g) / (1 - g + 2 * g * u);
    const firn_f8 cosine = (1 + g * g - s * s) / (2 * g);
    return firn_f8_select(cosine > 1, firn_f8_all(1),
                          firn_f8_select(cosine < -1, firn_f8_all(-1), cosine));
}

static inline firn_f8 inverse(firn_f8 d)
{
    const firn_f8 size = firn_f8_select(d < 0, -d, d);
    const firn_f8 steep = firn_f8_select(d < 0, firn_f8_all(-1e12f), firn_f8_all(1e12f));
    return firn_f8_select(size > 1e-12f, 1 / d, steep);
}

static inline firn_f8 extinction(const swarm* s)
{
    const firn_f8* c = s->here.c;
    const firn_f8 u = s->here.p[0] - firn_f8_of(s->here.cell[0]),
                  v = s->here.p[1] - firn_f8_of(s->here.cell[1]),
                  t = s->here.p[2] - firn_f8_of(s->here.cell[2]);
    return (c[0] + c[1] * u) + v * (c[2] + c[4] * u) +
           t * ((c[3] + c[5] * u) + v * (c[6] + c[7] * u));
}

// ---- flights ------------------------------------------------------------------------------------

// What the lanes have come to after a step; one bit per lane.
typedef struct step_masks {
    unsigned tried, collided, far, crossed, dark;
} step_masks;

// A tentative collision in the lanes of `mask`: real ones and swallowed shadow rays are told.
static inline void collide(swarm* s, firn_i8 mask, step_masks* out)
{
    const firn_f8 u = draw(s, mask), next = draw(s, mask), sigma = extinction(s);
    const firn_i8 flights = mask & ~s->shadows, shadows = mask & s->shadows;
    const firn_i8 real = flights & (u * s->here.majorant < sigma);
    firn_f8 share = s->share * firn_f8_max(firn_f8_all(0), 1 - sigma / s->here.majorant);
    const firn_i8 weak = shadows & (share < firn_f8_all(0.5f));
    const firn_i8 dark = weak & (u * 0.5f >= share);
    share = firn_f8_select(weak, firn_f8_all(0.5f), share);
    s->share = firn_f8_select(shadows, firn_f8_select(dark, firn_f8_all(0), share), s->share);
    s->depth = firn_f8_select(mask & ~real, exponential(next), s->depth);
    out->collided = firn_i8_bits(real);
    out->dark = firn_i8_bits(dark);
}

// One step of every lane that flies: to a tentative collision or to the next cell.
static step_masks step(swarm* s)
{
    place* h = &s->here;
    firn_i8 up[3], crosses_on[3];
    firn_f8 to[3];
    for (int a = 0; a < 3; a++) {
        up[a] = s->inverse[a] > 0;  // -1: towards larger numbers
        to[a] = (firn_f8_of(h->cell[a] - up[a]) - h->p[a]) * s->inverse[a];
    }
    firn_f8 e = firn_f8_min(to[0], firn_f8_min(to[1], to[2]));
    crosses_on[0] = e == to[0];
    crosses_on[1] = ~crosses_on[0] & (e == to[1]);
    crosses_on[2] = ~crosses_on[0] & ~crosses_on[1];
    e = firn_f8_max(e, firn_f8_all(0));
    const firn_f8 through = h->majorant * e;
    const firn_i8 hits = s->depth < through;
    const firn_f8 way = firn_f8_select(hits, s->depth / h->majorant, e);
    const firn_i8 is_far = s->active & (s->flown + way >= s->far);
    // as the plain loop does: a crossing has used up its depth before `far` is looked at
    s->depth = firn_f8_select(s->active & ~hits, s->depth - through, s->depth);
    const firn_i8 moves = s->active & ~is_far, crosses = moves & ~hits, tries = moves & hits;
    s->flown = firn_f8_select(moves, s->flown + way, s->flown);
    for (int a = 0; a < 3; a++) {
        const firn_i8 over = crosses & crosses_on[a];
        h->cell[a] += over & (~up[a] - up[a]);  // 1 or -1
        h->p[a] = firn_f8_select(moves, h->p[a] + way * s->d[a], h->p[a]);
        h->p[a] = firn_f8_select(over, firn_f8_of(h->cell[a] + 1 + up[a]), h->p[a]);
    }
    step_masks out = {.far = firn_i8_bits(is_far),
                      .crossed = firn_i8_bits(crosses),
                      .tried = firn_i8_bits(tries)};
    if (out.tried != 0) collide(s, tries, &out);
    return out;
}

// ---- turns in the snow --------------------------------------------------------------------------

// Roulette; returns the lanes whose path ends.
static inline firn_i8 roulette(swarm* s, firn_i8 mask)
{
    const firn_f8 enough = firn_f8_all(0.25f);
    const firn_f8 w = firn_f8_max(s->weight[0], firn_f8_max(s->weight[1], s->weight[2]));
    const firn_i8 weak = mask & (w < enough);
    if (firn_i8_bits(weak) == 0) return weak;
    const firn_i8 ends = weak & (draw(s, weak) * enough >= w), stays = weak & ~ends;
    for (int c = 0; c < 3; c++)
        s->weight[c] = firn_f8_select(stays, s->weight[c] * (enough / w), s->weight[c]);
    return ends;
}

// A scattering in the lanes of `mask`, and a shadow ray towards the sun: firn_path_scatter.
// Returns the lanes whose path ends; *out_turns those that turn without asking the sun.
static unsigned scatter_lanes(crew* k, firn_i8 mask, unsigned* out_turns)
{
    swarm* s = &k->s;
    const firn_medium* m = k->view->medium;
    const firn_lights* l = k->view->lights;
    for (int c = 0; c < 3; c++)
        s->weight[c] = firn_f8_select(mask, s->weight[c] * m->albedo[c], s->weight[c]);
    const firn_i8 ends = roulette(s, mask);
    mask &= ~ends;
    keep_home(s, mask);
    const firn_i8 rare = mask & (s->here.rare > 1);
    firn_i8 skips = {0};
    if (firn_i8_bits(rare) != 0) skips = rare & (draw(s, rare) * s->here.rare >= 1);
    *out_turns = firn_i8_bits(skips);
    mask &= ~skips;
    const firn_f8 u = draw(s, mask), v = draw(s, mask);
    const firn_f8 rise = u * 0.99999f * l->sun_rise, out = firn_f8_sqrt(rise * (2 - rise)),
                  in = 1 - rise;
    firn_f8 sine, cosine;
    turn_sincos(v, &sine, &cosine);
    const firn_f8 a = out * cosine, b = out * sine;
    const firn_f8 to[3] = {in * l->sun_to.x + a * l->sun_s.x + b * l->sun_t.x,
                           in * l->sun_to.y + a * l->sun_s.y + b * l->sun_t.y,
                           in * l->sun_to.z + a * l->sun_s.z + b * l->sun_t.z};
    const firn_f8 phase = phase_value(m->g, s->d[0] * to[0] + s->d[1] * to[1] + s->d[2] * to[2]);
    const float disc[3] = {l->disc.r, l->disc.g, l->disc.b};
    for (int c = 0; c < 3; c++)
        s->asked[c] = firn_f8_select(mask, s->weight[c] * (phase * disc[c]), s->asked[c]);
    const firn_f8 scale = 1 / (l->disc_pdf + phase) * s->here.rare;
    s->asked_scale = firn_f8_select(mask, scale, s->asked_scale);
    for (int c = 0; c < 3; c++) {
        s->d[c] = firn_f8_select(mask, to[c], s->d[c]);
        s->inverse[c] = firn_f8_select(mask, inverse(to[c]), s->inverse[c]);
    }
    s->flown = firn_f8_select(mask, firn_f8_all(0), s->flown);
    s->far = firn_f8_select(mask, firn_f8_all(FLT_MAX), s->far);
    s->share = firn_f8_select(mask, firn_f8_all(1), s->share);
    s->depth = firn_f8_select(mask, exponential(draw(s, mask)), s->depth);
    s->shadows |= mask;
    s->guard &= ~mask;
    return firn_i8_bits(ends);
}

// Directions after flying along `d`: firn_phase_sample.
static inline void phase_sample(swarm* s, firn_i8 mask, float g)
{
    const firn_f8 cosine = phase_cosine(g, draw(s, mask));
    firn_f8 turn_sin, turn_cos;
    turn_sincos(draw(s, mask), &turn_sin, &turn_cos);
    const firn_f8 sine = firn_f8_sqrt(1 - cosine * cosine);
    s->pdf = firn_f8_select(mask, phase_value(g, cosine), s->pdf);
    const firn_f8 dx = s->home_d[0], dy = s->home_d[1], dz = s->home_d[2];
    const firn_f8 sign = firn_f8_select(dz >= 0, firn_f8_all(1), firn_f8_all(-1));
    const firn_f8 a = -1 / (sign + dz), b = dx * dy * a;
    const firn_f8 x = sine * turn_cos, y = sine * turn_sin;
    const firn_f8 tx = (1 + sign * dx * dx * a) * x + b * y + dx * cosine,
                  ty = sign * b * x + (sign + dy * dy * a) * y + dy * cosine,
                  tz = -sign * dx * x + -dy * y + dz * cosine;
    const firn_f8 scale = 1.5f - 0.5f * (tx * tx + ty * ty + tz * tz);
    const firn_f8 to[3] = {tx * scale, ty * scale, tz * scale};
    for (int c = 0; c < 3; c++) {
        s->d[c] = firn_f8_select(mask, to[c], s->d[c]);
        s->home_d[c] = firn_f8_select(mask, to[c], s->home_d[c]);
        s->inverse[c] = firn_f8_select(mask, inverse(to[c]), s->inverse[c]);
    }
}

// The shadow rays of these lanes are done: back to where they began, and off in new directions.
// Returns the lanes that have to look for bodies first.
static unsigned turn_lanes(crew* k, firn_i8 mask)
{
    swarm* s = &k->s;
    move_place(&s->here, &s->home, mask);
    phase_sample(s, mask, k->view->medium->g);
    s->flown = firn_f8_select(mask, firn_f8_all(0), s->flown);
    s->far = firn_f8_select(mask, firn_f8_all(FLT_MAX), s->far);
    s->depth = firn_f8_select(mask, exponential(draw(s, mask)), s->depth);
    s->shadows &= ~mask;
    if (k->view->geometry == NULL) return 0;
    s->guard |= mask;
    return firn_i8_bits(mask & s->here.guarded);
}

// -------------------------------------------------------------------------------------------------

// All lanes of `bits` turn, and those near bodies look out for them.
static void turn(crew* k, unsigned bits)
{
    if (bits == 0) return;
    for (unsigned todo = bits; todo != 0; todo &= todo - 1) {
        k->s.role[__builtin_ctz(todo)] = LANE_FLIGHT;
        k->s.is_stale[__builtin_ctz(todo)] = true;
    }
    for (unsigned todo = turn_lanes(k, firn_i8_of_bits(bits)); todo != 0; todo &= todo - 1)
        attend(k, __builtin_ctz(todo), LANE_GUARDED, take(k, __builtin_ctz(todo)));
}

// Lanes that have scattered for real. Returns those that can turn at once.
static unsigned scatter_all(crew* k, unsigned bits)
{
    unsigned turns = 0;
    const unsigned plain = bits & firn_i8_bits(k->s.plain);
    k->tally->events += __builtin_popcount(plain);
    for (unsigned todo = plain; todo != 0; todo &= todo - 1)
        k->s.role[__builtin_ctz(todo)] = LANE_SHADOW_SNOW;
    if (plain != 0)
        for (unsigned todo = scatter_lanes(k, firn_i8_of_bits(plain), &turns); todo != 0;
             todo &= todo - 1)
            attend(k, __builtin_ctz(todo), LANE_ENDED, take(k, __builtin_ctz(todo)));
    for (unsigned todo = bits & ~plain; todo != 0; todo &= todo - 1)
        attend(k, __builtin_ctz(todo), LANE_COLLIDED, take(k, __builtin_ctz(todo)));
    return turns;
}

static void trace_many(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                       firn_film_sample* samples, firn_path_count* tally)
{
    crew k = {.view = view, .jobs = jobs, .samples = samples, .count = count, .tally = tally};
    for (int l = 0; l < 8; l++) {
        firn_walk w;
        k.s.here.majorant[l] = 1;
        if (refill(&k, l, &w)) attend(&k, l, LANE_LAUNCH, w);
    }
    while (firn_i8_bits(k.s.active) != 0) {
        const step_masks m = step(&k.s);
        tally->lookups += __builtin_popcount(m.tried);
        unsigned turns = 0;
        for (unsigned todo = m.crossed; todo != 0; todo &= todo - 1)
            turns |= enter(&k, __builtin_ctz(todo));
        for (unsigned todo = m.far | m.dark; todo != 0; todo &= todo - 1) {
            const int l = __builtin_ctz(todo);
            if (k.s.role[l] == LANE_FLIGHT)
                attend(&k, l, LANE_FAR, take(&k, l));
            else
                turns |= shadow_ends(&k, l);
        }
        turns |= scatter_all(&k, m.collided);
        turn(&k, turns);
    }
}
