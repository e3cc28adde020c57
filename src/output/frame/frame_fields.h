// SPDX-License-Identifier: MIT
// A frame with every field that it has, for those who look at whatever is there. Exporters and
// pictures know what they need: frame.h.
#pragma once
#include "output/frame/frame.h"
#include "output/hdf5/h5_data.h"

#define FIRN_FRAME_NAME_MAX 128  // [bytes] of a field's name, its end included

typedef struct firn_frame_field {
    char name[FIRN_FRAME_NAME_MAX];
    char unit[32];
    firn_field_type type;
    void* data;  // owned; [count] of type
} firn_frame_field;

typedef struct firn_frame_fields {
    firn_frame_info info;
    firn_local count;          // particles
    firn_frame_field* fields;  // owned; the first is "position", the others by name
    int32_t field_count;
    firn_frame_body* bodies;  // owned, ascending
    firn_local body_count;
} firn_frame_fields;

// Checked as firn_frame_read does. Arrays of a kind that firn never writes are passed over.
firn_result firn_frame_fields_read(const char* path, firn_frame_fields* out_frame,
                                   firn_error* error);
void firn_frame_fields_destroy(firn_frame_fields* frame);
// Null: the frame has no such field.
const firn_frame_field* firn_frame_fields_find(const firn_frame_fields* frame, const char* name);

// For readers of frames: the number of particles, and one array for so many, as a new one of
// `wanted`.
firn_result firn_frame_count_get(firn_h5* h5, firn_local* out_count);
firn_result firn_frame_array_get(firn_h5* h5, const char* path, firn_h5_type stored,
                                 firn_h5_type wanted, int columns, firn_local count,
                                 void** out_data);
