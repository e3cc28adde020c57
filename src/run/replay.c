// SPDX-License-Identifier: MIT
// Replay of a run: the manifest lists the frames, each is read with all its fields, and the run's
// scene has the colliders at its time.
//
// The seal of a frame (size, checksum) is verified when it is read. It is not compared with the
// manifest's copy: that would read every file twice, and users who drag the time line wait for each
// frame.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/paths.h"
#include "geometry/collider/collider.h"
#include "output/export/height_files.h"
#include "output/frame/frame.h"
#include "output/run/cache.h"
#include "run/frame_picture.h"
#include "run/frame_poses.h"
#include "run/render/render_settings.h"
#include "sim/collider_info.h"
#include "sim/collider_mesh.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/query/query_heights.h"
#include "sim/sim.h"
#include "sim/sim_ids.h"

struct firn_replay {
    firn_cache cache;
    struct stat manifest;  // of the file that `cache` was read from
    firn_scene_data scene;
    uint32_t owner;   // of the ids of colliders
    int64_t* frames;  // owned; frames of the manifest, ascending
    firn_local frame_count, frame_capacity;
    firn_frame frame;          // the current one
    firn_collider* colliders;  // owned copies of the scene's colliders, posed as in the frame
};

// ---- frames -------------------------------------------------------------------------------------

static bool stat_manifest(const char* dir, struct stat* out_status)
{
    char* path = NULL;
    memset(out_status, 0, sizeof *out_status);
    const bool good = firn_path_print(&path, NULL, "%s/manifest.json", dir) == FIRN_OK &&
                      stat(path, out_status) == 0;
    firn_free(path);
    return good;
}

// A manifest is replaced by a new file, never modified in place.
static bool is_same_file(const struct stat* a, const struct stat* b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static firn_result list_frames(firn_replay* replay, firn_error* error)
{
    const firn_manifest* m = &replay->cache.manifest;
    if (!firn_reserve((void**)&replay->frames, &replay->frame_capacity, m->count + 1,
                      sizeof *replay->frames))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a list of %d frames",
                         (int)m->count);
    replay->frame_count = 0;
    for (firn_local k = 0; k < m->count; k++)
        if (m->entries[k].kind == FIRN_ENTRY_FRAME)
            replay->frames[replay->frame_count++] = m->entries[k].frame;
    return FIRN_OK;
}

// Reads the manifest again if it has changed. On failure the list stays unchanged: a run that is
// being replaced has no manifest for a moment.
static void refresh(firn_replay* replay)
{
    struct stat now;
    firn_cache cache;
    if (!stat_manifest(replay->cache.dir, &now) || is_same_file(&now, &replay->manifest)) return;
    if (firn_cache_open(replay->cache.dir, &cache, NULL) != FIRN_OK) return;
    firn_cache before = replay->cache;
    replay->cache = cache;
    if (list_frames(replay, NULL) == FIRN_OK) {
        replay->manifest = now;
    } else {
        replay->cache = before;
        before = cache;
    }
    firn_cache_close(&before);
}

int firn_replay_frames(firn_replay* replay, const int64_t** out_frames)
{
    if (replay == NULL || out_frames == NULL) return 0;
    refresh(replay);
    if (out_frames != NULL) *out_frames = replay->frames;
    return (int)replay->frame_count;
}

static firn_result read_frame(firn_replay* replay, int64_t number, firn_frame* out_frame,
                              firn_error* error)
{
    const firn_manifest* m = &replay->cache.manifest;
    const firn_manifest_entry* entry = firn_manifest_find(m, FIRN_ENTRY_FRAME, number);
    if (entry == NULL) {
        refresh(replay);  // it may have been written in the meantime
        entry = firn_manifest_find(m, FIRN_ENTRY_FRAME, number);
    }
    if (entry == NULL)
        return firn_fail(error, FIRN_REFUSED_NAME, "'%s' has no frame %" PRId64 " (it has %d)",
                         replay->cache.dir, number, (int)replay->frame_count);
    return firn_cache_read_frame(&replay->cache, entry, out_frame, error);
}

// Makes copies of the scene's colliders, posed as in the frame.
static firn_result pose_colliders(const firn_replay* replay, const firn_frame* frame,
                                  firn_collider** out_colliders, firn_error* error)
{
    const firn_scene_data* scene = &replay->scene;
    const firn_local count = scene->collider_count;
    firn_collider* colliders = firn_alloc((size_t)count + 1, sizeof *colliders);
    if (colliders == NULL || firn_colliders_copy(scene->colliders, count, colliders) != FIRN_OK) {
        firn_free(colliders);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the %d colliders of a frame",
                         (int)count);
    }
    const double time = frame->info.time;
    firn_result r =
        firn_frame_poses_put(frame->bodies, frame->body_count, time, colliders, count, error);
    for (firn_local c = 0; c < count && r == FIRN_OK; c++)
        r = firn_collider_move(&colliders[c], &scene->shapes, time, error);
    if (r == FIRN_OK) {
        *out_colliders = colliders;
        return FIRN_OK;
    }
    firn_colliders_destroy(colliders, count);
    firn_free(colliders);
    return r;
}

static void drop_frame(firn_replay* replay)
{
    firn_frame_destroy(&replay->frame);
    if (replay->colliders != NULL)
        firn_colliders_destroy(replay->colliders, replay->scene.collider_count);
    firn_free(replay->colliders);
    replay->colliders = NULL;
}

firn_result firn_replay_seek(firn_replay* replay, int64_t frame, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (replay == NULL) return firn_call_null(__func__);
    firn_frame read;
    firn_collider* colliders = NULL;
    FIRN_TRY(read_frame(replay, frame, &read, out_error));
    const firn_result r = pose_colliders(replay, &read, &colliders, out_error);
    if (r != FIRN_OK) {
        firn_frame_destroy(&read);
        return r;
    }
    drop_frame(replay);
    replay->frame = read;
    replay->colliders = colliders;
    return FIRN_OK;
}

// ---- opening ------------------------------------------------------------------------------------

static firn_result open_run(firn_replay* replay, const char* dir, firn_error* error)
{
    stat_manifest(dir, &replay->manifest);  // before reading it, so that a newer one is noticed
    FIRN_TRY(firn_cache_open(dir, &replay->cache, error));
    FIRN_TRY(list_frames(replay, error));
    if (replay->frame_count == 0)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "'%s' has no frames yet: wait for the run to write one", dir);
    FIRN_TRY(firn_render_scene_load(dir, NULL, 0, &replay->scene, error));
    return firn_replay_seek(replay, replay->frames[0], error);
}

firn_result firn_replay_open(const char* dir, firn_replay** out_replay, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (dir == NULL || out_replay == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_replay_open needs the folder of a run");
    firn_replay* replay = firn_alloc(1, sizeof *replay);
    if (replay == NULL)
        return firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory for opening '%s'", dir);
    replay->owner = firn_owner_new();
    const firn_entry entry = firn_enter(0);
    const firn_result r = open_run(replay, dir, out_error);
    firn_leave(entry);
    if (r == FIRN_OK)
        *out_replay = replay;
    else
        firn_replay_close(replay);
    return r;
}

void firn_replay_close(firn_replay* replay)
{
    if (replay == NULL) return;
    drop_frame(replay);
    firn_scene_data_destroy(&replay->scene);
    firn_cache_close(&replay->cache);
    firn_free(replay->frames);
    firn_free(replay);
}

// ---- contents of the frame ----------------------------------------------------------------------

int64_t firn_replay_frame(const firn_replay* replay)
{
    if (replay == NULL) return -1;
    return replay->frame.info.frame;
}

double firn_replay_time(const firn_replay* replay)
{
    if (replay == NULL) return 0;
    return replay->frame.info.time;
}

firn_result firn_replay_view_sized(const firn_replay* replay, firn_view_info* out_info,
                                   uint32_t size)
{
    (void)firn_call(NULL);
    if (replay == NULL || out_info == NULL) return firn_call_null(__func__);
    const firn_view_info info = firn_view_info_of(&replay->scene, replay->frame.info.time);
    firn_give(out_info, size, &info, sizeof info);
    return FIRN_OK;
}

static firn_field_view view_of(const firn_replay* replay, int field)
{
    const firn_field_info* info = &firn_field_table[field];
    return (firn_field_view){.name = info->name,
                             .unit = info->unit,
                             .type = info->type,
                             .count = replay->frame.count,
                             .data = replay->frame.fields[field]};
}

firn_result firn_replay_field(const firn_replay* replay, const char* name,
                              firn_field_view* out_view)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL || name == NULL || out_view == NULL) return firn_call_null(__func__);
    const firn_field_info* info = firn_field_find(name);
    const int field = info != NULL ? (int)(info - firn_field_table) : -1;
    if (field < 0 || replay->frame.fields[field] == NULL)
        return firn_fail(error, FIRN_REFUSED_NAME, "frame %" PRId64 " has no field '%.60s'",
                         replay->frame.info.frame, name);
    *out_view = view_of(replay, field);
    return FIRN_OK;
}

int firn_replay_field_count(const firn_replay* replay)
{
    if (replay == NULL) return 0;
    int count = 0;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) count += replay->frame.fields[f] != NULL;
    return count;
}

firn_result firn_replay_field_at(const firn_replay* replay, int index, firn_field_view* out_view)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL || out_view == NULL) return firn_call_null(__func__);
    const int wanted = index;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        if (replay->frame.fields[f] == NULL || index-- != 0) continue;
        *out_view = view_of(replay, f);
        return FIRN_OK;
    }
    return firn_fail(error, FIRN_REFUSED_ARGUMENT, "the frame has no field %d, counted from 0",
                     wanted);
}

int firn_replay_body_count(const firn_replay* replay)
{
    if (replay == NULL) return 0;
    return replay->scene.collider_count;
}

firn_result firn_replay_body_at(const firn_replay* replay, int index, firn_collider_id* out_id)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL || out_id == NULL) return firn_call_null(__func__);
    if (index < 0 || index >= replay->scene.collider_count)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "there is no collider %d: the run has %d, counted from 0", index,
                         (int)replay->scene.collider_count);
    *out_id = (firn_collider_id){(uint32_t)index + 1, replay->owner};
    return FIRN_OK;
}

static firn_result find_collider(const firn_replay* replay, firn_collider_id id,
                                 firn_local* out_index, firn_error* error)
{
    const firn_id_list list = {"collider", replay->owner, replay->scene.collider_count};
    return firn_id_find(&list, id.slot1, id.owner, out_index, error);
}

firn_result firn_replay_body_sized(const firn_replay* replay, firn_collider_id id,
                                   firn_body_info* out_info, uint32_t size)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL || out_info == NULL) return firn_call_null(__func__);
    firn_local body;
    FIRN_TRY(find_collider(replay, id, &body, error));
    const firn_body_info info =
        firn_body_info_of(&replay->scene, &replay->colliders[body], body, replay->frame.info.time);
    firn_give(out_info, size, &info, sizeof info);
    return FIRN_OK;
}

firn_result firn_replay_body_mesh(const firn_replay* replay, firn_collider_id id,
                                  firn_body_mesh* out_mesh, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (replay == NULL || out_mesh == NULL) return firn_call_null(__func__);
    firn_local body;
    FIRN_TRY(find_collider(replay, id, &body, out_error));
    firn_body_mesh mesh;
    FIRN_TRY(firn_body_mesh_make(&replay->scene, &replay->colliders[body], replay->frame.info.time,
                                 &mesh, out_error));
    *out_mesh = mesh;
    return FIRN_OK;
}

firn_result firn_replay_height_box(const firn_replay* replay, firn_height_def* def)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL) return firn_call_null(__func__);
    firn_height_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_HEIGHT, def, &own, error));
    const firn_height_snow snow = firn_height_snow_of(&replay->frame);
    own.x = own.z = own.width = own.depth = 0;
    firn_heights_find_box(&snow, &own, NULL, NULL);
    firn_height_def_set_box(def, &own);
    return FIRN_OK;
}

firn_result firn_replay_heights(const firn_replay* replay, const firn_height_def* def,
                                float* out_heights)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL || out_heights == NULL) return firn_call_null(__func__);
    firn_height_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_HEIGHT, def, &own, error));
    const firn_height_snow snow = firn_height_snow_of(&replay->frame);
    const firn_entry entry = firn_enter(0);
    const firn_result r = firn_heights_make(&snow, &own, out_heights, error);
    firn_leave(entry);
    return r;
}

firn_result firn_replay_heights_update(const firn_replay* replay, firn_heights* heights,
                                       firn_rect* out_dirty)
{
    firn_error* error = firn_call(NULL);
    if (replay == NULL || heights == NULL) return firn_call_null(__func__);
    const firn_height_snow snow = firn_height_snow_of(&replay->frame);
    const firn_entry entry = firn_enter(0);
    const firn_result r = firn_heights_follow(heights, &snow, out_dirty, error);
    firn_leave(entry);
    return r;
}

firn_result firn_replay_picture(const firn_replay* replay, int width, int height,
                                uint8_t* out_pixels, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (replay == NULL || out_pixels == NULL) return firn_call_null(__func__);
    const firn_entry entry = firn_enter(0);
    const firn_result r =
        firn_frame_pixels(&replay->frame, &replay->scene, width, height, out_pixels, out_error);
    firn_leave(entry);
    return r;
}
