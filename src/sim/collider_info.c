// SPDX-License-Identifier: MIT
#include "sim/collider_info.h"

#include <math.h>
#include <stdio.h>

#include "geometry/collider/collider_drive.h"
#include "geometry/collider/collider_look.h"
#include "geometry/motion/posed_box.h"
#include "math/elementary.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/camera_key.h"
#include "solver/solver.h"
#include "state/field_table.h"

#define FAR ((firn_real)1e15)  // [m] larger extents count as unbounded

// Finds the first plane of a shape tree, in the coordinates of its root; false: none.
static bool find_plane(const firn_shapes* shapes, firn_local shape, firn_vec3* out_point,
                       firn_vec3* out_normal)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    switch (node->kind) {
    case FIRN_SHAPE_PLANE:
        *out_point = firn_v3(node->p[0], node->p[1], node->p[2]);
        *out_normal = firn_v3(node->p[3], node->p[4], node->p[5]);
        return true;
    case FIRN_SHAPE_TRANSFORM: {
        if (!find_plane(shapes, node->a, out_point, out_normal)) return false;
        const firn_vec3 sized = firn_v3_scale(*out_point, node->p[3]);
        *out_point =
            firn_v3_add(firn_v3(node->p[0], node->p[1], node->p[2]), firn_q_rotate(node->q, sized));
        *out_normal = firn_q_rotate(node->q, *out_normal);
        return true;
    }
    case FIRN_SHAPE_UNION:
    case FIRN_SHAPE_INTERSECTION:
        return find_plane(shapes, node->a, out_point, out_normal) ||
               find_plane(shapes, node->b, out_point, out_normal);
    case FIRN_SHAPE_DIFFERENCE: return find_plane(shapes, node->a, out_point, out_normal);
    default: return false;
    }
}

static void set_extent(const firn_scene_data* scene, const firn_collider* posed,
                       firn_body_info* info)
{
    const firn_box3 own = firn_collider_bounds(posed, &scene->shapes);
    const firn_vec3 size = firn_v3_sub(own.high, own.low);
    info->bounded = size.x < FAR && size.y < FAR && size.z < FAR;
    if (info->bounded) {
        const firn_box3 box = firn_posed_box(&posed->pose, own);
        info->low = box.low;
        info->high = box.high;
        return;
    }
    firn_vec3 point, normal;
    if (posed->deforming != NULL || !find_plane(&scene->shapes, posed->shape, &point, &normal))
        return;
    info->point = firn_pose_to_world(&posed->pose, point);
    info->normal =
        firn_v3_normalize(firn_m3_mul_v3(posed->pose.rotation, normal), firn_v3(0, 1, 0));
}

firn_body_info firn_body_info_of(const firn_scene_data* scene, const firn_collider* posed,
                                 firn_local index, double time)
{
    static const firn_body_driver drivers[] = {[FIRN_MOVED_BY_SCENE] = FIRN_BODY_SCENE,
                                               [FIRN_MOVED_BY_CALLER] = FIRN_BODY_CALLER,
                                               [FIRN_MOVED_BY_SOLVER] = FIRN_BODY_FREE};
    const firn_motion at = firn_collider_state(posed, time);
    const firn_rgb colour = firn_collider_colour(posed, &scene->shapes, index);
    firn_body_info info = {
        .pose = {at.position, at.rotation, at.scale, at.velocity, at.spin},
        .driver = drivers[posed->moved_by],
        .mass = (double)posed->mass,
        .hidden = posed->look.kind == FIRN_LOOK_HIDDEN || posed->removed,
        .removed = posed->removed,
        .deforms = posed->deforming != NULL,
        .colour = {colour.r, colour.g, colour.b},
        .temperature = firn_body_temperature(scene, posed, time),
    };
    set_extent(scene, posed, &info);
    return info;
}

// [m] Distance of particles in packed snow. Solvers without a lattice put several particles into a
// cell: as many as the coarsest snow has.
static double spacing_of(const firn_scene_data* scene)
{
    const firn_solver* solver = firn_solvers[scene->solver];
    const double cell = solver->estimate(scene).cell;
    if (solver->lattice) return cell;
    double per_cell = scene->snow_count > 0 ? scene->snow[0].particles_per_cell : 8;
    for (firn_local k = 1; k < scene->snow_count; k++)
        per_cell = fmin(per_cell, scene->snow[k].particles_per_cell);
    return per_cell > 0 ? cell / firn_cbrt_double(per_cell) : cell;
}

firn_view_info firn_view_info_of(const firn_scene_data* scene, double time)
{
    const firn_render_block* r = &scene->render;
    const firn_camera_key camera = firn_camera_key_at(r, time);
    firn_view_info info = {.fov = camera.fov_deg,
                           .fps = scene->time.fps,
                           .frames = scene->time.frames,
                           .spacing = spacing_of(scene),
                           .colour_low = r->colour_by.from,
                           .colour_high = r->colour_by.to};
    const double length =
        sqrt(r->sun[0] * r->sun[0] + r->sun[1] * r->sun[1] + r->sun[2] * r->sun[2]);
    for (int i = 0; i < 3; i++) {
        info.eye[i] = camera.eye[i];
        info.look_at[i] = camera.look_at[i];
        info.sun[i] = length > 0 ? r->sun[i] / length : i == 1;
    }
    const char* field = r->colour_by.field != 0 ? firn_field_table[r->colour_by.field].name : "";
    snprintf(info.colour_by, sizeof info.colour_by, "%s", field);
    const char* title = scene->title != NULL && scene->title[0] != 0 ? scene->title : scene->name;
    snprintf(info.title, sizeof info.title, "%s", title != NULL ? title : "");
    static const uint8_t looks[] = {
        [FIRN_SHOWN_AS_ICE] = 1,
        [FIRN_SHOWN_AS_WATER] = 2,
        [FIRN_SHOWN_AS_CHOCOLATE] = 3,
        [FIRN_SHOWN_AS_SOFT_ICE] = 4,
    };
    for (firn_local m = 0; m < scene->material_count && m < 256; m++)
        info.material_look[m] = looks[firn_material_look_of(&scene->materials[m]).kind];
    return info;
}
