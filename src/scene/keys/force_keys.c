// SPDX-License-Identifier: MIT
// The list `forces`: accelerations beside gravity; and gravity that changes over time.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "physics/force_field.h"
#include "scene/data/scene.h"
#include "scene/keys/blocks.h"
#include "scene/parse/reader.h"
#include "scene/write/keys_write.h"

static void set_defaults(void* at)
{
    *(firn_force*)at = (firn_force){.direction = {0, 1, 0}, .length = 0.5, .period = 1, .seed = 1};
}

// The keys of a kind of force, for messages; null: all kinds have it.
static const char* other_kinds(const char* key, int32_t kind)
{
    const bool noise = kind == FIRN_FORCE_NOISE;
    const bool eddy =
        strcmp(key, "length") == 0 || strcmp(key, "period") == 0 || strcmp(key, "seed") == 0;
    if (eddy && !noise) return "noise";
    if (strcmp(key, "direction") == 0 && (noise || kind == FIRN_FORCE_POINT))
        return "a uniform force or a vortex";
    return NULL;
}

static bool check_force(firn_scene_reader* r, const firn_doc_node* node, firn_force* f)
{
    static const char* const names[] = {"length", "period", "seed", "direction"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const firn_doc_node* given = firn_doc_find(node, names[k]);
        const char* kinds = other_kinds(names[k], f->kind);
        if (given == NULL || kinds == NULL) continue;
        firn_doc_error(r->doc, given, "'%s' is a key of %s", names[k], kinds);
        return false;
    }
    const double size = sqrt(firn_force_dot(f->direction, f->direction));
    if (!(size > 0)) {
        firn_doc_error(r->doc, firn_doc_find(node, "direction"),
                       "the direction of this force has no length");
        return false;
    }
    for (int d = 0; d < 3; d++) f->direction[d] /= size;
    if (f->falloff == FIRN_FORCE_CUT || f->radius > 0) return true;
    firn_doc_key_error(r->doc, node, "a force with a 'falloff' needs the key 'radius'");
    return false;
}

static void finish(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                   bool valid)
{
    (void)at;
    firn_scene_data* scene = r->scene;
    if (!valid || !check_force(r, node, item) || r->dry) return;
    if (!firn_reserve((void**)&scene->forces, &scene->force_capacity, scene->force_count + 1,
                      sizeof *scene->forces)) {
        r->out_of_memory = true;
        return;
    }
    scene->forces[scene->force_count++] = *(const firn_force*)item;
}

void firn_check_key_order(firn_scene_reader* r, const firn_doc_node* node, double time,
                          int32_t count, double before, double earlier)
{
    if (count > 0 && time < before)
        firn_doc_error(r->doc, node, "keys must be in order of time: %g s comes before %g s", time,
                       before);
    else if (count > 1 && time == before && before == earlier)
        firn_doc_error(r->doc, node,
                       "three keys at %g s: two make a step, remove the one between them", before);
}

static void finish_factor(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                          bool valid)
{
    const firn_rows* rows = at;
    const firn_force_key* keys = firn_rows_items(rows);
    const int32_t n = rows->count;
    if (!valid) return;
    firn_check_key_order(r, node, ((const firn_force_key*)item)->time, n,
                         n > 0 ? keys[n - 1].time : 0, n > 1 ? keys[n - 2].time : 0);
}

static void finish_gravity(firn_scene_reader* r, const firn_doc_node* node, void* item, void* at,
                           bool valid)
{
    const firn_rows* rows = at;
    const firn_gravity_key* keys = firn_rows_items(rows);
    const int32_t n = rows->count;
    if (!valid) return;
    firn_check_key_order(r, node, ((const firn_gravity_key*)item)->time, n,
                         n > 0 ? keys[n - 1].time : 0, n > 1 ? keys[n - 2].time : 0);
}

_Static_assert(FIRN_ROWS_FIT(firn_force, key_count, keys), "rows");
_Static_assert(FIRN_ROWS_FIT(firn_scene_data, gravity_key_count, gravity_keys), "rows");

#define AT(field) offsetof(firn_gravity_key, field)
static const firn_key gravity_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL,
     "Time of the key; not earlier than the key before. Two keys at the same time are a step."},
    {"gravity", FIRN_KEY_VEC3, AT(gravity), "m/s^2", -1e4, 1e4, NULL, NULL, NULL,
     "Gravitational acceleration at that time."},
};
const firn_key_block firn_gravity_key_keys = {"gravity key",
                                              "Gravity at one time.",
                                              gravity_keys,
                                              FIRN_KEY_COUNT(gravity_keys),
                                              sizeof(firn_gravity_key),
                                              NULL,
                                              finish_gravity};

#undef AT
#define AT(field) offsetof(firn_force_key, field)
static const firn_key factor_keys[] = {
    {"time", FIRN_KEY_REAL, AT(time), "s", -1e6, 1e6, NULL, NULL, NULL,
     "Time of the key; not earlier than the key before. Two keys at the same time are a step."},
    {"factor", FIRN_KEY_REAL, AT(factor), "-", -1e6, 1e6, NULL, NULL, NULL,
     "Factor on the strength at that time."},
};
static const firn_key_block factor_key = {"force key",
                                          "The strength of a force at one time.",
                                          factor_keys,
                                          FIRN_KEY_COUNT(factor_keys),
                                          sizeof(firn_force_key),
                                          NULL,
                                          finish_factor};

static const char* const kinds[] = {"uniform", "point", "vortex", "noise", NULL};
static const char* const falloffs[] = {"none", "linear", "smooth", "inverse", NULL};

#undef AT
#define AT(field) offsetof(firn_force, field)
static const firn_key keys[] = {
    {"kind", FIRN_KEY_ENUM, AT(kind), NULL, 0, 0, NULL, kinds, NULL,
     "Along a direction; towards a point; around an axis; eddies (curl noise without sources)."},
    {"strength", FIRN_KEY_REAL, AT(strength), "m/s^2", -1e6, 1e6, NULL, NULL, NULL,
     "Acceleration where it is strongest, rms along each axis for noise; below 0: the other way, "
     "away from a point."},
    {"direction", FIRN_KEY_VEC3, AT(direction), NULL, -1e6, 1e6, "[0, 1, 0]", NULL, NULL,
     "Direction of a uniform force, axis of a vortex (counter-clockwise, seen from its tip)."},
    {"center", FIRN_KEY_VEC3, AT(center), "m", -1e6, 1e6, "[0, 0, 0]", NULL, NULL,
     "The point; a point of the axis; where the falloff of the others begins."},
    {"radius", FIRN_KEY_REAL, AT(radius), "m", 1e-6, 1e6, "none: everywhere", NULL, NULL,
     "Distance from the center, or the axis, at which the force ends."},
    {"falloff", FIRN_KEY_ENUM, AT(falloff), NULL, 0, 0, "none", falloffs, NULL,
     "How it decreases up to the radius: not, 1 - s, 1 - 3 s^2 + 2 s^3 with s the share of the "
     "radius; or 1 / (1 + s^2), which goes on beyond it."},
    {"length", FIRN_KEY_REAL, AT(length), "m", 1e-4, 1e6, "0.5", NULL, NULL, "Size of an eddy."},
    {"period", FIRN_KEY_REAL, AT(period), "s", 1e-3, 1e6, "1", NULL, NULL,
     "Time after which the pattern of eddies has changed."},
    {"seed", FIRN_KEY_INT, AT(seed), NULL, 0, 9007199254740992.0, "1", NULL, NULL,
     "Seed of the eddies."},
    {"keys", FIRN_KEY_ROWS, AT(key_count), NULL, 1, FIRN_FORCE_KEYS_MAX, "constant", NULL,
     &factor_key,
     "The strength over time, as factors: linear between the keys, constant before the first and "
     "after the last."},
};
const firn_key_block firn_force_keys = {"force",
                                        "An acceleration of all snow, beside gravity. Not of "
                                        "colliders.",
                                        keys,
                                        FIRN_KEY_COUNT(keys),
                                        sizeof(firn_force),
                                        set_defaults,
                                        finish};

void firn_forces_write(firn_text* text, const firn_scene_data* scene, int digits)
{
    for (int32_t k = 0; k < scene->gravity_key_count; k++) {
        firn_text_add(text, k == 0 ? "gravity_keys: [" : ", ");
        firn_keys_write(text, &firn_gravity_key_keys, &scene->gravity_keys[k], digits);
    }
    if (scene->gravity_key_count > 0) firn_text_add(text, "]\n");
    if (scene->force_count > 0) firn_text_add(text, "forces:\n");
    for (firn_local k = 0; k < scene->force_count; k++) {
        const firn_force* f = &scene->forces[k];
        firn_text_add(text, "  - {kind: %s, strength: ", kinds[f->kind]);
        firn_write_number(text, f->strength, digits);
        for (size_t i = 2; i < FIRN_KEY_COUNT(keys); i++) {
            const firn_key* key = &keys[i];
            if (other_kinds(key->name, f->kind) != NULL) continue;
            if (strcmp(key->name, "radius") == 0 && !(f->radius > 0)) continue;
            if (key->type == FIRN_KEY_ROWS && f->key_count == 0) continue;
            firn_text_add(text, ", %s: ", key->name);
            firn_key_write(text, key, (const char*)f + key->offset, digits);
        }
        firn_text_add(text, "}\n");
    }
}
