// SPDX-License-Identifier: MIT
// SVG plots of a verification.
#include "cli/verify/plot.h"

#include <math.h>
#include <string.h>

#include "cli/verify/quantity.h"

enum { WIDTH = 420, HEIGHT = 220, LEFT = 84, RIGHT = 12, TOP = 12, BOTTOM = 36 };

void verify_put_text(FILE* stream, const char* text)
{
    for (; *text != '\0'; text++) switch (*text) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*text, stream);
        }
}

typedef struct axes {
    double time_low, time_high, low, high;
} axes;

static double across(const axes* a, double time)
{
    return LEFT + (time - a->time_low) / (a->time_high - a->time_low) * (WIDTH - LEFT - RIGHT);
}

static double down(const axes* a, double value)
{
    return TOP + (a->high - value) / (a->high - a->low) * (HEIGHT - TOP - BOTTOM);
}

// The middle and half the height of the band that the column must be in. False: its rate, its
// change or a time counts.
static bool find_band(const verify_row* row, const verify_series* series, const char* column,
                      double* out_middle, double* out_half)
{
    const bool ratio = strncmp(row->quantity, "ratio(", 6) == 0;
    const double unit = ratio ? verify_series_at(series, column, 0) : 1;
    *out_middle = unit * row->reference;
    *out_half = fabs(unit) * row->tolerance;
    return strncmp(row->quantity, "rate(", 5) != 0 && strncmp(row->quantity, "change(", 7) != 0 &&
           !verify_quantity_is_time(row->quantity);
}

static axes choose_axes(const verify_row* row, const verify_series* series, const char* column)
{
    axes a = {series->rows[0].time, series->rows[series->count - 1].time, INFINITY, -INFINITY};
    for (int k = 0; k < series->count; k++) {
        const double y = verify_series_at(series, column, k);
        a.low = fmin(a.low, y);
        a.high = fmax(a.high, y);
    }
    double middle, half;
    if (find_band(row, series, column, &middle, &half)) {
        a.low = fmin(a.low, middle - half);
        a.high = fmax(a.high, middle + half);
    }
    const double margin = a.high > a.low ? 0.05 * (a.high - a.low) : fabs(a.high) * 0.05 + 1e-12;
    a.low -= margin;
    a.high += margin;
    if (!(a.time_high > a.time_low)) a.time_high = a.time_low + 1;
    return a;
}

// A step between ticks that people like: 1, 2 or 5 times a power of ten, for about five ticks.
static double tick_step(double range)
{
    const double raw = range / 5, power = pow(10, floor(log10(raw)));
    const double digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static void put_axes(FILE* stream, const axes* a, const char* column)
{
    const double across_step = tick_step(a->time_high - a->time_low);
    for (double k = ceil(a->time_low / across_step); k * across_step <= a->time_high; k++)
        fprintf(stream, "<text x='%.1f' y='%d' text-anchor='middle'>%.6g</text>",
                across(a, k * across_step), HEIGHT - BOTTOM + 16, k * across_step);
    const double step = tick_step(a->high - a->low);
    for (double k = ceil(a->low / step); k * step <= a->high; k++) {
        const double y = down(a, k * step);
        fprintf(stream,
                "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#d5dde5'/>"
                "<text x='%d' y='%.1f' text-anchor='end'>%.6g</text>",
                LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, k * step + 0.0);
    }
    fprintf(stream, "<text x='%d' y='%d' text-anchor='middle'>time [s]</text>", WIDTH / 2,
            HEIGHT - 4);
    fprintf(stream, "<text x='12' y='%d' transform='rotate(-90 12 %d)' text-anchor='middle'>",
            HEIGHT / 2, HEIGHT / 2);
    verify_put_text(stream, column);
    fputs("</text>", stream);
}

static void put_band(FILE* stream, double left, double right, double top, double bottom)
{
    fprintf(stream, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='#8fc9a0'/>", left,
            top, fmax(right - left, 1), fmax(bottom - top, 1));
}

// A line of the expected slope through the middle of the window.
static void put_slope(FILE* stream, const axes* a, double slope, double from, double to,
                      const verify_series* series, const char* column)
{
    double sum = 0, time = 0;
    int count = 0;
    for (int k = 0; k < series->count; k++) {
        const double t = series->rows[k].time;
        if (t < from - 1e-9 || t > to + 1e-9) continue;
        sum += verify_series_at(series, column, k);
        time += t;
        count++;
    }
    const double at = time / fmax(count, 1), middle = sum / fmax(count, 1);
    fprintf(stream,
            "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#5aa873' stroke-width='5'/>",
            across(a, from), down(a, middle + slope * (from - at)), across(a, to),
            down(a, middle + slope * (to - at)));
}

// The band of values or of times that is expected, or a line of the expected slope.
static void put_reference(FILE* stream, const axes* a, const verify_row* row,
                          const verify_series* series, const char* column)
{
    const double from = fmax(row->from, a->time_low), to = fmin(row->to, a->time_high);
    double middle, half;
    if (find_band(row, series, column, &middle, &half))
        put_band(stream, across(a, from), across(a, to), down(a, middle + half),
                 down(a, middle - half));
    else if (verify_quantity_is_time(row->quantity))
        put_band(stream, across(a, fmax(middle - half, a->time_low)),
                 across(a, fmin(middle + half, a->time_high)), TOP, HEIGHT - BOTTOM);
    else if (strncmp(row->quantity, "rate(", 5) == 0)
        put_slope(stream, a, row->reference, from, to, series, column);
    else
        put_slope(stream, a, row->reference / (to - from), from, to, series, column);
}

void verify_plot(FILE* stream, const verify_row* row, const verify_series* series)
{
    char column[64];
    verify_quantity_column(row->quantity, column, sizeof column);
    if (series->count == 0 || !isfinite(verify_series_at(series, column, 0))) return;
    const axes a = choose_axes(row, series, column);
    fprintf(stream, "<figure><svg width='%d' height='%d' viewBox='0 0 %d %d' role='img'><title>",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    verify_put_text(stream, row->scene);
    fputs("</title>", stream);
    put_axes(stream, &a, column);
    put_reference(stream, &a, row, series, column);
    fputs("<polyline fill='none' stroke='#1f5fa8' stroke-width='1.5' points='", stream);
    for (int k = 0; k < series->count; k++) {
        const double y = verify_series_at(series, column, k);
        if (isfinite(y))
            fprintf(stream, "%.1f,%.1f ", across(&a, series->rows[k].time), down(&a, y));
    }
    fputs("'/></svg><figcaption>", stream);
    verify_put_text(stream, row->scene);
    fprintf(stream, "%s%s, %s: ", *row->variant ? " " : "", row->variant, row->solver);
    verify_put_text(stream, row->quantity);
    fprintf(stream, " = %.4g, expected %.4g ± %.2g ", row->value, row->reference, row->tolerance);
    verify_put_text(stream, row->unit);
    fputs("</figcaption></figure>\n", stream);
}
