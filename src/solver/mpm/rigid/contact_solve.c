// SPDX-License-Identifier: MIT
// Step 6 with dynamic colliders: their velocities are unknowns of the solve. A node that a collider
// holds moves with it, v_i = J_i V + what it slid in step 5; with A = M + sum J^T m J of a lump,
//
//     A (V - V') = - beta dt^2 sum_i J_i^T (H v)_i
//
// In y = L^T V with A = L L^T this is y + beta dt^2 L^-1 J^T H v = y', self-adjoint in the plain
// inner product, and the solve has two more entries of weight 1 for it.
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "solver/mpm/rigid/contact_lump.h"
#include "solver/mpm/rigid/mpm_contacts.h"
#include "solver/shared/loads.h"

static void load_entries(const firn_vec4* u, firn_local at, double out[6])
{
    for (int d = 0; d < 3; d++) {
        out[d] = (double)u[at][d];
        out[3 + d] = (double)u[at + 1][d];
    }
}

static void store_entries(firn_vec4* u, firn_local at, const double y[6])
{
    u[at] = (firn_vec4){(firn_real)y[0], (firn_real)y[1], (firn_real)y[2], 0};
    u[at + 1] = (firn_vec4){(firn_real)y[3], (firn_real)y[4], (firn_real)y[5], 0};
}

static firn_local entry_of(const firn_mpm_contact_args* a, firn_local lump)
{
    return firn_grid_node_count(a->at.grid) + 2 * lump;
}

static void add_stiffness(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                          firn_mpm_contact* c, double terms[FIRN_MPM_LUMP_TERMS])
{
    (void)t;
    if (!c->held) return;
    const firn_vec4 h = a->node_Hu[c->node];
    firn_mpm_contact_stiffen(c, firn_v3(h[0], h[1], h[2]), a->by, terms);
}

static void set_scale(const firn_mpm_contacts* t, firn_local k, firn_vec4* scale)
{
    double terms[FIRN_MPM_LUMP_TERMS], p[6];
    firn_mpm_contacts_terms(t, k, terms);
    firn_mpm_lump_scale(&t->lumps.all[k], terms, p);
    store_entries(scale, 0, p);
    scale[0][3] = scale[1][3] = 1;
}

void firn_mpm_contacts_start(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                             firn_vec4* node_velocity, firn_vec4* b, firn_vec4* scale)
{
    if (scale != NULL) firn_mpm_contacts_sum(t, a, add_stiffness);
    for (firn_local k = 0; k < t->lumps.count; k++) {
        const firn_local at = entry_of(a, k);
        double y[6];
        for (int d = 0; d < 6; d++) y[d] = t->lumps.all[k].V[d];
        firn_lump_transposed(t->lumps.all[k].L, y);
        store_entries(b, at, y);
        store_entries(a->at.node_new, at, y);
        node_velocity[at] = node_velocity[at + 1] = (firn_vec4){0, 0, 0, 1};
        a->at.node_fixed[at] = a->at.node_fixed[at + 1] = 0;
        if (scale != NULL) set_scale(t, k, scale + at);
    }
}

typedef struct lend_pass {
    const firn_mpm_contacts* t;
    const firn_mpm_contact_args* a;
    firn_vec4* u;
} lend_pass;

static void lend_range(const void* self, firn_local begin, firn_local end)
{
    const lend_pass* pass = self;
    const firn_mpm_contacts* t = pass->t;
    firn_local known = -1;
    double V[6];
    for (firn_local k = begin; k < end; k++) {
        const firn_mpm_contact* c = &t->contact[k];
        if (!c->held) continue;
        if (c->lump != known) {
            known = c->lump;
            load_entries(pass->u, entry_of(pass->a, known), V);
            firn_lump_backward(t->lumps.all[known].L, V);
        }
        const firn_vec3 v = firn_lump_velocity_at(V, c->arm);
        pass->u[c->node] = (firn_vec4){v.x, v.y, v.z, 0};
    }
}

void firn_mpm_contacts_lend(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                            const firn_vec4* u)
{
    firn_share(t->count, FIRN_MPM_CONTACT_CHUNK, lend_range, &(lend_pass){t, a, (firn_vec4*)u});
}

void firn_mpm_contacts_return(const firn_mpm_contacts* t, const firn_vec4* u)
{
    firn_vec4* out = (firn_vec4*)u;
    for (firn_local k = 0; k < t->count; k++)
        if (t->contact[k].held) out[t->contact[k].node] = (firn_vec4){0, 0, 0, 0};
}

static void add_Hu(const firn_mpm_contacts* t, const firn_mpm_contact_args* a, firn_mpm_contact* c,
                   double terms[FIRN_MPM_LUMP_TERMS])
{
    (void)t;
    if (!c->held) return;
    const firn_vec4 q = a->node_Hu[c->node];
    firn_mpm_contact_pull(c, firn_v3(q[0], q[1], q[2]), a->by, terms);
}

double firn_mpm_contacts_apply(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                               const firn_vec4* u, firn_vec4* out)
{
    double dot = 0;
    firn_mpm_contacts_sum(t, a, add_Hu);
    for (firn_local k = 0; k < t->lumps.count; k++) {
        const firn_local at = entry_of(a, k);
        double terms[FIRN_MPM_LUMP_TERMS], y[6];
        firn_mpm_contacts_terms(t, k, terms);
        double* f = terms + FIRN_MPM_LUMP_SIDE;
        firn_lump_forward(t->lumps.all[k].L, f);
        load_entries(u, at, y);
        for (int d = 0; d < 6; d++) {
            f[d] += y[d];
            dot += y[d] * f[d];
        }
        store_entries(out, at, f);
    }
    return dot;
}

void firn_mpm_contacts_follow(firn_mpm_contacts* t, const firn_mpm_contact_args* a)
{
    for (firn_local k = 0; k < t->lumps.count; k++) {
        double y[6];
        load_entries(a->at.node_new, entry_of(a, k), y);
        firn_mpm_lump_follow(&t->lumps.all[k], y);
    }
    for (firn_local n = 0; n < t->count; n++) {
        const firn_mpm_contact* c = &t->contact[n];
        if (!c->held) continue;
        const firn_vec3 v = firn_lump_velocity_at(t->lumps.all[c->lump].change, c->arm);
        a->at.node_new[c->node] += (firn_vec4){v.x, v.y, v.z, 0};
    }
}

void firn_mpm_contacts_react(const firn_mpm_contacts* t, const firn_mpm_contact_args* a,
                             const firn_vec4* b)
{
    firn_impulse* taken = firn_loads_mine(a->at.loads);
    for (firn_local k = 0; k < t->count; k++) {
        const firn_mpm_contact* c = &t->contact[k];
        if (!c->held) continue;
        const firn_local collider = t->lumps.all[c->lump].collider;
        const firn_vec3 arm = firn_v3_sub(firn_grid_node_position(a->at.grid, c->node),
                                          a->at.colliders[collider].pose.position);
        const firn_vec4 Hv = a->node_Hu[c->node], v = a->at.node_new[c->node], v_0 = b[c->node];
        double j[3];
        firn_mpm_contact_reaction(c, firn_v3(Hv[0], Hv[1], Hv[2]), a->by, firn_v3(v[0], v[1], v[2]),
                                  firn_v3(v_0[0], v_0[1], v_0[2]), j);
        firn_impulse_add(&taken[collider], arm, j[0], j[1], j[2]);
        firn_impulse_weigh(&taken[collider], c->mass);
    }
}
