// SPDX-License-Identifier: MIT
// Real-time snow of grains: Goswami, Markowicz, Hassan 2019.
// README.md in this folder has the table of steps and symbols.
#pragma once
#include "physics/grain.h"
#include "solver/solver.h"

// What a grain weighs.
typedef enum firn_grains_mass {
    FIRN_GRAINS_MASS_BULK,  // packed grains have the bulk density of the scene
    FIRN_GRAINS_MASS_PAPER  // rho r^3 (erratum 26)
} firn_grains_mass;

// How heat flows between grains, and through the surface of snow.
typedef enum firn_grains_conduction {
    FIRN_GRAINS_CONDUCTION_PACKED,  // packed grains conduct as the keys say
    FIRN_GRAINS_CONDUCTION_PAPER    // eq. 8 and 10
} firn_grains_conduction;

// The `grains` block of a scene; its key table is in grains_def.c. Table 2, unless said otherwise.
typedef struct firn_grains_def {
    double radius;         // r_s [m]; 0: 0.05, or less where there is little snow
    double dt;             // [s] fixed step; 0: by the stiffest spring
    int32_t mass;          // firn_grains_mass
    double density;        // of fresh snow, rho_s [kg/m^3]
    double ice_density;    // rho_i [kg/m^3]
    double water_density;  // rho_w [kg/m^3]
    double young_snow, young_ice, young_water;  // E [Pa]
    double impact_speed;  // [m/s] that springs are stiffened for; 0: of the snow bodies
    double tensile;       // [-] strength of initial bonds, of the measured
    double strength_snow, strength_ice;                              // sigma_n [Pa]
    double repose;                                                   // phi [degrees]
    double damping;                                                  // [-] of the critical
    bool spins;                                                      // grains rotate
    double rolling;                                                  // [-]
    bool solid;                                                      // initial bonds keep lengths
    double stick_speed;                                              // [m/s]
    double tension;                                                  // [N m] of a grain of 0.05 m
    double force_min, force_max;                                     // [N] of a grain of 0.05 m
    double durability_loss;                                          // k_q [1/Pa] in 1 ms
    int32_t bonds;                                                   // firn_grain_bonds
    double broken_below;                                             // [-]
    double capacity_snow, capacity_ice, capacity_water;              // [J/kg/K]
    double conductivity_snow, conductivity_ice, conductivity_water;  // [W/m/K] and [W/m^2/K]
    int32_t conduction;                                              // firn_grains_conduction
    double latent_heat;                                              // [J/kg]
    double heat_speed;                                               // S_f [-]
} firn_grains_def;

extern const firn_solver firn_solver_grains;
extern const firn_key_block firn_grains_keys;
