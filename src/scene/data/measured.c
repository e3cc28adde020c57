// SPDX-License-Identifier: MIT
// Sources of physics/measured_snow.h. "Assumed" is what no measurement that we know of gives; "not
// checked" is what we have not held against the publication itself.
#include "scene/data/measured.h"

const firn_measured_law firn_measured_laws[] = {
    {"young", "0.1873 MPa exp(0.0149 rho)",
     "Scapozza 2004, quasi-static tests, as quoted in the collection snow_models of B. Bergfeld. "
     "Moduli of faster processes are larger: 6.5 GPa (rho/918)^4.4 in Bergfeld et al. 2023."},
    {"poisson", "0.25", "Assumed, within the range of measurements."},
    {"tensile strength", "79.7 kPa (rho/917)^2.39; faceted 58.3 kPa (rho/917)^2.65",
     "Jamieson and Johnston 1990, tests in the field; the numbers for faceted grains are not "
     "checked."},
    {"shear strength", "14.5 kPa (rho/917)^1.73",
     "Jamieson and Johnston, shear frames. For comparison: no constant follows from it."},
    {"compressive strength", "tensile strength / 0.3",
     "Assumed: the ratio of slabs in Gaume et al. 2018."},
    {"critical_stretch", "tensile strength / young", "A bar that is pulled breaks there."},
    {"critical_compression", "compressive strength / young", "A bar that is pressed yields there."},
    {"hardening", "0.0149 rho",
     "Packed snow gets the young of its new density, to first order in the packing."},
    {"conductivity", "2.5e-6 rho^2 - 1.23e-4 rho + 0.024 W/m/K",
     "Calonne et al. 2011, computed from tomography of natural snow."},
    {"heat_capacity", "152.5 + 7.122 (T + 273.15) J/kg/K", "Ice; Yen 1981, not checked."},
    {"viscosity", "7.62237e6 rho/250 exp(-0.1 T + 0.023 rho) Pa s",
     "Vionnet et al. 2012 (Crocus), dry snow that settles under its weight. For ageing."},
    {"sintering", "0.18",
     "Van Herwijnen and Miller 2013: resistance to penetration grows with time to this power, the "
     "mean of samples of many densities. For ageing."},
    {"sintering_time", "1 day", "Assumed."},
};
const size_t firn_measured_law_count = sizeof firn_measured_laws / sizeof *firn_measured_laws;

firn_snow_material firn_measured_material(const firn_measured_snow* snow)
{
    const double young = firn_measured_young(snow->density);
    firn_snow_material m = {0};
    m.density = (firn_real)snow->density;
    m.young = (firn_real)young;
    m.poisson = (firn_real)0.25;
    m.hardening = (firn_real)(0.0149 * snow->density);
    m.critical_compression =
        (firn_real)(firn_measured_compressive_strength(snow->density, snow->form) / young);
    m.critical_stretch =
        (firn_real)(firn_measured_tensile_strength(snow->density, snow->form) / young);
    m.hardening_max = (firn_real)1e5;
    m.viscosity = (firn_real)firn_measured_viscosity(snow->density, snow->temperature);
    m.viscosity_growth = FIRN_VISCOSITY_GROWTH;
    m.sintering = FIRN_SINTERING_EXPONENT;
    m.sintering_time = (firn_real)FIRN_MEASURED_SINTERING_TIME;
    m.conductivity = (firn_real)firn_measured_conductivity(snow->density);
    m.heat_capacity = (firn_real)firn_measured_heat_capacity(snow->temperature);
    return m;
}
