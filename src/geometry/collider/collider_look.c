// SPDX-License-Identifier: MIT
#include "geometry/collider/collider_look.h"

#include "geometry/collider/collider.h"
#include "geometry/sdf/shape.h"

// A plane that faces up, or a height field.
static bool is_floor(const firn_collider* c, const firn_shapes* shapes)
{
    if (c->deforming != NULL) return false;  // deforming colliders have no shape node
    const firn_shape_node* node = &shapes->nodes[c->shape];
    if (node->kind == FIRN_SHAPE_HEIGHT_FIELD) return true;
    const firn_vec3 n =
        firn_m3_mul_v3(c->pose.rotation, firn_v3(node->p[3], node->p[4], node->p[5]));
    return node->kind == FIRN_SHAPE_PLANE &&
           firn_v3_normalize(n, firn_v3(0, 1, 0)).y > (firn_real)0.2;
}

bool firn_collider_is_plain_floor(const firn_collider* collider, const firn_shapes* shapes)
{
    return collider->look.kind == FIRN_LOOK_CHOSEN && is_floor(collider, shapes);
}

bool firn_collider_has_pattern(const firn_collider* collider)
{
    return collider->look.kind >= FIRN_LOOK_ASPHALT;
}

bool firn_collider_is_patterned_floor(const firn_collider* collider, const firn_shapes* shapes)
{
    return firn_collider_has_pattern(collider) && is_floor(collider, shapes);
}

// Mean colours of patterns: of dry asphalt, granite, pine, clear ice and fresh snow.
static firn_rgb pattern_colour(int32_t kind)
{
    static const firn_rgb colours[] = {
        {0.10f, 0.10f, 0.102f}, {0.27f, 0.255f, 0.24f}, {0.36f, 0.23f, 0.13f},
        {0.24f, 0.34f, 0.41f},  {0.86f, 0.88f, 0.91f},
    };
    return colours[kind - FIRN_LOOK_ASPHALT];
}

firn_rgb firn_collider_colour(const firn_collider* collider, const firn_shapes* shapes,
                              int32_t index)
{
    static const firn_rgb colours[] = {
        {0.30f, 0.185f, 0.11f},   // wood
        {0.085f, 0.15f, 0.19f},   // steel blue
        {0.26f, 0.075f, 0.055f},  // barn red
        {0.11f, 0.15f, 0.10f},    // pine
    };
    const firn_look* look = &collider->look;
    if (look->kind != FIRN_LOOK_CHOSEN && look->colour[0] >= 0)
        return firn_rgb_of(look->colour[0], look->colour[1], look->colour[2]);
    if (firn_collider_has_pattern(collider)) return pattern_colour(look->kind);
    if (is_floor(collider, shapes)) return firn_rgb_of(0.118f, 0.116f, 0.118f);  // slate
    return colours[index % (int32_t)(sizeof colours / sizeof colours[0])];
}
