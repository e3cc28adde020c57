// SPDX-License-Identifier: MIT
// Writing a frame: VTKHDF 1.0, "UnstructuredGrid" (VTK's file format manual). All particles are one
// poly-vertex cell: one offset and one type instead of one per particle, and ParaView draws it as
// points. The connectivity 0, 1, 2, … carries no information and is always compressed.
#include <stdio.h>
#include <string.h>

#include "output/frame/frame.h"
#include "output/frame/frame_bodies.h"
#include "output/frame/frame_info.h"
#include "output/hdf5/h5_data.h"

#define VTK_POLY_VERTEX 2  // vtkCellType.h

static firn_result check(const firn_field_view* views, int view_count, int compression,
                         firn_error* error)
{
    if (compression < 0 || compression > 9)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "compression %d: give 0 (none) to 9 (smallest)", compression);
    if (view_count < 1 || strcmp(views[0].name, "position") != 0 ||
        views[0].type != FIRN_FIELD_VEC3)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "the first field of a frame must be the vector 'position'");
    for (int k = 0; k < view_count; k++) {
        const size_t length = strlen(views[k].name);
        if (length == 0 || length > 100 || strpbrk(views[k].name, "/.") != NULL)
            return firn_fail(
                error, FIRN_REFUSED_ARGUMENT,
                "a field cannot be called '%.100s': 1 to 100 characters, no '/', no '.'",
                views[k].name);
        if (views[k].count != views[0].count)
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "field '%s' has %d values, but there are %d positions", views[k].name,
                             (int)views[k].count, (int)views[0].count);
    }
    return FIRN_OK;
}

static firn_h5_array array_of(const char* path, const firn_field_view* view, int compression)
{
    firn_h5_array a = {.path = path,
                       .given = FIRN_H5_REAL,
                       .stored = FIRN_H5_F32,
                       .rows = view->count,
                       .columns = 1,
                       .compression = compression,
                       .data = view->data};
    switch (view->type) {
    case FIRN_FIELD_REAL: break;
    case FIRN_FIELD_VEC3: a.columns = 3; break;
    case FIRN_FIELD_MAT3: a.columns = 9; break;
    case FIRN_FIELD_U8: a.given = a.stored = FIRN_H5_U8; break;
    case FIRN_FIELD_U32: a.given = a.stored = FIRN_H5_U32; break;
    }
    return a;
}

static firn_result put_list(firn_h5* h5, const char* path, firn_h5_type type, const void* data,
                            int64_t count)
{
    const firn_h5_array a = {
        .path = path, .given = type, .stored = type, .rows = count, .columns = 1, .data = data};
    return firn_h5_put_array(h5, &a);
}

// One cell with all points; none when there are no points.
static firn_result put_cells(firn_h5* h5, int64_t points)
{
    const int64_t cells = points > 0 ? 1 : 0, offsets[2] = {0, points};
    const uint8_t type = VTK_POLY_VERTEX;
    FIRN_TRY(put_list(h5, "/VTKHDF/NumberOfPoints", FIRN_H5_I64, &points, 1));
    FIRN_TRY(put_list(h5, "/VTKHDF/NumberOfCells", FIRN_H5_I64, &cells, 1));
    FIRN_TRY(put_list(h5, "/VTKHDF/NumberOfConnectivityIds", FIRN_H5_I64, &points, 1));
    FIRN_TRY(firn_h5_put_sequence(h5, "/VTKHDF/Connectivity", points));
    FIRN_TRY(put_list(h5, "/VTKHDF/Offsets", FIRN_H5_I64, offsets, cells + 1));
    return put_list(h5, "/VTKHDF/Types", FIRN_H5_U8, &type, cells);
}

static firn_result put_fields(firn_h5* h5, const firn_field_view* views, int view_count,
                              int compression)
{
    FIRN_TRY(firn_h5_put_group(h5, "/VTKHDF/PointData"));
    for (int k = 0; k < view_count; k++) {
        char path[128] = "/VTKHDF/Points";
        if (k > 0) snprintf(path, sizeof path, "/VTKHDF/PointData/%s", views[k].name);
        const firn_h5_array a = array_of(path, &views[k], compression);
        FIRN_TRY(firn_h5_put_array(h5, &a));
        FIRN_TRY(firn_h5_put_text(h5, path, "unit", views[k].unit));
    }
    return FIRN_OK;
}

static firn_result put_frame(firn_h5* h5, const firn_frame_info* info,
                             const firn_frame_body* bodies, firn_local body_count,
                             const firn_field_view* views, int view_count, int compression)
{
    const int64_t version[2] = {1, 0};
    FIRN_TRY(firn_h5_put_group(h5, "/VTKHDF"));
    FIRN_TRY(firn_h5_put_number(h5, "/VTKHDF", "Version", FIRN_H5_I64, version, 2));
    FIRN_TRY(firn_h5_put_text(h5, "/VTKHDF", "Type", "UnstructuredGrid"));
    FIRN_TRY(put_cells(h5, views[0].count));
    FIRN_TRY(put_fields(h5, views, view_count, compression));
    FIRN_TRY(firn_h5_put_group(h5, "/VTKHDF/FieldData"));
    FIRN_TRY(put_list(h5, "/VTKHDF/FieldData/TimeValue", FIRN_H5_F64, &info->time, 1));
    FIRN_TRY(firn_frame_info_put(h5, info));
    return firn_frame_bodies_put(h5, bodies, body_count);
}

firn_result firn_frame_write(const char* path, const firn_frame_info* info,
                             const firn_field_view* views, int view_count, int compression,
                             firn_error* error)
{
    return firn_frame_write_posed(path, info, NULL, 0, views, view_count, compression, error);
}

firn_result firn_frame_write_posed(const char* path, const firn_frame_info* info,
                                   const firn_frame_body* bodies, firn_local body_count,
                                   const firn_field_view* views, int view_count, int compression,
                                   firn_error* error)
{
    FIRN_TRY(check(views, view_count, compression, error));
    firn_h5 h5;
    FIRN_TRY(firn_h5_create(&h5, path, FIRN_SEAL_FRAME, error));
    return firn_h5_commit(&h5,
                          put_frame(&h5, info, bodies, body_count, views, view_count, compression));
}
