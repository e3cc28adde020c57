// SPDX-License-Identifier: MIT
#include "solver/sph/support/sph_fault.h"

#include <stdio.h>

#include "math/vec3.h"
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

firn_culprit firn_sph_culprit_of(const firn_sph* m, firn_local i)
{
    return (firn_culprit){.id = m->p.id[i],
                          .material = m->p.material[i],
                          .position = m->p.position[i],
                          .velocity = m->p.velocity[i],
                          .value = (double)m->p.density[i]};
}

static firn_result fault(const firn_sph* m, const firn_culprit* p, const char* what,
                         const char* cause, firn_error* error)
{
    static const firn_fault_words words = {"particle", "density", " kg/m^3"};
    return firn_fault(&m->base, &words, p, what, cause, error);
}

firn_result firn_sph_fault_lost(const firn_sph* m, const firn_culprit* p, firn_error* error)
{
    return fault(m, p, "its place or velocity is not finite, or beyond the reach of the cells",
                 "a value was damaged from outside, or snow flew away without a floor (cull)",
                 error);
}

firn_result firn_sph_fault_crowded(const firn_sph* m, const firn_culprit* p, firn_error* error)
{
    return fault(
        m, p, "more particles are within two spacings of it than lists can hold",
        "colliders compress the snow too far, an emitter's rate is too high for its shape, "
        "or its flakes are smaller than a third of sph.spacing",
        error);
}

firn_result firn_sph_fault_runaway(const firn_sph* m, const firn_culprit* p, firn_error* error)
{
    char advice[128], cause[256];
    snprintf(cause, sizeof cause,
             "sph.dt is too large for this speed, or a collider moves too fast; %s",
             advise(m, true, "use slower colliders or a smaller sph.cfl", advice));
    return fault(m, p, "it would cross more than two spacings in one step", cause, error);
}

firn_culprit firn_sph_suspect(const firn_sph* m)
{
    const firn_value_limits limits = {.finite_only = true};
    firn_invalid_value invalid;
    if (firn_particles_find_invalid(&m->base.store, &limits, &invalid))
        return firn_sph_culprit_of(m, invalid.particle);
    firn_local fastest = 0;
    firn_real most = 0;
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_real speed2 = firn_v3_dot(m->p.velocity[i], m->p.velocity[i]);
        if (speed2 > most) fastest = i;
        most = firn_max(speed2, most);
    }
    return firn_sph_culprit_of(m, fastest);
}

firn_result firn_sph_fault_solve(const firn_sph* m, const char* solve, int iterations, double error,
                                 const firn_culprit* suspect, firn_error* out_error)
{
    char advice[128];
    const bool shear = solve[0] == 's';
    advise(m, shear,
           shear ? "use a smaller sph.dt_max, or softer snow"
                 : "use sph.elasticity: combined, which needs no pressure solve",
           advice);
    char what[192];
    snprintf(what, sizeof what, "the %s solve went astray, its error is %.3g after %d iterations%s",
             solve, error, iterations,
             suspect != NULL ? "; this particle is the fastest, or not finite" : "");
    if (suspect != NULL) return fault(m, suspect, what, advice, out_error);
    return firn_fail(out_error, FIRN_BROKEN_DIVERGED, "step %lld (dt %.3g s): %s: %s",
                     (long long)m->base.step, m->base.dt, what, advice);
}
