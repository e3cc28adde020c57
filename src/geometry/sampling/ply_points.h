// SPDX-License-Identifier: MIT
// Particles from a PLY file: ASCII or binary (both byte orders), any scalar property types.
#pragma once
#include "geometry/sampling/seeding.h"
#include "math/mat3.h"

// Reads element `vertex` with x, y, z (m) and, when present, vx, vy, vz (m/s), mass (kg), density
// (kg/m^3), plastic_volume, stiffness and the nine of def_grad_elastic_xx … _zz, as `firn export`
// names them. Points with `powder` 1 are left out. Other properties, lists and elements are
// skipped.
typedef struct firn_ply_points {
    firn_local count;
    firn_vec3* position;     // owned
    firn_vec3* velocity;     // owned; null when the file has none
    firn_real* mass;         // owned [kg]; null when the file has none
    firn_real* density;      // owned [kg/m^3]; null when the file has none
    firn_real* plastic_det;  // owned: J_P; null when the file has none
    firn_real* stiffness;    // owned: factor on E; null when the file has none
    firn_mat3* def_grad;     // owned: F_E; null when the file has none
} firn_ply_points;

// Errors name file and line (header, ASCII) or byte offset (binary). Counts are checked against the
// file's size before any allocation. Refused: a file that ends early, even after the points;
// positions or velocities that are not finite or beyond 1e9; mass, density, plastic_volume or
// stiffness not above 0; a deformation whose determinant is not.
firn_result firn_ply_read_points(const char* path, firn_ply_points* out_points, firn_error* error);
// Of the points of a file, which all ranks of to->comm have read, leaves this rank's part, and
// numbers them behind those of `to`, which has room. False: out of memory.
bool firn_ply_points_share(firn_ply_points* points, firn_points* to);
void firn_ply_points_destroy(firn_ply_points* points);
