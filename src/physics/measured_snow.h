// SPDX-License-Identifier: MIT
// Constants of natural snow from field and laboratory measurements, by density and temperature.
// scene/data/measured.c lists each formula with its source and what is assumed. The fits scatter by
// a factor of two to ten: the same density has many microstructures.
#pragma once
#include "math/elementary.h"

#define FIRN_ICE_DENSITY 917.0  // [kg/m^3]

typedef enum firn_grain_form {
    FIRN_GRAINS_ROUNDED,  // also decomposing and fragmented particles
    FIRN_GRAINS_FACETED,  // also depth hoar
} firn_grain_form;

FIRN_FN double firn_power_of_density(double density, double exponent)
{
    return firn_exp_double(exponent * firn_log_double(density / FIRN_ICE_DENSITY));
}

// Young's modulus, of quasi-static tests [Pa]. Scapozza 2004.
FIRN_FN double firn_measured_young(double density)
{
    return 1.873e5 * firn_exp_double(0.0149 * density);
}

// Strength in tension [Pa]. Jamieson and Johnston 1990.
FIRN_FN double firn_measured_tensile_strength(double density, firn_grain_form form)
{
    return form == FIRN_GRAINS_FACETED ? 58.3e3 * firn_power_of_density(density, 2.65)
                                       : 79.7e3 * firn_power_of_density(density, 2.39);
}

// Strength in shear [Pa]. Jamieson and Johnston.
FIRN_FN double firn_measured_shear_strength(double density)
{
    return 14.5e3 * firn_power_of_density(density, 1.73);
}

// Strength in compression [Pa]: the tensile one over 0.3, the ratio of both in the cohesive
// Cam-Clay model of slabs (Gaume et al. 2018).
FIRN_FN double firn_measured_compressive_strength(double density, firn_grain_form form)
{
    return firn_measured_tensile_strength(density, form) / 0.3;
}

// Conductivity of heat, k [W/m/K]. Calonne et al. 2011, equation 12.
FIRN_FN double firn_measured_conductivity(double density)
{
    return (2.5e-6 * density - 1.23e-4) * density + 0.024;
}

// Heat capacity of ice, c [J/kg/K]. Yen 1981.
FIRN_FN double firn_measured_heat_capacity(double temperature)
{
    return 152.5 + 7.122 * (temperature + 273.15);
}

// Time in which broken snow has the strength of its density again [s]. Assumed.
#define FIRN_MEASURED_SINTERING_TIME 86400.0

// Viscosity of dry snow that settles under its weight, eta [Pa s]. Vionnet et al. 2012, equation 6.
FIRN_FN double firn_measured_viscosity(double density, double temperature)
{
    return 7.62237e6 * density / 250 * firn_exp_double(-0.1 * temperature + 0.023 * density);
}
