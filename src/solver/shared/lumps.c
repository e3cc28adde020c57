// SPDX-License-Identifier: MIT
#include "solver/shared/lumps.h"

#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "solver/shared/base.h"

void firn_lumps_destroy(firn_lumps* lumps)
{
    firn_free(lumps->all);
    firn_free(lumps->of);
    firn_free(lumps->pins);
    *lumps = (firn_lumps){0};
}

static firn_result make_room(firn_lumps* lumps, firn_local colliders)
{
    if (colliders < lumps->capacity) return FIRN_OK;
    firn_lump* all = firn_alloc((size_t)colliders + 1, sizeof *all);
    firn_local* of = firn_alloc((size_t)colliders + 1, sizeof *of);
    firn_lump_pin* pins = firn_alloc(((size_t)colliders + 1) * FIRN_BODY_CONTACTS, sizeof *pins);
    if (all == NULL || of == NULL || pins == NULL) {
        firn_free(all);
        firn_free(of);
        firn_free(pins);
        return FIRN_BROKEN_MEMORY;
    }
    firn_lumps_destroy(lumps);
    *lumps = (firn_lumps){.all = all, .of = of, .pins = pins, .capacity = colliders + 1};
    return FIRN_OK;
}

// The inertia of the body alone.
static void weigh(const firn_rigid* body, double out_A[FIRN_LUMP_TERMS])
{
    const firn_mat3 R = firn_q_to_m3(body->rotation);
    for (int k = 0; k < FIRN_LUMP_TERMS; k++) out_A[k] = 0;
    for (int d = 0; d < 3; d++) out_A[firn_lump_at(d, d)] = (double)body->mass;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c <= r; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    sum += (double)R.m[r][k] * (double)body->inertia.m[k][l] * (double)R.m[c][l];
            out_A[firn_lump_at(3 + r, 3 + c)] = sum;
        }
}

static void begin_lump(firn_lump* lump, const firn_bodies* bodies, firn_local body,
                       firn_local collider)
{
    const firn_rigid* rigid = firn_bodies_rigid(bodies, body);
    firn_vec3 v, spin;
    firn_bodies_velocity(bodies, body, &v, &spin);
    *lump = (firn_lump){
        .collider = collider,
        .body = body,
        .center = {(double)rigid->position.x, (double)rigid->position.y, (double)rigid->position.z},
        .start = {(double)v.x, (double)v.y, (double)v.z, (double)spin.x, (double)spin.y,
                  (double)spin.z}};
    weigh(rigid, lump->own);
    memcpy(lump->V, lump->start, sizeof lump->V);
}

// What the collider rests on, in the order of its contacts.
static void find_pins(firn_lumps* lumps, firn_lump* lump)
{
    const firn_local count = firn_bodies_contact_count(lumps->bodies, lump->body);
    lump->pin_first = lumps->pin_count;
    for (firn_local k = 0; k < count; k++) {
        const firn_body_contact c = firn_bodies_contact(lumps->bodies, lump->body, k);
        if (!c.held) continue;
        const firn_vec3 x = c.x, n = c.n, v = c.velocity;
        lumps->pins[lumps->pin_count++] =
            (firn_lump_pin){.arm = {(double)x.x - lump->center[0], (double)x.y - lump->center[1],
                                    (double)x.z - lump->center[2]},
                            .normal = {(double)n.x, (double)n.y, (double)n.z},
                            .velocity = {(double)v.x, (double)v.y, (double)v.z},
                            .gap = c.separation > 0 ? (double)c.separation / lumps->dt : 0};
    }
    lump->pin_count = lumps->pin_count - lump->pin_first;
}

firn_result firn_lumps_begin(firn_lumps* lumps, const firn_solver_base* base)
{
    lumps->count = lumps->pin_count = 0;
    if (firn_bodies_count(base->bodies) == 0) return FIRN_OK;
    FIRN_TRY(make_room(lumps, base->collider_count));
    lumps->bodies = base->bodies;
    lumps->dt = base->dt;
    for (firn_local c = 0; c < base->collider_count; c++) {
        const firn_local body = firn_bodies_of(base->bodies, c);
        lumps->of[c] = -1;
        if (body < 0 || !firn_bodies_is_free(base->bodies, body)) continue;
        lumps->of[c] = lumps->count;
        firn_lump* lump = &lumps->all[lumps->count++];
        begin_lump(lump, base->bodies, body, c);
        find_pins(lumps, lump);
        firn_lump_set_give(lump, lumps->pins);
    }
    return FIRN_OK;
}

void firn_lumps_pose(const firn_lumps* lumps, firn_collider* colliders)
{
    for (firn_local k = 0; k < lumps->count; k++) {
        const firn_lump* lump = &lumps->all[k];
        firn_pose* pose = &colliders[lump->collider].pose;
        firn_lump_pose(lump, pose->position, &pose->velocity, &pose->spin);
    }
}
