// SPDX-License-Identifier: MIT
// A simulation that runs while it is looked at: the window's side of it. See live_worker.h.
#include <math.h>
#include <stdlib.h>

#include "viewer/source/live_worker.h"
#include "viewer/source/source.h"

// ---- the window's part --------------------------------------------------------------------------

static const view_snapshot* take(view_source* source)
{
    view_live* l = (view_live*)source;
    pthread_mutex_lock(&l->lock);
    const view_snapshot* newest = view_exchange_take(&l->exchange);
    pthread_mutex_unlock(&l->lock);
    return newest;
}

static void advance(view_source* source, double seconds)
{
    view_live* l = (view_live*)source;
    if (l->lockstep) view_live_advance(l, seconds);
}

// Every wish is made between these two.
static view_live* wish_begin(view_source* source)
{
    view_live* l = (view_live*)source;
    pthread_mutex_lock(&l->lock);
    return l;
}

static void wish_end(view_live* l)
{
    pthread_cond_signal(&l->wake);
    pthread_mutex_unlock(&l->lock);
}

static void play(view_source* source, bool playing, double speed)
{
    view_live* l = wish_begin(source);
    l->wish.playing = playing;
    l->wish.speed = speed;
    wish_end(l);
}

static void step(view_source* source, int by)
{
    view_live* l = wish_begin(source);
    if (by > 0) l->wish.steps += by;
    wish_end(l);
}

static void wish_restart(view_source* source)
{
    view_live* l = wish_begin(source);
    l->wish.restart = true;
    for (int b = 0; b < l->body_count; b++) l->body_wishes[b] = (view_live_wish){0};
    wish_end(l);
}

static void colour(view_source* source, const char* field)
{
    view_live* l = wish_begin(source);
    snprintf(l->wish.field, sizeof l->wish.field, "%s", field);
    l->wish.again = true;
    wish_end(l);
}

static const firn_body_mesh* mesh(view_source* source, int body)
{
    const view_live* l = (view_live*)source;
    const bool has = body >= 0 && body < l->body_count && l->meshes[body].triangle_count > 0;
    return has ? &l->meshes[body] : NULL;
}

static void place(view_source* source, int body, view_vec at, double yaw, double scale)
{
    view_live* l = wish_begin(source);
    view_live_wish* w = &l->body_wishes[body];
    *w = (view_live_wish){.place = true, .at = at, .yaw = yaw, .scale = scale};
    l->wish.bodies = true;
    wish_end(l);
}

static void pull(view_source* source, int body, const view_pull* how)
{
    view_live* l = wish_begin(source);
    l->body_wishes[body].pulled = true;
    l->body_wishes[body].let_go = false;
    l->body_wishes[body].pull = *how;
    l->wish.bodies = true;
    wish_end(l);
}

static void let_go(view_source* source, int body)
{
    view_live* l = wish_begin(source);
    l->body_wishes[body].let_go = l->body_wishes[body].pulled;
    l->body_wishes[body].pulled = false;
    l->wish.bodies = true;
    wish_end(l);
}

static void heat(view_source* source, double celsius)
{
    view_live* l = wish_begin(source);
    l->wish.celsius = celsius;
    wish_end(l);
}

static bool failed(view_source* source, firn_error* out_error)
{
    view_live* l = wish_begin(source);
    const bool is_so = l->failed;
    if (is_so) *out_error = l->error;
    wish_end(l);
    return is_so;
}

// ---- making one -------------------------------------------------------------------------------

static void destroy(view_source* source)
{
    view_live* l = (view_live*)source;
    if (!l) return;
    if (l->has_worker) {
        pthread_mutex_lock(&l->lock);
        l->wish.quit = true;
        if (l->sim) firn_sim_cancel(l->sim);
        pthread_cond_signal(&l->wake);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->worker, NULL);
    }
    firn_sim_destroy(l->sim);
    for (int b = 0; l->meshes && b < l->body_count; b++) firn_body_mesh_free(&l->meshes[b]);
    free(l->meshes);
    free(l->body_wishes);
    free(l->news);
    free(l->leads);
    view_exchange_free(&l->exchange);
    pthread_cond_destroy(&l->wake);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static firn_result prepare_bodies(view_live* l, firn_error* error)
{
    const int count = firn_sim_body_count(l->sim);
    const size_t room = (size_t)count + 1;
    l->meshes = calloc(room, sizeof *l->meshes);
    l->body_wishes = calloc(room, sizeof *l->body_wishes);
    l->news = calloc(room, sizeof *l->news);
    l->leads = calloc(room, sizeof *l->leads);
    if (!l->meshes || !l->body_wishes || !l->news || !l->leads)
        return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for the bodies of the scene");
    l->body_count = count;
    l->base.ball = count - 2;  // as view_tools_add put them
    l->base.plow = count - 1;
    for (int b = 0; b < count; b++) {
        firn_body_info info;
        if (firn_sim_body(l->sim, b, &info) != FIRN_OK || info.hidden || !info.bounded) continue;
        const firn_result r = firn_sim_body_mesh(l->sim, b, &l->meshes[b], error);
        if (r != FIRN_OK) return r;
    }
    return FIRN_OK;
}

static void note_facts(view_live* l, const firn_scene_info* info)
{
    snprintf(l->base.name, sizeof l->base.name, "%s", *info->name ? info->name : "scene");
    snprintf(l->base.solver, sizeof l->base.solver, "%s", info->solver);
    snprintf(l->base.backend, sizeof l->base.backend, "%s", firn_sim_read(l->sim).backend);
    for (int k = 0; k < firn_sim_field_count(l->sim); k++) {
        firn_field_view view;
        if (firn_sim_field_at(l->sim, k, &view) != FIRN_OK || view.type == FIRN_FIELD_MAT3)
            continue;
        view_source_note_field(&l->base, view.name);
    }
    const view_reader reader = view_live_reader(l);
    if (view_snapshot_knows(&reader, "density")) view_source_note_field(&l->base, "density");
}

static firn_result start(view_live* l, firn_error* error)
{
    firn_scene_info info;
    firn_result r = view_tools_add(l->scene);
    if (r == FIRN_OK) r = firn_scene_check(l->scene, l->def.threads, &info);
    if (r != FIRN_OK) return view_refuse(error, r, firn_scene_messages(l->scene));
    r = firn_sim_create(l->scene, &l->def, &l->sim, error);
    if (r != FIRN_OK) return r;
    note_facts(l, &info);
    r = firn_sim_view(l->sim, &l->base.view);
    if (r != FIRN_OK) return view_refuse(error, r, firn_sim_error(l->sim));
    r = prepare_bodies(l, error);
    if (r != FIRN_OK) return r;
    view_live_publish(l);
    if (l->failed) {
        *error = l->error;
        return l->error.code;
    }
    if (l->lockstep) return FIRN_OK;
    l->has_worker = pthread_create(&l->worker, NULL, view_live_work, l) == 0;
    return l->has_worker ? FIRN_OK
                         : view_refuse(error, FIRN_BROKEN_MEMORY, "cannot start another thread");
}

static const view_source_ops ops = {
    .take = take,
    .advance = advance,
    .play = play,
    .step = step,
    .restart = wish_restart,
    .colour = colour,
    .mesh = mesh,
    .failed = failed,
    .destroy = destroy,
    .place = place,
    .pull = pull,
    .let_go = let_go,
    .heat = heat,
};

firn_result view_source_live(const view_live_def* def, view_source** out_source,
                             firn_error* out_error)
{
    view_live* l = calloc(1, sizeof *l);
    if (!l) return view_refuse(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    l->base.ops = &ops;
    l->base.is_live = true;
    l->scene = def->scene;
    l->lockstep = def->lockstep;
    l->def = firn_default_sim_def();
    l->def.threads = def->threads;
    snprintf(l->backend, sizeof l->backend, "%s", def->backend);
    l->def.backend = l->backend;
    l->wish.celsius = NAN;
    l->wish.speed = 1;
    l->exchange = view_exchange_begin();
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->wake, NULL);
    const firn_result r = start(l, out_error);
    if (r != FIRN_OK)
        destroy(&l->base);
    else
        *out_source = &l->base;
    return r;
}
