// SPDX-License-Identifier: MIT
// Makes the film of the pictures. ffmpeg needs consecutive numbers, so it gets a folder of links
// that are numbered from 0; the film plays at the speed of the run.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/film/movie.h"
#include "sim/render/render_job.h"

// OUT/NAME.mp4 for all frames, else OUT/NAME.0010-0020.mp4 or OUT/NAME.0000-0096-step4.mp4.
static void film_path(const firn_render_job* job, int64_t stride, char out_path[FIRN_RENDER_PATH])
{
    char part[96] = "", step[40] = "";
    const firn_render_plan* plan = &job->plan;
    if (stride > 1) snprintf(step, sizeof step, "-step%" PRId64, stride);
    if (!plan->whole)
        snprintf(part, sizeof part, ".%04" PRId64 "-%04" PRId64 "%s", firn_render_plan_at(plan, 0),
                 firn_render_plan_at(plan, plan->count - 1), step);
    snprintf(out_path, FIRN_RENDER_PATH, "%s/%s%s.mp4", job->out_dir, job->name, part);
}

static void link_path(const char* folder, int64_t k, char out_path[FIRN_RENDER_PATH])
{
    snprintf(out_path, FIRN_RENDER_PATH, "%.*s/%06" PRId64 ".png", FIRN_RENDER_PATH - 32, folder,
             k);
}

static void remove_links(const firn_render_job* job, const char* folder)
{
    char path[FIRN_RENDER_PATH];
    for (int64_t k = 0; k < job->plan.count; k++) {
        link_path(folder, k, path);
        unlink(path);
    }
    rmdir(folder);
}

// The links are one folder below the pictures.
static firn_result make_links(const firn_render_job* job, const char* folder, firn_error* error)
{
    bool good = mkdir(folder, 0777) == 0 || errno == EEXIST;
    for (int64_t k = 0; k < job->plan.count && good; k++) {
        char path[FIRN_RENDER_PATH], target[256];
        link_path(folder, k, path);
        snprintf(target, sizeof target, "../%s.%04" PRId64 ".png", job->name,
                 firn_render_plan_at(&job->plan, k));
        unlink(path);  // left over from an interrupted film
        good = symlink(target, path) == 0;
    }
    if (good) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_IO, "cannot number the pictures in '%s' for a film: %s",
                     folder, strerror(errno));
}

// ffmpeg reads % as the start of a number format, and %% as %.
static void pattern_of(const char* folder, char* out_pattern)
{
    for (; *folder != 0; folder++) {
        if (*folder == '%') *out_pattern++ = '%';
        *out_pattern++ = *folder;
    }
    strcpy(out_pattern, "/%06d.png");
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
    char path[FIRN_RENDER_PATH], folder[FIRN_RENDER_PATH], pattern[2 * FIRN_RENDER_PATH];
    film_path(job, stride, path);
    snprintf(folder, sizeof folder, "%s/.%s.film", job->out_dir, job->name);
    firn_result r = FIRN_OK;
    firn_error why;
    if (!is_up_to_date(job, path)) {
        pattern_of(folder, pattern);
        r = make_links(job, folder, &why);
        if (r == FIRN_OK)
            r = firn_movie_write(path, pattern, 0, job->plan.count,
                                 job->cache.manifest.fps / (double)stride, &why);
        remove_links(job, folder);
    }
    // the pictures are complete, so a failing film is only a warning
    if (r != FIRN_OK)
        firn_log_write(&job->log, FIRN_LOG_WARNING, "render.film", "%s", why.text);
    else if (strlen(path) < sizeof job->summary->film)
        memcpy(job->summary->film, path, strlen(path) + 1);
}
