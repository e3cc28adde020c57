// SPDX-License-Identifier: MIT
// The surface of a frame's snow as a mesh for other programs: closed, smooth, with normals and what
// the particles next to a vertex have.
#pragma once
#include "output/frame/frame.h"
#include "state/surface/smooth_surface.h"

// Snow at rest, from the scene: it tells how much space a particle fills.
typedef struct firn_rest_state {
    const firn_real* density;  // [material_count] [kg/m^3]; borrowed
    firn_local material_count;
    double per_cell;  // particles in a cell of packed snow
    double spacing;   // [m] of particles in packed snow; 0: unknown
    bool lattice;     // snow starts on a lattice with this spacing, not at random in cells
} firn_rest_state;

typedef struct firn_snow_mesh {
    firn_isosurface surface;  // carried[0]: velocity [m/s], where the frame has it
    float* temperature;       // owned [degC]; null: the frame has none
    uint8_t* material;        // owned; null: the frame has none
    double voxel;             // [m] of the grid that was contoured
} firn_snow_mesh;

// `voxel` [m]: of the grid that is contoured; 0: half the spacing of particles. Bitwise independent
// of the number of threads. FIRN_REFUSED_ARGUMENT: positions or masses that are not finite.
firn_result firn_snow_mesh_make(const firn_frame* frame, const firn_rest_state* rest, double voxel,
                                firn_snow_mesh* out_mesh, firn_error* error);
void firn_snow_mesh_destroy(firn_snow_mesh* mesh);

// Files, each written completely or not at all. z_up: (x, y, z) -> (x, -z, y); glTF has Y up
// always.
//     PLY  binary: x y z nx ny nz, vx vy vz, temperature, material; faces
//     OBJ  text: v, vn, f
//     GLB  binary glTF 2.0: POSITION, NORMAL, _VELOCITY, _TEMPERATURE, _MATERIAL
firn_result firn_mesh_ply_write(const char* path, const firn_snow_mesh* mesh,
                                const firn_frame_info* info, bool z_up, firn_error* error);
firn_result firn_mesh_obj_write(const char* path, const firn_snow_mesh* mesh,
                                const firn_frame_info* info, bool z_up, firn_error* error);
firn_result firn_mesh_glb_write(const char* path, const firn_snow_mesh* mesh,
                                const firn_frame_info* info, bool z_up, firn_error* error);
