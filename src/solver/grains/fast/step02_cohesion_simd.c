// SPDX-License-Identifier: MIT
// Step 2 between snow and ice, one grain per lane: physics/grain_contact.h's firn_grain_solid_pair,
// operation by operation. Water goes through the plain loop.
#include "core/simd/lanes_gather.h"
#include "solver/grains/step02_cohesion.h"

typedef struct lanes3 {
    firn_lanes x, y, z;
} lanes3;

// Some grains, as many as a register has lanes.
typedef struct grain_lanes {
    lanes3 x, v, slip;
    firn_lanes r, k, strength;
    firn_lanes_mask broken;
} grain_lanes;

static inline lanes3 sub3(lanes3 a, lanes3 b)
{
    return (lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline lanes3 scale3(lanes3 a, firn_lanes s)
{
    return (lanes3){a.x * s, a.y * s, a.z * s};
}

// a + s b, as firn_v3_madd rounds on the baseline
static inline lanes3 madd3(lanes3 a, firn_lanes s, lanes3 b)
{
    return (lanes3){s * b.x + a.x, s * b.y + a.y, s * b.z + a.z};
}

static inline firn_lanes dot3(lanes3 a, lanes3 b)
{
    return a.x * b.x + (a.y * b.y + a.z * b.z);
}

static inline lanes3 select3(firn_lanes_mask m, lanes3 yes, lanes3 no)
{
    return (lanes3){firn_lanes_select(m, yes.x, no.x), firn_lanes_select(m, yes.y, no.y),
                    firn_lanes_select(m, yes.z, no.z)};
}

static inline grain_lanes take(const firn_grains_work* w, const int32_t* index)
{
    firn_lanes a[4], b[4], c[4];
    firn_lanes_gather4((const firn_real*)w->place, 4, index, a);
    firn_lanes_gather4((const firn_real*)w->move, 4, index, b);
    firn_lanes_gather4((const firn_real*)w->rest, 4, index, c);
    const firn_lanes zero = firn_lanes_all(0);
    return (grain_lanes){.x = {a[0], a[1], a[2]},
                         .v = {b[0], b[1], b[2]},
                         .slip = {c[0], c[1], c[2]},
                         .r = a[3],
                         .k = b[3],
                         .strength = firn_lanes_abs(c[3]),
                         .broken = firn_lanes_less(c[3], zero)};
}

// What a register of grains has gathered.
typedef struct sum_lanes {
    lanes3 force;
    firn_lanes side[6];
    firn_lanes near;
    uint64_t bonds[FIRN_LANES];
} sum_lanes;

static inline lanes3 friction3(lanes3 v, lanes3 u, lanes3 n, firn_lanes k, firn_lanes damper,
                               firn_lanes limit)
{
    const lanes3 q = {k * u.x + damper * v.x, k * u.y + damper * v.y, k * u.z + damper * v.z};
    const lanes3 q_t = madd3(q, -dot3(q, n), n);
    const firn_lanes size = firn_lanes_sqrt(dot3(q_t, q_t));
    return select3(firn_lanes_less(limit, size), scale3(q_t, limit / size), q_t);
}

static inline void add_sides(sum_lanes* s, lanes3 n, firn_lanes spring)
{
    const firn_lanes zero = firn_lanes_all(0);
    s->side[0] += spring * firn_lanes_max(n.x, zero);
    s->side[1] += spring * firn_lanes_max(-n.x, zero);
    s->side[2] += spring * firn_lanes_max(n.y, zero);
    s->side[3] += spring * firn_lanes_max(-n.y, zero);
    s->side[4] += spring * firn_lanes_max(n.z, zero);
    s->side[5] += spring * firn_lanes_max(-n.z, zero);
}

// `had`: lanes with a bond to this neighbour. Gives those that have one now.
static inline unsigned add_pair(const firn_grain_constants* c, const grain_lanes* i,
                                const grain_lanes* j, unsigned had, sum_lanes* s)
{
    const firn_lanes zero = firn_lanes_all(0), half = firn_lanes_all((firn_real)0.5);
    const lanes3 d = sub3(j->x, i->x), none = {zero, zero, zero};
    const firn_lanes touch = i->r + j->r, far = touch + firn_lanes_all(c->reach), d2 = dot3(d, d);
    firn_lanes_mask near = firn_mask_and(firn_lanes_less(d2, far * far), firn_lanes_less(zero, d2));
    if (!firn_mask_any(near)) return 0;
    const firn_lanes distance = firn_lanes_sqrt(d2), overlap = touch - distance;
    const lanes3 n = select3(near, scale3(d, firn_lanes_all(1) / distance), none);
    const firn_lanes k = half * (i->k + j->k), bears = half * (i->strength + j->strength);
    near = firn_mask_and(near, firn_lanes_less(-k * overlap, bears));
    const firn_lanes_mask whole = firn_mask_not(firn_mask_or(i->broken, j->broken));
    const firn_lanes_mask meets =
        firn_mask_or(firn_mask_from_bits(had), firn_lanes_at_most(zero, overlap));
    const firn_lanes_mask bonded = firn_mask_and(near, firn_mask_and(whole, meets));
    const firn_lanes_mask overlaps = firn_mask_and(near, firn_lanes_less(zero, overlap));
    const firn_lanes_mask acts = firn_mask_or(bonded, overlaps);
    const lanes3 v = sub3(j->v, i->v);
    const firn_lanes damper = firn_lanes_min(
        firn_lanes_all(2 * c->damping) * firn_lanes_sqrt(half * k * firn_lanes_all(c->mass)),
        firn_lanes_all(c->damping_most));
    const firn_lanes spring = k * overlap;
    firn_lanes press = spring - damper * dot3(v, n);
    press = firn_lanes_select(bonded, press, firn_lanes_max(press, zero));
    lanes3 force = scale3(n, -press);
    if (firn_mask_any(overlaps)) {
        const lanes3 rub = friction3(v, sub3(j->slip, i->slip), n, firn_lanes_all(c->shear) * k,
                                     half * damper, firn_lanes_all(c->friction) * spring);
        const lanes3 both = {force.x + rub.x, force.y + rub.y, force.z + rub.z};
        force = select3(overlaps, both, force);
    }
    force = select3(acts, force, none);
    s->force = (lanes3){s->force.x + force.x, s->force.y + force.y, s->force.z + force.z};
    add_sides(s, n, firn_lanes_select(acts, spring, zero));
    s->near += firn_lanes_select(near, firn_lanes_all(1), zero);
    return firn_mask_bits(bonded);
}

// Lanes whose k-th bit is set.
static inline unsigned bits_of(const uint64_t bonds[FIRN_LANES], int k)
{
    unsigned bits = 0;
    for (int lane = 0; lane < FIRN_LANES; lane++) bits |= (unsigned)(bonds[lane] >> k & 1) << lane;
    return bits;
}

static inline void give(const sum_lanes* s, int count, firn_grains_sum* out)
{
    firn_real force[3][FIRN_LANES], side[6][FIRN_LANES], near[FIRN_LANES];
    firn_lanes_store(force[0], s->force.x);
    firn_lanes_store(force[1], s->force.y);
    firn_lanes_store(force[2], s->force.z);
    for (int k = 0; k < 6; k++) firn_lanes_store(side[k], s->side[k]);
    firn_lanes_store(near, s->near);
    for (int lane = 0; lane < count; lane++) {
        firn_grains_sum* sum = &out[lane];
        sum->force = firn_v3(force[0][lane], force[1][lane], force[2][lane]);
        for (int k = 0; k < 6; k++) sum->press.side[k] = side[k][lane];
        sum->near = sum->solid = (int)near[lane];
        sum->touching = 0;
        sum->power = 0;
        sum->bonds = s->bonds[lane];
    }
}

static void neighbours_simd(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                            firn_grains_sum* out_sums)
{
    const firn_lanes zero = firn_lanes_all(0);
    for (firn_local first = begin; first < end; first += FIRN_LANES) {
        const int lane = (int)(first % FIRN_GRAINS_SLICE);
        const firn_local slice = first / FIRN_GRAINS_SLICE;
        const int count = (int)(end - first < FIRN_LANES ? end - first : FIRN_LANES);
        int32_t own[FIRN_LANES];
        uint64_t had[FIRN_LANES];
        for (int l = 0; l < FIRN_LANES; l++) {
            own[l] = l < count ? first + l : first;
            had[l] = l < count ? firn_grains_bonds(a->p.bonds[own[l]], a->p.bonds_more[own[l]]) : 0;
        }
        const grain_lanes self = take(&a->w, own);
        sum_lanes s = {.force = {zero, zero, zero},
                       .side = {zero, zero, zero, zero, zero, zero},
                       .near = zero};
        const firn_local row_first = a->list->row_first[slice];
        const int rows = (int)(a->list->row_first[slice + 1] - row_first);
        for (int k = 0; k < rows; k++) {
            const int32_t* index =
                a->list->rows + (size_t)(row_first + k) * FIRN_GRAINS_SLICE + lane;
            const grain_lanes other = take(&a->w, index);
            const unsigned now = add_pair(a->constants, &self, &other, bits_of(had, k), &s);
            for (int l = 0; l < FIRN_LANES; l++) s.bonds[l] |= (uint64_t)(now >> l & 1) << k;
        }
        give(&s, count, out_sums + (first - begin));
    }
}
