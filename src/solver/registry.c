// SPDX-License-Identifier: MIT
// The solvers of this build. A new solver adds one line to each table.
#include <stdio.h>
#include <string.h>

#include "scene/parse/keys.h"
#include "solver/ballistic/ballistic.h"
#include "solver/grains/grains.h"
#include "solver/mpm/mpm.h"
#include "solver/solver.h"
#include "solver/sph/sph.h"

const firn_solver* const firn_solvers[] = {
    &firn_solver_mpm,
    &firn_solver_sph,
    &firn_solver_grains,
    &firn_solver_ballistic,
};
const size_t firn_solver_count = sizeof firn_solvers / sizeof *firn_solvers;

static const firn_scene_solver scene_solvers[] = {
    {"mpm", &firn_mpm_keys},
    {"sph", &firn_sph_keys},
    {"grains", &firn_grains_keys},
    {"ballistic", &firn_ballistic_keys},
};
const firn_scene_solver* const firn_scene_solvers = scene_solvers;
_Static_assert(sizeof scene_solvers / sizeof *scene_solvers ==
                   sizeof firn_solvers / sizeof *firn_solvers,
               "a solver is in one table and not in the other");

void firn_solver_names_with(size_t property, char* out_names, size_t size)
{
    out_names[0] = 0;
    for (size_t k = 0; k < firn_solver_count; k++) {
        if (!*(const bool*)((const char*)firn_solvers[k] + property)) continue;
        const size_t used = strlen(out_names);
        snprintf(out_names + used, size - used, "%s%s", used > 0 ? " or " : "",
                 firn_solvers[k]->name);
    }
}
