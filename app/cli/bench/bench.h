// SPDX-License-Identifier: MIT
// What the measurements of `firn bench` share: figures as a table and as JSON from one list, and
// the tables of stages.
#pragma once
#include "cli/terminal/json.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

// ---- figures ----------------------------------------------------------------------------------

typedef enum cli_figure_type {
    CLI_FIGURE_CHARS,   // char[]
    CLI_FIGURE_STRING,  // const char*; may be null
    CLI_FIGURE_INT,
    CLI_FIGURE_INT64,
    CLI_FIGURE_REAL  // double
} cli_figure_type;

typedef enum cli_figure_empty {
    CLI_EMPTY_SHOWN,   // 0 is a value like any other
    CLI_EMPTY_DASH,    // tables show 0 as "-"
    CLI_EMPTY_OMITTED  // likewise, and JSON omits the key
} cli_figure_empty;

// One figure of a row: its key in JSON, its column in the table, and its field of the row's struct.
typedef struct cli_figure {
    const char* key;    // null: not in JSON
    const char* title;  // null: not in the table
    cli_figure_type type;
    size_t offset;
    const char* format;  // of the cell: printf format of a double, or "count", "rate", "bytes"
    double scale;        // cells show the value times this; 0 means 1
    cli_figure_empty empty;
} cli_figure;

typedef struct cli_figures {
    const cli_figure* list;
    int count;
} cli_figures;

#define CLI_FIGURES(array) ((cli_figures){array, sizeof(array) / sizeof *(array)})

// Begins a line of JSON on stdout: name and version, then the figures. The object stays open.
cli_json cli_figures_json(const cli_figures* figures, const char* name, const void* row);
void cli_figures_json_end(cli_json* json);
// A table with the columns of the figures.
cli_table cli_figures_table(const cli_figures* figures);
void cli_figures_add(cli_table* table, const cli_figures* figures, const void* row);
void cli_figures_table_end(cli_table* table);  // prints it on stdout, and frees it

// ---- rows of steps ----------------------------------------------------------------------------

// A row with what is derived from it. Fields that a measurement does not use are 0.
typedef struct cli_bench_line {
    firn_bench_row row;
    const char* solver;
    const char* device;         // name of the GPU; null: none
    double step_rate;           // [1/s] steps, not particle-steps
    double core_ns;             // [ns] of one core per particle and step
    double core_cycles;         // the same in cycles
    double relative;            // core_ns over that of the reference size
    double speed_up;            // against one thread
    double parallel_speed_up;   // the same, 0 on one thread
    double nodes_per_particle;  // active grid nodes
    double shear_iterations;    // of sph's second solve; 0: its time is excluded
} cli_bench_line;

// Type and offset of a figure of a cli_bench_line.
#define CLI_LINE_AT(member) .offset = offsetof(cli_bench_line, member)
#define CLI_LINE_CHARS(member) .type = CLI_FIGURE_CHARS, CLI_LINE_AT(member)
#define CLI_LINE_STRING(member) .type = CLI_FIGURE_STRING, CLI_LINE_AT(member)
#define CLI_LINE_INT(member) .type = CLI_FIGURE_INT, CLI_LINE_AT(member)
#define CLI_LINE_INT64(member) .type = CLI_FIGURE_INT64, CLI_LINE_AT(member)
#define CLI_LINE_REAL(member) .type = CLI_FIGURE_REAL, CLI_LINE_AT(member)

// One measurement whose rows are firn_bench_row.
typedef struct cli_bench_kind {
    firn_result (*measure)(const firn_bench_def* def, firn_bench_row** out_rows, int* out_count,
                           firn_error* out_error);
    bool needs_machine;  // else `machine` is null below
    // Prints all rows, as JSON (one object per line) or as tables.
    void (*print_json)(const firn_bench_row* rows, int count, const firn_machine* machine);
    void (*print)(const firn_bench_row* rows, int count, const firn_machine* machine);
} cli_bench_kind;

extern const cli_bench_kind cli_bench_mpm, cli_bench_sph, cli_bench_grains, cli_bench_device,
    cli_bench_scale, cli_bench_table;

// `machine` may be null: then the line has no cycles.
cli_bench_line cli_bench_line_of(const firn_bench_row* row, const firn_machine* machine);
// Prints the table of figures of all rows.
void cli_bench_print_rates(const cli_figures* figures, const firn_bench_row* rows, int count);

// Adds the object "stage_seconds_per_step"; with a machine, ns and cycles of one core as well.
void cli_bench_add_stages(cli_json* json, const firn_bench_row* row, const firn_machine* machine);
void cli_bench_add_machine(cli_json* json, const firn_machine* machine);
// Adds the object "floor"; with a machine, the seconds that it sets as well.
void cli_bench_add_floor(cli_json* json, const firn_bench_row* row, const firn_machine* machine);

// One table of stages per name, with the rows of that name side by side: by threads in ms, ns and
// cycles; without a machine by particles in ms. The roofline bounds come last where they are known.
void cli_bench_print_stages(const firn_bench_row* rows, int count, const firn_machine* machine);
void cli_bench_print_machine(const firn_machine* machine);

// ---- measurements of their own; they return the exit code ---------------------------------------

// How a scene is divided among so many ranks; where mpirun has started several, what they send in
// `steps` steps, at least.
typedef struct cli_bench_ranks_def {
    const char *scene, *variant;
    const char* const* set;  // overrides of the scene
    size_t set_count;
    int ranks;
    int64_t steps;
    int threads;
    const char* simd;
    bool json;
} cli_bench_ranks_def;
int cli_bench_ranks(const cli_bench_ranks_def* def);

int cli_bench_pictures(const firn_bench_def* def, bool json);
// `particles`: this size only; 0: several sizes. Draws `pictures` in each style and takes the
// fastest.
int cli_bench_drawing(int64_t particles, int pictures, bool json);
