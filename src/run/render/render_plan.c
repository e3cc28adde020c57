// SPDX-License-Identifier: MIT
// Selects the frames that firn_render renders.
#include "run/render/render_plan.h"

#include <inttypes.h>

#include "core/result.h"

int64_t firn_render_plan_at(const firn_render_plan* plan, int64_t k)
{
    return plan->frames != NULL ? plan->frames[k] : plan->first + k * plan->step;
}

int64_t firn_render_plan_stride(const firn_render_plan* plan)
{
    if (plan->count < 2) return 0;
    const int64_t stride = firn_render_plan_at(plan, 1) - firn_render_plan_at(plan, 0);
    for (int64_t k = 2; k < plan->count; k++)
        if (firn_render_plan_at(plan, k) - firn_render_plan_at(plan, k - 1) != stride) return 0;
    return stride;
}

int64_t firn_render_plan_newest(const firn_manifest* run)
{
    int64_t newest = -1;
    for (firn_local k = 0; k < run->count; k++)
        if (run->entries[k].kind == FIRN_ENTRY_FRAME && run->entries[k].frame > newest)
            newest = run->entries[k].frame;
    return newest;
}

static firn_result check_list(const firn_render_def* def, firn_error* error)
{
    for (size_t k = 0; k < def->frame_count; k++) {
        if (def->frames[k] < 0)
            return firn_fail(error, FIRN_REFUSED_ARGUMENT, "there is no frame %" PRId64,
                             def->frames[k]);
        if (k > 0 && def->frames[k] <= def->frames[k - 1])
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the frames to render must ascend: %" PRId64 " follows %" PRId64,
                             def->frames[k], def->frames[k - 1]);
    }
    return FIRN_OK;
}

static firn_result refuse_missing(const firn_manifest* run, int64_t frame, bool follow,
                                  firn_error* error)
{
    const int64_t newest = firn_render_plan_newest(run);
    if (follow)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "there will be no frame %" PRId64
                         ": the run of '%s' ends at frame %" PRId64 "; choose others with --frames",
                         frame, run->scene, run->complete ? newest : run->frame_end);
    if (newest < 0)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "the run of '%s' has no frames yet: wait for them with --follow",
                         run->scene);
    return firn_fail(error, FIRN_REFUSED_NAME,
                     "there is no frame %" PRId64 ": the run of '%s' has frames 0 to %" PRId64 "%s",
                     frame, run->scene, newest,
                     run->complete ? "; choose others with --frames"
                                   : ", and is not complete: continue it with firn run --resume, "
                                     "or wait for it with --follow");
}

firn_result firn_render_plan_make(const firn_render_def* def, const firn_manifest* run,
                                  firn_render_plan* out_plan, firn_error* error)
{
    const int64_t newest = firn_render_plan_newest(run);
    const bool goes_on = def->follow && !run->complete;
    const int64_t end = goes_on && run->frame_end > newest ? run->frame_end : newest;
    firn_render_plan plan = {.first = def->frame_begin, .step = def->frame_step};
    if (def->frames != NULL) {
        FIRN_TRY(check_list(def, error));
        plan.frames = def->frames;
        plan.count = (int64_t)def->frame_count;
    } else {
        const int64_t last = def->frame_end < 0 ? end : def->frame_end;
        if (last < 0) return refuse_missing(run, def->frame_begin, def->follow, error);
        if (last >= plan.first) plan.count = (last - plan.first) / plan.step + 1;
        plan.whole = plan.first == 0 && plan.step == 1 && def->frame_end < 0;
        if (plan.count < 1 && def->frame_end < 0)
            return refuse_missing(run, plan.first, def->follow, error);
    }
    if (plan.count < 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "no frames to render from %" PRId64 " to %" PRId64, plan.first,
                         def->frame_end);
    for (int64_t k = 0; k < plan.count; k++) {
        const int64_t frame = firn_render_plan_at(&plan, k);
        const bool will_come = goes_on && frame <= end;
        if (!will_come && firn_manifest_find(run, FIRN_ENTRY_FRAME, frame) == NULL)
            return refuse_missing(run, frame, def->follow, error);
    }
    *out_plan = plan;
    return FIRN_OK;
}
