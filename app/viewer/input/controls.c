// SPDX-License-Identifier: MIT
// Maps keys and mouse to actions.
#include "viewer/input/controls.h"

#include <math.h>

#include "viewer/input/actions.h"
#include "viewer/input/tools.h"
#include "viewer/panels/panels.h"

#define HEAT_STEP 5.0  // [K] per key press
#define STILL 4.0      // [pixels] a shorter drag is a click, at ui = 1
#define WIDER 1.25     // factor of the colour scale per key press

static const char* const help_live[] = {
    "left drag\torbit; on a moving object: drag it",
    "click, I\tread all fields of a particle",
    "right drag\tpan (also shift + left)",
    "wheel\tzoom; while dragging: raise or lower",
    "F\tfit the snow into view",
    "space\tplay, pause",
    ". or right\tone step",
    "backspace\trestart and play; home: restart",
    "[  ]\tslower, faster",
    "B  P\tball, plow: drag it through the snow",
    "ctrl + drag\tdrag any object of the scene",
    "H  C\twarmer, colder",
    "1\tcolour by density",
    "2  3\ttemperature, broken bonds",
    "4  5\tJ_P, velocity",
    "0  N\twhite, next field",
    "M\tnext colour map",
    "A  -  +\tfit, narrow, widen the scale",
    "S  L\tsurface or spheres, shadows",
    "G  O  T\tpanels, figures, this help",
    "W  K\tsave the scene, the camera",
    "F12  R\tscreenshot, record a film",
    "Q\tquit",
    NULL,
};

static const char* const help_replay[] = {
    "left drag\torbit",
    "click, I\tread all fields of a particle",
    "right drag\tpan (also shift + left)",
    "wheel\tzoom",
    "F\tfit the snow into view",
    "space\tplay, pause",
    "left, right\tprevious, next frame",
    "backspace\tplay from the first frame",
    "home, end\tfirst, last frame",
    "time line\tdrag to scrub",
    "[  ]\tslower, faster",
    "1\tcolour by density",
    "2  3\ttemperature, broken bonds",
    "4  5\tJ_P, velocity",
    "0  N\twhite, next field",
    "M\tnext colour map",
    "A  -  +\tfit, narrow, widen the scale",
    "S  L\tsurface or spheres, shadows",
    "G  O  T\tpanels, figures, this help",
    "W  K\tsave the scene, the camera",
    "F12  R\tscreenshot, record a film",
    "Q\tquit",
    NULL,
};

const char* const* view_controls_help(bool live)
{
    return live ? help_live : help_replay;
}

// ---- keys ---------------------------------------------------------------------------------------

// Keys that repeat while held.
static bool may_repeat(int key)
{
    return key == '.' || key == VIEW_KEY_LEFT || key == VIEW_KEY_RIGHT;
}

static void press_view_key(view_session* s, int key)
{
    switch (key) {
    case 'f':
        view_orbit_fit(&s->camera, s->now->low, s->now->high,
                       (double)view_scene_width(s) / s->height);
        break;
    case 's': view_change_style(s); break;
    case 'l': s->shadows = !s->shadows; break;
    case 'n': view_next_field(s); break;
    case 'm': view_next_map(s); break;
    case 'a': view_fit_range(s); break;
    case '-': view_widen_range(s, 1 / WIDER); break;
    case '=':
    case '+': view_widen_range(s, WIDER); break;
    case 'i': view_pick_at(s, s->mouse_x, s->mouse_y); break;
    case 'g': view_toggle_panels(s); break;
    case 't': s->help = !s->help; break;
    case 'o': s->overlay = !s->overlay; break;
    case 'r': s->wants_record = true; break;
    case 'w': s->wants_scene = true; break;
    case 'k': s->wants_camera = true; break;
    case VIEW_KEY_F12: s->wants_screenshot = true; break;
    case 'q':
    case VIEW_KEY_ESCAPE: s->quit = true; break;
    default:
        if (key >= '0' && key <= '5') view_colour_by_key(s, key);
    }
}

static void press_key(view_session* s, int key, bool repeat)
{
    if (repeat && !may_repeat(key)) return;
    switch (key) {
    case ' ': view_play(s, !s->playing); break;
    case '.':
    case VIEW_KEY_RIGHT: view_step(s, 1); break;
    case VIEW_KEY_LEFT: view_step(s, -1); break;
    case VIEW_KEY_HOME: view_restart(s); break;
    case VIEW_KEY_BACKSPACE:
        s->playing = true;
        view_restart(s);
        break;
    case VIEW_KEY_END: view_go_to_end(s); break;
    case '[': view_set_speed(s, 0.5 * s->speed); break;
    case ']': view_set_speed(s, 2 * s->speed); break;
    case 'b': view_toggle_tool(s, s->source->ball); break;
    case 'p': view_toggle_tool(s, s->source->plow); break;
    case 'h': view_change_heat(s, HEAT_STEP); break;
    case 'c': view_change_heat(s, -HEAT_STEP); break;
    default: press_view_key(s, key);
    }
}

// ---- mouse --------------------------------------------------------------------------------------

view_timeline view_timeline_place(const view_session* s)
{
    const double margin = 24 * s->ui;
    return (view_timeline){margin, s->height - 30 * s->ui, view_scene_width(s) - 2 * margin,
                           6 * s->ui};
}

view_play_button view_play_button_place(const view_session* s)
{
    const double u = s->ui, margin = 9 * u;
    const double text = s->source->is_live ? s->height - 42 * u : view_timeline_place(s).y - 34 * u;
    return (view_play_button){26 * u - margin, text + u - margin, 14 * u + 2 * margin, margin};
}

static bool is_on_play_button(const view_session* s, double x, double y)
{
    const view_play_button b = view_play_button_place(s);
    return s->overlay && !s->help && x >= b.x && x <= b.x + b.side && y >= b.y && y <= b.y + b.side;
}

// With some tolerance, because the line is thin.
static bool is_on_timeline(const view_session* s, double x, double y)
{
    const view_timeline t = view_timeline_place(s);
    const double near = 10 * s->ui;
    return !s->source->is_live && s->overlay && x >= t.x - near && x <= t.x + t.width + near &&
           y >= t.y - near && y <= t.y + t.height + near;
}

static void scrub(view_session* s, double x)
{
    const int64_t* frames;
    const int count = s->source->ops->frames(s->source, &frames);
    const view_timeline t = view_timeline_place(s);
    const double share = view_clamp((x - t.x) / t.width, 0, 1);
    const double first = (double)frames[0], last = (double)frames[count - 1];
    s->source->ops->seek(s->source, (int64_t)(first + share * (last - first) + 0.5));
}

static void press(view_session* s, const view_event* e)
{
    if (s->drag != VIEW_DRAG_NONE) return;  // ignore a second button
    if (e->button != VIEW_LEFT || e->shift) {
        s->drag = VIEW_DRAG_PAN;
    } else if (is_on_play_button(s, e->x, e->y)) {
        view_play(s, !s->playing);
    } else if (is_on_timeline(s, e->x, e->y)) {
        s->drag = VIEW_DRAG_TIMELINE;
        view_play(s, false);
        scrub(s, e->x);
    } else if (s->source->is_live && view_tools_grab(s, e->x, e->y, e->control)) {
        s->drag = VIEW_DRAG_COLLIDER;
        if (!s->playing)
            view_session_show_message(s, "paused: it moves once the simulation runs (space)");
    } else {
        s->drag = VIEW_DRAG_ORBIT;
        s->press_x = e->x;
        s->press_y = e->y;
    }
}

static void move(view_session* s, const view_event* e)
{
    const double dx = e->x - s->mouse_x, dy = e->y - s->mouse_y;
    switch (s->drag) {
    case VIEW_DRAG_NONE: break;
    case VIEW_DRAG_ORBIT: view_orbit_turn(&s->camera, dx, dy, s->height); break;
    case VIEW_DRAG_PAN: view_orbit_pan(&s->camera, dx, dy, s->height); break;
    case VIEW_DRAG_COLLIDER: view_tools_drag(s, e->x, e->y); break;
    case VIEW_DRAG_TIMELINE: scrub(s, e->x); break;
    }
}

// A left click that did not drag picks a particle.
static void release(view_session* s, const view_event* e)
{
    const bool was_orbit = s->drag == VIEW_DRAG_ORBIT;
    move(s, e);
    if (s->drag == VIEW_DRAG_COLLIDER) view_tools_release(s);
    s->drag = VIEW_DRAG_NONE;
    if (was_orbit && hypot(e->x - s->press_x, e->y - s->press_y) < STILL * s->ui)
        view_pick_at(s, e->x, e->y);
}

void view_controls_event(view_session* s, const view_event* e)
{
    s->events++;
    if (view_panels_event(s, e)) {
        s->mouse_x = e->x;
        s->mouse_y = e->y;
        return;
    }
    switch (e->kind) {
    case VIEW_EVENT_KEY: press_key(s, e->key, e->repeat); return;
    case VIEW_EVENT_CLOSE: s->quit = true; return;
    case VIEW_EVENT_PRESS: press(s, e); break;
    case VIEW_EVENT_MOVE: move(s, e); break;
    case VIEW_EVENT_RELEASE: release(s, e); break;
    case VIEW_EVENT_SCROLL:
        if (s->drag == VIEW_DRAG_COLLIDER)
            view_tools_raise(s, e->scroll);
        else
            view_orbit_zoom(&s->camera, e->scroll);
        break;
    }
    s->mouse_x = e->x;
    s->mouse_y = e->y;
}
