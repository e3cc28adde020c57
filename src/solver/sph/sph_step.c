// SPDX-License-Identifier: MIT
// One step: the ordered list of Algorithm 1 of Gissler 2020. What each stage reads and writes is
// its argument struct; sph_run.c fills it.
#include "solver/sph/support/sph_run.h"

const char* const firn_sph_stage_names[FIRN_SPH_STAGE_COUNT] = {
    [FIRN_SPH_00_PREPARE] = "prepare",
    [FIRN_SPH_01_REST_DENSITY] = "01_rest_density",
    [FIRN_SPH_02_GRADIENT_CORRECTION] = "02_gradient_correction",
    [FIRN_SPH_03_OTHER_ACCELERATIONS] = "03_other_accelerations",
    [FIRN_SPH_03_COHESION] = "03_cohesion",
    [FIRN_SPH_04_FRICTION] = "04_friction",
    [FIRN_SPH_04_VISCOSITY] = "04_viscosity",
    [FIRN_SPH_05_PRESSURE] = "05_pressure",
    [FIRN_SPH_06_SHEAR] = "06_shear",
    [FIRN_SPH_07_VELOCITY] = "07_velocity",
    [FIRN_SPH_08_DEFORMATION] = "08_deformation",
    [FIRN_SPH_09_ADVECT] = "09_advect",
    [FIRN_SPH_10_HEAT] = "10_heat",
    [FIRN_SPH_11_PHASES] = "11_phases",
};

firn_result firn_sph_step(firn_sph* m, double time, double dt_limit, double dt_scale,
                          firn_step_report* out_report, firn_error* error)
{
    firn_stages run = firn_sph_run_begin(m, error);
    firn_stages_prepare(&run, time, dt_limit, dt_scale);
    firn_stages_run(&run, FIRN_SPH_01_REST_DENSITY);
    firn_stages_run(&run, FIRN_SPH_02_GRADIENT_CORRECTION);
    firn_stages_run(&run, FIRN_SPH_03_OTHER_ACCELERATIONS);
    if (m->coheres) firn_stages_run(&run, FIRN_SPH_03_COHESION);
    firn_stages_run(&run, FIRN_SPH_04_FRICTION);
    if (m->fluids) firn_stages_run(&run, FIRN_SPH_04_VISCOSITY);
    if (m->def.elasticity == FIRN_SPH_SPLIT) firn_stages_run(&run, FIRN_SPH_05_PRESSURE);
    if (m->has_snow) firn_stages_run(&run, FIRN_SPH_06_SHEAR);
    firn_stages_run(&run, FIRN_SPH_07_VELOCITY);
    if (m->has_snow) firn_stages_run(&run, FIRN_SPH_08_DEFORMATION);
    firn_stages_run(&run, FIRN_SPH_09_ADVECT);
    if (m->heats) firn_stages_run(&run, FIRN_SPH_10_HEAT);
    if (m->changes) firn_stages_run(&run, FIRN_SPH_11_PHASES);
    return firn_sph_run_end(&run, out_report);
}
