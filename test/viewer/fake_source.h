// SPDX-License-Identifier: MIT
// A source that records what the window requests from it: a session to test without a simulation.
#pragma once
#include <math.h>
#include <string.h>

#include "viewer/input/controls.h"
#include "viewer/input/tools.h"
#include "viewer/session.h"

typedef struct fake {
    view_source base;
    view_snapshot now;
    view_collider_state colliders[3];  // a floor, the ball, the plow
    int64_t frames[4];
    bool playing;
    double speed;
    int steps, restarts, pulls, places, releases;
    int64_t sought, picked;
    char field[32];
    double celsius;
    int collider;
    view_vec at;
    double scale;
    view_pull pull;
} fake;

static inline const view_snapshot* fake_latest(view_source* s)
{
    return &((fake*)s)->now;
}

static inline void fake_play(view_source* s, bool playing, double speed)
{
    ((fake*)s)->playing = playing;
    ((fake*)s)->speed = speed;
}

static inline void fake_step(view_source* s, int by)
{
    ((fake*)s)->steps += by;
}

static inline void fake_restart(view_source* s)
{
    ((fake*)s)->restarts++;
}

static inline void fake_colour(view_source* s, const char* field)
{
    snprintf(((fake*)s)->field, sizeof((fake*)s)->field, "%s", field);
}

static inline const firn_body_mesh* fake_mesh(view_source* s, int collider)
{
    (void)s, (void)collider;
    return NULL;  // picked by their boxes
}

static inline bool fake_failed(view_source* s, firn_error* error)
{
    (void)s, (void)error;
    return false;
}

static inline void fake_pick(view_source* s, int64_t id)
{
    ((fake*)s)->picked = id;
}

static inline void fake_seek(view_source* s, int64_t frame)
{
    ((fake*)s)->sought = frame;
}

static inline int fake_frames(view_source* s, const int64_t** out)
{
    *out = ((fake*)s)->frames;
    return 4;
}

static inline void fake_place(view_source* s, int collider, view_vec at, double yaw, double scale)
{
    (void)yaw;
    fake* f = (fake*)s;
    f->places++;
    f->collider = collider;
    f->at = at;
    f->scale = scale;
    firn_body_info* info = &f->now.colliders[collider].info;
    info->pose.position = (firn_vec3){(firn_real)at.x, (firn_real)at.y, (firn_real)at.z};
    const firn_real half = (firn_real)(scale / 2);
    info->low = (firn_vec3){(firn_real)at.x - half, (firn_real)at.y - half, (firn_real)at.z - half};
    info->high =
        (firn_vec3){(firn_real)at.x + half, (firn_real)at.y + half, (firn_real)at.z + half};
}

static inline void fake_pull(view_source* s, int collider, const view_pull* pull)
{
    fake* f = (fake*)s;
    f->pulls++;
    f->collider = collider;
    f->pull = *pull;
}

static inline void fake_let_go(view_source* s, int collider)
{
    ((fake*)s)->releases++;
    ((fake*)s)->collider = collider;
}

static inline void fake_set_temperature(view_source* s, double celsius)
{
    ((fake*)s)->celsius = celsius;
}

// A metre of snow, 0.2 m deep, on a floor; the camera looks at it from above, from +z.
static inline view_session fake_session(fake* f, bool live)
{
    static const view_source_ops live_ops = {.latest = fake_latest,
                                             .play = fake_play,
                                             .step = fake_step,
                                             .restart = fake_restart,
                                             .colour = fake_colour,
                                             .mesh = fake_mesh,
                                             .failed = fake_failed,
                                             .pick = fake_pick,
                                             .place = fake_place,
                                             .pull = fake_pull,
                                             .release = fake_let_go,
                                             .set_temperature = fake_set_temperature};
    static const view_source_ops replay_ops = {.latest = fake_latest,
                                               .play = fake_play,
                                               .step = fake_step,
                                               .restart = fake_restart,
                                               .colour = fake_colour,
                                               .mesh = fake_mesh,
                                               .failed = fake_failed,
                                               .pick = fake_pick,
                                               .seek = fake_seek,
                                               .frames = fake_frames};
    *f = (fake){.frames = {0, 10, 20, 100}, .sought = -1, .celsius = NAN};
    f->base = (view_source){.ops = live ? &live_ops : &replay_ops,
                            .is_live = live,
                            .ball = live ? 1 : -1,
                            .plow = live ? 2 : -1,
                            .solver = "fake"};
    f->base.view.spacing = 0.01;
    f->base.view.fps = 24;
    view_source_add_field(&f->base, "velocity");
    f->colliders[0].info = (firn_body_info){.normal = {0, 1, 0}};
    for (int b = 1; b < 3; b++)
        f->colliders[b].info = (firn_body_info){.bounded = true, .pose = {.scale = 1}};
    f->now = (view_snapshot){.low = {-0.5, 0, -0.5},
                             .high = {0.5, 0.2, 0.5},
                             .colliders = f->colliders,
                             .collider_count = live ? 3 : 1,
                             .temperature = NAN};
    view_session s = {.source = &f->base,
                      .now = &f->now,
                      .width = 800,
                      .height = 600,
                      .ui = 1,
                      .speed = 1,
                      .overlay = true,
                      .celsius = NAN};
    s.camera = view_orbit_from((const double[]){0, 2, 2}, (const double[]){0, 0, 0}, 45);
    view_tools_begin(&s);
    return s;
}

static inline void fake_key(view_session* s, int key)
{
    view_controls_event(
        s, &(view_event){.kind = VIEW_EVENT_KEY, .key = key, .x = s->mouse_x, .y = s->mouse_y});
}

static inline void fake_mouse(view_session* s, view_event_kind kind, view_button button, double x,
                              double y)
{
    view_controls_event(s, &(view_event){.kind = kind, .button = button, .x = x, .y = y});
}
