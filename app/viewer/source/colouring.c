// SPDX-License-Identifier: MIT
// Colour by a field.
#include "viewer/source/colouring.h"

#include <math.h>

typedef struct choice {
    int key;
    const char* label;
    const char* field;
    double narrowest;  // of a scale, so that rounding is not painted as a difference
    double low, high;  // at once; equal: as the values are
    bool from_zero;    // lengths: nothing is below
} choice;

static const choice choices[] = {
    {'1', "density", "density", 20, 0, 0, false},
    {'2', "temperature", "temperature", 2, 0, 0, false},
    {'3', "broken bonds", "broken", 1, 0, 1, false},
    {'4', "J_P", "plastic_det", 0.02, 0, 0, false},
    {'5', "velocity", "velocity", 0.1, 0, 0, true},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static const choice* choice_of_field(const char* field)
{
    for (int k = 0; k < CHOICES; k++)
        if (strcmp(choices[k].field, field) == 0) return &choices[k];
    return NULL;
}

void view_colouring_by_field(view_colouring* c, const view_source* source, const char* field)
{
    *c = (view_colouring){.fresh = true};
    snprintf(c->field, sizeof c->field, "%s", field);
    const choice* known = choice_of_field(field);
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
    for (int k = 0; k < CHOICES; k++) {
        if (choices[k].key != key) continue;
        *out_label = choices[k].label;
        if (!view_source_knows(source, choices[k].field)) return false;
        view_colouring_by_field(c, source, choices[k].field);
        return true;
    }
    return false;
}

void view_colouring_follow(view_colouring* c, const view_snapshot* s)
{
    if (!*c->field || c->fixed || !s->has_value || strcmp(s->value_name, c->field) != 0) return;
    const choice* known = choice_of_field(c->field);
    double low = s->value_low, high = s->value_high;
    const double narrowest = known ? known->narrowest : 1e-6 * fmax(fabs(low), fabs(high));
    if (known && known->from_zero) {
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
