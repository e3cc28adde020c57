// SPDX-License-Identifier: MIT
// Counting what a step needs. A fused multiply-add is two operations; division, square root,
// comparison and floor() are one each, although they cost more: this is a lower bound. Sums over
// the 4x4x4 nodes of a particle (3x3x3 with quadratic splines) are separated: first along z for
// each of the rows (i, j), then over the rows, because w_ip = w_x w_y w_z. "s" is the slope of a
// weight.
//
// Not counted: sorting (most particles stay in their cell), sums for reports, addresses.
#include "solver/mpm/support/mpm_roofline.h"

// ---- operations ---------------------------------------------------------------------------------

// math/bspline.h, per axis: x/h, floor, t, u, t^2, u^2: 6. Outer weights 2 each, inner ones two
// fused multiply-adds each: 12. Outer slopes 1 each, inner ones 4 each: 10. Then w_x w_y, s_x w_y
// and w_x s_y for each row.
#define CUBIC_AXIS (6 + 12 + 10)
// Quadratic, from the nearest node: x/h - 1/2 (fused), floor, d: 4; 1/2 - d, 1/2 + d: 2; outer
// weights 2 each, 3/4 - d^2 fused: 6; slopes 3.
#define QUADRATIC_AXIS (4 + 2 + 6 + 3)

// Steps 1 and 3 in one scatter, T = V_p^0 P F_E^T with columns T_x, T_y, T_z.
// Per row: (m v, m) w_x w_y 4; A = T_x s_x w_y + T_y w_x s_y 9; B = T_z w_x w_y 3.
// Per node: mass and momentum += row w_z, 4 fused; force += A w_z + B s_z, 6 fused.
#define SCATTER_ROW (4 + 9 + 3)
#define SCATTER_NODE (2 * (4 + 6))

// Steps 7 and 8 in one gather: v_i^{n+1} w_z, v_i^n w_z and v_i^{n+1} s_z along the row, 9 fused
// per node; per row these into both velocities and the three columns of grad v, 15 fused.
#define GATHER_ROW (2 * 15)
#define GATHER_NODE (2 * 9)

// Step 7: dt grad v 9, F_E + (dt grad v) F_E 27 fused.
#define DEFORM (9 + 2 * 27)
// The spectrum of F F^T serves the clamp and the next stress. F F^T - I 33 (symmetric), det F 14;
// the eigenvalue that stands apart, its projector and the rest (math/spectrum3_lanes.h): trace and
// size 19, determinant 23, root of the cubic 24, projector 30, remainder 22.
#define SPECTRUM (33 + 14 + 19 + 23 + 24 + 30 + 22)
// Stomakhin 2013, eq. 11-12: singular values 6, clamped 6, c/s - 1 and its slope 11, as a matrix
// 22; (I + G) F 27 fused; J_P 6.
#define CLAMP (6 + 6 + 11 + 22 + 2 * 27 + 6)
// Step 3: e^(xi (1 - J_P)) 20, Lame parameters 4, principal values of P F_E^T 15, as a matrix 22.
#define STRESS (20 + 4 + 15 + 22)
// m v 3; step 8: the blend 15; step 9: distance to one plane 10; step 10: 6.
#define MOTION (3 + 15 + 10 + 6)
// Steps 4 and 5 per node: 1/m and three products 4, three times v + dt (f/m + g) 15, distance to
// one plane 7.
#define NODE (4 + 15 + 7)

// One product with the matrix of step 6: weights; gather of grad u, 6 fused per node and 9 per row;
// T = dP F_E^T from grad u (physics/snow_derivative_lanes.h): grad u L 45, spin 48, the rest of
// 2 mu (grad u L - W) L 51, bulk 15, sum 18; scatter of the force as above.
#define PRODUCT_ROW (2 * 9 + (9 + 3))
#define PRODUCT_REACHED (2 * 6 + 2 * 6)
#define PRODUCT_PARTICLE (45 + 48 + 51 + 15 + 18)
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
// An iteration reads where a particle sits 3 and its linearised stress 9, written once per step.
#define LINEAR_REALS (3 + 9)
// r read by the gather 3, A r written 3; the updates read x, p, r, A r, A p and the mass 16 and
// write x, p, r, A p 12.
#define PRODUCT_NODE_REALS (3 + 3 + 16 + 12)

firn_roofline firn_mpm_roofline(firn_spline spline, double iterations, double nodes_per_particle)
{
    const double side = spline == FIRN_SPLINE_QUADRATIC ? 3 : 4, rows = side * side;
    const double reached = rows * side;
    const double weights =
        3 * (spline == FIRN_SPLINE_QUADRATIC ? QUADRATIC_AXIS : CUBIC_AXIS) + 3 * rows;
    const double transfers =
        2 * weights + rows * (SCATTER_ROW + GATHER_ROW) + reached * (SCATTER_NODE + GATHER_NODE);
    const double product =
        weights + rows * PRODUCT_ROW + reached * PRODUCT_REACHED + PRODUCT_PARTICLE;
    const double n = nodes_per_particle;
    const double once = iterations > 0 ? LINEAR_REALS : 0;
    const double reals = PARTICLE_REALS + once + NODE_REALS * n +
                         iterations * (LINEAR_REALS + PRODUCT_NODE_REALS * n);
    return (firn_roofline){.flops = transfers + DEFORM + SPECTRUM + CLAMP + STRESS + MOTION +
                                    NODE * n + iterations * (product + PRODUCT_NODE * n),
                           .bytes = reals * (double)sizeof(firn_real) + PARTICLE_BYTES};
}
