// SPDX-License-Identifier: MIT
// Colour by a field.
#include "viewer/source/colouring.h"

#include <math.h>

static const struct {
    int key;
    const char* field;
} keys[] = {
    {'1', "density"},        {'2', "temperature"}, {'3', "broken"},
    {'4', "plastic_volume"}, {'5', "velocity"},
};
enum { KEYS = sizeof keys / sizeof *keys };

void view_colouring_by_field(view_colouring* c, const view_source* source, const char* field)
{
    *c = (view_colouring){.fresh = true};
    const firn_field_info* known = firn_field_find(field);
    if (known) field = known->name;  // also for a field's old name
    snprintf(c->field, sizeof c->field, "%s", field);
    snprintf(c->label, sizeof c->label, "%s", known ? known->label : field);
    if (known && known->high > known->low) {
        c->low = known->low;
        c->high = known->high;
        c->fixed = true;
    }
    const firn_view_info* view = &source->view;
    if (*field && strcmp(view->colour_by, field) == 0 && view->colour_high > view->colour_low) {
        c->low = view->colour_low;
        c->high = view->colour_high;
        c->fixed = true;
    }
}

bool view_colouring_by_key(view_colouring* c, const view_source* source, int key,
                           const char** out_label)
{
    if (key == '0') {
        view_colouring_by_field(c, source, "");
        return true;
    }
    for (int k = 0; k < KEYS; k++) {
        if (keys[k].key != key) continue;
        *out_label = firn_field_find(keys[k].field)->label;
        if (!view_source_has_field(source, keys[k].field)) return false;
        view_colouring_by_field(c, source, keys[k].field);
        return true;
    }
    return false;
}

// Whether `solver` is in a list such as "mpm, sph", or the list is "all".
static bool is_listed(const char* list, const char* solver)
{
    const size_t length = strlen(solver);
    for (const char* at = list; *at; at += strspn(at, ", ")) {
        const size_t word = strcspn(at, ", ");
        if ((word == length && strncmp(at, solver, word) == 0) || strncmp(at, "all", 3) == 0)
            return true;
        at += word;
    }
    return false;
}

void view_colouring_explain(const view_source* source, int key, char* out, size_t size)
{
    const firn_field_info* f = NULL;
    for (int k = 0; k < KEYS; k++)
        if (keys[k].key == key) f = firn_field_find(keys[k].field);
    *out = '\0';
    if (!f) return;
    if (source->is_live || !is_listed(f->solvers, source->solver))
        snprintf(out, size, "solver '%s' has no field for %s%s", source->solver, f->label,
                 is_listed(f->solvers, source->solver) ? " in this scene" : "");
    else
        snprintf(out, size,
                 "the frames of this run have no %s: add '%s' to output.fields of the "
                 "scene and run it again",
                 f->label, f->key);
}

void view_colouring_follow(view_colouring* c, const view_snapshot* s)
{
    if (!*c->field || c->fixed || !s->has_value || strcmp(s->value_name, c->field) != 0) return;
    const firn_field_info* known = firn_field_find(c->field);
    double low = s->value_low, high = s->value_high;
    const double narrowest =
        known && known->narrowest > 0 ? known->narrowest : 1e-6 * fmax(fabs(low), fabs(high));
    if (known && known->type == FIRN_FIELD_VEC3) {  // lengths begin at 0
        low = 0;
        high = fmax(high, narrowest);
    } else if (high - low < narrowest) {
        const double middle = 0.5 * (low + high);
        low = middle - 0.5 * narrowest;
        high = middle + 0.5 * narrowest;
    }
    c->low = c->fresh ? low : fmin(c->low, low);
    c->high = c->fresh ? high : fmax(c->high, high);
    c->fresh = false;
}
