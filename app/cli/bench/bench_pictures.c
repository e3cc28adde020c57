// SPDX-License-Identifier: MIT
// firn bench --pictures: light paths and scattering events per second, of a core or of a GPU.
#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/exit_codes.h"
#include "cli/terminal/message.h"

// A row and what is derived from it.
typedef struct picture_line {
    firn_bench_picture_row row;
    double event_ns;  // [ns] of one core per scattering event
} picture_line;

#define TEXT(member) .type = CLI_FIGURE_CHARS, .offset = offsetof(picture_line, member)
#define INT(member) .type = CLI_FIGURE_INT, .offset = offsetof(picture_line, member)
#define INT64(member) .type = CLI_FIGURE_INT64, .offset = offsetof(picture_line, member)
#define REAL(member) .type = CLI_FIGURE_REAL, .offset = offsetof(picture_line, member)
// clang-format off
static const cli_figure figures[] = {
    {NULL, "picture", TEXT(row.name)},
    {"threads", "threads", INT(row.threads), "%.0f"},
    {"particles", NULL, INT64(row.particles)},
    {"paths_per_second_core", "paths/s core", REAL(row.paths_per_second_core), "rate"},
    {"events_per_second_core", "scatterings/s", REAL(row.events_per_second_core), "rate"},
    {"lookups_per_second_core", "lookups/s", REAL(row.lookups_per_second_core), "rate"},
    {"bodies_per_second_core", NULL, REAL(row.bodies_per_second_core)},
    {NULL, "ns/scattering", REAL(event_ns), "%.1f"},
    {"events_per_path", "per path", REAL(row.events_per_path), "%.4g"},
    {"noise", "noise", REAL(row.noise), "%.2f %%", 100},
    {"seconds_build", NULL, REAL(row.seconds_build)},
    {"seconds_to_percent", "s to 1 %", REAL(row.seconds_to_percent), "%.4g"},
};
static const cli_figure device_figures[] = {
    {NULL, "picture", TEXT(row.name)},
    {"backend", NULL, TEXT(row.backend)},
    {"width", "width", INT(row.width), "%.0f"},
    {"height", "height", INT(row.height), "%.0f"},
    {"samples", "paths", INT64(row.samples), "%.0f"},
    {"particles", NULL, INT64(row.particles)},
    {"paths_per_second", "paths/s", REAL(row.paths_per_second_core), "rate"},
    {"events_per_second", "scatterings/s", REAL(row.events_per_second_core), "rate"},
    {"lookups_per_second", "lookups/s", REAL(row.lookups_per_second_core), "rate"},
    {"bodies_per_second", NULL, REAL(row.bodies_per_second_core)},
    {"events_per_path", "per path", REAL(row.events_per_path), "%.4g"},
    {"noise", "noise", REAL(row.noise), "%.2f %%", 100},
    {"seconds_build", "s to build", REAL(row.seconds_build), "%.3g"},
    {"seconds_picture", "s in all", REAL(row.seconds_picture), "%.4g"},
    {"seconds_to_percent", NULL, REAL(row.seconds_to_percent)},
};
// clang-format on

static void print(const firn_bench_picture_row* rows, int count, bool as_json)
{
    const bool on_device = count > 0 && strcmp(rows[0].backend, "cpu") != 0;
    const cli_figures list = on_device ? CLI_FIGURES(device_figures) : CLI_FIGURES(figures);
    cli_table table = cli_figures_table(&list);
    for (int i = 0; i < count; i++) {
        const picture_line line = {rows[i], 1e9 / rows[i].events_per_second_core};
        if (as_json) {
            cli_json json = cli_figures_json(&list, rows[i].name, &line);
            cli_figures_json_end(&json);
        } else {
            cli_figures_add(&table, &list, &line);
        }
    }
    if (as_json) return;
    cli_figures_table_end(&table);
    if (on_device)
        puts("\npaths: per pixel; noise is the standard error over the radiance, rms over "
             "pixels;\ns in all: from particles to pixels, with s to build before the first path.");
    else
        puts("\nRates are per second and core; noise is the standard error over the radiance, rms "
             "over pixels;\ns to 1 %: seconds until the noise is 1 %, all threads.");
}

int cli_bench_pictures(const firn_bench_def* def, bool json)
{
    firn_bench_picture_row* rows = NULL;
    int count = 0;
    firn_error error = {0};
    const firn_result result = firn_bench_pictures(def, &rows, &count, &error);
    if (result != FIRN_OK)
        cli_error("%s", error.text);
    else
        print(rows, count, json);
    firn_bench_pictures_free(rows);
    return cli_exit_code(result);
}
