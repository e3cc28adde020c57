// SPDX-License-Identifier: MIT
// What runs: play and pause, speed, time, and what can be changed while a simulation runs.
#include <math.h>

#include "viewer/input/actions.h"
#include "viewer/panels/panels_parts.h"

static void add_buttons(view_session* s)
{
    if (gui_button(s->playing ? "Pause" : "Play", 1.0 / 3, "space")) view_play(s, !s->playing);
    gui_beside();
    if (gui_button(s->source->is_live ? "Step" : "Next", 1.0 / 3, "right")) view_step(s, 1);
    gui_beside();
    if (gui_button("Restart", 1.0 / 3, "home; backspace also plays")) view_restart(s);
}

static void add_figures(const view_session* s)
{
    const view_snapshot* now = s->now;
    char text[64];
    if (s->source->is_live) {
        snprintf(text, sizeof text, "%.4f s, step %lld", now->time, (long long)now->step);
        gui_row("time", text);
        snprintf(text, sizeof text, "%.3g ms", 1e3 * now->dt);
        gui_row("time step", text);
    } else {
        snprintf(text, sizeof text, "%.4f s, frame %lld", now->time, (long long)now->frame);
        gui_row("time", text);
    }
    snprintf(text, sizeof text, "%lld", (long long)now->count);
    gui_row("particles", text);
}

// What the library can change between two steps.
static void add_world(view_session* s)
{
    double gravity[3], wind[3];
    memcpy(gravity, s->now->gravity, sizeof gravity);
    memcpy(wind, s->now->wind, sizeof wind);
    if (gui_numbers("gravity [m/s\xc2\xb2]", gravity, "%.4g")) {
        s->source->ops->set_gravity(s->source, gravity);
        s->gravity_changed = true;
    }
    if (s->now->has_wind && gui_numbers("wind [m/s]", wind, "%.4g")) {
        s->source->ops->set_wind(s->source, wind);
        s->wind_changed = true;
    }
    double celsius = isnan(s->celsius) ? s->now->temperature : s->celsius;
    if (isnan(celsius) && !view_source_has_field(s->source, "temperature")) {
        gui_row("air", "no heat in this scene");
        return;
    }
    if (isnan(celsius)) celsius = 0;
    if (gui_slider("air [\xc2\xb0"
                   "C]",
                   &celsius, VIEW_COLDEST, VIEW_WARMEST, false, "%.1f"))
        view_set_temperature(s, celsius);
}

void view_panel_run(view_panels* p, view_session* s)
{
    (void)p;
    if (!gui_section(s->source->is_live ? "Simulation" : "Replay", true)) return;
    add_buttons(s);
    double speed = s->speed;
    if (gui_slider("speed", &speed, VIEW_SLOWEST, VIEW_FASTEST, true, "%.3gx"))
        view_set_speed(s, speed);
    add_figures(s);
    if (s->source->is_live) add_world(s);
    gui_space();
}
