// SPDX-License-Identifier: MIT
// All contacts of a step. A contact begins with the impulses that the nearest one of the same
// colliders ended with. Each body owns those with later bodies and with colliders without a mass,
// so that bodies can be searched in parallel.
#include <string.h>

#include "bodies/contact_solve.h"
#include "core/threads/team.h"
#include "geometry/collider/collider_sample.h"

#define MATCH 0.1  // [sizes] a contact moves less than this in a step, relative to both or to one

static void set_tangents(firn_contact* c)
{
    const firn_vec3 across =
        firn_abs(c->n.x) < (firn_real)0.6 ? firn_v3(1, 0, 0) : firn_v3(0, 1, 0);
    c->t[0] = firn_v3_normalize(firn_v3_cross(c->n, across), firn_v3(0, 0, 1));
    c->t[1] = firn_v3_cross(c->n, c->t[0]);
}

// Impulses from the memory of the last step; `used` marks those that were taken.
static void recall(const firn_body* body, const firn_contact_memory* memory, firn_contact* c,
                   firn_real scale, uint32_t* used)
{
    const firn_real far = (firn_real)MATCH * body->size;
    firn_real best = far * far;
    firn_local found = -1;
    for (firn_local k = 0; k < body->memory_count; k++) {
        if (memory[k].other != c->other || (*used >> k & 1) != 0) continue;
        const firn_vec3 d = firn_v3_sub(memory[k].x, c->x);
        const firn_real d2 = firn_v3_dot(d, d);
        if (!(d2 < best)) continue;
        best = d2;
        found = k;
    }
    c->normal = c->tangent[0] = c->tangent[1] = 0;
    if (found < 0) return;
    *used |= (uint32_t)1 << found;
    c->normal = scale * memory[found].normal;
    for (int d = 0; d < 2; d++) c->tangent[d] = scale * firn_v3_dot(memory[found].tangent, c->t[d]);
}

static void fill(const firn_bodies* bodies, firn_local a, firn_local other, firn_contact* c)
{
    const firn_collider* own = &bodies->colliders[bodies->items[a].collider];
    const firn_collider* that = &bodies->colliders[other];
    const firn_local b = bodies->of[other];
    const bool moves = b >= 0 && bodies->items[b].free;
    c->a = a;
    c->b = moves ? b : bodies->count;
    c->other = other;
    set_tangents(c);
    c->from_a = firn_v3_sub(c->x, bodies->movers[a].position);
    c->from_b = firn_v3_sub(c->x, bodies->movers[c->b].position);
    c->velocity = moves ? firn_v3(0, 0, 0) : firn_collider_velocity(that, c->x);
    c->friction = own->sticky || that->sticky ? -1 : firn_sqrt(own->friction * that->friction);
    c->restitution = firn_max(own->restitution, that->restitution);
    c->most = 0;
    c->r_a = c->from_a;
    c->r_b = c->from_b;
    c->approach =
        firn_v3_dot(firn_contact_relative(c, &bodies->movers[a], &bodies->movers[c->b]), c->n);
}

// Takes the place of the contact that is farthest apart, if there are too many.
static void add(firn_body* body, firn_contact* contacts, const firn_contact* c)
{
    if (body->contact_count < FIRN_BODY_CONTACTS) {
        contacts[body->contact_count++] = *c;
        return;
    }
    firn_local worst = 0;
    for (firn_local k = 1; k < FIRN_BODY_CONTACTS; k++)
        if (contacts[k].separation > contacts[worst].separation) worst = k;
    if (c->separation < contacts[worst].separation) contacts[worst] = *c;
}

static bool meets(const firn_bodies* bodies, firn_local a, firn_local other)
{
    const firn_collider* that = &bodies->colliders[other];
    const firn_local b = bodies->of[other];
    if (other == bodies->items[a].collider || that->removed) return false;
    if (b >= 0 && bodies->items[b].free && b < a) return false;  // it is b's
    return !firn_bodies_are_joined(bodies, bodies->items[a].collider, other);
}

static void find_range(const void* self, firn_local begin, firn_local end)
{
    const firn_bodies* bodies = self;
    const firn_real scale =
        bodies->last_h > 0 ? (firn_real)(bodies->dt / bodies->substeps / bodies->last_h) : 0;
    for (firn_local a = begin; a < end; a++) {
        firn_body* body = &bodies->items[a];
        firn_contact* contacts = bodies->contacts + (size_t)a * FIRN_BODY_CONTACTS;
        const firn_contact_memory* memory = bodies->memory + (size_t)a * FIRN_BODY_CONTACTS;
        body->contact_count = 0;
        if (!body->free) continue;
        for (firn_local c = 0; c < bodies->collider_count; c++) {
            if (!meets(bodies, a, c)) continue;
            firn_contact found[FIRN_PAIR_CONTACTS];
            const firn_local count = firn_body_meets(bodies, body, c, found);
            for (firn_local k = 0; k < count; k++) {
                fill(bodies, a, c, &found[k]);
                add(body, contacts, &found[k]);
            }
        }
        uint32_t used = 0;
        for (firn_local k = 0; k < body->contact_count; k++)
            recall(body, memory, &contacts[k], scale, &used);
    }
}

void firn_bodies_find_contacts(firn_bodies* bodies)
{
    firn_share(bodies->count, 1, find_range, bodies);
}

void firn_bodies_remember_contacts(firn_bodies* bodies)
{
    for (firn_local a = 0; a < bodies->count; a++) {
        firn_body* body = &bodies->items[a];
        const firn_contact* contacts = bodies->contacts + (size_t)a * FIRN_BODY_CONTACTS;
        firn_contact_memory* memory = bodies->memory + (size_t)a * FIRN_BODY_CONTACTS;
        memset(memory, 0, FIRN_BODY_CONTACTS * sizeof *memory);  // equal states are equal blocks
        body->memory_count = 0;
        for (firn_local k = 0; k < body->contact_count; k++) {
            const firn_contact* c = &contacts[k];
            if (!(c->normal > 0)) continue;
            memory[body->memory_count].other = c->other;
            memory[body->memory_count].x = c->x;
            memory[body->memory_count].normal = c->normal;
            memory[body->memory_count++].tangent = firn_contact_tangential(c, c->tangent);
        }
    }
}

firn_local firn_bodies_contact_count(const firn_bodies* bodies, firn_local body)
{
    return bodies->items[body].contact_count;
}

firn_body_contact firn_bodies_contact(const firn_bodies* bodies, firn_local body, firn_local k)
{
    const firn_contact* c = &bodies->contacts[(size_t)body * FIRN_BODY_CONTACTS + (size_t)k];
    return (firn_body_contact){.other = c->other,
                               .held = c->b == bodies->count,
                               .x = c->x,
                               .n = c->n,
                               .velocity = c->velocity,
                               .separation = c->separation,
                               .friction = c->friction};
}
