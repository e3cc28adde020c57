// SPDX-License-Identifier: MIT
// Values of fields as point clouds store them.
#include "output/export/points.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers are written as they lie in memory");

const firn_point_type* firn_point_type_of(int field)
{
    static const firn_point_type types[] = {
        [FIRN_FIELD_REAL] = {1, 4, "float", "Float32"},
        [FIRN_FIELD_VEC3] = {3, 12, "float", "Float32"},
        [FIRN_FIELD_MAT3] = {9, FIRN_POINT_BYTES_MAX, "float", "Float32"},
        [FIRN_FIELD_U8] = {1, 1, "uchar", "UInt8"},
        [FIRN_FIELD_U32] = {1, 4, "uint", "UInt32"},
    };
    return &types[firn_field_table[field].type];
}

void firn_point_value(const firn_frame* frame, int field, firn_local p, bool z_up,
                      unsigned char* out_value)
{
    // axis k of the file is axis[k] of firn, times sign[k]
    const int axis[3] = {0, z_up ? 2 : 1, z_up ? 1 : 2};
    const float sign[3] = {1, z_up ? -1 : 1, 1};
    const void* data = frame->fields[field];
    float v[9];
    switch (firn_field_table[field].type) {
    case FIRN_FIELD_REAL: v[0] = (float)((const firn_real*)data)[p]; break;
    case FIRN_FIELD_VEC3: {
        const firn_vec3 a = ((const firn_vec3*)data)[p];
        const float own[3] = {(float)a.x, (float)a.y, (float)a.z};
        for (int k = 0; k < 3; k++) v[k] = sign[k] * own[axis[k]];
        break;
    }
    case FIRN_FIELD_MAT3:
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                v[3 * i + j] =
                    sign[i] * sign[j] * (float)((const firn_mat3*)data)[p].m[axis[i]][axis[j]];
        break;
    case FIRN_FIELD_U8: *out_value = ((const uint8_t*)data)[p]; return;
    case FIRN_FIELD_U32: memcpy(out_value, (const uint32_t*)data + p, 4); return;
    }
    memcpy(out_value, v, firn_point_type_of(field)->bytes);
}
