// SPDX-License-Identifier: MIT
// The constants of one kind of snow, or of a fluid that meets it. Stomakhin 2013, section 5 and
// table 2.
#pragma once
#include "math/shared.h"

#define FIRN_YOUNG_AT_MAX 16
// How viscosity grows with density (Vionnet et al. 2012) and strength with time in contact (van
// Herwijnen and Miller 2013); for all snow that does not say otherwise.
#define FIRN_VISCOSITY_GROWTH ((firn_real)0.023)   // [m^3/kg]
#define FIRN_SINTERING_EXPONENT ((firn_real)0.18)  // [-]

// Stiffness at one temperature.
typedef struct firn_young_row {
    firn_real temperature;  // [degC]
    firn_real young;        // E [Pa]
} firn_young_row;

// Constants of the second plasticity (physics/cam_clay.h).
typedef struct firn_cam_clay {
    firn_real friction;       // M [-]; 0: none, the law of Stomakhin et al. 2013
    firn_real cohesion;       // beta [-]
    firn_real consolidation;  // p_0 at rest [Pa]
    firn_real hardening;      // xi [-]
    firn_real collapse;       // [-] log of the volume that broken snow loses; 0: does not collapse
} firn_cam_clay;

// What a material is. Fluids are incompressible and have no elasticity (Gissler 2020, sec. 3.2.1).
typedef enum firn_material_phase {
    FIRN_PHASE_SNOW,
    FIRN_PHASE_WATER,   // flows freely, unless it has a viscosity
    FIRN_PHASE_VISCOUS  // chocolate, batter, soft ice: implicit viscosity (viscosity.h)
} firn_material_phase;

typedef struct firn_snow_material {
    firn_real density;               // rho_0 [kg/m^3]
    firn_real young;                 // E_0 [Pa]
    firn_real poisson;               // nu [-]
    firn_real hardening;             // xi [-]
    firn_real critical_compression;  // theta_c [-]
    firn_real critical_stretch;      // theta_s [-]
    firn_real hardening_max;         // cap on exp(xi (1 - J_P)) [-]
    firn_real fracture_energy;       // G_f [J/m^2]; 0: softening by xi, whatever the cell
    firn_real viscosity;             // eta [Pa s]: of creep at rho_0 (snow_creep.h), of a fluid;
                                     // 0: none
    firn_real viscosity_growth;      // of ln eta with density [m^3/kg]
    firn_real sintering;             // exponent n of time [-] (snow_sintering.h)
    firn_real sintering_time;        // t_s [s]; 0: broken snow stays weak
    firn_real conductivity;          // of heat, k [W/m/K]
    firn_real heat_capacity;         // c [J/kg/K]
    firn_real surface_tension;       // sigma of a fluid [N/m] (cohesion.h); 0: none
    int32_t phase;                   // firn_material_phase
    int32_t slips;                   // a viscous fluid along colliders; 0: it sticks to them
    int32_t young_count;             // 0: E does not depend on the temperature (physics/heat.h)
    firn_young_row young_at[FIRN_YOUNG_AT_MAX];  // ascending in temperature
    firn_cam_clay cam_clay;
} firn_snow_material;

// Creep of a material (snow_creep.h).
typedef struct firn_creep_law {
    firn_real viscosity;  // eta [Pa s] at rho_0 and the snow's temperature; 0: does not creep
    firn_real growth;     // of ln eta with density, beyond the density itself [m^3/kg]
    firn_real density;    // rho_0 [kg/m^3]
} firn_creep_law;

// Sintering of a material (snow_sintering.h).
typedef struct firn_sintering_law {
    firn_real exponent;  // n [-]
    firn_real time;      // t_s [s]; 0: does not sinter
} firn_sintering_law;

// Lame coefficients: mu shears, lambda changes volume. [Pa]
typedef struct firn_lame {
    firn_real mu, lambda;
} firn_lame;

FIRN_FN firn_lame firn_snow_lame(firn_real young, firn_real poisson)
{
    return FIRN_LIT(firn_lame){young / (2 * (1 + poisson)),
                               young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}
