// SPDX-License-Identifier: MIT
// Reading all of a frame.
#include "output/frame/frame_fields.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "output/frame/frame_bodies.h"
#include "output/frame/frame_info.h"

#define POINTS "/VTKHDF/Points"
#define GROUP "/VTKHDF/PointData"

firn_result firn_frame_count_get(firn_h5* h5, firn_local* out_count)
{
    int64_t rows = 0;
    FIRN_TRY(firn_h5_measure(h5, POINTS, FIRN_H5_F32, 3, &rows));
    *out_count = (firn_local)rows;
    return FIRN_OK;
}

firn_result firn_frame_array_get(firn_h5* h5, const char* path, firn_h5_type stored,
                                 firn_h5_type wanted, int columns, firn_local count,
                                 void** out_data)
{
    int64_t rows = 0;
    FIRN_TRY(firn_h5_measure(h5, path, stored, columns, &rows));
    if (rows != count)
        return firn_fail(h5->error, FIRN_REFUSED_DAMAGED,
                         "'%s' is not as firn writes it: '%s' has %lld rows for %lld particles",
                         h5->path, path, (long long)rows, (long long)count);
    void* data = firn_alloc((size_t)rows * (size_t)columns, firn_h5_type_size(wanted));
    if (data == NULL)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY, "no memory for '%s' of '%s'", path,
                         h5->path);
    *out_data = data;
    return rows > 0 ? firn_h5_get_array(h5, path, wanted, data) : FIRN_OK;
}

void firn_frame_fields_destroy(firn_frame_fields* frame)
{
    for (int32_t k = 0; k < frame->field_count; k++) firn_free(frame->fields[k].data);
    firn_free(frame->fields);
    firn_free(frame->bodies);
    *frame = (firn_frame_fields){0};
}

const firn_frame_field* firn_frame_fields_find(const firn_frame_fields* frame, const char* name)
{
    for (int32_t k = 0; k < frame->field_count; k++)
        if (strcmp(frame->fields[k].name, name) == 0) return &frame->fields[k];
    return NULL;
}

// What an array of a frame is as a field; false: nothing that firn writes.
static bool type_of(firn_h5_type stored, int columns, firn_field_type* out_type)
{
    static const struct {
        firn_h5_type stored;
        int columns;
        firn_field_type type;
    } kinds[] = {
        {FIRN_H5_F32, 1, FIRN_FIELD_REAL}, {FIRN_H5_F32, 3, FIRN_FIELD_VEC3},
        {FIRN_H5_F32, 9, FIRN_FIELD_MAT3}, {FIRN_H5_U8, 1, FIRN_FIELD_U8},
        {FIRN_H5_U32, 1, FIRN_FIELD_U32},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k].stored != stored || kinds[k].columns != columns) continue;
        *out_type = kinds[k].type;
        return true;
    }
    return false;
}

// Appends a field; the room is there.
static firn_result get_field(firn_h5* h5, const char* path, const char* name,
                             firn_frame_fields* frame)
{
    firn_h5_type stored;
    int columns;
    firn_frame_field field = {0};
    if (!firn_h5_kind(h5, path, &stored, &columns) || !type_of(stored, columns, &field.type))
        return FIRN_OK;
    const firn_h5_type wanted = stored == FIRN_H5_F32 ? FIRN_H5_REAL : stored;
    snprintf(field.name, sizeof field.name, "%s", name);
    FIRN_TRY(firn_h5_get_text(h5, path, "unit", field.unit, sizeof field.unit));
    firn_frame_field* slot = &frame->fields[frame->field_count++];
    *slot = field;
    return firn_frame_array_get(h5, path, stored, wanted, columns, frame->count, &slot->data);
}

static firn_result get_frame(firn_h5* h5, firn_frame_fields* frame)
{
    FIRN_TRY(firn_frame_info_get(h5, &frame->info));
    FIRN_TRY(firn_frame_count_get(h5, &frame->count));
    FIRN_TRY(firn_frame_bodies_get(h5, &frame->bodies, &frame->body_count));
    const int64_t count = firn_h5_count(h5, GROUP);
    frame->fields = firn_alloc((size_t)count + 1, sizeof *frame->fields);
    if (frame->fields == NULL)
        return firn_fail(h5->error, FIRN_BROKEN_MEMORY, "no memory for the fields of '%s'",
                         h5->path);
    FIRN_TRY(get_field(h5, POINTS, "position", frame));
    for (int64_t k = 0; k < count; k++) {
        char name[FIRN_FRAME_NAME_MAX], path[sizeof GROUP + FIRN_FRAME_NAME_MAX];
        if (!firn_h5_name_at(h5, GROUP, k, name, sizeof name)) continue;
        snprintf(path, sizeof path, GROUP "/%s", name);
        FIRN_TRY(get_field(h5, path, name, frame));
    }
    return FIRN_OK;
}

firn_result firn_frame_fields_read(const char* path, firn_frame_fields* out_frame,
                                   firn_error* error)
{
    firn_h5 h5;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_FRAME, error));
    firn_frame_fields frame = {0};
    const firn_result result = get_frame(&h5, &frame);
    firn_h5_close(&h5);
    if (result == FIRN_OK)
        *out_frame = frame;
    else
        firn_frame_fields_destroy(&frame);
    return result;
}
