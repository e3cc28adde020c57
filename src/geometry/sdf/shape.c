// SPDX-License-Identifier: MIT
// The array of shapes: adds, copies and evaluates distance and gradient.
#include "geometry/sdf/shape.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/sdf/evaluate.h"
#include "geometry/sdf/field_build.h"
#include "geometry/sdf/shape_check.h"

firn_result firn_shapes_add(firn_shapes* shapes, const firn_shape_node* node, firn_local* out_shape,
                            firn_error* error)
{
    firn_shape_node stored;
    FIRN_TRY(firn_shape_check(shapes, node, &stored, error));
    if (shapes->node_count == INT32_MAX ||
        !firn_reserve((void**)&shapes->nodes, &shapes->node_capacity, shapes->node_count + 1,
                      sizeof stored))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for shape %d",
                         (int)shapes->node_count + 1);
    memcpy(&shapes->nodes[shapes->node_count], &stored, sizeof stored);
    *out_shape = shapes->node_count++;
    return FIRN_OK;
}

firn_result firn_shapes_set_depth(firn_shapes* shapes, firn_local shape, firn_real depth,
                                  firn_error* error)
{
    if (shape < 0 || shape >= shapes->node_count ||
        shapes->nodes[shape].kind != FIRN_SHAPE_HEIGHT_FIELD)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "shape %d is not a height field: only those have a depth", (int)shape);
    firn_shape_node node = shapes->nodes[shape];
    node.p[6] = depth;
    return firn_shape_check(shapes, &node, &shapes->nodes[shape], error);
}

firn_result firn_shapes_add_level_set(firn_shapes* shapes, const firn_level_set* set,
                                      firn_local* out_shape, firn_error* error)
{
    const firn_local index = shapes->level_set_count;
    if (index == INT32_MAX ||
        !firn_reserve((void**)&shapes->level_sets, &shapes->level_set_capacity, index + 1,
                      sizeof(firn_level_set*)))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for level set %d", (int)index + 1);
    shapes->level_sets[index] = set;
    shapes->level_set_count++;
    const firn_shape_node node = {.kind = FIRN_SHAPE_LEVEL_SET, .a = index, .b = -1};
    const firn_result result = firn_shapes_add(shapes, &node, out_shape, error);
    if (result == FIRN_OK) {
        firn_level_set_share(set);
    } else {
        shapes->level_sets[--shapes->level_set_count] = NULL;
    }
    return result;
}

firn_result firn_shapes_copy(const firn_shapes* shapes, firn_shapes* out_copy)
{
    firn_shapes copy = {0};
    const bool good = firn_reserve((void**)&copy.nodes, &copy.node_capacity, shapes->node_count,
                                   sizeof *copy.nodes) &&
                      firn_reserve((void**)&copy.fields, &copy.field_capacity, shapes->field_count,
                                   sizeof *copy.fields) &&
                      firn_reserve((void**)&copy.level_sets, &copy.level_set_capacity,
                                   shapes->level_set_count, sizeof(firn_level_set*));
    firn_result result = good ? FIRN_OK : FIRN_BROKEN_MEMORY;
    if (good && shapes->node_count > 0)
        memcpy(copy.nodes, shapes->nodes, (size_t)shapes->node_count * sizeof *copy.nodes);
    if (good) copy.node_count = shapes->node_count;
    for (firn_local f = 0; result == FIRN_OK && f < shapes->field_count; f++) {
        result = firn_height_field_copy(&shapes->fields[f], &copy.fields[f]);
        if (result == FIRN_OK) copy.field_count++;
    }
    for (firn_local s = 0; result == FIRN_OK && s < shapes->level_set_count; s++)
        copy.level_sets[copy.level_set_count++] = firn_level_set_share(shapes->level_sets[s]);
    if (result != FIRN_OK) firn_shapes_destroy(&copy);
    *out_copy = copy;
    return result;
}

void firn_shapes_destroy(firn_shapes* shapes)
{
    for (firn_local f = 0; f < shapes->field_count; f++)
        firn_height_field_destroy(&shapes->fields[f]);
    for (firn_local s = 0; s < shapes->level_set_count; s++)
        firn_level_set_release(shapes->level_sets[s]);
    firn_free(shapes->level_sets);
    firn_free(shapes->fields);
    firn_free(shapes->nodes);
    *shapes = (firn_shapes){0};
}

firn_real firn_shape_distance(const firn_shapes* shapes, firn_local shape, firn_vec3 x)
{
    const firn_shape_tables tables = firn_shapes_tables(shapes);
    return firn_phi_shape_distance(&tables, shape, x);
}

firn_real firn_shape_sample(const firn_shapes* shapes, firn_local shape, firn_vec3 x,
                            firn_vec3* out_normal)
{
    const firn_shape_tables tables = firn_shapes_tables(shapes);
    const firn_phi phi = firn_phi_shape(&tables, shape, x);
    *out_normal = phi.normal;
    return phi.distance;
}
