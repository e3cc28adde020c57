// SPDX-License-Identifier: MIT
// firn bench --ranks: how a scene is divided among ranks, and what they send each other.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/bench/bench.h"
#include "cli/exit_codes.h"
#include "cli/ranks.h"
#include "cli/terminal/message.h"

#define REDUCTIONS 1000  // that are timed for the latency

// A rank's part of the scene, and what it has done per step.
typedef struct line {
    int rank, ranks;
    firn_rank_share share;
    int64_t particles;                                // after the steps; 0: none were done
    double messages, bytes, collectives;              // per step
    double halo_bytes;                                // per array of nodes
    double waiting, migrated;                         // share of the time; per step
    int64_t allocations;                              // of memory, in all of these steps
    double computing;                                 // [s] of a step, without waiting
    double step_seconds, latency_seconds, imbalance;  // of all ranks
    double work_imbalance, dividing;                  // by `computing`; share of the time
    int64_t divisions;                                // of all blocks, while measuring
} line;

#define LINE_AT(member) .offset = offsetof(line, member)
// clang-format off
static const cli_figure figures_list[] = {
    {"rank", "rank", CLI_FIGURE_INT, LINE_AT(rank), "%.0f"},
    {"ranks", NULL, CLI_FIGURE_INT, LINE_AT(ranks), "%.0f"},
    {"particles", "particles", CLI_FIGURE_INT64, LINE_AT(share.particles), "count"},
    {"blocks", "blocks", CLI_FIGURE_INT64, LINE_AT(share.blocks), "count"},
    {"neighbours", "neighbours", CLI_FIGURE_INT, LINE_AT(share.neighbours), "%.0f"},
    {"halo_bytes_expected", "halo", CLI_FIGURE_INT64, LINE_AT(share.halo_bytes), "bytes"},
    {"halo_bytes", "measured", CLI_FIGURE_REAL, LINE_AT(halo_bytes), "bytes", 0, CLI_EMPTY_OMITTED},
    {"bytes", "per step", CLI_FIGURE_REAL, LINE_AT(bytes), "bytes", 0, CLI_EMPTY_OMITTED},
    {"messages", "messages", CLI_FIGURE_REAL, LINE_AT(messages), "%.1f", 0, CLI_EMPTY_OMITTED},
    {"collectives", "collectives", CLI_FIGURE_REAL, LINE_AT(collectives), "%.1f", 0,
     CLI_EMPTY_OMITTED},
    {"migrated", "migrated", CLI_FIGURE_REAL, LINE_AT(migrated), "%.1f", 0, CLI_EMPTY_OMITTED},
    {"waiting", "waits", CLI_FIGURE_REAL, LINE_AT(waiting), "%.0f %%", 100, CLI_EMPTY_OMITTED},
    {"computing_seconds", "computes", CLI_FIGURE_REAL, LINE_AT(computing), "%.3g s", 0,
     CLI_EMPTY_OMITTED},
    {"allocations", NULL, CLI_FIGURE_INT64, LINE_AT(allocations), "%g"},
    {"particles_after", NULL, CLI_FIGURE_INT64, LINE_AT(particles), "count", 0, CLI_EMPTY_OMITTED},
    {"step_seconds", NULL, CLI_FIGURE_REAL, LINE_AT(step_seconds), "%g", 0, CLI_EMPTY_OMITTED},
    {"latency_seconds", NULL, CLI_FIGURE_REAL, LINE_AT(latency_seconds), "%g", 0,
     CLI_EMPTY_OMITTED},
    {"imbalance", NULL, CLI_FIGURE_REAL, LINE_AT(imbalance), "%g"},
    {"work_imbalance", NULL, CLI_FIGURE_REAL, LINE_AT(work_imbalance), "%g", 0, CLI_EMPTY_OMITTED},
    {"divisions", NULL, CLI_FIGURE_INT64, LINE_AT(divisions), "%g"},
    {"dividing", NULL, CLI_FIGURE_REAL, LINE_AT(dividing), "%g"},
};
// clang-format on

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print(const line* lines, int count, bool json)
{
    const cli_figures figures = CLI_FIGURES(figures_list);
    double halo = 0, most = 0;
    cli_table table;
    if (!json) table = cli_figures_table(&figures);
    for (int k = 0; k < count; k++) {
        halo += (double)lines[k].share.halo_bytes;
        most = fmax(most, (double)lines[k].share.halo_bytes);
        if (!json) {
            cli_figures_add(&table, &figures, &lines[k]);
            continue;
        }
        cli_json object = cli_figures_json(&figures, "ranks", &lines[k]);
        cli_figures_json_end(&object);
    }
    if (json) return;
    cli_figures_table_end(&table);
    printf("imbalance %.3f (most particles over the mean); halo: bytes that a rank sends for one "
           "array of nodes, %.3g in the mean, %.3g at most\n",
           lines[0].imbalance, halo / count, most);
    if (!(lines[0].step_seconds > 0)) return;
    printf("%.3g s per step, %.3g us per reduction\n", lines[0].step_seconds,
           1e6 * lines[0].latency_seconds);
    if (lines[0].work_imbalance > 0)
        printf("imbalance %.3f of the time that ranks compute; divided again %d times, %.2f %% of "
               "the time\n",
               lines[0].work_imbalance, (int)lines[0].divisions, 100 * lines[0].dividing);
}

// Time of a reduction of one number [s]; all ranks call it.
static double measure_latency(firn_comm* comm)
{
    for (int k = 0; k < REDUCTIONS / 10; k++) firn_comm_agree(comm, 0);
    const double begun = seconds_now();
    for (int k = 0; k < REDUCTIONS; k++) firn_comm_agree(comm, 0);
    return (seconds_now() - begun) / REDUCTIONS;
}

// Steps of whole frames, until there are enough.
static firn_result measure_steps(firn_sim* sim, int64_t steps, line* lines, int count)
{
    firn_rank_stats* before = calloc((size_t)count, sizeof *before);
    firn_rank_stats* after = calloc((size_t)count, sizeof *after);
    firn_result r = before && after ? firn_sim_frame(sim) : FIRN_BROKEN_MEMORY;
    if (r == FIRN_OK) r = firn_sim_rank_stats(sim, before);
    const int64_t first = firn_sim_read(sim).step;
    const double begun = seconds_now();
    while (r == FIRN_OK && firn_sim_read(sim).step < first + steps) r = firn_sim_frame(sim);
    const double seconds = seconds_now() - begun;
    const double done = (double)(firn_sim_read(sim).step - first);
    if (r == FIRN_OK) r = firn_sim_rank_stats(sim, after);
    double most = 0, all = 0, slowest = 0, computing = 0, dividing = 0;
    for (int k = 0; k < count && r == FIRN_OK; k++) {
        const firn_rank_stats *a = &before[k], *b = &after[k];
        line* l = &lines[k];
        const double arrays = (double)(b->halo_arrays - a->halo_arrays);
        l->particles = b->particles;
        l->messages = (double)(b->messages - a->messages) / done;
        l->bytes = (double)(b->bytes - a->bytes) / done;
        l->collectives = (double)(b->collectives - a->collectives) / done;
        l->migrated = (double)(b->migrated - a->migrated) / done;
        l->waiting = (b->seconds_waiting - a->seconds_waiting) / seconds;
        l->halo_bytes = arrays > 0 ? (double)(b->halo_bytes - a->halo_bytes) / arrays : 0;
        l->step_seconds = seconds / done;
        l->allocations = b->allocations - a->allocations;
        l->computing = b->step_seconds;
        l->divisions = b->divisions - a->divisions;
        dividing = fmax(dividing, b->seconds_dividing - a->seconds_dividing);
        slowest = fmax(slowest, b->step_seconds);
        computing += b->step_seconds;
        most = fmax(most, (double)b->particles);
        all += (double)b->particles;
    }
    for (int k = 0; k < count && r == FIRN_OK; k++) {
        lines[k].imbalance = most * count / all;
        lines[k].work_imbalance = computing > 0 ? slowest * count / computing : 0;
        lines[k].dividing = dividing / seconds;
    }
    free(before);
    free(after);
    return r;
}

static int measure(const firn_scene* scene, const firn_sim_def* sim_def, int64_t steps, line* lines,
                   int count)
{
    firn_sim* sim = NULL;
    firn_error error = {0};
    firn_result r = firn_sim_create(scene, sim_def, &sim, &error);
    if (r == FIRN_OK) {
        r = measure_steps(sim, steps, lines, count);
        if (r != FIRN_OK) cli_error("%s", firn_sim_error(sim));
        firn_sim_destroy(sim);
    } else {
        cli_error("%s", error.text);
    }
    return cli_exit_code(r);
}

static int divide(const firn_scene* scene, line* lines, int count)
{
    firn_error error = {0};
    firn_rank_share* shares = calloc((size_t)count, sizeof *shares);
    firn_result r = shares ? firn_scene_divide(scene, count, shares, &error) : FIRN_BROKEN_MEMORY;
    if (r != FIRN_OK) cli_error("%s", shares ? error.text : "out of memory");
    int64_t most = 0, all = 0;
    for (int k = 0; k < count && r == FIRN_OK; k++) {
        most = shares[k].particles > most ? shares[k].particles : most;
        all += shares[k].particles;
        lines[k] = (line){.rank = k, .ranks = count, .share = shares[k]};
    }
    for (int k = 0; k < count && all > 0; k++)
        lines[k].imbalance = (double)most * count / (double)all;
    free(shares);
    return cli_exit_code(r);
}

// On rank 0, and in a process alone.
static int lead(const cli_bench_ranks_def* def, const firn_scene* scene, firn_comm* comm,
                double latency)
{
    const int count = comm != NULL ? firn_comm_count(comm) : def->ranks;
    firn_sim_def sim_def = firn_default_sim_def();
    sim_def.threads = cli_ranks_threads(def->threads);
    sim_def.simd = def->simd;
    sim_def.comm = comm;
    line* lines = calloc((size_t)count, sizeof *lines);
    if (!lines) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    int code = divide(scene, lines, count);
    for (int k = 0; k < count; k++) lines[k].latency_seconds = latency;
    if (code == CLI_EXIT_OK && comm != NULL)
        code = measure(scene, &sim_def, def->steps, lines, count);
    if (code == CLI_EXIT_OK) print(lines, count, def->json);
    free(lines);
    return code;
}

static int run_on(const cli_bench_ranks_def* def, const firn_scene* scene, firn_comm* comm)
{
    const double latency = comm != NULL ? measure_latency(comm) : 0;
    if (firn_comm_rank(comm) == 0) return lead(def, scene, comm, latency);
    firn_sim_def sim_def = firn_default_sim_def();
    sim_def.threads = cli_ranks_threads(def->threads);
    sim_def.simd = def->simd;
    sim_def.comm = comm;
    return cli_exit_code(firn_sim_serve(scene, &sim_def, NULL));
}

int cli_bench_ranks(const cli_bench_ranks_def* def)
{
    firn_scene* scene = NULL;
    firn_comm* comm = NULL;
    cli_ranks_begin();
    int code = cli_ranks_join(&comm);
    if (code != CLI_EXIT_OK) return code;
    if (comm != NULL && firn_comm_count(comm) != def->ranks) {
        cli_error("--ranks %d, but %d processes were started", def->ranks, firn_comm_count(comm));
        code = CLI_EXIT_USAGE;
    } else if (firn_scene_create(&scene) != FIRN_OK) {
        cli_error("out of memory");
        code = CLI_EXIT_MEMORY;
    } else {
        firn_load_def load = firn_default_load_def();
        load.variant = def->variant;
        load.overrides = def->set;
        load.override_count = def->set_count;
        const firn_result r = firn_scene_load(scene, def->scene, &load);
        if (r != FIRN_OK) cli_error("%s", firn_scene_messages(scene));
        code = cli_exit_code(r);
    }
    if (comm != NULL) code = cli_ranks_agree(comm, code);
    if (code == CLI_EXIT_OK) code = run_on(def, scene, comm);
    firn_comm_close(comm);
    firn_scene_destroy(scene);
    return code;
}
