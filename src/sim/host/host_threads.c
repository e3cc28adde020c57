// SPDX-License-Identifier: MIT
// Which threads calls run on, as the program chooses (host.h).
#include "sim/host/host_threads.h"

#include "sim/scene/scene_api.h"

#define MOST 4096

firn_result firn_threads_check(int threads, const firn_jobs* jobs, firn_error* error)
{
    if (threads < 0 || threads > MOST)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "threads = %d: use 0 (all cores) to %d",
                         threads, MOST);
    if (jobs != NULL && jobs->run == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the job system has no function `run`: set it, or leave `jobs` null");
    if (jobs != NULL && (jobs->width < 1 || jobs->width > MOST))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "width = %d of the job system: use 1 to %d, the threads that run jobs",
                         jobs->width, MOST);
    return FIRN_OK;
}

firn_result firn_scene_set_threads(firn_scene* scene, int threads, const firn_jobs* jobs)
{
    (void)firn_call(NULL);
    firn_error error;
    if (scene == NULL) return firn_call_null(__func__);
    if (firn_threads_check(threads, jobs, &error) != FIRN_OK)
        return firn_scene_refuse(scene, &error);
    firn_scene_forget_messages(scene);
    scene->threads = threads;
    scene->jobs = jobs != NULL ? *jobs : (firn_jobs){0};
    return FIRN_OK;
}
