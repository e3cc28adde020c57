// SPDX-License-Identifier: MIT
// Functions of a column over time.
#include "cli/verify/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Sums over the frames of the time window.
typedef struct window {
    int count;
    double first, last, low, high, sum;
    double time, time_squared, product;  // sums of t, t² and t y
} window;

static window sum_up(const verify_series* series, const char* column, const verify_row* row)
{
    window w = {.low = INFINITY, .high = -INFINITY};
    for (int k = 0; k < series->count; k++) {
        const double t = series->rows[k].time, y = verify_series_at(series, column, k);
        // times are sums of steps: a billionth of a second of tolerance
        if (t < row->from - 1e-9 || t > row->to + 1e-9) continue;
        if (w.count++ == 0) w.first = y;
        w.last = y;
        w.low = fmin(w.low, y);
        w.high = fmax(w.high, y);
        w.sum += y;
        w.time += t;
        w.time_squared += t * t;
        w.product += t * y;
    }
    return w;
}

static double apply(const char* function, const window* w)
{
    const double n = w->count;
    if (strcmp(function, "first") == 0) return w->first;
    if (strcmp(function, "last") == 0) return w->last;
    if (strcmp(function, "min") == 0) return w->low;
    if (strcmp(function, "max") == 0) return w->high;
    if (strcmp(function, "mean") == 0) return w->sum / n;
    if (strcmp(function, "ratio") == 0) return w->last / w->first;
    if (strcmp(function, "rate") == 0)
        return (n * w->product - w->time * w->sum) / (n * w->time_squared - w->time * w->time);
    return NAN;
}

void verify_quantity_column(const char* quantity, char* out_column, size_t size)
{
    const char* open = strchr(quantity, '(');
    snprintf(out_column, size, "%s", open != NULL ? open + 1 : "");
    char* close = strchr(out_column, ')');
    if (close != NULL) *close = '\0';
}

void verify_quantity_evaluate(const verify_series* series, verify_row* row)
{
    char function[32], column[64];
    snprintf(function, sizeof function, "%.*s", (int)strcspn(row->quantity, "("), row->quantity);
    verify_quantity_column(row->quantity, column, sizeof column);
    const window w = sum_up(series, column, row);
    row->value = w.count > 0 ? apply(function, &w) : NAN;
    if (isfinite(row->value))
        row->holds = fabs(row->value - row->reference) <= row->tolerance;
    else if (w.count == 0)
        snprintf(row->why, sizeof row->why, "no frame lies between %g and %g s", row->from,
                 row->to);
    else
        snprintf(row->why, sizeof row->why, "'%.60s' has no value", row->quantity);
}
