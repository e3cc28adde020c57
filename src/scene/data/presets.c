// SPDX-License-Identifier: MIT
// Named kinds of snow. Stomakhin et al. 2013 give one set of numbers (table 2) and say in section 5
// and figure 8 in which direction each constant changes the look; the paper gives no other values.
// So the reference is table 2 of the paper, factors relative to it are our choice, and `source`
// says which.
#include "scene/data/presets.h"

#include <string.h>

// Practically no cap: exp(xi (1 - J_P)) stays below 2.2e4 for xi = 10 and J_P >= 0.
#define UNCAPPED ((firn_real)1e5)
// Heat: 0.3 W/m/K is for snow of 400 kg/m^3 (Sturm et al. 1997 give 0.1 to 0.5 for 200 to 500),
// 2090 J/kg/K for ice at -5 degC; E does not depend on the temperature.
// Ageing: looks neither creep nor sinter.
#define REST                                                                                       \
    UNCAPPED, 0, 0, FIRN_VISCOSITY_GROWTH, FIRN_SINTERING_EXPONENT, 0, (firn_real)0.3, 2090, 0, 0, \
        0, 0,                                                                                      \
    {                                                                                              \
        {                                                                                          \
            0, 0                                                                                   \
        }                                                                                          \
    }
#define STOMAKHIN     \
    {                 \
        0, 0, 0, 0, 0 \
    }  // no Cam-Clay

#define REFERENCE "Stomakhin et al. 2013, table 2"
#define DIRECTION "Stomakhin et al. 2013, section 5 and figure 8, for the direction of the change; "

// clang-format off
const firn_preset firn_presets[] = {
    // name, description, source, {rho, E, nu, xi, theta_c, theta_s, cap and heat, Cam-Clay}
    {"snow", "The paper's starting point: packs, cracks and crumbles.",
     REFERENCE ".",
     {400, 1.4e5f, 0.2f, 10, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"chunky", "Breaks late, into large pieces.",
     DIRECTION "theta_c = 3.75e-2 and theta_s = 1.125e-2 (1.5 times table 2) are our choice.",
     {400, 1.4e5f, 0.2f, 10, 3.75e-2f, 1.125e-2f, REST, STOMAKHIN}},
    {"wet", "Heavy snow that holds together: large critical stretch, dense.",
     DIRECTION "theta_c and theta_s (twice table 2) and the density 500 kg/m^3 are our choice.",
     {500, 1.4e5f, 0.2f, 10, 5e-2f, 1.5e-2f, REST, STOMAKHIN}},
    {"powder", "Dry and loose: falls apart at the slightest stretch.",
     DIRECTION "theta_c = 1e-2 and theta_s = 1.5e-3 (0.4 and 0.2 times table 2) and the density "
     "200 kg/m^3 are our choice.",
     {200, 1.4e5f, 0.2f, 10, 1e-2f, 1.5e-3f, REST, STOMAKHIN}},
    {"icy", "Stiff and hard once packed: a crust that shatters.",
     DIRECTION "E = 4.2e5 Pa (three times table 2) and xi = 20 (twice) are our choice.",
     {400, 4.2e5f, 0.2f, 20, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"muddy", "Soft slush: flows and does not harden much.",
     DIRECTION "E = 4.7e4 Pa (a third of table 2) and xi = 5 (half) are our choice.",
     {400, 4.7e4f, 0.2f, 5, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"brittle", "Breaks quickly once it yields.",
     DIRECTION "xi = 20 (twice table 2) is our choice.",
     {400, 1.4e5f, 0.2f, 20, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"ductile", "Yields slowly and stretches before it breaks.",
     DIRECTION "xi = 5 (half of table 2) is our choice.",
     {400, 1.4e5f, 0.2f, 5, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"stiff", "As the reference, harder to deform.",
     "Stomakhin et al. 2013, figure 8 varies the stiffness; E = 4.2e5 Pa (three times table 2) is "
     "our choice.",
     {400, 4.2e5f, 0.2f, 10, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"soft", "As the reference, easier to deform.",
     "Stomakhin et al. 2013, figure 8 varies the stiffness; E = 4.7e4 Pa (a third of table 2) is "
     "our choice.",
     {400, 4.7e4f, 0.2f, 10, 2.5e-2f, 7.5e-3f, REST, STOMAKHIN}},
    {"fresh", "Newly fallen snow: light, soft, crumbles.",
     "Our choice in the direction of Stomakhin et al. 2013, section 5: 100 kg/m^3, E = 2e4 Pa, "
     "thresholds between powder and table 2.",
     {100, 2e4f, 0.2f, 10, 1.5e-2f, 3e-3f, REST, STOMAKHIN}},
    {"weak_layer", "Buried surface hoar: carries a slab until it collapses (Cam-Clay, mpm only).",
     "The law of Gaume et al. 2018; E is within the 50 kPa to 1 MPa of weak layers in Bergfeld et "
     "al. 2023, all other constants are our choice.",
     {150, 5e5f, 0.2f, 10, 2.5e-2f, 7.5e-3f, REST, {1.2f, 0.3f, 4e3f, 10, 0.3f}}},
    {"packed", "Snow pressed by hand or foot: dense and firm.",
     "Our choice in the direction of Stomakhin et al. 2013, section 5: 500 kg/m^3, E = 2.8e5 Pa "
     "(twice table 2), theta_s = 1e-2.",
     {500, 2.8e5f, 0.2f, 10, 2.5e-2f, 1e-2f, REST, STOMAKHIN}},
};
// clang-format on
const size_t firn_preset_count = sizeof firn_presets / sizeof *firn_presets;

const firn_preset* firn_preset_find(const char* name)
{
    for (size_t i = 0; i < firn_preset_count; i++)
        if (strcmp(firn_presets[i].name, name) == 0) return &firn_presets[i];
    return NULL;
}

void firn_preset_of_fluid(firn_snow_material* snow, firn_material_phase phase)
{
    snow->phase = (int32_t)phase;
    snow->conductivity = (firn_real)0.56;  // [W/m/K]
    snow->heat_capacity = 4217;            // [J/kg/K]
}
