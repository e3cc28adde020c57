// SPDX-License-Identifier: MIT
#include "solver/shared/fault.h"

#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/shared/base.h"

firn_result firn_fault(const firn_solver_base* base, const firn_fault_words* words,
                       const firn_culprit* culprit, const char* what, const char* cause,
                       firn_error* error)
{
    const firn_vec3 x = culprit->position, v = culprit->velocity;
    return firn_fail(error, FIRN_BROKEN_DIVERGED,
                     "step %lld (dt %.3g s): %s %u at (%.4g, %.4g, %.4g) m, material '%s', "
                     "velocity (%.4g, %.4g, %.4g) m/s, %s %.4g%s: %s; likely cause: %s",
                     (long long)base->step, base->dt, words->particle, (unsigned)culprit->id,
                     (double)x.x, (double)x.y, (double)x.z,
                     base->scene->materials[culprit->material].name, (double)v.x, (double)v.y,
                     (double)v.z, words->value, culprit->value, words->unit, what, cause);
}
