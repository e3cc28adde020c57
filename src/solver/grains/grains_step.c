// SPDX-License-Identifier: MIT
// One step: the ordered list of Algorithm 1 of Goswami 2019. What each stage reads and writes is
// its argument struct; grains_run.c fills it.
#include "solver/grains/support/grains_run.h"
#include "solver/grains/support/grains_solver.h"

const char* const firn_grains_stage_names[FIRN_GRAINS_STAGE_COUNT] = {
    [FIRN_GRAINS_00_PREPARE] = "prepare",
    [FIRN_GRAINS_01_NEIGHBOURS] = "01_neighbours",
    [FIRN_GRAINS_02_COHESION] = "02_cohesion",
    [FIRN_GRAINS_03_HEAT] = "03_heat",
    [FIRN_GRAINS_04_COMPRESSION] = "04_compression",
    [FIRN_GRAINS_05_VELOCITY] = "05_velocity",
    [FIRN_GRAINS_06_ADVECT] = "06_advect",
    [FIRN_GRAINS_FUSED_02_06] = "02_06_fused",
};

firn_result firn_grains_step(firn_grains* m, double time, double dt_limit, double dt_scale,
                             firn_step_report* out_report, firn_error* error)
{
    firn_stages run = firn_grains_run_begin(m, error);
    firn_stages_prepare(&run, time, dt_limit, dt_scale);
    firn_stages_run(&run, FIRN_GRAINS_01_NEIGHBOURS);
    if (firn_grains_fuses(m)) {
        firn_stages_run(&run, FIRN_GRAINS_FUSED_02_06);
    } else {
        firn_stages_run(&run, FIRN_GRAINS_02_COHESION);
        if (m->heats) firn_stages_run(&run, FIRN_GRAINS_03_HEAT);
        firn_stages_run(&run, FIRN_GRAINS_04_COMPRESSION);
        firn_stages_run(&run, FIRN_GRAINS_05_VELOCITY);
        firn_stages_run(&run, FIRN_GRAINS_06_ADVECT);
    }
    return firn_grains_run_end(&run, out_report);
}
