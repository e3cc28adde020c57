// SPDX-License-Identifier: MIT
// One picture: check for an existing one, render, write. The PNG is written last and has metadata
// on how it was rendered, so that a picture by itself shows whether it is complete.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/timer.h"
#include "device/device.h"
#include "firn/version.h"
#include "render/fluid/fluids.h"
#include "render/path/cuda/picture_cuda.h"
#include "render/path/denoise/denoise.h"
#include "render/path/develop.h"
#include "render/path/visible/visible.h"
#include "run/frame_poses.h"
#include "run/render/render_job.h"
#include "run/render/render_settings.h"
#include "scene/data/snow.h"

#define SOFTWARE "firn " FIRN_VERSION_TEXT
#define NOTE_SETTINGS "firn:settings"
#define NOTE_FRAME "firn:frame"
#define PNG_EFFORT 6  // zlib level: rendering took minutes, so better compression is worth it

static bool exists(const char* path)
{
    return access(path, F_OK) == 0;
}

// The checksum of the frame and the hash of everything else that the picture shows.
static void frame_note(const firn_render_job* job, const firn_manifest_entry* entry, char* out,
                       size_t size)
{
    snprintf(out, size, "%016" PRIx64 " %016" PRIx64, entry->checksum, job->origin);
}

// Pictures that are unreadable or without metadata are foreign.
static firn_result compare_settings(const firn_render_job* job, const char* path,
                                    firn_picture_state* out_state, char* out_why, size_t size,
                                    firn_error* error)
{
    char* settings = NULL;
    const firn_result r = firn_png_read_note(path, NOTE_SETTINGS, &settings, error);
    if (r == FIRN_REFUSED_DAMAGED || (r == FIRN_OK && settings == NULL)) {
        *out_state = FIRN_PICTURE_FOREIGN;
        return FIRN_OK;
    }
    FIRN_TRY(r);
    *out_state = FIRN_PICTURE_DONE;
    if (strcmp(settings, job->settings) != 0) {
        *out_state = FIRN_PICTURE_OTHER;
        firn_render_difference(settings, job->settings, out_why, size);
    }
    firn_free(settings);
    return FIRN_OK;
}

static firn_result compare_frame(const firn_render_job* job, const char* path,
                                 const firn_manifest_entry* entry, firn_picture_state* out_state,
                                 firn_error* error)
{
    char want[64];
    char* note = NULL;
    frame_note(job, entry, want, sizeof want);
    FIRN_TRY(firn_png_read_note(path, NOTE_FRAME, &note, error));
    if (note == NULL || strcmp(note, want) != 0) *out_state = FIRN_PICTURE_OLD;
    firn_free(note);
    return FIRN_OK;
}

firn_result firn_render_look(const firn_render_job* job, int64_t frame,
                             firn_picture_state* out_state, char* out_why, size_t size,
                             firn_error* error)
{
    char *png = NULL, *exr = NULL;
    *out_state = FIRN_PICTURE_MISSING;
    out_why[0] = 0;
    firn_result r = firn_render_path(job, frame, "png", &png, error);
    if (r == FIRN_OK) r = firn_render_path(job, frame, "exr", &exr, error);
    if (r == FIRN_OK && exists(png)) {
        r = compare_settings(job, png, out_state, out_why, size, error);
        const firn_manifest_entry* entry =
            firn_manifest_find(&job->cache.manifest, FIRN_ENTRY_FRAME, frame);
        if (r == FIRN_OK && *out_state == FIRN_PICTURE_DONE && entry != NULL)
            r = compare_frame(job, png, entry, out_state, error);
        if (*out_state == FIRN_PICTURE_DONE && job->def->exr && !exists(exr))
            *out_state = FIRN_PICTURE_MISSING;
    }
    firn_free(png);
    firn_free(exr);
    return r;
}

// ---- rendering ----------------------------------------------------------------------------------

// < 0: unknown.
static double estimate_left(const firn_render_job* job, const firn_picture_progress* p)
{
    if (p->passes < 1) return -1;
    const double by_passes = p->seconds / (double)p->passes * (double)(p->passes_max - p->passes);
    const double limit = job->scene.render.seconds - p->seconds;
    const double left = job->scene.render.seconds > 0 && limit < by_passes ? limit : by_passes;
    return left > 0 ? left : 0;
}

// < 0: unknown, for example while the run is still in progress.
static double all_left(const firn_render_job* job, double picture_left, double each, int64_t others)
{
    if (picture_left < 0 || (job->def->follow && !job->cache.manifest.complete)) return -1;
    return picture_left + each * (double)others;
}

static bool on_pass(void* user, const firn_picture_progress* p)
{
    firn_render_job* job = user;
    const firn_render_summary* sum = job->summary;
    job->last = *p;
    if (job->def->progress != NULL) {
        const double spent = firn_seconds() - job->frame_start, left = estimate_left(job, p);
        const double each =
            sum->pictures > 0 ? job->picture_seconds / (double)sum->pictures : spent + left;
        const firn_render_progress progress = {.frame = job->frame,
                                               .done = sum->pictures + sum->skipped + sum->damaged,
                                               .wanted = job->plan.count,
                                               .passes = p->passes,
                                               .passes_max = p->passes_max,
                                               .noise = p->noise,
                                               .picture_seconds = spent,
                                               .picture_seconds_left = left,
                                               .seconds_elapsed = firn_seconds() - job->start,
                                               .seconds_left =
                                                   all_left(job, left, each, job->todo - 1)};
        job->def->progress(job->def->user, &progress);
    }
    return !firn_render_stopped(job);
}

// Reports that the files of a picture are on disk.
static void tell_done(const firn_render_job* job, const char* path)
{
    if (job->def->progress == NULL) return;
    const firn_render_summary* sum = job->summary;
    const double each = job->picture_seconds / (double)sum->pictures;
    const firn_render_progress progress = {.frame = job->frame,
                                           .done = sum->pictures + sum->skipped + sum->damaged,
                                           .wanted = job->plan.count,
                                           .passes = job->last.passes,
                                           .passes_max = job->last.passes_max,
                                           .noise = job->last.noise,
                                           .picture_seconds = firn_seconds() - job->frame_start,
                                           .seconds_elapsed = firn_seconds() - job->start,
                                           .seconds_left = all_left(job, 0, each, job->todo),
                                           .picture_done = true,
                                           .picture_path = path};
    job->def->progress(job->def->user, &progress);
}

static bool has_layer(const firn_render_job* job, int layer)
{
    return (job->scene.render.layers >> layer & 1) != 0;
}

#define OWN_TEXTS 3

// `visible`: null where no layer needs it.
static firn_result write_exr(const firn_render_job* job, int64_t frame,
                             const firn_film_layers* layers, const firn_visible* visible,
                             const char* note, firn_error* error)
{
    const bool ids = visible != NULL && has_layer(job, FIRN_LAYER_ID);
    firn_exr_text texts[OWN_TEXTS + FIRN_VISIBLE_TEXTS] = {
        {"software", SOFTWARE}, {NOTE_FRAME, note}, {NOTE_SETTINGS, job->settings}};
    firn_exr_channel more[FIRN_VISIBLE_CHANNELS_MAX];
    firn_film_extra extra = {.light = has_layer(job, FIRN_LAYER_LIGHT), .more = more};
    char *path = NULL, *manifest = NULL;
    if (visible != NULL)
        extra.more_count =
            firn_visible_channels(visible, has_layer(job, FIRN_LAYER_VELOCITY), ids, more);
    if (ids && !firn_visible_texts(visible, texts + OWN_TEXTS, &manifest))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_result r = firn_render_path(job, frame, "exr", &path, error);
    if (r == FIRN_OK)
        r = firn_film_write_exr(path, layers, &extra, texts,
                                OWN_TEXTS + (ids ? FIRN_VISIBLE_TEXTS : 0), error);
    firn_free(manifest);
    firn_free(path);
    return r;
}

static firn_result write_png(const firn_render_job* job, const char* path,
                             const firn_film_layers* layers, const char* note, firn_error* error)
{
    const firn_png_note notes[] = {
        {"Software", SOFTWARE}, {NOTE_FRAME, note}, {NOTE_SETTINGS, job->settings}};
    firn_image image;
    const firn_render_block* r = &job->scene.render;
    FIRN_TRY(firn_film_image(layers, r->exposure, r->tone, &image, error));
    const firn_result written = firn_png_write_noted(path, &image, PNG_EFFORT, notes,
                                                     (int)(sizeof notes / sizeof *notes), error);
    firn_image_destroy(&image);
    return written;
}

// The .exr has the radiance as rendered; only the PNG is denoised.
static firn_result write_files(const firn_render_job* job, int64_t frame, const firn_film* film,
                               const firn_visible* visible, const char* path, firn_error* error)
{
    char note[64];
    frame_note(job, firn_manifest_find(&job->cache.manifest, FIRN_ENTRY_FRAME, frame), note,
               sizeof note);
    firn_film_layers layers;
    FIRN_TRY(firn_film_develop(film, &layers, error));
    firn_result r = FIRN_OK;
    if (job->def->exr) r = write_exr(job, frame, &layers, visible, note, error);
    if (r == FIRN_OK && job->scene.render.denoise) r = firn_denoise(film, &layers, error);
    if (r == FIRN_OK) r = write_png(job, path, &layers, note, error);
    firn_film_layers_destroy(&layers);
    return r;
}

// The mass of a grain is rho r^3 (VALIDATION, erratum 26) and its width is 2 r: rendered with that
// mass, snow would have an eighth of its density. So grains are rendered with the mass of a full
// cube.
#define GRAIN_FILL 8

// Masses for rendering. In a frame without the field `mass` every particle has the initial mass of
// a particle of the first snow body.
static firn_real* make_masses(const firn_scene_data* scene, const firn_frame* frame, double cell)
{
    const firn_local count = frame->count;
    firn_real* mass = firn_alloc((size_t)count + 1, sizeof *mass);
    if (mass == NULL) return NULL;
    if (frame->mass != NULL) {
        for (firn_local p = 0; p < count; p++) mass[p] = GRAIN_FILL * frame->mass[p];
        return mass;
    }
    double density = scene->render.medium.density, per_cell = 8;
    if (scene->snow_count > 0) {
        density = scene->materials[scene->snow[0].material].snow.density;
        per_cell = scene->snow[0].particles_per_cell;
    }
    for (firn_local p = 0; p < count; p++)
        mass[p] = (firn_real)(density * cell * cell * cell / per_cell);
    return mass;
}

static firn_result trace(firn_render_job* job, const firn_frame* frame, const firn_real* mass,
                         firn_film* out_film, firn_visible* visible, firn_error* error)
{
    const firn_manifest* run = &job->cache.manifest;
    const firn_picture_snow snow = {.x = frame->position,
                                    .v = frame->velocity,
                                    .mass = mass,
                                    .id = frame->id,
                                    .material = frame->material,
                                    .count = frame->count,
                                    .cell = run->cell,
                                    .time = frame->info.time,
                                    .frame_time = 1 / run->fps};
    if (frame->material == NULL && job->scene.material_count > 1 && firn_fluids_exist(&job->scene))
        firn_log_write(&job->log, FIRN_LOG_WARNING, "render.material",
                       "frame %" PRId64
                       " does not say which particles are fluids: all are rendered as snow; run "
                       "again with 'material' in output.fields",
                       frame->info.frame);
    if (frame->velocity == NULL && job->scene.render.shutter > 0)
        firn_log_write(&job->log, FIRN_LOG_WARNING, "render.velocity",
                       "frame %" PRId64
                       " has no velocities: the snow is rendered without motion blur",
                       frame->info.frame);
    const bool on_gpu = job->device != FIRN_DEVICE_CPU;
    const firn_picture_options options = {.progress = on_pass,
                                          .user = job,
                                          .machine = on_gpu ? &firn_picture_on_cuda : NULL,
                                          .device = job->device,
                                          .visible = visible};
    firn_picture_stats stats = {0};
    FIRN_TRY(firn_picture_trace(&job->scene, &snow, &options, out_film, &stats, error));
    job->summary->paths += stats.paths;
    job->summary->events += stats.events;
    job->summary->trace_seconds += stats.seconds_trace;
    if (stats.dropped > 0)
        firn_log_write(&job->log, FIRN_LOG_WARNING, "render.dropped",
                       "frame %" PRId64 ": %" PRId64
                       " paths with NaN or infinite radiance were skipped; please report this",
                       frame->info.frame, stats.dropped);
    return FIRN_OK;
}

firn_result firn_render_picture(firn_render_job* job, const firn_frame* frame, firn_error* error)
{
    firn_film film;
    job->frame = frame->info.frame;
    job->frame_start = firn_seconds();
    job->last = (firn_picture_progress){0};
    FIRN_TRY(firn_frame_poses_put(frame->bodies, frame->body_count, frame->info.time,
                                  job->scene.colliders, job->scene.collider_count, error));
    firn_real* made = NULL;  // owned masses, for frames without them and for grains
    if (frame->mass == NULL || frame->radius != NULL) {
        made = make_masses(&job->scene, frame, job->cache.manifest.cell);
        if (made == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    firn_visible seen = {.width = 0};
    const bool looks =
        job->def->exr && (has_layer(job, FIRN_LAYER_VELOCITY) || has_layer(job, FIRN_LAYER_ID));
    firn_visible* visible = looks ? &seen : NULL;
    const firn_result traced =
        trace(job, frame, made != NULL ? made : frame->mass, &film, visible, error);
    firn_free(made);
    FIRN_TRY(traced);
    firn_result r = FIRN_OK;
    // a picture with too few samples is discarded
    if (job->stopped && job->last.passes < job->last.passes_max)
        r = firn_fail(error, FIRN_INTERRUPTED,
                      "interrupted at frame %" PRId64 "; continue with --resume", job->frame);
    char* path = NULL;
    if (r == FIRN_OK) r = firn_render_path(job, job->frame, "png", &path, error);
    if (r == FIRN_OK) r = write_files(job, job->frame, &film, visible, path, error);
    firn_visible_destroy(&seen);
    firn_film_destroy(&film);
    if (r == FIRN_OK) {
        job->summary->pictures++;
        job->todo--;
        job->picture_seconds += firn_seconds() - job->frame_start;
        tell_done(job, path);
    }
    firn_free(path);
    return r;
}
