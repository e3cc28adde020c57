// SPDX-License-Identifier: MIT
// A row of the table of materials, for C and CUDA.
#pragma once
#include "physics/snow_material.h"

typedef struct firn_sph_material {
    firn_lame lame_0;   // [Pa]
    firn_real xi;       // hardening [-]
    firn_real theta_c;  // [-]
    firn_real theta_s;  // [-]
    firn_real hardening_max;
    firn_real density;  // rho_0 [kg/m^3]
    firn_material_phase phase;
    firn_real viscosity;        // eta of a fluid [Pa s]
    firn_real surface_tension;  // sigma of a fluid [N/m]
    firn_real cohesion;         // s of physics/cohesion.h; 0: none
    bool slips;                 // a viscous fluid, along colliders
    int32_t heat;               // firn_heat_law (physics/heat.h)
    firn_real c_ice, c_water;   // [J/kg/K], of a material that melts or freezes
} firn_sph_material;
