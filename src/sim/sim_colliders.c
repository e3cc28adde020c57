// SPDX-License-Identifier: MIT
// Colliders that the caller moves.
#include "geometry/collider/collider_drive.h"
#include "sim/sim.h"

// Finds the solver's copy of a collider. Refused: the number is out of range.
static firn_result find_collider(const firn_sim* sim, int body, firn_collider** out_collider)
{
    // only the error message is written; a firn_sim is never defined const
    firn_error* error = &((firn_sim*)sim)->error;
    firn_local count = 0;
    firn_collider* all =
        sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, &count) : NULL;
    if (body < 0 || body >= count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "there is no collider %d: the simulation has %d, counted from 0", body,
                         (int)count);
    *out_collider = &all[body];
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

firn_result firn_sim_body_move(firn_sim* sim, int body, const firn_body_pose* pose)
{
    if (!firn_sim_begin(sim)) return FIRN_REFUSED_ARGUMENT;
    firn_collider* collider;
    FIRN_TRY(find_collider(sim, body, &collider));
    if (pose == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "collider %d: the pose is null", body);
    if (collider->deforming != NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT,
                         "collider %d deforms: its animation moves it, it cannot be moved as a "
                         "whole",
                         body);
    firn_motion state = firn_motion_at_rest();
    state.position = pose->position;
    state.rotation = pose->rotation;
    state.scale = pose->scale;
    state.velocity = pose->velocity;
    state.spin = pose->spin;
    firn_error why;
    if (firn_collider_drive(collider, FIRN_MOVED_BY_CALLER, &state, sim->time, &why) != FIRN_OK)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "collider %d: %.1500s", body,
                         why.text);
    return firn_sim_colliders_changed(sim);
}

firn_result firn_sim_body_release(firn_sim* sim, int body)
{
    if (!firn_sim_begin(sim)) return FIRN_REFUSED_ARGUMENT;
    firn_collider* collider;
    FIRN_TRY(find_collider(sim, body, &collider));
    if (collider->moved_by != FIRN_MOVED_BY_CALLER) return FIRN_OK;
    firn_collider_release(collider, sim->time);
    return firn_sim_colliders_changed(sim);
}
