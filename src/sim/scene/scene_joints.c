// SPDX-License-Identifier: MIT
// Joints from definitions, for scenes and for simulations.
#include "sim/scene/scene_joints.h"

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/sim.h"
#include "sim/sim_ids.h"

firn_joint firn_joint_from_def(const firn_joint_def* def, firn_local a, firn_local b)
{
    return (firn_joint){.kind = (firn_joint_kind)def->kind,
                        .a = a,
                        .b = b,
                        .point_a = def->point,
                        .point_b = def->point_b,
                        .axis = def->axis,
                        .angle_low = def->angle_low,
                        .angle_high = def->angle_high,
                        .length = def->length,
                        .stiffness = def->stiffness,
                        .damping = def->damping,
                        .break_force = def->break_force,
                        .break_torque = def->break_torque,
                        .collide = def->collide};
}

static firn_result find(const firn_scene* scene, const firn_joint_def* def, firn_local* out_a,
                        firn_local* out_b, firn_error* error)
{
    const firn_id_list list = {"collider", scene->owner, scene->data.collider_count};
    FIRN_TRY(firn_id_find(&list, def->a.slot1, def->a.owner, out_a, error));
    *out_b = -1;
    if (def->b.slot1 == 0 && def->b.owner == 0) return FIRN_OK;
    FIRN_TRY(firn_id_find(&list, def->b.slot1, def->b.owner, out_b, error));
    if (*out_a != *out_b) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a joint holds two different colliders");
}

firn_result firn_scene_add_joint(firn_scene* scene, const firn_joint_def* def,
                                 firn_joint_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_joint_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_JOINT, def, &own));
    firn_scene_data* d = &scene->data;
    firn_error error = {0};
    firn_local a, b;
    if (find(scene, &own, &a, &b, &error) != FIRN_OK) return firn_scene_refuse(scene, &error);
    const firn_joint joint = firn_joint_from_def(&own, a, b);
    if (!(d->colliders[a].mass > 0))
        firn_fail(&error, FIRN_REFUSED_ARGUMENT,
                  "collider %d cannot be the first of a joint: it has no mass", (int)a);
    else if (firn_joint_check(&joint, &error) == FIRN_OK &&
             !firn_reserve((void**)&d->joints, &d->joint_capacity, d->joint_count + 1,
                           sizeof *d->joints))
        firn_fail(&error, FIRN_BROKEN_MEMORY, "out of memory");
    if (error.code != FIRN_OK) return firn_scene_refuse(scene, &error);
    d->joints[d->joint_count++] = joint;
    if (out_id != NULL) *out_id = (firn_joint_id){(uint32_t)d->joint_count, scene->owner};
    firn_scene_data_changed(d);
    return FIRN_OK;
}
