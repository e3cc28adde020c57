// SPDX-License-Identifier: MIT
// The worker thread of a live simulation.
#include "viewer/source/live_worker.h"

#include <math.h>
#include <stdlib.h>

#include "viewer/clock.h"

#define WALL_BUDGET 0.03  // [s] of computation between two snapshots
#define CATCH_UP 0.1      // [s] maximum backlog; time beyond it is dropped
#define SHORTEST 0.004    // [s] minimum time to advance at once
#define COUNT_PAUSE 20.0  // counting fragments takes at most about a twentieth of the time,
#define COUNT_PERIOD 0.1  // [s] and no more often than this
#define SMOOTHING 0.5     // [s] averaging time of the rates in the overlay

// ---- worker thread ------------------------------------------------------------------------------

static void fail(view_live* l, firn_result result, const char* text)
{
    pthread_mutex_lock(&l->shared.lock);
    l->shared.failed = true;
    l->requests.playing = false;
    l->shared.error = (firn_error){.code = result};
    snprintf(l->shared.error.text, sizeof l->shared.error.text, "%s", text);
    pthread_mutex_unlock(&l->shared.lock);
}

static void fail_with_sim(view_live* l, firn_result result)
{
    if (result != FIRN_INTERRUPTED) fail(l, result, firn_sim_error(l->sim));
}

static void copy_world(view_snapshot* s, firn_sim* sim, const firn_sim_info* info)
{
    const firn_vec3 g = firn_sim_gravity(sim), w = firn_sim_wind(sim);
    // NaN is refused in any case; where the solver has no wind, for that reason
    s->has_wind = firn_sim_set_wind(sim, (firn_vec3){(firn_real)NAN, 0, 0}) != FIRN_REFUSED_NAME;
    s->kinetic = info->kinetic;
    s->elastic = info->elastic;
    s->potential = info->potential;
    s->iterations = info->iterations;
    s->dt = info->dt;
    const double gravity[3] = {(double)g.x, (double)g.y, (double)g.z};
    const double wind[3] = {(double)w.x, (double)w.y, (double)w.z};
    memcpy(s->gravity, gravity, sizeof gravity);
    memcpy(s->wind, wind, sizeof wind);
}

void view_live_publish(view_live* l)
{
    const view_reader reader = {.sim = l->sim};
    view_snapshot* s = &l->buffer.snapshots[l->buffer.back];  // not shared
    const double begin = view_clock();
    const bool counts = l->measures && (l->shared.lockstep || begin >= l->count_due);
    l->wants.voxel = counts ? 2 * l->shared.base.view.spacing : 0;
    const firn_result result = view_snapshot_copy(s, &reader, &l->wants);
    if (counts) l->count_due = view_clock() + COUNT_PAUSE * (view_clock() - begin) + COUNT_PERIOD;
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
    copy_world(s, l->sim, &info);
    s->step_seconds = l->step_seconds;
    s->steps_per_second = l->steps_per_second;
    s->real_time = l->real_time;
    pthread_mutex_lock(&l->shared.lock);
    view_triple_buffer_publish(&l->buffer);
    pthread_mutex_unlock(&l->shared.lock);
}

static void refuse(view_live* l, const char* text)
{
    pthread_mutex_lock(&l->shared.lock);
    snprintf(l->refusal, sizeof l->refusal, "%s", text);
    pthread_mutex_unlock(&l->shared.lock);
}

// Sets the requested keys of the scene; those that are refused stay.
static void change_scene(view_live* l, const view_requests* w)
{
    for (int k = 0; k < w->change_count; k++)
        if (firn_scene_set(l->scene, w->changes[k].key, w->changes[k].value) != FIRN_OK)
            refuse(l, firn_scene_messages(l->scene));
}

// Gravity and wind. They are refused where the solver does not support them.
static firn_result change_world(view_live* l, const view_requests* w)
{
    firn_result r = FIRN_OK;
    const double *g = w->gravity, *v = w->wind;
    if (w->has_gravity)
        r = firn_sim_set_gravity(l->sim,
                                 (firn_vec3){(firn_real)g[0], (firn_real)g[1], (firn_real)g[2]});
    if (r == FIRN_OK && w->has_wind)
        r = firn_sim_set_wind(l->sim,
                              (firn_vec3){(firn_real)v[0], (firn_real)v[1], (firn_real)v[2]});
    if (r > 0) refuse(l, firn_sim_error(l->sim));
    return r < 0 ? r : FIRN_OK;
}

static void describe(view_live* l)
{
    char* yaml = firn_scene_yaml(l->scene);
    char* text = yaml ? strdup(yaml) : NULL;  // the reader frees it
    firn_text_free(yaml);
    pthread_mutex_lock(&l->shared.lock);
    free(l->description);
    l->description = text;
    pthread_mutex_unlock(&l->shared.lock);
}

// Recreates the simulation.
static void restart(view_live* l)
{
    firn_error error = {0};
    firn_sim *old, *new = NULL;
    pthread_mutex_lock(&l->shared.lock);  // firn_sim_cancel is called under the lock
    old = l->sim;
    l->sim = NULL;
    pthread_mutex_unlock(&l->shared.lock);
    firn_sim_destroy(old);  // first, so that two simulations never exist at once
    const firn_result result = firn_sim_create(l->scene, &l->def, &new, &error);
    for (int b = 0; b < l->shared.collider_count; b++) l->movers[b] = (view_mover){0};
    l->steps = 0;
    l->measured = l->simulated = 0;
    if (result != FIRN_OK) {
        fail(l, result, error.text);
        return;
    }
    pthread_mutex_lock(&l->shared.lock);
    l->sim = new;
    l->shared.failed = false;
    pthread_mutex_unlock(&l->shared.lock);
}

static firn_result apply_collider_requests(view_live* l)
{
    for (int b = 0; b < l->shared.collider_count; b++) {
        const view_collider_request* w = &l->accepted[b];
        firn_result r = FIRN_OK;
        if (w->place) r = view_mover_place(l->sim, b, &l->movers[b], w->at, w->yaw, w->scale);
        if (w->pulled) view_mover_pull(&l->movers[b], &w->pull);
        if (r == FIRN_OK && w->release) r = view_mover_release(l->sim, b, &l->movers[b]);
        if (r < 0) return r;
    }
    return FIRN_OK;
}

// Rates for the overlay, averaged over SMOOTHING.
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

// Advances by `seconds` within `wall` seconds of wall time; 0: no limit.
static firn_result simulate(view_live* l, double seconds, double wall)
{
    const double begin = view_clock();
    while (seconds > 1e-9) {
        const double chunk = fmin(seconds, VIEW_FOLLOW_CHUNK);
        const double left = wall - (view_clock() - begin);
        if (wall > 0 && left <= 0) break;
        firn_result r = FIRN_OK;
        for (int b = 0; b < l->shared.collider_count && r == FIRN_OK; b++)
            r = view_mover_before(l->sim, b, &l->movers[b], chunk);
        firn_advance done = {0};
        if (r == FIRN_OK) r = firn_sim_advance_by(l->sim, chunk, wall > 0 ? left : 0, &done);
        for (int b = 0; b < l->shared.collider_count; b++)
            view_mover_after(&l->movers[b], done.simulated);
        measure(l, &done);
        if (r != FIRN_OK) return r;
        seconds -= chunk;
    }
    return FIRN_OK;
}

// Handles all requests but playing; returns them.
static view_requests handle_requests(view_live* l)
{
    pthread_mutex_lock(&l->shared.lock);
    view_requests w = l->requests;
    w.quit = l->shared.quit;
    l->requests.restart = l->requests.again = l->requests.colliders = false;
    l->requests.has_gravity = l->requests.has_wind = l->requests.describe = false;
    if (w.restart) l->requests.change_count = 0;
    l->requests.steps = 0;
    l->requests.celsius = NAN;
    if (w.colliders) {
        memcpy(l->accepted, l->collider_requests,
               (size_t)l->shared.collider_count * sizeof *l->accepted);
        for (int b = 0; b < l->shared.collider_count; b++)
            l->collider_requests[b].place = l->collider_requests[b].release = false;
    }
    pthread_mutex_unlock(&l->shared.lock);
    memcpy(l->wants.field, w.field, sizeof l->wants.field);
    l->wants.picked = w.picked;
    l->measures = w.measures;
    if (w.restart) {
        change_scene(l, &w);
        restart(l);
    }
    if (!l->sim || w.quit) return w;
    firn_result r = w.colliders ? apply_collider_requests(l) : FIRN_OK;
    if (r == FIRN_OK) r = change_world(l, &w);
    if (w.describe) describe(l);
    if (r == FIRN_OK && isfinite(w.celsius)) r = firn_sim_set_temperature(l->sim, w.celsius);
    for (int k = 0; k < w.steps && r == FIRN_OK; k++) r = firn_sim_step(l->sim);
    if (r < 0) fail_with_sim(l, r);
    w.again = w.again || w.restart || w.describe || w.has_gravity || w.has_wind || w.colliders ||
              w.steps > 0 || isfinite(w.celsius);
    return w;
}

static bool is_broken(view_live* l)
{
    pthread_mutex_lock(&l->shared.lock);
    const bool failed = l->shared.failed;
    pthread_mutex_unlock(&l->shared.lock);
    return failed || !l->sim;
}

// Sleeps until there is a request or, while playing, until SHORTEST has passed.
static void wait_for_work(view_live* l)
{
    pthread_mutex_lock(&l->shared.lock);
    const view_requests* w = &l->requests;
    while (!l->shared.quit && !w->restart && !w->again && w->steps == 0 && !w->colliders &&
           !isfinite(w->celsius) && !w->has_gravity && !w->has_wind && !w->describe) {
        const double due = l->last + SHORTEST - view_clock();
        if (w->playing && due <= 0) break;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += w->playing ? (long)(1e9 * due) + 1 : 250000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&l->shared.wake, &l->shared.lock, &until);
        if (!w->playing) l->last = view_clock();  // do not catch up on a pause
    }
    pthread_mutex_unlock(&l->shared.lock);
}

void* view_live_work(void* user)
{
    view_live* l = user;
    l->last = view_clock();
    for (;;) {
        wait_for_work(l);
        const view_requests w = handle_requests(l);
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
    const view_requests w = handle_requests(l);
    if (is_broken(l)) return;
    if (w.playing && seconds > 0) {
        const firn_result r = simulate(l, seconds * w.speed, 0);
        if (r != FIRN_OK) fail_with_sim(l, r);
    }
    view_live_publish(l);
}
