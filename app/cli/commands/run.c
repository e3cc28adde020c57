// SPDX-License-Identifier: MIT
// firn run: simulates a scene into a folder.
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/run_folder.h"
#include "cli/commands/run_report.h"
#include "cli/commands/scene_options.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/memory_cap.h"
#include "cli/ranks.h"
#include "cli/ranks_watch.h"
#include "cli/terminal/format.h"
#include "cli/terminal/message.h"
#include "cli/terminal/progress.h"

typedef struct run_options {
    cli_scene_options scene;
    const char* output;
    const char* from;
    const char* backend;
    const char* simd;
    int64_t threads, rank_timeout;
    cli_frames frames;
    uint64_t memory;
    bool resume, overwrite, deterministic, json, quiet;
} run_options;

// clang-format off
static const cli_option options[] = {
    {"output", 'o', CLI_OPTION_TEXT, offsetof(run_options, output), "DIR", 0, 0,
     "output folder (runs/SCENE, or runs/SCENE-VARIANT)"},
    CLI_SCENE_OPTIONS(run_options),
    {"frames", 0, CLI_OPTION_FRAMES, offsetof(run_options, frames), "B", 0, 0,
     "stop after frame B instead of the scene's last frame; A:B is accepted if A is 0 or the frame "
     "at which --resume continues"},
    {"resume", 0, CLI_OPTION_FLAG, offsetof(run_options, resume), NULL, 0, 0,
     "continue from the newest valid checkpoint in the folder, bitwise identical to an "
     "uninterrupted run; from frame 0 if there is none"},
    {"from", 0, CLI_OPTION_TEXT, offsetof(run_options, from), "DIR:N", 0, 0,
     "start from frame N of the run in DIR instead of the scene's snow: its positions, velocities, "
     "packing and deformation; time begins there"},
    {"overwrite", 0, CLI_OPTION_FLAG, offsetof(run_options, overwrite), NULL, 0, 0,
     "delete the existing run in the folder and start over"},
    {"backend", 0, CLI_OPTION_TEXT, offsetof(run_options, backend), "NAME", 0, 0,
     "where to compute: cpu, or a GPU: cuda, cuda:N (cpu); `firn version` lists the devices"},
    {"deterministic", 0, CLI_OPTION_FLAG, offsetof(run_options, deterministic), NULL, 0, 0,
     "require bitwise reproducible results; cpu and cuda always provide them, a backend that did "
     "not would be refused"},
    {"threads", 0, CLI_OPTION_INT, offsetof(run_options, threads), "N", 0, 1024,
     "number of threads, of each rank; 0 means all cores (0). Results do not depend on it"},
    {"simd", 0, CLI_OPTION_TEXT, offsetof(run_options, simd), "LEVEL", 0, 0,
     "instruction set; `firn version` lists them (the best of this machine); plain: scalar "
     "reference loops"},
    {"memory", 0, CLI_OPTION_BYTES, offsetof(run_options, memory), "SIZE", 0, 0,
     "limit on the memory of the simulation: 512M, 8G; libraries get 64 MB and the stacks of "
     "threads in addition (cpu)"},
    {"rank-timeout", 0, CLI_OPTION_INT, offsetof(run_options, rank_timeout), "SECONDS", 0, 1000000,
     "end the run when a rank does not answer rank 0 for so long (600); 0: wait for ever"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(run_options, json), NULL, 0, 0,
     "print one JSON object per line on stdout: start, frame, log, end"},
    {"quiet", 'q', CLI_OPTION_FLAG, offsetof(run_options, quiet), NULL, 0, 0,
     "print only warnings and errors"},
};
// clang-format on

// What the limit was, where memory was out.
static void explain_memory(const run_options* o, int code)
{
    if (code != CLI_EXIT_MEMORY || o->memory == 0) return;
    fprintf(stderr, "--memory allows %s; `firn check` estimates what the scene needs\n",
            cli_format_bytes((double)o->memory).text);
}

// A run that is about to begin.
typedef struct run_job {
    firn_comm* comm;    // null: one process
    firn_scene* scene;  // owned
    firn_scene_info info;
    char* folder;  // owned; null on ranks that serve
} run_job;

static firn_sim_def sim_def(const run_options* o, const run_job* job)
{
    firn_sim_def def = firn_default_sim_def();
    def.threads = cli_ranks_threads((int)o->threads);
    def.backend = o->backend;
    def.deterministic = o->deterministic;
    def.simd = o->simd;
    def.output_dir = job->folder;
    def.frame_end = o->frames.given ? o->frames.end : -1;
    def.resume = o->resume;
    def.overwrite = o->overwrite;
    def.memory_cap_bytes = o->memory;
    def.comm = job->comm;
    return def;
}

static int simulate(const run_options* o, run_job* job, int argc, char** argv)
{
    cli_run_facts own = {.scene = &job->info, .folder = job->folder}, *facts = &own;
    cli_progress progress = cli_progress_begin(o->json, o->quiet);
    firn_sim_def def = sim_def(o, job);
    def.log = cli_progress_log;
    def.progress = cli_progress_step;
    def.user = &progress;

    firn_sim* sim = NULL;
    firn_error error = {0};
    firn_result result = firn_sim_create(job->scene, &def, &sim, &error);
    if (result != FIRN_OK) {
        cli_progress_clear(&progress);
        cli_error("%s", error.text);
        return cli_exit_code(result);
    }
    facts->frame_end = def.frame_end >= 0 ? def.frame_end : facts->scene->frames;
    if (o->json || !o->quiet) cli_run_header(facts, sim, o->json);
    cli_interrupt_watch(sim);
    result = firn_sim_run_overlapped(sim);
    cli_interrupt_watch(NULL);
    cli_progress_clear(&progress);
    cli_run_footer(facts, sim, result, o->json, o->quiet, argc, argv);
    firn_sim_destroy(sim);
    return cli_exit_code(result);
}

// Refuses an unknown level with a suggestion. The library checks whether the machine supports it.
static int check_simd(const char* level)
{
    if (!level) return CLI_EXIT_OK;
    char words[256];
    const char* names[16];
    size_t count = 0;
    const char* all = firn_version().simd_all;
    snprintf(words, sizeof words, "%s", all);
    char* rest = NULL;
    for (char* w = strtok_r(words, " ", &rest); w && count < 16; w = strtok_r(NULL, " ", &rest)) {
        if (strcmp(w, level) == 0) return CLI_EXIT_OK;
        names[count++] = w;
    }
    const char* near = firn_suggest(level, names, count);
    if (near) {
        return cli_usage_error("run", "unknown SIMD level '%s' (did you mean '%s'?)", level, near);
    }
    return cli_usage_error("run", "unknown SIMD level '%s' (available: %s)", level, all);
}

// --from DIR:N
static int start_from(const run_options* o, const run_job* job)
{
    if (!o->from) return CLI_EXIT_OK;
    if (firn_comm_count(job->comm) > 1)
        return cli_usage_error("run", "option '--from' is for one process, not for several ranks");
    const char* colon = strrchr(o->from, ':');
    char* end = NULL;
    const long long frame = colon ? strtoll(colon + 1, &end, 10) : -1;
    if (!colon || colon == o->from || end == colon + 1 || *end != 0 || frame < 0) {
        return cli_usage_error("run",
                               "option '--from': '%s' is not DIR:N, a folder and the number of a "
                               "frame: --from runs/first:24",
                               o->from);
    }
    char* dir = strndup(o->from, (size_t)(colon - o->from));
    const firn_result r =
        dir ? firn_scene_start_from(job->scene, dir, frame, job->folder) : FIRN_BROKEN_MEMORY;
    free(dir);
    cli_diagnostics_print(stderr, firn_scene_messages(job->scene));
    return cli_exit_code_of_input(r);
}

// What can be wrong before anything is computed.
static int prepare(const run_options* o, const cli_arguments* arguments, run_job* job)
{
    if (strcmp(o->backend, "cpu") == 0) cli_memory_cap(o->memory, (int)o->threads);
    int code = cli_scene_load("run", arguments->items[0], &o->scene, &job->scene);
    if (job->scene) cli_diagnostics_print(stderr, firn_scene_messages(job->scene));
    if (code != CLI_EXIT_OK) return code;
    const firn_result checked = firn_scene_check(job->scene, (int)o->threads, &job->info);
    cli_diagnostics_print(stderr, firn_scene_messages(job->scene));
    if (checked != FIRN_OK) return cli_exit_code_of_input(checked);
    if (firn_comm_rank(job->comm) > 0) return CLI_EXIT_OK;
    job->folder = o->output ? strdup(o->output) : cli_run_folder_default(&job->info);
    if (!job->folder) {
        cli_error("out of memory for the path of the run");
        return CLI_EXIT_MEMORY;
    }
    code = cli_run_folder_check(job->folder, o->resume, o->overwrite, &o->frames);
    return code == CLI_EXIT_OK ? start_from(o, job) : code;
}

static int serve(const run_options* o, const run_job* job)
{
    const firn_sim_def def = sim_def(o, job);
    return cli_exit_code(firn_sim_serve(job->scene, &def, NULL));
}

static const run_options defaults = {.backend = "cpu", .rank_timeout = 600};

static int run(const void* values, const cli_arguments* arguments)
{
    const run_options* o = values;
    int code = check_simd(o->simd);
    if (code != CLI_EXIT_OK) return code;
    run_job job = {0};
    code = cli_ranks_join(&job.comm);
    if (code != CLI_EXIT_OK) return code;
    cli_ranks_watch(job.comm, o->rank_timeout);
    code = cli_ranks_agree(job.comm, prepare(o, arguments, &job));
    if (code == CLI_EXIT_OK && firn_comm_rank(job.comm) > 0)
        code = serve(o, &job);
    else if (code == CLI_EXIT_OK)
        code = simulate(o, &job, arguments->argc, arguments->argv);
    firn_scene_destroy(job.scene);
    free(job.folder);
    cli_ranks_unwatch();
    firn_comm_close(job.comm);
    explain_memory(o, code);
    return code;
}

const cli_command cli_run = {
    .name = "run",
    .arguments = "SCENE [options]",
    .summary = "simulate a scene; write frames, pictures and a film to a folder",
    .text =
        "SCENE is a file or the name of a scene that ships with firn (`firn scenes`). Each frame "
        "is written as soon as it is computed. --resume continues a run that was interrupted or "
        "killed, with the same results as an uninterrupted run. Ctrl-C finishes the step, writes a "
        "checkpoint and exits with code 130; a second Ctrl-C exits at once. Several processes that "
        "mpirun starts compute the scene together, on one or many machines (mpm, in a build with "
        "MPI: ./firn mpi).",
    .examples = "  firn run snowball-drop\n"
                "  firn run snowball-drop --variant paper --threads 8\n"
                "  firn run snow.yaml -o /data/test1 --set mpm.cell=0.02 --frames 24\n"
                "  firn run snow.yaml -o /data/test1 --resume\n"
                "  firn run edited.yaml --from runs/first:24\n",
    .defaults = &defaults,
    .values_size = sizeof(run_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = 1,
    .run = run,
};
