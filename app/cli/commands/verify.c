// SPDX-License-Identifier: MIT
// firn verify: runs the validation scenes and compares what comes out with what theory and
// experiments say.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/table.h"
#include "cli/verify/expected.h"
#include "cli/verify/page.h"
#include "cli/verify/page_file.h"
#include "cli/verify/plot.h"
#include "cli/verify/quantity.h"
#include "firn/firn.h"

typedef struct verify_options {
    const char *runs, *page, *backend;
    int64_t threads;
    bool full, compare, list, resume, markdown, json, quiet;
} verify_options;

// clang-format off
static const cli_option options[] = {
    {"full", 0, CLI_OPTION_FLAG, offsetof(verify_options, full), NULL, 0, 0,
     "also run what takes minutes to hours"},
    {"compare", 0, CLI_OPTION_FLAG, offsetof(verify_options, compare), NULL, 0, 0,
     "set the three solvers side by side, where there is no reference"},
    {"list", 0, CLI_OPTION_FLAG, offsetof(verify_options, list), NULL, 0, 0,
     "list what would be compared, without running it"},
    {"page", 0, CLI_OPTION_TEXT, offsetof(verify_options, page), "FILE", 0, 0,
     "write a page of HTML with the table and a plot for each value"},
    {"output", 'o', CLI_OPTION_TEXT, offsetof(verify_options, runs), "DIR", 0, 0,
     "folder of the runs (runs/verify); runs in it are replaced"},
    {"resume", 0, CLI_OPTION_FLAG, offsetof(verify_options, resume), NULL, 0, 0,
     "keep the finished runs of the folder and continue an interrupted one"},
    {"backend", 0, CLI_OPTION_TEXT, offsetof(verify_options, backend), "NAME", 0, 0,
     "where to compute: cpu, or a GPU: cuda, cuda:N (cpu); `firn version` lists the devices"},
    {"threads", 0, CLI_OPTION_INT, offsetof(verify_options, threads), "N", 1, 1024,
     "number of threads (all cores); results do not depend on it"},
    {"markdown", 0, CLI_OPTION_FLAG, offsetof(verify_options, markdown), NULL, 0, 0,
     "print the table as Markdown"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(verify_options, json), NULL, 0, 0,
     "print one JSON object per value"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(verify_options, quiet), NULL, 0, 0,
     "do not show progress"},
};
// clang-format on

// ---- running ------------------------------------------------------------------------------------

// Owned by the caller; null: out of memory.
static char* folder_of(const verify_options* o, const verify_row* row)
{
    const size_t size = strlen(o->runs) + strlen(row->scene) + strlen(row->variant) +
                        strlen(row->solver) + sizeof "/---";
    char* path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s%s%s%s%s", o->runs, row->scene, *row->variant ? "-" : "",
                 row->variant, *row->solver ? "-" : "", row->solver);
    return path;
}

// The first error among a scene's messages, without its place: one line for the table.
static void take_first_error(const char* messages, firn_error* error)
{
    static const char mark[] = "error: ";
    const char* at = strstr(messages, mark);
    const char* from = at != NULL ? at + sizeof mark - 1 : messages;
    snprintf(error->text, sizeof error->text, "%.*s", (int)strcspn(from, "\n"), from);
}

// Simulates the scene of a row. A failure is the row's: the others go on.
static firn_result simulate(const verify_options* o, const verify_row* row, const char* folder,
                            firn_error* error)
{
    static const char* const overrides[] = {"output.preview=false", "output.film=false",
                                            "output.volume=[]"};
    firn_scene* scene = NULL;
    firn_sim* sim = NULL;
    firn_result result = firn_scene_create(&scene);
    firn_load_def load = firn_default_load_def();
    load.variant = *row->variant ? row->variant : NULL;
    load.solver = *row->solver ? row->solver : NULL;
    load.overrides = overrides;
    load.override_count = sizeof overrides / sizeof *overrides;
    if (result == FIRN_OK) result = firn_scene_load(scene, row->scene, &load);
    firn_scene_info info;  // refuses what `firn run` refuses
    if (result == FIRN_OK) result = firn_scene_check(scene, (int)o->threads, &info);
    if (result != FIRN_OK)
        take_first_error(scene != NULL ? firn_scene_messages(scene) : "out of memory", error);
    cli_progress progress = cli_progress_begin(false, o->quiet);
    firn_sim_def def = firn_default_sim_def();
    def.threads = (int)o->threads;
    def.backend = o->backend;
    def.output_dir = folder;
    def.resume = o->resume;
    def.overwrite = !o->resume;
    def.log = cli_progress_log;
    def.progress = cli_progress_step;
    def.user = &progress;
    if (result == FIRN_OK) result = firn_sim_create(scene, &def, &sim, error);
    if (result == FIRN_OK) {
        cli_interrupt_watch(sim);
        result = firn_sim_run_overlapped(sim);
        cli_interrupt_watch(NULL);
        if (result != FIRN_OK)
            snprintf(error->text, sizeof error->text, "%.180s", firn_sim_error(sim));
    }
    cli_progress_clear(&progress);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return result;
}

static bool is_same_run(const verify_row* a, const verify_row* b)
{
    return strcmp(a->scene, b->scene) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->solver, b->solver) == 0;
}

// Runs the scene of rows[first] and evaluates all rows of this run.
static firn_result verify_run(const verify_options* o, verify_list* list, int first, FILE* plots)
{
    verify_row* begin = &list->rows[first];
    if (!o->quiet)
        fprintf(stderr, "%s%s%s %s\n", begin->scene, *begin->variant ? " " : "", begin->variant,
                begin->solver);
    firn_error error = {0};
    verify_series series = {0};
    char* folder = folder_of(o, begin);
    firn_result result = folder != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
    if (result == FIRN_OK) result = simulate(o, begin, folder, &error);
    firn_measure_def measure = firn_default_measure_def();
    measure.input_dir = folder;
    measure.threads = (int)o->threads;
    if (result == FIRN_OK)
        result = firn_cache_measure(&measure, &series.rows, &series.count, &error);
    for (int k = first; k < list->count; k++) {
        verify_row* row = &list->rows[k];
        if (!is_same_run(row, begin)) continue;
        if (result == FIRN_OK) {
            verify_quantity_evaluate(&series, row);
            verify_plot(plots, row, &series);
        } else {
            snprintf(row->why, sizeof row->why, "%.180s", error.text);
        }
    }
    firn_measure_free(series.rows);
    free(folder);
    return result;
}

static int verify_all(const verify_options* o, verify_list* list, FILE* plots)
{
    bool refused = true;  // by the backend, all of them: then there is nothing to report
    for (int k = 0; k < list->count; k++) {
        int first = 0;
        while (!is_same_run(&list->rows[first], &list->rows[k])) first++;
        if (first < k) continue;
        const firn_result result = verify_run(o, list, k, plots);
        if (result == FIRN_INTERRUPTED) return CLI_EXIT_INTERRUPTED;
        refused = refused && result == FIRN_REFUSED_BACKEND;
    }
    if (refused) cli_error("%s", list->rows[list->count - 1].why);
    return refused ? CLI_EXIT_BACKEND : CLI_EXIT_OK;
}

// ---- printing -----------------------------------------------------------------------------------

static void print_table(const verify_list* list, bool listing)
{
    static const cli_column columns[] = {
        {"scene", false},    {"solver", false}, {"quantity", false}, {"reference", true},
        {"tolerance", true}, {"value", true},   {"verdict", false},  {"unit", false}};
    cli_table table;
    cli_table_init(&table, columns, 8);
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        char scene[128];
        snprintf(scene, sizeof scene, "%s%s%s", row->scene, *row->variant ? " " : "", row->variant);
        const char* verdict = row->holds             ? "holds"
                              : listing              ? (row->full ? "full" : "quick")
                              : isfinite(row->value) ? "FAILS"
                                                     : row->why;
        cli_table_add(&table,
                      (const char*[]){scene, row->solver, row->quantity,
                                      cli_format_real(row->reference).text,
                                      cli_format_real(row->tolerance).text,
                                      isfinite(row->value) ? cli_format_real(row->value).text : "-",
                                      verdict, row->unit});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

// One line per quantity, the solvers side by side.
static void print_compared(const verify_list* list)
{
    static const cli_column columns[] = {{"scene", false}, {"quantity", false}, {"mpm", true},
                                         {"sph", true},    {"grains", true},    {"unit", false}};
    cli_table table;
    cli_table_init(&table, columns, 6);
    for (int k = 0; k + VERIFY_SOLVERS <= list->count; k += VERIFY_SOLVERS) {
        const verify_row* row = &list->rows[k];
        char scene[128];
        cli_text32 values[VERIFY_SOLVERS];
        snprintf(scene, sizeof scene, "%s%s%s", row->scene, *row->variant ? " " : "", row->variant);
        for (int n = 0; n < VERIFY_SOLVERS; n++)
            values[n] = isfinite(row[n].value) ? cli_format_real(row[n].value) : (cli_text32){"-"};
        cli_table_add(&table, (const char*[]){scene, row->quantity, values[0].text, values[1].text,
                                              values[2].text, row->unit});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

static void print_json(const verify_list* list)
{
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        cli_json json = cli_json_begin(stdout);
        cli_json_open_object(&json, NULL);
        cli_json_text(&json, "scene", row->scene);
        cli_json_text(&json, "variant", row->variant);
        cli_json_text(&json, "solver", row->solver);
        cli_json_text(&json, "quantity", row->quantity);
        cli_json_real(&json, "reference", row->reference);
        cli_json_real(&json, "tolerance", row->tolerance);
        cli_json_real(&json, "value", row->value);
        cli_json_text(&json, "unit", row->unit);
        cli_json_text(&json, "source", row->source);
        if (verify_limit(row) != NULL) cli_json_text(&json, "limit", verify_limit(row));
        cli_json_text(&json, "run", row->full ? "full" : "quick");
        if (isfinite(row->reference)) cli_json_bool(&json, "holds", row->holds);
        cli_json_close_object(&json);
        cli_json_end(&json);
    }
}

static int write_page(const char* path, const verify_list* list, const char* backend,
                      const char* plots)
{
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream != NULL) verify_page_write(stream, list, backend, plots);
    const bool complete = stream != NULL && !ferror(stream);
    const bool made = (stream == NULL || fclose(stream) == 0) && complete;
    const bool written = made && cli_page_file_write(path, text);
    if (!written) cli_error("cannot write '%s': %s", path, strerror(errno));
    free(text);
    return written ? CLI_EXIT_OK : !made ? CLI_EXIT_MEMORY : CLI_EXIT_IO;
}

static void print(const verify_options* o, const verify_list* list)
{
    if (o->json)
        print_json(list);
    else if (o->compare && o->markdown)
        verify_compare_markdown(stdout, list);
    else if (o->compare)
        print_compared(list);
    else if (o->markdown)
        verify_page_markdown(stdout, list, o->list);
    else
        print_table(list, o->list);
}

// Failures whose cause is known, so that nobody takes them for a fault of the machine or the build.
static void print_limits(const verify_list* list)
{
    int known = 0;
    for (int k = 0; k < list->count; k++) {
        const verify_row* row = &list->rows[k];
        const char* limit = verify_limit(row);
        if (row->holds || !isfinite(row->value) || limit == NULL) continue;
        if (known++ == 0) printf("\nknown limits, with causes in the README of each scene:\n");
        printf("  %s%s%s%s%s, %s: %s\n", row->scene, *row->variant ? " " : "", row->variant,
               *row->solver ? " " : "", row->solver, row->quantity, limit);
    }
}

static int report(const verify_options* o, const verify_list* list, const char* plots)
{
    print(o, list);
    if (o->list || o->compare) return CLI_EXIT_OK;
    int held = 0;
    for (int k = 0; k < list->count; k++) held += list->rows[k].holds;
    if (!o->json && !o->markdown) {
        printf("\n%d of %d values lie within their tolerance\n", held, list->count);
        if (list->left_out > 0)
            printf("%d values of longer runs were left out: --full\n", list->left_out);
        print_limits(list);
    }
    const int code = o->page != NULL ? write_page(o->page, list, o->backend, plots) : CLI_EXIT_OK;
    if (code != CLI_EXIT_OK) return code;
    return held == list->count ? CLI_EXIT_OK : CLI_EXIT_BUG;
}

static int verify(const verify_options* o, verify_list* list)
{
    char* plots = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&plots, &size);
    if (stream == NULL) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    int code = o->list ? CLI_EXIT_OK : verify_all(o, list, stream);
    fclose(stream);
    if (code == CLI_EXIT_OK) code = report(o, list, plots);
    free(plots);
    return code;
}

static const verify_options defaults = {.runs = "runs/verify", .backend = "cpu"};

static int run(const void* values, const cli_arguments* arguments)
{
    const verify_options* o = values;
    if (o->json && o->markdown)
        return cli_usage_error("verify", "choose one of --json and --markdown");
    if (o->compare && o->page != NULL)
        return cli_usage_error("verify", "choose one of --compare and --page");
    const char* only = arguments->count > 0 ? arguments->items[0] : NULL;
    const verify_choice choice = {.only = only, .full = o->full, .compare = o->compare};
    verify_list list;
    firn_error error = {0};
    if (!verify_list_read(&list, &choice, &error)) {
        cli_error("%s", error.text);
        return cli_exit_code_of_input(error.code);
    }
    int code = CLI_EXIT_OK;
    if (list.count == 0)
        code = cli_usage_error("verify", "no validation scene %s%s has values to compare%s",
                               only ? "named like " : "", only ? only : "",
                               o->full ? "" : "; --full has more");
    else
        code = verify(o, &list);
    verify_list_destroy(&list);
    return code;
}

const cli_command cli_verify = {
    .name = "verify",
    .arguments = "[NAME] [options]",
    .summary = "run the validation scenes and compare them with theory and experiments",
    .text = "Runs the scenes of the folder scenes/validation (those whose name contains NAME) and "
            "prints each quantity beside its reference, its tolerance and whether it holds. The "
            "references, with their sources, are in the file expected.csv beside each scene. The "
            "exit code is 1 when a value lies outside its tolerance. --compare prints the values "
            "of compare.csv instead, for each of the three solvers.",
    .examples = "  firn verify\n"
                "  firn verify incline --threads 2\n"
                "  firn verify --full --page validation.html\n"
                "  firn verify --full --backend cuda\n"
                "  firn verify --compare --markdown > solvers.md\n",
    .defaults = &defaults,
    .values_size = sizeof(verify_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 0,
    .most = 1,
    .run = run,
};
