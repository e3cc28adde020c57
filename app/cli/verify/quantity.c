// SPDX-License-Identifier: MIT
// Functions of a column over time.
#include "cli/verify/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sums over the frames of the time window.
typedef struct window {
    int count;
    double first, last, low, high, sum;
    double time, time_squared, product;  // sums of t, t² and t y
    double low_time, high_time;          // of the first least and the first greatest value
    double crossed, settled;             // see cross()
} window;

// The condition of time() and rest(): the column below a value, or above it.
typedef struct condition {
    double limit, sign;  // sign * (column - limit) < 0
} condition;

static condition read_condition(const char* quantity)
{
    const char* at = strpbrk(quantity, "<>");
    if (at == NULL) return (condition){NAN, 1};
    return (condition){strtod(at + 1, NULL), *at == '<' ? 1 : -1};
}

// Updates when the condition first held, and since when it has (NaN: it does not). Between two
// frames the column is taken as linear.
static void cross(window* w, const condition* c, double t, double y, double t_before,
                  double y_before)
{
    const double now = c->sign * (y - c->limit), before = c->sign * (y_before - c->limit);
    if (!(now < 0)) {
        w->settled = NAN;
        return;
    }
    const double at = w->count == 0 ? t : t_before + (t - t_before) * before / (before - now);
    if (isnan(w->crossed)) w->crossed = at;
    if (isnan(w->settled)) w->settled = at;
}

static window sum_up(const verify_series* series, const char* column, const verify_row* row)
{
    window w = {.low = INFINITY, .high = -INFINITY, .crossed = NAN, .settled = NAN};
    const condition c = read_condition(row->quantity);
    double t_before = 0, y_before = 0;
    for (int k = 0; k < series->count; k++) {
        const double t = series->rows[k].time, y = verify_series_at(series, column, k);
        // times are sums of steps: a billionth of a second of tolerance
        if (t < row->from - 1e-9 || t > row->to + 1e-9) continue;
        cross(&w, &c, t, y, t_before, y_before);
        if (w.count++ == 0) w.first = y;
        if (y < w.low) w.low_time = t;
        if (y > w.high) w.high_time = t;
        w.last = y;
        w.low = fmin(w.low, y);
        w.high = fmax(w.high, y);
        w.sum += y;
        w.time += t;
        w.time_squared += t * t;
        w.product += t * y;
        t_before = t;
        y_before = y;
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
    if (strcmp(function, "change") == 0) return w->last - w->first;
    if (strcmp(function, "time_of_min") == 0) return isfinite(w->low) ? w->low_time : NAN;
    if (strcmp(function, "time_of_max") == 0) return isfinite(w->high) ? w->high_time : NAN;
    if (strcmp(function, "time") == 0) return w->crossed;
    if (strcmp(function, "rest") == 0) return w->settled;
    if (strcmp(function, "ratio") == 0) return w->last / w->first;
    if (strcmp(function, "rate") == 0)
        return (n * w->product - w->time * w->sum) / (n * w->time_squared - w->time * w->time);
    return NAN;
}

// When the column has made this share of its change in the window, linear between frames.
static double time_of_share(const verify_series* series, const char* column, const verify_row* row,
                            double share)
{
    const window w = sum_up(series, column, row);
    double t_before = NAN, before = 0;
    for (int k = 0; k < series->count; k++) {
        const double t = series->rows[k].time;
        if (t < row->from - 1e-9 || t > row->to + 1e-9) continue;
        const double now =
            (verify_series_at(series, column, k) - w.first) / (w.last - w.first) - share;
        if (now >= 0) return t_before + (t - t_before) * before / (before - now);
        t_before = t;
        before = now;
    }
    return NAN;
}

// Speed of a front that crosses the snow along x and lets it sink: the length over the time from
// the first fiftieth of the column's change until the snow's highest point begins to sink, by a
// twentieth. Shares are so small that the front is near the ends, and large enough for noise. [m/s]
static double sweep(const verify_series* series, const char* column, const verify_row* row)
{
    const firn_frame_measure* at = &series->rows[0];
    return (at->high[0] - at->low[0]) /
           (time_of_share(series, "high_y", row, 0.05) - time_of_share(series, column, row, 0.02));
}

void verify_quantity_column(const char* quantity, char* out_column, size_t size)
{
    const char* open = strchr(quantity, '(');
    snprintf(out_column, size, "%s", open != NULL ? open + 1 : "");
    out_column[strcspn(out_column, ")<>")] = '\0';
}

bool verify_quantity_is_time(const char* quantity)
{
    return strncmp(quantity, "time", 4) == 0 || strncmp(quantity, "rest(", 5) == 0;
}

void verify_quantity_evaluate(const verify_series* series, verify_row* row)
{
    char function[32], column[64];
    snprintf(function, sizeof function, "%.*s", (int)strcspn(row->quantity, "("), row->quantity);
    verify_quantity_column(row->quantity, column, sizeof column);
    const window w = sum_up(series, column, row);
    row->value = w.count > 0 ? apply(function, &w) : NAN;
    if (strcmp(function, "sweep") == 0) row->value = sweep(series, column, row);
    if (isfinite(row->value))
        row->holds = fabs(row->value - row->reference) <= row->tolerance;
    else if (w.count == 0)
        snprintf(row->why, sizeof row->why, "no frame lies between %g and %g s", row->from,
                 row->to);
    else
        snprintf(row->why, sizeof row->why, "'%.60s' has no value", row->quantity);
}
