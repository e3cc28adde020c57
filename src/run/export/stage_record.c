// SPDX-License-Identifier: MIT
#include "run/export/stage_record.h"

#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_drive.h"
#include "math/vec3.h"
#include "run/export/stage_points.h"
#include "run/frame_poses.h"
#include "scene/data/scene.h"
#include "sim/collider_info.h"
#include "sim/collider_mesh.h"

#define SQUARE 10.0  // [diagonals of the snow's box in the first frame] side of a plane's square
#define SQUARE_LEAST 1.0  // [m]

static firn_result no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the colliders of a run");
}

static firn_result name_bodies(firn_stage_record* r, firn_error* error)
{
    const firn_scene_data* scene = r->scene;
    firn_stage* stage = &r->stage;
    stage->bodies = firn_alloc((size_t)scene->collider_count + 1, sizeof *stage->bodies);
    r->colliders = firn_alloc((size_t)scene->collider_count + 1, sizeof *r->colliders);
    if (stage->bodies == NULL || r->colliders == NULL ||
        firn_colliders_copy(scene->colliders, scene->collider_count, r->colliders) != FIRN_OK) {
        firn_free(r->colliders);
        r->colliders = NULL;
        return no_memory(error);
    }
    stage->body_count = scene->collider_count;
    for (firn_local b = 0; b < stage->body_count; b++) {
        snprintf(stage->bodies[b].name, sizeof stage->bodies[b].name, "collider_%d", (int)b);
        stage->bodies[b].deforms = scene->colliders[b].deforming != NULL;
    }
    return FIRN_OK;
}

firn_result firn_stage_record_open(const firn_scene_data* scene, double spacing,
                                   int64_t points_most, const firn_log* log,
                                   firn_stage_record* out_record, firn_error* error)
{
    const firn_render_block* look = &scene->render;
    const firn_view_info view = firn_view_info_of(scene, 0);
    *out_record = (firn_stage_record){.scene = scene,
                                      .log = *log,
                                      .spacing = spacing,
                                      .points_most = points_most,
                                      .points_step = 1};
    firn_stage* stage = &out_record->stage;
    stage->fps = scene->time.fps;
    stage->aspect = (double)look->width / (double)look->height;
    stage->sun_size = look->sun_size;
    stage->sun_strength = look->sun_strength;
    stage->focus = look->focus;
    for (int d = 0; d < 3; d++) stage->sun[d] = view.sun[d];
    return name_bodies(out_record, error);
}

void firn_stage_record_close(firn_stage_record* r)
{
    if (r->colliders != NULL) firn_colliders_destroy(r->colliders, r->scene->collider_count);
    firn_free(r->colliders);
    firn_stage_destroy(&r->stage);
    *r = (firn_stage_record){0};
}

// Makes room for one more sample in an array that has room for sample_capacity.
static bool reserve(const firn_stage* stage, void* array, size_t size, firn_local* out_capacity)
{
    *out_capacity = stage->sample_capacity;
    return firn_reserve(array, out_capacity, stage->sample_count + 1, size);
}

static firn_result reserve_sample(firn_stage* s, firn_error* error)
{
    firn_local capacity;
    bool good = reserve(s, (void**)&s->frames, sizeof *s->frames, &capacity) &&
                reserve(s, (void**)&s->times, sizeof *s->times, &capacity) &&
                reserve(s, (void**)&s->views, sizeof *s->views, &capacity) &&
                reserve(s, (void**)&s->points, sizeof *s->points, &capacity);
    for (firn_local b = 0; b < s->body_count && good; b++) {
        firn_stage_body* body = &s->bodies[b];
        good = reserve(s, (void**)&body->poses, sizeof *body->poses, &capacity) &&
               reserve(s, (void**)&body->meshes, sizeof *body->meshes, &capacity);
    }
    if (!good) return no_memory(error);
    s->sample_capacity = capacity;
    return FIRN_OK;
}

static void add_pose(const firn_stage* s, firn_stage_body* body, const firn_collider* posed,
                     double time)
{
    const firn_motion at = firn_collider_state(posed, time);
    firn_stage_pose* pose = &body->poses[s->sample_count];
    *pose = (firn_stage_pose){at.position, at.rotation, at.scale};
    if (s->sample_count == 0) return;
    const firn_quat p = pose[-1].rotation, q = pose->rotation;
    if (p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0)
        pose->rotation = (firn_quat){-q.w, -q.x, -q.y, -q.z};
}

static void set_look(firn_stage_record* r, firn_local b, double time)
{
    const firn_body_info info = firn_body_info_of(r->scene, &r->colliders[b], b, time);
    firn_stage_body* body = &r->stage.bodies[b];
    body->hidden = info.hidden;
    for (int d = 0; d < 3; d++) body->colour[d] = (float)info.colour[d];
}

static firn_result add_body(firn_stage_record* r, firn_local b, const firn_stage_points* box,
                            double time, firn_error* error)
{
    firn_stage_body* body = &r->stage.bodies[b];
    const firn_local k = r->stage.sample_count;
    add_pose(&r->stage, body, &r->colliders[b], time);
    if (k > 0 && !body->deforms) return FIRN_OK;
    if (k == 0) set_look(r, b, time);
    double middle[3], diagonal2 = 0;
    for (int d = 0; d < 3; d++) {
        middle[d] = 0.5 * ((double)box->low[d] + (double)box->high[d]);
        diagonal2 += ((double)box->high[d] - (double)box->low[d]) *
                     ((double)box->high[d] - (double)box->low[d]);
    }
    const double side = fmax(SQUARE * sqrt(diagonal2), SQUARE_LEAST);
    const firn_vec3 center =
        firn_v3((firn_real)middle[0], (firn_real)middle[1], (firn_real)middle[2]);
    FIRN_TRY(firn_stage_body_mesh(r->scene, &r->colliders[b], time, center, side, &body->meshes[k],
                                  error));
    if (body->meshes[k].triangle_count == 0)
        firn_log_write(&r->log, FIRN_LOG_WARNING, "export.left_out",
                       "colliders.%d is not exported: it has no bounded surface", (int)b);
    return FIRN_OK;
}

firn_result firn_stage_record_add(firn_stage_record* r, const firn_frame* frame, firn_error* error)
{
    firn_stage* s = &r->stage;
    const double time = frame->info.time;
    const firn_local k = s->sample_count, count = r->scene->collider_count;
    FIRN_TRY(reserve_sample(s, error));
    FIRN_TRY(
        firn_frame_poses_put(frame->bodies, frame->body_count, time, r->colliders, count, error));
    for (firn_local b = 0; b < count; b++)
        FIRN_TRY(firn_collider_move(&r->colliders[b], &r->scene->shapes, time, error));
    if (k == 0) snprintf(s->scene, sizeof s->scene, "%s", frame->info.scene);
    FIRN_TRY(firn_stage_points_select(r, frame, error));
    firn_result result = FIRN_OK;
    for (firn_local b = 0; b < count && result == FIRN_OK; b++)
        result = add_body(r, b, &s->points[k], time, error);
    const firn_view_info view = firn_view_info_of(r->scene, time);
    s->frames[k] = frame->info.frame;
    s->times[k] = time;
    s->views[k].fov_deg = view.fov;
    for (int d = 0; d < 3; d++) {
        s->views[k].eye[d] = view.eye[d];
        s->views[k].look_at[d] = view.look_at[d];
    }
    s->sample_count++;  // also after a failure: destroy frees what the sample owns
    return result;
}
