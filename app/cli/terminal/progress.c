// SPDX-License-Identifier: MIT
// Progress of long work.
#include "cli/terminal/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/terminal.h"

#define REDRAW_SECONDS 0.1  // nobody reads faster, and slow terminals would delay the steps

cli_progress cli_progress_begin(bool json, bool quiet)
{
    cli_progress p = {.quiet = quiet, .frame_begin = -1, .drawn_at = -1};
    p.mode = json                      ? CLI_PROGRESS_JSON
             : quiet                   ? CLI_PROGRESS_NONE
             : cli_terminal_is(stderr) ? CLI_PROGRESS_LINE
                                       : CLI_PROGRESS_PLAIN;
    return p;
}

void cli_progress_clear(cli_progress* progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}

// Ten marks, filled in proportion to the progress.
static void fill_bar(const firn_progress* now, char bar[11])
{
    const double frames = now->frame_end > 0 ? (double)now->frame_end : 1;
    const double done = now->frame_done ? (double)now->frame
                                        : fmax(0, (double)now->frame - 1) + now->frame_fraction;
    memset(bar, '-', 10);
    memset(bar, '#', (size_t)(10 * fmin(1, fmax(0, done / frames))));
    bar[10] = '\0';
}

// "  sub-step 7  dt 0.0005 s  15 iter.", or nothing where nothing was computed: at frame 0, and in
// exports.
typedef struct steps_text {
    char text[96];
} steps_text;
static steps_text format_steps(const cli_progress* p, const firn_progress* now, bool brief)
{
    steps_text t = {""};
    if (p->frame_steps > 0)
        snprintf(t.text, sizeof t.text,
                 brief ? "  sub-step %" PRId64 "  dt %s s  %d iter."
                       : "  %" PRId64 " sub-steps  dt %s s  %d iterations",
                 p->frame_steps, cli_format_real(now->dt).text, now->iterations);
    return t;
}

// "[####------] frame 12/96  sub-step 7  dt 0.0005 s  15 iter.  302 145 particles  2 min 10 s
// left": without its bar it fits into 80 columns.
static void draw_line(cli_progress* p, const firn_progress* now)
{
    char bar[11], line[256], left[48] = "", culled[48] = "";
    const int width = cli_terminal_width(stderr) - 1;  // the last column makes some terminals wrap
    fill_bar(now, bar);
    if (now->seconds_left >= 0) {
        snprintf(left, sizeof left, "  %s left", cli_format_seconds(now->seconds_left).text);
    }
    if (now->culled > 0)
        snprintf(culled, sizeof culled, "  culled %s", cli_format_count(now->culled).text);
    snprintf(line, sizeof line, "[%s] frame %" PRId64 "/%" PRId64 "%s  %s particles%s%s", bar,
             now->frame, now->frame_end, format_steps(p, now, true).text,
             cli_format_count(now->particle_count).text, culled, left);
    const char* shown = (int)strlen(line) <= width ? line : line + sizeof bar + 2;
    fprintf(stderr, "\r\033[K%.*s", width, shown);
    fflush(stderr);
    p->drawn = true;
    p->drawn_at = now->seconds_elapsed;
}

static void print_plain(const cli_progress* p, const firn_progress* now)
{
    char left[48] = "", culled[48] = "";
    if (now->culled > 0)
        snprintf(culled, sizeof culled, "  culled %s", cli_format_count(now->culled).text);
    if (now->seconds_left >= 0) {
        snprintf(left, sizeof left, "  %s left", cli_format_seconds(now->seconds_left).text);
    }
    fprintf(stderr, "frame %" PRId64 "/%" PRId64 "  time %.4f s%s  %s particles%s  took %s%s\n",
            now->frame, now->frame_end, now->time, format_steps(p, now, false).text,
            cli_format_count(now->particle_count).text, culled,
            cli_format_seconds(now->seconds_elapsed - p->frame_began_at).text, left);
}

static void print_json(const cli_progress* p, const firn_progress* now)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "event", "frame");
    cli_json_int(&json, "frame", now->frame);
    cli_json_int(&json, "frame_end", now->frame_end);
    cli_json_int(&json, "step", now->step);
    cli_json_int(&json, "sub_steps", p->frame_steps);
    cli_json_real(&json, "time", now->time);
    cli_json_real(&json, "dt", now->dt);
    cli_json_int(&json, "iterations", now->iterations);
    cli_json_int(&json, "particles", now->particle_count);
    cli_json_int(&json, "culled", now->culled);
    cli_json_real(&json, "seconds_elapsed", now->seconds_elapsed);
    cli_json_real(&json, "seconds_left", now->seconds_left >= 0 ? now->seconds_left : NAN);
    cli_json_text(&json, "preview", now->preview_path);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_progress_step(void* user, const firn_progress* now)
{
    cli_progress* p = user;
    if (p->frame_begin < 0) p->frame_begin = now->frame_done ? now->step : now->step - 1;
    p->frame_steps = now->step - p->frame_begin;
    if (p->mode == CLI_PROGRESS_LINE) {
        const bool due = p->drawn_at < 0 || now->seconds_elapsed - p->drawn_at >= REDRAW_SECONDS;
        if (now->frame_done || due) draw_line(p, now);
    } else if (now->frame_done && p->mode == CLI_PROGRESS_PLAIN) {
        print_plain(p, now);
    } else if (now->frame_done && p->mode == CLI_PROGRESS_JSON) {
        print_json(p, now);
    }
    if (now->frame_done) {
        p->frame_began_at = now->seconds_elapsed;
        p->frame_begin = now->step;
    }
}

static void log_json(firn_log_level level, const char* id, const char* text)
{
    static const char* const levels[] = {"debug", "info", "warning", "error"};
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "event", "log");
    cli_json_text(&json, "level", levels[level]);
    cli_json_text(&json, "id", id);
    cli_json_text(&json, "text", text);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_progress_log(void* user, firn_log_level level, const char* id, const char* text)
{
    cli_progress* p = user;
    if (level == FIRN_LOG_DEBUG) return;
    if (p->mode == CLI_PROGRESS_JSON) {
        log_json(level, id, text);
        return;
    }
    if (level == FIRN_LOG_INFO && p->quiet) return;
    cli_progress_clear(p);
    if (level == FIRN_LOG_INFO)
        fprintf(stderr, "%s\n", text);
    else if (level == FIRN_LOG_WARNING)
        cli_warning("%s [%s]", text, id);
    else
        cli_error("%s [%s]", text, id);
}
