// SPDX-License-Identifier: MIT
// Rigid bodies of any solver (bodies/bodies.h), moved by the loads of a step.
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
    const double* g = base->scene->gravity;
    const firn_vec3 gravity = firn_v3((firn_real)g[0], (firn_real)g[1], (firn_real)g[2]);
    firn_bodies_begin(base->bodies, base->colliders, &base->scene->shapes, gravity, base->time,
                      base->dt);
}

void firn_base_push_loads(firn_solver_base* base)
{
    for (firn_local c = 0; c < base->collider_count; c++) {
        const firn_local k = firn_bodies_of(base->bodies, c);
        const firn_collider_load* load = &base->loads.last[c];
        if (k >= 0) firn_bodies_push(base->bodies, k, load->impulse, load->angular);
    }
}

void firn_base_finish_bodies(firn_solver_base* base)
{
    firn_bodies_finish(base->bodies, base->colliders);
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
