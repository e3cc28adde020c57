// SPDX-License-Identifier: MIT
// Messages of steps that fail: what, where, offending value, what to do.
#include "solver/mpm/support/mpm_fault.h"

#include "scene/data/scene.h"
#include "scene/data/snow.h"

static const firn_fault_words words = {"particle", "J_P", ""};

firn_culprit firn_mpm_culprit_of(const firn_mpm* m, firn_local p)
{
    return (firn_culprit){.id = m->p.id[p],
                          .material = m->p.material[p],
                          .position = m->p.position[p],
                          .velocity = m->p.velocity[p],
                          .value = (double)m->p.plastic_det[p]};
}

firn_result firn_mpm_fault_inverted(const firn_mpm* m, const firn_culprit* p, firn_error* error)
{
    return firn_fault(&m->base, &words, p, "its deformation is inverted or not finite",
                      "the time step is too large for the speed of the impact (mpm.dt, mpm.cfl)",
                      error);
}

firn_result firn_mpm_fault_runaway(const firn_mpm* m, const firn_culprit* p, firn_error* error)
{
    return firn_fault(
        &m->base, &words, p, "it would cross more than a cell in one step",
        !m->implicit ? "mpm.dt is above the limit of explicit integration (hardened speed of sound)"
                     : "mpm.dt is too large for this speed, or a body moves too fast",
        error);
}

firn_result firn_mpm_fault_lost(const firn_mpm* m, const firn_culprit* p, firn_error* error)
{
    const firn_vec3 x = p->position, v = p->velocity;
    return firn_fail(
        error, FIRN_BROKEN_DIVERGED,
        "step %lld: particle %u is at (%g, %g, %g) with velocity (%g, %g, %g), material '%s': not "
        "finite, or beyond the grid's reach of %g m; a value was damaged from outside, or a body "
        "flew away without a floor",
        (long long)m->base.step, (unsigned)p->id, (double)x.x, (double)x.y, (double)x.z,
        (double)v.x, (double)v.y, (double)v.z, m->base.scene->materials[p->material].name,
        4.0 * FIRN_BLOCK_LIMIT * m->def.cell);
}

firn_result firn_mpm_fault_solve(const firn_mpm* m, bool stalled, firn_error* error)
{
    return firn_fail(
        error, FIRN_BROKEN_DIVERGED,
        "step %lld: the linear solve %s after %d iterations at a relative residual of %.2g "
        "(dt %.3g s): use a smaller mpm.dt or more mpm.max_iterations",
        (long long)m->base.step, stalled ? "stalled" : "did not converge", m->iterations,
        m->residual, m->base.dt);
}
