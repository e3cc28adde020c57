// SPDX-License-Identifier: MIT
// firn bench --pictures: paths and scatterings of light per second.
#include "cli/bench/bench_pictures.h"

#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"

static void print_json(const firn_bench_picture_row* r)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", r->name);
    cli_json_text(&json, "version", firn_version().text);
    cli_json_int(&json, "threads", r->threads);
    cli_json_int(&json, "particles", r->particles);
    cli_json_real(&json, "paths_per_second_core", r->paths_per_second_core);
    cli_json_real(&json, "events_per_second_core", r->events_per_second_core);
    cli_json_real(&json, "lookups_per_second_core", r->lookups_per_second_core);
    cli_json_real(&json, "bodies_per_second_core", r->bodies_per_second_core);
    cli_json_real(&json, "events_per_path", r->events_per_path);
    cli_json_real(&json, "noise", r->noise);
    cli_json_real(&json, "seconds_build", r->seconds_build);
    cli_json_real(&json, "seconds_to_percent", r->seconds_to_percent);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void print_table(const firn_bench_picture_row* rows, int count)
{
    static const cli_column columns[] = {
        {"picture", false},      {"threads", true},   {"paths/s core", true},
        {"scatterings/s", true}, {"lookups/s", true}, {"ns/scattering", true},
        {"per path", true},      {"noise", true},     {"s to 1 %", true}};
    cli_table table;
    cli_table_init(&table, columns, 9);
    for (int i = 0; i < count; i++) {
        const firn_bench_picture_row* r = &rows[i];
        char threads[16], time[32], noise[32];
        snprintf(threads, sizeof threads, "%d", r->threads);
        snprintf(time, sizeof time, "%.1f", 1e9 / r->events_per_second_core);
        snprintf(noise, sizeof noise, "%.2f %%", 100 * r->noise);
        cli_table_add(&table, (const char*[]){r->name, threads,
                                              cli_format_rate(r->paths_per_second_core).text,
                                              cli_format_rate(r->events_per_second_core).text,
                                              cli_format_rate(r->lookups_per_second_core).text,
                                              time, cli_format_real(r->events_per_path).text, noise,
                                              cli_format_real(r->seconds_to_percent).text});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    puts("\nRates per second and core; noise is the rms over pixels of the standard error over the "
         "light;\ns to 1 %: seconds until it is 1 %, all threads.");
}

int cli_bench_pictures(const firn_bench_def* def, bool json)
{
    firn_bench_picture_row* rows = NULL;
    int count = 0;
    firn_error error = {0};
    const firn_result result = firn_bench_pictures(def, &rows, &count, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code(result);
    }
    if (json)
        for (int i = 0; i < count; i++) print_json(&rows[i]);
    else
        print_table(rows, count);
    firn_bench_pictures_free(rows);
    return CLI_EXIT_OK;
}
