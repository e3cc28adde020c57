// SPDX-License-Identifier: MIT
// Children have smaller indices than their parents: a first pass marks downwards what a shape is
// made of, a second one copies upwards.
#include "scene/data/scene_import.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/levelset/level_set.h"
#include "geometry/sdf/field_build.h"
#include "scene/data/scene.h"

#define UNUSED (-2)
#define NEEDED (-1)

// Appends a copy of a text, so that texts have the indices of what they describe.
static bool add_text(char*** texts, firn_local* count, firn_local* capacity, const char* text)
{
    if (!firn_reserve((void**)texts, capacity, *count + 1, sizeof(char*))) return false;
    char* copy = firn_strdup(text);
    if (copy == NULL) return false;
    (*texts)[(*count)++] = copy;
    return true;
}

static bool is_same_field(const firn_height_field* a, const firn_height_field* b)
{
    return a->nx == b->nx && a->nz == b->nz &&
           memcmp(a->value, b->value, (size_t)a->nx * (size_t)a->nz * sizeof *a->value) == 0;
}

static firn_result import_field(firn_scene_data* to, const firn_scene_data* from, firn_local* field)
{
    firn_shapes* s = &to->shapes;
    const firn_height_field* own = &from->shapes.fields[*field];
    for (firn_local f = 0; f < s->field_count; f++)
        if (is_same_field(&s->fields[f], own)) {
            *field = f;
            return FIRN_OK;
        }
    const char* text = *field < from->field_text_count ? from->field_texts[*field] : "";
    if (!firn_reserve((void**)&s->fields, &s->field_capacity, s->field_count + 1,
                      sizeof *s->fields))
        return FIRN_BROKEN_MEMORY;
    FIRN_TRY(firn_height_field_copy(own, &s->fields[s->field_count]));
    if (!add_text(&to->field_texts, &to->field_text_count, &to->field_text_capacity, text)) {
        firn_height_field_destroy(&s->fields[s->field_count]);
        return FIRN_BROKEN_MEMORY;
    }
    *field = s->field_count++;
    return FIRN_OK;
}

static firn_result import_level_set(firn_scene_data* to, const firn_scene_data* from,
                                    firn_local* set)
{
    firn_shapes* s = &to->shapes;
    const firn_level_set* own = from->shapes.level_sets[*set];
    for (firn_local k = 0; k < s->level_set_count; k++)
        if (s->level_sets[k] == own) {
            *set = k;
            return FIRN_OK;
        }
    const char* text = *set < from->level_set_text_count ? from->level_set_texts[*set] : "";
    if (!firn_reserve((void**)&s->level_sets, &s->level_set_capacity, s->level_set_count + 1,
                      sizeof(firn_level_set*)) ||
        !add_text(&to->level_set_texts, &to->level_set_text_count, &to->level_set_text_capacity,
                  text))
        return FIRN_BROKEN_MEMORY;
    *set = s->level_set_count;
    s->level_sets[s->level_set_count++] = firn_level_set_share(own);
    return FIRN_OK;
}

static bool is_same_node(const firn_shape_node* a, const firn_shape_node* b)
{
    return a->kind == b->kind && a->a == b->a && a->b == b->b &&
           memcmp(a->p, b->p, sizeof a->p) == 0 && memcmp(&a->q, &b->q, sizeof a->q) == 0;
}

// `node`: its children are those of `to` already.
static firn_result import_node(firn_shapes* to, const firn_shape_node* node, firn_local* out_index)
{
    for (firn_local k = 0; k < to->node_count; k++)
        if (is_same_node(&to->nodes[k], node)) {
            *out_index = k;
            return FIRN_OK;
        }
    if (!firn_reserve((void**)&to->nodes, &to->node_capacity, to->node_count + 1,
                      sizeof *to->nodes))
        return FIRN_BROKEN_MEMORY;
    *out_index = to->node_count;
    to->nodes[to->node_count++] = *node;
    return FIRN_OK;
}

static bool has_children(const firn_shape_node* node)
{
    return node->kind == FIRN_SHAPE_UNION || node->kind == FIRN_SHAPE_INTERSECTION ||
           node->kind == FIRN_SHAPE_DIFFERENCE || node->kind == FIRN_SHAPE_TRANSFORM;
}

// new_index: [shape + 1] of the nodes of `from`; NEEDED ones are copied.
static firn_result copy_nodes(firn_scene_data* to, const firn_scene_data* from, firn_local shape,
                              firn_local* new_index)
{
    for (firn_local k = 0; k <= shape; k++) {
        if (new_index[k] != NEEDED) continue;
        firn_shape_node node = from->shapes.nodes[k];
        if (has_children(&node)) {
            if (node.a >= 0) node.a = new_index[node.a];
            if (node.b >= 0) node.b = new_index[node.b];
        } else if (node.kind == FIRN_SHAPE_HEIGHT_FIELD) {
            FIRN_TRY(import_field(to, from, &node.a));
        } else if (node.kind == FIRN_SHAPE_LEVEL_SET) {
            FIRN_TRY(import_level_set(to, from, &node.a));
        }
        FIRN_TRY(import_node(&to->shapes, &node, &new_index[k]));
    }
    return FIRN_OK;
}

firn_result firn_scene_import_shape(firn_scene_data* to, const firn_scene_data* from,
                                    firn_local shape, firn_local* out_shape)
{
    firn_local* new_index = firn_alloc((size_t)shape + 1, sizeof *new_index);
    if (new_index == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local k = 0; k < shape; k++) new_index[k] = UNUSED;
    new_index[shape] = NEEDED;
    for (firn_local k = shape; k >= 0; k--) {
        const firn_shape_node* node = &from->shapes.nodes[k];
        if (new_index[k] == UNUSED || !has_children(node)) continue;
        if (node->a >= 0) new_index[node->a] = NEEDED;
        if (node->b >= 0) new_index[node->b] = NEEDED;
    }
    const firn_result r = copy_nodes(to, from, shape, new_index);
    if (r == FIRN_OK) *out_shape = new_index[shape];
    firn_free(new_index);
    return r;
}
