// SPDX-License-Identifier: MIT
// Nodes of the grid inside dynamic colliders, and the velocities that both get from each other.
//
//     step 5   find      list of nodes inside dynamic colliders, in the order of the grid
//              settle    V of each collider by Newton's method: its momentum and what all its nodes
//                        give it balance; then the velocities of the nodes
//     step 6   the solve has two more entries per dynamic collider, for V: its nodes move with it
//     step 9   contact_node.h
//
// The load of the step (shared/loads.h) is what moves the collider in the end, so that momentum is
// exact however far the iterations went. Sums are integers: results do not depend on threads.
#pragma once
#include "core/simd/vec4.h"
#include "geometry/sdf/evaluate.h"
#include "solver/mpm/collide/collide_args.h"
#include "solver/mpm/rigid/contact_node.h"
#include "solver/shared/impulse.h"
#include "solver/shared/lumps.h"
#include "state/sparse_grid.h"

typedef struct firn_mpm_contacts firn_mpm_contacts;  // below

#define FIRN_MPM_CONTACT_CHUNK 256  // contacts of a sum

struct firn_mpm_contacts {
    firn_lumps lumps;           // owned
    firn_mpm_contact* contact;  // owned
    firn_local count, capacity;
    firn_local* first;  // owned [blocks + 1]: contacts of each block
    firn_local block_capacity;
    firn_impulse* sums;  // owned [workers][lumps][FIRN_MPM_LUMP_SUMS]
    size_t sum_capacity;
    int rounds;  // of the last firn_mpm_contacts_settle
};

// The grid that contacts are with: arguments of step 5, and of the solve.
typedef struct firn_mpm_contact_args {
    firn_mpm_grid_collide_args at;  // node_fixed 2: a dynamic collider holds it
    firn_real by;                   // beta dt^2 of the solve
    firn_vec4* node_Hu;             // of the solve
} firn_mpm_contact_args;

void firn_mpm_contacts_destroy(firn_mpm_contacts* contacts);
// Adds what contact c contributes to the sums of its lump.
typedef void firn_mpm_contact_loop(const firn_mpm_contacts* contacts,
                                   const firn_mpm_contact_args* a, firn_mpm_contact* c,
                                   double terms[FIRN_MPM_LUMP_TERMS]);
// Runs it over all contacts, in fixed chunks; the sums are then those of firn_mpm_contacts_terms.
void firn_mpm_contacts_sum(const firn_mpm_contacts* contacts, const firn_mpm_contact_args* a,
                           firn_mpm_contact_loop* loop);
void firn_mpm_contacts_terms(const firn_mpm_contacts* contacts, firn_local lump,
                             double out_terms[FIRN_MPM_LUMP_TERMS]);
// Begins a step: the dynamic colliders, with their velocities before the snow. Memory for `blocks`
// of the grid. FIRN_BROKEN_MEMORY.
firn_result firn_mpm_contacts_begin(firn_mpm_contacts* contacts, const firn_solver_base* base,
                                    firn_local blocks);
// Step 5, after kinematic colliders: lists the contacts. FIRN_BROKEN_MEMORY.
firn_result firn_mpm_contacts_find(firn_mpm_contacts* contacts, const firn_mpm_contact_args* a);
// Then V, and the velocities of nodes.
void firn_mpm_contacts_settle(firn_mpm_contacts* contacts, const firn_mpm_contact_args* a);

// Step 6. Entries 2 k and 2 k + 1 after the nodes are L^T V of lump k: there the lump's mass matrix
// is the identity, which the inner product of the solve needs.
//
// Sets weight, right-hand side and guess of these entries. `scale`: the preconditioner, from the
// diagonal of H in node_Hu; null: none.
void firn_mpm_contacts_start(const firn_mpm_contacts* contacts, const firn_mpm_contact_args* a,
                             firn_vec4* node_velocity, firn_vec4* b, firn_vec4* scale);
// Before H u: the nodes of lumps get J V of `u`; afterwards they are zero again.
void firn_mpm_contacts_lend(const firn_mpm_contacts* contacts, const firn_mpm_contact_args* a,
                            const firn_vec4* u);
void firn_mpm_contacts_return(const firn_mpm_contacts* contacts, const firn_vec4* u);
// After H u: out = u + beta dt^2 L^-1 sum J^T (H u) at these entries. Returns <u, out> of them.
double firn_mpm_contacts_apply(const firn_mpm_contacts* contacts, const firn_mpm_contact_args* a,
                               const firn_vec4* u, firn_vec4* out);
// After the solve: V and the velocities of nodes.
void firn_mpm_contacts_follow(firn_mpm_contacts* contacts, const firn_mpm_contact_args* a);
// What colliders take in the solve, from H v^{n+1} in node_Hu.
void firn_mpm_contacts_react(const firn_mpm_contacts* contacts, const firn_mpm_contact_args* a,
                             const firn_vec4* b);
