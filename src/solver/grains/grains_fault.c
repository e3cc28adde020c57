// SPDX-License-Identifier: MIT
#include "solver/grains/grains_solver.h"

static firn_result fault(const firn_grains* m, firn_local i, const char* what, const char* cause,
                         firn_error* error)
{
    const firn_vec3 x = m->p.position[i], v = m->p.velocity[i];
    return firn_fail(error, FIRN_BROKEN_DIVERGED,
                     "step %lld (dt %.3g s): grain %u at (%.4g, %.4g, %.4g) m, material '%s', "
                     "velocity (%.4g, %.4g, %.4g) m/s, radius %.4g m: %s; likely cause: %s",
                     (long long)m->step, m->dt, (unsigned)m->p.id[i], (double)x.x, (double)x.y,
                     (double)x.z, m->scene->materials[m->p.material[i]].name, (double)v.x,
                     (double)v.y, (double)v.z, (double)m->p.radius[i], what, cause);
}

firn_result firn_grains_fault_lost(const firn_grains* m, firn_local i, firn_error* error)
{
    return fault(m, i, "its place or velocity is not finite, or beyond the reach of the cells",
                 "a value was damaged from outside, or snow flew away without a floor (cull)",
                 error);
}

firn_result firn_grains_fault_runaway(const firn_grains* m, firn_local i, firn_error* error)
{
    return fault(m, i, "it would cross more than its own size in one step",
                 "grains.dt is too large for the springs, or a body moves too fast", error);
}

firn_result firn_grains_fault_crowded(const firn_grains* m, firn_local i, firn_error* error)
{
    return fault(m, i, "more grains are around it than lists can hold",
                 "bodies press snow to nothing, or bodies of snow were put into each other", error);
}
