// SPDX-License-Identifier: MIT
// HTML and Markdown of a verification.
#include "cli/verify/page.h"

#include <math.h>
#include <string.h>

#include "cli/verify/plot.h"

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b2733;background:#fff}table{border-collapse:collapse;width:100%}"
    "td,th{padding:.3rem .6rem;border-bottom:1px solid #d5dde5;text-align:left;"
    "vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".yes{color:#1a7f37}.no{color:#c62828;font-weight:600}"
    "figure{display:inline-block;margin:1rem 1rem 0 0}figcaption{font-size:.85rem;max-width:420px}"
    "svg{background:#f6f9fb}svg text{font:11px system-ui,sans-serif;fill:#46586a}";

static const char* verdict(const verify_row* row)
{
    return row->holds ? "holds" : isfinite(row->value) ? "FAILS" : "no value";
}

static const char* run_of(const verify_row* row)
{
    return row->full ? "full" : "quick";
}

// "0.2 to 0.5 s", "from 1 s"; nothing for the whole run
static void put_window(FILE* stream, const verify_row* row)
{
    if (isfinite(row->from) && isfinite(row->to))
        fprintf(stream, ", %g to %g s", row->from, row->to);
    else if (isfinite(row->from))
        fprintf(stream, ", from %g s", row->from);
    else if (isfinite(row->to))
        fprintf(stream, ", to %g s", row->to);
}

// A GPU by its name; nothing for the CPU.
static void put_device(FILE* stream, const char* backend)
{
    enum { MOST = 16 };
    firn_device_info devices[MOST];
    const int count = firn_device_list(devices, MOST, NULL);
    for (int d = 0; d < count && d < MOST; d++) {
        // "cuda" is the first of them
        if (strncmp(devices[d].backend, backend, strlen(backend)) != 0) continue;
        fputs(" Computed on ", stream);
        verify_put_text(stream, devices[d].name);
        fputs(".", stream);
        return;
    }
}

static void put_head(FILE* stream, const verify_list* list, const char* backend)
{
    const firn_version_info version = firn_version();
    int held = 0, full = 0;
    for (int k = 0; k < list->count; k++) {
        held += list->rows[k].holds;
        full += list->rows[k].full;
    }
    fprintf(stream,
            "<!doctype html><html lang='en'><meta charset='utf-8'>"
            "<meta name='viewport' content='width=device-width'><title>firn verify</title>"
            "<style>%s</style><h1>Validation of firn %s</h1>"
            "<p>%d of %d values lie within their tolerance. Reals: %s; SIMD: %s.",
            style, version.text, held, list->count, version.real, version.simd);
    put_device(stream, backend);
    fputs("</p>", stream);
    fprintf(stream,
            "<p>%d values are of <b>quick</b> runs, which take seconds and which "
            "<code>firn verify</code> repeats; %d are of <b>full</b> runs, which take minutes to "
            "hours and which only <code>firn verify --full</code> repeats.",
            list->count - full, full);
    if (list->left_out > 0)
        fprintf(stream, " %d values of full runs were left out.", list->left_out);
    fputs("</p>\n", stream);
}

void verify_page_write(FILE* stream, const verify_list* list, const char* backend,
                       const char* plots)
{
    put_head(stream, list, backend);
    fputs("<table><tr><th>scene<th>solver<th>quantity<th>reference<th>value<th>tolerance"
          "<th>verdict<th>run<th>source</tr>\n",
          stream);
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        fputs("<tr><td>", stream);
        verify_put_text(stream, row->scene);
        fprintf(stream, "%s%s<td>%s<td>", *row->variant ? " " : "", row->variant, row->solver);
        verify_put_text(stream, row->quantity);
        put_window(stream, row);
        fprintf(stream, "<td class='n'>%.4g ", row->reference);
        verify_put_text(stream, row->unit);
        if (isfinite(row->value))
            fprintf(stream, "<td class='n'>%.4g", row->value);
        else
            fputs("<td>", stream), verify_put_text(stream, row->why);
        fprintf(stream, "<td class='n'>± %.2g<td class='%s'>%s<td>%s<td>", row->tolerance,
                row->holds ? "yes" : "no", verdict(row), run_of(row));
        verify_put_text(stream, row->source);
        fputs("</tr>\n", stream);
    }
    fprintf(stream, "</table>\n%s</html>\n", plots);
}

// ---- Markdown -----------------------------------------------------------------------------------

static void put_name(FILE* stream, const verify_row* row)
{
    fprintf(stream, "| %s%s%s | ", row->scene, *row->variant ? " " : "", row->variant);
}

void verify_page_markdown(FILE* stream, const verify_list* list, bool listing)
{
    fputs("| scene | solver | quantity | reference | tolerance | run | source | value | verdict |\n"
          "|---|---|---|---|---|---|---|---|---|\n",
          stream);
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        put_name(stream, row);
        fprintf(stream, "%s | `%s`", row->solver, row->quantity);
        put_window(stream, row);
        fprintf(stream, " | %.4g %s | ± %.2g | %s | %s | ", row->reference, row->unit,
                row->tolerance, run_of(row), row->source);
        if (isfinite(row->value))
            fprintf(stream, "%.4g", row->value);
        else
            fputs(row->why, stream);
        fprintf(stream, " | %s |\n", listing ? "" : verdict(row));
    }
}

void verify_compare_markdown(FILE* stream, const verify_list* list)
{
    fputs(
        "| scene | quantity | why they differ | mpm | sph | grains |\n|---|---|---|---|---|---|\n",
        stream);
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        if (k % VERIFY_SOLVERS == 0) {
            put_name(stream, row);
            fprintf(stream, "`%s`", row->quantity);
            put_window(stream, row);
            fprintf(stream, "%s%s%s | %s |", *row->unit ? " [" : "", row->unit,
                    *row->unit ? "]" : "", row->source);
        }
        if (isfinite(row->value))
            fprintf(stream, " %.3g |", row->value);
        else
            fputs(*row->why ? " none |" : "  |", stream);
        if (k % VERIFY_SOLVERS == VERIFY_SOLVERS - 1) fputc('\n', stream);
    }
}
