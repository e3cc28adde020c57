// SPDX-License-Identifier: MIT
// The triangles of a collider, part by part (geometry/sdf/parts.h): mesh files unchanged, analytic
// shapes by their own tessellation (geometry/sdf/solid_mesh.h), all others contoured
// (geometry/sdf/contour.h). Parts of a union may overlap, which is invisible.
//
// Normals are smoothed over soft edges. Where the gradient of phi agrees with them it is used
// instead, so that a flat side next to a rounded edge is shaded flat. Vertices with several normals
// are duplicated.
#include "sim/collider_mesh.h"

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/deform/deforming.h"
#include "geometry/sdf/contour.h"
#include "geometry/sdf/evaluate.h"
#include "geometry/sdf/parts.h"
#include "geometry/sdf/solid_mesh.h"
#include "mesh/topology/corner_normals.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"

#define SOFT_COSINE 0.766044443  // edges below 40 degrees are soft, as in the renderers
#define AGREE_COSINE 0.94        // 20 degrees; beyond, the gradient belongs to another side
#define SAME_COSINE 0.99999      // normals closer than this are merged
#define CAUTION 0.75             // between keys |grad phi| of a deforming collider may exceed 1
#define FAR ((firn_real)1e15)    // [m] larger extents count as unbounded

typedef firn_phi (*phi_fn)(const void* user, firn_vec3 x);

typedef struct job {
    const firn_scene_data* scene;
    const firn_collider* body;
    firn_local shape;  // of the current part
    firn_body_mesh* out;
    firn_local vertex_capacity, normal_capacity, triangle_capacity;
    firn_error* error;
} job;

static firn_result no_memory(const job* j)
{
    return firn_fail(j->error, FIRN_BROKEN_MEMORY, "out of memory for the mesh of a collider");
}

// ---- a part's triangles, with normals -----------------------------------------------------------

// Linked lists of the vertices of the result that come from one vertex of a part.
typedef struct chain {
    int32_t* first;  // owned; [vertices of the part], -1: none
    int32_t* next;   // owned; [corners], by new vertex
} chain;

static firn_vec3 corner_normal(const float own[3], phi_fn phi, const void* user, firn_vec3 x)
{
    const firn_vec3 n = firn_v3((firn_real)own[0], (firn_real)own[1], (firn_real)own[2]);
    if (phi == NULL) return n;
    const firn_vec3 gradient = phi(user, x).normal;
    return firn_v3_dot(n, gradient) > (firn_real)AGREE_COSINE ? gradient : n;
}

static bool reserve(job* j, firn_local corners, firn_local triangles)
{
    firn_body_mesh* m = j->out;
    const int64_t vertices = m->vertex_count + corners, all = m->triangle_count + triangles;
    return vertices < FIRN_MESH_COUNT_MAX && all < FIRN_MESH_COUNT_MAX &&
           firn_reserve((void**)&m->vertices, &j->vertex_capacity, (firn_local)vertices,
                        sizeof *m->vertices) &&
           firn_reserve((void**)&m->normals, &j->normal_capacity, (firn_local)vertices,
                        sizeof *m->normals) &&
           firn_reserve((void**)&m->triangles, &j->triangle_capacity, (firn_local)all,
                        3 * sizeof *m->triangles);
}

// Returns the vertex with this normal, a new one if there is none. Space has been reserved.
static int32_t find_vertex(job* j, chain* c, int64_t base, int32_t v, firn_vec3 x, firn_vec3 n)
{
    firn_body_mesh* m = j->out;
    for (int32_t k = c->first[v]; k >= 0; k = c->next[k])
        if (firn_v3_dot(m->normals[base + k], n) > (firn_real)SAME_COSINE)
            return (int32_t)(base + k);
    const int32_t k = (int32_t)(m->vertex_count - base);
    c->next[k] = c->first[v];
    c->first[v] = k;
    m->vertices[m->vertex_count] = x;
    m->normals[m->vertex_count] = n;
    return (int32_t)m->vertex_count++;
}

static void add_triangles(job* j, const firn_mesh* mesh, const float (*normals)[3],
                          const firn_pose* pose, phi_fn phi, chain* c)
{
    firn_body_mesh* m = j->out;
    const int64_t base = m->vertex_count;
    for (firn_local v = 0; v < mesh->vertex_count; v++) c->first[v] = -1;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const float(*n)[3] = normals + 3 * (size_t)t;
        if (n[0][0] == 0 && n[0][1] == 0 && n[0][2] == 0) continue;  // degenerate
        int32_t* out = m->triangles + 3 * m->triangle_count++;
        for (int k = 0; k < 3; k++) {
            const int32_t v = mesh->triangles[t][k];
            const firn_vec3 x = mesh->vertices[v];
            const firn_vec3 normal = corner_normal(n[k], phi, j, x);
            out[k] = find_vertex(j, c, base, v, firn_pose_to_world(pose, x),
                                 firn_m3_mul_v3(pose->rotation, normal));
        }
    }
}

// Adds a mesh, transformed by `pose`. `phi` (null: none) is evaluated in the mesh's coordinates.
static firn_result add_mesh(job* j, const firn_mesh* mesh, const firn_pose* pose, phi_fn phi)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    if (corners == 0) return FIRN_OK;
    if (mesh->triangle_count > FIRN_MESH_COUNT_MAX / 3 ||
        !reserve(j, (firn_local)corners, mesh->triangle_count))
        return no_memory(j);
    float(*normals)[3] = firn_alloc(corners, sizeof *normals);
    chain c = {firn_alloc((size_t)mesh->vertex_count, sizeof *c.first),
               firn_alloc(corners, sizeof *c.next)};
    firn_result r = normals != NULL && c.first != NULL && c.next != NULL ? FIRN_OK : no_memory(j);
    if (r == FIRN_OK) r = firn_mesh_corner_normals(mesh, SOFT_COSINE, normals, j->error);
    if (r == FIRN_OK) add_triangles(j, mesh, (const float(*)[3])normals, pose, phi, &c);
    firn_free(normals);
    firn_free(c.first);
    firn_free(c.next);
    return r;
}

// ---- parts --------------------------------------------------------------------------------------

static firn_phi shape_phi(const void* user, firn_vec3 x)
{
    const job* j = user;
    const firn_shape_tables tables = firn_shapes_tables(&j->scene->shapes);
    return firn_phi_shape(&tables, j->shape, x);
}

static firn_phi deform_phi(const void* user, firn_vec3 x)
{
    return firn_deform_sample_at(&((const job*)user)->body->deform, x);
}

static firn_result add_contour(job* j, firn_box3 box, phi_fn phi, double caution,
                               const firn_pose* pose)
{
    const firn_vec3 size = firn_v3_sub(box.high, box.low);
    const bool bounded = size.x < FAR && size.y < FAR && size.z < FAR;
    const bool empty = !(size.x > 0 && size.y > 0 && size.z > 0);
    if (!bounded || empty) return FIRN_OK;
    const firn_contour_def def = {.phi = phi,
                                  .user = j,
                                  .caution = (firn_real)caution,
                                  .box = box,
                                  .cell = firn_contour_cell(box)};
    firn_mesh mesh;
    FIRN_TRY(firn_contour(&def, &mesh, j->error));
    const firn_result r = add_mesh(j, &mesh, pose, phi);
    firn_mesh_destroy(&mesh);
    return r;
}

static firn_result add_solid(job* j, const firn_shape_node* node, const firn_pose* pose)
{
    firn_mesh mesh = {0};
    const bool made = firn_solid_add_mesh(&j->scene->shapes, node, &mesh);
    // the gradient of a height field is discontinuous: its triangles are smoother
    const phi_fn phi = node->kind == FIRN_SHAPE_HEIGHT_FIELD ? NULL : shape_phi;
    const firn_result r = made ? add_mesh(j, &mesh, pose, phi) : no_memory(j);
    firn_mesh_destroy(&mesh);
    return r;
}

// Adds the mesh file of a level set. If the file is missing or has changed since the scene was
// read, contours the level set instead.
static firn_result add_level_set(job* j, const firn_shape_node* node, const firn_pose* pose)
{
    firn_mesh mesh;
    firn_error why = {0};
    firn_result r = firn_scene_read_mesh(j->scene, node->a, &mesh, &why);
    if (r == FIRN_BROKEN_MEMORY) return firn_fail(j->error, r, "%s", why.text);
    if (r == FIRN_OK && mesh.triangle_count > 0)
        r = add_mesh(j, &mesh, pose, NULL);
    else
        r = add_contour(j, firn_shape_bounds(&j->scene->shapes, j->shape), shape_phi, 1, pose);
    firn_mesh_destroy(&mesh);
    return r;
}

static firn_result add_part(void* user, firn_local shape, const firn_pose* pose)
{
    job* j = user;
    const firn_shape_node* node = &j->scene->shapes.nodes[shape];
    j->shape = shape;
    if (firn_solid_has_mesh(node)) return add_solid(j, node, pose);
    if (node->kind == FIRN_SHAPE_LEVEL_SET) return add_level_set(j, node, pose);
    return add_contour(j, firn_shape_bounds(&j->scene->shapes, shape), shape_phi, 1, pose);
}

static firn_result add_deforming(job* j, double time, const firn_pose* pose)
{
    firn_mesh mesh;
    FIRN_TRY(firn_deforming_closed_mesh(j->body->deforming, time, &mesh, j->error));
    const firn_result r =
        mesh.triangle_count > 0
            ? add_mesh(j, &mesh, pose, NULL)
            : add_contour(j, firn_deform_pose_bounds(&j->body->deform), deform_phi, CAUTION, pose);
    firn_mesh_destroy(&mesh);
    return r;
}

firn_result firn_body_mesh_make(const firn_scene_data* scene, const firn_collider* posed,
                                double time, firn_body_mesh* out_mesh, firn_error* error)
{
    *out_mesh = (firn_body_mesh){0};
    job j = {.scene = scene, .body = posed, .out = out_mesh, .error = error};
    const firn_motion rest = firn_motion_at_rest();
    const firn_pose own = firn_motion_pose(&rest, 0);
    const firn_result r =
        posed->deforming != NULL
            ? add_deforming(&j, time, &own)
            : firn_shape_walk_parts(&scene->shapes, posed->shape, &own, add_part, &j);
    if (r != FIRN_OK) firn_body_mesh_free(out_mesh);
    return r;
}

void firn_body_mesh_free(firn_body_mesh* mesh)
{
    if (mesh == NULL) return;
    firn_free(mesh->vertices);
    firn_free(mesh->normals);
    firn_free(mesh->triangles);
    *mesh = (firn_body_mesh){0};
}
