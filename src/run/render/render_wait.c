// SPDX-License-Identifier: MIT
// Waits for frames. The manifest lists those that exist; the lock of the folder shows whether the
// run is still in progress. The lock is checked first, so that a run that ends between the two
// checks is seen with its last frame.
#include <inttypes.h>
#include <time.h>

#include "core/timer.h"
#include "output/run/run_lock.h"
#include "run/render/render_job.h"

#define POLL_SECONDS 0.5
static const struct timespec nap = {.tv_nsec =
                                        50 * 1000 * 1000};  // longest delay of a cancellation

static void tell(const firn_render_job* job, int64_t frame)
{
    if (job->def->progress == NULL) return;
    const firn_render_progress progress = {.frame = frame,
                                           .done = job->summary->pictures + job->summary->skipped +
                                                   job->summary->damaged,
                                           .wanted = job->plan.count,
                                           .passes_max = job->scene.render.samples,
                                           .picture_seconds_left = -1,
                                           .seconds_elapsed = firn_seconds() - job->start,
                                           .seconds_left = -1,
                                           .waiting = true};
    job->def->progress(job->def->user, &progress);
}

static firn_result wait_a_little(firn_render_job* job, int64_t frame, firn_error* error)
{
    tell(job, frame);
    const double until = firn_seconds() + POLL_SECONDS;
    while (firn_seconds() < until) {
        if (firn_render_stopped(job))
            return firn_fail(
                error, FIRN_INTERRUPTED,
                "interrupted while waiting for frame %" PRId64 "; continue with --resume", frame);
        nanosleep(&nap, NULL);
    }
    return FIRN_OK;
}

firn_result firn_render_wait_run(firn_render_job* job, firn_error* error)
{
    const char* dir = job->def->input_dir;
    for (;;) {
        const firn_run_state state = firn_run_lock_look(dir);
        firn_error why;
        const firn_result r = firn_cache_open(dir, &job->cache, &why);
        // a run that has written nothing yet may not have its scene there, either
        const bool waits = job->def->follow && state == FIRN_RUN_ALIVE;
        if (r == FIRN_OK && (job->cache.manifest.count > 0 || !waits)) return FIRN_OK;
        if (r == FIRN_OK) firn_cache_close(&job->cache);
        if (r != FIRN_OK && (r != FIRN_REFUSED_NAME || !waits))
            return firn_fail(error, r, "%s", why.text);
        FIRN_TRY(wait_a_little(job, 0, error));
    }
}

static firn_result read_again(firn_render_job* job, firn_error* error)
{
    firn_cache cache;
    FIRN_TRY(firn_cache_open(job->def->input_dir, &cache, error));
    firn_cache_close(&job->cache);
    job->cache = cache;
    return FIRN_OK;
}

firn_result firn_render_wait_frame(firn_render_job* job, int64_t frame, firn_error* error)
{
    const char* dir = job->def->input_dir;
    const firn_manifest* run = &job->cache.manifest;
    while (firn_manifest_find(run, FIRN_ENTRY_FRAME, frame) == NULL) {
        const firn_run_state state = firn_run_lock_look(dir);
        FIRN_TRY(read_again(job, error));
        if (firn_manifest_find(run, FIRN_ENTRY_FRAME, frame) != NULL) break;
        if (run->complete || state == FIRN_RUN_STOPPED)
            return firn_fail(error, FIRN_REFUSED_NAME,
                             "there is no frame %" PRId64 ": the run in '%s' %s at frame %" PRId64
                             "; continue it with firn run --resume, then render with --resume",
                             frame, dir, run->complete ? "ended" : "stopped",
                             firn_render_plan_newest(run));
        FIRN_TRY(wait_a_little(job, frame, error));
    }
    return FIRN_OK;
}
