// SPDX-License-Identifier: MIT
#include "output/export/stage_usd_values.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "math/mat3.h"
#include "math/vec3.h"

void firn_usd_put(firn_usd* usd, const char* format, ...)
{
    char text[1001];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) firn_stream_add(usd->stream, text, strlen(text));
}

static firn_vec3 rotate(const firn_usd* usd, firn_vec3 v)
{
    return usd->z_up ? firn_v3(v.x, -v.z, v.y) : v;
}

static void put_three(firn_usd* usd, firn_vec3 v)
{
    // + 0: no -0, which a rotation makes of 0
    firn_usd_put(usd, "%.9g, %.9g, %.9g", (double)(float)(v.x + 0), (double)(float)(v.y + 0),
                 (double)(float)(v.z + 0));
}

void firn_usd_put_vector(firn_usd* usd, firn_vec3 x, bool first)
{
    firn_usd_put(usd, first ? "(" : ", (");
    put_three(usd, rotate(usd, x));
    firn_usd_put(usd, ")");
}

static void put_rows(firn_usd* usd, const firn_vec3 row[4])
{
    for (int k = 0; k < 4; k++) {
        firn_usd_put(usd, k == 0 ? "( (" : ", (");
        put_three(usd, row[k]);
        firn_usd_put(usd, ", %d)", k == 3);
    }
    firn_usd_put(usd, " )");
}

void firn_usd_put_matrix(firn_usd* usd, firn_vec3 x, firn_vec3 y, firn_vec3 z, firn_vec3 origin)
{
    const firn_vec3 row[4] = {rotate(usd, x), rotate(usd, y), rotate(usd, z), rotate(usd, origin)};
    put_rows(usd, row);
}

// The change of axes is a rotation, so it rotates the axis of a quaternion.
void firn_usd_put_pose(firn_usd* usd, const firn_stage_pose* pose)
{
    const firn_quat q = pose->rotation;
    const firn_vec3 axis = rotate(usd, firn_v3(q.x, q.y, q.z));
    const firn_mat3 R = firn_q_to_m3((firn_quat){q.w, axis.x, axis.y, axis.z});
    firn_vec3 row[4];
    for (int k = 0; k < 3; k++) row[k] = firn_v3_scale(firn_m3_column(R, k), pose->scale);
    row[3] = rotate(usd, pose->position);
    put_rows(usd, row);
}

void firn_usd_put_box(firn_usd* usd, const float low[3], const float high[3], float margin)
{
    firn_vec3 a = rotate(usd, firn_v3((firn_real)(low[0] - margin), (firn_real)(low[1] - margin),
                                      (firn_real)(low[2] - margin)));
    firn_vec3 b = rotate(usd, firn_v3((firn_real)(high[0] + margin), (firn_real)(high[1] + margin),
                                      (firn_real)(high[2] + margin)));
    firn_usd_put(usd, "[(");
    put_three(usd, firn_v3_min(a, b));
    firn_usd_put(usd, "), (");
    put_three(usd, firn_v3_max(a, b));
    firn_usd_put(usd, ")]");
}

void firn_usd_put_attribute(firn_usd* usd, const char* indent, const char* declaration,
                            const char* interpolation, bool is_sampled, firn_usd_value put,
                            const void* of)
{
    const firn_stage* s = usd->stage;
    char note[200] = "";
    if (interpolation != NULL)
        snprintf(note, sizeof note, " (\n%s    interpolation = \"%s\"\n%s)", indent, interpolation,
                 indent);
    if (!is_sampled) {
        firn_usd_put(usd, "%s%s = ", indent, declaration);
        put(usd, of, 0);
        firn_usd_put(usd, "%s\n", note);
        return;
    }
    if (interpolation != NULL) firn_usd_put(usd, "%s%s%s\n", indent, declaration, note);
    firn_usd_put(usd, "%s%s.timeSamples = {\n", indent, declaration);
    for (firn_local k = 0; k < s->sample_count && usd->stream->reason == 0; k++) {
        firn_usd_put(usd, "%s    %" PRId64 ": ", indent, s->frames[k]);
        put(usd, of, k);
        firn_usd_put(usd, ",\n");
    }
    firn_usd_put(usd, "%s}\n", indent);
}
