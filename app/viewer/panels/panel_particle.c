// SPDX-License-Identifier: MIT
// All fields of the particle that was picked with the mouse.
#include "viewer/input/actions.h"
#include "viewer/panels/panels_parts.h"

// "kg/m^3" as it is written by hand. `text` has room for `size` bytes.
static void write_unit(char* text, size_t size, const char* unit)
{
    static const char* const signs[][2] = {
        {"^2", "\xc2\xb2"}, {"^3", "\xc2\xb3"}, {"degC", "\xc2\xb0\x43"}};
    size_t length = 0;
    while (*unit && length + 4 < size) {
        const char* sign = NULL;
        for (size_t k = 0; k < sizeof signs / sizeof *signs && !sign; k++)
            if (strncmp(unit, signs[k][0], strlen(signs[k][0])) == 0) {
                sign = signs[k][1];
                unit += strlen(signs[k][0]);
            }
        if (sign)
            length += (size_t)snprintf(text + length, size - length, "%s", sign);
        else
            text[length++] = *unit++;
    }
    text[length] = '\0';
}

static void add_value(const view_field_value* v)
{
    char name[96], unit[32], text[32];
    const bool has_unit = *v->unit && strcmp(v->unit, "1") != 0;
    write_unit(unit, sizeof unit, v->unit);
    snprintf(name, sizeof name, has_unit ? "%s [%s]" : "%s", v->name, unit);
    if (v->count == 1) {
        snprintf(text, sizeof text, "%.6g", v->values[0]);
        gui_row(name, text);
        return;
    }
    for (int row = 0; 3 * row < v->count; row++)
        gui_row_numbers(row == 0 ? name : "", &v->values[3 * row]);
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
