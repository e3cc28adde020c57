// SPDX-License-Identifier: MIT
// Makes a collider from a def, for scenes and for simulations.
#include "sim/scene/collider_def.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/collider/dynamic_collider.h"
#include "geometry/motion/node_motion.h"

// Copies the key frames of the def; the collider owns them.
static firn_result take_keys(const firn_collider_def* def, firn_motion* motion, firn_error* error)
{
    if (def->key_count == 0) return FIRN_OK;
    if (def->keys == NULL || def->key_count > INT32_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a collider with a key_count needs an array of keys");
    motion->keys = firn_alloc(def->key_count, sizeof *motion->keys);
    if (motion->keys == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
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

static firn_result take_motion(const firn_collider_def* def, firn_motion* motion, firn_error* error)
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
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "a collider moves by velocity and spin, by keys or by motion_file: use one "
            "of them");
    FIRN_TRY(take_keys(def, motion, error));
    FIRN_TRY(firn_motion_check(motion, error));
    if (def->motion_file == NULL) return FIRN_OK;
    if (def->motion_node == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a motion_file needs the name of a motion_node");
    return firn_motion_from_node(def->motion_file, def->motion_clip, def->motion_node,
                                 def->motion_start, motion, error);
}

// Initialises a dynamic collider from its motion.
static firn_result take_mass(const firn_collider_def* def, const firn_shapes* shapes,
                             firn_collider* body, firn_error* error)
{
    if (def->mass == 0) return FIRN_OK;
    if (def->key_count > 0 || def->motion_file != NULL || !is_zero(def->pivot))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a collider with a mass is dynamic: it takes neither pivot nor keys or "
                         "motion_file");
    return firn_collider_set_dynamic(body, shapes, def->mass, error);
}

firn_result firn_collider_from_def(const firn_collider_def* def, const firn_shapes* shapes,
                                   firn_collider* body, firn_error* error)
{
    if (!(def->friction >= 0) || !firn_is_finite(def->friction))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "a collider needs friction >= 0");
    if (!firn_is_finite(def->viscosity) || !(def->adhesion >= 0 && def->heat_transfer >= 0) ||
        !firn_is_finite(def->adhesion + def->heat_transfer) ||
        (!isnan(def->temperature) && !(def->temperature >= (firn_real)-273.15)))
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "a collider needs a finite viscosity, adhesion and heat_transfer >= 0, and a "
            "temperature of at least -273.15 degC or NaN");
    if (def->temperature_of_air && !isnan(def->temperature))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a collider has its own temperature or temperature_of_air, not both");
    FIRN_TRY(take_motion(def, &body->motion, error));
    if (!(def->restitution >= 0 && def->restitution <= 1 && def->damping >= 0 &&
          def->angular_damping >= 0) ||
        !firn_is_finite(def->damping + def->angular_damping))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a collider needs a restitution from 0 to 1, and finite damping and "
                         "angular_damping >= 0");
    body->restitution = def->restitution;
    body->damping = def->damping;
    body->angular_damping = def->angular_damping;
    body->inertia = def->inertia;
    FIRN_TRY(take_mass(def, shapes, body, error));
    body->friction = def->friction;
    body->sticky = def->sticky;
    body->viscosity = def->viscosity;
    body->adhesion = def->adhesion;
    body->temperature = def->temperature;
    body->heat_transfer = def->heat_transfer;
    body->temperature_of_air = def->temperature_of_air;
    body->pose = firn_collider_pose_at(body, 0);
    return FIRN_OK;
}
