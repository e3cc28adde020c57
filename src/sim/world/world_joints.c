// SPDX-License-Identifier: MIT
// Adds, removes and reads joints of a simulation. The engine of the solver owns them; they are part
// of its state.
#include "bodies/bodies.h"
#include "firn/world.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/scene/scene_joints.h"
#include "sim/sim_ids.h"
#include "sim/world/world.h"

static firn_bodies* bodies_of(const firn_sim* sim)
{
    return sim->solver->bodies != NULL ? sim->solver->bodies(sim->self) : NULL;
}

static firn_result find(const firn_sim* sim, firn_joint_id id, firn_local* out_index)
{
    const firn_bodies* bodies = bodies_of(sim);
    const firn_id_list list = {"joint", sim->owner,
                               bodies != NULL ? firn_bodies_joint_count(bodies) : 0};
    return firn_id_find(&list, id.slot1, id.owner, out_index, &((firn_sim*)sim)->error);
}

static firn_result add(firn_sim* sim, const firn_joint* joint)
{
    FIRN_TRY(firn_sim_fetch(sim));
    firn_bodies* bodies = bodies_of(sim);
    firn_local count;
    firn_collider* colliders = sim->solver->colliders(sim->self, &count);
    firn_bodies_take(bodies, colliders, sim->time);
    const firn_result r = firn_bodies_join(bodies, joint, colliders, sim->time, &sim->error);
    if (r < 0) return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "no memory for another joint");
    FIRN_TRY(r);
    return firn_world_make_room(sim);
}

firn_result firn_sim_add_joint(firn_sim* sim, const firn_joint_def* def, firn_joint_id* out_id)
{
    FIRN_TRY(firn_world_begin(sim, "joints"));
    firn_joint_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_JOINT, def, &own, &sim->error));
    if (bodies_of(sim) == NULL)
        return firn_fail(&sim->error, FIRN_REFUSED_NAME,
                         "solver '%s' does not support rigid bodies, which joints hold",
                         sim->solver->name);
    firn_local a, b = -1;
    FIRN_TRY(firn_sim_collider_find(sim, own.a, &a));
    if (own.b.slot1 != 0 || own.b.owner != 0) FIRN_TRY(firn_sim_collider_find(sim, own.b, &b));
    const firn_joint joint = firn_joint_from_def(&own, a, b);
    const firn_entry entry = firn_sim_enter(sim);
    const firn_result r = add(sim, &joint);
    firn_leave(entry);
    if (r == FIRN_OK && out_id != NULL)
        *out_id = (firn_joint_id){(uint32_t)firn_bodies_joint_count(bodies_of(sim)), sim->owner};
    return r;
}

firn_result firn_sim_remove_joint(firn_sim* sim, firn_joint_id id)
{
    FIRN_TRY(firn_world_begin(sim, "joints"));
    firn_local index;
    FIRN_TRY(find(sim, id, &index));
    if (firn_bodies_joint_load(bodies_of(sim), index).removed)
        return firn_fail(&sim->error, FIRN_REFUSED_ARGUMENT, "joint %d was removed", (int)index);
    const firn_entry entry = firn_sim_enter(sim);
    firn_bodies_release(bodies_of(sim), index, true);
    const firn_result r = firn_sim_colliders_changed(sim);
    sim->has_snapshot = false;  // a rollback returns to this state
    firn_leave(entry);
    return r;
}

firn_result firn_sim_joint(const firn_sim* sim, firn_joint_id id, firn_joint_info* out_info)
{
    if (!firn_sim_begin((firn_sim*)sim)) return firn_call_null(__func__);
    if (out_info == NULL)
        return firn_fail(&((firn_sim*)sim)->error, FIRN_REFUSED_ARGUMENT,
                         "firn_sim_joint needs room for what it finds");
    firn_local index;
    FIRN_TRY(find(sim, id, &index));
    const firn_joint_load load = firn_bodies_joint_load(bodies_of(sim), index);
    *out_info = (firn_joint_info){
        .force = {(double)load.force.x, (double)load.force.y, (double)load.force.z},
        .torque = {(double)load.torque.x, (double)load.torque.y, (double)load.torque.z},
        .angle = (double)load.angle,
        .broken = load.broken,
        .removed = load.removed};
    return FIRN_OK;
}
