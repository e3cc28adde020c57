// SPDX-License-Identifier: MIT
#include "solver/grains/step02_cohesion.h"

#include "core/threads/team.h"
#include "scene/data/scene.h"
#include "solver/grains/support/grains_cpu.h"

static firn_grains_sum neighbours(const firn_grains_cohesion_args* a, firn_local i)
{
    const firn_grain* self = &a->w.grain[i];
    firn_grains_sum s = firn_grains_sum_none();
    const int32_t* list = a->list->j + a->list->first[i];
    const uint64_t bonds = firn_grains_bonds(a->p.bonds[i], a->p.bonds_more[i]);
    for (int k = 0; k < a->list->count[i]; k++)
        firn_grains_add_neighbour(a->constants, self, &a->w.grain[list[k]], k, bonds, &s);
    return s;
}

// Heat of packed grains does not need contact: the first layer of grains conducts.
static void add_heat(const firn_grains_cohesion_args* a, firn_local i, firn_local b,
                     firn_grains_sum* s)
{
    const firn_grain* self = &a->w.grain[i];
    const firn_collider* body = &a->colliders[b];
    const firn_shape_tables shapes = firn_shapes_tables(&a->scene->shapes);
    if (firn_grains_misses(body, self->x, (firn_real)FIRN_GRAIN_SURFACE_DEPTH * self->r)) return;
    firn_grains_warm_by_body(a->constants, self, a->p.temperature[i], body, &shapes,
                             a->body_temperature[b], s);
}

static void add_body(const firn_grains_cohesion_args* a, firn_local i, firn_local b,
                     firn_grains_sum* s)
{
    const firn_grain* self = &a->w.grain[i];
    const firn_collider* body = &a->colliders[b];
    const firn_shape_tables shapes = firn_shapes_tables(&a->scene->shapes);
    if (firn_grains_misses(body, self->x, firn_grains_body_range(a->constants, self, body))) return;
    const firn_grain_force f = firn_grains_meet_body(a->constants, self, body, &shapes, s, a->dt);
    if (!f.near) return;
    s->force = firn_v3_add(s->force, f.force);
    s->torque = firn_v3_add(s->torque, f.torque);
    firn_grain_compression_add(s->compression.side, f.n, f.spring);
    s->touching++;
    firn_grains_take(&firn_loads_mine(a->loads)[b], body, self->x, &f, a->dt);
    const firn_real T = a->body_temperature[b];
    if (T == T && a->constants->conduction > 0)
        s->power += firn_grain_surface_heat(a->constants, self, a->p.temperature[i], T, 1);
}

// Adds gravity and colliders to the sums over neighbours.
static void add_outside(const firn_grains_cohesion_args* a, firn_local i, firn_grains_sum* s)
{
    s->force = firn_v3_madd(s->force, a->constants->mass, a->gravity);
    for (firn_local b = 0; b < a->collider_count; b++) {
        add_body(a, i, b, s);
        if (a->heats && !(a->constants->conduction > 0)) add_heat(a, i, b, s);
    }
}

// Energies and momentum at the start of the step.
static void measure(const firn_grains_cohesion_args* a, firn_local i, const firn_grains_sum* s,
                    firn_grains_sums* sums)
{
    const firn_grain* g = &a->w.grain[i];
    const double m = (double)a->constants->mass;
    sums->momentum[0] += m * (double)g->v.x;
    sums->momentum[1] += m * (double)g->v.y;
    sums->momentum[2] += m * (double)g->v.z;
    sums->kinetic += 0.5 * m * (double)firn_v3_dot(g->v, g->v);
    sums->kinetic += 0.5 * (double)firn_grain_inertia(a->constants, g->r) *
                     (double)firn_v3_dot(g->spin, g->spin);
    sums->potential -= m * (double)firn_v3_dot(a->gravity, g->x);
    sums->neighbours += firn_grains_byte(s->near);
}

// Grains [begin, end), FIRN_GRAINS_BLOCK at most.
static void cohere_block(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                         firn_grains_sums* sums)
{
    firn_grains_sum block[FIRN_GRAINS_BLOCK];
    if (a->fast)
        a->ops->neighbours(a, begin, end, block);
    else
        for (firn_local i = begin; i < end; i++) block[i - begin] = neighbours(a, i);
    for (firn_local i = begin; i < end; i++) {
        firn_grains_sum* s = &block[i - begin];
        add_outside(a, i, s);
        measure(a, i, s, sums);
    }
    a->finish(a, begin, end, block, sums);
}

// Stores the sums of grain i.
static void store(const firn_grains_cohesion_args* a, firn_local i, const firn_grains_sum* s)
{
    const firn_grain* self = &a->w.grain[i];
    a->w.force[i] = s->force;
    a->w.torque[i] = s->torque;
    a->w.slides[i] = s->slides;
    a->w.compression[i] = firn_grain_compression_force(&s->compression);
    a->w.near[i] = (uint8_t)firn_grains_byte(s->near);
    a->w.touching[i] = (uint8_t)firn_grains_byte(s->touching);
    a->w.body_power[i] = s->power;
    a->w.walls[i] = s->walls;
    a->p.bonds[i] = (uint32_t)s->bonds;
    a->p.bonds_more[i] = (uint32_t)(s->bonds >> 32);
    const int solid = firn_grains_byte(s->solid);
    a->p.neighbours[i] = (uint8_t)solid;
    a->p.neighbours_max[i] =
        (uint8_t)firn_grains_neighbours_max(a->p.neighbours_max[i], solid, self);
    a->w.broken[i] = self->phase != FIRN_WATER &&
                     firn_grain_breaks(a->constants, solid, a->p.neighbours_max[i], self->broken);
}

void firn_grains_cohesion_store(const firn_grains_cohesion_args* a, firn_local begin,
                                firn_local end, const firn_grains_sum* block,
                                firn_grains_sums* sums)
{
    (void)sums;
    for (firn_local i = begin; i < end; i++) store(a, i, &block[i - begin]);
}

static void cohere_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_grains_cohesion_args* a = self;
    const firn_local n = a->p.count;
    for (firn_local k = begin; k < end; k++) {
        const firn_local from = k * FIRN_GRAINS_CHUNK;
        const firn_local to = from + FIRN_GRAINS_CHUNK < n ? from + FIRN_GRAINS_CHUNK : n;
        firn_grains_sums sums = {.runaway = n};
        for (firn_local at = from; at < to; at += FIRN_GRAINS_BLOCK)
            cohere_block(a, at, at + FIRN_GRAINS_BLOCK < to ? at + FIRN_GRAINS_BLOCK : to, &sums);
        a->w.sums[k] = sums;
    }
}

void firn_grains_cohesion(const firn_grains_cohesion_args* a)
{
    firn_share(firn_grains_chunks(a->p.count), 1, cohere_chunks, a);
}
