// SPDX-License-Identifier: MIT
// The scene's data as YAML: the copy in a run's folder when a scene was built from code, and, with
// what does not matter to the motion left out, the text whose hash says that two scenes are equal.
#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "scene/animation_keys.h"
#include "scene/blocks.h"
#include "scene/keys_write.h"

// Enough to tell two numbers apart that a person would write, few enough that rounding in a unit's
// conversion or in firn_real does not show.
#define HASH_DIGITS 7
#define TEXT_MAX (32 << 20)  // [bytes]

typedef struct writer {
    firn_text text;
    const firn_scene_data* scene;
    int digits;  // of doubles
    bool for_hash;
    uint64_t* shape_hashes;  // owned; [node_count]; for_hash only
} writer;

static void add_reals(writer* w, const char* name, const firn_real* v, int count)
{
    firn_text_add(&w->text, "%s: %s", name, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) {
        if (i > 0) firn_text_add(&w->text, ", ");
        if (w->for_hash)
            firn_write_number(&w->text, (double)v[i], HASH_DIGITS);
        else
            firn_write_real(&w->text, v[i]);
    }
    if (count > 1) firn_text_add(&w->text, "]");
}

static void add_vec3(writer* w, const char* name, firn_vec3 v)
{
    const firn_real x[3] = {v.x, v.y, v.z};
    add_reals(w, name, x, 3);
}

// Unit quaternions are normalised again wherever they are read, which moves their last digits: the
// hash looks at five.
static void add_rotation(writer* w, firn_quat q)
{
    const firn_real x[4] = {q.w, q.x, q.y, q.z};
    firn_text_add(&w->text, "rotation: ");
    for (int i = 0; i < 4; i++) {
        firn_text_add(&w->text, i == 0 ? "[" : ", ");
        if (w->for_hash)
            firn_text_add(&w->text, "%.5f", (double)x[i] + 0.0);
        else
            firn_write_real(&w->text, x[i]);
    }
    firn_text_add(&w->text, "]");
}

static void add_double(writer* w, const char* name, double value)
{
    firn_text_add(&w->text, "%s: ", name);
    firn_write_number(&w->text, value, w->digits);
}

static void add_doubles(writer* w, const char* name, const double* v)
{
    firn_text_add(&w->text, "%s: ", name);
    for (int i = 0; i < 3; i++) {
        firn_text_add(&w->text, i == 0 ? "[" : ", ");
        firn_write_number(&w->text, v[i], w->digits);
    }
    firn_text_add(&w->text, "]");
}

// Parameter lists of the kinds that are no booleans: key names and how many numbers each takes.
typedef struct kind_layout {
    const char* name;
    const char* keys[4];
    int counts[4];
    bool rotates;
} kind_layout;

static const kind_layout layouts[] = {
    [FIRN_SHAPE_PLANE] = {"plane", {"point", "normal"}, {3, 3}, false},
    [FIRN_SHAPE_SPHERE] = {"sphere", {"center", "radius"}, {3, 1}, false},
    [FIRN_SHAPE_BOX] = {"box", {"center", "size", "rounding"}, {3, 3, 1}, true},
    [FIRN_SHAPE_CAPSULE] = {"capsule", {"a", "b", "radius"}, {3, 3, 1}, false},
    [FIRN_SHAPE_CYLINDER] = {"cylinder", {"a", "b", "radius", "rounding"}, {3, 3, 1, 1}, false},
    [FIRN_SHAPE_CONE] = {"cone", {"a", "b", "radius_a", "radius_b"}, {3, 3, 1, 1}, false},
    [FIRN_SHAPE_WEDGE] = {"wedge", {"base", "size"}, {3, 3}, true},
    [FIRN_SHAPE_HEIGHT_FIELD] = {"height_field", {"origin", "size", "depth"}, {3, 3, 1}, false},
    [FIRN_SHAPE_TRANSFORM] = {"transform", {"move", "scale"}, {3, 1}, true},
};

static void add_shape(writer* w, firn_local shape);

static void add_pair(writer* w, const firn_shape_node* node)
{
    const bool is_union = node->kind == FIRN_SHAPE_UNION;
    firn_text_add(&w->text, is_union                                ? "{union: {of: ["
                            : node->kind == FIRN_SHAPE_INTERSECTION ? "{intersection: ["
                                                                    : "{difference: [");
    add_shape(w, node->a);
    firn_text_add(&w->text, ", ");
    add_shape(w, node->b);
    firn_text_add(&w->text, "]");
    if (is_union) {
        firn_text_add(&w->text, ", ");
        add_reals(w, "blend", node->p, 1);
        firn_text_add(&w->text, "}");
    }
    firn_text_add(&w->text, "}");
}

// For the hash: what it looks like, not where it came from.
static void add_field(writer* w, firn_local field)
{
    const firn_height_field* f = &w->scene->shapes.fields[field];
    const size_t bytes = (size_t)f->nx * (size_t)f->nz * sizeof *f->value;
    if (w->for_hash)
        firn_text_add(&w->text, ", heights: %016llx",
                      (unsigned long long)firn_hash(f->value, bytes, (uint64_t)f->nx));
    else if (field < w->scene->field_text_count)
        firn_text_add(&w->text, ", %s", w->scene->field_texts[field]);
}

// A level set: for the hash what it holds, else what it was made from.
static void add_level_set(writer* w, firn_local index)
{
    const firn_level_set* set = w->scene->shapes.level_sets[index];
    if (w->for_hash)
        firn_text_add(&w->text, "{level_set: %016llx}",
                      (unsigned long long)firn_level_set_hash(set));
    else if (index < w->scene->level_set_text_count)
        firn_text_add(&w->text, "{%s}", w->scene->level_set_texts[index]);
}

static void add_parameters(writer* w, const firn_shape_node* node)
{
    const kind_layout* layout = &layouts[node->kind];
    firn_shape_node n = *node;
    if (node->kind == FIRN_SHAPE_BOX)  // stored as half sizes
        for (int i = 3; i < 6; i++) n.p[i] *= 2;
    firn_text_add(&w->text, "{%s: {", layout->name);
    for (int i = 0, at = 0; i < 4 && layout->keys[i] != NULL; at += layout->counts[i], i++) {
        if (i > 0) firn_text_add(&w->text, ", ");
        add_reals(w, layout->keys[i], &n.p[at], layout->counts[i]);
    }
    if (layout->rotates) {
        firn_text_add(&w->text, ", ");
        add_rotation(w, node->q);
    }
    if (node->kind == FIRN_SHAPE_TRANSFORM) {
        firn_text_add(&w->text, ", shape: ");
        add_shape(w, node->a);
    }
    if (node->kind == FIRN_SHAPE_HEIGHT_FIELD) add_field(w, node->a);
    firn_text_add(&w->text, "}}");
}

static void add_node(writer* w, const firn_shape_node* node)
{
    const bool is_pair = node->kind == FIRN_SHAPE_UNION || node->kind == FIRN_SHAPE_INTERSECTION ||
                         node->kind == FIRN_SHAPE_DIFFERENCE;
    if (is_pair)
        add_pair(w, node);
    else if (node->kind == FIRN_SHAPE_LEVEL_SET)
        add_level_set(w, node->a);
    else
        add_parameters(w, node);
}

// For the hash, a shape stands for itself by the hash of its node: code may use one shape twice at
// every level of a tree, which written out would double each time. Written out, such a scene is
// refused when its text grows absurd.
static void add_shape(writer* w, firn_local shape)
{
    if (w->text.length > TEXT_MAX) w->text.failed = true;
    if (w->text.failed) return;
    if (w->for_hash)
        firn_text_add(&w->text, "%016llx", (unsigned long long)w->shape_hashes[shape]);
    else
        add_node(w, &w->scene->shapes.nodes[shape]);
}

// Children come before their parents in the array, so one pass does it.
static void hash_shapes(writer* w)
{
    const firn_shapes* shapes = &w->scene->shapes;
    w->shape_hashes = firn_alloc((size_t)shapes->node_count + 1, sizeof *w->shape_hashes);
    if (w->shape_hashes == NULL) {
        w->text.failed = true;
        return;
    }
    for (firn_local i = 0; i < shapes->node_count && !w->text.failed; i++) {
        w->text.length = 0;
        add_node(w, &shapes->nodes[i]);
        if (!w->text.failed)
            w->shape_hashes[i] = firn_hash(w->text.data, (size_t)w->text.length, 0);
    }
    w->text.length = 0;
}

static void add_materials(writer* w)
{
    if (w->scene->material_count > 0) firn_text_add(&w->text, "materials:\n");
    for (firn_local i = 0; i < w->scene->material_count; i++) {
        const firn_material* m = &w->scene->materials[i];
        firn_text_add(&w->text, "  ");
        if (w->for_hash)
            firn_text_add(&w->text, "%d", (int)i);  // a name changes nothing
        else
            firn_text_add_json(&w->text, m->name);
        firn_text_add(&w->text, ": {");
        const char* const names[] = {
            "density",          "young",        "poisson", "hardening", "critical_compression",
            "critical_stretch", "hardening_max"};
        const firn_real values[] = {m->snow.density,
                                    m->snow.young,
                                    m->snow.poisson,
                                    m->snow.hardening,
                                    m->snow.critical_compression,
                                    m->snow.critical_stretch,
                                    m->snow.hardening_max};
        for (int k = 0; k < 7; k++) {
            if (k > 0) firn_text_add(&w->text, ", ");
            add_reals(w, names[k], &values[k], 1);
        }
        firn_text_add(&w->text, "}\n");
    }
}

static void add_snow(writer* w, const firn_snow* s)
{
    static const char* const seedings[] = {"stratified", "lattice", "random"};
    if (s->shape >= 0) {
        firn_text_add(&w->text, "  - shape: ");
        add_shape(w, s->shape);
    } else {  // for the hash: the same file in another folder is the same file
        const char* slash = w->for_hash ? strrchr(s->file, '/') : NULL;
        firn_text_add(&w->text, "  - file: ");
        firn_text_add_json(&w->text, slash != NULL ? slash + 1 : s->file);
    }
    firn_text_add(&w->text, "\n    material: ");
    if (w->for_hash)
        firn_text_add(&w->text, "%d", (int)s->material);
    else
        firn_text_add_json(&w->text, w->scene->materials[s->material].name);
    firn_text_add(&w->text, "\n    seeding: %s\n    seed: %lld\n    ", seedings[s->seeding],
                  (long long)s->seed);
    add_double(w, "particles_per_cell", s->particles_per_cell);
    firn_text_add(&w->text, "\n    ");
    add_doubles(w, "velocity", s->velocity);
    firn_text_add(&w->text, "\n    ");
    add_doubles(w, "spin", s->spin);
    firn_text_add(&w->text, "\n");
    firn_vary_write(&w->text, &s->vary, w->digits, w->for_hash);
}

// Left out where it changes nothing.
static void add_scale(writer* w, const char* before, firn_real scale)
{
    if (scale == 1) return;
    firn_text_add(&w->text, "%s", before);
    add_reals(w, "scale", &scale, 1);
}

static void add_motion(writer* w, const firn_motion* m)
{
    if (m->key_count == 0) {
        firn_text_add(&w->text, "\n    ");
        add_vec3(w, "velocity", m->velocity);
        firn_text_add(&w->text, "\n    ");
        add_vec3(w, "spin", m->spin);
        firn_text_add(&w->text, "\n    ");
        add_vec3(w, "pivot", m->pivot);
        firn_text_add(&w->text, "\n");
        return;
    }
    firn_text_add(&w->text, "\n    interpolation: %s\n    keyframes:\n",
                  m->interpolation == FIRN_INTERPOLATE_LINEAR ? "linear" : "smooth");
    for (firn_local i = 0; i < m->key_count; i++) {
        firn_text_add(&w->text, "      - {");
        add_double(w, "time", m->keys[i].time);
        firn_text_add(&w->text, ", ");
        add_vec3(w, "position", m->keys[i].position);
        firn_text_add(&w->text, ", ");
        add_rotation(w, m->keys[i].rotation);
        add_scale(w, ", ", m->keys[i].scale);
        firn_text_add(&w->text, "}\n");
    }
}

static void add_collider(writer* w, const firn_collider* c)
{
    firn_text_add(&w->text, c->deforming != NULL ? "  - animation: " : "  - shape: ");
    if (c->deforming != NULL)
        firn_animation_write(&w->text, c->deforming, w->for_hash, w->digits);
    else
        add_shape(w, c->shape);
    firn_text_add(&w->text, "\n    ");
    add_reals(w, "friction", &c->friction, 1);
    firn_text_add(&w->text, "\n    sticky: %s\n    ", c->sticky ? "true" : "false");
    add_vec3(w, "position", c->motion.position);
    firn_text_add(&w->text, "\n    ");
    add_rotation(w, c->motion.rotation);
    add_scale(w, "\n    ", c->motion.scale);
    add_motion(w, &c->motion);
    if (!w->for_hash) firn_look_write(&w->text, &c->look);  // changes no motion
}

static void add_cull(writer* w, const firn_cull_block* c)
{
    const char* comma = "";
    if (!c->active) return;
    firn_text_add(&w->text, "cull: {");
    if (c->below > -INFINITY) {
        add_double(w, "below", c->below);
        comma = ", ";
    }
    if (c->inside >= 0) {
        firn_text_add(&w->text, "%sinside: ", comma);
        add_shape(w, c->inside);
        comma = ", ";
    }
    if (c->outside >= 0) {
        firn_text_add(&w->text, "%soutside: ", comma);
        add_shape(w, c->outside);
    }
    firn_text_add(&w->text, "}\n");
}

static void add_scene(writer* w)
{
    const firn_scene_data* s = w->scene;
    firn_text_add(&w->text, "firn: 1\n");
    if (s->title != NULL && !w->for_hash) {
        firn_text_add(&w->text, "title: ");
        firn_text_add_json(&w->text, s->title);
        firn_text_add(&w->text, "\n");
    }
    if (s->solver_keys != NULL) {
        firn_text_add(&w->text, "solver: %s\n%s: ", s->solver_keys->name, s->solver_keys->name);
        firn_keys_write(&w->text, s->solver_keys, s->solver_def, w->digits);
        firn_text_add(&w->text, "\n");
    }
    firn_time_block time = s->time;
    if (w->for_hash) time.frames = 1;
    firn_text_add(&w->text, "time: ");
    firn_keys_write(&w->text, &firn_time_keys, &time, w->digits);
    firn_text_add(&w->text, "\n");
    add_doubles(w, "gravity", s->gravity);
    firn_text_add(&w->text, "\n");
    add_materials(w);
    if (s->snow_count > 0) firn_text_add(&w->text, "snow:\n");
    for (firn_local i = 0; i < s->snow_count; i++) add_snow(w, &s->snow[i]);
    if (s->collider_count > 0) firn_text_add(&w->text, "colliders:\n");
    for (firn_local i = 0; i < s->collider_count; i++) add_collider(w, &s->colliders[i]);
    add_cull(w, &s->cull);
    if (w->for_hash) return;
    firn_text_add(&w->text, "output: ");
    firn_keys_write(&w->text, &firn_output_keys, &s->output, w->digits);
    firn_text_add(&w->text, "\nrender: ");
    firn_keys_write(&w->text, &firn_render_keys, &s->render, w->digits);
    firn_text_add(&w->text, "\n");
}

static char* write_scene(const firn_scene_data* scene, bool for_hash)
{
    firn_locale locale = firn_locale_open();
    writer w = {.scene = scene, .digits = for_hash ? HASH_DIGITS : 17, .for_hash = for_hash};
    if (for_hash) hash_shapes(&w);
    if (!w.text.failed) add_scene(&w);
    firn_free(w.shape_hashes);
    firn_locale_close(&locale);
    return firn_text_take(&w.text);
}

char* firn_scene_emit(const firn_scene_data* scene)
{
    return scene->effective != NULL ? firn_strdup(scene->effective) : write_scene(scene, false);
}

uint64_t firn_scene_hash(const firn_scene_data* scene)
{
    char* text = write_scene(scene, true);
    if (text == NULL) return 0;
    const uint64_t hash = firn_hash(text, strlen(text), 0);
    firn_free(text);
    return hash;
}
