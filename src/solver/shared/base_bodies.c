// SPDX-License-Identifier: MIT
// Rigid bodies of any solver (bodies/bodies.h), moved by the loads of a step.
#include <math.h>

#include "bodies/bodies.h"
#include "scene/data/scene.h"
#include "solver/collider_load.h"
#include "solver/shared/base.h"

void firn_base_take_bodies(firn_solver_base* base)
{
    firn_bodies_take(base->bodies, base->colliders, base->time);
}

void firn_base_begin_bodies(firn_solver_base* base)
{
    firn_bodies_begin(base->bodies, base->colliders, &base->scene->shapes, firn_base_gravity(base),
                      base->time, base->dt);
}

void firn_base_push_loads(firn_solver_base* base)
{
    if (firn_bodies_count(base->bodies) == 0) return;
    for (firn_local c = 0; c < base->collider_count; c++) {
        const firn_local k = firn_bodies_of(base->bodies, c);
        const firn_collider_load* load = &base->loads.last[c];
        if (k >= 0) firn_bodies_push(base->bodies, k, load->impulse, load->angular);
    }
}

firn_result firn_base_finish_bodies(firn_solver_base* base, firn_error* error)
{
    firn_bodies_finish(base->bodies, base->colliders);
    firn_error cause;
    const firn_result r = firn_bodies_check(base->bodies, &cause);
    return r == FIRN_OK ? r
                        : firn_fail(error, r, "step %lld: %s", (long long)base->step, cause.text);
}

void firn_base_push(void* self, firn_local collider, const firn_body_push* push)
{
    firn_solver_base* base = self;
    const firn_local k = firn_bodies_of(base->bodies, collider);
    if (k >= 0)
        firn_bodies_impulse(base->bodies, base->colliders, k, push->impulse, push->point,
                            push->angular);
}

firn_bodies* firn_base_bodies(void* self)
{
    return ((firn_solver_base*)self)->bodies;
}

double firn_base_body_speed(const firn_solver_base* base)
{
    double most = 0;
    if (firn_bodies_count(base->bodies) == 0) return 0;
    for (firn_local c = 0; c < base->collider_count; c++) {
        const firn_local k = firn_bodies_of(base->bodies, c);
        if (k < 0 || !firn_bodies_is_free(base->bodies, k)) continue;
        const firn_rigid* rigid = firn_bodies_rigid(base->bodies, k);
        const firn_box3* box = &base->colliders[c].reach;
        const double size = (double)firn_v3_length(firn_v3_sub(box->high, box->low));
        most = fmax(most, (double)firn_v3_length(rigid->velocity) +
                              (double)firn_v3_length(rigid->spin) * size);
    }
    return most;
}
