// SPDX-License-Identifier: MIT
// firn_export: the frames of a run, one after the other.
#include <inttypes.h>
#include <string.h>

#include "core/draft.h"
#include "core/memory.h"
#include "core/paths.h"
#include "output/export/export.h"
#include "output/export/export_record.h"
#include "output/export/vdb.h"
#include "output/run/cache.h"

// One call of firn_export.
typedef struct job {
    const firn_export_def* def;
    firn_export_target target;
    firn_cache cache;
    firn_cache_job frames;
    int64_t damaged;
    firn_height_plan heights;
    const firn_export_visitor* visitor;
    firn_error trouble;  // of the first damaged frame
} job;

static bool is_cancelled(const job* j)
{
    return j->def->cancelled != NULL && j->def->cancelled(j->def->user);
}

// A stage without volumes is still useful, unlike a volume that was asked for.
static void check_mass(job* j, const firn_frame* frame)
{
    const firn_log log = {j->def->log, j->def->user};
    if (!j->target.vdb || j->def->vdb || frame->mass != NULL) return;
    j->target.vdb = false;
    firn_log_write(&log, FIRN_LOG_WARNING, "export.left_out",
                   "the stage has no volume: frame %" PRId64
                   " has no field 'mass'; add it to output.fields of the scene and run it again",
                   frame->info.frame);
}

static firn_result export_frames(job* j, firn_error* error)
{
    const firn_log log = {j->def->log, j->def->user};
    const firn_manifest* m = &j->cache.manifest;
    for (firn_local k = 0; k < m->count; k++) {
        if (!firn_cache_job_wants(&j->frames, &m->entries[k])) continue;
        if (is_cancelled(j))
            return firn_fail(error, FIRN_INTERRUPTED,
                             "interrupted before frame %" PRId64 "; earlier files are complete",
                             m->entries[k].frame);
        firn_frame frame;
        firn_error own = {0};
        firn_result result = firn_cache_frame(&j->cache, m->entries[k].frame, &frame, &own);
        if (result == FIRN_REFUSED_DAMAGED || result == FIRN_REFUSED_IO) {
            firn_log_write(&log, FIRN_LOG_WARNING, "export.damaged",
                           "skipping frame %" PRId64 ": %s", m->entries[k].frame, own.text);
            if (j->damaged++ == 0) j->trouble = own;
            j->frames.done++;
            continue;
        }
        if (result != FIRN_OK) return firn_fail(error, result, "%s", own.text);
        check_mass(j, &frame);
        result = firn_export_frame(&frame, &j->target, error);
        if (result == FIRN_OK && j->visitor->add != NULL)
            result = j->visitor->add(j->visitor->self, &frame, error);
        const firn_local particles = frame.count;
        firn_frame_destroy(&frame);
        if (result != FIRN_OK) return result;
        j->frames.done++;
        firn_cache_job_report(&j->frames, m->entries[k].frame, (double)m->entries[k].frame / m->fps,
                              particles, j->def->progress, j->def->user);
    }
    return FIRN_OK;
}

// Heights of all frames share one rectangle and one range, so that every frame is read twice. A
// damaged one is reported the second time; one that cannot be read now would change all others.
static firn_result plan_heights(job* j, firn_error* error)
{
    const firn_manifest* m = &j->cache.manifest;
    j->heights = firn_height_plan_begin();
    for (firn_local k = 0; k < m->count && !is_cancelled(j); k++) {
        firn_frame frame;
        if (!firn_cache_job_wants(&j->frames, &m->entries[k])) continue;
        const firn_result r = firn_cache_frame(&j->cache, m->entries[k].frame, &frame, error);
        if (r == FIRN_REFUSED_DAMAGED) continue;
        if (r != FIRN_OK) return r;
        const firn_frame snow = firn_frame_snow(&frame);
        firn_height_plan_add(&j->heights, &snow);
        firn_frame_destroy(&frame);
    }
    firn_height_plan_finish(&j->heights, j->def->samples);
    j->target.heights = &j->heights;
    return FIRN_OK;
}

// Removes what an export that crashed has left in its folders.
static void clean(const char* dir)
{
    static const char* const folders[] = {"",         "/ply",  "/vtp", "/vdb",
                                          "/heights", "/mesh", "/sdf", "/colliders"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        char* path = NULL;
        if (firn_path_print(&path, NULL, "%s%s", dir, folders[k]) == FIRN_OK)
            firn_draft_clean(path);
        firn_free(path);
    }
}

static firn_result run(job* j, firn_error* error)
{
    const firn_frame_choice choice = {.begin = j->def->frame_begin,
                                      .end = j->def->frame_end,
                                      .step = j->def->frame_step,
                                      .frames = j->def->frames,
                                      .count = j->def->frame_count};
    FIRN_TRY(firn_cache_job_begin(&j->cache, &choice, &j->frames, error));
    clean(j->target.dir);
    if (j->def->heights) FIRN_TRY(plan_heights(j, error));
    FIRN_TRY(export_frames(j, error));
    if (j->visitor->finish != NULL)
        FIRN_TRY(j->visitor->finish(j->visitor->self, j->target.vdb, error));
    const firn_manifest* m = &j->cache.manifest;
    if (j->target.vtp && j->frames.done > j->damaged)
        FIRN_TRY(firn_export_series(j->target.dir, m->scene, m->fps, m->entries[0].frame,
                                    m->entries[m->count - 1].frame, error));
    if (j->damaged == 0) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_DAMAGED,
                     "%" PRId64 " of %" PRId64
                     " frames could not be read and were skipped; the first: %s",
                     j->damaged, j->frames.wanted, j->trouble.text);
}

static firn_result check(const firn_export_def* def, firn_error* error)
{
    if (def->input_dir == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn_export needs the folder of a run: input_dir");
    if (!def->ply && !def->vtp && !def->vdb && !def->heights && !def->mesh && !def->sdf &&
        !def->colliders && !def->usd)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "nothing to export: choose ply, vtp, vdb, heights, mesh, sdf, colliders "
                         "or usd");
    if (def->mesh && !(def->mesh_format >= FIRN_MESH_PLY && def->mesh_format <= FIRN_MESH_GLB))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "unknown mesh format %d: choose FIRN_MESH_PLY, _OBJ or _GLB",
                         (int)def->mesh_format);
    if (def->heights && !(def->samples >= 2 && def->samples <= 16384))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "heights with %" PRId64 " samples per side: use 2 to 16384", def->samples);
    if ((def->vdb || def->sdf) && !firn_vdb_available())
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "cannot export to vdb or sdf: firn was built without OpenVDB; install the package "
            "libopenvdb-dev and build it again");
    if (def->usd && !(def->points >= 0 && def->points <= FIRN_EXPORT_POINTS_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "%" PRId64 " points per frame of a stage: use 0 to %d", def->points,
                         FIRN_EXPORT_POINTS_MAX);
    return FIRN_OK;
}

firn_result firn_export_run(const firn_export_def* def, const firn_rest_state* rest,
                            const firn_export_visitor* visitor, firn_error* error)
{
    job j = {.def = def, .visitor = visitor};
    FIRN_TRY(check(def, error));
    FIRN_TRY(firn_cache_open(def->input_dir, &j.cache, error));
    j.target =
        (firn_export_target){.dir = def->output_dir != NULL ? def->output_dir : def->input_dir,
                             .ply = def->ply,
                             .vtp = def->vtp,
                             .vdb = def->vdb || (def->usd && firn_vdb_available()),
                             .sdf = def->sdf,
                             .z_up = def->z_up,
                             .voxel = def->voxel,
                             .mesh = def->mesh,
                             .mesh_format = def->mesh_format,
                             .rest = *rest};
    firn_result result = run(&j, error);
    firn_error own = {0};  // what was written is listed, whatever has ended the export
    if (j.frames.wanted > 0) {
        const firn_result recorded = firn_export_record(def, &j.frames, &own);
        if (result == FIRN_OK && recorded != FIRN_OK)
            result = firn_fail(error, recorded, "%s", own.text);
    }
    firn_cache_close(&j.cache);
    return result;
}
