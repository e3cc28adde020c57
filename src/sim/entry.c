// SPDX-License-Identifier: MIT
#include "sim/entry.h"

#include "core/memory.h"
#include "sim/sim.h"

static firn_entry enter_own(firn_team* team)
{
    return (firn_entry){team, firn_team_use(team), firn_memory_used()};
}

firn_entry firn_enter(int threads)
{
    return enter_own(firn_team_create(threads));
}

firn_entry firn_scene_enter(const firn_scene* scene, int threads)
{
    if (scene->jobs.run != NULL) return enter_own(firn_team_create_on(&scene->jobs));
    return firn_enter(scene->threads > 0 ? scene->threads : threads);
}

firn_entry firn_sim_enter(const firn_sim* sim)
{
    return (firn_entry){NULL, firn_team_use(sim->team), firn_memory_use(sim->memory)};
}

void firn_leave(firn_entry entry)
{
    firn_memory_use(entry.outer_memory);
    firn_team_use(entry.outer_team);
    firn_team_destroy(entry.own);
}
