// SPDX-License-Identifier: MIT
// One step: the ordered list of section 4.1 of Stomakhin 2013. What each stage reads and writes is
// its argument struct; mpm_args.c fills it.
#include "solver/mpm/support/mpm_cpu.h"
#include "solver/mpm/support/mpm_run.h"

const char* const firn_mpm_stage_names[FIRN_MPM_STAGE_COUNT] = {
    [FIRN_MPM_00_PREPARE] = "prepare",
    [FIRN_MPM_01_RASTERIZE] = "01_rasterize",
    [FIRN_MPM_02_VOLUMES] = "02_volumes",
    [FIRN_MPM_03_FORCES] = "03_forces",
    [FIRN_MPM_04_GRID_VELOCITY] = "04_grid_velocity",
    [FIRN_MPM_05_GRID_COLLIDE] = "05_grid_collide",
    [FIRN_MPM_06_SOLVE] = "06_solve",
    [FIRN_MPM_07_DEFORMATION] = "07_deformation",
    [FIRN_MPM_08_PARTICLE_VELOCITY] = "08_particle_velocity",
    [FIRN_MPM_09_PARTICLE_COLLIDE] = "09_particle_collide",
    [FIRN_MPM_10_ADVECT] = "10_advect",
    [FIRN_MPM_FUSED_01_03] = "fused_01_03",
    [FIRN_MPM_FUSED_07_10] = "fused_07_10",
};

firn_result firn_mpm_step(firn_mpm* m, double time, double dt_limit, double dt_scale,
                          firn_step_report* out_report, firn_error* error)
{
    firn_stages run = firn_mpm_run_begin(m, error);
    firn_stages_prepare(&run, time, dt_limit, dt_scale);
    const bool is_weighing = firn_mpm_is_weighing(&m->def, m->base.step);
    if (is_weighing || m->ops->fused_01_03 == NULL) {
        firn_stages_run(&run, FIRN_MPM_01_RASTERIZE);
        if (is_weighing) firn_stages_run(&run, FIRN_MPM_02_VOLUMES);
        firn_stages_run(&run, FIRN_MPM_03_FORCES);
    } else {
        firn_stages_run(&run, FIRN_MPM_FUSED_01_03);
    }
    firn_stages_run(&run, FIRN_MPM_04_GRID_VELOCITY);
    firn_stages_run(&run, FIRN_MPM_05_GRID_COLLIDE);
    firn_stages_run(&run, FIRN_MPM_06_SOLVE);
    if (m->ops->fused_07_10 == NULL) {
        firn_stages_run(&run, FIRN_MPM_07_DEFORMATION);
        firn_stages_run(&run, FIRN_MPM_08_PARTICLE_VELOCITY);
        firn_stages_run(&run, FIRN_MPM_09_PARTICLE_COLLIDE);
        firn_stages_run(&run, FIRN_MPM_10_ADVECT);
    } else {
        firn_stages_run(&run, FIRN_MPM_FUSED_07_10);
    }
    return firn_mpm_run_end(&run, out_report);
}
