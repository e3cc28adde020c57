// SPDX-License-Identifier: MIT
// HTML, SVG and Markdown of a verification.
#include "cli/verify/page.h"

#include <math.h>
#include <string.h>

#include "cli/verify/quantity.h"

enum { WIDTH = 420, HEIGHT = 220, LEFT = 84, RIGHT = 12, TOP = 12, BOTTOM = 36 };

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b2733;background:#fff}table{border-collapse:collapse;width:100%}"
    "td,th{padding:.3rem .6rem;border-bottom:1px solid #d5dde5;text-align:left;"
    "vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".yes{color:#1a7f37}.no{color:#c62828;font-weight:600}"
    "figure{display:inline-block;margin:1rem 1rem 0 0}figcaption{font-size:.85rem;max-width:420px}"
    "svg{background:#f6f9fb}svg text{font:11px system-ui,sans-serif;fill:#46586a}";

// Text with the characters that HTML would read as its own.
static void put_text(FILE* stream, const char* text)
{
    for (; *text != '\0'; text++) switch (*text) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*text, stream);
        }
}

// ---- plots --------------------------------------------------------------------------------------

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

static bool is_rate(const verify_row* row)
{
    return strncmp(row->quantity, "rate(", 5) == 0;
}

// The middle and half the height of the band that the column must be in. False: its rate counts.
static bool find_band(const verify_row* row, const verify_series* series, const char* column,
                      double* out_middle, double* out_half)
{
    const bool ratio = strncmp(row->quantity, "ratio(", 6) == 0;
    const double unit = ratio ? verify_series_at(series, column, 0) : 1;
    *out_middle = unit * row->reference;
    *out_half = fabs(unit) * row->tolerance;
    return !is_rate(row);
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
    put_text(stream, column);
    fputs("</text>", stream);
}

// The band that the column must be in, or a line with the expected rate through the middle.
static void put_reference(FILE* stream, const axes* a, const verify_row* row,
                          const verify_series* series, const char* column)
{
    const double from = fmax(row->from, a->time_low), to = fmin(row->to, a->time_high);
    double middle, half;
    if (find_band(row, series, column, &middle, &half)) {
        const double top = down(a, middle + half);
        fprintf(stream, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='#8fc9a0'/>",
                across(a, from), top, across(a, to) - across(a, from),
                fmax(down(a, middle - half) - top, 1));
    } else {
        double sum = 0, time = 0;
        int count = 0;
        for (int k = 0; k < series->count; k++) {
            const double t = series->rows[k].time;
            if (t < from - 1e-9 || t > to + 1e-9) continue;
            sum += verify_series_at(series, column, k);
            time += t;
            count++;
        }
        const double at = time / fmax(count, 1);
        middle = sum / fmax(count, 1);
        fprintf(stream,
                "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#5aa873' stroke-width='5'/>",
                across(a, from), down(a, middle + row->reference * (from - at)), across(a, to),
                down(a, middle + row->reference * (to - at)));
    }
}

void verify_page_plot(FILE* stream, const verify_row* row, const verify_series* series)
{
    char column[64];
    verify_quantity_column(row->quantity, column, sizeof column);
    if (series->count == 0 || !isfinite(verify_series_at(series, column, 0))) return;
    const axes a = choose_axes(row, series, column);
    fprintf(stream, "<figure><svg width='%d' height='%d' viewBox='0 0 %d %d' role='img'><title>",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    put_text(stream, row->scene);
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
    put_text(stream, row->scene);
    fprintf(stream, "%s%s, %s: ", *row->variant ? " " : "", row->variant, row->solver);
    put_text(stream, row->quantity);
    fprintf(stream, " = %.4g, expected %.4g ± %.2g ", row->value, row->reference, row->tolerance);
    put_text(stream, row->unit);
    fputs("</figcaption></figure>\n", stream);
}

// ---- tables -------------------------------------------------------------------------------------

static const char* verdict(const verify_row* row)
{
    return row->holds ? "holds" : isfinite(row->value) ? "FAILS" : "no value";
}

void verify_page_write(FILE* stream, const verify_list* list, const char* plots)
{
    const firn_version_info version = firn_version();
    int held = 0;
    for (int k = 0; k < list->count; k++) held += list->rows[k].holds;
    fprintf(stream,
            "<!doctype html><html lang='en'><meta charset='utf-8'>"
            "<meta name='viewport' content='width=device-width'><title>firn verify</title>"
            "<style>%s</style><h1>Validation of firn %s</h1>"
            "<p>%d of %d values lie within their tolerance. Reals: %s; SIMD: %s. "
            "Repeat with <code>firn verify</code>.</p>",
            style, version.text, held, list->count, version.real, version.simd);
    fputs("<table><tr><th>scene<th>solver<th>quantity<th>reference<th>value<th>tolerance"
          "<th>verdict<th>source</tr>\n",
          stream);
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        fputs("<tr><td>", stream);
        put_text(stream, row->scene);
        fprintf(stream, "%s%s<td>%s<td>", *row->variant ? " " : "", row->variant, row->solver);
        put_text(stream, row->quantity);
        fprintf(stream, "<td class='n'>%.4g ", row->reference);
        put_text(stream, row->unit);
        if (isfinite(row->value))
            fprintf(stream, "<td class='n'>%.4g", row->value);
        else
            fputs("<td>", stream), put_text(stream, row->why);
        fprintf(stream, "<td class='n'>± %.2g<td class='%s'>%s<td>", row->tolerance,
                row->holds ? "yes" : "no", verdict(row));
        put_text(stream, row->source);
        fputs("</tr>\n", stream);
    }
    fprintf(stream, "</table>\n%s</html>\n", plots);
}

void verify_page_markdown(FILE* stream, const verify_list* list)
{
    fputs("| scene | solver | quantity | reference | value | tolerance | verdict | source |\n"
          "|---|---|---|---|---|---|---|---|\n",
          stream);
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        fprintf(stream, "| %s%s%s | %s | `%s` | %.4g %s | ", row->scene, *row->variant ? " " : "",
                row->variant, row->solver, row->quantity, row->reference, row->unit);
        if (isfinite(row->value))
            fprintf(stream, "%.4g", row->value);
        else
            fputs(row->why, stream);
        fprintf(stream, " | ± %.2g | %s | %s |\n", row->tolerance, verdict(row), row->source);
    }
}
