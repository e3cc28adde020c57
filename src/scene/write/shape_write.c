// SPDX-License-Identifier: MIT
// Writes numbers and shapes of a scene as YAML, or as input of the scene hash.
#include "core/hash.h"
#include "core/memory.h"
#include "geometry/levelset/level_set.h"
#include "scene/write/keys_write.h"
#include "scene/write/scene_writer.h"

#define TEXT_MAX (32 << 20)  // [bytes]

void firn_write_reals(firn_scene_writer* w, const char* name, const firn_real* v, int count)
{
    firn_text_add(&w->text, "%s: %s", name, count > 1 ? "[" : "");
    for (int i = 0; i < count; i++) {
        if (i > 0) firn_text_add(&w->text, ", ");
        if (w->for_hash)
            firn_write_number(&w->text, (double)v[i], FIRN_HASH_DIGITS);
        else
            firn_write_real(&w->text, v[i]);
    }
    if (count > 1) firn_text_add(&w->text, "]");
}

void firn_write_vec3(firn_scene_writer* w, const char* name, firn_vec3 v)
{
    const firn_real x[3] = {v.x, v.y, v.z};
    firn_write_reals(w, name, x, 3);
}

// Readers normalise unit quaternions, which changes their last digits: the hash uses five.
void firn_write_rotation(firn_scene_writer* w, firn_quat q)
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

void firn_write_double(firn_scene_writer* w, const char* name, double value)
{
    firn_text_add(&w->text, "%s: ", name);
    firn_write_number(&w->text, value, w->digits);
}

void firn_write_doubles(firn_scene_writer* w, const char* name, const double* v)
{
    firn_text_add(&w->text, "%s: ", name);
    for (int i = 0; i < 3; i++) {
        firn_text_add(&w->text, i == 0 ? "[" : ", ");
        firn_write_number(&w->text, v[i], w->digits);
    }
    firn_text_add(&w->text, "]");
}

// Parameters of the kinds that are not booleans: key names, and how many numbers each takes.
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

static void add_pair(firn_scene_writer* w, const firn_shape_node* node)
{
    const bool is_union = node->kind == FIRN_SHAPE_UNION;
    firn_text_add(&w->text, is_union                                ? "{union: {of: ["
                            : node->kind == FIRN_SHAPE_INTERSECTION ? "{intersection: ["
                                                                    : "{difference: [");
    firn_write_shape(w, node->a);
    firn_text_add(&w->text, ", ");
    firn_write_shape(w, node->b);
    firn_text_add(&w->text, "]");
    if (is_union) {
        firn_text_add(&w->text, ", ");
        firn_write_reals(w, "blend", node->p, 1);
        firn_text_add(&w->text, "}");
    }
    firn_text_add(&w->text, "}");
}

// For the hash: the heights, not their source.
static void add_field(firn_scene_writer* w, firn_local field)
{
    const firn_height_field* f = &w->scene->shapes.fields[field];
    const size_t bytes = (size_t)f->nx * (size_t)f->nz * sizeof *f->value;
    if (w->for_hash)
        firn_text_add(&w->text, ", heights: %016llx",
                      (unsigned long long)firn_hash(f->value, bytes, (uint64_t)f->nx));
    else if (field < w->scene->field_text_count)
        firn_text_add(&w->text, ", %s", w->scene->field_texts[field]);
}

// A level set: for the hash its values, else its source.
static void add_level_set(firn_scene_writer* w, firn_local index)
{
    const firn_level_set* set = w->scene->shapes.level_sets[index];
    if (w->for_hash)
        firn_text_add(&w->text, "{level_set: %016llx}",
                      (unsigned long long)firn_level_set_hash(set));
    else if (index < w->scene->level_set_text_count)
        firn_text_add(&w->text, "{%s}", w->scene->level_set_texts[index]);
}

static void add_parameters(firn_scene_writer* w, const firn_shape_node* node)
{
    const kind_layout* layout = &layouts[node->kind];
    firn_shape_node n = *node;
    if (node->kind == FIRN_SHAPE_BOX)  // stored as half extents
        for (int i = 3; i < 6; i++) n.p[i] *= 2;
    firn_text_add(&w->text, "{%s: {", layout->name);
    for (int i = 0, at = 0; i < 4 && layout->keys[i] != NULL; at += layout->counts[i], i++) {
        if (i > 0) firn_text_add(&w->text, ", ");
        firn_write_reals(w, layout->keys[i], &n.p[at], layout->counts[i]);
    }
    if (layout->rotates) {
        firn_text_add(&w->text, ", ");
        firn_write_rotation(w, node->q);
    }
    if (node->kind == FIRN_SHAPE_TRANSFORM) {
        firn_text_add(&w->text, ", shape: ");
        firn_write_shape(w, node->a);
    }
    if (node->kind == FIRN_SHAPE_HEIGHT_FIELD) add_field(w, node->a);
    firn_text_add(&w->text, "}}");
}

static void add_node(firn_scene_writer* w, const firn_shape_node* node)
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

// For the hash, a shape is represented by the hash of its node: code may use one shape twice at
// every level of a tree, and writing it out would double its size each time. Outside the hash, such
// a scene is refused when its text gets too long.
void firn_write_shape(firn_scene_writer* w, firn_local shape)
{
    if (w->text.length > TEXT_MAX) w->text.failed = true;
    if (w->text.failed) return;
    if (w->for_hash)
        firn_text_add(&w->text, "%016llx", (unsigned long long)w->shape_hashes[shape]);
    else
        add_node(w, &w->scene->shapes.nodes[shape]);
}

// Children precede their parents in the array, so one pass is enough.
void firn_write_hash_shapes(firn_scene_writer* w)
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
