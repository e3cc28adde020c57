// SPDX-License-Identifier: MIT
// Adds colliders from code.
#include "core/memory.h"
#include "geometry/deform/deforming.h"
#include "sim/entry.h"
#include "sim/scene/collider_def.h"
#include "sim/scene/scene_api.h"
#include "sim/sim.h"

static firn_result refuse(firn_scene* scene, firn_result code, const char* text)
{
    firn_error error;
    firn_fail(&error, code, "%s", text);
    return firn_scene_refuse(scene, &error);
}

// Checks and appends the collider, whose shape or animation is already set. Takes ownership of what
// it owns.
static firn_result add(firn_scene* scene, const firn_collider_def* def, firn_collider* body,
                       firn_collider_id* out_id)
{
    firn_scene_data* d = &scene->data;
    firn_error error = {0};
    if (firn_collider_from_def(def, &d->shapes, body, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    if (!firn_reserve((void**)&d->colliders, &d->collider_capacity, d->collider_count + 1,
                      sizeof *d->colliders))
        return refuse(scene, FIRN_BROKEN_MEMORY, "out of memory");
    d->colliders[d->collider_count] = *body;
    *body = (firn_collider){0};
    d->collider_count++;
    if (out_id != NULL) *out_id = (firn_collider_id){(uint32_t)d->collider_count, scene->owner};
    firn_scene_data_changed(d);
    return FIRN_OK;
}

firn_result firn_scene_add_collider(firn_scene* scene, const firn_collider_def* def,
                                    firn_collider_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_collider_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_COLLIDER, def, &own));
    def = &own;
    firn_collider body = {0};
    const firn_material_id none = {0};
    firn_local ignored;
    FIRN_TRY(firn_scene_find_parts(scene, "a collider", def->shape, none, &body.shape, &ignored));
    const firn_result result = add(scene, def, &body, out_id);
    firn_collider_destroy(&body);
    return result;
}

firn_result firn_scene_add_animated_collider(firn_scene* scene, const firn_collider_def* def,
                                             const firn_body_animation_def* animation,
                                             firn_collider_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_collider_def own;
    firn_body_animation_def own_animation;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_COLLIDER, def, &own));
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_BODY_ANIMATION, animation, &own_animation));
    def = &own;
    animation = &own_animation;
    if (animation->file == NULL)
        return refuse(scene, FIRN_REFUSED_ARGUMENT, "an animation needs a file");
    const firn_deforming_def deforming = {
        .animation = {.file = animation->file,
                      .mesh = animation->mesh,
                      .clip = animation->clip,
                      .node = animation->node,
                      .first = animation->first,
                      .last = animation->last,
                      .fps = animation->fps},
        .grid = animation->grid,
        .velocity_grid = animation->velocity_grid,
        .voxel = animation->voxel,
        .broken = animation->mend ? FIRN_BROKEN_MESH_REPAIR : FIRN_BROKEN_MESH_REFUSE,
        .start = animation->start,
        .speed = animation->speed,
        .loop = animation->loop,
        .memory = (size_t)animation->memory_bytes,
    };
    firn_error error = {0};
    firn_collider body = {.shape = -1};
    const firn_entry entry = firn_scene_enter(scene, 0);
    const firn_result opened = firn_deforming_open(&deforming, &body.deforming, &error);
    firn_leave(entry);
    if (opened != FIRN_OK) return firn_scene_refuse(scene, &error);
    const firn_result result = add(scene, def, &body, out_id);
    firn_collider_destroy(&body);
    return result;
}
