// SPDX-License-Identifier: MIT
// The solvers of this build. A new solver adds one line to each table.
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
