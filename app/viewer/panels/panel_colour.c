// SPDX-License-Identifier: MIT
// Colours: the field, the map, and the ends of the scale, remembered for each field.
#include "viewer/input/actions.h"
#include "viewer/panels/panels_parts.h"

static void colour_at(const void* user, float at, float out[3])
{
    view_scale_colour(*(const view_map*)user, at, out);
}

static void add_field(view_session* s)
{
    const char* items[VIEW_FIELDS_MAX + 1] = {"white"};
    int chosen = 0;
    const int count = s->source->field_count;
    for (int k = 0; k < count; k++) {
        items[k + 1] = s->source->fields[k];
        if (strcmp(s->source->fields[k], s->colouring.field) == 0) chosen = k + 1;
    }
    if (gui_choice("field", items, count + 1, &chosen))
        view_colour_by(s, chosen > 0 ? items[chosen] : "");
}

static void add_range(view_session* s)
{
    double low = s->colouring.low, high = s->colouring.high;
    const bool moved_low = gui_number("from", &low, "%.5g");
    const bool moved_high = gui_number("to", &high, "%.5g");
    if (moved_low || moved_high) view_set_range(s, low, high);
    if (gui_button("Fit to values", 0.5, "A: to the values shown now")) view_fit_range(s);
    gui_beside();
    bool follows = !s->colouring.fixed;
    if (gui_check("follow", &follows, "the scale grows with the values")) {
        s->colouring.fixed = !follows;
        s->colouring.fresh = follows;
    }
}

void view_panel_colour(view_panels* p, view_session* s)
{
    (void)p;
    if (!gui_section("Colour", true)) return;
    add_field(s);
    if (*s->colouring.field) {
        const char* names[VIEW_MAPS];
        int map = (int)s->map;
        for (int k = 0; k < VIEW_MAPS; k++) names[k] = view_map_name((view_map)k);
        if (gui_choice("map", names, VIEW_MAPS, &map)) s->map = (view_map)map;
        gui_colours(colour_at, &s->map);
        add_range(s);
    }
    gui_space();
}
