// SPDX-License-Identifier: MIT
// Step 2 between snow and ice in SIMD batches, a grain per lane, by firn_grain_solid_pair of
// physics/grain_contact.h. If any grain is water, the plain loop runs. The bits of the plain loop:
// test_grains_promises.
#include "core/simd/lanes_gather.h"
#include "solver/grains/step02_cohesion.h"

// A SIMD batch of grains.
typedef struct grain_lanes {
    firn_vec3_lanes x;
    firn_grain_solid solid;
    firn_grain_surface surface;
} grain_lanes;

_Static_assert(sizeof(firn_grain) == FIRN_GRAIN_REALS * sizeof(firn_real), "groups of four");

// A group of four reals of the grains `index`; `first`: of grain 0.
static inline void gather(const firn_vec3* first, const int32_t* index, firn_lanes out[4])
{
    firn_lanes_gather4(&first->x, FIRN_GRAIN_REALS, index, out);
}

// All that the force along the line of centres needs, and spins.
static inline grain_lanes take(const firn_grains_cohesion_args* args, const int32_t* index)
{
    const firn_grain* grain = args->w.grain;
    const firn_lanes zero = firn_lanes_all(0);
    firn_lanes a[4], b[4], c[4], d[4] = {zero, zero, zero, zero}, tensile = zero;
    gather(&grain->x, index, a);
    gather(&grain->v, index, b);
    gather(&grain->spin, index, c);
    if (args->anchored) {
        gather(&grain->origin, index, d);
        tensile = firn_grain_tensile(args->constants, a[3]);
    }
    const firn_lanes radius = firn_lanes_abs(d[3]);
    return (grain_lanes){.x = {a[0], a[1], a[2]},
                         .solid = {.v = {b[0], b[1], b[2]},
                                   .r = a[3],
                                   .k = b[3],
                                   .strength = firn_lanes_abs(c[3]),
                                   .tensile = tensile,
                                   .origin = {d[0], d[1], d[2]},
                                   .origin_r = radius,
                                   .broken = firn_lanes_less(c[3], zero),
                                   .intact = firn_lanes_less(zero, d[3]),
                                   .anchored = firn_lanes_less(zero, radius)},
                         .surface = {.spin = {c[0], c[1], c[2]},
                                     .slip = {zero, zero, zero},
                                     .twist = {zero, zero, zero}}};
}

// Displacements since grains came to rest.
static inline void take_rest(const firn_grain* grain, const int32_t* index, firn_grain_surface* out)
{
    firn_lanes a[4], b[4];
    gather(&grain->slip, index, a);
    gather(&grain->twist, index, b);
    out->slip = firn_v3_lanes(a[0], a[1], a[2]);
    out->twist = firn_v3_lanes(b[0], b[1], b[2]);
}

// firn_grains_sum of a SIMD batch.
typedef struct sum_lanes {
    firn_vec3_lanes force, torque;
    firn_lanes side[6];
    firn_lanes near;
    unsigned slides;
    firn_lanes_int bonds[2];  // bonds and bonds_more
} sum_lanes;

// Friction of a SIMD batch; `index`: of the neighbours.
static inline void add_friction(const firn_grains_cohesion_args* a, const grain_lanes* i,
                                const grain_lanes* j, const int32_t* index, firn_vec3_lanes n,
                                const firn_grain_solid_force* f, firn_vec3_lanes* force,
                                sum_lanes* s)
{
    firn_grain_surface other = j->surface;
    if (firn_mask_any(firn_mask_and(f->has_friction, firn_mask_not(f->holds))))
        take_rest(a->w.grain, index, &other);
    const firn_grain_friction t =
        firn_grain_pair_friction(a->constants, f, &i->surface, &other, i->solid.r, j->solid.r, n,
                                 firn_v3_lanes_sub(j->solid.v, i->solid.v));
    *force = firn_v3_lanes_add(*force, t.force);
    s->torque = firn_v3_lanes_add(s->torque, t.torque);
    s->slides |= firn_mask_bits(t.slides);
}

// firn_grain_pair of a SIMD batch of solid grains. `had`: lanes with a bond to this neighbour.
// Returns those that have one now.
static inline firn_lanes_mask add_pair(const firn_grains_cohesion_args* a, const grain_lanes* i,
                                       const int32_t* index, firn_lanes_mask had, sum_lanes* s)
{
    const firn_grain_constants* c = a->constants;
    const grain_lanes other = take(a, index), *j = &other;
    const firn_lanes zero = firn_lanes_all(0), one = firn_lanes_all(1);
    const firn_vec3_lanes d = firn_v3_lanes_sub(j->x, i->x);
    const firn_lanes touch = i->solid.r + j->solid.r, far = touch + firn_lanes_all(c->reach);
    const firn_lanes d2 = firn_grain_dot(d, d);
    const firn_lanes_mask within =
        firn_mask_and(firn_lanes_less(d2, far * far), firn_lanes_less(zero, d2));
    if (!firn_mask_any(within)) return within;
    const firn_lanes distance = firn_lanes_sqrt(d2);
    const firn_vec3_lanes n = firn_v3_lanes_select(within, firn_v3_lanes_scale(d, one / distance),
                                                   firn_v3_lanes(zero, zero, zero));
    const firn_grain_solid_force f =
        firn_grain_solid_pair(c, &i->solid, &j->solid, n, distance, within, had);
    firn_vec3_lanes force = f.force;
    if (firn_mask_any(f.has_friction)) add_friction(a, i, j, index, n, &f, &force, s);
    s->force = firn_v3_lanes_add(s->force, force);
    firn_grain_compression_add(s->side, n, f.spring);
    s->near += firn_lanes_select(f.near, one, zero);
    return f.bonded;
}

// out: from grain `begin` on.
static inline void give(const sum_lanes* s, int count, const int32_t* own, firn_local begin,
                        firn_grains_sum* out)
{
    firn_real force[3][FIRN_LANES], torque[3][FIRN_LANES], side[6][FIRN_LANES], near[FIRN_LANES];
    firn_lanes_store(force[0], s->force.x);
    firn_lanes_store(force[1], s->force.y);
    firn_lanes_store(force[2], s->force.z);
    firn_lanes_store(torque[0], s->torque.x);
    firn_lanes_store(torque[1], s->torque.y);
    firn_lanes_store(torque[2], s->torque.z);
    for (int k = 0; k < 6; k++) firn_lanes_store(side[k], s->side[k]);
    firn_lanes_store(near, s->near);
    for (int lane = 0; lane < count; lane++) {
        firn_grains_sum* sum = &out[own[lane] - begin];
        sum->force = firn_v3(force[0][lane], force[1][lane], force[2][lane]);
        sum->torque = firn_v3(torque[0][lane], torque[1][lane], torque[2][lane]);
        for (int k = 0; k < 6; k++) sum->compression.side[k] = side[k][lane];
        sum->near = sum->solid = (int)near[lane];
        sum->slides = (s->slides >> lane & 1) != 0;
        sum->touching = 0;
        sum->power = 0;
        sum->walls = firn_grain_around_none();
        sum->bonds = firn_grains_bonds((uint32_t)s->bonds[0][lane], (uint32_t)s->bonds[1][lane]);
    }
}

// All neighbours of the grains `own`; `first`: the lane of the first, `count`: of them.
static inline void add_neighbours(const firn_grains_cohesion_args* a, firn_local first, int count,
                                  const int32_t* own, sum_lanes* s)
{
    uint32_t bonds[2][FIRN_LANES];
    for (int l = 0; l < FIRN_LANES; l++) {
        bonds[0][l] = l < count ? a->p.bonds[own[l]] : 0;
        bonds[1][l] = l < count ? a->p.bonds_more[own[l]] : 0;
    }
    grain_lanes self = take(a, own);
    take_rest(a->w.grain, own, &self.surface);
    const firn_local slice = first / FIRN_GRAINS_SLICE, row_first = a->list->row_first[slice];
    const int rows = (int)(a->list->row_first[slice + 1] - row_first);
    const int32_t* index =
        a->list->rows + (size_t)row_first * FIRN_GRAINS_SLICE + (size_t)(first % FIRN_GRAINS_SLICE);
    for (int word = 0; word < 2; word++) {
        const firn_lanes_int had = firn_lanes_words(bonds[word]);
        firn_lanes_int has = had ^ had;
        for (int k = 0; k < 32 && 32 * word + k < rows; k++, index += FIRN_GRAINS_SLICE)
            has = firn_lanes_set_bit(has, k,
                                     add_pair(a, &self, index, firn_lanes_has_bit(had, k), s));
        s->bonds[word] = has;
    }
}

static void neighbours_simd(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                            firn_grains_sum* out_sums)
{
    const firn_lanes zero = firn_lanes_all(0);
    for (firn_local first = begin; first < end; first += FIRN_LANES) {
        const int count = (int)(end - first < FIRN_LANES ? end - first : FIRN_LANES);
        sum_lanes s = {.force = {zero, zero, zero},
                       .torque = {zero, zero, zero},
                       .side = {zero, zero, zero, zero, zero, zero},
                       .near = zero};
        const int32_t* own = a->list->lane + first;
        add_neighbours(a, first, count, own, &s);
        give(&s, count, own, begin, out_sums);
    }
}
