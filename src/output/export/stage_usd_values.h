// SPDX-License-Identifier: MIT
// Values in the text form of USD, for stage_usd.c. Vectors are rotated to the stage's axes; numbers
// are 32-bit floats with nine digits, which are read back as the same numbers.
#pragma once
#include "output/export/stage.h"
#include "output/run/stream.h"

typedef struct firn_usd {
    firn_stream* stream;
    const firn_stage* stage;
    bool z_up;  // (x, y, z) -> (x, -z, y)
} firn_usd;

// A line or a part of it, of 1000 characters at most.
void firn_usd_put(firn_usd* usd, const char* format, ...) __attribute__((format(printf, 2, 3)));
// "(x, y, z)", with ", " before it unless it is the first.
void firn_usd_put_vector(firn_usd* usd, firn_vec3 x, bool first);
// "( (…), (…), (…), (…) )": row vectors, x' = x M. x, y, z: images of the axes.
void firn_usd_put_matrix(firn_usd* usd, firn_vec3 x, firn_vec3 y, firn_vec3 z, firn_vec3 origin);
// The pose in the stage's axes.
void firn_usd_put_pose(firn_usd* usd, const firn_stage_pose* pose);
// "[(…), (…)]" of the corners of a box.
void firn_usd_put_box(firn_usd* usd, const float low[3], const float high[3], float margin);

// Which of the two ways an attribute is written: one value, or one per sample. `put` writes the
// value of a sample. `interpolation` of a
// value per vertex; null: none. "INDENT TYPE NAME = value" or "INDENT TYPE NAME.timeSamples = {…}".
typedef void (*firn_usd_value)(firn_usd* usd, const void* of, firn_local sample);
void firn_usd_put_attribute(firn_usd* usd, const char* indent, const char* declaration,
                            const char* interpolation, bool is_sampled, firn_usd_value put,
                            const void* of);
