// SPDX-License-Identifier: MIT
// Counting what a step needs. A fused multiply-add is two operations; division, square root,
// comparison and floor are one each, which flatters them: this is a floor. Sums over the 4x4x4
// nodes of a particle are separated: first along z for each of the 16 rows (i, j), then over the
// rows, because w_ip = w_x w_y w_z. "s" is the slope of a weight.
//
// Not counted: sorting (most particles keep their place), sums for reports, addresses.
#include "solver/mpm/mpm_floor.h"

#define NODES 64.0
#define ROWS 16.0

// ---- operations ---------------------------------------------------------------------------------

// math/bspline.h, per axis: x/h, floor, t, u, t^2, u^2: 6. Outer weights 2 each, inner ones two
// fused multiply-adds each: 12. Outer slopes 1 each, inner ones 4 each: 10. Then w_x w_y, s_x w_y
// and w_x s_y for each row.
#define WEIGHTS (3 * (6 + 12 + 10) + 3 * ROWS)

// Steps 1 and 3 in one scatter, T = V_p^0 P F_E^T with columns T_x, T_y, T_z.
// Per row: (m v, m) w_x w_y 4; A = T_x s_x w_y + T_y w_x s_y 9; B = T_z w_x w_y 3.
// Per node: mass and momentum += row w_z, 4 fused; force += A w_z + B s_z, 6 fused.
#define SCATTER (ROWS * (4 + 9 + 3) + NODES * 2 * (4 + 6))

// Steps 7 and 8 in one gather: v_i^{n+1} w_z, v_i^n w_z and v_i^{n+1} s_z along the row, 9 fused
// per node; per row these into both velocities and the three columns of grad v, 15 fused.
#define GATHER (NODES * 2 * 9 + ROWS * 2 * 15)

// Step 7: dt grad v 9, F_E + (dt grad v) F_E 27 fused.
#define DEFORM (9 + 2 * 27)
// One SVD serves the clamp and the next stress. One-sided Jacobi (math/svd3.h): a rotation takes
// three dot products 15, the angle 14, six pairs of components of B and of V 36; three rotations
// make a sweep; four sweeps reach the last bit of a float. Singular values, U: 40.
#define SVD (4 * 3 * (15 + 14 + 36) + 40)
// Clamp 6, U Sigma V^T 9 + 45, J_P 6. Stomakhin 2013, eq. 11-12
#define CLAMP (6 + 54 + 6)
// Step 3 in principal axes: e^(xi (1 - J_P)) 20, Lame parameters 4, the three principal values of
// P F_E^T 15, U diag U^T 9 + 30 (symmetric).
#define STRESS (20 + 4 + 15 + 39)
// m v 3; step 8: the blend 15; step 9: distance to one plane 10; step 10: 6.
#define MOTION (3 + 15 + 10 + 6)
// Steps 4 and 5 per node: 1/m and three products 4, three times v + dt (f/m + g) 15, distance to
// one plane 7.
#define NODE (4 + 15 + 7)

// One product with the matrix of step 6: weights; gather of grad u, 6 fused per node and 9 per row;
// dF = grad u F_E 45; dP (physics/snow_stress.h): R^T dF 45, spin 18, dR 27, cof F and det 32, its
// derivative 63, their sum 72; dP F_E^T 45; scatter of the force as above.
#define PRODUCT                                                                         \
    (WEIGHTS + NODES * 2 * 6 + ROWS * 2 * 9 + 45 + (45 + 18 + 27 + 32 + 63 + 72) + 45 + \
     ROWS * (9 + 3) + NODES * 2 * 6)
// Per node and iteration of CR (linalg/cr.h): four vector updates 24, two dot products 12, u +
// f/m 9.
#define PRODUCT_NODE (24 + 12 + 9)

// ---- bytes --------------------------------------------------------------------------------------
// Two passes over the particles, because a node is complete only when all of them have scattered.
// In reals: position 3, velocity 3, F_E 9, J_P 1; mass, volume, stiffness 3.

#define CHANGING 16
#define CONSTANT 3
// The scatter reads all of it, the gather reads and writes what changes; both read the material.
#define PARTICLE_REALS (CHANGING + CONSTANT + 2 * CHANGING)
#define PARTICLE_BYTES 2
// Mass, momentum, force written and read again, both velocities written and read again.
#define NODE_REALS (2 * 7 + 2 * 6)
// An iteration reads position, F_E, R_E 9, the spin's matrix 6, Lame parameters 2; the last three
// are written once per step.
#define LINEAR_REALS (9 + 6 + 2)
#define PRODUCT_REALS (3 + 9 + LINEAR_REALS)
// r read by the gather 3, A r written 3; the updates read x, p, r, A r, A p and the mass 16 and
// write x, p, r, A p 12.
#define PRODUCT_NODE_REALS (3 + 3 + 16 + 12)

firn_mpm_floor firn_mpm_floor_of(double iterations, double nodes_per_particle)
{
    const double n = nodes_per_particle;
    const double once = iterations > 0 ? LINEAR_REALS : 0;
    const double reals = PARTICLE_REALS + once + NODE_REALS * n +
                         iterations * (PRODUCT_REALS + PRODUCT_NODE_REALS * n);
    return (firn_mpm_floor){.flops = 2 * WEIGHTS + SCATTER + GATHER + DEFORM + SVD + CLAMP +
                                     STRESS + MOTION + NODE * n +
                                     iterations * (PRODUCT + PRODUCT_NODE * n),
                            .bytes = reals * (double)sizeof(firn_real) + PARTICLE_BYTES};
}
