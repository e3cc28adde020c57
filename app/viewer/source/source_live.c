// SPDX-License-Identifier: MIT
// Live simulation, the window's side. See live_worker.h for the worker thread.
#include <math.h>
#include <stdlib.h>

#include "viewer/source/live_worker.h"

// ---- window's thread ----------------------------------------------------------------------------

static const view_snapshot* latest(view_source* source)
{
    view_live* l = (view_live*)source;
    pthread_mutex_lock(&l->shared.lock);
    const view_snapshot* newest = view_triple_buffer_latest(&l->buffer);
    pthread_mutex_unlock(&l->shared.lock);  // without waking the worker
    return newest;
}

static void advance(view_source* source, double seconds)
{
    view_live* l = (view_live*)source;
    if (l->shared.lockstep) view_live_advance(l, seconds);
}

static view_live* lock(view_source* source)
{
    view_live* l = (view_live*)source;
    view_worker_lock(&l->shared);
    return l;
}

static void unlock(view_live* l)
{
    view_worker_unlock(&l->shared);
}

static void play(view_source* source, bool playing, double speed)
{
    view_live* l = lock(source);
    l->requests.playing = playing;
    l->requests.speed = speed;
    unlock(l);
}

static void step(view_source* source, int by)
{
    view_live* l = lock(source);
    if (by > 0) l->requests.steps += by;
    unlock(l);
}

static void request_restart(view_source* source)
{
    view_live* l = lock(source);
    l->requests.restart = true;
    for (int b = 0; b < l->shared.collider_count; b++)
        l->collider_requests[b] = (view_collider_request){0};
    unlock(l);
}

static void colour(view_source* source, const char* field)
{
    view_live* l = lock(source);
    snprintf(l->requests.field, sizeof l->requests.field, "%s", field);
    l->requests.again = true;
    unlock(l);
}

static void place(view_source* source, int collider, view_vec at, double yaw, double scale)
{
    view_live* l = lock(source);
    view_collider_request* w = &l->collider_requests[collider];
    *w = (view_collider_request){.place = true, .at = at, .yaw = yaw, .scale = scale};
    l->requests.colliders = true;
    unlock(l);
}

static void pull(view_source* source, int collider, const view_pull* how)
{
    view_live* l = lock(source);
    l->collider_requests[collider].pulled = true;
    l->collider_requests[collider].release = false;
    l->collider_requests[collider].pull = *how;
    l->requests.colliders = true;
    unlock(l);
}

static void release(view_source* source, int collider)
{
    view_live* l = lock(source);
    l->collider_requests[collider].release = l->collider_requests[collider].pulled;
    l->collider_requests[collider].pulled = false;
    l->requests.colliders = true;
    unlock(l);
}

static void set_temperature(view_source* source, double celsius)
{
    view_live* l = lock(source);
    l->requests.celsius = celsius;
    unlock(l);
}

static void pick(view_source* source, int64_t id)
{
    view_live* l = lock(source);
    l->requests.picked = id;
    l->requests.again = true;
    unlock(l);
}

static void measure(view_source* source, bool on)
{
    view_live* l = lock(source);
    l->requests.measures = on;
    unlock(l);
}

static void set_gravity(view_source* source, const double gravity[3])
{
    view_live* l = lock(source);
    l->requests.has_gravity = true;
    memcpy(l->requests.gravity, gravity, sizeof l->requests.gravity);
    unlock(l);
}

static void set_wind(view_source* source, const double wind[3])
{
    view_live* l = lock(source);
    l->requests.has_wind = true;
    memcpy(l->requests.wind, wind, sizeof l->requests.wind);
    unlock(l);
}

static void change(view_source* source, const char* key, const char* value)
{
    view_live* l = lock(source);
    view_requests* w = &l->requests;
    if (w->change_count < VIEW_CHANGES_MAX) {
        view_change* c = &w->changes[w->change_count++];
        snprintf(c->key, sizeof c->key, "%s", key);
        snprintf(c->value, sizeof c->value, "%s", value);
    }
    unlock(l);
}

static bool refused(view_source* source, char* out_text, size_t size)
{
    view_live* l = lock(source);
    const bool is_so = l->refusal[0] != '\0';
    if (is_so) snprintf(out_text, size, "%s", l->refusal);
    l->refusal[0] = '\0';
    unlock(l);
    return is_so;
}

static void describe(view_source* source)
{
    view_live* l = lock(source);
    l->requests.describe = true;
    unlock(l);
}

static char* take_description(view_source* source)
{
    view_live* l = lock(source);
    char* text = l->description;
    l->description = NULL;
    unlock(l);
    return text;
}

static bool failed(view_source* source, firn_error* out_error)
{
    view_live* l = lock(source);
    const bool is_so = l->shared.failed;
    if (is_so) *out_error = l->shared.error;
    unlock(l);
    return is_so;
}

// ---- creation -----------------------------------------------------------------------------------

static void destroy(view_source* source)
{
    view_live* l = (view_live*)source;
    if (!l) return;
    view_worker_lock(&l->shared);
    l->shared.quit = true;
    if (l->sim) firn_sim_cancel(l->sim);  // ends the current step early
    view_worker_unlock(&l->shared);
    view_worker_join(&l->shared);
    firn_sim_destroy(l->sim);
    free(l->collider_requests);
    free(l->accepted);
    free(l->movers);
    free(l->description);
    view_triple_buffer_free(&l->buffer);
    view_worker_destroy(&l->shared);
    free(l);
}

static firn_result load(view_live* l, const firn_scene_info* info, firn_error* error)
{
    view_source* base = &l->shared.base;
    snprintf(base->name, sizeof base->name, "%s", *info->name ? info->name : "scene");
    snprintf(base->solver, sizeof base->solver, "%s", info->solver);
    snprintf(base->backend, sizeof base->backend, "%s", firn_sim_read(l->sim).backend);
    const firn_result r = view_worker_load(&l->shared, &(view_reader){.sim = l->sim}, error);
    if (r != FIRN_OK) return r;
    const size_t room = (size_t)l->shared.collider_count + 1;
    base->ball = l->shared.collider_count - 2;  // the order of view_tools_add
    base->plow = l->shared.collider_count - 1;
    l->collider_requests = calloc(room, sizeof *l->collider_requests);
    l->accepted = calloc(room, sizeof *l->accepted);
    l->movers = calloc(room, sizeof *l->movers);
    if (l->collider_requests && l->accepted && l->movers) return FIRN_OK;
    return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for the scene's colliders");
}

static firn_result start(view_live* l, firn_error* error)
{
    firn_scene_info info;
    firn_result r = view_tools_add(l->scene);
    if (r == FIRN_OK) r = firn_scene_check(l->scene, l->def.threads, &info);
    if (r != FIRN_OK) return view_refuse(error, r, firn_scene_messages(l->scene));
    r = firn_sim_create(l->scene, &l->def, &l->sim, error);
    if (r != FIRN_OK) return r;
    r = firn_sim_view(l->sim, &l->shared.base.view);
    if (r != FIRN_OK) return view_refuse(error, r, firn_sim_error(l->sim));
    r = load(l, &info, error);
    if (r != FIRN_OK) return r;
    view_live_publish(l);
    if (l->shared.failed) {
        *error = l->shared.error;
        return l->shared.error.code;
    }
    return view_worker_start(&l->shared, view_live_work, error);
}

static const view_source_ops ops = {
    .latest = latest,
    .advance = advance,
    .play = play,
    .step = step,
    .restart = request_restart,
    .colour = colour,
    .mesh = view_worker_mesh,
    .failed = failed,
    .destroy = destroy,
    .place = place,
    .pull = pull,
    .release = release,
    .set_temperature = set_temperature,
    .set_gravity = set_gravity,
    .set_wind = set_wind,
    .change = change,
    .refused = refused,
    .describe = describe,
    .take_description = take_description,
    .pick = pick,
    .measure = measure,
};

firn_result view_source_live(const view_live_def* def, view_source** out_source,
                             firn_error* out_error)
{
    view_live* l = calloc(1, sizeof *l);
    if (!l) return view_refuse(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    view_worker_init(&l->shared, &ops, def->lockstep);
    l->shared.base.is_live = true;
    l->scene = def->scene;
    l->def = firn_default_sim_def();
    l->def.threads = def->threads;
    snprintf(l->backend, sizeof l->backend, "%s", def->backend);
    l->def.backend = l->backend;
    l->requests.celsius = NAN;
    l->requests.speed = 1;
    l->requests.picked = l->wants.picked = -1;
    l->buffer = view_triple_buffer_init();
    const firn_result r = start(l, out_error);
    if (r != FIRN_OK)
        destroy(&l->shared.base);
    else
        *out_source = &l->shared.base;
    return r;
}
