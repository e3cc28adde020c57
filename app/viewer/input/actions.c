// SPDX-License-Identifier: MIT
// Actions.
#include "viewer/input/actions.h"

#include <math.h>
#include <stdarg.h>

#include "viewer/input/pick.h"
#include "viewer/input/tools.h"
#include "viewer/panels/panels.h"

#define MESSAGE_SECONDS 3.0

void view_session_show_message(view_session* s, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(s->message, sizeof s->message, format, list);
    va_end(list);
    s->message_until = s->clock + MESSAGE_SECONDS;
}

// The scale that the user chose for the field, if any.
static const view_range* find_range(const view_session* s, const char* field)
{
    for (int k = 0; k < s->range_count; k++)
        if (strcmp(s->ranges[k].field, field) == 0) return &s->ranges[k];
    return NULL;
}

void view_session_set_colouring(view_session* s, const view_colouring* colouring)
{
    s->colouring = *colouring;
    const view_range* chosen = find_range(s, colouring->field);
    if (chosen) {
        s->colouring.low = chosen->low;
        s->colouring.high = chosen->high;
        s->colouring.fixed = true;
    }
    s->source->ops->colour(s->source, colouring->field);
}

// ---- time ---------------------------------------------------------------------------------------

void view_play(view_session* s, bool playing)
{
    s->playing = playing;
    s->source->ops->play(s->source, playing, s->speed);
}

void view_set_speed(view_session* s, double speed)
{
    s->speed = view_clamp(speed, VIEW_SLOWEST, VIEW_FASTEST);
    s->source->ops->play(s->source, s->playing, s->speed);
    view_session_show_message(s, "speed %gx", s->speed);
}

void view_step(view_session* s, int by)
{
    if (s->playing) view_play(s, false);
    if (by > 0 || !s->source->is_live)
        s->source->ops->step(s->source, by);
    else
        view_session_show_message(s, "a simulation cannot step back; Home restarts it");
}

void view_go_to_end(view_session* s)
{
    const int64_t* frames;
    if (s->source->is_live) return;
    const int count = s->source->ops->frames(s->source, &frames);
    if (count > 0) s->source->ops->seek(s->source, frames[count - 1]);
}

void view_restart(view_session* s)
{
    s->tools.held = -1;
    s->tools.ball_on = s->tools.plow_on = false;
    if (s->drag == VIEW_DRAG_COLLIDER) s->drag = VIEW_DRAG_NONE;
    s->celsius = NAN;
    s->colouring.fresh = true;
    s->source->ops->restart(s->source);
    view_play(s, s->playing);
}

// ---- temperature --------------------------------------------------------------------------------

static bool has_heat(view_session* s)
{
    if (!s->source->is_live) return false;
    if (!isnan(s->now->temperature) || view_source_has_field(s->source, "temperature")) return true;
    view_session_show_message(s, "solver '%s' does not simulate heat in this scene",
                              s->source->solver);
    return false;
}

void view_set_temperature(view_session* s, double celsius)
{
    if (!has_heat(s)) return;
    s->celsius = view_clamp(celsius, VIEW_COLDEST, VIEW_WARMEST);
    s->source->ops->set_temperature(s->source, s->celsius);
}

void view_change_heat(view_session* s, double by)
{
    if (!has_heat(s)) return;
    if (isnan(s->celsius)) s->celsius = isnan(s->now->temperature) ? 0 : s->now->temperature;
    view_set_temperature(s, s->celsius + by);
    view_session_show_message(s, "%s: air at %+g degC", by > 0 ? "warmer" : "colder", s->celsius);
}

// ---- colours ------------------------------------------------------------------------------------

void view_colour_by_key(view_session* s, int key)
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

void view_colour_by(view_session* s, const char* field)
{
    view_colouring chosen;
    view_colouring_by_field(&chosen, s->source, field);
    view_session_set_colouring(s, &chosen);
}

void view_next_field(view_session* s)
{
    int next = 0;
    for (int k = 0; k < s->source->field_count; k++)
        if (strcmp(s->source->fields[k], s->colouring.field) == 0) next = k + 1;
    view_colour_by(s, next < s->source->field_count ? s->source->fields[next] : "");
    view_session_show_message(s, "colour: %s", *s->colouring.field ? s->colouring.label : "white");
}

void view_next_map(view_session* s)
{
    s->map = (view_map)((s->map + 1) % VIEW_MAPS);
    view_session_show_message(s, "colour map: %s", view_map_name(s->map));
}

void view_set_range(view_session* s, double low, double high)
{
    view_colouring* c = &s->colouring;
    if (!*c->field || !isfinite(low) || !isfinite(high) || !(high > low)) {
        if (*c->field) view_session_show_message(s, "the colour scale must end above its start");
        return;
    }
    c->low = low;
    c->high = high;
    c->fixed = true;
    view_range* r = (view_range*)find_range(s, c->field);
    if (!r && s->range_count < VIEW_FIELDS_MAX) {
        r = &s->ranges[s->range_count++];
        snprintf(r->field, sizeof r->field, "%s", c->field);
    }
    if (!r) return;
    r->low = low;
    r->high = high;
}

void view_fit_range(view_session* s)
{
    if (!s->now->has_value) return;
    view_colouring fitted = s->colouring;
    fitted.fixed = false;
    fitted.fresh = true;
    view_colouring_follow(&fitted, s->now);
    if (!fitted.fresh) view_set_range(s, fitted.low, fitted.high);
}

void view_widen_range(view_session* s, double factor)
{
    const double middle = 0.5 * (s->colouring.low + s->colouring.high);
    const double half = 0.5 * factor * (s->colouring.high - s->colouring.low);
    view_set_range(s, middle - half, middle + half);
}

// ---- particles ----------------------------------------------------------------------------------

void view_unpick(view_session* s)
{
    s->has_picked = false;
    if (s->source->ops->pick) s->source->ops->pick(s->source, -1);
}

void view_pick_at(view_session* s, double x, double y)
{
    const view_ray ray = view_orbit_ray(&s->camera, x, y, view_scene_width(s), s->height);
    const int64_t p = s->source->ops->pick ? view_pick_particle(s, &ray) : -1;
    if (p < 0) {
        if (s->has_picked) view_unpick(s);
        return;
    }
    if (!s->now->has_id) {
        view_session_show_message(s,
                                  "the frames of this run have no 'id', which tells particles "
                                  "apart: add it to output.fields of the scene and run it again");
        return;
    }
    s->has_picked = true;
    s->picked = s->now->id[p];
    s->source->ops->pick(s->source, s->picked);
    view_session_show_message(s, "particle %lld", (long long)s->picked);
}

// ---- other --------------------------------------------------------------------------------------

void view_toggle_tool(view_session* s, int collider)
{
    if (s->source->is_live)
        view_tools_toggle(s, collider);
    else
        view_session_show_message(
            s, "this is a recorded run; 'firn view SCENE' simulates, with tools");
}

void view_change_style(view_session* s)
{
    s->style = s->style == VIEW_SPHERES ? VIEW_SURFACE : VIEW_SPHERES;
    s->style_note[0] = '\0';
}

void view_toggle_panels(view_session* s)
{
    if (s->panels)
        s->panels_on = !s->panels_on;
    else
        view_session_show_message(s, "this firn was built without panels: install libimgui-dev and "
                                     "build it again");
}
