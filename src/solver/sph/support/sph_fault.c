// SPDX-License-Identifier: MIT
#include "solver/sph/support/sph_fault.h"

#include <stdio.h>

#include "math/vec3.h"
#include "solver/shared/fault.h"
#include "solver/sph/support/sph_solver.h"
#include "state/field_values.h"

// What helps against a solve that fails, or against speeds that come of an inexact one: settings
// that `check` warns of first, then the step, then `otherwise`.
static const char* advise(const firn_sph* m, bool shear, const char* otherwise, char out[128])
{
    const char* key = firn_sph_loose_setting(&m->def, shear);
    if (key == NULL) key = firn_sph_loose_setting(&m->def, !shear);
    if (key != NULL)
        snprintf(out, 128, "leave %s out: its default is safe", key);
    else if (m->def.dt > 0)
        snprintf(out, 128, "leave sph.dt out: chosen steps follow the speed of the snow");
    else
        snprintf(out, 128, "%s", otherwise);
    return out;
}

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
        "colliders compress the snow too far, an emitter's rate is too high for its shape, "
        "or its flakes are smaller than a third of sph.spacing",
        error);
}

firn_result firn_sph_fault_runaway(const firn_sph* m, firn_local i, firn_error* error)
{
    char advice[128], cause[256];
    snprintf(cause, sizeof cause,
             "sph.dt is too large for this speed, or a collider moves too fast; %s",
             advise(m, true, "use slower colliders or a smaller sph.cfl", advice));
    return fault(m, i, "it would cross more than two spacings in one step", cause, error);
}

// The first particle with a value that is not finite; else the fastest.
static firn_local find_suspect(const firn_sph* m)
{
    const firn_value_limits limits = {.finite_only = true};
    firn_invalid_value invalid;
    if (firn_particles_find_invalid(&m->base.store, &limits, &invalid)) return invalid.particle;
    firn_local fastest = 0;
    firn_real most = 0;
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_real speed2 = firn_v3_dot(m->p.velocity[i], m->p.velocity[i]);
        if (speed2 > most) fastest = i;
        most = firn_max(speed2, most);
    }
    return fastest;
}

firn_result firn_sph_fault_solve(const firn_sph* m, const char* solve, int iterations, double error,
                                 firn_error* out_error)
{
    char advice[128];
    const bool shear = solve[0] == 's';
    advise(m, shear,
           shear ? "use a smaller sph.dt_max, or softer snow"
                 : "use sph.elasticity: combined, which needs no pressure solve",
           advice);
    char what[192];
    snprintf(
        what, sizeof what,
        "the %s solve went astray, its error is %.3g after %d iterations; this particle is the "
        "fastest, or not finite",
        solve, error, iterations);
    if (m->p.count > 0) return fault(m, find_suspect(m), what, advice, out_error);
    return firn_fail(out_error, FIRN_BROKEN_DIVERGED, "step %lld (dt %.3g s): %s: %s",
                     (long long)m->base.step, m->base.dt, what, advice);
}
