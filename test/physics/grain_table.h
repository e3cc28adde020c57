// SPDX-License-Identifier: MIT
// Table 2 of Goswami et al. 2019 as constants of grains, with what VALIDATION.md adds to it: made
// by hand, so that tests of the laws do not lean on the solver that fills them.
#pragma once
#include <math.h>

#include "physics/grain.h"

#define GRAIN_PI 3.14159265358979323846

// [N] What contact forces are good to: an overlap is a difference of floats near 0.1 m, which are
// rounded by 4e-9 m each, times springs of 250 to 900 N/m.
#define CONTACT 2e-5

// No damping unless a test wants it; a reach that cuts no bond.
static inline firn_grain_constants grain_table(void)
{
    const double H = 0.125;  // [m] 2 r_s and the widest gap
    firn_grain_constants c = {.mass = (firn_real)0.0125,
                              .mass_paper = (firn_real)0.0125,
                              .r_snow = (firn_real)0.05,
                              .r_ice = (firn_real)0.025,
                              .r_water = (firn_real)cbrt(0.0125 / 1000),
                              .young_snow = 5000,
                              .young_ice = 35000,
                              .young_water = 35000,
                              .strength_snow = 625,
                              .strength_ice = 3750,
                              .friction = (firn_real)tan(38 * GRAIN_PI / 180),
                              .damping_most = (firn_real)1e6,
                              .shear = (firn_real)0.25,
                              .shear_damping = (firn_real)0.5,
                              .inertia = (firn_real)0.4,
                              .stick_speed = (firn_real)0.05,
                              .tension = (firn_real)0.00012,
                              .reach = (firn_real)0.04,
                              .bonds = FIRN_BONDS_TRACKED,
                              .broken_below = (firn_real)0.75,
                              .force_min = (firn_real)0.12275,
                              .force_max = 10000,
                              .durability_loss = (firn_real)5e-6,
                              .durability_time = (firn_real)1e-3,
                              .heat_capacity = {2090, 2050, 4186},
                              .conductivity = {(firn_real)0.1, (firn_real)0.7, (firn_real)0.602},
                              .transfer = {(firn_real)0.1, (firn_real)0.7, (firn_real)0.602},
                              .latent = 334000,
                              .heat_speed = 1,
                              .conduction = (firn_real)(15 / (2 * GRAIN_PI * pow(H, 5)))};
    c.per_span = 1 / (c.r_snow - c.r_ice);
    return c;
}

// At rest at x along the first axis.
static inline firn_grain grain_at(const firn_grain_constants* c, firn_phase phase, double x)
{
    const firn_real r[] = {c->r_snow, c->r_ice, c->r_water};
    return (firn_grain){.x = {(firn_real)x, 0, 0}, .r = r[phase], .phase = (uint8_t)phase};
}
