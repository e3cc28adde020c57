// SPDX-License-Identifier: MIT
// Triangles of shapes that have a formula, for those who draw: their vertices lie on the surface,
// flat sides are as few triangles as they can be, and edges are sharp.
#pragma once
#include "geometry/sdf/shape.h"
#include "mesh/mesh.h"

// True for spheres, boxes, capsules, cylinders, cones, wedges and height fields.
bool firn_solid_has_mesh(const firn_shape_node* node);
// The closed mesh of such a node, in its own coordinates; appended to `mesh`. Circles become
// polygons of 96 sides, height fields have at most 512 cells a side. False when memory is out: the
// mesh has some of it.
bool firn_solid_add_mesh(const firn_shapes* shapes, const firn_shape_node* node, firn_mesh* mesh);

// ground_mesh.c: a height field, down to its base.
bool firn_ground_add_mesh(const firn_height_field* field, const firn_shape_node* node,
                          firn_mesh* mesh);
