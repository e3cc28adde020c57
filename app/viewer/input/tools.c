// SPDX-License-Identifier: MIT
// Tools moved by the mouse.
#include "viewer/input/tools.h"

#include <math.h>

#include "viewer/input/pick.h"
#include "viewer/panels/panels.h"
#include "viewer/source/live_colliders.h"

// Tool size: a fraction of the snow's shorter side, at most some snow depths (a taller tool hides
// the snow), and at least some particle spacings (a blade thinner than two of them leaks).
#define BALL_SHARE 0.3
#define BALL_DEPTHS 2.0
#define BALL_SPACINGS 8.0
#define PLOW_SHARE 0.4
#define PLOW_DEPTHS 4.0
#define PLOW_SPACINGS 14.0
#define LEVEL 0.12       // minimum slope of a ray for dragging along the ground
#define LOWERING 1.0     // [m/s] maximum speed of a tool that is lowered into the snow
#define RAISE_SHARE 0.1  // of the collider's size, per notch of the wheel

void view_tools_begin(view_session* s)
{
    const view_snapshot* now = s->now;
    const double side = fmin(now->high[0] - now->low[0], now->high[2] - now->low[2]);
    const double depth = now->high[1] - now->low[1];
    const double spacing = s->source->view.spacing;
    s->tools = (view_tools){.held = -1};
    s->tools.ball_size =
        fmax(fmin(BALL_SHARE * side, BALL_DEPTHS * depth), BALL_SPACINGS * spacing);
    s->tools.plow_size =
        fmax(fmin(PLOW_SHARE * side, PLOW_DEPTHS * depth), PLOW_SPACINGS * spacing);
    if (!(s->tools.ball_size > 0)) s->tools.ball_size = s->tools.plow_size = 0.2;
}

bool view_tools_is_parked(const view_session* s, int collider)
{
    return (collider == s->source->ball && !s->tools.ball_on) ||
           (collider == s->source->plow && !s->tools.plow_on);
}

static bool is_tool(const view_session* s, int collider)
{
    return collider == s->source->ball || collider == s->source->plow;
}

// Height of the ground: the highest plane with slope below 60 degrees, else the bottom of the snow.
static double ground_at(const view_session* s, double x, double z)
{
    double highest = -INFINITY;
    for (int b = 0; b < s->now->collider_count; b++) {
        const firn_body_info* i = &s->now->colliders[b].info;
        if (i->bounded || i->hidden || i->normal.y < 0.5) continue;
        const double y =
            i->point.y -
            ((x - i->point.x) * i->normal.x + (z - i->point.z) * i->normal.z) / i->normal.y;
        highest = fmax(highest, y);
    }
    return isfinite(highest) ? highest : s->now->low[1];
}

// Height of a tool's origin at rest on the ground, with half a particle spacing of clearance.
static double rest_height(const view_session* s, int collider, double x, double z)
{
    const double ground = ground_at(s, x, z) + 0.5 * s->source->view.spacing;
    return collider == s->source->ball ? ground + 0.5 * s->tools.ball_size : ground;
}

// Ground point under the mouse, or the centre of the snow if there is none.
static view_vec point_under_mouse(const view_session* s)
{
    const view_snapshot* now = s->now;
    view_vec at = {0.5 * (now->low[0] + now->high[0]), 0, 0.5 * (now->low[2] + now->high[2])};
    const view_vec up = {0, 1, 0};
    const view_ray ray =
        view_orbit_ray(&s->camera, s->mouse_x, s->mouse_y, view_scene_width(s), s->height);
    const view_vec ground = {at.x, ground_at(s, at.x, at.z), at.z};
    view_vec point;
    if (!view_ray_plane(&ray, ground, up, &point)) return at;
    const double reach = 2 * s->camera.distance;
    if (view_vec_length(view_vec_sub(point, ground)) < reach) at = point;
    return at;
}

static double size_of(const view_session* s, int collider)
{
    if (collider == s->source->ball) return s->tools.ball_size;
    if (collider == s->source->plow) return s->tools.plow_size;
    const firn_body_info* i = &s->now->colliders[collider].info;
    const view_vec d = {i->high.x - i->low.x, i->high.y - i->low.y, i->high.z - i->low.z};
    return 0.5 * view_vec_length(d);
}

static void pull(view_session* s, int collider, double speed_max)
{
    const view_pull how = {.target = s->tools.target,
                           .speed_max = fmin(speed_max, view_follow_speed(size_of(s, collider))),
                           .steers = collider == s->source->plow};
    s->source->ops->pull(s->source, collider, &how);
}

static double* lift_of(view_session* s, int collider)
{
    return collider == s->source->ball ? &s->tools.ball_lift : &s->tools.plow_lift;
}

// Places a tool above the snow and lowers it: appearing inside would blow the snow apart.
static void place_tool(view_session* s, int collider)
{
    const bool is_ball = collider == s->source->ball;
    const double size = is_ball ? s->tools.ball_size : s->tools.plow_size;
    const view_vec at = point_under_mouse(s);
    const double rest = rest_height(s, collider, at.x, at.z);
    const double above = fmax(s->now->high[1], rest) + (is_ball ? 0.6 : 0.1) * size;
    const double yaw = s->camera.yaw + VIEW_PI;  // facing away from the eye
    s->source->ops->place(s->source, collider, (view_vec){at.x, above, at.z}, yaw, size);
    s->tools.target = (view_vec){at.x, rest, at.z};
    *lift_of(s, collider) = 0;
    pull(s, collider, LOWERING);
}

void view_tools_toggle(view_session* s, int collider)
{
    const bool is_ball = collider == s->source->ball;
    bool* on = is_ball ? &s->tools.ball_on : &s->tools.plow_on;
    *on = !*on;
    if (s->tools.held == collider) view_tools_release(s);
    if (*on) {
        place_tool(s, collider);
        view_session_show_message(s, "drag the %s with the left mouse button",
                                  is_ball ? "ball" : "plow");
    } else {
        const view_vec away = {0, -VIEW_PARK_DEPTH, 0};
        s->source->ops->place(s->source, collider, away, 0, 1);
    }
}

static bool may_hold_any(const view_session* s, int collider, const firn_body_info* info)
{
    (void)info;
    return !view_tools_is_parked(s, collider);
}

// Tools and moving or dynamic colliders; dragging static ones orbits the camera instead.
static bool may_hold_moving(const view_session* s, int collider, const firn_body_info* info)
{
    const firn_vec3 v = info->pose.velocity, w = info->pose.spin;
    const bool moves = v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0;
    return !view_tools_is_parked(s, collider) &&
           (is_tool(s, collider) || moves || info->mass > 0 || info->driver != FIRN_BODY_SCENE);
}

bool view_tools_grab(view_session* s, double x, double y, bool any)
{
    view_tools* t = &s->tools;
    view_vec point;
    const view_ray ray = view_orbit_ray(&s->camera, x, y, view_scene_width(s), s->height);
    t->held = view_pick(s, &ray, any ? may_hold_any : may_hold_moving, &point);
    if (t->held < 0) return false;
    const firn_vec3 o = s->now->colliders[t->held].info.pose.position;
    t->target = (view_vec){o.x, o.y, o.z};
    t->hold = view_vec_sub(point, t->target);
    t->plane_point = point;
    // drag along the ground if seen from above, in the picture plane if seen from the side
    t->over_ground = fabs(ray.along.y) > LEVEL;
    t->plane_normal = t->over_ground ? (view_vec){0, 1, 0} : view_orbit_back(&s->camera);
    return true;
}

// Limits the distance from the camera's target.
static view_vec limit_reach(const view_session* s, view_vec target)
{
    const view_vec from = s->camera.target;
    const view_vec way = view_vec_limit(view_vec_sub(target, from), 4 * s->camera.distance);
    return view_vec_add(from, way);
}

void view_tools_drag(view_session* s, double x, double y)
{
    view_tools* t = &s->tools;
    view_vec point;
    const view_ray ray = view_orbit_ray(&s->camera, x, y, view_scene_width(s), s->height);
    if (t->held < 0 || !view_ray_plane(&ray, t->plane_point, t->plane_normal, &point)) return;
    t->target = limit_reach(s, view_vec_sub(point, t->hold));
    if (is_tool(s, t->held)) {  // never below the ground
        const double rest = rest_height(s, t->held, t->target.x, t->target.z);
        double* lift = lift_of(s, t->held);
        if (!t->over_ground) *lift = fmax(t->target.y - rest, 0);
        t->target.y = rest + *lift;
    }
    pull(s, t->held, VIEW_FOLLOW_SPEED);
}

void view_tools_raise(view_session* s, double notches)
{
    view_tools* t = &s->tools;
    if (t->held < 0) return;
    const double by = RAISE_SHARE * size_of(s, t->held) * notches;
    if (is_tool(s, t->held)) {
        double* lift = lift_of(s, t->held);
        const double higher = fmax(*lift + by, 0);
        t->target.y += higher - *lift;
        *lift = higher;
    } else {
        t->target.y += by;
    }
    pull(s, t->held, VIEW_FOLLOW_SPEED);
}

// A dynamic collider falls again; a kinematic one moves on to its target and stays.
void view_tools_release(view_session* s)
{
    view_tools* t = &s->tools;
    if (t->held >= 0 && s->now->colliders[t->held].info.mass > 0)
        s->source->ops->release(s->source, t->held);
    t->held = -1;
}
