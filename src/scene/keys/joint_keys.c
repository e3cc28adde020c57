// SPDX-License-Identifier: MIT
// Block `joints`: what holds dynamic colliders.
#include <math.h>

#include "bodies/joint.h"
#include "core/memory.h"
#include "core/text.h"
#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"
#include "scene/write/keys_write.h"

typedef struct joint_item {
    int32_t kind;
    int64_t a, b;
    double point[3], point_b[3], axis[3];
    double angle_low, angle_high, length, stiffness, damping, break_force, break_torque;
    bool collide;
} joint_item;

static void set_defaults(void* at)
{
    *(joint_item*)at = (joint_item){.b = -1,
                                    .axis = {0, 0, 1},
                                    .angle_low = -INFINITY,
                                    .angle_high = INFINITY,
                                    .length = -1,
                                    .break_force = INFINITY,
                                    .break_torque = INFINITY};
}

static firn_vec3 to_vec3(const double* v)
{
    return (firn_vec3){(firn_real)v[0], (firn_real)v[1], (firn_real)v[2]};
}

static bool is_given(const firn_doc_node* node, const char* key)
{
    return firn_doc_find(node, key) != NULL;
}

// Keys of other kinds of joints.
static bool check_keys(firn_scene_reader* r, const firn_doc_node* node, const joint_item* item)
{
    const bool line = firn_joint_is_line((firn_joint_kind)item->kind);
    const bool hinge = item->kind == FIRN_JOINT_HINGE, spring = item->kind == FIRN_JOINT_SPRING;
    const bool stiff = hinge || item->kind == FIRN_JOINT_FIXED;
    const struct {
        const char* key;
        bool allowed;
        const char* kinds;
    } rules[] = {{"point_b", line, "a spring, rope or rod"},
                 {"length", line, "a spring, rope or rod"},
                 {"stiffness", spring, "a spring"},
                 {"damping", spring, "a spring"},
                 {"axis", hinge, "a hinge"},
                 {"angle_low", hinge, "a hinge"},
                 {"angle_high", hinge, "a hinge"},
                 {"break_torque", stiff, "a fixed joint or a hinge"}};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (rules[k].allowed || !is_given(node, rules[k].key)) continue;
        firn_doc_error(r->doc, firn_doc_find(node, rules[k].key), "'%s' is a key of %s",
                       rules[k].key, rules[k].kinds);
        return false;
    }
    if (line && !is_given(node, "point_b")) {
        firn_doc_key_error(r->doc, node, "a spring, rope or rod needs the key 'point_b'");
        return false;
    }
    if (spring && !is_given(node, "stiffness")) {
        firn_doc_key_error(r->doc, node, "a spring needs the key 'stiffness'");
        return false;
    }
    return true;
}

// Colliders come before joints. Those that were refused are missing: then nothing is checked.
static bool check_colliders(firn_scene_reader* r, const firn_doc_node* node, const joint_item* item)
{
    const firn_scene_data* scene = r->scene;
    if (r->dry || r->doc->diagnostics->error_count > 0) return true;
    const int64_t n = scene->collider_count;
    if (item->a >= n || item->b >= n) {
        firn_doc_error(r->doc, firn_doc_find(node, item->a >= n ? "a" : "b"),
                       "there is no collider %lld: the scene has %lld, counted from 0",
                       (long long)(item->a >= n ? item->a : item->b), (long long)n);
        return false;
    }
    if (item->a == item->b) {
        firn_doc_error(r->doc, firn_doc_find(node, "b"), "a joint holds two different colliders");
        return false;
    }
    if (!(scene->colliders[item->a].mass > 0)) {
        firn_doc_error(
            r->doc, firn_doc_find(node, "a"),
            "collider %lld has no 'mass', so that a joint cannot move it: give it one, or "
            "put the other collider first",
            (long long)item->a);
        return false;
    }
    return true;
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* at_item, void* at,
                   bool valid)
{
    (void)at;
    const joint_item* item = at_item;
    firn_scene_data* scene = r->scene;
    if (!valid || !check_keys(r, node, item) || !check_colliders(r, node, item) || r->dry) return;
    if (!firn_reserve((void**)&scene->joints, &scene->joint_capacity, scene->joint_count + 1,
                      sizeof *scene->joints)) {
        r->out_of_memory = true;
        return;
    }
    const firn_joint joint = {.kind = (firn_joint_kind)item->kind,
                              .a = (firn_local)item->a,
                              .b = (firn_local)item->b,
                              .point_a = to_vec3(item->point),
                              .point_b = to_vec3(item->point_b),
                              .axis = to_vec3(item->axis),
                              .angle_low = (firn_real)item->angle_low,
                              .angle_high = (firn_real)item->angle_high,
                              .length = (firn_real)item->length,
                              .stiffness = (firn_real)item->stiffness,
                              .damping = (firn_real)item->damping,
                              .break_force = (firn_real)item->break_force,
                              .break_torque = (firn_real)item->break_torque,
                              .collide = item->collide};
    firn_error error = {0};
    if (firn_read_check(r, node, firn_joint_check(&joint, &error), &error))
        scene->joints[scene->joint_count++] = joint;
}

static const char* const kinds[] = {"fixed", "hinge", "ball", "spring", "rope", "rod", NULL};

#define AT(field) offsetof(joint_item, field)
static const firn_key keys[] = {
    {"kind", FIRN_KEY_ENUM, AT(kind), NULL, 0, 0, NULL, kinds, NULL,
     "No relative motion; rotation about an axis; rotation about a point; a force along a line; a "
     "largest distance; a distance."},
    {"a", FIRN_KEY_INT, AT(a), NULL, 0, 2147483647, NULL, NULL, NULL,
     "A collider with a mass, by its number in `colliders`, counted from 0."},
    {"b", FIRN_KEY_INT, AT(b), NULL, -1, 2147483647, "-1: the world", NULL, NULL,
     "Another collider, with a mass or not."},
    {"point", FIRN_KEY_VEC3, AT(point), "m", -1e6, 1e6, NULL, NULL, NULL,
     "Where the joint holds `a`, at the start."},
    {"point_b", FIRN_KEY_VEC3, AT(point_b), "m", -1e6, 1e6, "as `point`", NULL, NULL,
     "Where a spring, rope or rod holds `b`, at the start."},
    {"axis", FIRN_KEY_VEC3, AT(axis), "-", -1e6, 1e6, "[0, 0, 1]", NULL, NULL,
     "Direction of the axis of a hinge, at the start."},
    {"angle_low", FIRN_KEY_REAL, AT(angle_low), "rad", -1e3, 0, "none", NULL, NULL,
     "Smallest angle of a hinge; it is 0 at the start and grows as `a` rotates about the axis."},
    {"angle_high", FIRN_KEY_REAL, AT(angle_high), "rad", 0, 1e3, "none", NULL, NULL,
     "Largest angle of a hinge."},
    {"length", FIRN_KEY_REAL, AT(length), "m", 0, 1e6, "as at the start", NULL, NULL,
     "Length of a spring without force, or of a rope or rod."},
    {"stiffness", FIRN_KEY_REAL, AT(stiffness), "N/m", 0, 1e12, "none", NULL, NULL,
     "Force of a spring per length."},
    {"damping", FIRN_KEY_REAL, AT(damping), "N*s/m", 0, 1e12, "0", NULL, NULL,
     "Force of a spring per velocity."},
    {"break_force", FIRN_KEY_REAL, AT(break_force), "N", 1e-9, 1e30, "never", NULL, NULL,
     "Force at which the joint breaks, mean over a step."},
    {"break_torque", FIRN_KEY_REAL, AT(break_torque), "N*m", 1e-9, 1e30, "never", NULL, NULL,
     "Torque at which a fixed joint or a hinge breaks."},
    {"collide", FIRN_KEY_BOOL, AT(collide), NULL, 0, 0, "false", NULL, NULL,
     "Whether `a` and `b` also collide with each other."},
};
const firn_key_block firn_joint_keys = {"joint",
                                        "What holds a dynamic collider to another one or to the "
                                        "world.",
                                        keys,
                                        FIRN_KEY_COUNT(keys),
                                        sizeof(joint_item),
                                        set_defaults,
                                        finish};

static void add_number(firn_text* text, const char* name, firn_real value, int digits)
{
    firn_text_add(text, ", %s: ", name);
    firn_write_number(text, (double)value, digits);
}

static void add_vec3(firn_text* text, const char* name, firn_vec3 v, int digits)
{
    const firn_real x[3] = {v.x, v.y, v.z};
    firn_text_add(text, ", %s: ", name);
    for (int d = 0; d < 3; d++) {
        firn_text_add(text, d == 0 ? "[" : ", ");
        firn_write_number(text, (double)x[d], digits);
    }
    firn_text_add(text, "]");
}

void firn_joint_write(firn_text* text, const firn_joint* j, int digits)
{
    const bool line = firn_joint_is_line(j->kind), hinge = j->kind == FIRN_JOINT_HINGE;
    firn_text_add(text, "  - {kind: %s, a: %d, b: %d", kinds[j->kind], (int)j->a, (int)j->b);
    add_vec3(text, "point", j->point_a, digits);
    if (line) add_vec3(text, "point_b", j->point_b, digits);
    if (hinge) add_vec3(text, "axis", j->axis, digits);
    const struct {
        const char* name;
        firn_real value;
        bool given;
    } numbers[] = {{"angle_low", j->angle_low, hinge && firn_is_finite(j->angle_low)},
                   {"angle_high", j->angle_high, hinge && firn_is_finite(j->angle_high)},
                   {"length", j->length, line && j->length >= 0},
                   {"stiffness", j->stiffness, j->kind == FIRN_JOINT_SPRING},
                   {"damping", j->damping, j->kind == FIRN_JOINT_SPRING},
                   {"break_force", j->break_force, firn_is_finite(j->break_force)},
                   {"break_torque", j->break_torque,
                    j->kind <= FIRN_JOINT_HINGE && firn_is_finite(j->break_torque)}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k].given) add_number(text, numbers[k].name, numbers[k].value, digits);
    firn_text_add(text, "%s}\n", j->collide ? ", collide: true" : "");
}
