// SPDX-License-Identifier: MIT
// Plots over time: energies, iterations, time of a step, fragments.
#include "viewer/panels/panels_parts.h"

#define BLUE               \
    {                      \
        0.42f, 0.74f, 1.0f \
    }
#define ORANGE             \
    {                      \
        1.0f, 0.66f, 0.30f \
    }
#define GREEN               \
    {                       \
        0.55f, 0.87f, 0.53f \
    }

// clang-format off
static void add_energy(const view_history* h, double now)
{
    const gui_series series[] = {{"kinetic", h->values[VIEW_KINETIC], ORANGE},
                                 {"elastic", h->values[VIEW_ELASTIC], GREEN},
                                 {"potential", h->values[VIEW_POTENTIAL], BLUE}};
    gui_plot(&(gui_plot_def){.title = "energy", .unit = "J", .times = h->times, .count = h->count,
                             .series = series, .series_count = 3, .now = now, .from_zero = true});
}

static void add_one(const view_history* h, view_quantity quantity, const char* title,
                    const char* unit, double now)
{
    const gui_series series[] = {{"", h->values[quantity], BLUE}};
    gui_plot(&(gui_plot_def){.title = title, .unit = unit, .times = h->times, .count = h->count,
                             .series = series, .series_count = 1, .now = now, .from_zero = true});
}

static void add_fragments(const view_history* h, double now)
{
    const gui_series series[] = {{"", h->fragments, GREEN}};
    gui_plot(&(gui_plot_def){.title = "fragments", .unit = "", .times = h->fragment_times,
                             .count = h->fragment_count, .series = series, .series_count = 1,
                             .now = now, .from_zero = true});
}
// clang-format on

void view_panel_plots(view_panels* p, view_session* s)
{
    if (!gui_section("Plots", true)) return;
    const view_history* h = &p->history;
    const double now = s->now->time;
    if (s->source->is_live || p->has_stats) {
        add_energy(h, now);
        add_one(h, VIEW_ITERATIONS, "iterations", "", now);
        add_one(h, VIEW_STEP_MS, "time of a step", "ms", now);
    } else {
        gui_note("The run has no stats.csv (output.stats: false): only fragments are known.");
    }
    add_fragments(h, now);
    gui_space();
}
