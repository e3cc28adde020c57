// SPDX-License-Identifier: MIT
// Frames: VTKHDF 1.0, "UnstructuredGrid" (VTK's file format manual). All particles are one
// poly-vertex cell: one offset and one type instead of one per particle, and ParaView draws it as
// points. The connectivity 0, 1, 2, … carries no information and is always compressed.
#include "output/frame/frame.h"

#include <stdio.h>

#include "core/memory.h"
#include "output/frame/field_rows.h"
#include "output/frame/frame_bodies.h"
#include "output/frame/frame_info.h"

#define VTK_POLY_VERTEX 2  // vtkCellType.h
#define OBJECT_BYTES 128

// Where a field lies in the file.
static void object_of(int field, char out_object[OBJECT_BYTES])
{
    if (field == FIRN_FRAME_POSITION)
        snprintf(out_object, OBJECT_BYTES, "/VTKHDF/Points");
    else
        snprintf(out_object, OBJECT_BYTES, "/VTKHDF/PointData/%s", firn_field_table[field].name);
}

// The same in a file that is read, which may have the field under its old name; false: not at all.
static bool find_object(firn_h5_input* h5, int field, char out_object[OBJECT_BYTES])
{
    const char* old = firn_field_old_name(firn_field_table[field].name);
    object_of(field, out_object);
    if (old != NULL && !firn_h5_has(h5, out_object))
        snprintf(out_object, OBJECT_BYTES, "/VTKHDF/PointData/%s", old);
    return firn_h5_has(h5, out_object);
}

// The array of a field: real numbers are float32 in files.
static firn_h5_array array_of(int field, const char* path)
{
    firn_h5_array a = {.path = path};
    firn_h5_shape(firn_field_table[field].type, &a.given, &a.columns);
    a.stored = a.given == FIRN_H5_REAL ? FIRN_H5_F32 : a.given;
    return a;
}

// ---- writing ------------------------------------------------------------------------------------

static firn_result check(const firn_frame* frame, int compression, firn_error* error)
{
    if (compression < 0 || compression > 9)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "compression level %d is out of range: use 0 (none) to 9 (smallest)",
                         compression);
    if (frame->position == NULL && frame->rows == NULL && frame->count > 0)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "frame %lld has no positions",
                         (long long)frame->info.frame);
    return FIRN_OK;
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

static firn_result put_fields(firn_h5* h5, const firn_frame* frame, int compression)
{
    FIRN_TRY(firn_h5_put_group(h5, "/VTKHDF/PointData"));
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        firn_field_rows rows = {frame->rows, frame->row_field[f]};
        const firn_h5_rows source = {&rows, firn_field_rows_read};
        const bool reads =
            frame->fields[f] == NULL && rows.rows != NULL && rows.field != FIRN_ROWS_NONE;
        if (frame->fields[f] == NULL && !reads && f != FIRN_FRAME_POSITION) continue;
        char object[OBJECT_BYTES];
        object_of(f, object);
        firn_h5_array a = array_of(f, object);
        a.rows = frame->count;
        a.compression = compression;
        a.data = frame->fields[f];
        a.source = reads ? &source : NULL;
        FIRN_TRY(firn_h5_put_array(h5, &a));
        FIRN_TRY(firn_h5_put_text(h5, object, "unit", firn_field_table[f].unit));
    }
    return FIRN_OK;
}

static firn_result put_frame(firn_h5* h5, const firn_frame* frame, int compression)
{
    const int64_t version[2] = {1, 0};
    FIRN_TRY(firn_h5_put_group(h5, "/VTKHDF"));
    FIRN_TRY(firn_h5_put_number(h5, "/VTKHDF", "Version", FIRN_H5_I64, version, 2));
    FIRN_TRY(firn_h5_put_text(h5, "/VTKHDF", "Type", "UnstructuredGrid"));
    FIRN_TRY(put_cells(h5, frame->count));
    FIRN_TRY(put_fields(h5, frame, compression));
    FIRN_TRY(firn_h5_put_group(h5, "/VTKHDF/FieldData"));
    FIRN_TRY(put_list(h5, "/VTKHDF/FieldData/TimeValue", FIRN_H5_F64, &frame->info.time, 1));
    FIRN_TRY(firn_frame_info_put(h5, &frame->info));
    return firn_frame_bodies_put(h5, frame->bodies, frame->body_count);
}

firn_result firn_frame_write(const char* path, const firn_frame* frame, int compression,
                             firn_error* error)
{
    FIRN_TRY(check(frame, compression, error));
    firn_h5 h5;
    FIRN_TRY(firn_h5_create(&h5, path, FIRN_SEAL_FRAME, error));
    return firn_h5_commit(&h5, put_frame(&h5, frame, compression));
}

// ---- reading ------------------------------------------------------------------------------------

void firn_frame_destroy(firn_frame* frame)
{
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) firn_free(frame->fields[f]);
    firn_free(frame->bodies);
    *frame = (firn_frame){0};
}

static firn_result get_count(firn_h5_input* h5, firn_local* out_count)
{
    firn_h5_dataset dataset;
    int64_t rows = 0;
    FIRN_TRY(firn_h5_measure(h5, "/VTKHDF/Points", FIRN_H5_F32, 3, &dataset, &rows));
    *out_count = (firn_local)rows;
    return FIRN_OK;
}

// Positions and sizes become indices of grids: all real numbers must be finite.
static firn_result check_field(firn_h5_input* h5, int field, void* data, firn_local count)
{
    const firn_field_info* info = &firn_field_table[field];
    const firn_field f = {
        .name = info->name, .type = info->type, .values = FIRN_VALUES_FINITE, .data = data};
    const firn_value_limits limits = {.finite_only = true};
    firn_invalid_value invalid;
    if (!firn_field_find_invalid(&f, count, &limits, &invalid)) return FIRN_OK;
    char what[256];
    firn_invalid_value_print(&invalid, &limits, what, sizeof what);
    return firn_fail(h5->error, FIRN_REFUSED_DAMAGED, "'%s' is damaged: %s", h5->path, what);
}

// An owned array of a field that is in the file.
static firn_result get_field(firn_h5_input* h5, int field, const char* path, firn_local count,
                             void** out_data)
{
    const firn_h5_array a = array_of(field, path);
    firn_h5_dataset dataset;
    int64_t rows = 0;
    FIRN_TRY(firn_h5_measure(h5, path, a.stored, a.columns, &dataset, &rows));
    if (rows != count)
        return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                         "'%s' is damaged: '%s' has %lld rows for %lld particles", h5->path, path,
                         (long long)rows, (long long)count);
    *out_data = firn_alloc((size_t)rows * (size_t)a.columns, firn_h5_type_size(a.given));
    if (*out_data == NULL)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY, "out of memory reading '%s' of '%s'", path,
                         h5->path);
    if (rows > 0) FIRN_TRY(firn_h5_get_array(h5, &dataset, a.given, *out_data));
    return check_field(h5, field, *out_data, count);
}

static firn_result get_frame(firn_h5_input* h5, firn_frame* frame)
{
    FIRN_TRY(firn_frame_info_get(h5, &frame->info));
    FIRN_TRY(get_count(h5, &frame->count));
    FIRN_TRY(firn_frame_bodies_get(h5, &frame->bodies, &frame->body_count));
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        char object[OBJECT_BYTES];
        if (find_object(h5, f, object) || f == FIRN_FRAME_POSITION)
            FIRN_TRY(get_field(h5, f, object, frame->count, &frame->fields[f]));
    }
    return FIRN_OK;
}

firn_result firn_frame_read(const char* path, firn_frame* out_frame, firn_error* error)
{
    firn_h5_input h5;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_FRAME, error));
    firn_frame frame = {0};
    const firn_result result = firn_h5_close(&h5, get_frame(&h5, &frame));
    if (result == FIRN_OK)
        *out_frame = frame;
    else
        firn_frame_destroy(&frame);
    return result;
}

firn_result firn_frame_read_info(const char* path, firn_frame_info* out_info, firn_local* out_count,
                                 firn_error* error)
{
    firn_h5_input h5;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_FRAME, error));
    firn_frame_info info;
    firn_local count = 0;
    firn_result result = firn_frame_info_get(&h5, &info);
    if (result == FIRN_OK) result = get_count(&h5, &count);
    result = firn_h5_close(&h5, result);
    if (result != FIRN_OK) return result;
    *out_info = info;
    *out_count = count;
    return FIRN_OK;
}
