// SPDX-License-Identifier: MIT
// Layout of the overlay.
#include "viewer/overlay.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "viewer/input/controls.h"
#include "viewer/panels/panels.h"

#define MARGIN 16.0f     // [pixels] at ui = 1, as all below
#define LINE 16.0f       // line height
#define TITLE 20.0f      // line height of the scene's name
#define PAD 10.0f        // padding of panels
#define LEGEND_STEPS 48  // rectangles of the colour bar
#define LEGEND_WIDTH 14.0f
#define LEGEND_HEIGHT 180.0f
#define HELP_COLUMN 120.0f  // width of the column of keys
#define HELP_LINE 23.0f
#define HELP_PAD 20.0f

static const float white[4] = {1, 1, 1, 1};
static const float soft[4] = {0.80f, 0.86f, 0.92f, 1};
static const float panel[4] = {0.05f, 0.08f, 0.12f, 0.62f};
static const float accent[4] = {0.42f, 0.74f, 1.0f, 1};
static const float red[4] = {0.95f, 0.25f, 0.22f, 1};

static void add_rect(view_overlay* o, float x, float y, float width, float height,
                     const float colour[4])
{
    if (o->rect_count == VIEW_OVERLAY_RECTS) return;
    view_rect* p = &o->rects[o->rect_count++];
    *p = (view_rect){.x = x, .y = y, .width = width, .height = height};
    memcpy(p->colour, colour, sizeof p->colour);
}

// Null: the buffers are full.
__attribute__((format(printf, 6, 7))) static const char* add_text(view_overlay* o, float x, float y,
                                                                  float size, const float colour[4],
                                                                  const char* format, ...)
{
    const int room = VIEW_OVERLAY_CHARS - o->chars_used;
    if (o->text_count == VIEW_OVERLAY_TEXTS || room < 2) return NULL;
    char* text = o->chars + o->chars_used;
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, (size_t)room, format, list);
    va_end(list);
    if (length < 0) return NULL;
    o->chars_used += (length < room ? length : room - 1) + 1;
    view_text* w = &o->texts[o->text_count++];
    *w = (view_text){.x = x, .y = y, .size = size, .text = text};
    memcpy(w->colour, colour, sizeof w->colour);
    return text;
}

static float width_of(view_draw* draw, float size, const char* text)
{
    float width = 0, height = 0;
    if (text) view_draw_measure(draw, size, text, &width, &height);
    return width;
}

// [pixels] of the part of the window that panels leave free.
static float right_edge(const view_session* s)
{
    return (float)view_scene_width(s);
}

// Digits in groups of three: 75 600.
static void print_count(char* out, size_t size, int64_t count)
{
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%lld", (long long)count);
    size_t at = 0;
    for (int k = 0; k < n && at + 2 < size; k++) {
        if (k > 0 && (n - k) % 3 == 0) out[at++] = ' ';
        out[at++] = digits[k];
    }
    out[at] = '\0';
}

// "0.8 ms", "12 ms", "1.4 s".
static void print_duration(char* out, size_t size, double seconds)
{
    if (seconds < 0.0995)
        snprintf(out, size, seconds < 0.00995 ? "%.2f ms" : "%.1f ms", 1e3 * seconds);
    else
        snprintf(out, size, seconds < 0.9995 ? "%.0f ms" : "%.3g s",
                 seconds < 0.9995 ? 1e3 * seconds : seconds);
}

// Appends to a line after a gap.
__attribute__((format(printf, 3, 4))) static void append(char* line, size_t size,
                                                         const char* format, ...)
{
    const size_t used = strlen(line);
    if (used + 8 > size) return;
    const int gap = used > 0 ? snprintf(line + used, size - used, "    ") : 0;
    va_list list;
    va_start(list, format);
    vsnprintf(line + used + gap, size - used - (size_t)gap, format, list);
    va_end(list);
}

// ---- figures ------------------------------------------------------------------------------------

static void compose_figures(view_overlay* o, const view_session* s, view_draw* draw)
{
    const float u = (float)s->ui;
    const view_snapshot* now = s->now;
    char one[160] = "", two[160] = "", count[40], once[40];
    print_count(count, sizeof count, now->count);
    append(one, sizeof one, "%s particles", count);
    append(one, sizeof one, "%s", s->source->backend);
    if (!isnan(now->temperature)) append(one, sizeof one, "air %+.1f degC", now->temperature);
    if (!s->lockstep && s->frame_rate > 0)
        append(two, sizeof two, s->frame_rate < 9.5 ? "%.1f fps" : "%.0f fps", s->frame_rate);
    if (s->source->is_live && !s->lockstep && now->step_seconds > 0) {
        print_duration(once, sizeof once, now->step_seconds);
        append(two, sizeof two, "step %s", once);
        append(two, sizeof two, "%.0f steps/s", now->steps_per_second);
        append(two, sizeof two, now->real_time < 0.0995 ? "%.3fx real time" : "%.2fx real time",
               now->real_time);
    }
    float x = (MARGIN + PAD) * u, y = (MARGIN + PAD) * u;
    const char* title = add_text(o, x, y, TITLE * u, white, "%s", s->source->name);
    const float title_width = width_of(draw, TITLE * u, title);
    add_text(o, x + title_width + 10 * u, y + (TITLE - LINE) * u, LINE * u, accent, "%s",
             s->source->solver);
    float width = title_width + 10 * u + width_of(draw, LINE * u, s->source->solver);
    y += (TITLE + 8) * u;
    const char* const lines[3] = {one, two, s->style_note};
    for (int k = 0; k < 3; k++) {
        if (!*lines[k]) continue;
        width = fmaxf(width,
                      width_of(draw, LINE * u, add_text(o, x, y, LINE * u, soft, "%s", lines[k])));
        y += (LINE + 4) * u;
    }
    add_rect(o, MARGIN * u, MARGIN * u, width + 2 * PAD * u, y + (PAD - 4 - MARGIN) * u, panel);
}

// ---- legend -------------------------------------------------------------------------------------

static void compose_legend(view_overlay* o, const view_session* s, view_draw* draw)
{
    const view_snapshot* now = s->now;
    if (!*s->colouring.field || !now->has_value) return;
    const float u = (float)s->ui;
    char name[96], low[32], high[32], middle[32];
    const bool has_unit = *now->unit && strcmp(now->unit, "1") != 0;
    snprintf(name, sizeof name, has_unit ? "%s [%s]" : "%s", s->colouring.label, now->unit);
    snprintf(low, sizeof low, "%.4g", s->colouring.low);
    snprintf(high, sizeof high, "%.4g", s->colouring.high);
    snprintf(middle, sizeof middle, "%.4g", 0.5 * (s->colouring.low + s->colouring.high));
    float labels = fmaxf(width_of(draw, LINE * u, low), width_of(draw, LINE * u, high));
    labels = fmaxf(labels, width_of(draw, LINE * u, middle)) + (LEGEND_WIDTH + 8) * u;
    const float inside = fmaxf(width_of(draw, LINE * u, name), labels);
    const float left = right_edge(s) - (MARGIN + PAD) * u - inside, top = (MARGIN + PAD) * u;
    add_rect(o, left - PAD * u, MARGIN * u, inside + 2 * PAD * u,
             (LINE + 12 + LEGEND_HEIGHT + 2 * PAD) * u, panel);
    add_text(o, left, top, LINE * u, white, "%s", name);
    const float bar = top + (LINE + 12) * u, each = LEGEND_HEIGHT * u / LEGEND_STEPS;
    for (int k = 0; k < LEGEND_STEPS; k++) {
        float colour[4] = {0, 0, 0, 1};
        view_scale_colour(s->map, 1 - ((float)k + 0.5f) / LEGEND_STEPS, colour);
        add_rect(o, left, bar + (float)k * each, LEGEND_WIDTH * u, each + 0.5f, colour);
    }
    const char* const texts[3] = {high, middle, low};
    for (int k = 0; k < 3; k++) {
        const float y = bar + 0.5f * (float)k * (LEGEND_HEIGHT - LINE) * u;
        add_text(o, left + (LEGEND_WIDTH + 8) * u, y, LINE * u, soft, "%s", texts[k]);
    }
}

// ---- time ---------------------------------------------------------------------------------------

// The button shows what a click does: two bars pause, a triangle plays.
static void compose_play_button(view_overlay* o, const view_session* s)
{
    const float u = (float)s->ui;
    const view_play_button b = view_play_button_place(s);
    const float x = (float)(b.x + b.margin), y = (float)(b.y + b.margin);
    const float face[4] = {1, 1, 1, 0.14f};
    add_rect(o, (float)b.x, (float)b.y, (float)b.side, (float)b.side, face);
    if (s->playing) {
        add_rect(o, x + 1 * u, y, 4 * u, 14 * u, white);
        add_rect(o, x + 9 * u, y, 4 * u, 14 * u, white);
        return;
    }
    for (int k = 0; k < 7; k++) {
        const float height = (14 - 2 * (float)k) * u;
        add_rect(o, x + (1.5f + 1.8f * (float)k) * u, y + 0.5f * (14 * u - height), 1.9f * u,
                 height, accent);
    }
}

static void compose_time(view_overlay* o, const view_session* s, view_draw* draw)
{
    const float u = (float)s->ui;
    const view_timeline t = view_timeline_place(s);
    const float y =
        s->source->is_live ? (float)s->height - (MARGIN + PAD + LINE) * u : (float)t.y - 34 * u;
    const float x = (MARGIN + PAD) * u;
    char line[160] = "";
    append(line, sizeof line, "%.3f s", s->now->time);
    if (!s->source->is_live) append(line, sizeof line, "frame %lld", (long long)s->now->frame);
    if (s->speed != 1) append(line, sizeof line, "speed %gx", s->speed);
    const char* text = add_text(o, x + 34 * u, y, LINE * u, white, "%s", line);
    const float bottom = (float)s->height - MARGIN * u;
    if (s->source->is_live) {
        add_rect(o, MARGIN * u, y - PAD * u, width_of(draw, LINE * u, text) + (34 + 2 * PAD) * u,
                 bottom - y + PAD * u, panel);
    } else {
        const int64_t* frames;
        const int count = s->source->ops->frames(s->source, &frames);
        const double first = (double)frames[0], last = (double)frames[count - 1];
        const double share = last > first ? ((double)s->now->frame - first) / (last - first) : 1;
        const float played = (float)(t.width * view_clamp(share, 0, 1));
        const float line_colour[4] = {1, 1, 1, 0.28f};
        add_rect(o, 8 * u, y - PAD * u, right_edge(s) - 16 * u,
                 (float)s->height - 8 * u - y + PAD * u, panel);
        add_rect(o, (float)t.x, (float)t.y, (float)t.width, (float)t.height, line_colour);
        add_rect(o, (float)t.x, (float)t.y, played, (float)t.height, accent);
        add_rect(o, (float)t.x + played - 3 * u, (float)t.y - 5 * u, 6 * u,
                 (float)t.height + 10 * u, white);
    }
    compose_play_button(o, s);
}

// ---- help and messages --------------------------------------------------------------------------

static void compose_help(view_overlay* o, const view_session* s, view_draw* draw)
{
    const float u = (float)s->ui;
    const char* const* help = view_controls_help(s->source->is_live);
    int lines = 0;
    float widest = 0;
    for (; help[lines]; lines++)
        widest = fmaxf(widest, width_of(draw, LINE * u, strchr(help[lines], '\t') + 1));
    // scale down if the window is too low
    const float room = (float)s->height - 2 * MARGIN * u;
    const float needed = ((float)lines * HELP_LINE + 2 * HELP_PAD) * u;
    const float shrink = fminf(1, room / needed) * u;
    const float width = (HELP_COLUMN + 2 * HELP_PAD) * shrink + widest * shrink / u;
    const float height = ((float)lines * HELP_LINE + 2 * HELP_PAD) * shrink;
    const float x = 0.5f * (right_edge(s) - width), y = 0.5f * ((float)s->height - height);
    const float dark[4] = {0.04f, 0.06f, 0.10f, 0.86f};
    add_rect(o, x, y, width, height, dark);
    for (int k = 0; k < lines; k++) {
        const float at = y + (HELP_PAD + (float)k * HELP_LINE + 2) * shrink;
        const char* tab = strchr(help[k], '\t');
        add_text(o, x + HELP_PAD * shrink, at, LINE * shrink, accent, "%.*s", (int)(tab - help[k]),
                 help[k]);
        add_text(o, x + (HELP_PAD + HELP_COLUMN) * shrink, at, LINE * shrink, white, "%s", tab + 1);
    }
}

// Wraps a text at spaces so that no line is wider than `most`.
static void wrap(view_draw* draw, float size, float most, char* text)
{
    char* line = text;
    char* space = NULL;
    for (char* c = text;; c++) {
        if (*c != ' ' && *c != '\0') continue;
        const char kept = *c;
        *c = '\0';
        const bool too_long = width_of(draw, size, line) > most;
        *c = kept;
        if (too_long && space) {
            *space = '\n';
            line = space + 1;
        }
        space = c;
        if (!kept) return;
    }
}

static void compose_message(view_overlay* o, const view_session* s, view_draw* draw)
{
    const float u = (float)s->ui;
    char text[sizeof s->message];
    float width, height;
    snprintf(text, sizeof text, "%s", s->message);
    wrap(draw, LINE * u, right_edge(s) - 2 * (MARGIN + PAD) * u, text);
    view_draw_measure(draw, LINE * u, text, &width, &height);
    const float x = fmaxf(0.5f * (right_edge(s) - width), (MARGIN + PAD) * u);
    const float y = (float)s->height - (s->source->is_live ? 90 : 120) * u + LINE * u - height;
    add_text(o, x, y, LINE * u, white, "%s", text);
    add_rect(o, x - PAD * u, y - 0.7f * PAD * u, width + 2 * PAD * u, height + 1.4f * PAD * u,
             panel);
}

// Brackets around the particle that was picked.
static void compose_picked(view_overlay* o, const view_session* s)
{
    const view_particle* picked = &s->now->picked;
    if (!s->has_picked || !picked->found || picked->id != s->picked) return;
    const float* at = s->now->position[picked->index];
    double x, y, depth;
    if (!view_orbit_project(&s->camera, (view_vec){at[0], at[1], at[2]}, view_scene_width(s),
                            s->height, &x, &y, &depth))
        return;
    const double radius = s->now->has_radius ? (double)s->now->radius[picked->index]
                                             : VIEW_COVER * s->source->view.spacing;
    const double pixels = 0.5 * s->height / tan(s->camera.fov * VIEW_PI / 360);
    const float u = (float)s->ui, half = fmaxf((float)(1.3 * radius / depth * pixels), 7 * u);
    const float arm = 0.6f * half, thick = fmaxf(2 * u, 1.5f);
    const float colour[4] = {1, 0.35f, 0.1f, 1};
    for (int k = 0; k < 4; k++) {
        const float sx = k & 1 ? 1.0f : -1.0f, sy = k & 2 ? 1.0f : -1.0f;
        const float cx = (float)x + sx * half, cy = (float)y + sy * half;
        add_rect(o, sx > 0 ? cx - arm : cx, cy - 0.5f * thick, arm, thick, colour);
        add_rect(o, cx - 0.5f * thick, sy > 0 ? cy - arm : cy, thick, arm, colour);
    }
}

static void compose_corner(view_overlay* o, const view_session* s, view_draw* draw)
{
    const float u = (float)s->ui;
    const float y = (float)s->height - (s->source->is_live ? MARGIN + PAD + LINE : 64.0f) * u;
    const char* const hint = "T  help";
    const float x = right_edge(s) - (MARGIN + PAD) * u - width_of(draw, LINE * u, hint);
    add_text(o, x, y, LINE * u, soft, "%s", hint);
    if (!s->recording) return;
    const char* const sign = "REC";
    const float at = x - 24 * u - width_of(draw, LINE * u, sign);
    add_rect(o, at - 20 * u, y + 2 * u, 12 * u, 12 * u, red);
    add_text(o, at, y, LINE * u, white, "%s", sign);
}

void view_overlay_compose(view_overlay* o, const view_session* s, view_draw* draw)
{
    o->text_count = o->rect_count = o->chars_used = 0;
    compose_picked(o, s);
    if (s->overlay && !s->help) {
        compose_figures(o, s, draw);
        compose_legend(o, s, draw);
        compose_time(o, s, draw);
        compose_corner(o, s, draw);
    }
    if (s->help)
        compose_help(o, s, draw);
    else if (s->message[0] && s->clock < s->message_until)
        compose_message(o, s, draw);
}
