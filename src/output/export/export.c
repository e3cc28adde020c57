// SPDX-License-Identifier: MIT
// Exporting frames.
#include "output/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/draft.h"
#include "core/file.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/paths.h"
#include "output/export/frame_density.h"
#include "output/export/points.h"
#include "output/export/vdb.h"

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
    firn_density_volume volume;
    FIRN_TRY(firn_frame_density_make(frame, &target->rest, target->voxel, &volume, error));
    firn_result result = make_path(target->dir, "vdb", frame, "vdb", &path, error);
    if (result == FIRN_OK)
        result = firn_vdb_write(path, &volume, frame->info.frame, target->z_up, error);
    firn_density_volume_destroy(&volume);
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

static firn_result export_sdf(const firn_frame* frame, const firn_export_target* target,
                              firn_error* error)
{
    firn_snow_mesh mesh;
    firn_narrow_band band;
    char* path = NULL;
    FIRN_TRY(firn_snow_mesh_make(frame, &target->rest, target->voxel, &mesh, error));
    // a frame without snow has no spacing either; an empty grid needs a size all the same
    const double voxel = mesh.voxel > 0 ? mesh.voxel : frame->info.cell;
    firn_result result = firn_narrow_band_make(&mesh.surface, voxel, &band, error);
    firn_snow_mesh_destroy(&mesh);
    if (result != FIRN_OK) return result;
    result = make_path(target->dir, "sdf", frame, "vdb", &path, error);
    if (result == FIRN_OK)
        result = firn_vdb_write_band(path, &band, frame->info.frame, target->z_up, error);
    firn_narrow_band_destroy(&band);
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
    const firn_frame snow = firn_frame_snow(frame);  // surfaces are those of the snow
    if (target->heights != NULL) FIRN_TRY(export_heights(&snow, target, error));
    if (target->mesh) FIRN_TRY(export_mesh(&snow, target, error));
    if (target->sdf) FIRN_TRY(export_sdf(&snow, target, error));
    return FIRN_OK;
}

// Writes DIR/FOLDER/NAME.ext, or DIR/NAME.ext where there is no folder.
static firn_result write_stage(const firn_stage* stage, const firn_export_def* def,
                               const char* folder, const char* extension, firn_error* error)
{
    const char* dir = def->output_dir != NULL ? def->output_dir : def->input_dir;
    char name[NAME_BYTES], *path = NULL;
    file_name(stage->scene, -1, extension, name);
    FIRN_TRY(firn_folder_make(dir, error));
    if (folder[0] != '\0') FIRN_TRY(firn_folder_make_inside(dir, folder, error));
    FIRN_TRY(firn_path_print(&path, error, "%s/%s%s%s", dir, folder, folder[0] != '\0' ? "/" : "",
                             name));
    const firn_result r = strcmp(extension, "glb") == 0
                              ? firn_stage_glb_write(path, stage, error)
                              : firn_stage_usd_write(path, stage, def->z_up, error);
    firn_free(path);
    return r;
}

firn_result firn_export_stage(const firn_stage* stage, const firn_export_def* def,
                              firn_error* error)
{
    if (stage->sample_count == 0) return FIRN_OK;
    const firn_log log = {def->log, def->user};
    for (firn_local b = 0; b < stage->body_count && def->colliders; b++) {
        const char* misfit = firn_stage_glb_misfit(stage, &stage->bodies[b]);
        if (misfit != NULL)
            firn_log_write(&log, FIRN_LOG_WARNING, "export.left_out",
                           "colliders.%d is not in the .glb file: %s", (int)b, misfit);
    }
    if (def->colliders) FIRN_TRY(write_stage(stage, def, "colliders", "glb", error));
    if (def->usd) FIRN_TRY(write_stage(stage, def, "", "usda", error));
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
