// SPDX-License-Identifier: MIT
// Step 0, not numbered in Algorithm 1: culling, colliders, their temperatures, size of the step.
#include <math.h>

#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "solver/grains/step01_neighbours.h"
#include "solver/grains/support/grains_solver.h"

void firn_grains_refresh_pointers(firn_grains* m)
{
    firn_base_point(&m->base, &m->p);
    m->p.count = m->base.store.count;
}

firn_grains_dt_rules firn_grains_dt_rules_of(const firn_grains* m)
{
    return (firn_grains_dt_rules){m->def.dt > 0, m->dt_usual, m->radius};
}

static void take_temperatures(firn_grains* m)
{
    const firn_scene_data* scene = m->base.scene;
    m->air = firn_air_temperature(scene, m->base.time);
    m->heats = !isnan(m->air);
    for (firn_local b = 0; b < m->base.collider_count; b++) {
        const firn_collider* body = &scene->colliders[b];
        const double T = body->removed ? NAN : firn_body_temperature(scene, body, m->base.time);
        m->body_temperature[b] = (firn_real)T;
        m->heats |= !isnan(T);
    }
}

firn_result firn_grains_prepare(firn_grains* m, firn_error* error)
{
    firn_solver_base* base = &m->base;
    take_temperatures(m);
    firn_grains_refresh_pointers(m);
    if (base->scene->cull.active) FIRN_TRY(firn_grains_recall_lists(m, error));
    FIRN_TRY(firn_base_cull(base, error));
    firn_grains_refresh_pointers(m);
    const firn_local bad =
        firn_base_measure(base, m->p.position, m->p.velocity, m->radius * FIRN_GRAINS_FAR);
    if (bad < m->p.count) {
        const firn_culprit culprit = firn_grains_culprit_of(m, bad);
        return firn_grains_fault_lost(m, &culprit, error);
    }
    firn_base_take_bodies(base);
    FIRN_TRY(firn_base_move_colliders(base, error));
    const firn_grains_dt_rules rules = firn_grains_dt_rules_of(m);
    base->dt = firn_grains_dt_choose(&rules, base->max_speed, base->dt_scale, base->dt_limit);
    m->constants.damping_most = firn_grains_damping_most(m->constants.mass, base->dt);
    m->gravity = firn_base_gravity(base);
    firn_base_apply_forces(base, m->p.position, m->p.velocity);
    return FIRN_OK;
}
