// SPDX-License-Identifier: MIT
// firn bench: how fast this machine is, on one core and on all of them.
#include <string.h>

#include "cli/bench/bench_device.h"
#include "cli/bench/bench_drawing.h"
#include "cli/bench/bench_grains.h"
#include "cli/bench/bench_pictures.h"
#include "cli/bench/bench_scale.h"
#include "cli/bench/bench_sph.h"
#include "cli/bench/bench_steps.h"
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
    bool json, quiet, pictures, drawing, scale, memory;
} bench_options;

enum { SCALE_PARTICLES = 5000000, SPH_PARTICLES = 97000, PICTURES = 20 };  // unless said otherwise

// clang-format off
static const cli_option options[] = {
    {"solver", 0, CLI_OPTION_TEXT, offsetof(bench_options, solver), "NAME", 0, 0,
     "which solver to measure: mpm, sph or grains (mpm)"},
    {"particles", 0, CLI_OPTION_INT, offsetof(bench_options, particles), "N", 1000, 2e9,
     "about how many particles (300000; sph: 97000; grains: sizes up to 111000, on a GPU 10000000); with --scale, the most (5000000); on a GPU, "
     "this size only (1000000, 4100000 and 16000000)"},
    {"steps", 0, CLI_OPTION_INT, offsetof(bench_options, steps), "N", 1, 1e6,
     "steps that are measured in each repeat (16); on a GPU, whole sixteens"},
    {"repeats", 0, CLI_OPTION_INT, offsetof(bench_options, repeats), "N", 1, 1000,
     "repeats; the fastest counts (3)"},
    {"threads", 0, CLI_OPTION_INT, offsetof(bench_options, threads), "N", 0, 1024,
     "threads, measured besides one; 0 means all cores (0)"},
    {"simd", 0, CLI_OPTION_TEXT, offsetof(bench_options, simd), "LEVEL", 0, 0,
     "instruction set; `firn version` lists them (the best of this machine); plain: without the "
     "fast passes"},
    {"backend", 0, CLI_OPTION_TEXT, offsetof(bench_options, backend), "NAME", 0, 0,
     "what to measure: cpu, or a GPU: cuda, cuda:N (cpu)"},
    {"memory", 0, CLI_OPTION_FLAG, offsetof(bench_options, memory), NULL, 0, 0,
     "on a GPU: one size only, 60000000 particles or --particles, and the memory that it takes"},
    {"pictures", 0, CLI_OPTION_FLAG, offsetof(bench_options, pictures), NULL, 0, 0,
     "measure the path tracer instead; --steps are then samples per pixel"},
    {"drawing", 0, CLI_OPTION_FLAG, offsetof(bench_options, drawing), NULL, 0, 0,
     "measure the pictures of `firn view` instead, without a window; --steps are then pictures"},
    {"scale", 0, CLI_OPTION_FLAG, offsetof(bench_options, scale), NULL, 0, 0,
     "measure few and many particles instead, and scattered ones; takes minutes"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(bench_options, json), NULL, 0, 0,
     "one JSON object per row on stdout"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(bench_options, quiet), NULL, 0, 0,
     "only warnings and errors on stderr"},
};
// clang-format on

static int measure_steps(const firn_bench_def* def, bool json)
{
    firn_error error = {0};
    firn_bench_row* rows = NULL;
    firn_machine machine;
    int count = 0;
    const bool sph = strcmp(def->solver, "sph") == 0;
    firn_result result = firn_bench(def, &rows, &count, &error);
    // last: its arrays would count in the peak of memory
    if (result == FIRN_OK) result = firn_bench_machine(def, &machine, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
    } else if (json) {
        (sph ? cli_bench_print_sph_json : cli_bench_print_steps_json)(rows, count, &machine);
    } else {
        (sph ? cli_bench_print_sph : cli_bench_print_steps)(rows, count, &machine);
    }
    firn_bench_free(rows);
    return cli_exit_code(result);
}

// What the options ask for goes together.
static bool is_one_measurement(const bench_options* o)
{
    const bool on_device = strcmp(o->backend, "cpu") != 0;
    const bool mpm = strcmp(o->solver, "mpm") == 0, grains = strcmp(o->solver, "grains") == 0;
    const char* other = o->scale ? "scale" : o->pictures ? "pictures" : "drawing";
    if (o->scale + o->pictures + o->drawing > 1)
        cli_error("--scale, --pictures and --drawing are measurements of their own: use one of "
                  "them");
    else if (on_device && (o->scale || o->pictures || o->drawing))
        cli_error("--%s measures the CPU, or what draws: leave --backend %s out", other,
                  o->backend);
    else if (o->memory && !on_device)
        cli_error("--memory measures a GPU: add --backend cuda");
    else if (!mpm && (o->scale || o->pictures || o->drawing || o->memory || (on_device && !grains)))
        cli_error("--%s goes with solver mpm: leave --solver %s out",
                  o->memory   ? "memory"
                  : on_device ? "backend"
                              : other,
                  o->solver);
    else
        return true;
    return false;
}

static int measure(const bench_options* o)
{
    if (!is_one_measurement(o)) return CLI_EXIT_USAGE;
    if (o->drawing)
        return cli_bench_drawing(o->particles, o->steps > 0 ? (int)o->steps : PICTURES, o->json);
    const bool on_device = strcmp(o->backend, "cpu") != 0;
    cli_progress progress = cli_progress_begin(false, o->quiet || o->json);
    firn_bench_def def = firn_default_bench_def();
    def.solver = o->solver;
    if (strcmp(o->solver, "sph") == 0) def.particles = SPH_PARTICLES;
    if (o->scale) def.particles = SCALE_PARTICLES;
    if (on_device || strcmp(o->solver, "grains") == 0) def.particles = 0;  // all sizes
    if (o->particles) def.particles = o->particles;
    if (o->steps) def.steps = (int)o->steps;
    if (o->repeats) def.repeats = (int)o->repeats;
    def.threads = (int)o->threads;
    def.simd = o->simd;
    def.backend = o->backend;
    def.memory = o->memory;
    def.log = cli_progress_log;
    def.user = &progress;
    if (o->pictures) return cli_bench_pictures(&def, o->json);
    if (o->scale) return cli_bench_scale(&def, o->json);
    if (strcmp(o->solver, "grains") == 0) return cli_bench_grains(&def, o->json);
    if (on_device) return cli_bench_device(&def, o->json);
    return measure_steps(&def, o->json);
}

static int run(int argc, char** argv)
{
    bench_options o = {.backend = "cpu", .solver = "mpm"};
    cli_arguments arguments;
    int code = cli_options_parse(&cli_bench, argc, argv, &o, &arguments);
    if (code == CLI_EXIT_OK && arguments.help)
        cli_command_print_help(&cli_bench, stdout);
    else if (code == CLI_EXIT_OK)
        code = measure(&o);
    cli_arguments_free(&cli_bench, &o, &arguments);
    return code;
}

const cli_command cli_bench = {
    .name = "bench",
    .arguments = "[options]",
    .summary = "measure this machine: particle-steps per second, time per stage, memory",
    .text =
        "Runs snow in early contact and snow that deforms everywhere with explicit integration, "
        "and "
        "a semi-implicit solve, on one thread and on all, after a warm-up. Measures the machine's "
        "clock, arithmetic and memory too, and shows the two floors that they set for a step. With "
        "--scale one ball of 30 000 to 5 000 000 particles and a hundred scattered ones: what a "
        "particle costs among few and many. With --pictures a path-traced snowball: paths and "
        "scatterings of light per second. With --drawing pictures of the window, as spheres and as "
        "a surface. With --backend cuda the same states of snow on a GPU, of "
        "one to sixteen million particles. With --solver sph a dropped block: the pressure solve "
        "alone with 5 iterations, both solves with 2 each, and both to their default tolerances. "
        "With "
        "--solver grains shapes that fall on a block, in the sizes of Goswami et al. 2019. "
        "bench/RESULTS.md keeps figures of known machines.",
    .examples = "  firn bench\n"
                "  firn bench --particles 100000 --threads 4 --json\n"
                "  firn bench --solver sph\n"
                "  firn bench --solver grains --backend cuda\n"
                "  firn bench --scale --particles 1000000\n"
                "  firn bench --pictures --steps 16\n"
                "  firn bench --drawing\n"
                "  firn bench --backend cuda\n"
                "  firn bench --backend cuda --memory\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
