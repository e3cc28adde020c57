// SPDX-License-Identifier: MIT
// Level sets from meshes: inspects the mesh, refuses or repairs it, converts it (sound ones and
// ones with holes with OpenVDB, or with level_set_triangles.c where firn is built without it; those
// that only cut themselves with level_set_union.c) and caches the result.
#include "geometry/levelset/level_set_mesh.h"

#include <math.h>

#include "core/hash.h"
#include "core/input.h"
#include "core/memory.h"
#include "geometry/levelset/level_set_cache.h"
#include "geometry/levelset/level_set_triangles.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/levelset/repair/level_set_repair.h"
#include "geometry/levelset/repair/level_set_union.h"
#include "geometry/sdf/shape.h"
#include "mesh/topology/consistent_winding.h"
#include "mesh/topology/mesh_intersect.h"

// Part of the cache key: changes whenever the same mesh gives other values. Odd numbers are those
// of OpenVDB, even ones of our own conversion.
#ifdef FIRN_HAVE_VDB
#define VERSION 3
#else
#define VERSION 4
#endif
#define THINNEST 2  // [voxels] minimum extent of the mesh

firn_real firn_level_set_voxel_for(firn_box3 box)
{
    const double size[3] = {(double)box.high.x - (double)box.low.x,
                            (double)box.high.y - (double)box.low.y,
                            (double)box.high.z - (double)box.low.z};
    const double largest = fmax(size[0], fmax(size[1], size[2]));
    const double smallest = fmin(size[0], fmin(size[1], size[2]));
    return (firn_real)fmax(fmin(largest / 100, smallest / 4), largest / 400);
}

static firn_result check_size(const firn_mesh* mesh, double voxel, firn_error* error)
{
    const firn_box3 box = firn_mesh_bounds(mesh);
    const double low[3] = {(double)box.low.x, (double)box.low.y, (double)box.low.z};
    const double high[3] = {(double)box.high.x, (double)box.high.y, (double)box.high.z};
    if (!(voxel >= FIRN_SHAPE_LENGTH_MIN && voxel <= FIRN_SHAPE_LENGTH_MAX))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "mesh: voxels of %g m, must be between %g and %g", voxel,
                         FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
    double voxels = 1;
    for (int i = 0; i < 3; i++) {
        const double size = high[i] - low[i];
        if (!(size >= THINNEST * voxel))
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "the mesh is %g m thick along %c, less than %d voxels of %g m: use "
                             "voxels of at most %.3g m",
                             size > 0 ? size : 0, "xyz"[i], THINNEST, voxel, size / 4);
        if (!(fabs(low[i]) < FIRN_SHAPE_LENGTH_MAX / 2 &&
              fabs(high[i]) < FIRN_SHAPE_LENGTH_MAX / 2))
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "the mesh reaches from %g to %g m along %c: is its unit the metre?",
                             low[i], high[i], "xyz"[i]);
        voxels *= size / voxel + 2 * FIRN_VDB_BAND;
    }
    if (voxels > FIRN_VDB_VOXELS_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the mesh's box, %g x %g x %g m, holds %.3g voxels of %g m, at most %.3g "
                         "are taken: use larger voxels, or 'scale' if its unit is not the metre",
                         high[0] - low[0], high[1] - low[1], high[2] - low[2], voxels, voxel,
                         FIRN_VDB_VOXELS_MAX);
    return FIRN_OK;
}

// Signed volume about the centre of the box (for an open mesh it depends on the point), and area.
static void measure(const firn_mesh* mesh, double* out_volume, double* out_area)
{
    const firn_box3 box = firn_mesh_bounds(mesh);
    const firn_vec3 middle = firn_v3_scale(firn_v3_add(box.low, box.high), (firn_real)0.5);
    double volume = 0, area = 0;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        double x[3][3];
        for (int k = 0; k < 3; k++) {
            const firn_vec3 v = mesh->vertices[mesh->triangles[t][k]];
            x[k][0] = (double)v.x - (double)middle.x;
            x[k][1] = (double)v.y - (double)middle.y;
            x[k][2] = (double)v.z - (double)middle.z;
        }
        double n[3];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            n[i] = (x[1][j] - x[0][j]) * (x[2][k] - x[0][k]) -
                   (x[1][k] - x[0][k]) * (x[2][j] - x[0][j]);
        }
        volume += (x[0][0] * n[0] + x[0][1] * n[1] + x[0][2] * n[2]) / 6;
        area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    *out_volume = volume;
    *out_area = area;
}

#ifdef FIRN_HAVE_VDB

// Adopts the parts, or frees them on failure.
static firn_result adopt(const firn_level_set* parts, const firn_level_set** out_set,
                         firn_error* error)
{
    const firn_result result = firn_level_set_adopt(parts, out_set, error);
    if (result == FIRN_OK) return FIRN_OK;
    firn_free((void*)parts->table);
    firn_free((void*)parts->value);
    return result;
}

static firn_result from_vdb(firn_result result, const char* what, const char* message,
                            firn_error* error)
{
    if (result == FIRN_OK) return FIRN_OK;
    return firn_fail(error, result == FIRN_BROKEN_MEMORY ? result : FIRN_REFUSED_SCENE, "%s: %s",
                     what, message);
}

// OpenVDB fills enclosed cavities; comparing volumes detects this.
static firn_result convert_sound(const firn_mesh* mesh, double voxel,
                                 const firn_level_set** out_set, firn_error* error)
{
    char message[300] = "";
    const firn_vdb_mesh triangles = {mesh->vertices, (const int32_t(*)[3])mesh->triangles,
                                     mesh->vertex_count, mesh->triangle_count};
    firn_level_set parts;
    FIRN_TRY(from_vdb(firn_vdb_from_mesh(&triangles, voxel, &parts, message, sizeof message),
                      "mesh to level set", message, error));
    FIRN_TRY(adopt(&parts, out_set, error));
    double volume, area;
    measure(mesh, &volume, &area);
    if (fabs(firn_level_set_volume(*out_set) - fabs(volume)) <= 0.25 * voxel * area) return FIRN_OK;

    firn_winding* winding = NULL;
    const firn_result result = firn_winding_create(mesh, &winding, error);
    if (result == FIRN_OK)  // not shared yet
        firn_level_set_hollow(winding, volume < 0 ? -1 : 1, (firn_level_set*)*out_set);
    else
        firn_level_set_release(*out_set);
    firn_winding_destroy(winding);
    return result;
}

// Distances to the surface of what firn_level_set_repair made.
static firn_result rebuild(const firn_level_set* surface, const firn_level_set** out_set,
                           firn_error* error)
{
    char message[300] = "";
    firn_level_set parts;
    FIRN_TRY(from_vdb(firn_vdb_rebuild(surface, &parts, message, sizeof message),
                      "the mesh encloses no volume, even after repair", message, error));
    return adopt(&parts, out_set, error);
}

#else

static firn_result convert_sound(const firn_mesh* mesh, double voxel,
                                 const firn_level_set** out_set, firn_error* error)
{
    double volume, area;
    measure(mesh, &volume, &area);
    return firn_level_set_from_triangles(mesh, voxel, volume < 0 ? -1 : 1, out_set, error);
}

static firn_result rebuild(const firn_level_set* surface, const firn_level_set** out_set,
                           firn_error* error)
{
    return firn_level_set_from_surface(surface, out_set, error);
}

#endif

// Each edge is traversed as often in one direction as in the other.
static bool has_no_rim(const firn_mesh_report* report)
{
    return report->open_edges == 0 && report->crowded_edges == 0 && report->flipped_edges == 0;
}

static firn_result convert_broken(const firn_mesh* mesh, const firn_mesh_report* report,
                                  double voxel, const firn_level_set** out_set, firn_error* error)
{
    double volume, area;
    measure(mesh, &volume, &area);
    if (has_no_rim(report) && report->intersections < FIRN_MESH_CUTS_MAX)
        return firn_level_set_from_union(mesh, voxel, volume < 0 ? -1 : 1, out_set, error);
    firn_winding* winding = NULL;
    FIRN_TRY(firn_winding_create(mesh, &winding, error));
    firn_level_set surface;
    firn_result result = firn_level_set_repair(winding, firn_mesh_bounds(mesh), voxel,
                                               volume < 0 ? -1 : 1, &surface, error);
    firn_winding_destroy(winding);
    if (result != FIRN_OK) return result;
    result = rebuild(&surface, out_set, error);
    firn_free((void*)surface.table);
    firn_free((void*)surface.value);
    return result;
}

// Makes the winding consistent first; that alone may make the mesh watertight.
static firn_result repair(const firn_mesh* mesh, const firn_mesh_report* report, double voxel,
                          const firn_level_set** out_set, firn_error* error)
{
    if (report->flipped_edges == 0) return convert_broken(mesh, report, voxel, out_set, error);
    firn_mesh consistent;
    firn_mesh_report now;
    FIRN_TRY(firn_mesh_make_winding_consistent(mesh, &consistent, error));
    firn_result result = firn_mesh_inspect(&consistent, &now, error);
    if (result == FIRN_OK)
        result = firn_mesh_is_sound(&now)
                     ? convert_sound(&consistent, voxel, out_set, error)
                     : convert_broken(&consistent, &now, voxel, out_set, error);
    firn_mesh_destroy(&consistent);
    return result;
}

static firn_result refuse_broken(const firn_mesh_report* report, firn_error* error)
{
    char text[300];
    firn_mesh_report_text(report, text, sizeof text);
    return firn_fail(
        error, FIRN_REFUSED_SCENE,
        "the mesh is not the surface of a solid: %s; repair it, or use if_broken: repair", text);
}

firn_result firn_level_set_from_mesh(const firn_mesh* mesh, const firn_mesh_level_set_args* args,
                                     const firn_level_set** out_set, firn_mesh_report* out_report,
                                     firn_error* error)
{
    const double voxel = (double)args->voxel;
    FIRN_TRY(check_size(mesh, voxel, error));
    const double parameters[3] = {VERSION, sizeof(firn_real), voxel};
    const uint64_t key = firn_hash(parameters, sizeof parameters, firn_mesh_hash(mesh));
    firn_mesh_report report;
    const firn_level_set* set = NULL;
    const bool known = args->keep && firn_level_set_cache_read(key, &set, &report);
    if (!known) FIRN_TRY(firn_mesh_inspect(mesh, &report, error));
    if (out_report != NULL) *out_report = report;
    const bool sound = firn_mesh_is_sound(&report);
    if (!sound && args->broken == FIRN_BROKEN_MESH_REFUSE) {
        firn_level_set_release(set);
        return refuse_broken(&report, error);
    }
    if (!known) {
        FIRN_TRY(sound ? convert_sound(mesh, voxel, &set, error)
                       : repair(mesh, &report, voxel, &set, error));
        if (args->keep) firn_level_set_cache_write(key, set, &report);
    }
    *out_set = set;
    return FIRN_OK;
}

#define SAMPLES 16  // along each side of the box

firn_result firn_mesh_undecided(const firn_mesh* mesh, double* out_share, firn_error* error)
{
    const firn_box3 box = firn_mesh_bounds(mesh);
    const double low[3] = {(double)box.low.x, (double)box.low.y, (double)box.low.z};
    const double high[3] = {(double)box.high.x, (double)box.high.y, (double)box.high.z};
    firn_winding* winding;
    int possible = 0, unsure = 0;
    FIRN_TRY(firn_winding_create(mesh, &winding, error));
    for (int k = 0; k < SAMPLES * SAMPLES * SAMPLES; k++) {
        const int cell[3] = {k % SAMPLES, k / SAMPLES % SAMPLES, k / (SAMPLES * SAMPLES)};
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = low[d] + (high[d] - low[d]) * (cell[d] + 0.5) / SAMPLES;
        const double w = fabs(firn_winding_number(winding, x));  // inside out is the same solid
        possible += w > 0.25;
        unsure += w > 0.25 && w < 0.75;
    }
    firn_winding_destroy(winding);
    *out_share = possible > 0 ? (double)unsure / possible : 1;
    return FIRN_OK;
}

#ifdef FIRN_HAVE_VDB

firn_result firn_level_set_from_vdb(const char* path, const char* grid,
                                    const firn_level_set** out_set, firn_error* error)
{
    FIRN_TRY(firn_input_check(path, error));
    char message[400] = "";
    firn_level_set parts;
    const firn_result result = firn_vdb_read(path, grid, &parts, message, sizeof message);
    if (result == FIRN_OK) {
        firn_error reason = {0};
        const firn_result adopted = adopt(&parts, out_set, &reason);
        if (adopted == FIRN_OK) return FIRN_OK;
        return firn_fail(error, adopted < 0 ? adopted : FIRN_REFUSED_SCENE, "'%s': %s", path,
                         reason.text);
    }
    return firn_fail(error, result, "cannot use '%s': %s", path, message);
}

#else

firn_result firn_level_set_from_vdb(const char* path, const char* grid,
                                    const firn_level_set** out_set, firn_error* error)
{
    (void)path, (void)grid, (void)out_set;
    return firn_fail(error, FIRN_REFUSED_BACKEND,
                     "a .vdb file cannot be read: this firn was built without OpenVDB; install the "
                     "package libopenvdb-dev and build libfirn again (libfirn-core never has it)");
}

#endif
