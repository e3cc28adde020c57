// SPDX-License-Identifier: MIT
// Header and footer of a run.
#define _GNU_SOURCE  // program_invocation_name
#include "cli/commands/run_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/resume_command.h"
#include "cli/commands/run_folder.h"
#include "cli/interrupt.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/terminal.h"

static void print_fact(const char* name, const char* value)
{
    fprintf(stderr, "  %s%-9s%s %s\n", cli_style_on(stderr, CLI_DIM), name, cli_style_off(stderr),
            value);
}

static void header_text(const cli_run_facts* facts, const firn_sim_info* now)
{
    const firn_scene_info* s = facts->scene;
    char text[1200];
    const bool has_variant = *s->variant != '\0';
    snprintf(text, sizeof text, "%s%s%s%s%s", s->name, has_variant ? ", variant " : "", s->variant,
             *s->title ? ": " : "", s->title);
    fprintf(stderr, "%s%s%s\n", cli_style_on(stderr, CLI_BOLD), text, cli_style_off(stderr));
    print_fact("solver", s->solver);
    snprintf(text, sizeof text, "%s, cell %s m", cli_format_count(now->particle_count).text,
             cli_format_real(s->cell).text);
    print_fact("particles", text);
    snprintf(text, sizeof text, "0 to %" PRId64 ", %s per second", facts->frame_end,
             cli_format_real(s->fps).text);
    print_fact("frames", text);
    snprintf(text, sizeof text, "%d thread%s, SIMD level %s", now->threads,
             now->threads == 1 ? "" : "s", now->simd);
    print_fact("machine", text);
    if (*now->device != '\0') {
        snprintf(text, sizeof text, "%s: %s", now->backend, now->device);
        print_fact("device", text);
    }
    print_fact("folder", facts->folder);
}

static void header_json(const cli_run_facts* facts, const firn_sim_info* now)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "event", "start");
    cli_json_text(&json, "scene", facts->scene->name);
    cli_json_text(&json, "variant", facts->scene->variant);
    cli_json_text(&json, "solver", facts->scene->solver);
    cli_json_int(&json, "particles", now->particle_count);
    cli_json_real(&json, "cell", facts->scene->cell);
    cli_json_real(&json, "fps", facts->scene->fps);
    cli_json_int(&json, "frame_end", facts->frame_end);
    cli_json_int(&json, "threads", now->threads);
    cli_json_text(&json, "simd", now->simd);
    cli_json_text(&json, "backend", now->backend);
    cli_json_text(&json, "device", *now->device != '\0' ? now->device : NULL);
    cli_json_text(&json, "folder", facts->folder);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_run_header(const cli_run_facts* facts, const firn_sim* sim, bool json)
{
    const firn_sim_info now = firn_sim_read(sim);
    if (json)
        header_json(facts, &now);
    else
        header_text(facts, &now);
}

static void print_files(const char* name, const cli_files* files)
{
    char text[1200];
    if (files->count == 0) return;
    if (files->count == 1)
        snprintf(text, sizeof text, "%s", files->first);
    else
        snprintf(text, sizeof text, "%s and %" PRId64 " more", files->first, files->count - 1);
    print_fact(name, text);
}

static void footer_text(const cli_run_facts* facts, const firn_sim_info* now, firn_result result)
{
    const cli_files film = cli_run_folder_files(facts->folder, ".mp4");
    const cli_files sheet = cli_run_folder_files(facts->folder, ".sheet.png");
    cli_files pictures = cli_run_folder_files(facts->folder, ".png");
    pictures.count -= sheet.count;  // the sheet's name sorts after theirs
    const cli_files frames = cli_run_folder_files(facts->folder, ".hdf");
    const cli_files volumes = cli_run_folder_files(facts->folder, ".vdb");
    fprintf(stderr, "%s%s%s: %" PRId64 " frames, %" PRId64 " steps, peak memory %s",
            cli_style_on(stderr, CLI_BOLD), result == FIRN_OK ? "done" : "stopped",
            cli_style_off(stderr), now->frame, now->step,
            cli_format_bytes((double)now->memory_peak_bytes).text);
    if (now->device_bytes > 0)
        fprintf(stderr, ", device memory %s", cli_format_bytes((double)now->device_bytes).text);
    if (now->rollbacks > 0)
        fprintf(stderr, ", %" PRId64 " rollback%s to smaller steps", now->rollbacks,
                now->rollbacks == 1 ? "" : "s");
    if (now->culled > 0)
        fprintf(stderr, ", %s particle%s culled", cli_format_count(now->culled).text,
                now->culled == 1 ? "" : "s");
    putc('\n', stderr);
    print_files("film", &film);
    print_files("sheet", &sheet);
    print_files("pictures", &pictures);
    print_files("cache", &frames);
    print_files("volumes", &volumes);
    if (result != FIRN_OK) return;
    fputs("To view the result:\n", stderr);
    if (film.count > 0)
        fprintf(stderr, "  xdg-open '%s'\n", film.first);
    else if (pictures.count > 0)
        fprintf(stderr, "  xdg-open '%s'\n", pictures.first);
    if (frames.count > 0) fprintf(stderr, "  paraview '%s'\n", frames.first);
    fprintf(stderr, "  %s info '%s'\n", program_invocation_name, facts->folder);
}

static void footer_json(const cli_run_facts* facts, const firn_sim* sim, const firn_sim_info* now,
                        firn_result result)
{
    const cli_files film = cli_run_folder_files(facts->folder, ".mp4");
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "event", "end");
    cli_json_text(&json, "result", cli_result_name(result));
    cli_json_int(&json, "exit_code", cli_exit_code(result));
    if (result != FIRN_OK) cli_json_text(&json, "error", firn_sim_error(sim));
    cli_json_int(&json, "frame", now->frame);
    cli_json_int(&json, "step", now->step);
    cli_json_real(&json, "time", now->time);
    cli_json_int(&json, "rollbacks", now->rollbacks);
    cli_json_int(&json, "culled", now->culled);
    cli_json_real(&json, "memory_peak_bytes", (double)now->memory_peak_bytes);
    cli_json_real(&json, "device_bytes", (double)now->device_bytes);
    const uint64_t hash = result >= 0 ? firn_sim_hash(sim) : 0;
    if (hash != 0) cli_json_hash(&json, "state_hash", hash);
    cli_json_text(&json, "folder", facts->folder);
    cli_json_text(&json, "film", film.count > 0 ? film.first : NULL);
    cli_json_open_object(&json, "stage_seconds");
    for (int i = 0; i < now->stage_count; i++)
        cli_json_real(&json, now->stage_names[i], now->stage_seconds[i]);
    cli_json_close_object(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_run_footer(const cli_run_facts* facts, const firn_sim* sim, firn_result result, bool json,
                    bool quiet, int argc, char** argv)
{
    const firn_sim_info now = firn_sim_read(sim);
    if (json) footer_json(facts, sim, &now, result);
    if (result != FIRN_OK && result != FIRN_INTERRUPTED) cli_error("%s", firn_sim_error(sim));
    if (!json && !quiet) footer_text(facts, &now, result);
    if (result == FIRN_INTERRUPTED && !json) {
        fprintf(stderr, "Interrupted by %s; the state is saved. To continue:\n",
                cli_interrupt_name());
        cli_resume_command_print("run", argc, argv);
    }
}
