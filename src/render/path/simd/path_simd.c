// SPDX-License-Identifier: MIT
// The SIMD integrator: eight paths at a time, one per lane. Flights and scattering in the snow,
// nearly all of the work, run in SIMD; surfaces, empty blocks, first hits and lights other than the
// sun are handled lane by lane with the scalar functions (path_lanes.h). A lane whose path has
// ended takes the next one. Draws the same random numbers in the same order as path.c: same bits.
#include "render/path/simd/path_lanes.h"

// ---- SIMD versions of rng.h, fast_math.h, phase.h and walk.h ------------------------------------
// Each has the same operations in the same order as the scalar function of the same name; test_path
// compares the pictures of both bit by bit.

// firn_rng_unit of the lanes in `mask`; the other streams do not advance.
static inline firn_vec8f draw(lane_batch* s, firn_vec8i mask)
{
    firn_vec8u a = s->rng[0], b = s->rng[1], c = s->rng[2], d = s->rng[3];
    const firn_vec8u result = (a + d) >> 8, t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = d << 11 | d >> 21;
    s->rng[0] = (firn_vec8u)firn_vec8i_select(mask, (firn_vec8i)a, (firn_vec8i)s->rng[0]);
    s->rng[1] = (firn_vec8u)firn_vec8i_select(mask, (firn_vec8i)b, (firn_vec8i)s->rng[1]);
    s->rng[2] = (firn_vec8u)firn_vec8i_select(mask, (firn_vec8i)c, (firn_vec8i)s->rng[2]);
    s->rng[3] = (firn_vec8u)firn_vec8i_select(mask, (firn_vec8i)d, (firn_vec8i)s->rng[3]);
    return firn_vec8f_of((firn_vec8i)result) * firn_vec8f_all(1.0f / 16777216.0f);
}

static inline firn_vec8f exponential(firn_vec8f u)
{
    const firn_vec8f y = 1 - u;
    firn_vec8u bits = (firn_vec8u)y;
    const firn_vec8i k = (firn_vec8i)((bits - 0x3f3504f3u) & 0xff800000u) >> 23;
    bits -= (firn_vec8u)k << 23;
    const firn_vec8f m = (firn_vec8f)bits;
    const firn_vec8f s = (m - 1) / (m + 1), z = s * s;
    const firn_vec8f p =
        s * (2 + z * (0.66666667f + z * (0.4f + z * (0.28571429f + z * 0.22222222f))));
    return -(firn_vec8f_of(k) * 0.69314718f + p);
}

static inline void sincos_2pi(firn_vec8f u, firn_vec8f* out_sin, firn_vec8f* out_cos)
{
    const firn_vec8i quarter = __builtin_convertvector(4 * u + 0.5f, firn_vec8i);
    const firn_vec8f r = (u - 0.25f * firn_vec8f_of(quarter)) * 6.28318531f, z = r * r;
    const firn_vec8f s =
        r * (1 + z * (-0.16666667f + z * (8.3333333e-3f + z * (-1.984127e-4f + z * 2.7e-6f))));
    const firn_vec8f c =
        1 + z * (-0.5f + z * (4.1666667e-2f + z * (-1.3888889e-3f + z * 2.46e-5f)));
    const firn_vec8i swap = (quarter & 1) != 0, down = (quarter & 2) != 0,
                     left = ((quarter + 1) & 2) != 0;
    const firn_vec8f a = firn_vec8f_select(swap, c, s), b = firn_vec8f_select(swap, s, c);
    *out_sin = firn_vec8f_select(down, -a, a);
    *out_cos = firn_vec8f_select(left, -b, b);
}

static inline firn_vec8f phase_value(float g, firn_vec8f cosine)
{
    const firn_vec8f s = (1 + g * g) - 2 * g * cosine;
    return (1 - g * g) * 0.0795774715f / (s * firn_vec8f_sqrt(s));
}

static inline firn_vec8f phase_cosine(float g, firn_vec8f u)
{
    if (fabsf(g) < 1e-3f) return 1 - 2 * u;
    const firn_vec8f s = (1 - g * g) / (1 - g + 2 * g * u);
    const firn_vec8f cosine = (1 + g * g - s * s) / (2 * g);
    return firn_vec8f_select(cosine > 1, firn_vec8f_all(1),
                             firn_vec8f_select(cosine < -1, firn_vec8f_all(-1), cosine));
}

static inline firn_vec8f inverse(firn_vec8f d)
{
    const firn_vec8f size = firn_vec8f_select(d < 0, -d, d);
    const firn_vec8f steep =
        firn_vec8f_select(d < 0, firn_vec8f_all(-1e12f), firn_vec8f_all(1e12f));
    return firn_vec8f_select(size > 1e-12f, 1 / d, steep);
}

static inline firn_vec8f extinction(const lane_batch* s)
{
    const firn_vec8f* c = s->here.c;
    const firn_vec8f u = s->here.p[0] - firn_vec8f_of(s->here.cell[0]),
                     v = s->here.p[1] - firn_vec8f_of(s->here.cell[1]),
                     t = s->here.p[2] - firn_vec8f_of(s->here.cell[2]);
    return (c[0] + c[1] * u) + v * (c[2] + c[4] * u) +
           t * ((c[3] + c[5] * u) + v * (c[6] + c[7] * u));
}

// ---- flights ------------------------------------------------------------------------------------

// Outcome of a step; one bit per lane.
typedef struct step_masks {
    unsigned tentative, collided, far, crossed, absorbed;
} step_masks;

// Tentative collisions in the lanes of `mask`; reports real ones and absorbed shadow rays.
static inline void collide(lane_batch* s, firn_vec8i mask, step_masks* out)
{
    const firn_vec8f u = draw(s, mask), next = draw(s, mask), sigma = extinction(s);
    const firn_vec8i flights = mask & ~s->shadows, shadows = mask & s->shadows;
    const firn_vec8i real = flights & (u * s->here.majorant < sigma);
    firn_vec8f transmittance =
        s->transmittance * firn_vec8f_max(firn_vec8f_all(0), 1 - sigma / s->here.majorant);
    const firn_vec8i weak = shadows & (transmittance < firn_vec8f_all(0.5f));
    const firn_vec8i absorbed = weak & (u * 0.5f >= transmittance);
    transmittance = firn_vec8f_select(weak, firn_vec8f_all(0.5f), transmittance);
    s->transmittance = firn_vec8f_select(
        shadows, firn_vec8f_select(absorbed, firn_vec8f_all(0), transmittance), s->transmittance);
    s->depth = firn_vec8f_select(mask & ~real, exponential(next), s->depth);
    out->collided = firn_vec8i_bits(real);
    out->absorbed = firn_vec8i_bits(absorbed);
}

// One step of every active lane: to a tentative collision or to the next cell.
static step_masks step(lane_batch* s)
{
    lane_position* h = &s->here;
    firn_vec8i up[3], crosses_on[3];
    firn_vec8f to[3];
    for (int a = 0; a < 3; a++) {
        up[a] = s->inverse[a] > 0;  // -1: towards larger coordinates
        to[a] = (firn_vec8f_of(h->cell[a] - up[a]) - h->p[a]) * s->inverse[a];
    }
    firn_vec8f e = firn_vec8f_min(to[0], firn_vec8f_min(to[1], to[2]));
    crosses_on[0] = e == to[0];
    crosses_on[1] = ~crosses_on[0] & (e == to[1]);
    crosses_on[2] = ~crosses_on[0] & ~crosses_on[1];
    e = firn_vec8f_max(e, firn_vec8f_all(0));
    const firn_vec8f through = h->majorant * e;
    const firn_vec8i hits = s->depth < through;
    const firn_vec8f way = firn_vec8f_select(hits, s->depth / h->majorant, e);
    const firn_vec8i is_far = s->active & (s->flown + way >= s->far);
    // as in the scalar loop, a crossing reduces the depth before `far` is checked
    s->depth = firn_vec8f_select(s->active & ~hits, s->depth - through, s->depth);
    const firn_vec8i moves = s->active & ~is_far, crosses = moves & ~hits, tries = moves & hits;
    s->flown = firn_vec8f_select(moves, s->flown + way, s->flown);
    for (int a = 0; a < 3; a++) {
        const firn_vec8i over = crosses & crosses_on[a];
        h->cell[a] += over & (~up[a] - up[a]);  // 1 or -1
        h->p[a] = firn_vec8f_select(moves, h->p[a] + way * s->d[a], h->p[a]);
        h->p[a] = firn_vec8f_select(over, firn_vec8f_of(h->cell[a] + 1 + up[a]), h->p[a]);
    }
    step_masks out = {.far = firn_vec8i_bits(is_far),
                      .crossed = firn_vec8i_bits(crosses),
                      .tentative = firn_vec8i_bits(tries)};
    if (out.tentative != 0) collide(s, tries, &out);
    return out;
}

// ---- scattering in the snow ---------------------------------------------------------------------

// firn_path_roulette; returns the lanes whose path ends.
static inline firn_vec8i roulette(lane_batch* s, firn_vec8i mask)
{
    const firn_vec8f enough = firn_vec8f_all(0.25f);
    const firn_vec8f w = firn_vec8f_max(s->weight[0], firn_vec8f_max(s->weight[1], s->weight[2]));
    const firn_vec8i weak = mask & (w < enough);
    if (firn_vec8i_bits(weak) == 0) return weak;
    const firn_vec8i ends = weak & (draw(s, weak) * enough >= w), stays = weak & ~ends;
    for (int c = 0; c < 3; c++)
        s->weight[c] = firn_vec8f_select(stays, s->weight[c] * (enough / w), s->weight[c]);
    return ends;
}

// firn_path_nee_probability
static inline firn_vec8f nee_probability(const lane_batch* s, const firn_medium* m,
                                         const firn_lights* l)
{
    if (!m->rare_by_sun) return 1 / s->here.nee_rarity;
    const firn_vec8f phase =
        phase_value(m->g, s->d[0] * l->sun_to.x + s->d[1] * l->sun_to.y + s->d[2] * l->sun_to.z);
    return FIRN_PATH_NEE * phase / s->here.nee_rarity;
}

// firn_path_scatter for the lanes of `mask`, with a shadow ray towards the sun. Returns the lanes
// whose path ends; *out_restarts: the lanes that skip NEE.
static unsigned scatter_lanes(tracer* k, firn_vec8i mask, unsigned* out_restarts)
{
    lane_batch* s = &k->s;
    const firn_medium* m = k->view->medium;
    const firn_lights* l = k->view->lights;
    for (int c = 0; c < 3; c++)
        s->weight[c] = firn_vec8f_select(mask, s->weight[c] * m->albedo[c], s->weight[c]);
    const firn_vec8i ends = roulette(s, mask);
    mask &= ~ends;
    save_vertex(s, mask);
    const firn_vec8f often = nee_probability(s, m, l);
    const firn_vec8i rare = mask & (often < 1);
    firn_vec8i skips = {0};
    if (firn_vec8i_bits(rare) != 0) skips = rare & (draw(s, rare) >= often);
    *out_restarts = firn_vec8i_bits(skips);
    mask &= ~skips;
    const firn_vec8f u = draw(s, mask), v = draw(s, mask);
    const firn_vec8f rise = u * 0.99999f * l->sun_one_minus_cos,
                     out = firn_vec8f_sqrt(rise * (2 - rise)), in = 1 - rise;
    firn_vec8f sine, cosine;
    sincos_2pi(v, &sine, &cosine);
    const firn_vec8f a = out * cosine, b = out * sine;
    const firn_vec8f to[3] = {in * l->sun_to.x + a * l->sun_s.x + b * l->sun_t.x,
                              in * l->sun_to.y + a * l->sun_s.y + b * l->sun_t.y,
                              in * l->sun_to.z + a * l->sun_s.z + b * l->sun_t.z};
    const firn_vec8f phase = phase_value(m->g, s->d[0] * to[0] + s->d[1] * to[1] + s->d[2] * to[2]);
    const float disc[3] = {l->disc.r, l->disc.g, l->disc.b};
    for (int c = 0; c < 3; c++)
        s->shadow_light[c] =
            firn_vec8f_select(mask, s->weight[c] * (phase * disc[c]), s->shadow_light[c]);
    const firn_vec8f one = 1 / (l->disc_pdf + phase);
    const firn_vec8f scale = firn_vec8f_select(rare, one / often, one);
    s->shadow_scale = firn_vec8f_select(mask, scale, s->shadow_scale);
    for (int c = 0; c < 3; c++) {
        s->d[c] = firn_vec8f_select(mask, to[c], s->d[c]);
        s->inverse[c] = firn_vec8f_select(mask, inverse(to[c]), s->inverse[c]);
    }
    s->flown = firn_vec8f_select(mask, firn_vec8f_all(0), s->flown);
    s->far = firn_vec8f_select(mask, firn_vec8f_all(FLT_MAX), s->far);
    s->transmittance = firn_vec8f_select(mask, firn_vec8f_all(1), s->transmittance);
    s->depth = firn_vec8f_select(mask, exponential(draw(s, mask)), s->depth);
    s->shadows |= mask;
    s->stops_near_surface &= ~mask;
    return firn_vec8i_bits(ends);
}

// firn_phase_sample for the lanes of `mask`.
static inline void phase_sample(lane_batch* s, firn_vec8i mask, float g)
{
    const firn_vec8f cosine = phase_cosine(g, draw(s, mask));
    firn_vec8f sin_phi, cos_phi;
    sincos_2pi(draw(s, mask), &sin_phi, &cos_phi);
    const firn_vec8f sine = firn_vec8f_sqrt(1 - cosine * cosine);
    s->pdf = firn_vec8f_select(mask, phase_value(g, cosine), s->pdf);
    const firn_vec8f dx = s->vertex_d[0], dy = s->vertex_d[1], dz = s->vertex_d[2];
    const firn_vec8f sign = firn_vec8f_select(dz >= 0, firn_vec8f_all(1), firn_vec8f_all(-1));
    const firn_vec8f a = -1 / (sign + dz), b = dx * dy * a;
    const firn_vec8f x = sine * cos_phi, y = sine * sin_phi;
    const firn_vec8f tx = (1 + sign * dx * dx * a) * x + b * y + dx * cosine,
                     ty = sign * b * x + (sign + dy * dy * a) * y + dy * cosine,
                     tz = -sign * dx * x + -dy * y + dz * cosine;
    const firn_vec8f scale = 1.5f - 0.5f * (tx * tx + ty * ty + tz * tz);
    const firn_vec8f to[3] = {tx * scale, ty * scale, tz * scale};
    for (int c = 0; c < 3; c++) {
        s->d[c] = firn_vec8f_select(mask, to[c], s->d[c]);
        s->vertex_d[c] = firn_vec8f_select(mask, to[c], s->vertex_d[c]);
        s->inverse[c] = firn_vec8f_select(mask, inverse(to[c]), s->inverse[c]);
    }
}

// Restarts lanes at their vertex in a new direction after their shadow ray has ended. Returns the
// lanes that have to trace surfaces first.
static unsigned restart_lanes(tracer* k, firn_vec8i mask)
{
    lane_batch* s = &k->s;
    select_position(&s->here, &s->vertex, mask);
    phase_sample(s, mask, k->view->medium->g);
    s->flown = firn_vec8f_select(mask, firn_vec8f_all(0), s->flown);
    s->far = firn_vec8f_select(mask, firn_vec8f_all(FLT_MAX), s->far);
    s->depth = firn_vec8f_select(mask, exponential(draw(s, mask)), s->depth);
    s->shadows &= ~mask;
    if (!firn_path_has_surfaces(k->view)) return 0;
    s->stops_near_surface |= mask;
    return firn_vec8i_bits(mask & s->here.near_surface);
}

// -------------------------------------------------------------------------------------------------

// Restarts all lanes of `bits`; those near surfaces trace them.
static void restart(tracer* k, unsigned bits)
{
    if (bits == 0) return;
    for (unsigned todo = bits; todo != 0; todo &= todo - 1) {
        k->s.role[__builtin_ctz(todo)] = LANE_FLIGHT;
        k->s.ray_is_stale[__builtin_ctz(todo)] = true;
    }
    for (unsigned todo = restart_lanes(k, firn_vec8i_of_bits(bits)); todo != 0; todo &= todo - 1)
        run_events(k, __builtin_ctz(todo), LANE_NEAR_SURFACE, extract_lane(k, __builtin_ctz(todo)));
}

// Handles real collisions. Returns the lanes that continue without a shadow ray.
static unsigned scatter_collided(tracer* k, unsigned bits)
{
    unsigned restarts = 0;
    const unsigned sun_only = bits & firn_vec8i_bits(k->s.sun_only);
    k->tally->events += __builtin_popcount(sun_only);
    for (unsigned todo = sun_only; todo != 0; todo &= todo - 1) {
        k->s.role[__builtin_ctz(todo)] = LANE_SHADOW_SNOW;
        firn_path_count_vertex(&k->s.path[__builtin_ctz(todo)]);
    }
    if (sun_only != 0)
        for (unsigned todo = scatter_lanes(k, firn_vec8i_of_bits(sun_only), &restarts); todo != 0;
             todo &= todo - 1)
            run_events(k, __builtin_ctz(todo), LANE_ENDED, extract_lane(k, __builtin_ctz(todo)));
    for (unsigned todo = bits & ~sun_only; todo != 0; todo &= todo - 1)
        run_events(k, __builtin_ctz(todo), LANE_COLLIDED, extract_lane(k, __builtin_ctz(todo)));
    return restarts;
}

static void trace_many(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                       firn_film_sample* samples, firn_path_count* tally)
{
    tracer k = {.view = view, .jobs = jobs, .samples = samples, .count = count, .tally = tally};
    for (int l = 0; l < 8; l++) {
        firn_walk w;
        k.s.here.majorant[l] = 1;
        if (refill(&k, l, &w)) run_events(&k, l, LANE_START_FLIGHT, w);
    }
    while (firn_vec8i_bits(k.s.active) != 0) {
        const step_masks m = step(&k.s);
        tally->lookups += __builtin_popcount(m.tentative);
        unsigned restarts = 0;
        for (unsigned todo = m.crossed; todo != 0; todo &= todo - 1)
            restarts |= enter_cell(&k, __builtin_ctz(todo));
        for (unsigned todo = m.far | m.absorbed; todo != 0; todo &= todo - 1) {
            const int l = __builtin_ctz(todo);
            if (k.s.role[l] == LANE_FLIGHT)
                run_events(&k, l, LANE_FAR, extract_lane(&k, l));
            else
                restarts |= end_shadow(&k, l);
        }
        restarts |= scatter_collided(&k, m.collided);
        restart(&k, restarts);
    }
}
