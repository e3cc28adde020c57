// SPDX-License-Identifier: MIT
#include "run/run_loads.h"

#include "output/run/load_means.h"
#include "sim/sim.h"
#include "solver/collider_load.h"

firn_result firn_run_loads_resume(firn_sim* sim)
{
    firn_load_means m;
    FIRN_TRY(firn_load_means_read(sim->output_dir, sim->scene.time.fps, sim->frame + 1, 1, &m,
                                  &sim->error));
    const bool fits = m.colliders == sim->load_count && m.colliders > 0 && m.seconds[0] > 0;
    for (int c = 0; fits && c < m.colliders; c++)
        for (int d = 0; d < 3; d++) {
            sim->load_since.each[c].impulse[d] = m.seconds[0] * m.each[c].force[d];
            sim->load_since.each[c].angular[d] = m.seconds[0] * m.each[c].torque[d];
        }
    if (fits) sim->load_since.seconds = m.seconds[0];
    firn_load_means_destroy(&m);
    return FIRN_OK;
}
