// SPDX-License-Identifier: MIT
// Block `colliders`: their shapes, motions and surfaces.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/dynamic_collider.h"
#include "geometry/motion/node_motion.h"
#include "scene/data/scene.h"
#include "scene/keys/animation_keys.h"
#include "scene/keys/blocks.h"
#include "scene/keys/surface_keys.h"
#include "scene/parse/reader.h"
#include "scene/write/keys_write.h"

typedef struct keyframe_list {
    firn_keyframe* items;  // owned
    firn_local count, capacity;
} keyframe_list;

typedef struct keyframe_item {
    double time, position[3], rotation[4], scale;
} keyframe_item;

typedef struct collider_item {
    firn_local shape;
    double friction, viscosity, adhesion, temperature, heat_transfer, mass, density;
    double inertia[3], restitution, damping, angular_damping;
    bool sticky, temperature_of_air;
    double velocity[3], spin[3], pivot[3], position[3], rotation[4], scale;
    int32_t interpolation;
    keyframe_list keys;
    firn_animation_item animation;
    firn_node_motion_item motion;
    firn_surface_item surface;
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
                            bool valid)
{
    const keyframe_item* k = item;
    keyframe_list* list = at;
    if (!valid) return;
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
                                          .viscosity = -1,
                                          .temperature = NAN,
                                          .heat_transfer = 50,
                                          .rotation = {1, 0, 0, 0},
                                          .scale = 1,
                                          .interpolation = FIRN_INTERPOLATE_SMOOTH,
                                          .animation = firn_animation_item_default(),
                                          .surface = firn_surface_item_default()};
}

static bool is_zero(const double* v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

// A collider has one kind of motion, and either a shape or an animation.
static bool check_item(firn_scene_reader* r, const firn_doc_node* node, const collider_item* c,
                       bool valid)
{
    const bool steady = !is_zero(c->velocity) || !is_zero(c->spin);
    const bool follows = firn_doc_find(node, "motion") != NULL;
    if (c->keys.count > 0 && steady) {
        firn_doc_key_error(r->doc, node,
                           "a collider moves by 'keyframes' or by 'velocity' and 'spin', not both");
        return false;
    }
    if (follows && (c->keys.count > 0 || steady)) {
        firn_doc_key_error(r->doc, node,
                           "a collider moves by 'motion', by 'keyframes' or by 'velocity' and "
                           "'spin', not by two of them");
        return false;
    }
    const bool has_shape = firn_doc_find(node, "shape") != NULL;
    const bool deforms = firn_doc_find(node, "animation") != NULL;
    if (valid && !has_shape && !deforms) {
        firn_doc_key_error(r->doc, node,
                           "'collider' needs the key 'shape', or 'animation' for a collider "
                           "that deforms");
        return false;
    }
    if (has_shape && deforms) {
        firn_doc_key_error(r->doc, node, "'collider' needs either 'shape' or 'animation'");
        return false;
    }
    if (c->temperature_of_air && !isnan(c->temperature)) {
        firn_doc_key_error(r->doc, node,
                           "a collider has its own 'temperature' or 'temperature_of_air', not "
                           "both");
        return false;
    }
    const bool weighs = c->mass > 0 || c->density > 0;
    if (c->mass > 0 && c->density > 0) {
        firn_doc_key_error(r->doc, node, "a collider has a 'mass' or a 'density', not both");
        return false;
    }
    if (!weighs && (!is_zero(c->inertia) || c->damping > 0 || c->angular_damping > 0)) {
        firn_doc_key_error(r->doc, node,
                           "'inertia', 'damping' and 'angular_damping' are for colliders with a "
                           "'mass' or a 'density'; this one has neither");
        return false;
    }
    if (weighs && (c->keys.count > 0 || follows || deforms || !is_zero(c->pivot))) {
        firn_doc_key_error(
            r->doc, node,
            "a collider with a 'mass' or a 'density' is dynamic: it takes 'position', "
            "'rotation', 'velocity' and 'spin' at the start, but neither 'pivot' "
            "nor 'keyframes', 'motion' or 'animation'");
        return false;
    }
    return valid;
}

// A mesh that its file has placed, moved by a node of the same file, would be placed twice.
static void warn_of_second_placement(firn_scene_reader* r, const firn_doc_node* node,
                                     const collider_item* c, const firn_motion* motion)
{
    const firn_doc_node* shape = firn_doc_find(node, "shape");
    const firn_doc_node* mesh = shape != NULL ? firn_doc_find(shape, "mesh") : NULL;
    const firn_doc_node* file = mesh != NULL ? firn_doc_find(mesh, "file") : NULL;
    const firn_doc_node* coordinates = mesh != NULL ? firn_doc_find(mesh, "coordinates") : NULL;
    const firn_keyframe* first = motion->keys;  // a path of a node has at least one
    const firn_quat q = first->rotation;
    const firn_real turn = q.x * q.x + q.y * q.y + q.z * q.z;
    const bool moves = firn_v3_dot(first->position, first->position) > 0 || turn > 0;
    if (!moves || file == NULL || strcmp(file->text, c->motion.file) != 0) return;
    if (coordinates != NULL && strcmp(coordinates->text, "node") == 0) return;
    firn_doc_key_warning(r->doc, mesh,
                         "the file places this mesh, and 'motion' places it once more: add "
                         "'node: %s, coordinates: node' to the mesh",
                         c->motion.node);
}

// Reads the files of an animation or motion. False: an error was reported.
static bool read_files(firn_scene_reader* r, const firn_doc_node* node, const collider_item* c,
                       firn_collider* collider)
{
    const firn_doc_node* animation = firn_doc_find(node, "animation");
    const firn_doc_node* motion = firn_doc_find(node, "motion");
    if (animation != NULL &&
        !firn_animation_read(r, animation, &c->animation, &collider->deforming))
        return false;
    if (motion == NULL) return true;
    firn_error error = {0};
    if (!firn_read_check(r, motion,
                         firn_motion_from_node(c->motion.file, c->motion.clip, c->motion.node,
                                               c->motion.start, &collider->motion, &error),
                         &error))
        return false;
    warn_of_second_placement(r, node, c, &collider->motion);
    return true;
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* at_item, void* at,
                   bool valid)
{
    (void)at;
    collider_item* c = at_item;
    firn_scene_data* scene = r->scene;
    if (!check_item(r, node, c, valid) || r->dry) return;
    if (!firn_reserve((void**)&scene->colliders, &scene->collider_capacity,
                      scene->collider_count + 1, sizeof *scene->colliders)) {
        r->out_of_memory = true;
        return;
    }
    firn_collider collider = {.shape = c->shape,
                              .friction = (firn_real)c->friction,
                              .sticky = c->sticky,
                              .viscosity = (firn_real)c->viscosity,
                              .adhesion = (firn_real)c->adhesion,
                              .temperature = (firn_real)c->temperature,
                              .temperature_of_air = c->temperature_of_air,
                              .heat_transfer = (firn_real)c->heat_transfer,
                              .inertia = to_vec3(c->inertia),
                              .restitution = (firn_real)c->restitution,
                              .damping = (firn_real)c->damping,
                              .angular_damping = (firn_real)c->angular_damping,
                              .look = firn_surface_read(node, &c->surface),
                              .motion = {.position = to_vec3(c->position),
                                         .rotation = to_quat(c->rotation),
                                         .scale = (firn_real)c->scale,
                                         .velocity = to_vec3(c->velocity),
                                         .spin = to_vec3(c->spin),
                                         .pivot = to_vec3(c->pivot),
                                         .interpolation = (firn_interpolation)c->interpolation}};
    if (!read_files(r, node, c, &collider)) {
        firn_collider_destroy(&collider);
        return;
    }
    if (c->keys.count > 0) {
        collider.motion.keys = c->keys.items;
        collider.motion.key_count = c->keys.count;
        c->keys.items = NULL;  // the scene owns them now
    }
    firn_error error = {0};
    const double mass =
        c->density > 0 ? c->density * firn_collider_volume(&collider, &scene->shapes) : c->mass;
    if ((c->mass > 0 || c->density > 0) &&
        !firn_read_check(
            r, node, firn_collider_set_dynamic(&collider, &scene->shapes, (firn_real)mass, &error),
            &error)) {
        firn_collider_destroy(&collider);
        return;
    }
    collider.pose = firn_collider_pose_at(&collider, 0);  // key frames are built later
    scene->colliders[scene->collider_count++] = collider;
}

static const char* const interpolations[] = {"linear", "smooth", NULL};

#define AT(field) offsetof(keyframe_item, field)
static const firn_key keyframe_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL,
     "Time of the key; later than the key before."},
    {"position", FIRN_KEY_VEC3, AT(position), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL,
     "Position of the shape's origin."},
    {"rotation", FIRN_KEY_ROTATION, AT(rotation), NULL, 0, 0, "[0, 0, 0]", NULL, NULL,
     "Rotation of the shape."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-3, 1e3, "1", NULL, NULL,
     "Scale factor of the shape."},
};
static const firn_key_block keyframe = {"keyframe",
                                        "Pose of a collider at one time.",
                                        keyframe_keys,
                                        FIRN_KEY_COUNT(keyframe_keys),
                                        sizeof(keyframe_item),
                                        set_keyframe_defaults,
                                        finish_keyframe};

#undef AT
#define AT(field) offsetof(collider_item, field)
static const firn_key keys[] = {
    {"shape", FIRN_KEY_SHAPE, AT(shape), NULL, 0, 0, "none", NULL, NULL, "Shape of the collider."},
    {"animation", FIRN_KEY_BLOCK, AT(animation), NULL, 0, 0, "none", NULL, &firn_animation_keys,
     "A deforming collider, instead of a shape."},
    {"friction", FIRN_KEY_REAL, AT(friction), "-", 0, 100, "0.4", NULL, NULL,
     "Coulomb friction coefficient; 0: frictionless."},
    {"sticky", FIRN_KEY_BOOL, AT(sticky), NULL, 0, 0, "false", NULL, NULL,
     "Snow sticks to it on contact."},
    {"viscosity", FIRN_KEY_REAL, AT(viscosity), "m^2/s", 0, 1e6,
     "by friction: 2.5 times it, 10 if sticky", NULL, NULL,
     "Viscous friction of solver sph, which replaces Coulomb friction: 0 is frictionless, 10 "
     "sticks."},
    {"adhesion", FIRN_KEY_REAL, AT(adhesion), "-", 0, 1e3, "0", NULL, NULL,
     "Strength of the attraction of nearby snow (solver sph)."},
    {"temperature", FIRN_KEY_REAL, AT(temperature), "degC", -273.15, 1e4, "none: no heat exchange",
     NULL, NULL, "Temperature of the collider (solver sph)."},
    {"temperature_of_air", FIRN_KEY_BOOL, AT(temperature_of_air), NULL, 0, 0, "false", NULL, NULL,
     "The collider always has the temperature of the air, instead of its own 'temperature'."},
    {"heat_transfer", FIRN_KEY_REAL, AT(heat_transfer), "W/m^2/K", 0, 1e6, "50", NULL, NULL,
     "Heat transfer coefficient between the collider and snow in contact."},
    {"mass", FIRN_KEY_REAL, AT(mass), "kg", 0, 1e12, "0", NULL, NULL,
     "Above 0: a dynamic collider of uniform density, moved by gravity, snow and other colliders "
     "(on the CPU; not solver ballistic). 0: a kinematic collider."},
    {"density", FIRN_KEY_REAL, AT(density), "kg/m^3", 0, 1e6, "none", NULL, NULL,
     "Instead of 'mass': mass by the volume of the shape."},
    {"inertia", FIRN_KEY_VEC3, AT(inertia), "kg*m^2", 0, 1e12, "by mass and shape", NULL, NULL,
     "Moments of inertia of a dynamic collider about its centre of mass, along the shape's axes."},
    {"restitution", FIRN_KEY_REAL, AT(restitution), "-", 0, 1, "0", NULL, NULL,
     "Share of the speed that contact with a dynamic collider gives back; the larger of the two."},
    {"damping", FIRN_KEY_REAL, AT(damping), "1/s", 0, 1e3, "0", NULL, NULL,
     "Rate at which a dynamic collider loses velocity."},
    {"angular_damping", FIRN_KEY_REAL, AT(angular_damping), "1/s", 0, 1e3, "0", NULL, NULL,
     "Rate at which a dynamic collider loses spin."},
    {"velocity", FIRN_KEY_VEC3, AT(velocity), "m/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL,
     "Constant velocity; of a dynamic collider: initial velocity of its centre of mass."},
    {"spin", FIRN_KEY_VEC3, AT(spin), "rad/s", -1e4, 1e4, "[0, 0, 0]", NULL, NULL,
     "Constant angular velocity about the pivot; of a dynamic collider: initial angular velocity "
     "about its centre of mass."},
    {"pivot", FIRN_KEY_VEC3, AT(pivot), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL,
     "Initial position of the point that 'spin' rotates about and 'velocity' moves."},
    {"position", FIRN_KEY_VEC3, AT(position), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL,
     "Initial position of the shape's origin."},
    {"rotation", FIRN_KEY_ROTATION, AT(rotation), NULL, 0, 0, "[0, 0, 0]", NULL, NULL,
     "Initial rotation of the shape."},
    {"scale", FIRN_KEY_REAL, AT(scale), "-", 1e-3, 1e3, "1", NULL, NULL,
     "Scale factor of the shape, about its origin."},
    {"keyframes", FIRN_KEY_LIST, AT(keys), NULL, 0, 0, "none", NULL, &keyframe,
     "Poses over time; at rest before the first and after the last."},
    {"interpolation", FIRN_KEY_ENUM, AT(interpolation), NULL, 0, 0, "smooth", interpolations, NULL,
     "Interpolation between key frames: linear, or a smooth curve through them."},
    {"motion", FIRN_KEY_BLOCK, AT(motion), NULL, 0, 0, "none", NULL, &firn_node_motion_keys,
     "The motion of a node of a glTF file, instead of key frames."},
    {"surface", FIRN_KEY_BLOCK, AT(surface), NULL, 0, 0, "chosen", NULL, &firn_surface_keys,
     "Appearance of the collider in pictures; without it, that of its glTF file's materials, or "
     "chosen."},
};
const firn_key_block firn_collider_keys = {"collider",
                                           "A solid that snow collides with.",
                                           keys,
                                           FIRN_KEY_COUNT(keys),
                                           sizeof(collider_item),
                                           set_defaults,
                                           finish};
