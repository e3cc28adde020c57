// SPDX-License-Identifier: MIT
// PLY: binary, little-endian, one `vertex` element with one property per component of each field.
#include <stdio.h>

#include "output/export/points.h"
#include "output/run/stream.h"

// x, vx, def_grad_elastic_xy, mass
static void add_properties(firn_text* t, int field)
{
    const firn_point_type* type = firn_point_type_of(field);
    const char* name = firn_field_table[field].name;
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s_", name);
    if (field == FIRN_FRAME_POSITION) prefix[0] = '\0';
    if (field == FIRN_FRAME_VELOCITY) snprintf(prefix, sizeof prefix, "v");
    for (int k = 0; k < type->components; k++) {
        firn_text_add(t, "property %s ", type->ply);
        if (type->components == 1) firn_text_add(t, "%s\n", name);
        if (type->components == 3) firn_text_add(t, "%s%c\n", prefix, "xyz"[k]);
        if (type->components == 9) firn_text_add(t, "%s%c%c\n", prefix, "xyz"[k / 3], "xyz"[k % 3]);
    }
}

static firn_result put_header(firn_stream* s, const firn_frame* f, bool z_up)
{
    firn_text t = {0};
    char scene[sizeof f->info.scene] = "";
    for (size_t k = 0; f->info.scene[k] != '\0'; k++)  // a line break would end the comment
        scene[k] = (unsigned char)f->info.scene[k] < 0x20 ? ' ' : f->info.scene[k];
    firn_text_add(&t,
                  "ply\nformat binary_little_endian 1.0\ncomment firn: %s, frame %lld, %.9g s\n",
                  scene, (long long)f->info.frame, f->info.time);
    firn_text_add(&t, "comment metres, kilograms, seconds; %s is up\n", z_up ? "z" : "y");
    firn_text_add(&t, "element vertex %d\n", (int)f->count);
    for (int field = 0; field < FIRN_FRAME_FIELD_COUNT; field++)
        if (f->fields[field] != NULL || field == FIRN_FRAME_POSITION) add_properties(&t, field);
    firn_text_add(&t, "end_header\n");
    return firn_stream_add_text(s, &t);
}

static void put_vertex(firn_stream* s, const firn_frame* f, bool z_up, firn_local p)
{
    unsigned char row[FIRN_FRAME_FIELD_COUNT * FIRN_POINT_BYTES_MAX];
    size_t bytes = 0;
    for (int field = 0; field < FIRN_FRAME_FIELD_COUNT; field++) {
        if (f->fields[field] == NULL) continue;
        firn_point_value(f, field, p, z_up, row + bytes);
        bytes += firn_point_type_of(field)->bytes;
    }
    firn_stream_add(s, row, bytes);
}

firn_result firn_ply_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error)
{
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
    const firn_result result = put_header(&s, frame, z_up);
    for (firn_local p = 0; p < frame->count && result == FIRN_OK && s.reason == 0; p++)
        put_vertex(&s, frame, z_up, p);
    return firn_stream_commit(&s, result);
}
