// SPDX-License-Identifier: MIT
// Starts a scene from a frame of another run: the snow of that frame, as point files beside the new
// run, takes the place of the scene's own, and time begins where the frame is.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/paths.h"
#include "firn/run.h"
#include "output/export/points.h"
#include "output/run/cache.h"
#include "run/render/render_settings.h"
#include "run/run_folder.h"
#include "scene/data/scene_items.h"
#include "scene/data/snow.h"
#include "sim/entry.h"
#include "sim/scene/scene_api.h"

#define TIME_SHIFT 1e-9  // [frames] how far times of frames may be apart

typedef struct start {
    firn_scene* scene;
    firn_cache cache;
    firn_frame frame;
    firn_scene_data from;  // the scene of the run
    const char* dir;
    char* folder;                      // owned by libc: absolute
    uint8_t used[FIRN_MATERIALS_MAX];  // materials of the run that have particles
} start;

// ---- what the frame has -------------------------------------------------------------------------

static bool follows(const firn_frame* f, int field)
{
    return f->fields[field] != NULL;
}

static firn_result check_frame(const start* s, firn_error* error)
{
    static const int needed[] = {FIRN_FRAME_VELOCITY, FIRN_FRAME_MASS, FIRN_FRAME_DENSITY};
    const long long number = (long long)s->frame.info.frame;
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (!follows(&s->frame, needed[k]))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "frame %lld of '%s' has no field '%s', without which snow cannot go "
                             "on: add it to output.fields of its scene and run it again",
                             number, s->dir, firn_field_table[needed[k]].name);
    if (!follows(&s->frame, FIRN_FRAME_MATERIAL) && s->from.material_count > 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the run in '%s' has %d materials and its frames do not tell which "
                         "particle is what: add 'material' to output.fields of its scene and run "
                         "it again",
                         s->dir, (int)s->from.material_count);
    return FIRN_OK;
}

// Names of fields that the frame should have and has not, or the other way round.
static void list_fields(const start* s, const int* fields, size_t count, bool there, char* out,
                        size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (size_t k = 0; k < count; k++)
        if (follows(&s->frame, fields[k]) == there && at < size)
            at += (size_t)snprintf(out + at, size - at, "%s%s", at > 0 ? ", " : "",
                                   firn_field_table[fields[k]].name);
}

// Says what is not taken over.
static void explain(const start* s)
{
    static const int state[] = {FIRN_FRAME_PLASTIC_VOLUME, FIRN_FRAME_DEF_GRAD_ELASTIC,
                                FIRN_FRAME_STIFFNESS};
    static const int lost[] = {FIRN_FRAME_HARDENING, FIRN_FRAME_COMPRESSION,
                               FIRN_FRAME_STRETCH,   FIRN_FRAME_TEMPERATURE,
                               FIRN_FRAME_WATER,     FIRN_FRAME_CONSOLIDATION};
    firn_diagnostics* out = &s->scene->diagnostics;
    const firn_scene_data* d = &s->scene->data;
    char names[256];
    const long long number = (long long)s->frame.info.frame;
    list_fields(s, state, sizeof state / sizeof *state, false, names, sizeof names);
    if (names[0] != 0)
        firn_diagnose_key(out, false, d, "snow",
                          "frame %lld of '%s' has no %s: the snow starts without, as if it were "
                          "fresh; add them to output.fields of its scene to keep them",
                          number, s->dir, names);
    list_fields(s, lost, sizeof lost / sizeof *lost, true, names, sizeof names);
    if (names[0] != 0)
        firn_diagnose_key(out, false, d, "snow", "%s of frame %lld of '%s' are not taken over",
                          names, number, s->dir);
    if (firn_frame_snow_count(&s->frame) < s->frame.count)
        firn_diagnose_key(out, false, d, "snow",
                          "the powder of frame %lld of '%s' is left out: the run sheds its own",
                          number, s->dir);
    if (s->frame.body_count > 0)
        firn_diagnose_key(out, false, d, "colliders",
                          "colliders with a mass start where the scene puts them, not where frame "
                          "%lld of '%s' has them",
                          number, s->dir);
}

// ---- materials ----------------------------------------------------------------------------------

static firn_local material_of(const start* s, firn_local p)
{
    return s->frame.material != NULL ? s->frame.material[p] : 0;
}

// The material of the new scene with the name of the run's material m, or its only one.
static firn_result find_material(const start* s, firn_local m, firn_local* out, firn_error* error)
{
    const firn_scene_data* d = &s->scene->data;
    *out = 0;
    if (d->material_count == 1 && s->from.material_count <= 1) return FIRN_OK;
    for (firn_local k = 0; k < d->material_count; k++)
        if (m < s->from.material_count &&
            strcmp(d->materials[k].name, s->from.materials[m].name) == 0) {
            *out = k;
            return FIRN_OK;
        }
    return firn_fail(error, FIRN_REFUSED_SCENE,
                     "the run in '%s' has snow of a material '%.60s', which the scene lacks: give "
                     "the scene a material of that name",
                     s->dir, m < s->from.material_count ? s->from.materials[m].name : "?");
}

static firn_result find_used(start* s, firn_error* error)
{
    for (firn_local p = 0; p < firn_frame_snow_count(&s->frame); p++) {
        const firn_local m = material_of(s, p);
        if (m >= FIRN_MATERIALS_MAX)
            return firn_fail(error, FIRN_REFUSED_DAMAGED, "particle %d has material %d", (int)p,
                             (int)m);
        s->used[m] = 1;
    }
    return FIRN_OK;
}

// ---- point files --------------------------------------------------------------------------------

// The particles of material m, of the fields that seeds take.
static firn_result select_particles(const start* s, firn_local m, firn_frame* out)
{
    static const int fields[] = {FIRN_FRAME_POSITION,        FIRN_FRAME_VELOCITY,
                                 FIRN_FRAME_DENSITY,         FIRN_FRAME_MASS,
                                 FIRN_FRAME_STIFFNESS,       FIRN_FRAME_PLASTIC_VOLUME,
                                 FIRN_FRAME_DEF_GRAD_ELASTIC};
    const firn_local count = firn_frame_snow_count(&s->frame);
    *out = (firn_frame){.info = s->frame.info};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        const int f = fields[k];
        const size_t size = firn_field_type_size(firn_field_table[f].type);
        if (s->frame.fields[f] == NULL) continue;
        char* to = out->fields[f] = firn_alloc((size_t)count + 1, size);
        if (to == NULL) return FIRN_BROKEN_MEMORY;
        out->count = 0;
        for (firn_local p = 0; p < count; p++)
            if (material_of(s, p) == m)
                memcpy(to + size * (size_t)out->count++,
                       (char*)s->frame.fields[f] + size * (size_t)p, size);
    }
    return FIRN_OK;
}

static uint64_t hash_particles(const firn_frame* frame)
{
    uint64_t hash = 0;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (follows(frame, f))
            hash = firn_hash(frame->fields[f],
                             (size_t)frame->count * firn_field_type_size(firn_field_table[f].type),
                             hash + (uint64_t)f + 1);
    return hash;
}

// The name has a hash of the particles: a file that the run in the folder began with is never
// replaced by one of another frame, and a scene with other snow is another scene to --resume.
static firn_result write_points(const start* s, firn_local m, char** out_path, firn_error* error)
{
    char stem[FIRN_STEM_BYTES];
    firn_frame own;
    firn_path_stem(m < s->from.material_count ? s->from.materials[m].name : "snow", stem);
    firn_result r = select_particles(s, m, &own);
    if (r != FIRN_OK)
        firn_fail(error, r, "out of memory for the %d particles of a frame", (int)s->frame.count);
    else
        r = firn_path_print(out_path, error, "%s/" FIRN_RUN_START "/%d.%s.%016" PRIx64 ".ply",
                            s->folder, (int)m, stem, hash_particles(&own));
    if (r == FIRN_OK) r = firn_ply_write(*out_path, &own, false, error);
    firn_frame_destroy(&own);
    return r;
}

// Snow of material m of the run, at the end of the scene's list.
static firn_result add_snow(const start* s, firn_local m, firn_error* error)
{
    firn_scene_data* d = &s->scene->data;
    char* path = NULL;
    firn_snow snow = {.shape = -1,
                      .particles_per_cell = 8,
                      .loose = 1,
                      .seed = 1,
                      .temperature = FIRN_SNOW_TEMPERATURE};
    firn_result r = find_material(s, m, &snow.material, error);
    if (r == FIRN_OK) r = write_points(s, m, &path, error);
    snow.file = path;
    if (r == FIRN_OK &&
        !firn_reserve((void**)&d->snow, &d->snow_capacity, d->snow_count + 1, sizeof *d->snow))
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    if (r != FIRN_OK) {
        firn_free(path);
        return r;
    }
    d->snow[d->snow_count++] = snow;
    return FIRN_OK;
}

static void drop_snow(firn_scene_data* d)
{
    for (firn_local i = 0; i < d->snow_count; i++) {
        firn_free(d->snow[i].file);
        firn_vary_release(&d->snow[i].vary);
    }
    d->snow_count = 0;
}

// ---- all ----------------------------------------------------------------------------------------

// The number of the new scene's frame at the time of the frame.
static firn_result find_first(const start* s, int64_t* out_first, firn_error* error)
{
    const firn_time_block* time = &s->scene->data.time;
    const double at = s->frame.info.time * time->fps, whole = floor(at + 0.5);
    if (fabs(at - whole) > TIME_SHIFT * (1 + whole))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "frame %lld of '%s' is at %.6g s, between two frames of the scene, which "
                         "has %g per second: use %g, or another frame",
                         (long long)s->frame.info.frame, s->dir, s->frame.info.time, time->fps,
                         s->frame.info.fps);
    if (whole >= (double)time->frames)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the scene ends at frame %lld, and frame %lld of '%s' is its frame %.0f: "
                         "set time.frames to more than that",
                         (long long)time->frames, (long long)s->frame.info.frame, s->dir, whole);
    *out_first = (int64_t)whole;
    return FIRN_OK;
}

static firn_result make_folder(start* s, const char* folder, firn_error* error)
{
    FIRN_TRY(firn_folder_make(folder, error));
    FIRN_TRY(firn_folder_make_inside(folder, FIRN_RUN_START, error));
    s->folder = realpath(folder, NULL);
    return s->folder != NULL ? FIRN_OK
                             : firn_fail(error, FIRN_REFUSED_IO, "'%s' cannot be found", folder);
}

static firn_result begin(start* s, const char* folder, firn_error* error)
{
    firn_scene_data* d = &s->scene->data;
    int64_t first = 0;
    FIRN_TRY(check_frame(s, error));
    FIRN_TRY(find_first(s, &first, error));
    FIRN_TRY(find_used(s, error));
    for (firn_local m = 0; m < FIRN_MATERIALS_MAX; m++) {
        firn_local found;
        if (s->used[m]) FIRN_TRY(find_material(s, m, &found, error));
    }
    FIRN_TRY(make_folder(s, folder, error));
    drop_snow(d);
    for (firn_local m = 0; m < FIRN_MATERIALS_MAX; m++)
        if (s->used[m]) FIRN_TRY(add_snow(s, m, error));
    d->time.first = first;
    firn_scene_data_changed(d);
    explain(s);
    return FIRN_OK;
}

static firn_result load(start* s, int64_t frame, const char* folder, firn_error* error)
{
    FIRN_TRY(firn_cache_open(s->dir, &s->cache, error));
    firn_result r = firn_cache_frame(&s->cache, frame, &s->frame, error);
    if (r == FIRN_OK) r = firn_render_scene_load(s->dir, NULL, 0, &s->from, error);
    if (r == FIRN_OK) r = begin(s, folder, error);
    firn_scene_data_destroy(&s->from);
    firn_frame_destroy(&s->frame);
    firn_cache_close(&s->cache);
    free(s->folder);
    return r;
}

firn_result firn_scene_start_from(firn_scene* scene, const char* dir, int64_t frame,
                                  const char* folder)
{
    (void)firn_call(NULL);
    if (scene == NULL || dir == NULL || folder == NULL) return firn_call_null(__func__);
    firn_scene_forget_messages(scene);
    start s = {.scene = scene, .dir = dir};
    firn_error error = {0};
    const firn_entry entry = firn_enter(0);
    const firn_result r = load(&s, frame, folder, &error);
    firn_leave(entry);
    if (r != FIRN_OK) return firn_scene_refuse(scene, &error);
    firn_scene_keep_messages(scene);
    return FIRN_OK;
}
