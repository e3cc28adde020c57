// SPDX-License-Identifier: MIT
#include "solver/grains/step02_cohesion.h"

#include <string.h>

#include "physics/grain_contact.h"

// What a grain has gathered.
typedef struct sum {
    firn_vec3 force;
    firn_grain_press press;
    int solid;        // neighbours of snow and ice: what bonds are counted by
    int near;         // of any phase
    int touching;     // bodies
    firn_real power;  // [W] of bodies with a temperature
} sum;

static void add_neighbours(const firn_grains_cohesion_args* a, firn_local i, sum* s)
{
    const firn_grain* self = &a->w.grain[i];
    for (firn_local k = a->list->first[i]; k < a->list->first[i + 1]; k++) {
        const firn_grain* other = &a->w.grain[a->list->j[k]];
        const firn_grain_force f = firn_grain_pair(a->constants, self, other);
        if (!f.near) continue;
        s->force = firn_v3_add(s->force, f.force);
        firn_grain_press_add(&s->press, f.n, f.spring);
        s->near++;
        s->solid += other->phase != FIRN_WATER;
    }
}

static void add_body(const firn_grains_cohesion_args* a, firn_local i, firn_local b, sum* s,
                     firn_grains_push* push)
{
    const firn_grain* self = &a->w.grain[i];
    const firn_collider* body = &a->colliders[b];
    const firn_real far = self->r + (body->sticky ? a->constants->reach : 0);
    const firn_vec3 x = self->x, room = firn_v3(far, far, far);
    if (firn_collider_misses_box(body, firn_v3_sub(x, room), firn_v3_add(x, room))) return;
    firn_grain_wall wall = {.friction = body->friction, .sticky = body->sticky};
    wall.phi = firn_collider_distance(body, &a->scene->shapes, x);
    if (wall.phi >= far) return;
    wall.phi = firn_collider_sample(body, &a->scene->shapes, x, &wall.n);
    wall.v = firn_collider_velocity(body, x);
    const firn_grain_force f = firn_grain_wall_force(a->constants, self, &wall, s->force, a->dt);
    if (!f.near) return;
    s->force = firn_v3_add(s->force, f.force);
    firn_grain_press_add(&s->press, f.n, f.spring);
    s->touching++;
    const firn_local k = a->free_of[b];
    if (k >= 0) firn_grains_push_add(&push[k], &a->free[k].rigid, x, f.force);
    const firn_real T = a->body_temperature[b];
    if (T == T) s->power += firn_grain_surface_heat(a->constants, self, a->p.temperature[i], T, 1);
}

static void cohere(const firn_grains_cohesion_args* a, firn_local i, firn_grains_push* push)
{
    const firn_grain* self = &a->w.grain[i];
    sum s = {.force = {0, 0, 0}};
    add_neighbours(a, i, &s);
    s.force = firn_v3_madd(s.force, a->constants->mass, a->gravity);
    for (firn_local b = 0; b < a->collider_count; b++) add_body(a, i, b, &s, push);
    a->w.force[i] = s.force;
    a->w.press[i] = firn_grain_press_force(&s.press);
    a->w.near[i] = (uint8_t)(s.near < UINT8_MAX ? s.near : UINT8_MAX);
    a->w.touching[i] = (uint8_t)(s.touching < UINT8_MAX ? s.touching : UINT8_MAX);
    a->w.body_power[i] = s.power;
    const int solid = s.solid < UINT8_MAX ? s.solid : UINT8_MAX;
    a->p.neighbours[i] = (uint8_t)solid;
    if (solid > a->p.neighbours_max[i]) a->p.neighbours_max[i] = (uint8_t)solid;
    a->w.broken[i] = self->phase != FIRN_WATER &&
                     firn_grain_breaks(a->constants, solid, a->p.neighbours_max[i], self->broken);
}

// Energies and momentum at the start of the step.
static void measure(const firn_grains_cohesion_args* a, firn_local i, firn_grains_sums* sums)
{
    const firn_grain* g = &a->w.grain[i];
    const double m = (double)a->constants->mass;
    sums->momentum[0] += m * (double)g->v.x;
    sums->momentum[1] += m * (double)g->v.y;
    sums->momentum[2] += m * (double)g->v.z;
    sums->kinetic += 0.5 * m * (double)firn_v3_dot(g->v, g->v);
    sums->potential -= m * (double)firn_v3_dot(a->gravity, g->x);
    sums->neighbours += a->w.near[i];
}

void firn_grains_cohesion(const firn_grains_cohesion_args* a)
{
    const firn_local pieces = (a->p.count + FIRN_GRAINS_PIECE - 1) / FIRN_GRAINS_PIECE;
#pragma omp parallel for schedule(dynamic) num_threads(a->threads)
    for (firn_local k = 0; k < pieces; k++) {
        const firn_local begin = k * FIRN_GRAINS_PIECE, most = begin + FIRN_GRAINS_PIECE;
        const firn_local end = most < a->p.count ? most : a->p.count;
        firn_grains_push* push = a->w.push + (size_t)k * (size_t)a->free_count;
        memset(push, 0, (size_t)a->free_count * sizeof *push);
        firn_grains_sums sums = {{0, 0, 0}, 0, 0, 0, 0, 0};
        for (firn_local i = begin; i < end; i++) {
            cohere(a, i, push);
            measure(a, i, &sums);
        }
        a->w.sums[k] = sums;
    }
}
