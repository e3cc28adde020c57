// SPDX-License-Identifier: MIT
// firn bench --drawing: frames per second of the window.
#include <stdio.h>

#include "cli/bench/bench.h"
#include "cli/exit_codes.h"
#include "cli/terminal/message.h"

#ifdef FIRN_HAVE_VIEWER
#include "viewer/draw/draw_bench.h"

// Sizes of table 3 of Goswami et al. 2019, and beyond.
static const int sizes[] = {8000, 20000, 35937, 75615, 111000, 1000000};
enum { SIZES = sizeof sizes / sizeof *sizes };

// A row and what is derived from it.
typedef struct drawing_line {
    view_bench_row row;
    double spheres_rate, surface_rate;  // [1/s]
} drawing_line;

#define TEXT(member) .type = CLI_FIGURE_CHARS, .offset = offsetof(drawing_line, member)
#define INT(member) .type = CLI_FIGURE_INT, .offset = offsetof(drawing_line, member)
#define REAL(member) .type = CLI_FIGURE_REAL, .offset = offsetof(drawing_line, member)
// clang-format off
static const cli_figure figures[] = {
    {"driver", NULL, TEXT(row.driver)},
    {"particles", "grains", INT(row.grains), "count"},
    {"width", NULL, INT(row.width)},
    {"height", NULL, INT(row.height)},
    {"seconds_spheres", "spheres ms", REAL(row.spheres), "%.4g", 1e3},
    {NULL, "per second", REAL(spheres_rate), "%.4g"},
    {"seconds_surface", "surface ms", REAL(row.surface), "%.4g", 1e3},
    {NULL, "per second", REAL(surface_rate), "%.4g"},
};
// clang-format on

int cli_bench_drawing(int64_t particles, int pictures, bool json)
{
    cli_table table = cli_figures_table(&CLI_FIGURES(figures));
    drawing_line line = {0};
    for (int k = 0; k < (particles > 0 ? 1 : SIZES); k++) {
        char problem[500];
        const int grains = particles > 0 ? (int)particles : sizes[k];
        if (!view_draw_bench(grains, pictures, &line.row, problem, sizeof problem)) {
            cli_error("%s", problem);
            cli_table_destroy(&table);
            return cli_exit_code(FIRN_REFUSED_BACKEND);
        }
        line.spheres_rate = 1 / line.row.spheres;
        line.surface_rate = 1 / line.row.surface;
        if (json) {
            cli_json object = cli_figures_json(&CLI_FIGURES(figures), "drawing", &line);
            cli_figures_json_end(&object);
        } else {
            cli_figures_add(&table, &CLI_FIGURES(figures), &line);
        }
    }
    if (json) return CLI_EXIT_OK;
    cli_figures_table_end(&table);
    printf("\n%d x %d pixels, drawn by %s; positions are uploaded for each frame.\n",
           line.row.width, line.row.height, line.row.driver);
    return CLI_EXIT_OK;
}
#else
int cli_bench_drawing(int64_t particles, int pictures, bool json)
{
    (void)particles, (void)pictures, (void)json;
    cli_error("this firn was built without the viewer (FIRN_VIEWER)");
    return cli_exit_code(FIRN_REFUSED_BACKEND);
}
#endif
