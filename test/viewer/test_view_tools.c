// SPDX-License-Identifier: MIT
// The ball and the plow: where they appear, how they are held and dragged, and how a
// collider follows.
#include "firn_test.h"
#include "viewer/fake_source.h"
#include "viewer/input/follow.h"

// Rays and positions in double, at distances of a few metres: roundings of 1e-15.
#define DOUBLES 1e-9

// Projection of a point of the world to the picture [pixels].
static void project(const view_session* s, view_vec at, double* x, double* y)
{
    const view_vec d = view_vec_sub(at, view_orbit_eye(&s->camera));
    const double depth = -view_vec_dot(d, view_orbit_back(&s->camera));
    const double half = tan(s->camera.fov * VIEW_PI / 360) * depth;
    const double right = view_vec_dot(d, view_orbit_right(&s->camera)) / half;
    *x = (right * s->height / s->width + 1) / 2 * s->width - 0.5;
    *y = (1 - view_vec_dot(d, view_orbit_up(&s->camera)) / half) / 2 * s->height - 0.5;
}

static void rays_go_through_their_pixels(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    double x, y;
    const view_vec at = {0.3, 0.1, -0.2};
    project(&s, at, &x, &y);
    const view_ray ray = view_orbit_ray(&s.camera, x, y, s.width, s.height);
    const view_vec d = view_vec_sub(at, ray.from);
    const double away = view_vec_length(view_vec_cross(d, ray.along));
    assert_less(away, 1e-12);  // [m] a few roundings of 1e-15
}

static void a_tool_comes_down_where_the_mouse_points(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    project(&s, (view_vec){0.2, 0, 0.1}, &s.mouse_x, &s.mouse_y);
    fake_key(&s, 'b');
    assert_int_equal(f.places, 1);
    assert_int_equal(f.collider, s.source->ball);
    assert_near(f.at.x, 0.2, DOUBLES);
    assert_near(f.at.z, 0.1, DOUBLES);
    assert_greater(f.at.y - 0.5 * f.scale, f.now.high[1]);  // above the snow, not inside it
    // then down to stand on the floor, gently
    assert_near(f.pull.target.y, 0.5 * f.scale + 0.005, DOUBLES);
    assert_at_most(f.pull.speed_max, 1);
    assert_false(view_tools_is_parked(&s, s.source->ball));
    assert_true(view_tools_is_parked(&s, s.source->plow));
    fake_key(&s, 'b');
    assert_true(view_tools_is_parked(&s, s.source->ball));
    assert_less(f.at.y, -100);
}

static void a_drag_moves_it_over_the_ground(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    double x, y;
    project(&s, (view_vec){0, 0, 0}, &s.mouse_x, &s.mouse_y);
    fake_key(&s, 'b');
    fake_place(&f.base, 1, f.pull.target, 0, f.scale);  // it has come down
    const view_vec stood = f.at;
    project(&s, (view_vec){stood.x, stood.y + 0.5 * f.scale, stood.z}, &x, &y);
    const int pulls = f.pulls;
    const double yaw = s.camera.yaw;
    fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, x, y);
    assert_int_equal(s.tools.held, s.source->ball);
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_LEFT, x + 80, y);
    assert_greater(f.pulls, pulls);
    assert_equal(s.camera.yaw, yaw);
    assert_greater(f.pull.target.x, stood.x + 0.1);
    assert_near(f.pull.target.y, stood.y, DOUBLES);  // it keeps its height
    assert_at_most(f.pull.speed_max, VIEW_FOLLOW_SPEED);
    view_event wheel = {.kind = VIEW_EVENT_SCROLL, .scroll = 3, .x = x + 80, .y = y};
    view_controls_event(&s, &wheel);
    assert_greater(f.pull.target.y, stood.y + 0.05);  // the wheel lifts it
    wheel.scroll = -30;
    view_controls_event(&s, &wheel);
    assert_near(f.pull.target.y, stood.y, DOUBLES);  // never into the ground
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, x + 80, y);
    assert_int_equal(s.tools.held, -1);
    fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, 20, 20);  // beside it: the camera
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_LEFT, 60, 20);
    assert_not_equal(s.camera.yaw, yaw);
}

// Colliders of the scene: dynamic and moving ones can be held, static ones with the control key.
static void bodies_of_the_scene(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    f.base.plow = -1;  // the third collider is the scene's
    fake_place(&f.base, 2, (view_vec){0, 0.1, 0}, 0, 0.3);
    view_event press = {.kind = VIEW_EVENT_PRESS, .button = VIEW_LEFT};
    project(&s, (view_vec){0, 0.1, 0}, &press.x, &press.y);
    view_controls_event(&s, &press);
    assert_int_equal(s.drag, VIEW_DRAG_ORBIT);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, press.x, press.y);
    press.control = true;
    view_controls_event(&s, &press);
    assert_int_equal(s.tools.held, 2);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, press.x, press.y);
    assert_int_equal(f.releases, 0);  // it stays where it was put
    press.control = false;
    f.colliders[2].info.mass = 5;
    view_controls_event(&s, &press);
    assert_int_equal(s.tools.held, 2);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, press.x, press.y);
    assert_int_equal(f.releases, 1);  // it falls again
}

static void following_is_slow_smooth_and_arrives(void** state)
{
    (void)state;
    view_follow f = {.yaw = 3};
    const view_pull pull = {.target = {2, 0, 0}, .speed_max = 1.5, .steers = true};
    const double dt = 0.01;
    double fastest = 0, jerk = 0;
    for (int k = 0; k < 600; k++) {
        const view_vec before = f.velocity;
        view_follow_steer(&f, &pull, dt);
        fastest = fmax(fastest, view_vec_length(f.velocity));
        jerk = fmax(jerk, view_vec_length(view_vec_sub(f.velocity, before)) / dt);
        f.position = view_vec_add(f.position, view_vec_scale(f.velocity, dt));
        assert_less(f.position.x, 2 + DOUBLES);  // no overshoot
        assert_near(f.turn, 0, VIEW_FOLLOW_TURN);
        f.yaw += f.turn * dt;
        // [rad] after 0.6 s nearly across its way
        if (k == 60) assert_near(remainder(f.yaw - VIEW_PI / 2, 2 * VIEW_PI), 0, 0.2);
    }
    assert_at_most(fastest, 1.5 + 1e-12);  // speed_max, in double
    assert_greater(fastest, 1.4);
    assert_at_most(jerk, VIEW_FOLLOW_PUSH + DOUBLES);
    assert_near(f.position.x, 2, 1e-3);  // [m] after 6 s what is left is not visible
    assert_equal(view_follow_speed(10), VIEW_FOLLOW_SPEED);
    assert_less(view_follow_speed(0.05), 1);  // small colliders go slowly
}

int test_view_tools(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_go_through_their_pixels),
        cmocka_unit_test(a_tool_comes_down_where_the_mouse_points),
        cmocka_unit_test(a_drag_moves_it_over_the_ground),
        cmocka_unit_test(bodies_of_the_scene),
        cmocka_unit_test(following_is_slow_smooth_and_arrives),
    };
    return cmocka_run_group_tests_name("view_tools", tests, NULL, NULL);
}
