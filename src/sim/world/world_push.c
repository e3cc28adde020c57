// SPDX-License-Identifier: MIT
// Impulses and torques on dynamic colliders.
#include "firn/world.h"
#include "geometry/collider/collider.h"
#include "sim/entry.h"
#include "sim/sim.h"
#include "sim/sim_ids.h"

// Finds a collider that the solver moves.
static firn_result find_dynamic(firn_sim* sim, firn_collider_id id, firn_local* out_index)
{
    FIRN_TRY(firn_sim_collider_find(sim, id, out_index));
    const firn_solver* solver = sim->solver;
    firn_local count;
    const firn_collider* body = &solver->colliders(sim->self, &count)[*out_index];
    if (!solver->free_bodies) {
        char others[64];
        firn_solver_names_with(offsetof(firn_solver, free_bodies), others, sizeof others);
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "collider %d cannot be pushed: solver '%s' does not support rigid bodies, "
                         "use %s",
                         (int)*out_index, solver->name, others);
    }
    if (!(body->mass > 0))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "collider %d cannot be pushed: it has no mass, give it one",
                         (int)*out_index);
    if (body->moved_by != FIRN_MOVED_BY_SOLVER)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "collider %d cannot be pushed: the caller moves it, call "
                         "firn_sim_body_release first",
                         (int)*out_index);
    return FIRN_OK;
}

static firn_result push(firn_sim* sim, firn_collider_id id, const firn_body_push* push)
{
    if (!firn_sim_begin(sim)) return firn_call_null("a push of a collider");
    firn_local index;
    FIRN_TRY(find_dynamic(sim, id, &index));
    if (!firn_v3_is_finite(push->impulse) || !firn_v3_is_finite(push->angular) ||
        (push->point != NULL && !firn_v3_is_finite(*push->point)))
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "the push of collider %d has a value that is not finite", (int)index);
    const firn_entry entry = firn_sim_enter(sim);
    sim->solver->push(sim->self, index, push);
    const firn_result r = firn_sim_colliders_changed(sim);
    sim->has_snapshot = false;  // a rollback returns to this state
    firn_leave(entry);
    return r;
}

firn_result firn_sim_body_impulse(firn_sim* sim, firn_collider_id id, firn_vec3 impulse,
                                  const firn_vec3* point)
{
    return push(sim, id, &(firn_body_push){.impulse = impulse, .point = point});
}

firn_result firn_sim_body_torque(firn_sim* sim, firn_collider_id id, firn_vec3 angular_impulse)
{
    return push(sim, id, &(firn_body_push){.angular = angular_impulse});
}
