// SPDX-License-Identifier: MIT
// Materials of natural snow from measurements, and the sources of their formulas.
#pragma once
#include "physics/measured_snow.h"
#include "physics/snow_material.h"

// Where the formulas hold.
#define FIRN_MEASURED_DENSITY_MIN 50.0  // [kg/m^3]
#define FIRN_MEASURED_DENSITY_MAX 500.0
#define FIRN_MEASURED_COLDEST (-60.0)  // [degC]

typedef struct firn_measured_snow {
    double density;      // [kg/m^3]
    double temperature;  // [degC]
    firn_grain_form form;
} firn_measured_snow;

// The constants of the law of Stomakhin et al. 2013 that give this snow its measured stiffness and
// strengths. A bar that is pulled breaks at E theta_s, one that is pressed yields at E theta_c. The
// hardening makes packed snow as stiff as snow of its new density, to first order:
// d ln E / d rho = 0.0149 and rho = rho_0 / J_P give xi = 0.0149 rho_0.
firn_snow_material firn_measured_material(const firn_measured_snow* snow);

// A formula, for people.
typedef struct firn_measured_law {
    const char* constant;  // "young"
    const char* formula;   // rho in kg/m^3, T in degC
    const char* source;    // says what is assumed
} firn_measured_law;

extern const firn_measured_law firn_measured_laws[];
extern const size_t firn_measured_law_count;
