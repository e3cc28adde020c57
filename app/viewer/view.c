// SPDX-License-Identifier: MIT
// The main loop of `firn view`.
#include "viewer/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "viewer/clock.h"
#include "viewer/draw/png_write.h"
#include "viewer/draw/renderer.h"
#include "viewer/gl/headless.h"
#include "viewer/input/controls.h"
#include "viewer/input/script.h"
#include "viewer/input/tools.h"
#include "viewer/names.h"
#include "viewer/panels/panels.h"
#include "viewer/record.h"
#include "viewer/save/save.h"
#include "viewer/style_trial.h"
#include "viewer/window.h"

#define FPS 30.0            // of films and headless sessions
#define FASTEST (1.0 / 60)  // [s] minimum frame time if vertical sync does not limit it
#define IDLE 0.05           // [s] poll interval while nothing changes
#define RATE_SECONDS 0.5    // averaging time of the frame rate

typedef struct app {
    const view_def* def;
    view_session s;
    view_source* source;
    view_window* window;
    view_headless* headless;
    view_renderer* renderer;
    view_panels* panels;
    view_record record;
    view_script* script;
} app;

// ---- start --------------------------------------------------------------------------------------

static firn_result choose_colour(app* a, firn_error* error)
{
    const char* field = a->def->colour_by;
    view_colouring colouring;
    if (!field) {
        field = a->source->view.colour_by;
        if (!view_source_has_field(a->source, field)) field = "";
    }
    if (*field && !view_source_has_field(a->source, field)) {
        char all[1024] = "";
        for (int k = 0; k < a->source->field_count; k++) {
            const size_t used = strlen(all);
            snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", a->source->fields[k]);
        }
        error->code = FIRN_REFUSED_ARGUMENT;
        snprintf(error->text, sizeof error->text,
                 "option '--colour-by': there is no field '%s' (available: %s)", field, all);
        return FIRN_REFUSED_ARGUMENT;
    }
    view_colouring_by_field(&colouring, a->source, field);
    view_session_set_colouring(&a->s, &colouring);
    return FIRN_OK;
}

static firn_result open_source(app* a, firn_error* error)
{
    const view_def* d = a->def;
    const view_live_def live = {d->scene, d->backend, d->threads, d->headless};
    firn_result r = d->scene ? view_source_live(&live, &a->source, error)
                             : view_source_replay(d->dir, d->headless, &a->source, error);
    if (r != FIRN_OK) return r;
    const firn_view_info* view = &a->source->view;
    a->s = (view_session){.source = a->source,
                          .now = a->source->ops->latest(a->source),
                          .width = d->width,
                          .height = d->height,
                          .ui = view_session_ui(d->width, d->height, 1),
                          .camera = view_orbit_from(view->eye, view->look_at, view->fov),
                          .style = d->style,
                          .shadows = true,
                          .overlay = d->overlay,
                          .speed = d->speed,
                          .playing = !d->paused,
                          .lockstep = d->headless,
                          .celsius = NAN};
    a->s.panels = a->panels = view_panels_create(a->source, d->dir);
    a->s.panels_on = d->panels && a->panels;
    view_tools_begin(&a->s);
    r = choose_colour(a, error);
    if (r == FIRN_OK) a->source->ops->play(a->source, a->s.playing, a->s.speed);
    return r;
}

static firn_result open_screen(app* a, firn_error* error)
{
    if (a->def->headless) {
        char problem[512] = "";
        if (view_headless_create(a->s.width, a->s.height, &a->headless, problem, sizeof problem))
            return FIRN_OK;
        return view_refuse(error, FIRN_REFUSED_BACKEND, problem);
    }
    char title[256];
    snprintf(title, sizeof title, "firn: %s (%s)", a->source->name, a->source->solver);
    return view_window_open(a->s.width, a->s.height, title, &a->window, error);
}

// ---- a picture ----------------------------------------------------------------------------------

static firn_result refuse_file(firn_error* error, const char* path)
{
    error->code = FIRN_REFUSED_IO;
    snprintf(error->text, sizeof error->text, "cannot write the picture '%s': %s", path,
             strerror(errno ? errno : ENOMEM));
    return FIRN_REFUSED_IO;
}

static firn_result write_picture(app* a, const char* path, firn_error* error)
{
    errno = 0;
    const uint8_t* pixels = view_renderer_read(a->renderer, &a->s);
    if (pixels && view_png_write(path, a->s.width, a->s.height, pixels)) return FIRN_OK;
    return refuse_file(error, path);
}

// Requests for files (F12, R, W, K). Errors are shown as messages.
static void handle_file_requests(app* a)
{
    firn_error error = {0};
    view_session* s = &a->s;
    const view_def* d = a->def;
    const view_save_def save = {d->scene_name, d->load, d->dir};
    if (s->wants_scene) view_save_named(&save, s, false);
    if (s->wants_camera) view_save_named(&save, s, true);
    s->wants_scene = s->wants_camera = false;
    if (s->wants_screenshot) {
        s->wants_screenshot = false;
        char* path = view_name_reserve(s->source->name, "png");
        if (!path)
            view_session_show_message(s, "no screenshot: %s", strerror(errno));
        else if (write_picture(a, path, &error) != FIRN_OK)
            view_session_show_message(s, "%s", error.text);
        else
            view_session_show_message(s, "screenshot: %s", path);
        free(path);
    }
    if (s->wants_record) {
        s->wants_record = false;
        const firn_result r = a->record.film ? view_record_end(&a->record, s, &error)
                                             : view_record_begin(&a->record, s, NULL, FPS, &error);
        if (r != FIRN_OK) view_session_show_message(s, "%s", error.text);
    }
}

static bool wants_file(const view_session* s)
{
    return s->wants_screenshot || s->wants_record || s->wants_scene || s->wants_camera;
}

static firn_result draw_picture(app* a, firn_error* error)
{
    view_colouring_follow(&a->s.colouring, a->s.now);
    view_panels_update(&a->s);
    view_renderer_draw(a->renderer, &a->s);
    if (wants_file(&a->s)) handle_file_requests(a);
    const firn_result r = view_record_add(&a->record, &a->s, a->renderer, error);
    if (r != FIRN_OK) {
        firn_error ending = {0};
        view_record_end(&a->record, &a->s, &ending);
        if (a->window) {
            view_session_show_message(&a->s, "%s", error->text);
            return FIRN_OK;
        }
        return r;
    }
    return a->script ? view_script_after(a->script, &a->s, a->renderer, error) : FIRN_OK;
}

// ---- with a window ------------------------------------------------------------------------------

static void update_frame_rate(view_session* s, int* pictures, double* since)
{
    ++*pictures;
    const double passed = s->clock - *since;
    if (passed < RATE_SECONDS) return;
    s->frame_rate = *pictures / passed;
    *pictures = 0;
    *since = s->clock;
}

static void limit_frame_rate(double begin)
{
    const double left = FASTEST - (view_clock() - begin);
    if (!(left > 0)) return;
    const struct timespec pause = {.tv_nsec = (long)(1e9 * left)};
    nanosleep(&pause, NULL);
}

static void show_failure(view_session* s)
{
    firn_error error = {0};
    if (!s->source->ops->failed(s->source, &error)) return;
    if (s->source->is_live) s->playing = false;
    view_session_show_message(s, "%s%s", error.text, s->source->is_live ? "  (Home restarts)" : "");
}

static firn_result run_window(app* a, firn_error* error)
{
    view_session* s = &a->s;
    const double start = view_clock();
    uint64_t drawn_version = 0, drawn_events = UINT64_MAX;
    double since = 0, wait = 0;
    view_style_trial trial = {.may_change = a->def->style_may_change};
    int pictures = 0;
    bool said = false;
    while (!s->quit) {
        if (a->def->cancelled && a->def->cancelled()) return FIRN_INTERRUPTED;
        view_window_poll(a->window, s, wait);
        const double begin = view_clock();
        s->clock = begin - start;
        if (a->script) view_script_before(a->script, s);
        s->now = a->source->ops->latest(a->source);
        show_failure(s);
        const bool says = s->message[0] && s->clock < s->message_until;
        const bool same = s->now->version == drawn_version && s->events == drawn_events &&
                          said == says && !s->recording && !a->script;
        wait = same ? IDLE / 4 : 0;
        if (same) continue;
        drawn_version = s->now->version;
        drawn_events = s->events;
        said = says;
        const firn_result r = draw_picture(a, error);
        if (r != FIRN_OK) return r;
        view_window_show(a->window);
        view_style_try(&trial, s, view_clock() - begin);
        update_frame_rate(s, &pictures, &since);
        limit_frame_rate(begin);
    }
    return FIRN_OK;
}

// ---- headless -----------------------------------------------------------------------------------

// Advances the source by `seconds`; returns its error, if any.
static firn_result advance_source(app* a, double seconds, firn_error* error)
{
    if (a->def->cancelled && a->def->cancelled()) return FIRN_INTERRUPTED;
    a->source->ops->advance(a->source, seconds);
    a->s.now = a->source->ops->latest(a->source);
    return a->source->ops->failed(a->source, error) ? error->code : FIRN_OK;
}

// Advances to the time of --time or --frame.
static firn_result advance_to_time(app* a, firn_error* error)
{
    const view_def* d = a->def;
    const double fps = a->source->view.fps;
    const double time = d->frame >= 0 ? (double)d->frame / fps : d->time;
    if (!a->source->is_live) {
        if (d->frame >= 0 || time >= 0)
            a->source->ops->seek(a->source,
                                 d->frame >= 0 ? d->frame : (int64_t)(time * fps + 1e-6));
        a->source->ops->play(a->source, false, 1);
        const firn_result r = advance_source(a, 0, error);
        if (r != FIRN_OK || d->frame < 0 || a->s.now->frame == d->frame) return r;
        error->code = FIRN_REFUSED_NAME;
        snprintf(error->text, sizeof error->text, "frame %lld is not in the run '%s'",
                 (long long)d->frame, d->dir);
        return FIRN_REFUSED_NAME;
    }
    a->source->ops->play(a->source, true, 1);
    firn_result r = advance_source(a, 0, error);
    while (r == FIRN_OK && a->s.now->time < time - 1e-9)
        r = advance_source(a, fmin(1 / FPS, time - a->s.now->time), error);
    return r;
}

static firn_result make_picture(app* a, firn_error* error)
{
    firn_result r = advance_to_time(a, error);
    if (r == FIRN_OK) r = draw_picture(a, error);
    return r == FIRN_OK ? write_picture(a, a->def->out, error) : r;
}

// Length of the film [s]: as given, or that of the scene or run.
static double length_of(app* a)
{
    const view_def* d = a->def;
    if (d->seconds >= 0) return d->seconds;
    if (a->script) return INFINITY;
    double frames = (double)a->source->view.frames + 1;  // the last one is shown as long as others
    if (!a->source->is_live) {
        const int64_t* list;
        const int count = a->source->ops->frames(a->source, &list);
        frames = (double)(list[count - 1] - list[0]) + 1;
    }
    return frames / a->source->view.fps / d->speed;
}

static bool wants_picture(const app* a)
{
    return a->record.film || wants_file(&a->s) || (a->script && view_script_waits(a->script));
}

// A film or a scripted session, with a fixed time step per picture.
static firn_result run_lockstep(app* a, firn_error* error)
{
    view_session* s = &a->s;
    firn_result r = FIRN_OK;
    if (a->def->record) r = view_record_begin(&a->record, s, a->def->record, FPS, error);
    const double length = length_of(a);
    for (int64_t k = 0; r == FIRN_OK; k++) {
        s->clock = (double)k / FPS;
        if (a->script) view_script_before(a->script, s);
        r = advance_source(a, k > 0 ? 1 / FPS : 0, error);
        view_panels_update(s);
        if (r == FIRN_OK && wants_picture(a)) r = draw_picture(a, error);
        const bool ended = a->script ? view_script_is_done(a->script) : false;
        if (s->quit || ended || (double)(k + 1) / FPS > length - 1e-6) break;
    }
    return r;
}

// ---- run ----------------------------------------------------------------------------------------

static firn_result run(app* a, firn_error* error)
{
    const view_def* d = a->def;
    firn_result r = d->script ? view_script_read(d->script, &a->script, error) : FIRN_OK;
    if (r == FIRN_OK) r = open_source(a, error);
    if (r == FIRN_OK) r = open_screen(a, error);
    if (r == FIRN_OK) r = view_renderer_create(a->source, &a->renderer, error);
    if (r != FIRN_OK) return r;
    if (d->out)
        r = make_picture(a, error);
    else if (d->headless)
        r = run_lockstep(a, error);
    else
        r = run_window(a, error);
    firn_error ending = {0};
    const firn_result ended = view_record_end(&a->record, &a->s, &ending);
    if (r == FIRN_OK && ended != FIRN_OK) {
        *error = ending;
        return ended;
    }
    return r;
}

firn_result view_run(const view_def* def, firn_error* out_error)
{
    app* a = calloc(1, sizeof *a);
    if (!a) return view_refuse(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    a->def = def;
    const firn_result r = run(a, out_error);
    if (r == FIRN_INTERRUPTED) view_refuse(out_error, r, "interrupted");
    view_renderer_destroy(a->renderer);
    view_panels_destroy(a->panels);
    view_headless_destroy(a->headless);
    view_window_close(a->window);
    if (a->source) a->source->ops->destroy(a->source);
    view_script_free(a->script);
    free(a);
    return r;
}
