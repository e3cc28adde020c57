// SPDX-License-Identifier: MIT
// Step 5 with dynamic colliders: the velocities V that colliders and snow get from each other.
//
//     M (V - V_0) = sum_i J_i^T m_i (v_i - c_i(V)) + pins
//
// c_i is the velocity of node i after contact with a collider that moves at V. Newton's method,
// with friction as a drag that lags behind; without friction it minimises a convex function.

#include "solver/mpm/collide/collide_at.h"
#include "solver/mpm/rigid/contact_lump.h"
#include "solver/mpm/rigid/mpm_contacts.h"
#include "solver/shared/loads.h"

static void add_contact(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                        firn_mpm_contact* c, double terms[FIRN_MPM_LUMP_TERMS])
{
    const firn_lump* lump = &t->lumps.all[c->lump];
    const firn_collider* body = &a->at.colliders[lump->collider];
    const firn_mpm_carried r = firn_mpm_carry(c, body->friction, body->sticky, lump->V);
    if (!r.held) return;
    firn_mpm_contact_push(c, &r, terms);
}

// One round for one lump. True: V has settled.
static bool improve(const firn_mpm_contacts* t, firn_local k, int round)
{
    double terms[FIRN_MPM_LUMP_TERMS];
    firn_mpm_contacts_terms(t, k, terms);
    return firn_mpm_lump_improve(&t->lumps.all[k], t->lumps.pins, terms, round);
}

// Sets the velocity of the contact's node.
static void place_contact(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                          firn_mpm_contact* c, double terms[FIRN_MPM_LUMP_TERMS])
{
    const firn_lump* lump = &t->lumps.all[c->lump];
    const firn_collider* body = &a->at.colliders[lump->collider];
    const firn_mpm_carried r = firn_mpm_carry(c, body->friction, body->sticky, lump->V);
    c->held = r.held;
    if (!r.held) return;
    a->at.node_new[c->node] = (firn_vec4){r.velocity.x, r.velocity.y, r.velocity.z,
                                          a->at.node_new[c->node][3] + r.unused};
    a->at.node_fixed[c->node] = 2;
    const firn_vec3 x = firn_grid_node_position(a->at.grid, c->node);
    firn_impulse_take(&firn_loads_mine(a->at.loads)[lump->collider],
                      firn_v3_sub(x, body->pose.position), c->mass, c->before, r.velocity);
    firn_mpm_contact_weigh(c, terms);
}

void firn_mpm_contacts_settle(firn_mpm_contacts* t, const firn_mpm_contact_args* a)
{
    bool settled = t->count == 0;
    for (t->rounds = 0; !settled && t->rounds < FIRN_MPM_SETTLE_ROUNDS; t->rounds++) {
        firn_mpm_contacts_sum(t, a, add_contact);
        settled = true;
        for (firn_local k = 0; k < t->lumps.count; k++)
            settled = improve(t, k, t->rounds) && settled;
    }
    firn_mpm_contacts_sum(t, a, place_contact);
    for (firn_local k = 0; k < t->lumps.count; k++) {
        double terms[FIRN_MPM_LUMP_TERMS];
        firn_mpm_contacts_terms(t, k, terms);
        firn_mpm_lump_close(&t->lumps.all[k], t->lumps.pins, terms);
    }
}
