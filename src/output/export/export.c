// SPDX-License-Identifier: MIT
// Exporting frames.
#include "output/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/draft.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/threads/team.h"
#include "output/export/points.h"
#include "output/export/vdb.h"
#include "output/run/cache.h"

#define NAME_BYTES (FIRN_STEM_BYTES + 64)

// "NAME.0001.ext"; without a number where frame < 0.
static void file_name(const char* scene, int64_t frame, const char* extension,
                      char out_name[NAME_BYTES])
{
    char stem[FIRN_STEM_BYTES];
    firn_path_stem(scene, stem);
    if (frame < 0)
        snprintf(out_name, NAME_BYTES, "%s.%s", stem, extension);
    else
        snprintf(out_name, NAME_BYTES, "%s.%04" PRId64 ".%s", stem, frame, extension);
}

// DIR/KIND/NAME.0001.ext, owned by the caller; creates the folder.
static firn_result make_path(const char* dir, const char* kind, const firn_frame* frame,
                             const char* extension, char** out_path, firn_error* error)
{
    char name[NAME_BYTES];
    file_name(frame->info.scene, frame->info.frame, extension, name);
    FIRN_TRY(firn_folder_make(dir, error));
    FIRN_TRY(firn_folder_make_inside(dir, kind, error));
    return firn_path_print(out_path, error, "%s/%s/%s", dir, kind, name);
}

static firn_result export_vdb(const firn_frame* frame, const firn_export_target* target,
                              firn_error* error)
{
    if (frame->mass == NULL)
        return firn_fail(
            error, FIRN_REFUSED_ARGUMENT,
            "frame %" PRId64
            " has no field 'mass', which a volume needs: add it to output.fields of the scene "
            "and run it again",
            frame->info.frame);
    char* path = NULL;
    FIRN_TRY(make_path(target->dir, "vdb", frame, "vdb", &path, error));
    firn_density_volume volume;
    firn_result result = firn_density_volume_build(
        frame->position, frame->velocity, frame->mass, frame->count,
        target->voxel > 0 ? target->voxel : frame->info.cell, &volume, error);
    if (result == FIRN_OK) {
        result = firn_vdb_write(path, &volume, frame->info.frame, target->z_up, error);
        firn_density_volume_destroy(&volume);
    }
    firn_free(path);
    return result;
}

static firn_result export_heights(const firn_frame* frame, const firn_export_target* target,
                                  firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(make_path(target->dir, "heights", frame, "png", &path, error));
    path[strlen(path) - strlen(".png")] = '\0';
    const firn_result result =
        firn_height_files_write(path, target->heights, frame, target->z_up, error);
    firn_free(path);
    return result;
}

static firn_result export_mesh(const firn_frame* frame, const firn_export_target* target,
                               firn_error* error)
{
    static const struct {
        const char* extension;
        firn_result (*write)(const char* path, const firn_snow_mesh* mesh,
                             const firn_frame_info* info, bool z_up, firn_error* error);
    } formats[] = {[FIRN_MESH_PLY] = {"ply", firn_mesh_ply_write},
                   [FIRN_MESH_OBJ] = {"obj", firn_mesh_obj_write},
                   [FIRN_MESH_GLB] = {"glb", firn_mesh_glb_write}};
    firn_snow_mesh mesh;
    char* path = NULL;
    FIRN_TRY(firn_snow_mesh_make(frame, &target->rest, target->voxel, &mesh, error));
    firn_result result =
        make_path(target->dir, "mesh", frame, formats[target->mesh_format].extension, &path, error);
    if (result == FIRN_OK)
        result = formats[target->mesh_format].write(path, &mesh, &frame->info, target->z_up, error);
    firn_snow_mesh_destroy(&mesh);
    firn_free(path);
    return result;
}

typedef firn_result points_writer(const char* path, const firn_frame* frame, bool z_up,
                                  firn_error* error);

static firn_result export_points(const firn_frame* frame, const firn_export_target* target,
                                 const char* kind, points_writer* write, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(make_path(target->dir, kind, frame, kind, &path, error));
    const firn_result result = write(path, frame, target->z_up, error);
    firn_free(path);
    return result;
}

firn_result firn_export_frame(const firn_frame* frame, const firn_export_target* target,
                              firn_error* error)
{
    if (target->ply) FIRN_TRY(export_points(frame, target, "ply", firn_ply_write, error));
    if (target->vtp) FIRN_TRY(export_points(frame, target, "vtp", firn_vtp_write, error));
    if (target->vdb) FIRN_TRY(export_vdb(frame, target, error));
    if (target->heights != NULL) FIRN_TRY(export_heights(frame, target, error));
    if (target->mesh) FIRN_TRY(export_mesh(frame, target, error));
    return FIRN_OK;
}

typedef struct series {
    char (*names)[NAME_BYTES + 8];  // owned
    const char** files;             // owned list, borrowed texts
    double* times;                  // owned
    firn_local count;
} series;

// Lists the frames that have a file.
static void collect(series* s, const char* dir, const char* scene, double fps, int64_t first,
                    int64_t last)
{
    for (int64_t frame = first; frame <= last; frame++) {
        char name[NAME_BYTES], *path = NULL;
        file_name(scene, frame, "vtp", name);
        const bool good = firn_path_print(&path, NULL, "%s/vtp/%s", dir, name) == FIRN_OK &&
                          !firn_file_is_missing(path);
        firn_free(path);
        if (!good) continue;
        snprintf(s->names[s->count], sizeof s->names[0], "vtp/%s", name);
        s->files[s->count] = s->names[s->count];
        s->times[s->count++] = (double)frame / fps;
    }
}

firn_result firn_export_series(const char* dir, const char* scene, double fps, int64_t first,
                               int64_t last, firn_error* error)
{
    char name[NAME_BYTES], *path = NULL;
    if (!(fps > 0) || first < 0 || last < first || last - first >= 10000000)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "cannot write a series of frames %" PRId64 " to %" PRId64
                         " at %g per second",
                         first, last, fps);
    file_name(scene, -1, "pvd", name);
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", dir, name));
    const size_t most = (size_t)(last - first + 1);
    series s = {.names = firn_alloc(most, sizeof *s.names),
                .files = firn_alloc(most, sizeof *s.files),
                .times = firn_alloc(most, sizeof *s.times)};
    firn_result result;
    if (s.names != NULL && s.files != NULL && s.times != NULL) {
        collect(&s, dir, scene, fps, first, last);
        result = firn_pvd_write(path, s.files, s.times, s.count, error);
    } else {
        result = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory writing '%s'", path);
    }
    firn_free(s.names);
    firn_free(s.files);
    firn_free(s.times);
    firn_free(path);
    return result;
}

// One call of firn_export.
typedef struct job {
    const firn_export_def* def;
    firn_export_target target;
    firn_cache cache;
    firn_cache_job frames;
    int64_t damaged;
    firn_height_plan heights;
    firn_error trouble;  // of the first damaged frame
} job;

static bool is_cancelled(const job* j)
{
    return j->def->cancelled != NULL && j->def->cancelled(j->def->user);
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
        result = firn_export_frame(&frame, &j->target, error);
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
        firn_height_plan_add(&j->heights, &frame);
        firn_frame_destroy(&frame);
    }
    firn_height_plan_finish(&j->heights, j->def->samples);
    j->target.heights = &j->heights;
    return FIRN_OK;
}

// Removes what an export that crashed has left in its folders.
static void clean(const char* dir)
{
    static const char* const folders[] = {"", "/ply", "/vtp", "/vdb", "/heights", "/mesh"};
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

firn_result firn_export_run(const firn_export_def* def, const firn_rest_state* rest,
                            firn_error* error)
{
    if (def->input_dir == NULL)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "firn_export needs the folder of a run: input_dir");
    if (!def->ply && !def->vtp && !def->vdb && !def->heights && !def->mesh)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "no export format given: choose from ply, vtp, vdb, heights, mesh");
    if (def->mesh && !(def->mesh_format >= FIRN_MESH_PLY && def->mesh_format <= FIRN_MESH_GLB))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "unknown mesh format %d: choose FIRN_MESH_PLY, _OBJ or _GLB",
                         (int)def->mesh_format);
    if (def->heights && !(def->samples >= 2 && def->samples <= 16384))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "heights with %" PRId64 " samples per side: use 2 to 16384", def->samples);
    if (def->vdb && !firn_vdb_available())
        return firn_fail(
            error, FIRN_REFUSED_BACKEND,
            "cannot export to vdb: firn was built without OpenVDB; install the package "
            "libopenvdb-dev and build it again");
    job j = {.def = def};
    FIRN_TRY(firn_cache_open(def->input_dir, &j.cache, error));
    j.target =
        (firn_export_target){.dir = def->output_dir != NULL ? def->output_dir : def->input_dir,
                             .ply = def->ply,
                             .vtp = def->vtp,
                             .vdb = def->vdb,
                             .z_up = def->z_up,
                             .voxel = def->voxel,
                             .mesh = def->mesh,
                             .mesh_format = def->mesh_format,
                             .rest = *rest};
    const firn_result result = run(&j, error);
    firn_cache_close(&j.cache);
    return result;
}
