// SPDX-License-Identifier: MIT
// Progress of `firn render`.
#include "cli/terminal/render_progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/terminal.h"

#define REDRAW_SECONDS 0.1  // nobody reads faster

cli_render_progress cli_render_progress_begin(bool json, bool quiet)
{
    return (cli_render_progress){.base = cli_progress_begin(json, quiet), .wait_frame = -1};
}

static double fraction_of(const firn_render_progress* now)
{
    if (now->waiting) return 0;
    if (now->picture_done) return 1;
    const double spent = now->picture_seconds, left = now->picture_seconds_left;
    return left >= 0 && spent + left > 0 ? spent / (spent + left) : 0;
}

static void fill_bar(double share, char bar[11])
{
    memset(bar, '-', 10);
    memset(bar, '#', (size_t)(10 * fmin(1, fmax(0, share))));
    bar[10] = '\0';
}

// "  12 min 5 s left"; "" if unknown.
static void left_text(double seconds, const char* left, char* out, size_t size)
{
    out[0] = '\0';
    if (seconds >= 0) snprintf(out, size, "  %s%s", cli_format_seconds(seconds).text, left);
}

// "  noise 2.4 %"
static void noise_text(const firn_render_progress* now, char* out, size_t size)
{
    out[0] = '\0';
    if (now->noise > 0 && isfinite(now->noise))
        snprintf(out, size, "  noise %.2g %%", 100 * now->noise);
}

// "[####------] 12/97  12 min 5 s left   frame 12 [######----] 38/64  noise 2.4 %  8 s left": all
// pictures, then the current one. Without the first "left" it fits into 80 columns.
static void write_line(const firn_render_progress* now, const char* left, char* line, size_t size)
{
    char all[11], one[11], noise[40], all_left[48], one_left[48];
    const double share = fraction_of(now);
    const int64_t before = now->picture_done ? now->done - 1 : now->done;
    fill_bar(((double)before + share) / (now->wanted > 0 ? (double)now->wanted : 1), all);
    fill_bar(share, one);
    noise_text(now, noise, sizeof noise);
    left_text(now->wanted > 1 ? now->seconds_left : -1, left, all_left, sizeof all_left);
    left_text(now->picture_seconds_left, left, one_left, sizeof one_left);
    const int64_t picture = before < now->wanted ? before + 1 : now->wanted;
    const int used = snprintf(line, size, "[%s] %" PRId64 "/%" PRId64 "%s   ", all, picture,
                              now->wanted, all_left);
    if (used < 0 || (size_t)used >= size) return;
    if (now->waiting)
        snprintf(line + used, size - (size_t)used, "waiting for frame %" PRId64, now->frame);
    else
        snprintf(line + used, size - (size_t)used,
                 "frame %" PRId64 " [%s] %" PRId64 "/%" PRId64 "%s%s", now->frame, one, now->passes,
                 now->passes_max, noise, one_left);
}

static void draw_line(cli_render_progress* p, const firn_render_progress* now)
{
    char line[320];
    const int width = cli_terminal_width(stderr) - 1;  // the last column makes some terminals wrap
    write_line(now, " left", line, sizeof line);
    if ((int)strlen(line) > width) write_line(now, "", line, sizeof line);
    fprintf(stderr, "\r\033[K%.*s", width, line);
    fflush(stderr);
    p->base.drawn = true;
    p->base.drawn_at = now->seconds_elapsed;
}

static void print_plain(cli_render_progress* p, const firn_render_progress* now)
{
    char noise[40], left[48];
    if (now->waiting) {
        if (p->wait_frame != now->frame)
            fprintf(stderr, "waiting for frame %" PRId64 "\n", now->frame);
        p->wait_frame = now->frame;
    } else if (now->picture_done) {
        noise_text(now, noise, sizeof noise);
        left_text(now->done < now->wanted ? now->seconds_left : -1, " left", left, sizeof left);
        fprintf(stderr,
                "picture %" PRId64 "/%" PRId64 "  frame %" PRId64 "  %" PRId64
                " passes%s  took %s%s\n",
                now->done, now->wanted, now->frame, now->passes, noise,
                cli_format_seconds(now->picture_seconds).text, left);
    }
}

static void print_json(const firn_render_progress* now)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "event", "picture");
    cli_json_int(&json, "frame", now->frame);
    cli_json_int(&json, "done", now->done);
    cli_json_int(&json, "wanted", now->wanted);
    cli_json_int(&json, "passes", now->passes);
    cli_json_real(&json, "noise", now->noise > 0 ? now->noise : NAN);
    cli_json_real(&json, "seconds", now->picture_seconds);
    cli_json_real(&json, "seconds_elapsed", now->seconds_elapsed);
    cli_json_real(&json, "seconds_left", now->seconds_left >= 0 ? now->seconds_left : NAN);
    cli_json_text(&json, "picture", now->picture_path);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

void cli_render_progress_step(void* user, const firn_render_progress* now)
{
    cli_render_progress* p = user;
    const double drawn_at = p->base.drawn_at;
    switch (p->base.mode) {
    case CLI_PROGRESS_NONE: break;
    case CLI_PROGRESS_LINE:
        if (now->picture_done || drawn_at < 0 || now->seconds_elapsed - drawn_at >= REDRAW_SECONDS)
            draw_line(p, now);
        break;
    case CLI_PROGRESS_PLAIN: print_plain(p, now); break;
    case CLI_PROGRESS_JSON:
        if (now->picture_done) print_json(now);
        break;
    }
}
