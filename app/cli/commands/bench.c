// SPDX-License-Identifier: MIT
// firn bench: how fast this machine is, on one core and on all of them.
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal/message.h"
#include "cli/terminal/progress.h"
#include "firn/firn.h"

typedef struct bench_options {
    int64_t particles, steps, repeats, threads;
    const char* simd;
    const char* backend;
    const char* solver;
    const char *scene, *variant;
    cli_list set;
    int64_t ranks;
    bool json, quiet, pictures, drawing, scale, memory, table;
} bench_options;

enum {  // defaults
    SCALE_PARTICLES = 5000000,
    SPH_PARTICLES = 97000,
    SPH_DEVICE_PARTICLES = 4000000,
    PICTURES = 20,
    STEPS = 16
};

// clang-format off
static const cli_option options[] = {
    {"solver", 0, CLI_OPTION_TEXT, offsetof(bench_options, solver), "NAME", 0, 0,
     "solver to measure: mpm, sph or grains (mpm); with --threads-table, this one alone"},
    {"particles", 0, CLI_OPTION_INT, offsetof(bench_options, particles), "N", 1000, 2e9,
     "approximate number of particles (300000; sph: 97000; grains: several sizes up to 111000, on "
     "a GPU up to 10000000); with --scale, the maximum (5000000); with --threads-table and on a "
     "GPU, this size only (8000 to 1000000; GPU: 1000000, 4100000 and 16000000)"},
    {"steps", 0, CLI_OPTION_INT, offsetof(bench_options, steps), "N", 1, 1e6,
     "steps measured per repeat (16); on a GPU rounded up to a multiple of 16"},
    {"repeats", 0, CLI_OPTION_INT, offsetof(bench_options, repeats), "N", 1, 1000,
     "number of repeats; the fastest counts (3)"},
    {"threads", 0, CLI_OPTION_INT, offsetof(bench_options, threads), "N", 0, 1024,
     "threads to measure in addition to one thread, with --threads-table the most; 0 means all "
     "cores (0)"},
    {"simd", 0, CLI_OPTION_TEXT, offsetof(bench_options, simd), "LEVEL", 0, 0,
     "instruction set; `firn version` lists them (the best of this machine); plain: scalar "
     "reference loops"},
    {"backend", 0, CLI_OPTION_TEXT, offsetof(bench_options, backend), "NAME", 0, 0,
     "what to measure: cpu, or a GPU: cuda, cuda:N (cpu)"},
    {"memory", 0, CLI_OPTION_FLAG, offsetof(bench_options, memory), NULL, 0, 0,
     "on a GPU: measure memory with one size only, 60000000 particles or --particles"},
    {"pictures", 0, CLI_OPTION_FLAG, offsetof(bench_options, pictures), NULL, 0, 0,
     "measure the path tracer instead; --steps are then samples per pixel"},
    {"drawing", 0, CLI_OPTION_FLAG, offsetof(bench_options, drawing), NULL, 0, 0,
     "measure the drawing of `firn view` instead, off screen; --steps are then frames"},
    {"scale", 0, CLI_OPTION_FLAG, offsetof(bench_options, scale), NULL, 0, 0,
     "measure how the cost per particle scales with size, and with scattered snow; takes minutes"},
    {"threads-table", 0, CLI_OPTION_FLAG, offsetof(bench_options, table), NULL, 0, 0,
     "measure how rates grow with 1, 2, 4, ... threads: all solvers and the path tracer, or one of "
     "them (--solver, --pictures)"},
    {"ranks", 0, CLI_OPTION_INT, offsetof(bench_options, ranks), "N", 1, 65536,
     "divide a scene among N ranks: particles, bytes and neighbours of each; where mpirun started "
     "N processes, also measure messages, bytes and waiting"},
    {"scene", 0, CLI_OPTION_TEXT, offsetof(bench_options, scene), "SCENE", 0, 0,
     "with --ranks: the scene (snowplow)"},
    {"variant", 0, CLI_OPTION_TEXT, offsetof(bench_options, variant), "NAME", 0, 0,
     "with --ranks: its variant"},
    {"set", 0, CLI_OPTION_LIST, offsetof(bench_options, set), "KEY=VALUE", 0, 0,
     "with --ranks: override a value of the scene; may be repeated"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(bench_options, json), NULL, 0, 0,
     "print one JSON object per row on stdout"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(bench_options, quiet), NULL, 0, 0,
     "only warnings and errors on stderr"},
};
// clang-format on

static int measure_steps(const cli_bench_kind* kind, const firn_bench_def* def, bool json)
{
    firn_error error = {0};
    firn_bench_row* rows = NULL;
    firn_machine machine;
    int count = 0;
    firn_result result = kind->measure(def, &rows, &count, &error);
    // last, because its arrays would count in the peak of memory
    if (result == FIRN_OK && kind->needs_machine)
        result = firn_bench_machine(def, &machine, &error);
    if (result != FIRN_OK)
        cli_error("%s", error.text);
    else
        (json ? kind->print_json : kind->print)(rows, count, kind->needs_machine ? &machine : NULL);
    firn_bench_free(rows);
    return cli_exit_code(result);
}

static bool is_solver(const bench_options* o, const char* name)
{
    return strcmp(o->solver ? o->solver : "mpm", name) == 0;
}

static bool on_device(const bench_options* o)
{
    return strcmp(o->backend, "cpu") != 0;
}

// True if the options select one measurement; else reports the conflict.
static bool is_one_measurement(const bench_options* o)
{
    const char* other = o->table      ? "threads-table"
                        : o->scale    ? "scale"
                        : o->pictures ? "pictures"
                                      : "drawing";
    const bool special = o->scale || o->pictures || o->drawing;
    const bool table_of_pictures = o->table && o->pictures && !o->solver;
    if (o->table + o->scale + o->pictures + o->drawing > 1 + table_of_pictures)
        cli_error("--threads-table, --scale, --pictures and --drawing are separate measurements: "
                  "use one of them");
    else if (on_device(o) && (o->scale || o->drawing || o->table))
        cli_error("--%s does not measure a GPU solver: remove --backend %s", other, o->backend);
    else if (o->memory && !on_device(o))
        cli_error("--memory measures a GPU: add --backend cuda");
    else if (!is_solver(o, "mpm") && (special || o->memory))
        cli_error("--%s works with solver mpm only: remove --solver %s",
                  o->memory ? "memory" : other, o->solver);
    else if (o->pictures && !o->table && o->steps == 1)
        cli_error("--pictures: the noise of a picture shows with two samples a pixel and more: use "
                  "--steps 2, or leave it out for 16");
    else
        return true;
    return false;
}

static const cli_bench_kind* choose_kind(const bench_options* o)
{
    if (o->table) return &cli_bench_table;
    if (o->scale) return &cli_bench_scale;
    if (is_solver(o, "grains")) return &cli_bench_grains;
    if (is_solver(o, "sph")) return &cli_bench_sph;
    return on_device(o) ? &cli_bench_device : &cli_bench_mpm;
}

static int measure(const bench_options* o)
{
    if (!is_one_measurement(o)) return CLI_EXIT_USAGE;
    if (o->ranks > 0)
        return cli_bench_ranks(&(cli_bench_ranks_def){.scene = o->scene ? o->scene : "snowplow",
                                                      .variant = o->variant,
                                                      .set = o->set.items,
                                                      .set_count = o->set.count,
                                                      .ranks = (int)o->ranks,
                                                      .steps = o->steps > 0 ? o->steps : STEPS,
                                                      .threads = (int)o->threads,
                                                      .simd = o->simd,
                                                      .json = o->json});
    if (o->drawing)
        return cli_bench_drawing(o->particles, o->steps > 0 ? (int)o->steps : PICTURES, o->json);
    cli_progress progress = cli_progress_begin(false, o->quiet || o->json);
    firn_bench_def def = firn_default_bench_def();
    if (o->solver || o->table) def.solver = o->pictures ? "path" : o->solver;
    if (o->scale) def.particles = SCALE_PARTICLES;
    const bool all_sizes = on_device(o) && !o->pictures;
    if (o->table || all_sizes || is_solver(o, "grains")) def.particles = 0;
    if (is_solver(o, "sph") && !o->table)
        def.particles = on_device(o) ? SPH_DEVICE_PARTICLES : SPH_PARTICLES;
    if (o->table) def.steps = 0;  // as the case needs
    if (o->particles) def.particles = o->particles;
    if (o->steps) def.steps = (int)o->steps;
    if (o->repeats) def.repeats = (int)o->repeats;
    def.threads = (int)o->threads;
    def.simd = o->simd;
    def.backend = o->backend;
    def.memory = o->memory;
    def.log = cli_progress_log;
    def.user = &progress;
    if (o->pictures && !o->table) return cli_bench_pictures(&def, o->json);
    return measure_steps(choose_kind(o), &def, o->json);
}

static const bench_options defaults = {.backend = "cpu"};

static int run(const void* values, const cli_arguments* arguments)
{
    (void)arguments;
    return measure(values);
}

const cli_command cli_bench = {
    .name = "bench",
    .arguments = "[options]",
    .summary = "measure this machine: particle-steps per second, time per stage, memory",
    .text =
        "Measures solver mpm with explicit integration (snow in early contact, and snow that "
        "deforms everywhere) and with a semi-implicit solve, on one thread and on all threads, "
        "after a warm-up. Also measures the machine's clock, arithmetic and memory bandwidth, and "
        "shows the two lower bounds that they set for the time of a step. --scale measures one "
        "ball of 30 000 to 5 000 000 particles and a hundred scattered balls: the cost per "
        "particle in small and large scenes. --pictures measures the path tracer on a snowball: "
        "paths and scattering events per second; with --backend cuda on a GPU, 1920 x 1080 pixels, "
        "at last with 256 paths a pixel. --drawing measures the window's frames, as "
        "spheres and as a surface. --backend cuda measures the same snow on a GPU with one to "
        "sixteen million particles. --solver sph measures a dropped block: the pressure solve "
        "alone with 5 iterations, both solves with 2 iterations each, and both to their default "
        "tolerances. --solver grains measures shapes that fall on a block, in the sizes of Goswami "
        "et al. 2019. --threads-table measures all of these on 1, 2, 4, ... threads, in about two "
        "minutes on 16 cores: rate, efficiency and the share of time in which threads wait. "
        "--ranks divides a scene among ranks, and under mpirun measures what they send (manual, "
        "\"More than one machine\"). bench/RESULTS.md lists results of known machines.",
    .examples = "  firn bench\n"
                "  firn bench --particles 100000 --threads 4 --json\n"
                "  firn bench --solver sph\n"
                "  firn bench --solver grains --backend cuda\n"
                "  firn bench --scale --particles 1000000\n"
                "  firn bench --pictures --steps 16\n"
                "  firn bench --pictures --backend cuda\n"
                "  firn bench --threads-table --solver grains --threads 16\n"
                "  firn bench --drawing\n"
                "  firn bench --ranks 64 --scene castle\n"
                "  firn bench --solver sph --backend cuda\n"
                "  firn bench --backend cuda\n"
                "  firn bench --backend cuda --memory\n",
    .defaults = &defaults,
    .values_size = sizeof(bench_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
