// SPDX-License-Identifier: MIT
// firn_render as a list of steps: run, scene, selection of frames, check for existing pictures, the
// pictures, the film.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/draft.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/timer.h"
#include "device/device.h"
#include "run/render/render_job.h"
#include "run/render/render_settings.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/sim.h"

bool firn_render_stopped(firn_render_job* job)
{
    if (!job->stopped && job->def->cancelled != NULL)
        job->stopped = job->def->cancelled(job->def->user);
    return job->stopped;
}

firn_result firn_render_path(const firn_render_job* job, int64_t frame, const char* extension,
                             char** out_path, firn_error* error)
{
    return firn_path_print(out_path, error, "%s/%s.%04" PRId64 ".%s", job->out_dir, job->name,
                           frame, extension);
}

static firn_result check_def(const firn_render_def* def, firn_error* error)
{
    if (def->input_dir == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn_render needs the folder of a run: input_dir");
    if (def->resume && def->overwrite)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "existing pictures can be kept (--resume) or rendered again "
                         "(--overwrite), not both");
    if (def->frame_begin < 0 || def->frame_step < 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the first frame must be at least 0 and the step at least 1, not "
                         "%" PRId64 " and %" PRId64,
                         def->frame_begin, def->frame_step);
    if (def->threads < 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "threads = %d: use 0 (all cores) or more",
                         def->threads);
    if ((def->frames != NULL && def->frame_count == 0) ||
        (def->overrides == NULL && def->override_count > 0))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn_render needs both a list and its number of items, or neither");
    return FIRN_OK;
}

#define PICTURES "pictures"  // below the folder of the run

static firn_result set_folder(firn_render_job* job, firn_error* error)
{
    const firn_render_def* def = job->def;
    if (def->output_dir != NULL)
        return firn_path_print(&job->out_dir, error, "%s", def->output_dir);
    return firn_path_print(&job->out_dir, error, "%s/" PICTURES, def->input_dir);
}

// The folder that the caller names, or one inside that of the run, which may be somebody else's.
static firn_result make_folder(const firn_render_job* job, firn_error* error)
{
    if (job->def->output_dir != NULL)
        FIRN_TRY(firn_folder_make(job->out_dir, error));
    else
        FIRN_TRY(firn_folder_make_inside(job->def->input_dir, PICTURES, error));
    firn_draft_clean(job->out_dir);
    return FIRN_OK;
}

static firn_result refuse_picture(const firn_render_job* job, int64_t frame,
                                  firn_picture_state state, const char* why, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_render_path(job, frame, "png", &path, error));
    if (!job->def->resume)
        firn_fail(error, FIRN_REFUSED_ARGUMENT,
                  "the picture '%s' is already there: keep existing pictures with --resume, "
                  "replace them with --overwrite, or choose another folder with -o",
                  path);
    else if (state == FIRN_PICTURE_FOREIGN)
        firn_fail(error, FIRN_REFUSED_ARGUMENT,
                  "'%s' has no record of its render settings: replace it with --overwrite, or "
                  "choose another folder with -o",
                  path);
    else
        firn_fail(error, FIRN_REFUSED_ARGUMENT,
                  "'%s' was rendered with other settings: %s. Continue with the same settings, "
                  "replace it with --overwrite, or choose another folder with -o",
                  path, why);
    firn_free(path);
    return FIRN_REFUSED_ARGUMENT;
}

// Checks for existing pictures before anything is rendered.
static firn_result look_around(firn_render_job* job, firn_error* error)
{
    for (int64_t k = 0; k < job->plan.count; k++) {
        const int64_t frame = firn_render_plan_at(&job->plan, k);
        firn_picture_state state;
        char why[400];
        FIRN_TRY(firn_render_look(job, frame, &state, why, sizeof why, error));
        const bool in_the_way = job->def->resume
                                    ? state == FIRN_PICTURE_OTHER || state == FIRN_PICTURE_FOREIGN
                                    : state != FIRN_PICTURE_MISSING && !job->def->overwrite;
        if (in_the_way) return refuse_picture(job, frame, state, why, error);
        if (!job->def->resume || state != FIRN_PICTURE_DONE) job->todo++;
    }
    return FIRN_OK;
}

// Skips a damaged frame, so that it does not end a long render.
static void leave_out(firn_render_job* job, int64_t frame, const firn_error* why, firn_error* first)
{
    firn_log_write(&job->log, FIRN_LOG_WARNING, "render.damaged",
                   "frame %" PRId64 " is skipped: %s", frame, why->text);
    job->todo--;
    if (job->summary->damaged++ == 0)
        firn_fail(first, why->code, "frame %" PRId64 ": %s", frame, why->text);
}

static firn_result render_frame(firn_render_job* job, int64_t number, firn_error* damage,
                                firn_error* error)
{
    FIRN_TRY(firn_render_wait_frame(job, number, error));
    firn_picture_state state = FIRN_PICTURE_MISSING;
    char why[400];
    if (job->def->resume) FIRN_TRY(firn_render_look(job, number, &state, why, sizeof why, error));
    if (state == FIRN_PICTURE_DONE) {
        job->summary->skipped++;
        return FIRN_OK;
    }
    if (state == FIRN_PICTURE_OLD)
        firn_log_write(&job->log, FIRN_LOG_INFO, "render.old",
                       "frame %" PRId64 " has changed since its picture was rendered: rendering it "
                       "again",
                       number);
    firn_frame frame;
    firn_error trouble = {0};
    firn_result r = firn_cache_frame(&job->cache, number, &frame, &trouble);
    if (r == FIRN_REFUSED_DAMAGED || r == FIRN_REFUSED_IO) {
        leave_out(job, number, &trouble, damage);
        return FIRN_OK;
    }
    if (r != FIRN_OK) return firn_fail(error, r, "%s", trouble.text);
    r = firn_render_picture(job, &frame, error);
    firn_frame_destroy(&frame);
    return r;
}

static void note_first(const firn_render_job* job, int64_t frame)
{
    firn_render_summary* sum = job->summary;
    char* path = NULL;
    if (sum->first[0] != 0 || sum->pictures + sum->skipped == 0) return;
    if (firn_render_path(job, frame, "png", &path, NULL) == FIRN_OK &&
        strlen(path) < sizeof sum->first)
        memcpy(sum->first, path, strlen(path) + 1);
    firn_free(path);
}

static firn_result render_all(firn_render_job* job, firn_error* error)
{
    firn_error damage = {0};
    for (int64_t k = 0; k < job->plan.count; k++) {
        const int64_t frame = firn_render_plan_at(&job->plan, k);
        if (firn_render_stopped(job))
            return firn_fail(error, FIRN_INTERRUPTED,
                             "interrupted before frame %" PRId64 "; continue with --resume", frame);
        FIRN_TRY(render_frame(job, frame, &damage, error));
        note_first(job, frame);
    }
    if (job->def->film) firn_render_film(job);
    if (job->summary->damaged == 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "%" PRId64 " of %" PRId64
                     " frames could not be read and were skipped; run the simulation again, or "
                     "choose others with --frames; the first: %s",
                     job->summary->damaged, job->plan.count, damage.text);
}

static firn_result render(firn_render_job* job, firn_error* error)
{
    const firn_render_def* def = job->def;
    FIRN_TRY(firn_render_wait_run(job, error));
    FIRN_TRY(firn_render_scene_load_by(def->input_dir, def->camera, def->overrides,
                                       def->override_count, &job->scene, error));
    firn_path_stem(job->cache.manifest.scene, job->name);
    FIRN_TRY(set_folder(job, error));
    FIRN_TRY(firn_render_plan_make(def, &job->cache.manifest, &job->plan, error));
    FIRN_TRY(firn_render_origin(&job->scene, &job->origin, error));
    job->settings = firn_render_settings(&job->scene);
    if (job->settings == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    FIRN_TRY(look_around(job, error));
    FIRN_TRY(make_folder(job, error));
    return render_all(job, error);
}

firn_result firn_render_sized(const firn_render_def* def, firn_render_summary* out_summary,
                              uint32_t size, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_render_summary summary = {0};
    firn_render_def own;
    firn_result r = firn_def_take(FIRN_DEF_RENDER, def, &own, out_error);
    def = &own;
    int device = FIRN_DEVICE_CPU;
    if (r == FIRN_OK) r = check_def(def, out_error);
    if (r == FIRN_OK) r = firn_device_open(def->backend, &device, out_error);
    if (r == FIRN_OK) {
        const firn_entry entry = firn_enter(def->threads);
        firn_render_job job = {.def = def,
                               .device = device,
                               .log = {def->log, def->user},
                               .start = firn_seconds(),
                               .summary = &summary};
        r = render(&job, out_error);
        summary.seconds = firn_seconds() - job.start;
        firn_free(job.settings);
        firn_free(job.out_dir);
        firn_scene_data_destroy(&job.scene);
        firn_cache_close(&job.cache);
        firn_leave(entry);
    }
    firn_give(out_summary, size, &summary, sizeof summary);
    return r;
}
