// SPDX-License-Identifier: MIT
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/grains/support/grains_solver.h"

firn_grains_culprit firn_grains_culprit_of(const firn_grains* m, firn_local i)
{
    return (firn_grains_culprit){m->p.id[i], m->p.material[i], m->p.position[i], m->p.velocity[i],
                                 m->p.radius[i]};
}

static firn_result fault(const firn_grains* m, const firn_grains_culprit* culprit, const char* what,
                         const char* cause, firn_error* error)
{
    const firn_vec3 x = culprit->position, v = culprit->velocity;
    return firn_fail(error, FIRN_BROKEN_DIVERGED,
                     "step %lld (dt %.3g s): grain %u at (%.4g, %.4g, %.4g) m, material '%s', "
                     "velocity (%.4g, %.4g, %.4g) m/s, radius %.4g m: %s; likely cause: %s",
                     (long long)m->step, m->dt, (unsigned)culprit->id, (double)x.x, (double)x.y,
                     (double)x.z, m->scene->materials[culprit->material].name, (double)v.x,
                     (double)v.y, (double)v.z, (double)culprit->radius, what, cause);
}

firn_result firn_grains_fault_lost(const firn_grains* m, const firn_grains_culprit* culprit,
                                   firn_error* error)
{
    return fault(
        m, culprit, "its place or velocity is not finite, or beyond the reach of the cells",
        "a value was damaged from outside, or snow flew away without a floor (cull)", error);
}

firn_result firn_grains_fault_runaway(const firn_grains* m, const firn_grains_culprit* culprit,
                                      firn_error* error)
{
    return fault(m, culprit, "it would cross more than its own size in one step",
                 "grains.dt is too large for the springs, or a body moves too fast", error);
}

firn_result firn_grains_fault_crowded(const firn_grains* m, const firn_grains_culprit* culprit,
                                      firn_error* error)
{
    return fault(m, culprit, "more grains are around it than lists can hold",
                 "bodies press snow to nothing, or bodies of snow were put into each other", error);
}
