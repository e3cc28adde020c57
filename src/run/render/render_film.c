// SPDX-License-Identifier: MIT
// Makes the film of the pictures. ffmpeg needs consecutive numbers, so it gets a folder of links
// that are numbered from 0; the film plays at the speed of the run.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/draft.h"
#include "core/memory.h"
#include "core/text.h"
#include "output/film/movie.h"
#include "run/render/render_job.h"

// OUT/NAME.mp4 for all frames, else OUT/NAME.0010-0020.mp4 or OUT/NAME.0000-0096-step4.mp4. Owned
// by the caller.
static firn_result film_path(const firn_render_job* job, int64_t stride, char** out_path,
                             firn_error* error)
{
    char part[96] = "", step[40] = "";
    const firn_render_plan* plan = &job->plan;
    if (stride > 1) snprintf(step, sizeof step, "-step%" PRId64, stride);
    if (!plan->whole)
        snprintf(part, sizeof part, ".%04" PRId64 "-%04" PRId64 "%s", firn_render_plan_at(plan, 0),
                 firn_render_plan_at(plan, plan->count - 1), step);
    return firn_path_print(out_path, error, "%s/%s%s.mp4", job->out_dir, job->name, part);
}

// The links are one folder below the pictures.
static firn_result make_links(const firn_render_job* job, const firn_draft_links* links,
                              firn_error* error)
{
    for (int64_t k = 0; k < job->plan.count; k++) {
        char name[40], target[FIRN_STEM_BYTES + 40];
        snprintf(name, sizeof name, "%06" PRId64 ".png", k);
        snprintf(target, sizeof target, "../%s.%04" PRId64 ".png", job->name,
                 firn_render_plan_at(&job->plan, k));
        if (symlinkat(target, links->folder, name) != 0)
            return firn_fail(error, FIRN_REFUSED_IO,
                             "cannot number the pictures in '%s' for a film: %s", links->path,
                             strerror(errno));
    }
    return FIRN_OK;
}

// ffmpeg reads % as the start of a number format, and %% as %.
static firn_result encode(const firn_render_job* job, const firn_draft_links* links,
                          const char* path, int64_t stride, firn_error* error)
{
    firn_text pattern = {0};
    for (const char* c = links->path; *c != 0; c++)
        firn_text_add_bytes(&pattern, *c == '%' ? "%%" : c, *c == '%' ? 2 : 1);
    firn_text_add(&pattern, "/%%06d.png");
    const firn_result r =
        pattern.failed
            ? firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the film '%s'", path)
            : firn_movie_write(path, pattern.data, 0, job->plan.count,
                               job->cache.manifest.fps / (double)stride, error);
    firn_text_destroy(&pattern);
    return r;
}

static bool is_up_to_date(const firn_render_job* job, const char* path)
{
    struct stat status;
    return job->summary->pictures == 0 && stat(path, &status) == 0 && status.st_size > 0;
}

void firn_render_film(firn_render_job* job)
{
    const int64_t stride = firn_render_plan_stride(&job->plan);
    if (job->plan.count < 2 || job->summary->damaged > 0) return;
    if (stride == 0) {
        firn_log_write(&job->log, FIRN_LOG_INFO, "render.film",
                       "no film: the pictures are not evenly spaced in time");
        return;
    }
    char* path = NULL;
    firn_error why = {0};
    firn_result r = film_path(job, stride, &path, &why);
    if (r == FIRN_OK && !is_up_to_date(job, path)) {
        firn_draft_links links;
        r = firn_draft_links_make(job->out_dir, &links, &why);
        if (r == FIRN_OK) {
            r = make_links(job, &links, &why);
            if (r == FIRN_OK) r = encode(job, &links, path, stride, &why);
            firn_draft_links_remove(&links);
        }
    }
    // the pictures are complete, so a failing film is only a warning
    if (r != FIRN_OK)
        firn_log_write(&job->log, FIRN_LOG_WARNING, "render.film", "%s", why.text);
    else if (strlen(path) < sizeof job->summary->film)
        memcpy(job->summary->film, path, strlen(path) + 1);
    firn_free(path);
}
