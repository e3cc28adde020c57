// SPDX-License-Identifier: MIT
// Tools that the mouse moves.
#include "viewer/input/tools.h"

#include <math.h>

#include "viewer/input/pick.h"
#include "viewer/source/live_tools.h"

// Sizes that suit the snow: shares of its smaller side, no more than some depths of it (a tool that
// towers over the snow hides it), and no less than some distances of particles (a blade thinner
// than two of them lets snow through).
#define BALL_SHARE 0.3
#define BALL_DEPTHS 2.0
#define BALL_SPACINGS 8.0
#define PLOW_SHARE 0.4
#define PLOW_DEPTHS 4.0
#define PLOW_SPACINGS 14.0
#define LEVEL 0.12       // a ray flatter than this does not mark a place on the ground
#define LOWERING 1.0     // [m/s] most, of a tool that comes down on the snow
#define RAISE_SHARE 0.1  // of its size, per notch of the wheel

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

bool view_tools_is_away(const view_session* s, int body)
{
    return (body == s->source->ball && !s->tools.ball_on) ||
           (body == s->source->plow && !s->tools.plow_on);
}

static bool is_tool(const view_session* s, int body)
{
    return body == s->source->ball || body == s->source->plow;
}

// Height of the ground: planes that one can stand on, else where the snow begins.
static double ground_at(const view_session* s, double x, double z)
{
    double highest = -INFINITY;
    for (int b = 0; b < s->now->body_count; b++) {
        const firn_body_info* i = &s->now->bodies[b].info;
        if (i->bounded || i->hidden || i->normal.y < 0.5) continue;
        const double y =
            i->point.y -
            ((x - i->point.x) * i->normal.x + (z - i->point.z) * i->normal.z) / i->normal.y;
        highest = fmax(highest, y);
    }
    return isfinite(highest) ? highest : s->now->low[1];
}

// Where a tool's origin is when it stands on the ground, with room for a grain below it.
static double rest_height(const view_session* s, int body, double x, double z)
{
    const double ground = ground_at(s, x, z) + 0.5 * s->source->view.spacing;
    return body == s->source->ball ? ground + 0.5 * s->tools.ball_size : ground;
}

// The place on the ground under the mouse, or the middle of the snow where it points elsewhere.
static view_vec place_under_mouse(const view_session* s)
{
    const view_snapshot* now = s->now;
    view_vec at = {0.5 * (now->low[0] + now->high[0]), 0, 0.5 * (now->low[2] + now->high[2])};
    const view_vec up = {0, 1, 0};
    const view_ray ray = view_orbit_ray(&s->camera, s->mouse_x, s->mouse_y, s->width, s->height);
    const view_vec ground = {at.x, ground_at(s, at.x, at.z), at.z};
    view_vec point;
    if (!view_ray_meets(&ray, ground, up, &point)) return at;
    const double reach = 2 * s->camera.distance;
    if (view_vec_length(view_vec_sub(point, ground)) < reach) at = point;
    return at;
}

static double size_of(const view_session* s, int body)
{
    if (body == s->source->ball) return s->tools.ball_size;
    if (body == s->source->plow) return s->tools.plow_size;
    const firn_body_info* i = &s->now->bodies[body].info;
    const view_vec d = {i->high.x - i->low.x, i->high.y - i->low.y, i->high.z - i->low.z};
    return 0.5 * view_vec_length(d);
}

static void pull(view_session* s, int body, double speed_max)
{
    const view_pull how = {.target = s->tools.target,
                           .speed_max = fmin(speed_max, view_follow_speed(size_of(s, body))),
                           .steers = body == s->source->plow};
    s->source->ops->pull(s->source, body, &how);
}

static double* lift_of(view_session* s, int body)
{
    return body == s->source->ball ? &s->tools.ball_lift : &s->tools.plow_lift;
}

// It appears above the snow and comes down through it: a body that appeared inside would burst it.
static void bring(view_session* s, int body)
{
    const bool is_ball = body == s->source->ball;
    const double size = is_ball ? s->tools.ball_size : s->tools.plow_size;
    const view_vec at = place_under_mouse(s);
    const double rest = rest_height(s, body, at.x, at.z);
    const double above = fmax(s->now->high[1], rest) + (is_ball ? 0.6 : 0.1) * size;
    const double yaw = s->camera.yaw + VIEW_PI;  // its front away from the eye
    s->source->ops->place(s->source, body, (view_vec){at.x, above, at.z}, yaw, size);
    s->tools.target = (view_vec){at.x, rest, at.z};
    *lift_of(s, body) = 0;
    pull(s, body, LOWERING);
}

void view_tools_toggle(view_session* s, int body)
{
    const bool is_ball = body == s->source->ball;
    bool* on = is_ball ? &s->tools.ball_on : &s->tools.plow_on;
    *on = !*on;
    if (s->tools.held == body) view_tools_release(s);
    if (*on) {
        bring(s, body);
        view_session_say(s, "drag the %s with the left mouse button", is_ball ? "ball" : "plow");
    } else {
        const view_vec away = {0, -VIEW_PARK_DEPTH, 0};
        s->source->ops->place(s->source, body, away, 0, 1);
    }
}

static bool may_hold_any(const view_session* s, int body, const firn_body_info* info)
{
    (void)info;
    return !view_tools_is_away(s, body);
}

// What moves, falls or was brought: walls and houses stay out of the way of the camera.
static bool may_hold_movers(const view_session* s, int body, const firn_body_info* info)
{
    const firn_vec3 v = info->pose.velocity, w = info->pose.spin;
    const bool moves = v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0;
    return !view_tools_is_away(s, body) &&
           (is_tool(s, body) || moves || info->mass > 0 || info->driver != FIRN_BODY_SCENE);
}

bool view_tools_grab(view_session* s, double x, double y, bool any)
{
    view_tools* t = &s->tools;
    view_vec point;
    const view_ray ray = view_orbit_ray(&s->camera, x, y, s->width, s->height);
    t->held = view_pick(s, &ray, any ? may_hold_any : may_hold_movers, &point);
    if (t->held < 0) return false;
    const firn_vec3 o = s->now->bodies[t->held].info.pose.position;
    t->target = (view_vec){o.x, o.y, o.z};
    t->hold = view_vec_sub(point, t->target);
    t->plane_point = point;
    // over the ground, seen from above; seen from the side, in the plane of the picture
    t->over_ground = fabs(ray.along.y) > LEVEL;
    t->plane_normal = t->over_ground ? (view_vec){0, 1, 0} : view_orbit_back(&s->camera);
    return true;
}

// Nothing goes farther than one can see.
static view_vec keep_in_reach(const view_session* s, view_vec target)
{
    const view_vec from = s->camera.target;
    const view_vec way = view_vec_limit(view_vec_sub(target, from), 4 * s->camera.distance);
    return view_vec_add(from, way);
}

void view_tools_drag(view_session* s, double x, double y)
{
    view_tools* t = &s->tools;
    view_vec point;
    const view_ray ray = view_orbit_ray(&s->camera, x, y, s->width, s->height);
    if (t->held < 0 || !view_ray_meets(&ray, t->plane_point, t->plane_normal, &point)) return;
    t->target = keep_in_reach(s, view_vec_sub(point, t->hold));
    if (is_tool(s, t->held)) {  // over the ground, and never below it
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

// A body with a mass falls again; others go on to where they were wanted, and stay.
void view_tools_release(view_session* s)
{
    view_tools* t = &s->tools;
    if (t->held >= 0 && s->now->bodies[t->held].info.mass > 0)
        s->source->ops->let_go(s->source, t->held);
    t->held = -1;
}
