// SPDX-License-Identifier: MIT
#include "render/preview/preview_paint.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"
#include "geometry/sdf/parts.h"
#include "mesh/io/gltf.h"
#include "mesh/spatial/triangle_tree.h"
#include "render/paint/paint.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"

#define NEAR 0.03  // of the diagonal of a mesh: farther points belong to other parts of a union

typedef struct painted {
    struct painted* next;      // owned
    firn_mesh mesh;            // in coordinates of the pose
    firn_pose pose;            // to the world
    firn_paint paint;          // of its triangles
    firn_triangle_tree* tree;  // null: it is all of the collider, and of one colour
    double reach2;             // [m^2]
} painted;

struct firn_preview_paints {
    painted* first;  // owned; each stays where it is, since its tree refers to its mesh
};

// ---- creation -----------------------------------------------------------------------------------

static void destroy_painted(painted* p)
{
    if (p == NULL) return;
    firn_mesh_destroy(&p->mesh);
    firn_paint_destroy(&p->paint);
    firn_triangle_tree_destroy(p->tree);
    firn_free(p);
}

static bool is_of_one_colour(const firn_paint* paint)
{
    if (paint->uv != NULL) return false;
    for (firn_local t = 1; t < paint->triangle_count; t++)
        if (paint->material[t] != paint->material[0]) return false;
    return true;
}

typedef struct walk {
    const firn_scene_data* scene;
    const firn_collider* collider;
    bool is_mesh;  // the collider is nothing else
    firn_preview_paints* paints;
    firn_error* error;
} walk;

static firn_result fill(const walk* w, painted* p, firn_local level_set)
{
    FIRN_TRY(firn_paint_read(w->scene, w->collider, level_set, &p->mesh, &p->paint, w->error));
    if (p->paint.material_count == 0) return FIRN_OK;
    const firn_box3 box = firn_mesh_bounds(&p->mesh);
    const double reach = NEAR * (double)firn_v3_length(firn_v3_sub(box.high, box.low));
    p->reach2 = reach * reach;
    if (w->is_mesh && is_of_one_colour(&p->paint)) return FIRN_OK;
    return firn_triangle_tree_create(&p->mesh, &p->tree, w->error);
}

// Takes ownership of `mesh`. `level_set`: which it is of; -1: of the deforming collider.
static firn_result add_mesh(const walk* w, firn_mesh* mesh, const firn_pose* pose,
                            firn_local level_set)
{
    painted* p = firn_alloc(1, sizeof *p);
    if (p == NULL) {
        firn_mesh_destroy(mesh);
        return firn_fail(w->error, FIRN_BROKEN_MEMORY, "no memory for the preview's materials");
    }
    p->mesh = *mesh;
    p->pose = *pose;
    const firn_result result = fill(w, p, level_set);
    if (result != FIRN_OK || p->paint.material_count == 0) {
        destroy_painted(p);
        return result;
    }
    p->next = w->paints->first;
    w->paints->first = p;
    return FIRN_OK;
}

static firn_result add_part(void* user, firn_local shape, const firn_pose* pose)
{
    const walk* w = user;
    const firn_shape_node* node = &w->scene->shapes.nodes[shape];
    char *file, *name;
    if (node->kind != FIRN_SHAPE_LEVEL_SET) return FIRN_OK;
    FIRN_TRY(firn_scene_mesh_file(w->scene, node->a, &file, &name, w->error));
    const bool has_file = file != NULL;
    firn_free(file);
    firn_free(name);
    if (!has_file) return FIRN_OK;
    firn_mesh mesh;
    // a file that has gone or changed since is no error: the level set is drawn
    if (firn_scene_read_mesh(w->scene, node->a, &mesh, NULL) != FIRN_OK) return FIRN_OK;
    return add_mesh(w, &mesh, pose, node->a);
}

static firn_result add_deforming(const walk* w, double time)
{
    firn_mesh mesh;
    if (!firn_gltf_is_file(firn_deforming_read_def(w->collider->deforming)->animation.file))
        return FIRN_OK;
    FIRN_TRY(firn_deforming_mesh(w->collider->deforming, time, &mesh, w->error));
    return add_mesh(w, &mesh, &w->collider->pose, -1);
}

firn_result firn_preview_paints_create(const firn_scene_data* scene, const firn_collider* collider,
                                       double time, firn_preview_paints** out_paints,
                                       firn_error* error)
{
    *out_paints = NULL;
    if (collider->look.kind != FIRN_LOOK_CHOSEN) return FIRN_OK;
    firn_preview_paints* paints = firn_alloc(1, sizeof *paints);
    if (paints == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the preview's materials");
    const bool is_mesh = collider->deforming != NULL ||
                         scene->shapes.nodes[collider->shape].kind == FIRN_SHAPE_LEVEL_SET;
    walk w = {scene, collider, is_mesh, paints, error};
    const firn_result result =
        collider->deforming != NULL
            ? add_deforming(&w, time)
            : firn_shape_walk_parts(&scene->shapes, collider->shape, &collider->pose, add_part, &w);
    if (result == FIRN_OK && paints->first != NULL)
        *out_paints = paints;
    else
        firn_preview_paints_destroy(paints);
    return result;
}

void firn_preview_paints_destroy(firn_preview_paints* paints)
{
    if (paints == NULL) return;
    for (painted *p = paints->first, *next; p != NULL; p = next) {
        next = p->next;
        destroy_painted(p);
    }
    firn_free(paints);
}

// ---- colours ------------------------------------------------------------------------------------

static firn_rgb colour_of(const painted* p, int32_t triangle, const double weight[3],
                          firn_rgb otherwise)
{
    if (p->paint.material[triangle] < 0) return otherwise;
    const firn_paint_material* m = &p->paint.materials[p->paint.material[triangle]];
    if (m->picture.width == 0) return m->colour;
    return firn_rgb_mul(m->colour, firn_paint_on_triangle(&m->picture, p->paint.texels,
                                                          (const float(*)[2])p->paint.uv[triangle],
                                                          (float)weight[1], (float)weight[2]));
}

firn_rgb firn_preview_paints_colour(const firn_preview_paints* paints, firn_vec3 x,
                                    firn_rgb otherwise)
{
    static const double none[3] = {1, 0, 0};
    firn_rgb colour = otherwise;
    double least = INFINITY;
    for (const painted* p = paints->first; p != NULL; p = p->next) {
        if (p->tree == NULL) return colour_of(p, 0, none, otherwise);
        int32_t triangle = -1;
        const firn_nearest near =
            firn_triangle_tree_nearest(p->tree, firn_pose_to_body(&p->pose, x), -1, &triangle);
        if (!(near.distance2 < fmin(p->reach2, least))) continue;
        least = near.distance2;
        colour = colour_of(p, triangle, near.weight, otherwise);
    }
    return colour;
}
