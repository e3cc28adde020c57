// SPDX-License-Identifier: MIT
// firn bench --drawing: pictures per second of the window.
#include "cli/bench/bench_drawing.h"

#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

#ifdef FIRN_HAVE_VIEWER
#include "viewer/draw/draw_bench.h"

// Sizes of table 3 of Goswami et al. 2019, and beyond.
static const int sizes[] = {8000, 20000, 35937, 75615, 111000, 1000000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void print_json(const view_bench_row* r)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", "drawing");
    cli_json_text(&json, "version", firn_version().text);
    cli_json_text(&json, "driver", r->driver);
    cli_json_int(&json, "particles", r->grains);
    cli_json_int(&json, "width", r->width);
    cli_json_int(&json, "height", r->height);
    cli_json_real(&json, "seconds_spheres", r->spheres);
    cli_json_real(&json, "seconds_surface", r->surface);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void print_table(const view_bench_row* rows, int count)
{
    static const cli_column columns[] = {{"grains", true},
                                         {"spheres ms", true},
                                         {"per second", true},
                                         {"surface ms", true},
                                         {"per second", true}};
    cli_table table;
    cli_table_init(&table, columns, 5);
    for (int i = 0; i < count; i++) {
        const view_bench_row* r = &rows[i];
        cli_table_add(&table, (const char*[]){cli_format_count(r->grains).text,
                                              cli_format_real(1e3 * r->spheres).text,
                                              cli_format_real(1 / r->spheres).text,
                                              cli_format_real(1e3 * r->surface).text,
                                              cli_format_real(1 / r->surface).text});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    printf("\n%d x %d pixels, drawn by %s; positions are sent for each picture.\n", rows[0].width,
           rows[0].height, rows[0].driver);
}

int cli_bench_drawing(int64_t particles, int pictures, bool json)
{
    view_bench_row rows[SIZES];
    const int count = particles > 0 ? 1 : SIZES;
    for (int k = 0; k < count; k++) {
        char problem[500];
        const int grains = particles > 0 ? (int)particles : sizes[k];
        if (!view_draw_bench(grains, pictures, &rows[k], problem, sizeof problem)) {
            cli_error("%s", problem);
            return cli_exit_code(FIRN_REFUSED_BACKEND);
        }
        if (json) print_json(&rows[k]);
    }
    if (!json) print_table(rows, count);
    return CLI_EXIT_OK;
}
#else
int cli_bench_drawing(int64_t particles, int pictures, bool json)
{
    (void)particles, (void)pictures, (void)json;
    cli_error(
        "this firn was built without the viewer (FIRN_VIEWER): there is nothing to draw with");
    return cli_exit_code(FIRN_REFUSED_BACKEND);
}
#endif
