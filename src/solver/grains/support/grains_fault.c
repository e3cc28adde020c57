// SPDX-License-Identifier: MIT
#include "scene/data/snow.h"
#include "solver/grains/support/grains_solver.h"

static const firn_fault_words words = {"grain", "radius", " m"};

firn_culprit firn_grains_culprit_of(const firn_grains* m, firn_local i)
{
    return (firn_culprit){.id = m->p.id[i],
                          .material = m->p.material[i],
                          .position = m->p.position[i],
                          .velocity = m->p.velocity[i],
                          .value = (double)m->p.radius[i]};
}

firn_result firn_grains_fault_lost(const firn_grains* m, const firn_culprit* culprit,
                                   firn_error* error)
{
    return firn_fault(&m->base, &words, culprit,
                      "its place or velocity is not finite, or beyond the reach of the cells",
                      "a value was damaged from outside, or snow flew away without a floor (cull)",
                      error);
}

firn_result firn_grains_fault_runaway(const firn_grains* m, const firn_culprit* culprit,
                                      firn_error* error)
{
    return firn_fault(&m->base, &words, culprit,
                      "it would cross more than its own size in one step",
                      "grains.dt is too large for the springs, or a body moves too fast", error);
}

firn_result firn_grains_fault_crowded(const firn_grains* m, const firn_culprit* culprit,
                                      firn_error* error)
{
    return firn_fault(&m->base, &words, culprit, "more grains are around it than lists can hold",
                      "colliders compress the snow too far, or shapes of snow overlap", error);
}
