// SPDX-License-Identifier: MIT
// Keys and mouse: what they request from the source, and what they change in the session.
#include "firn_test.h"
#include "viewer/fake_source.h"
#include "viewer/style_trial.h"

static void space_and_speed(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    fake_key(&s, ' ');
    assert_true(f.playing);
    assert_true(s.playing);
    fake_key(&s, ']');
    fake_key(&s, ']');
    assert_equal(f.speed, 4);
    for (int k = 0; k < 20; k++) fake_key(&s, '[');
    assert_equal(f.speed, 1.0 / 64);  // and no slower
    assert_true(f.playing);
    fake_key(&s, '.');  // a step is a step: time stands still after it
    assert_false(f.playing);
    assert_int_equal(f.steps, 1);
    fake_key(&s, VIEW_KEY_LEFT);
    assert_int_equal(f.steps, 1);  // a simulation does not go back
    assert_contains(s.message, "Home");
    fake_key(&s, VIEW_KEY_HOME);
    assert_int_equal(f.restarts, 1);
}

static void holding_a_key_down_toggles_once(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    view_event held = {.kind = VIEW_EVENT_KEY, .key = ' '};
    view_controls_event(&s, &held);
    held.repeat = true;
    for (int k = 0; k < 3; k++) view_controls_event(&s, &held);
    assert_true(s.playing);
    held.key = VIEW_KEY_RIGHT;
    for (int k = 0; k < 3; k++) view_controls_event(&s, &held);
    assert_int_equal(f.steps, 3);
}

static void colours_that_are_there(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    fake_key(&s, '5');
    assert_string_equal(f.field, "velocity");
    fake_key(&s, '2');
    assert_string_equal(f.field, "velocity");  // there is no temperature: as before
    assert_contains(s.message, "temperature");
    fake_key(&s, '0');
    assert_string_equal(f.field, "");
}

// A run's frames may lack a field that its solver has: the message says so and what to do.
static void a_missing_field_is_explained(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, false);
    snprintf(f.base.solver, sizeof f.base.solver, "mpm");
    fake_key(&s, '4');
    assert_contains(s.message, "the frames of this run have no J_P");
    assert_contains(s.message, "add 'plastic_volume' to output.fields");
    snprintf(f.base.solver, sizeof f.base.solver, "grains");
    fake_key(&s, '4');
    assert_contains(s.message, "solver 'grains' has no field for J_P");
    s = fake_session(&f, true);
    snprintf(f.base.solver, sizeof f.base.solver, "grains");
    fake_key(&s, '4');
    assert_contains(s.message, "solver 'grains' has no field for J_P");
}

static void one_key_restarts_and_plays(void** state)
{
    (void)state;
    fake f;
    for (int live = 0; live < 2; live++) {
        view_session s = fake_session(&f, live);
        fake_key(&s, VIEW_KEY_BACKSPACE);
        assert_int_equal(f.restarts, 1);
        assert_true(s.playing);
        assert_true(f.playing);
    }
}

static void the_play_button_can_be_clicked(void** state)
{
    (void)state;
    fake f;
    for (int live = 0; live < 2; live++) {
        view_session s = fake_session(&f, live);
        const view_play_button b = view_play_button_place(&s);
        const double x = b.x + 0.5 * b.side, y = b.y + 0.5 * b.side;
        const double yaw = s.camera.yaw;
        fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, x, y);
        fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, x + 20, y);
        assert_true(s.playing);
        assert_equal(s.camera.yaw, yaw);
        fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, x, y);
        assert_false(s.playing);
        fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, x, y);
        s.overlay = false;  // it is not there
        fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, x, y);
        assert_false(s.playing);
    }
}

static void a_slow_surface_becomes_spheres_and_says_why(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    s.style = VIEW_SURFACE;
    view_style_trial t = {.may_change = true};
    view_style_try(&t, &s, 9);  // the first does not count
    view_style_try(&t, &s, 0.25);
    assert_int_equal(s.style, VIEW_SURFACE);
    view_style_try(&t, &s, 0.05);
    assert_int_equal(s.style, VIEW_SPHERES);
    assert_contains(s.style_note, "250 ms per picture");
    fake_key(&s, 's');
    assert_int_equal(s.style, VIEW_SURFACE);
    assert_string_equal(s.style_note, "");
    t = (view_style_trial){.may_change = false};  // the user's own choice stays
    for (int k = 0; k < 5; k++) view_style_try(&t, &s, 9);
    assert_int_equal(s.style, VIEW_SURFACE);
}

static void warmth_needs_a_temperature(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    fake_key(&s, 'h');
    assert_nan(f.celsius);
    assert_contains(s.message, "does not simulate heat");
    f.now.temperature = -5;
    fake_key(&s, 'h');
    assert_equal(f.celsius, 0);
    fake_key(&s, 'h');  // the snapshot may be old: the requested state counts
    assert_equal(f.celsius, 5);
    for (int k = 0; k < 30; k++) fake_key(&s, 'c');
    assert_equal(f.celsius, -40);
}

static void left_drag_orbits_right_drag_pans(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    const view_orbit before = s.camera;
    fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, 100, 100);
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_LEFT, 160, 100);
    assert_not_equal(s.camera.yaw, before.yaw);
    assert_equal(s.camera.pitch, before.pitch);
    assert_equal(s.camera.target.x, before.target.x);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, 160, 100);
    const view_orbit turned = s.camera;
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_LEFT, 300, 300);  // nothing is held
    assert_equal(s.camera.yaw, turned.yaw);
    fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_RIGHT, 300, 300);
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_RIGHT, 300, 330);
    assert_equal(s.camera.yaw, turned.yaw);
    assert_greater(s.camera.target.y, turned.target.y);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_RIGHT, 300, 330);
    view_event wheel = {.kind = VIEW_EVENT_SCROLL, .scroll = 2};
    view_controls_event(&s, &wheel);
    assert_less(s.camera.distance, turned.distance);
    fake_key(&s, 'f');
    assert_near(s.camera.target.y, 0.1, 1e-12);  // [m] the middle of the snow, in double
}

static void the_time_line_scrubs(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, false);
    const view_timeline t = view_timeline_place(&s);
    fake_key(&s, ' ');
    fake_mouse(&s, VIEW_EVENT_PRESS, VIEW_LEFT, t.x + 0.25 * t.width, t.y);
    assert_int_equal(f.sought, 25);
    assert_false(s.playing);
    fake_mouse(&s, VIEW_EVENT_MOVE, VIEW_LEFT, t.x + 5 * t.width, 10);  // far off, still held
    assert_int_equal(f.sought, 100);
    fake_mouse(&s, VIEW_EVENT_RELEASE, VIEW_LEFT, t.x - 50, 10);
    assert_int_equal(f.sought, 0);
    fake_key(&s, VIEW_KEY_END);
    assert_int_equal(f.sought, 100);
    fake_key(&s, VIEW_KEY_LEFT);
    assert_int_equal(f.steps, -1);
    fake_key(&s, 'b');  // nothing can be held in a replay
    assert_contains(s.message, "firn view SCENE");
}

static void wishes_for_the_loop(void** state)
{
    (void)state;
    fake f;
    view_session s = fake_session(&f, true);
    fake_key(&s, VIEW_KEY_F12);
    fake_key(&s, 'r');
    assert_true(s.wants_screenshot);
    assert_true(s.wants_record);
    assert_false(s.quit);
    fake_key(&s, 's');
    assert_int_equal(s.style, VIEW_SURFACE);
    fake_key(&s, 'l');
    fake_key(&s, 't');
    assert_true(s.shadows);
    assert_true(s.help);
    fake_key(&s, VIEW_KEY_ESCAPE);
    assert_true(s.quit);
    for (const char* const* h = view_controls_help(true); *h; h++)
        assert_non_null(strchr(*h, '\t'));
    for (const char* const* h = view_controls_help(false); *h; h++)
        assert_non_null(strchr(*h, '\t'));
}

int test_view_controls(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(space_and_speed),
        cmocka_unit_test(holding_a_key_down_toggles_once),
        cmocka_unit_test(colours_that_are_there),
        cmocka_unit_test(a_missing_field_is_explained),
        cmocka_unit_test(one_key_restarts_and_plays),
        cmocka_unit_test(the_play_button_can_be_clicked),
        cmocka_unit_test(a_slow_surface_becomes_spheres_and_says_why),
        cmocka_unit_test(warmth_needs_a_temperature),
        cmocka_unit_test(left_drag_orbits_right_drag_pans),
        cmocka_unit_test(the_time_line_scrubs),
        cmocka_unit_test(wishes_for_the_loop),
    };
    return cmocka_run_group_tests_name("view_controls", tests, NULL, NULL);
}
