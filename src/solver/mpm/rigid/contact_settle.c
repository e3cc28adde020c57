// SPDX-License-Identifier: MIT
// Step 5 with dynamic colliders: the velocities V that colliders and snow get from each other.
//
//     M (V - V_0) = sum_i J_i^T m_i (v_i - c_i(V)) + pins
//
// c_i is the velocity of node i after contact with a collider that moves at V. Newton's method,
// with friction as a drag that lags behind; without friction it minimises a convex function.

#include "solver/mpm/rigid/mpm_contacts.h"
#include "solver/mpm/support/collide_at.h"
#include "solver/shared/loads.h"

#define ROUNDS 16     // 3 to 5 suffice unless contacts open and close
#define CAUTIOUS 8    // rounds after which steps are halved, in case they alternate
#define SETTLED 1e-9  // change of V relative to V, in the norm of the lump

static void add_contact(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                        firn_mpm_contact* c, double terms[FIRN_MPM_LUMP_TERMS])
{
    const firn_lump* lump = &t->lumps.all[c->lump];
    const firn_collider* body = &a->colliders[lump->collider];
    const firn_mpm_carried r = firn_mpm_carry(c, body->friction, body->sticky, lump->V);
    if (!r.held) return;
    const double m = (double)c->mass;
    const double arm[3] = {(double)c->arm.x, (double)c->arm.y, (double)c->arm.z};
    const double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
    const double j[3] = {m * ((double)c->before.x - (double)r.velocity.x),
                         m * ((double)c->before.y - (double)r.velocity.y),
                         m * ((double)c->before.z - (double)r.velocity.z)};
    firn_lump_carry(arm, n, r.along, r.across, terms);
    firn_lump_push(arm, j, terms + FIRN_MPM_LUMP_SIDE);
}

// x . A x
static double square(const double A[FIRN_LUMP_TERMS], const double x[6])
{
    double Ax[6], sum = 0;
    firn_lump_apply(A, x, Ax);
    for (int k = 0; k < 6; k++) sum += x[k] * Ax[k];
    return sum;
}

// One round for one lump. True: V has settled.
static bool improve(const firn_mpm_contacts* t, firn_local k, int round)
{
    firn_lump* lump = &t->lumps.all[k];
    double terms[FIRN_MPM_LUMP_TERMS], A[FIRN_LUMP_TERMS], L[FIRN_LUMP_TERMS], late[6], step[6];
    firn_mpm_contacts_terms(t, k, terms);
    for (int i = 0; i < FIRN_LUMP_TERMS; i++) A[i] = lump->own[i] + terms[i];
    for (int i = 0; i < 6; i++) late[i] = lump->start[i] - lump->V[i];
    firn_lump_apply(lump->own, late, step);
    for (int i = 0; i < 6; i++) step[i] += terms[FIRN_MPM_LUMP_SIDE + i];
    firn_lumps_pin(&t->lumps, lump, A, step);
    if (!firn_lump_factor(A, L)) return true;
    firn_lump_forward(L, step);
    firn_lump_backward(L, step);
    for (int i = 0; i < 6; i++) lump->V[i] += (round < CAUTIOUS ? 1 : 0.5) * step[i];
    return square(A, step) <= SETTLED * SETTLED * square(A, lump->V);
}

// Sets the velocity of the contact's node.
static void place_contact(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                          firn_mpm_contact* c, double terms[FIRN_MPM_LUMP_TERMS])
{
    const firn_lump* lump = &t->lumps.all[c->lump];
    const firn_collider* body = &a->colliders[lump->collider];
    const firn_mpm_carried r = firn_mpm_carry(c, body->friction, body->sticky, lump->V);
    c->held = r.held;
    if (!r.held) return;
    a->node_new[c->node] =
        (firn_vec4){r.velocity.x, r.velocity.y, r.velocity.z, a->node_new[c->node][3] + r.unused};
    a->node_fixed[c->node] = 2;
    const firn_vec3 x = firn_grid_node_position(a->grid, c->node);
    firn_impulse_take(&firn_loads_mine(a->loads)[lump->collider],
                      firn_v3_sub(x, body->pose.position), c->mass, c->before, r.velocity);
    const double arm[3] = {(double)c->arm.x, (double)c->arm.y, (double)c->arm.z};
    const double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
    firn_lump_carry(arm, n, (double)c->mass, (double)c->mass, terms);
    terms[FIRN_MPM_LUMP_MASS] += (double)c->mass;
}

// What the solve and step 9 need of a lump.
static void close_lump(const firn_mpm_contacts* t, firn_local k)
{
    firn_lump* lump = &t->lumps.all[k];
    double terms[FIRN_MPM_LUMP_TERMS], A[FIRN_LUMP_TERMS];
    firn_mpm_contacts_terms(t, k, terms);
    for (int i = 0; i < FIRN_LUMP_TERMS; i++) A[i] = lump->own[i] + terms[i];
    firn_lumps_pin(&t->lumps, lump, A, NULL);
    (void)firn_lump_factor(A, lump->L);
    firn_lumps_give(&t->lumps, lump);
    lump->carried = terms[FIRN_MPM_LUMP_MASS];
}

void firn_mpm_contacts_settle(firn_mpm_contacts* t, const firn_mpm_contact_args* a)
{
    bool settled = t->count == 0;
    for (t->rounds = 0; !settled && t->rounds < ROUNDS; t->rounds++) {
        firn_mpm_contacts_sum(t, a, add_contact);
        settled = true;
        for (firn_local k = 0; k < t->lumps.count; k++)
            settled = improve(t, k, t->rounds) && settled;
    }
    firn_mpm_contacts_sum(t, a, place_contact);
    for (firn_local k = 0; k < t->lumps.count; k++) close_lump(t, k);
}
