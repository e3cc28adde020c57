// SPDX-License-Identifier: MIT
#include "solver/shared/lumps.h"

#include <string.h>

#include "bodies/bodies.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "solver/shared/base.h"

#define PIN_MASS 1e4  // of what a collider rests on, relative to the lump

void firn_lumps_destroy(firn_lumps* lumps)
{
    firn_free(lumps->all);
    firn_free(lumps->of);
    *lumps = (firn_lumps){0};
}

static firn_result make_room(firn_lumps* lumps, firn_local colliders)
{
    if (colliders < lumps->capacity) return FIRN_OK;
    firn_lump* all = firn_alloc((size_t)colliders + 1, sizeof *all);
    firn_local* of = firn_alloc((size_t)colliders + 1, sizeof *of);
    if (all == NULL || of == NULL) {
        firn_free(all);
        firn_free(of);
        return FIRN_BROKEN_MEMORY;
    }
    firn_lumps_destroy(lumps);
    *lumps = (firn_lumps){.all = all, .of = of, .capacity = colliders + 1};
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

firn_result firn_lumps_begin(firn_lumps* lumps, const firn_solver_base* base)
{
    lumps->count = 0;
    if (firn_bodies_count(base->bodies) == 0) return FIRN_OK;
    FIRN_TRY(make_room(lumps, base->collider_count));
    lumps->bodies = base->bodies;
    lumps->dt = base->dt;
    for (firn_local c = 0; c < base->collider_count; c++) {
        const firn_local body = firn_bodies_of(base->bodies, c);
        lumps->of[c] = -1;
        if (body < 0 || !firn_bodies_is_free(base->bodies, body)) continue;
        lumps->of[c] = lumps->count;
        begin_lump(&lumps->all[lumps->count], base->bodies, body, c);
        firn_lumps_give(lumps, &lumps->all[lumps->count++]);
    }
    return FIRN_OK;
}

void firn_lumps_pin(const firn_lumps* lumps, const firn_lump* lump, double A[FIRN_LUMP_TERMS],
                    double side[6])
{
    const double mass = PIN_MASS * (A[0] + A[firn_lump_at(1, 1)] + A[firn_lump_at(2, 2)]) / 3;
    const firn_local count = firn_bodies_contact_count(lumps->bodies, lump->body);
    for (firn_local k = 0; k < count; k++) {
        const firn_body_contact c = firn_bodies_contact(lumps->bodies, lump->body, k);
        if (!c.held) continue;
        const firn_vec3 x = c.x, n = c.n, v_other = c.velocity;
        const double arm[3] = {(double)x.x - lump->center[0], (double)x.y - lump->center[1],
                               (double)x.z - lump->center[2]};
        const double normal[3] = {(double)n.x, (double)n.y, (double)n.z};
        double v[3];
        firn_lump_velocity(lump->V, arm, v);
        const double v_n = (v[0] - (double)v_other.x) * normal[0] +
                           (v[1] - (double)v_other.y) * normal[1] +
                           (v[2] - (double)v_other.z) * normal[2];
        const double gap = c.separation > 0 ? (double)c.separation / lumps->dt : 0;
        const double into = v_n + gap;  // what is too fast for the way that is left
        if (!(into < 0)) continue;
        const double stop[3] = {-mass * into * normal[0], -mass * into * normal[1],
                                -mass * into * normal[2]};
        firn_lump_carry(arm, normal, mass, 0, A);
        if (side != NULL) firn_lump_push(arm, stop, side);
    }
}

void firn_lumps_give(const firn_lumps* lumps, firn_lump* lump)
{
    double own[FIRN_LUMP_TERMS];
    memcpy(own, lump->own, sizeof own);
    firn_lumps_pin(lumps, lump, own, NULL);
    firn_lump_invert(own, lump->give);
}

void firn_lumps_pose(const firn_lumps* lumps, firn_collider* colliders)
{
    for (firn_local k = 0; k < lumps->count; k++) {
        const firn_lump* lump = &lumps->all[k];
        firn_pose* pose = &colliders[lump->collider].pose;
        pose->velocity = firn_lump_velocity_at(lump->V, firn_lump_arm(lump, pose->position));
        pose->spin = firn_v3((firn_real)lump->V[3], (firn_real)lump->V[4], (firn_real)lump->V[5]);
    }
}
