// SPDX-License-Identifier: MIT
// Maps keys and mouse to actions.
#include "viewer/input/controls.h"

#include <math.h>
#include <stdarg.h>

#include "viewer/input/tools.h"

#define MESSAGE_SECONDS 3.0
#define HEAT_STEP 5.0  // [K] per key press
#define COLDEST -40.0  // [degC]
#define WARMEST 40.0

static const char* const help_live[] = {
    "left drag\torbit; on a moving object: drag it",
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
    "0\twhite",
    "S  L\tsurface or spheres, shadows",
    "O  T\tfigures, this help",
    "F12  R\tscreenshot, record a film",
    "Q\tquit",
    NULL,
};

static const char* const help_replay[] = {
    "left drag\torbit",
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
    "0\twhite",
    "S  L\tsurface or spheres, shadows",
    "O  T\tfigures, this help",
    "F12  R\tscreenshot, record a film",
    "Q\tquit",
    NULL,
};

const char* const* view_controls_help(bool live)
{
    return live ? help_live : help_replay;
}

void view_session_show_message(view_session* s, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(s->message, sizeof s->message, format, list);
    va_end(list);
    s->message_until = s->clock + MESSAGE_SECONDS;
}

void view_session_set_colouring(view_session* s, const view_colouring* colouring)
{
    s->colouring = *colouring;
    s->source->ops->colour(s->source, colouring->field);
}

// ---- keys ---------------------------------------------------------------------------------------

static void play(view_session* s, bool playing)
{
    s->playing = playing;
    s->source->ops->play(s->source, playing, s->speed);
}

// 1/64, 1/32 … 1, 2, 4 … 64 times real time.
static void change_speed(view_session* s, double factor)
{
    s->speed = view_clamp(s->speed * factor, 1.0 / 64, 64);
    s->source->ops->play(s->source, s->playing, s->speed);
    view_session_show_message(s, "speed %gx", s->speed);
}

static void step(view_session* s, int by)
{
    if (s->playing) play(s, false);
    if (by > 0 || !s->source->is_live)
        s->source->ops->step(s->source, by);
    else
        view_session_show_message(s, "a simulation cannot step back; Home restarts it");
}

static void go_to_end(view_session* s)
{
    const int64_t* frames;
    if (s->source->is_live) return;
    const int count = s->source->ops->frames(s->source, &frames);
    if (count > 0) s->source->ops->seek(s->source, frames[count - 1]);
}

static void restart(view_session* s)
{
    s->tools.held = -1;
    s->tools.ball_on = s->tools.plow_on = false;
    if (s->drag == VIEW_DRAG_COLLIDER) s->drag = VIEW_DRAG_NONE;
    s->celsius = NAN;
    s->colouring.fresh = true;
    s->source->ops->restart(s->source);
    play(s, s->playing);
}

static void change_heat(view_session* s, double by)
{
    if (!s->source->is_live) return;
    if (isnan(s->now->temperature) && !view_source_has_field(s->source, "temperature")) {
        view_session_show_message(s, "solver '%s' does not simulate heat in this scene",
                                  s->source->solver);
        return;
    }
    if (isnan(s->celsius)) s->celsius = isnan(s->now->temperature) ? 0 : s->now->temperature;
    s->celsius = view_clamp(s->celsius + by, COLDEST, WARMEST);
    s->source->ops->set_temperature(s->source, s->celsius);
    view_session_show_message(s, "%s: air at %+g degC", by > 0 ? "warmer" : "colder", s->celsius);
}

static void choose_colour(view_session* s, int key)
{
    view_colouring chosen = s->colouring;
    const char* label = "";
    char why[200];
    if (view_colouring_by_key(&chosen, s->source, key, &label)) {
        view_session_set_colouring(s, &chosen);
        return;
    }
    view_colouring_explain(s->source, key, why, sizeof why);
    view_session_show_message(s, "%s", why);
}

static void toggle_tool(view_session* s, int collider)
{
    if (s->source->is_live)
        view_tools_toggle(s, collider);
    else
        view_session_show_message(
            s, "this is a recorded run; 'firn view SCENE' simulates, with tools");
}

static void change_style(view_session* s)
{
    s->style = s->style == VIEW_SPHERES ? VIEW_SURFACE : VIEW_SPHERES;
    s->style_note[0] = '\0';
}

// Keys that repeat while held.
static bool may_repeat(int key)
{
    return key == '.' || key == VIEW_KEY_LEFT || key == VIEW_KEY_RIGHT;
}

static void press_key(view_session* s, int key, bool repeat)
{
    if (repeat && !may_repeat(key)) return;
    switch (key) {
    case ' ': play(s, !s->playing); break;
    case '.':
    case VIEW_KEY_RIGHT: step(s, 1); break;
    case VIEW_KEY_LEFT: step(s, -1); break;
    case VIEW_KEY_HOME: restart(s); break;
    case VIEW_KEY_BACKSPACE:
        s->playing = true;
        restart(s);
        break;
    case VIEW_KEY_END: go_to_end(s); break;
    case '[': change_speed(s, 0.5); break;
    case ']': change_speed(s, 2); break;
    case 'f':
        view_orbit_fit(&s->camera, s->now->low, s->now->high, (double)s->width / s->height);
        break;
    case 's': change_style(s); break;
    case 'l': s->shadows = !s->shadows; break;
    case 'b': toggle_tool(s, s->source->ball); break;
    case 'p': toggle_tool(s, s->source->plow); break;
    case 'h': change_heat(s, HEAT_STEP); break;
    case 'c': change_heat(s, -HEAT_STEP); break;
    case 't': s->help = !s->help; break;
    case 'o': s->overlay = !s->overlay; break;
    case 'r': s->wants_record = true; break;
    case VIEW_KEY_F12: s->wants_screenshot = true; break;
    case 'q':
    case VIEW_KEY_ESCAPE: s->quit = true; break;
    default:
        if (key >= '0' && key <= '5') choose_colour(s, key);
    }
}

// ---- mouse --------------------------------------------------------------------------------------

view_timeline view_timeline_place(const view_session* s)
{
    const double margin = 24 * s->ui;
    return (view_timeline){margin, s->height - 30 * s->ui, s->width - 2 * margin, 6 * s->ui};
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
        play(s, !s->playing);
    } else if (is_on_timeline(s, e->x, e->y)) {
        s->drag = VIEW_DRAG_TIMELINE;
        play(s, false);
        scrub(s, e->x);
    } else if (s->source->is_live && view_tools_grab(s, e->x, e->y, e->control)) {
        s->drag = VIEW_DRAG_COLLIDER;
        if (!s->playing)
            view_session_show_message(s, "paused: it moves once the simulation runs (space)");
    } else {
        s->drag = VIEW_DRAG_ORBIT;
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

void view_controls_event(view_session* s, const view_event* e)
{
    s->events++;
    switch (e->kind) {
    case VIEW_EVENT_KEY: press_key(s, e->key, e->repeat); return;
    case VIEW_EVENT_CLOSE: s->quit = true; return;
    case VIEW_EVENT_PRESS: press(s, e); break;
    case VIEW_EVENT_MOVE: move(s, e); break;
    case VIEW_EVENT_RELEASE:
        move(s, e);
        if (s->drag == VIEW_DRAG_COLLIDER) view_tools_release(s);
        s->drag = VIEW_DRAG_NONE;
        break;
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
