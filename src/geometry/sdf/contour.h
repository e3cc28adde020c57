// SPDX-License-Identifier: MIT
// The surface of a level set as triangles, for those who draw: dual contouring (Ju, Losasso,
// Schaefer and Warren 2002, "Dual contouring of Hermite data"). Each cell of a grid that the
// surface passes through gets one vertex, put where the planes that touch the surface on the
// cell's edges meet: so flat sides stay flat, and edges and corners stay sharp without a finer
// grid.
#pragma once
#include "geometry/sdf/phi.h"
#include "mesh/mesh.h"

typedef struct firn_contour_def {
    firn_phi (*phi)(const void* user, firn_vec3 x);  // distance, or a lower bound of it; gradient
    const void* user;
    firn_real caution;  // 1: a ball of radius |phi| holds no surface; less: only this share of it
    firn_box3 box;      // contains the surface
    firn_real cell;     // [m]; details below it are lost
} firn_contour_def;

// Cell size [m] so that about a million cells fill the box (thin solids get finer ones), between
// 1/96 and 1/384 of its longest side.
firn_real firn_contour_cell(firn_box3 box);
// A closed mesh, empty when nothing is inside. Where two sheets of the surface pass through one
// cell they touch there. FIRN_BROKEN_MEMORY, FIRN_REFUSED_ARGUMENT (a box or cell that makes no
// grid, or one of more than 2^27 cells): `out_mesh` is empty.
firn_result firn_contour(const firn_contour_def* def, firn_mesh* out_mesh, firn_error* error);
