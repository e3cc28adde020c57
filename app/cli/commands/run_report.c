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
#include "cli/terminal/quote.h"
#include "cli/terminal/terminal.h"

static void print_facts(const char* name, const char* value, const char* more)
{
    fprintf(stderr, "  %s%-9s%s %s%s\n", cli_style_on(stderr, CLI_DIM), name, cli_style_off(stderr),
            value, more);
}

static void print_fact(const char* name, const char* value)
{
    print_facts(name, value, "");
}

static void header_text(const cli_run_facts* facts, const firn_sim_info* now)
{
    const firn_scene_info* s = facts->scene;
    char text[200];
    const bool has_variant = *s->variant != '\0';
    fprintf(stderr, "%s%s%s%s%s%s%s\n", cli_style_on(stderr, CLI_BOLD), s->name,
            has_variant ? ", variant " : "", s->variant, *s->title ? ": " : "", s->title,
            cli_style_off(stderr));
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
        snprintf(text, sizeof text, "%s: ", now->backend);
        print_facts("device", text, now->device);
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
    char more[64] = "";
    if (!files->first) return;
    if (files->count > 1) snprintf(more, sizeof more, " and %" PRId64 " more", files->count - 1);
    print_facts(name, files->first, more);
}

static void footer_numbers(const firn_sim_info* now, firn_result result)
{
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
}

static void footer_text(const cli_run_facts* facts, const firn_sim_info* now, firn_result result)
{
    enum { FILM, SHEET, PICTURES, FRAMES, VOLUMES, KINDS };
    static const char* const endings[] = {".mp4", ".sheet.png", ".png", ".hdf", ".vdb"};
    static const char* const names[] = {"film", "sheet", "pictures", "cache", "volumes"};
    cli_files files[KINDS];
    footer_numbers(now, result);
    for (int k = 0; k < KINDS; k++) files[k] = cli_run_folder_files(facts->folder, endings[k]);
    files[PICTURES].count -= files[SHEET].count;  // the sheet's name sorts after theirs
    for (int k = 0; k < KINDS; k++)
        if (files[k].count > 0) print_files(names[k], &files[k]);
    if (result == FIRN_OK) {
        fputs("To view the result:\n", stderr);
        if (files[FILM].first)
            cli_hint_print("xdg-open", NULL, files[FILM].first);
        else if (files[PICTURES].count > 0)
            cli_hint_print("xdg-open", NULL, files[PICTURES].first);
        if (files[FRAMES].first) cli_hint_print("paraview", NULL, files[FRAMES].first);
        cli_hint_print(program_invocation_name, "info", facts->folder);
    }
    for (int k = 0; k < KINDS; k++) cli_files_free(&files[k]);
}

static void footer_json(const cli_run_facts* facts, const firn_sim* sim, const firn_sim_info* now,
                        firn_result result)
{
    cli_files film = cli_run_folder_files(facts->folder, ".mp4");
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
    cli_json_text(&json, "film", film.first);
    cli_files_free(&film);
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
    // a run that was refused has computed nothing: what lies in the folder is another one
    const bool refused = result > 0 && result != FIRN_INTERRUPTED && now.step == 0;
    if (!json && !quiet && !refused) footer_text(facts, &now, result);
    if (result == FIRN_INTERRUPTED && !json) {
        fprintf(stderr, "Interrupted by %s; the state is saved. To continue:\n",
                cli_interrupt_name());
        cli_resume_command_print("run", argc, argv);
    }
}
