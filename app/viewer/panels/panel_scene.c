// SPDX-License-Identifier: MIT
// Parameters of solver and materials. A simulation takes new ones when it is restarted; those of a
// run are only shown.
#include <stdlib.h>

#include "viewer/input/actions.h"
#include "viewer/panels/panels_parts.h"

// Requests the parameters once, and again after a restart with changes.
static bool has_values(view_panels* p, view_session* s)
{
    if (!p->describing) {
        p->describing = true;
        s->source->ops->describe(s->source);
    }
    char* text = s->source->ops->take_description(s->source);
    if (text) view_scene_values_read(&p->values, text, s->source->solver);
    free(text);
    return p->values.count > 0;
}

// Changes are part of the session, so that a saved scene has them.
static void keep(view_session* s, const view_scene_value* v)
{
    int k = 0;
    while (k < s->change_count && strcmp(s->changes[k].key, v->key) != 0) k++;
    if (k == VIEW_CHANGES_MAX) return;
    if (k == s->change_count) s->change_count++;
    snprintf(s->changes[k].key, sizeof s->changes[k].key, "%s", v->key);
    snprintf(s->changes[k].value, sizeof s->changes[k].value, "%s", v->value);
}

static void apply(view_panels* p, view_session* s)
{
    for (int k = 0; k < p->values.count; k++) {
        const view_scene_value* v = &p->values.items[k];
        if (!view_scene_value_changed(v)) continue;
        s->source->ops->change(s->source, v->key, v->value);
        keep(s, v);
    }
    view_restart(s);
    p->describing = false;  // read again what the library has made of it
}

void view_panel_scene(view_panels* p, view_session* s)
{
    if (!gui_section("Solver and material", false)) return;
    if (!has_values(p, s)) {
        gui_note("reading ...");
        return;
    }
    if (s->source->is_live) {
        int changed = 0;
        for (int k = 0; k < p->values.count; k++)
            changed += view_scene_value_changed(&p->values.items[k]);
        if (changed > 0 && gui_button("Restart with changes", 1, NULL)) apply(p, s);
        if (changed == 0) gui_note("Edit a value, then restart with it.");
    } else {
        gui_note("As the scene of the run sets them; others have their defaults.");
    }
    const char* block = "";
    for (int k = 0; k < p->values.count; k++) {
        view_scene_value* v = &p->values.items[k];
        const char* name = strrchr(v->key, '.') + 1;
        if (strncmp(block, v->key, (size_t)(name - v->key)) != 0 || block[0] == '\0') {
            char title[96];
            snprintf(title, sizeof title, "%.*s", (int)(name - v->key) - 1, v->key);
            gui_text(title);
        }
        block = v->key;
        if (s->source->is_live)
            gui_word(name, v->value, sizeof v->value);
        else
            gui_row(name, v->value);
    }
    gui_space();
}
