// SPDX-License-Identifier: MIT
// Ball and plow of a live simulation.
#include "viewer/source/live_colliders.h"

// ---- shapes -------------------------------------------------------------------------------------

static firn_vec3 vec(double x, double y, double z)
{
    return (firn_vec3){(firn_real)x, (firn_real)y, (firn_real)z};
}

// The rear half of a pipe along x, cut off at the ground: one metre wide, 0.65 m high, hollow
// towards +z, its driving direction. Origin: on the ground, in the middle.
static firn_result make_blade(firn_scene* scene, firn_shape_id* out_shape)
{
    firn_shape_id outer, inner, pipe, front, ground, rear;
    firn_result r = firn_scene_cylinder(scene, vec(-0.5, 0.29, 0.22), vec(0.5, 0.29, 0.22),
                                        (firn_real)0.38, &outer);
    if (r == FIRN_OK)
        r = firn_scene_cylinder(scene, vec(-0.6, 0.31, 0.24), vec(0.6, 0.31, 0.24), (firn_real)0.27,
                                &inner);
    if (r == FIRN_OK) r = firn_scene_difference(scene, outer, inner, &pipe);
    if (r == FIRN_OK) r = firn_scene_plane(scene, vec(0, 0, 0.12), vec(0, 0, 1), &front);
    if (r == FIRN_OK) r = firn_scene_plane(scene, vec(0, 0, 0), vec(0, -1, 0), &ground);
    if (r == FIRN_OK) r = firn_scene_intersection(scene, pipe, front, &rear);
    return r == FIRN_OK ? firn_scene_intersection(scene, rear, ground, out_shape) : r;
}

static firn_result add_parked(firn_scene* scene, firn_shape_id shape, double friction)
{
    firn_collider_id id;
    firn_collider_def def = firn_default_collider_def();
    def.shape = shape;
    def.position = vec(0, -VIEW_PARK_DEPTH, 0);
    def.friction = (firn_real)friction;
    return firn_scene_add_collider(scene, &def, &id);
}

firn_result view_tools_shapes(firn_scene* scene, firn_shape_id* out_ball, firn_shape_id* out_blade)
{
    const firn_result r = firn_scene_sphere(scene, vec(0, 0, 0), (firn_real)0.5, out_ball);
    return r == FIRN_OK ? make_blade(scene, out_blade) : r;
}

firn_result view_tools_add(firn_scene* scene)
{
    firn_shape_id ball, blade;
    firn_result r = view_tools_shapes(scene, &ball, &blade);
    if (r == FIRN_OK) r = add_parked(scene, ball, VIEW_BALL_FRICTION);
    return r == FIRN_OK ? add_parked(scene, blade, VIEW_PLOW_FRICTION) : r;
}

// ---- motion -------------------------------------------------------------------------------------

static firn_quat turn_about_y(double yaw)
{
    return (firn_quat){(firn_real)cos(yaw / 2), 0, (firn_real)sin(yaw / 2), 0};
}

static firn_collider_id id_of(const firn_sim* sim, int collider)
{
    firn_collider_id id = {0};  // firn refuses it, if there are not so many
    (void)firn_sim_body_at(sim, collider, &id);
    return id;
}

firn_result view_mover_place(firn_sim* sim, int collider, view_mover* lead, view_vec at, double yaw,
                             double scale)
{
    const firn_body_pose pose = {.position = vec(at.x, at.y, at.z),
                                 .rotation = turn_about_y(yaw),
                                 .scale = (firn_real)scale};
    lead->kind = VIEW_MOVER_STILL;
    lead->follow = (view_follow){.position = at, .yaw = yaw};
    return firn_sim_body_move(sim, id_of(sim, collider), &pose);
}

void view_mover_pull(view_mover* lead, const view_pull* pull)
{
    if (lead->kind != VIEW_MOVER_PULL) lead->follow.velocity = (view_vec){0};
    lead->kind = VIEW_MOVER_PULL;
    lead->pull = *pull;
}

firn_result view_mover_release(firn_sim* sim, int collider, view_mover* lead)
{
    firn_body_info info;
    const bool was_pulled = lead->kind == VIEW_MOVER_PULL;
    const firn_result r = firn_sim_body(sim, id_of(sim, collider), &info);
    if (!was_pulled || r != FIRN_OK) return r;
    if (info.mass > 0) {
        lead->kind = VIEW_MOVER_NONE;
        return firn_sim_body_release(sim, id_of(sim, collider));
    }
    lead->kind = VIEW_MOVER_STILL;
    info.pose.velocity = info.pose.spin = vec(0, 0, 0);
    return firn_sim_body_move(sim, id_of(sim, collider), &info.pose);
}

firn_result view_mover_before(firn_sim* sim, int collider, view_mover* lead, double seconds)
{
    firn_body_info info;
    if (lead->kind != VIEW_MOVER_PULL) return FIRN_OK;
    const firn_result r = firn_sim_body(sim, id_of(sim, collider), &info);
    if (r != FIRN_OK) return r;
    view_follow* f = &lead->follow;
    // the simulation has the actual position
    f->position = (view_vec){info.pose.position.x, info.pose.position.y, info.pose.position.z};
    view_follow_steer(f, &lead->pull, seconds);
    info.pose.velocity = vec(f->velocity.x, f->velocity.y, f->velocity.z);
    info.pose.spin = vec(0, f->turn, 0);
    if (lead->pull.steers) info.pose.rotation = turn_about_y(f->yaw);
    return firn_sim_body_move(sim, id_of(sim, collider), &info.pose);
}

void view_mover_after(view_mover* lead, double simulated)
{
    if (lead->kind == VIEW_MOVER_PULL) lead->follow.yaw += lead->follow.turn * simulated;
}
