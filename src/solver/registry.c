// SPDX-License-Identifier: MIT
// The solvers of this build. A new solver adds one line here.
#include <string.h>

#include "solver/ballistic/ballistic.h"
#include "solver/grains/grains.h"
#include "solver/mpm/mpm.h"
#include "solver/solver.h"
#include "solver/sph/sph.h"

const firn_solver* const firn_solvers[] = {&firn_solver_mpm, &firn_solver_sph, &firn_solver_grains,
                                           &firn_solver_ballistic};
const size_t firn_solver_count = sizeof firn_solvers / sizeof *firn_solvers;

const firn_solver* firn_solver_find(const char* name)
{
    for (size_t i = 0; i < firn_solver_count; i++)
        if (strcmp(firn_solvers[i]->name, name) == 0) return firn_solvers[i];
    return NULL;
}
