// SPDX-License-Identifier: MIT
// All fields of the particle that was picked with the mouse.
#include "viewer/input/actions.h"
#include "viewer/panels/panels_parts.h"

static void add_value(const view_field_value* v)
{
    char name[64], text[96];
    const bool has_unit = *v->unit && strcmp(v->unit, "1") != 0;
    snprintf(name, sizeof name, has_unit ? "%s [%s]" : "%s", v->name, v->unit);
    for (int row = 0; 3 * row < v->count || row == 0; row++) {
        const double* x = &v->values[3 * row];
        if (v->count == 1)
            snprintf(text, sizeof text, "%.6g", x[0]);
        else
            snprintf(text, sizeof text, "%.3g   %.3g   %.3g", x[0], x[1], x[2]);
        gui_row(row == 0 ? name : "", text);
    }
}

void view_panel_particle(view_panels* p, view_session* s)
{
    (void)p;
    if (!gui_section("Particle", true)) return;
    const view_particle* picked = &s->now->picked;
    if (!s->has_picked) {
        gui_note("Click on the snow to read the fields of a particle.");
    } else if (picked->id != s->picked) {
        gui_note("reading ...");
    } else if (!picked->found) {
        char text[96];
        snprintf(text, sizeof text, "Particle %lld does not exist now.", (long long)s->picked);
        gui_note(text);
    } else {
        for (int k = 0; k < picked->field_count; k++) add_value(&picked->fields[k]);
    }
    if (s->has_picked && gui_button("Forget", 0, "I beside the snow")) view_unpick(s);
    gui_space();
}
