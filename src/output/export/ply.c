// SPDX-License-Identifier: MIT
// PLY: binary, little-endian, one `vertex` element. Fields that the frame lacks are left out.
#include <string.h>

#include "core/text.h"
#include "output/export/points.h"
#include "output/export/z_up.h"
#include "output/run/stream.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "numbers are written as they lie in memory");

static firn_result put_header(firn_stream* s, const firn_frame* f, bool z_up)
{
    firn_text t = {0};
    char scene[sizeof f->info.scene] = "";
    for (size_t k = 0; f->info.scene[k] != '\0'; k++)  // a comment ends with its line
        scene[k] = (unsigned char)f->info.scene[k] < 0x20 ? ' ' : f->info.scene[k];
    firn_text_add(&t,
                  "ply\nformat binary_little_endian 1.0\ncomment firn: %s, frame %lld, %.9g s\n",
                  scene, (long long)f->info.frame, f->info.time);
    firn_text_add(&t, "comment metres, kilograms, seconds; %s is up\n", z_up ? "z" : "y");
    firn_text_add(&t, "element vertex %d\n", (int)f->count);
    firn_text_add(&t, "property float x\nproperty float y\nproperty float z\n");
    if (f->velocity != NULL)
        firn_text_add(&t, "property float vx\nproperty float vy\nproperty float vz\n");
    if (f->density != NULL) firn_text_add(&t, "property float density\n");
    if (f->mass != NULL) firn_text_add(&t, "property float mass\n");
    if (f->id != NULL) firn_text_add(&t, "property uint id\n");
    if (f->radius != NULL) firn_text_add(&t, "property float radius\n");
    if (f->temperature != NULL) firn_text_add(&t, "property float temperature\n");
    if (f->water != NULL) firn_text_add(&t, "property float water\n");
    if (f->phase != NULL) firn_text_add(&t, "property uchar phase\n");
    if (f->broken != NULL) firn_text_add(&t, "property uchar broken\n");
    firn_text_add(&t, "end_header\n");
    firn_result result = FIRN_OK;
    if (t.failed)
        result = firn_fail(s->error, FIRN_BROKEN_MEMORY, "no memory to write '%s'", s->path);
    else
        firn_stream_add(s, t.data, t.length);
    firn_text_destroy(&t);
    return result;
}

// The numbers of p in those of the fields that are there; gives their size.
static size_t put_reals(const firn_real* const fields[], int count, firn_local p,
                        unsigned char* row)
{
    size_t n = 0;
    for (int k = 0; k < count; k++) {
        if (fields[k] == NULL) continue;
        const float value = (float)fields[k][p];
        memcpy(row + n, &value, 4);
        n += 4;
    }
    return n;
}

static void put_vertex(firn_stream* s, const firn_frame* f, bool z_up, firn_local p)
{
    unsigned char row[12 * 4 + 2];
    size_t n = 12;
    float v[3];
    firn_export_axes(f->position[p], z_up, v);
    memcpy(row, v, 12);
    if (f->velocity != NULL) {
        firn_export_axes(f->velocity[p], z_up, v);
        memcpy(row + n, v, 12);
        n += 12;
    }
    const firn_real* const before_id[] = {f->density, f->mass};
    n += put_reals(before_id, 2, p, row + n);
    if (f->id != NULL) {
        memcpy(row + n, &f->id[p], 4);
        n += 4;
    }
    const firn_real* const of_grains[] = {f->radius, f->temperature, f->water};
    n += put_reals(of_grains, 3, p, row + n);
    if (f->phase != NULL) row[n++] = f->phase[p];
    if (f->broken != NULL) row[n++] = f->broken[p];
    firn_stream_add(s, row, n);
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
