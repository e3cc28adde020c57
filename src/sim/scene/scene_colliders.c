// SPDX-License-Identifier: MIT
// Adds colliders from code.
#include <math.h>

#include "core/memory.h"
#include "geometry/collider/dynamic_collider.h"
#include "geometry/deform/deforming.h"
#include "geometry/motion/node_motion.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/sim.h"

static firn_result refuse(firn_scene* scene, firn_result code, const char* text)
{
    firn_error error;
    firn_fail(&error, code, "%s", text);
    return firn_scene_refuse(scene, &error);
}

// Copies the key frames of the def; the collider owns them.
static firn_result take_keys(firn_scene* scene, const firn_collider_def* def, firn_motion* motion)
{
    if (def->key_count == 0) return FIRN_OK;
    if (def->keys == NULL || def->key_count > INT32_MAX)
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a collider with a key_count needs an array of keys");
    motion->keys = firn_alloc(def->key_count, sizeof *motion->keys);
    if (motion->keys == NULL) return refuse(scene, FIRN_BROKEN_MEMORY, "out of memory");
    motion->key_count = (firn_local)def->key_count;
    for (size_t k = 0; k < def->key_count; k++)
        motion->keys[k] = (firn_keyframe){def->keys[k].time, def->keys[k].position,
                                          def->keys[k].rotation, def->keys[k].scale};
    return FIRN_OK;
}

static bool is_zero(firn_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static firn_result take_motion(firn_scene* scene, const firn_collider_def* def, firn_motion* motion)
{
    *motion = firn_motion_at_rest();
    motion->position = def->position;
    motion->rotation = def->rotation;
    motion->scale = def->scale;
    motion->velocity = def->velocity;
    motion->spin = def->spin;
    motion->pivot = def->pivot;
    motion->interpolation = def->linear ? FIRN_INTERPOLATE_LINEAR : FIRN_INTERPOLATE_SMOOTH;
    const bool steady = !is_zero(def->velocity) || !is_zero(def->spin);
    if (steady + (def->key_count > 0) + (def->motion_file != NULL) > 1)
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a collider moves by velocity and spin, by keys or by motion_file: use one "
                      "of them");
    FIRN_TRY(take_keys(scene, def, motion));
    firn_error error = {0};
    const firn_result sound = firn_motion_check(motion, &error);
    if (sound != FIRN_OK) return firn_scene_refuse(scene, &error);
    if (def->motion_file == NULL) return FIRN_OK;
    if (def->motion_node == NULL)
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a motion_file needs the name of a motion_node");
    const firn_result found = firn_motion_from_node(
        def->motion_file, def->motion_clip, def->motion_node, def->motion_start, motion, &error);
    return found == FIRN_OK ? FIRN_OK : firn_scene_refuse(scene, &error);
}

// Initialises a dynamic collider from its motion.
static firn_result take_mass(firn_scene* scene, const firn_collider_def* def, firn_collider* body)
{
    if (def->mass == 0) return FIRN_OK;
    if (def->key_count > 0 || def->motion_file != NULL || !is_zero(def->pivot))
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a collider with a mass is dynamic: it takes neither pivot nor keys or "
                      "motion_file");
    firn_error error = {0};
    const firn_result result =
        firn_collider_set_dynamic(body, &scene->data.shapes, def->mass, &error);
    return result == FIRN_OK ? FIRN_OK : firn_scene_refuse(scene, &error);
}

// Checks and appends the collider, whose shape or animation is already set. Takes ownership of what
// it owns.
static firn_result add(firn_scene* scene, const firn_collider_def* def, firn_collider* body,
                       firn_collider_id* out_id)
{
    firn_scene_data* d = &scene->data;
    if (!(def->friction >= 0) || !firn_is_finite(def->friction))
        return refuse(scene, FIRN_REFUSED_ARGUMENT, "a collider needs friction >= 0");
    if (!firn_is_finite(def->viscosity) || !(def->adhesion >= 0 && def->heat_transfer >= 0) ||
        !firn_is_finite(def->adhesion + def->heat_transfer) ||
        (!isnan(def->temperature) && !(def->temperature >= (firn_real)-273.15)))
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a collider needs a finite viscosity, adhesion and heat_transfer >= 0, and a "
                      "temperature of at least -273.15 degC or NaN");
    if (def->temperature_of_air && !isnan(def->temperature))
        return refuse(scene, FIRN_REFUSED_ARGUMENT,
                      "a collider has its own temperature or temperature_of_air, not both");
    FIRN_TRY(take_motion(scene, def, &body->motion));
    FIRN_TRY(take_mass(scene, def, body));
    if (!firn_reserve((void**)&d->colliders, &d->collider_capacity, d->collider_count + 1,
                      sizeof *d->colliders))
        return refuse(scene, FIRN_BROKEN_MEMORY, "out of memory");
    body->friction = def->friction;
    body->sticky = def->sticky;
    body->viscosity = def->viscosity;
    body->adhesion = def->adhesion;
    body->temperature = def->temperature;
    body->heat_transfer = def->heat_transfer;
    body->temperature_of_air = def->temperature_of_air;
    body->pose = firn_collider_pose_at(body, 0);
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
    if (scene == NULL) return FIRN_REFUSED_ARGUMENT;
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
    if (scene == NULL) return FIRN_REFUSED_ARGUMENT;
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
