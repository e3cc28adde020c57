// SPDX-License-Identifier: MIT
// Reading a frame back: position, and of the other fields those that exporters and pictures use.
#include "output/frame/frame.h"

#include "core/memory.h"
#include "output/frame/frame_bodies.h"
#include "output/frame/frame_fields.h"
#include "output/frame/frame_info.h"
#include "output/hdf5/h5_data.h"

void firn_frame_destroy(firn_frame* frame)
{
    firn_free(frame->position);
    firn_free(frame->velocity);
    firn_free(frame->density);
    firn_free(frame->mass);
    firn_free(frame->id);
    firn_free(frame->radius);
    firn_free(frame->temperature);
    firn_free(frame->water);
    firn_free(frame->phase);
    firn_free(frame->broken);
    firn_free(frame->bodies);
    *frame = (firn_frame){0};
}

static firn_result get_frame(firn_h5* h5, firn_frame* frame)
{
    FIRN_TRY(firn_frame_info_get(h5, &frame->info));
    FIRN_TRY(firn_frame_count_get(h5, &frame->count));
    FIRN_TRY(firn_frame_bodies_get(h5, &frame->bodies, &frame->body_count));
    static const struct {
        const char* path;
        firn_h5_type stored, wanted;
        int columns;
    } fields[] = {
        {"/VTKHDF/Points", FIRN_H5_F32, FIRN_H5_REAL, 3},
        {"/VTKHDF/PointData/velocity", FIRN_H5_F32, FIRN_H5_REAL, 3},
        {"/VTKHDF/PointData/density", FIRN_H5_F32, FIRN_H5_REAL, 1},
        {"/VTKHDF/PointData/mass", FIRN_H5_F32, FIRN_H5_REAL, 1},
        {"/VTKHDF/PointData/id", FIRN_H5_U32, FIRN_H5_U32, 1},
        {"/VTKHDF/PointData/radius", FIRN_H5_F32, FIRN_H5_REAL, 1},
        {"/VTKHDF/PointData/temperature", FIRN_H5_F32, FIRN_H5_REAL, 1},
        {"/VTKHDF/PointData/water", FIRN_H5_F32, FIRN_H5_REAL, 1},
        {"/VTKHDF/PointData/phase", FIRN_H5_U8, FIRN_H5_U8, 1},
        {"/VTKHDF/PointData/broken", FIRN_H5_U8, FIRN_H5_U8, 1},
    };
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    void* data[FIELDS] = {0};
    firn_result result = FIRN_OK;
    for (int k = 0; k < FIELDS && result == FIRN_OK; k++)
        if (k == 0 || firn_h5_has(h5, fields[k].path))
            result = firn_frame_array_get(h5, fields[k].path, fields[k].stored, fields[k].wanted,
                                          fields[k].columns, frame->count, &data[k]);
    frame->position = data[0];
    frame->velocity = data[1];
    frame->density = data[2];
    frame->mass = data[3];
    frame->id = data[4];
    frame->radius = data[5];
    frame->temperature = data[6];
    frame->water = data[7];
    frame->phase = data[8];
    frame->broken = data[9];
    return result;
}

firn_result firn_frame_read(const char* path, firn_frame* out_frame, firn_error* error)
{
    firn_h5 h5;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_FRAME, error));
    firn_frame frame = {0};
    const firn_result result = get_frame(&h5, &frame);
    firn_h5_close(&h5);
    if (result == FIRN_OK)
        *out_frame = frame;
    else
        firn_frame_destroy(&frame);
    return result;
}

firn_result firn_frame_read_info(const char* path, firn_frame_info* out_info, firn_local* out_count,
                                 firn_error* error)
{
    firn_h5 h5;
    FIRN_TRY(firn_h5_open(&h5, path, FIRN_SEAL_FRAME, error));
    firn_frame_info info;
    firn_local count = 0;
    firn_result result = firn_frame_info_get(&h5, &info);
    if (result == FIRN_OK) result = firn_frame_count_get(&h5, &count);
    firn_h5_close(&h5);
    if (result != FIRN_OK) return result;
    *out_info = info;
    *out_count = count;
    return FIRN_OK;
}
