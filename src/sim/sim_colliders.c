// SPDX-License-Identifier: MIT
// Colliders that the caller moves.
#include "geometry/collider/collider_drive.h"
#include "sim/sim.h"
#include "sim/sim_ids.h"

// Finds the solver's copy of a collider.
static firn_result find_collider(const firn_sim* sim, firn_collider_id id, firn_local* out_body,
                                 firn_collider** out_collider)
{
    FIRN_TRY(firn_sim_collider_find(sim, id, out_body));
    firn_local count;
    *out_collider = &sim->solver->colliders(sim->self, &count)[*out_body];
    return FIRN_OK;
}

firn_result firn_sim_colliders_changed(firn_sim* sim)
{
    if (sim->solver->colliders_changed == NULL) return FIRN_OK;
    const firn_result r = sim->solver->colliders_changed(sim->self, &sim->error);
    sim->broken = sim->broken || r < 0;
    return r;
}

int firn_sim_body_count(const firn_sim* sim)
{
    if (sim == NULL) return 0;
    firn_local count = 0;
    if (sim->solver->colliders != NULL) (void)sim->solver->colliders(sim->self, &count);
    return (int)count;
}

firn_result firn_sim_body_move(firn_sim* sim, firn_collider_id id, const firn_body_pose* pose)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    firn_local body;
    firn_collider* collider;
    FIRN_TRY(find_collider(sim, id, &body, &collider));
    if (pose == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "collider %d: the pose is null",
                         (int)body);
    if (collider->deforming != NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "collider %d deforms: its animation moves it, it cannot be moved as a "
                         "whole",
                         (int)body);
    firn_motion state = firn_motion_at_rest();
    state.position = pose->position;
    state.rotation = pose->rotation;
    state.scale = pose->scale;
    state.velocity = pose->velocity;
    state.spin = pose->spin;
    firn_error why;
    if (firn_collider_drive(collider, FIRN_MOVED_BY_CALLER, &state, sim->time, &why) != FIRN_OK)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "collider %d: %.1500s", (int)body,
                         why.text);
    return firn_sim_colliders_changed(sim);
}

firn_result firn_sim_body_release(firn_sim* sim, firn_collider_id id)
{
    if (!firn_sim_begin(sim)) return firn_call_null(__func__);
    firn_local body;
    firn_collider* collider;
    FIRN_TRY(find_collider(sim, id, &body, &collider));
    if (collider->moved_by != FIRN_MOVED_BY_CALLER) return FIRN_OK;
    firn_collider_release(collider, sim->time);
    return firn_sim_colliders_changed(sim);
}
