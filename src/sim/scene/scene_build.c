// SPDX-License-Identifier: MIT
// Builds a scene from code: shapes, snow. Materials: scene_materials.c.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "mesh/topology/mesh_inspect.h"
#include "scene/data/scene_shapes.h"
#include "scene/data/snow.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"
#include "sim/sim_ids.h"

static firn_result add_node(firn_scene* scene, firn_shape_node node, firn_shape_id* out_shape)
{
    firn_error* refusal = firn_call(NULL);
    if (scene == NULL || out_shape == NULL)
        return firn_fail(refusal, FIRN_REFUSED_ARGUMENT,
                         "a shape needs a scene and room for its id");
    firn_local index;
    firn_error error;
    if (firn_shapes_add(&scene->data.shapes, &node, &index, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    *out_shape = (firn_shape_id){(uint32_t)index + 1, scene->owner};
    return FIRN_OK;
}

static firn_shape_node node_of(firn_shape_kind kind)
{
    return (firn_shape_node){.kind = kind, .a = -1, .b = -1, .q = firn_q_identity()};
}

static void put(firn_real* p, firn_vec3 v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

firn_result firn_scene_plane(firn_scene* scene, firn_vec3 point, firn_vec3 normal,
                             firn_shape_id* out_shape)
{
    firn_shape_node n = node_of(FIRN_SHAPE_PLANE);
    put(n.p, point);
    put(n.p + 3, normal);
    return add_node(scene, n, out_shape);
}

firn_result firn_scene_sphere(firn_scene* scene, firn_vec3 center, firn_real radius,
                              firn_shape_id* out_shape)
{
    firn_shape_node n = node_of(FIRN_SHAPE_SPHERE);
    put(n.p, center);
    n.p[3] = radius;
    return add_node(scene, n, out_shape);
}

firn_result firn_scene_box(firn_scene* scene, firn_vec3 center, firn_vec3 size, firn_real rounding,
                           firn_shape_id* out_shape)
{
    firn_shape_node n = node_of(FIRN_SHAPE_BOX);
    put(n.p, center);
    put(n.p + 3, firn_v3_scale(size, (firn_real)0.5));
    n.p[6] = rounding;
    return add_node(scene, n, out_shape);
}

// Two points and up to two radii.
static firn_result add_axial(firn_scene* scene, firn_shape_kind kind, firn_vec3 a, firn_vec3 b,
                             firn_real r0, firn_real r1, firn_shape_id* out_shape)
{
    firn_shape_node n = node_of(kind);
    put(n.p, a);
    put(n.p + 3, b);
    n.p[6] = r0;
    n.p[7] = r1;
    return add_node(scene, n, out_shape);
}

firn_result firn_scene_capsule(firn_scene* scene, firn_vec3 a, firn_vec3 b, firn_real radius,
                               firn_shape_id* out_shape)
{
    return add_axial(scene, FIRN_SHAPE_CAPSULE, a, b, radius, 0, out_shape);
}

firn_result firn_scene_cylinder(firn_scene* scene, firn_vec3 a, firn_vec3 b, firn_real radius,
                                firn_shape_id* out_shape)
{
    return add_axial(scene, FIRN_SHAPE_CYLINDER, a, b, radius, 0, out_shape);
}

firn_result firn_scene_cone(firn_scene* scene, firn_vec3 a, firn_vec3 b, firn_real radius_a,
                            firn_real radius_b, firn_shape_id* out_shape)
{
    return add_axial(scene, FIRN_SHAPE_CONE, a, b, radius_a, radius_b, out_shape);
}

firn_result firn_scene_wedge(firn_scene* scene, firn_vec3 base_center, firn_vec3 size,
                             firn_shape_id* out_shape)
{
    firn_shape_node n = node_of(FIRN_SHAPE_WEDGE);
    put(n.p, base_center);
    put(n.p + 3, size);
    return add_node(scene, n, out_shape);
}

static firn_result add_boolean(firn_scene* scene, firn_shape_kind kind, firn_shape_id a,
                               firn_shape_id b, firn_shape_id* out_shape)
{
    if (scene == NULL || out_shape == NULL) return add_node(NULL, node_of(kind), NULL);
    firn_shape_node n = node_of(kind);
    firn_error error;
    if (firn_scene_shape_find(scene, a, &n.a, &error) != FIRN_OK ||
        firn_scene_shape_find(scene, b, &n.b, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    return add_node(scene, n, out_shape);
}

firn_result firn_scene_union(firn_scene* scene, firn_shape_id a, firn_shape_id b,
                             firn_shape_id* out_shape)
{
    return add_boolean(scene, FIRN_SHAPE_UNION, a, b, out_shape);
}

firn_result firn_scene_intersection(firn_scene* scene, firn_shape_id a, firn_shape_id b,
                                    firn_shape_id* out_shape)
{
    return add_boolean(scene, FIRN_SHAPE_INTERSECTION, a, b, out_shape);
}

firn_result firn_scene_difference(firn_scene* scene, firn_shape_id a, firn_shape_id b,
                                  firn_shape_id* out_shape)
{
    return add_boolean(scene, FIRN_SHAPE_DIFFERENCE, a, b, out_shape);
}

firn_result firn_scene_transform(firn_scene* scene, firn_shape_id shape, firn_vec3 move,
                                 firn_quat turn, firn_real scale, firn_shape_id* out_shape)
{
    (void)firn_call(NULL);
    if (scene == NULL || out_shape == NULL) return firn_call_null(__func__);
    firn_shape_node n = node_of(FIRN_SHAPE_TRANSFORM);
    firn_error error;
    if (firn_scene_shape_find(scene, shape, &n.a, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    put(n.p, move);
    n.p[3] = scale;
    n.q = firn_q_normalize(turn);
    return add_node(scene, n, out_shape);
}

static firn_result refuse(firn_scene* scene, firn_result code, const char* text)
{
    firn_error error;
    firn_fail(&error, code, "%s", text);
    return firn_scene_refuse(scene, &error);
}

firn_result firn_scene_text(firn_scene* scene, const firn_text_def* def, firn_shape_id* out_shape)
{
    (void)firn_call(NULL);
    if (scene == NULL || out_shape == NULL) return firn_call_null(__func__);
    firn_text_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_TEXT, def, &own));
    def = &own;
    firn_local index;
    firn_error error;
    const firn_entry entry = firn_scene_enter(scene, 0);
    const firn_result r = firn_scene_add_text(&scene->data, def, &index, &error);
    firn_leave(entry);
    if (r != FIRN_OK) return firn_scene_refuse(scene, &error);
    *out_shape = (firn_shape_id){(uint32_t)index + 1, scene->owner};
    return FIRN_OK;
}

firn_result firn_scene_mesh(firn_scene* scene, const firn_mesh_def* def, firn_shape_id* out_shape)
{
    (void)firn_call(NULL);
    if (scene == NULL || out_shape == NULL) return firn_call_null(__func__);
    firn_mesh_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_MESH, def, &own));
    def = &own;
    firn_local index;
    firn_error error;
    firn_mesh_report report;
    const firn_entry entry = firn_scene_enter(scene, 0);
    const firn_result r = firn_scene_add_mesh(&scene->data, def, &report, &index, &error);
    firn_leave(entry);
    if (r != FIRN_OK) return firn_scene_refuse(scene, &error);
    *out_shape = (firn_shape_id){(uint32_t)index + 1, scene->owner};
    return FIRN_OK;
}

firn_result firn_scene_level_set(firn_scene* scene, const char* file, const char* grid,
                                 firn_shape_id* out_shape)
{
    (void)firn_call(NULL);
    if (scene == NULL || out_shape == NULL) return firn_call_null(__func__);
    if (file == NULL) return refuse(scene, FIRN_REFUSED_ARGUMENT, "a level set needs a .vdb file");
    firn_local index;
    firn_error error;
    if (firn_scene_add_vdb(&scene->data, file, grid, &index, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    *out_shape = (firn_shape_id){(uint32_t)index + 1, scene->owner};
    return FIRN_OK;
}

#define OUT_OF_MEMORY(scene) refuse(scene, FIRN_BROKEN_MEMORY, "out of memory")

static firn_result find_parts(const firn_scene* scene, const char* what, firn_shape_id shape,
                              firn_material_id material, firn_local* out_shape,
                              firn_local* out_material, firn_error* error)
{
    firn_error why;
    firn_result r = firn_scene_shape_find(scene, shape, out_shape, &why);
    *out_material = 0;
    if (r == FIRN_OK && material.slot1 != 0)
        r = firn_scene_material_find(scene, material, out_material, &why);
    if (r == FIRN_OK) return FIRN_OK;
    return firn_fail(error, r, "%s needs a shape and a material of this scene: %.200s", what,
                     why.text);
}

firn_result firn_scene_find_parts(firn_scene* scene, const char* what, firn_shape_id shape,
                                  firn_material_id material, firn_local* out_shape,
                                  firn_local* out_material)
{
    firn_error error;
    const firn_result r = find_parts(scene, what, shape, material, out_shape, out_material, &error);
    return r == FIRN_OK ? FIRN_OK : firn_scene_refuse(scene, &error);
}

static void put_double(double* to, firn_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

firn_result firn_snow_build(const firn_scene* scene, const firn_snow_def* def, firn_snow* out_snow,
                            firn_error* error)
{
    firn_local shape, material;
    FIRN_TRY(find_parts(scene, "snow", def->shape, def->material, &shape, &material, error));
    if (!(def->particles_per_cell >= 1 && def->particles_per_cell <= 1000) ||
        !(def->loose >= 1 && def->loose <= 100) || !firn_v3_is_finite(def->velocity) ||
        !firn_v3_is_finite(def->spin) ||
        !(def->temperature >= (firn_real)-273.15 && def->temperature <= 100) ||
        !(def->clearance >= 0 && def->clearance <= 10))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "particles_per_cell must be 1 to 1000, loose 1 to 100, velocity and spin "
                         "finite, temperature -273.15 to 100 degC, clearance 0 to 10");
    firn_vary vary;
    FIRN_TRY(firn_snow_vary_build(def, &vary, error));
    firn_snow s = {.shape = shape,
                   .material = material,
                   .particles_per_cell = def->particles_per_cell,
                   .loose = (double)def->loose,
                   .seeding = FIRN_SEED_STRATIFIED,
                   .seed = def->seed,
                   .vary = vary,
                   .temperature = (double)def->temperature};
    put_double(s.velocity, def->velocity);
    put_double(s.spin, def->spin);
    *out_snow = s;
    return FIRN_OK;
}

firn_result firn_scene_add_snow(firn_scene* scene, const firn_snow_def* def, firn_snow_id* out_id)
{
    (void)firn_call(NULL);
    if (scene == NULL) return firn_call_null(__func__);
    firn_scene_data* d = &scene->data;
    firn_snow_def own;
    FIRN_TRY(firn_scene_take_def(scene, FIRN_DEF_SNOW, def, &own));
    firn_error error;
    firn_snow snow;
    if (firn_snow_build(scene, &own, &snow, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    firn_result added = firn_scene_need_material(scene);
    if (added == FIRN_OK &&
        !firn_reserve((void**)&d->snow, &d->snow_capacity, d->snow_count + 1, sizeof *d->snow))
        added = OUT_OF_MEMORY(scene);
    if (added != FIRN_OK) {
        firn_vary_release(&snow.vary);
        return added;
    }
    d->snow[d->snow_count++] = snow;
    if (out_id != NULL) *out_id = (firn_snow_id){(uint32_t)d->snow_count, scene->owner};
    firn_scene_data_changed(d);
    return FIRN_OK;
}
