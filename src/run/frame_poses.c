// SPDX-License-Identifier: MIT
#include "run/frame_poses.h"

#include "core/memory.h"
#include "geometry/collider/collider_drive.h"

static firn_frame_body body_of(const firn_collider* collider, firn_local index, double time)
{
    const firn_motion at = firn_collider_state(collider, time);
    return (firn_frame_body){
        .body = index,
        .driver = collider->moved_by == FIRN_MOVED_BY_SOLVER ? FIRN_BODY_FREE : FIRN_BODY_CALLER,
        .pose = {at.position, at.rotation, at.scale, at.velocity, at.spin}};
}

firn_result firn_frame_poses_take(const firn_sim* sim, firn_frame_body** out_bodies,
                                  firn_local* out_count)
{
    *out_bodies = NULL;
    *out_count = 0;
    firn_local count = 0, driven = 0;
    const firn_collider* colliders =
        sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, &count) : NULL;
    for (firn_local c = 0; c < count; c++) driven += colliders[c].moved_by != FIRN_MOVED_BY_SCENE;
    if (driven == 0) return FIRN_OK;
    firn_frame_body* bodies = firn_alloc((size_t)driven, sizeof *bodies);
    if (bodies == NULL) return FIRN_BROKEN_MEMORY;
    firn_local at = 0;
    for (firn_local c = 0; c < count; c++)
        if (colliders[c].moved_by != FIRN_MOVED_BY_SCENE)
            bodies[at++] = body_of(&colliders[c], c, sim->time);
    *out_bodies = bodies;
    *out_count = driven;
    return FIRN_OK;
}

bool firn_frame_poses_deform(const firn_scene_data* scene)
{
    for (firn_local c = 0; c < scene->collider_count; c++)
        if (scene->colliders[c].deforming != NULL) return true;
    return false;
}

void firn_frame_poses_hold(const firn_scene_data* scene, double time, firn_frame_keys* keys)
{
    for (firn_local c = 0; c < scene->collider_count; c++)
        if (scene->colliders[c].deforming != NULL)
            firn_frame_keys_hold(keys, scene->colliders[c].deforming, time);
}

static firn_motion motion_of(const firn_body_pose* pose)
{
    firn_motion motion = firn_motion_at_rest();
    motion.position = motion.pivot = pose->position;
    motion.rotation = pose->rotation;
    motion.scale = pose->scale;
    motion.velocity = pose->velocity;
    motion.spin = pose->spin;
    return motion;
}

firn_result firn_frame_poses_put(const firn_frame_body* bodies, firn_local body_count, double time,
                                 firn_collider* colliders, firn_local collider_count,
                                 firn_error* error)
{
    for (firn_local k = 0; k < body_count; k++) {
        if (bodies[k].body < collider_count && colliders[bodies[k].body].deforming == NULL)
            continue;
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the frame at %g s has a pose of collider %d, but the run's scene has %d "
                         "colliders%s: scene and frames do not belong together",
                         time, (int)bodies[k].body, (int)collider_count,
                         bodies[k].body < collider_count ? " and that one deforms" : "");
    }
    for (firn_local c = 0; c < collider_count; c++) colliders[c].moved_by = FIRN_MOVED_BY_SCENE;
    for (firn_local k = 0; k < body_count; k++) {
        const firn_motion motion = motion_of(&bodies[k].pose);
        const firn_moved_by moved_by =
            bodies[k].driver == FIRN_BODY_FREE ? FIRN_MOVED_BY_SOLVER : FIRN_MOVED_BY_CALLER;
        FIRN_TRY(firn_collider_drive(&colliders[bodies[k].body], moved_by, &motion, time, error));
    }
    return FIRN_OK;
}
