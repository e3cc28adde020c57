// SPDX-License-Identifier: MIT
#include "solver/sph/support/sph_fault.h"

#include "solver/shared/fault.h"

static firn_result fault(const firn_sph* m, firn_local i, const char* what, const char* cause,
                         firn_error* error)
{
    static const firn_fault_words words = {"particle", "density", " kg/m^3"};
    const firn_culprit culprit = {.id = m->p.id[i],
                                  .material = m->p.material[i],
                                  .position = m->p.position[i],
                                  .velocity = m->p.velocity[i],
                                  .value = (double)m->p.density[i]};
    return firn_fault(&m->base, &words, &culprit, what, cause, error);
}

firn_result firn_sph_fault_lost(const firn_sph* m, firn_local i, firn_error* error)
{
    return fault(m, i, "its place or velocity is not finite, or beyond the reach of the cells",
                 "a value was damaged from outside, or snow flew away without a floor (cull)",
                 error);
}

firn_result firn_sph_fault_crowded(const firn_sph* m, firn_local i, firn_error* error)
{
    return fault(
        m, i, "more particles are within two spacings of it than lists can hold",
        "colliders compress the snow too far, or an emitter's rate is too high for its shape",
        error);
}

firn_result firn_sph_fault_runaway(const firn_sph* m, firn_local i, firn_error* error)
{
    return fault(m, i, "it would cross more than two spacings in one step",
                 "sph.dt is too large for this speed, or a body moves too fast", error);
}

firn_result firn_sph_fault_solve(const firn_sph* m, const char* solve, int iterations, double error,
                                 firn_error* out_error)
{
    return firn_fail(out_error, FIRN_BROKEN_DIVERGED,
                     "step %lld (dt %.3g s): the %s solve went astray, its error is %.3g after %d "
                     "iterations: use a smaller sph.dt, or softer snow",
                     (long long)m->base.step, m->base.dt, solve, error, iterations);
}
