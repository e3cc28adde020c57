// SPDX-License-Identifier: MIT
// Stepping a simulation for the window.
#include "viewer/source/live_worker.h"

#include <math.h>

#include "viewer/clock.h"

#define WALL_BUDGET 0.03  // [s] of computing between two pictures
#define CATCH_UP 0.1      // [s] of the screen's time that is made up for at most
#define SHORTEST 0.004    // [s] less than this is not worth a call
#define SMOOTHING 0.5     // [s] over which the rates in the overlay are averaged

// ---- reading ------------------------------------------------------------------------------------

static firn_result read_field(void* sim, const char* name, firn_field_view* out_view)
{
    return firn_sim_field(sim, name, out_view);
}

static int read_body_count(void* sim)
{
    return firn_sim_body_count(sim);
}

static firn_result read_body(void* sim, int body, firn_body_info* out_info)
{
    return firn_sim_body(sim, body, out_info);
}

static firn_result read_mesh(void* sim, int body, firn_body_mesh* out_mesh, firn_error* out_error)
{
    return firn_sim_body_mesh(sim, body, out_mesh, out_error);
}

view_reader view_live_reader(const view_live* l)
{
    return (view_reader){l->sim, read_field, read_body_count, read_body, read_mesh};
}

// ---- the worker's part --------------------------------------------------------------------------

static void fail(view_live* l, firn_result result, const char* text)
{
    pthread_mutex_lock(&l->lock);
    l->failed = true;
    l->wish.playing = false;
    l->error = (firn_error){.code = result};
    snprintf(l->error.text, sizeof l->error.text, "%s", text);
    pthread_mutex_unlock(&l->lock);
}

static void fail_with_sim(view_live* l, firn_result result)
{
    if (result != FIRN_INTERRUPTED) fail(l, result, firn_sim_error(l->sim));
}

void view_live_publish(view_live* l)
{
    const view_reader reader = view_live_reader(l);
    view_snapshot* s = &l->exchange.snapshots[l->exchange.back];  // nobody else touches it
    const firn_result result = view_snapshot_copy(s, &reader, l->field);
    if (result != FIRN_OK) {
        fail(l, result,
             result == FIRN_BROKEN_MEMORY ? "out of memory for a copy of the particles"
                                          : firn_sim_error(l->sim));
        return;
    }
    const firn_sim_info info = firn_sim_read(l->sim);
    s->time = info.time;
    s->frame = info.frame;
    s->step = info.step;
    s->temperature = firn_sim_temperature(l->sim);
    s->step_seconds = l->step_seconds;
    s->steps_per_second = l->steps_per_second;
    s->real_time = l->real_time;
    pthread_mutex_lock(&l->lock);
    view_exchange_publish(&l->exchange);
    pthread_mutex_unlock(&l->lock);
}

// From the scene's start again.
static void restart(view_live* l)
{
    firn_error error = {0};
    firn_sim *old, *new = NULL;
    pthread_mutex_lock(&l->lock);  // whoever cancels it holds the lock
    old = l->sim;
    l->sim = NULL;
    pthread_mutex_unlock(&l->lock);
    firn_sim_destroy(old);  // before: two would need the memory of two
    const firn_result result = firn_sim_create(l->scene, &l->def, &new, &error);
    for (int b = 0; b < l->body_count; b++) l->leads[b] = (view_lead){0};
    l->steps = 0;
    l->measured = l->simulated = 0;
    if (result != FIRN_OK) {
        fail(l, result, error.text);
        return;
    }
    pthread_mutex_lock(&l->lock);
    l->sim = new;
    l->failed = false;
    pthread_mutex_unlock(&l->lock);
}

static firn_result apply_bodies(view_live* l)
{
    for (int b = 0; b < l->body_count; b++) {
        const view_live_wish* w = &l->news[b];
        firn_result r = FIRN_OK;
        if (w->place) r = view_lead_place(l->sim, b, &l->leads[b], w->at, w->yaw, w->scale);
        if (w->pulled) view_lead_pull(&l->leads[b], &w->pull);
        if (r == FIRN_OK && w->let_go) r = view_lead_let_go(l->sim, b, &l->leads[b]);
        if (r < 0) return r;
    }
    return FIRN_OK;
}

// Overlay figures over the last half second of the clock.
static void measure(view_live* l, const firn_advance* done)
{
    const double now = view_clock();
    if (l->measured == 0) l->measured = now;
    l->steps += done->steps;
    l->simulated += done->simulated;
    if (done->steps > 0) {
        const double once = done->wall / (double)done->steps;
        l->step_seconds = l->step_seconds > 0 ? 0.8 * l->step_seconds + 0.2 * once : once;
    }
    const double passed = now - l->measured;
    if (passed < SMOOTHING) return;
    l->steps_per_second = (double)l->steps / passed;
    l->real_time = l->simulated / passed;
    l->measured = now;
    l->steps = 0;
    l->simulated = 0;
}

// `wall` 0: as long as it takes.
static firn_result simulate(view_live* l, double seconds, double wall)
{
    const double begin = view_clock();
    while (seconds > 1e-9) {
        const double chunk = fmin(seconds, VIEW_FOLLOW_CHUNK);
        const double left = wall - (view_clock() - begin);
        if (wall > 0 && left <= 0) break;
        firn_result r = FIRN_OK;
        for (int b = 0; b < l->body_count && r == FIRN_OK; b++)
            r = view_lead_before(l->sim, b, &l->leads[b], chunk);
        firn_advance done = {0};
        if (r == FIRN_OK) r = firn_sim_advance_by(l->sim, chunk, wall > 0 ? left : 0, &done);
        for (int b = 0; b < l->body_count; b++) view_lead_after(&l->leads[b], done.simulated);
        measure(l, &done);
        if (r != FIRN_OK) return r;
        seconds -= chunk;
    }
    return FIRN_OK;
}

// Everything that was wished since the last time, for a moment at rest; what is left is to play.
static view_live_wishes grant(view_live* l)
{
    pthread_mutex_lock(&l->lock);
    view_live_wishes w = l->wish;
    l->wish.restart = l->wish.again = l->wish.bodies = false;
    l->wish.steps = 0;
    l->wish.celsius = NAN;
    if (w.bodies) {
        memcpy(l->news, l->body_wishes, (size_t)l->body_count * sizeof *l->news);
        for (int b = 0; b < l->body_count; b++)
            l->body_wishes[b].place = l->body_wishes[b].let_go = false;
    }
    pthread_mutex_unlock(&l->lock);
    memcpy(l->field, w.field, sizeof l->field);
    if (w.restart) restart(l);
    if (!l->sim || w.quit) return w;
    firn_result r = w.bodies ? apply_bodies(l) : FIRN_OK;
    if (r == FIRN_OK && isfinite(w.celsius)) r = firn_sim_set_temperature(l->sim, w.celsius);
    for (int k = 0; k < w.steps && r == FIRN_OK; k++) r = firn_sim_step(l->sim);
    if (r < 0) fail_with_sim(l, r);
    w.again = w.again || w.restart || w.bodies || w.steps > 0 || isfinite(w.celsius);
    return w;
}

static bool is_broken(view_live* l)
{
    pthread_mutex_lock(&l->lock);
    const bool failed = l->failed;
    pthread_mutex_unlock(&l->lock);
    return failed || !l->sim;
}

// Sleeps until something is wished; while it plays only until time has gone on a little.
static void wait_for_work(view_live* l)
{
    pthread_mutex_lock(&l->lock);
    const view_live_wishes* w = &l->wish;
    while (!w->quit && !w->restart && !w->again && w->steps == 0 && !w->bodies &&
           !isfinite(w->celsius)) {
        const double due = l->last + SHORTEST - view_clock();
        if (w->playing && due <= 0) break;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += w->playing ? (long)(1e9 * due) + 1 : 250000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&l->wake, &l->lock, &until);
        if (!w->playing) l->last = view_clock();  // a pause is not to be made up for
    }
    pthread_mutex_unlock(&l->lock);
}

void* view_live_work(void* user)
{
    view_live* l = user;
    l->last = view_clock();
    for (;;) {
        wait_for_work(l);
        const view_live_wishes w = grant(l);
        if (w.quit) return NULL;
        const double now = view_clock();
        const double passed = fmin(now - l->last, CATCH_UP);
        l->last = now;
        if (is_broken(l)) continue;
        if (w.playing) {
            const firn_result r = simulate(l, passed * w.speed, WALL_BUDGET);
            if (r != FIRN_OK) fail_with_sim(l, r);
        }
        if (w.playing || w.again) view_live_publish(l);
    }
}

void view_live_advance(view_live* l, double seconds)
{
    const view_live_wishes w = grant(l);
    if (is_broken(l)) return;
    if (w.playing && seconds > 0) {
        const firn_result r = simulate(l, seconds * w.speed, 0);
        if (r != FIRN_OK) fail_with_sim(l, r);
    }
    view_live_publish(l);
}
