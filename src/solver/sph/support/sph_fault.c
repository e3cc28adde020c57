// SPDX-License-Identifier: MIT
#include "solver/sph/support/sph_fault.h"

#include "scene/data/scene.h"
#include "scene/data/snow.h"

static firn_result fault(const firn_sph* m, firn_local i, const char* what, const char* cause,
                         firn_error* error)
{
    const firn_vec3 x = m->p.position[i], v = m->p.velocity[i];
    return firn_fail(error, FIRN_BROKEN_DIVERGED,
                     "step %lld (dt %.3g s): particle %u at (%.4g, %.4g, %.4g) m, material '%s', "
                     "velocity (%.4g, %.4g, %.4g) m/s, density %.4g kg/m^3: %s; likely cause: %s",
                     (long long)m->step, m->dt, (unsigned)m->p.id[i], (double)x.x, (double)x.y,
                     (double)x.z, m->scene->materials[m->p.material[i]].name, (double)v.x,
                     (double)v.y, (double)v.z, (double)m->p.density[i], what, cause);
}

firn_result firn_sph_fault_lost(const firn_sph* m, firn_local i, firn_error* error)
{
    return fault(m, i, "its place or velocity is not finite, or beyond the reach of the cells",
                 "a value was damaged from outside, or snow flew away without a floor (cull)",
                 error);
}

firn_result firn_sph_fault_crowded(const firn_sph* m, firn_local i, firn_error* error)
{
    return fault(m, i, "more particles are within two spacings of it than lists can hold",
                 "bodies press snow to nothing, or an emitter's rate is too high for its shape",
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
                     (long long)m->step, m->dt, solve, error, iterations);
}
