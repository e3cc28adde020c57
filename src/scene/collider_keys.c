// SPDX-License-Identifier: MIT
// Block `colliders`: solid bodies, how they move and what their surface does.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "scene/blocks.h"
#include "scene/reader.h"

typedef struct keyframe_list {
    firn_keyframe* items;  // owned
    firn_local count, capacity;
} keyframe_list;

typedef struct keyframe_item {
    double time, position[3], rotation[4], scale;
} keyframe_item;

typedef struct collider_item {
    firn_local shape;
    double friction;
    bool sticky;
    double velocity[3], spin[3], pivot[3], position[3], rotation[4], scale;
    int32_t interpolation;
    keyframe_list keys;
} collider_item;

static firn_vec3 to_vec3(const double* v)
{
    return (firn_vec3){(firn_real)v[0], (firn_real)v[1], (firn_real)v[2]};
}

static firn_quat to_quat(const double* q)
{
    return (firn_quat){(firn_real)q[0], (firn_real)q[1], (firn_real)q[2], (firn_real)q[3]};
}

static void set_keyframe_defaults(void* at)
{
    *(keyframe_item*)at = (keyframe_item){.rotation = {1, 0, 0, 0}, .scale = 1};
}

static void finish_keyframe(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                            bool sound)
{
    const keyframe_item* k = item;
    keyframe_list* list = at;
    if (!sound) return;
    if (list->count > 0 && !(k->time > list->items[list->count - 1].time)) {
        firn_doc_error(r->doc, node,
                       "key frames must have increasing times: %.10g s comes after %.10g s",
                       k->time, list->items[list->count - 1].time);
        return;
    }
    if (!firn_reserve((void**)&list->items, &list->capacity, list->count + 1,
                      sizeof *list->items)) {
        r->out_of_memory = true;
        return;
    }
    list->items[list->count++] =
        (firn_keyframe){k->time, to_vec3(k->position), to_quat(k->rotation), (firn_real)k->scale};
}

static void set_defaults(void* at)
{
    *(collider_item*)at = (collider_item){.shape = -1,
                                          .friction = 0.4,
                                          .rotation = {1, 0, 0, 0},
                                          .scale = 1,
                                          .interpolation = FIRN_INTERPOLATE_SMOOTH};
}

static bool is_zero(const double* v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* at_item, void* at,
                   bool sound)
{
    (void)at;
    collider_item* c = at_item;
    firn_scene_data* scene = r->scene;
    if (c->keys.count > 0 && (!is_zero(c->velocity) || !is_zero(c->spin))) {
        firn_doc_key_error(r->doc, node,
                           "a collider moves by 'keyframes' or by 'velocity' and 'spin', not both");
        return;
    }
    if (!sound) return;
    if (!firn_reserve((void**)&scene->colliders, &scene->collider_capacity,
                      scene->collider_count + 1, sizeof *scene->colliders)) {
        r->out_of_memory = true;
        return;
    }
    firn_collider* collider = &scene->colliders[scene->collider_count++];
    *collider = (firn_collider){.shape = c->shape,
                                .friction = (firn_real)c->friction,
                                .sticky = c->sticky,
                                .motion = {.position = to_vec3(c->position),
                                           .rotation = to_quat(c->rotation),
                                           .scale = (firn_real)c->scale,
                                           .velocity = to_vec3(c->velocity),
                                           .spin = to_vec3(c->spin),
                                           .pivot = to_vec3(c->pivot),
                                           .interpolation = (firn_interpolation)c->interpolation,
                                           .keys = c->keys.items,
                                           .key_count = c->keys.count}};
    c->keys.items = NULL;  // the scene's now
    firn_collider_move(collider, 0);
}

static const char* const interpolations[] = {"linear", "smooth", NULL};

// clang-format off
#define AT(field) offsetof(keyframe_item, field)
static const firn_key keyframe_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL, "When; later than the key before."},
    {"position", FIRN_KEY_VEC3, AT(position), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL, "Where the shape's origin is then."},
    {"rotation", FIRN_KEY_ROTATION, AT(rotation), NULL, 0, 0, "[0, 0, 0]", NULL, NULL, "How the shape is turned then."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-3, 1e3, "1", NULL, NULL, "Factor on the shape's size then."},
};
static const firn_key_block keyframe = {"keyframe", "Where a collider is at one time.", keyframe_keys, FIRN_KEY_COUNT(keyframe_keys), sizeof(keyframe_item), set_keyframe_defaults, finish_keyframe};

#undef AT
#define AT(field) offsetof(collider_item, field)
static const firn_key keys[] = {
    {"shape", FIRN_KEY_SHAPE, AT(shape), NULL, 0, 0, NULL, NULL, NULL, "The solid body."},
    {"friction", FIRN_KEY_REAL, AT(friction), "-", 0, 100, "0.4", NULL, NULL, "Coulomb's coefficient; 0 slides freely."},
    {"sticky", FIRN_KEY_BOOL, AT(sticky), NULL, 0, 0, "false", NULL, NULL, "Snow that touches it stays."},
    {"velocity", FIRN_KEY_VEC3, AT(velocity), "m/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL, "Constant velocity."},
    {"spin", FIRN_KEY_VEC3, AT(spin), "rad/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL, "Constant spin about the pivot."},
    {"pivot", FIRN_KEY_VEC3, AT(pivot), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL, "The point at the start that spin turns about and velocity moves."},
    {"position", FIRN_KEY_VEC3, AT(position), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL, "Where the shape's origin is at the start."},
    {"rotation", FIRN_KEY_ROTATION, AT(rotation), NULL, 0, 0, "[0, 0, 0]", NULL, NULL, "How the shape is turned at the start."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-3, 1e3, "1", NULL, NULL, "Factor on the shape's size, about its origin."},
    {"keyframes", FIRN_KEY_LIST, AT(keys), NULL, 0, 0, "none", NULL, &keyframe, "Positions over time; at rest before the first and after the last."},
    {"interpolation", FIRN_KEY_ENUM, AT(interpolation), NULL, 0, 0, "smooth", interpolations, NULL, "Between key frames: straight lines, or a smooth curve through them."},
};
// clang-format on
const firn_key_block firn_collider_keys = {"collider",
                                           "A solid body that snow can hit.",
                                           keys,
                                           FIRN_KEY_COUNT(keys),
                                           sizeof(collider_item),
                                           set_defaults,
                                           finish};
