// SPDX-License-Identifier: MIT
// Step 6: (I + beta dt^2 M^-1 H) v^{n+1} = v^*, H = d^2 Phi / dx^2 at x^n. Stomakhin 2013, eq. 7-9.
// Conjugate residuals in the mass product; matrix-free: H u is a gather of grad u, dP of each
// particle, and a scatter. beta = 0 (explicit): v^{n+1} = v^*, nothing to do.
// Preconditioner: m_i / (m_i + beta dt^2 h_i), h_i the diagonal of H for undeformed snow of the
// particle's hardened stiffness, h_d = sum_p V_p^0 (mu |grad w|^2 + (mu + lambda) (dw/dx_d)^2): a
// scatter with squared weights.
#pragma once
#include "geometry/sdf/evaluate.h"
#include "linalg/cr.h"
#include "solver/mpm/mpm_state.h"
#include "solver/mpm/rigid/mpm_contacts.h"
#include "solver/mpm/step03_forces.h"
#include "state/stencil.h"

// What the fast loops store of each particle during a solve, in the order of grid->order.
typedef struct firn_mpm_compact {
    firn_cell_offset* offset;  // [particles]
    firn_real* linear;         // nine arrays of `stride` (step06_solve_simd.c)
    size_t stride;             // particles and a SIMD batch more
} firn_mpm_compact;

typedef struct firn_mpm_solve_args {
    const firn_sparse_grid* grid;  // whose blocks scatter, and where to
    const firn_sparse_grid* from;  // whose nodes they read: the same, but for tiles of ranks
    firn_mpm_part* part;           // one rank's share of the system; null: all of it
    firn_spline spline;
    const firn_vec3* position;          // x_p
    const firn_mat3* def_grad_elastic;  // F_E
    const firn_real* plastic_det;       // J_P
    const firn_real* volume;            // V_p^0
    const firn_real* stiffness;
    const firn_real* hardening;  // null: 1
    const uint8_t* material;
    const firn_mpm_material* materials;
    firn_vec4* node_velocity;        // v_i^n, m_i; weights of contacts->lumps after the nodes
    const uint8_t* node_fixed;       // step 5
    const firn_collider* colliders;  // as in step 5
    firn_shape_tables shapes;
    const firn_loads* loads;   // out: what colliders take in the solve (step06_solve_reaction.c)
    firn_mpm_linear* linear;   // scratch [particles]; of the plain loops
    firn_mpm_compact compact;  // scratch; of the fast loops
    firn_vec4* node_Hu;        // scratch: H u (the forces' array, no longer needed)
    firn_vec4 *r, *p, *Az, *Ap, *b;  // scratch of the solver
    firn_vec4 *scale, *z;            // preconditioner and its scratch; null: none
    double* partial;  // scratch [blocks + 1]: of a block of nodes each (firn_mpm_add_up)
    firn_vec3 gravity;
    firn_real dt, beta;
    firn_mpm_guess guess;
    double tolerance;
    double size_floor;  // of |v*| in the mass norm, for the stop rule
    int max_iterations;
    firn_vec4* node_new;            // in: v_i^*; out: v_i^{n+1}
    firn_mpm_contacts* contacts;    // nodes that move with dynamic colliders; null: none
    firn_mpm_contact_args contact;  // of them
} firn_mpm_solve_args;

// The exact sum of partial sums: what blocks there are decides it, not their order, nor how many
// threads or ranks have them.
double firn_mpm_add_up(void* solve_args, const double* partial, firn_local count);

// Linearisation point of one particle: F_E^n (eq. 8 takes the Hessian there, not at F_hat).
static inline firn_mpm_linear firn_mpm_linear_particle(const firn_mpm_solve_args* a, firn_local p)
{
    const firn_mat3 F_E = a->def_grad_elastic[p];
    firn_mpm_linear l;
    l.R_E = firn_polar3_rotation(F_E);
    l.A = firn_snow_spin_solve(firn_polar3_stretch(l.R_E, F_E));
    const firn_mpm_material* mat = &a->materials[a->material[p]];
    const firn_real J_P = a->plastic_det[p];
    const firn_lame lame =
        firn_mpm_lame_particle(mat, firn_mpm_rate(mat, a->hardening, p, J_P), a->stiffness[p], J_P);
    l.lame = firn_snow_harden(lame, a->volume[p]);
    return l;
}

// V_p^0 A_p F_E^T of eq. 7-8 for a displacement with gradient grad_u.
static inline firn_mat3 firn_mpm_stress_change_particle(const firn_mpm_solve_args* a, firn_local p,
                                                        firn_mat3 grad_u)
{
    const firn_mat3 F_E = a->def_grad_elastic[p];
    const firn_mpm_linear* l = &a->linear[p];
    const firn_mat3 dF = firn_m3_mul(grad_u, F_E);
    const firn_mat3 dP = firn_snow_stress_derivative(F_E, l->R_E, l->A, l->lame, dF);
    return firn_m3_mul_transposed(dP, F_E);
}
