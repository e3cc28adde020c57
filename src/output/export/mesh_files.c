// SPDX-License-Identifier: MIT
// Surfaces of snow as PLY, OBJ and GLB. Numbers are 32-bit floats, little-endian, as all machines
// that firn runs on have them.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "output/export/snow_mesh.h"
#include "output/run/stream.h"

static void put_vec3(firn_stream* s, firn_vec3 v, bool z_up)
{
    const float value[3] = {(float)v.x, z_up ? -(float)v.z : (float)v.y,
                            z_up ? (float)v.y : (float)v.z};
    firn_stream_add(s, value, sizeof value);
}

// "firn: NAME, frame 3, 0.125 s": a line break in the name would end a comment.
static void add_origin(firn_text* t, const firn_frame_info* info)
{
    char scene[sizeof info->scene] = "";
    for (size_t k = 0; info->scene[k] != '\0'; k++)
        scene[k] = (unsigned char)info->scene[k] < 0x20 ? ' ' : info->scene[k];
    firn_text_add(t, "firn: %s, frame %" PRId64 ", %.9g s", scene, info->frame, info->time);
}

static firn_result put_ply_header(firn_stream* s, const firn_snow_mesh* mesh,
                                  const firn_frame_info* info, bool z_up)
{
    firn_text t = {0};
    firn_text_add(&t, "ply\nformat binary_little_endian 1.0\ncomment ");
    add_origin(&t, info);
    firn_text_add(&t, "\ncomment metres, seconds; %s is up\n", z_up ? "z" : "y");
    firn_text_add(&t, "element vertex %d\n", (int)mesh->surface.vertex_count);
    static const char* const names[] = {"x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"};
    const int count = mesh->surface.carried[0] != NULL ? 9 : 6;
    for (int k = 0; k < count; k++) firn_text_add(&t, "property float %s\n", names[k]);
    if (mesh->temperature != NULL) firn_text_add(&t, "property float temperature\n");
    if (mesh->material != NULL) firn_text_add(&t, "property uchar material\n");
    firn_text_add(&t, "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                  (int)mesh->surface.triangle_count);
    return firn_stream_add_text(s, &t);
}

firn_result firn_mesh_ply_write(const char* path, const firn_snow_mesh* mesh,
                                const firn_frame_info* info, bool z_up, firn_error* error)
{
    const firn_isosurface* m = &mesh->surface;
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
    const firn_result result = put_ply_header(&s, mesh, info, z_up);
    for (firn_local i = 0; i < m->vertex_count && result == FIRN_OK && s.reason == 0; i++) {
        put_vec3(&s, m->vertices[i], z_up);
        put_vec3(&s, m->normals[i], z_up);
        if (m->carried[0] != NULL) put_vec3(&s, m->carried[0][i], z_up);
        if (mesh->temperature != NULL) firn_stream_add(&s, &mesh->temperature[i], sizeof(float));
        if (mesh->material != NULL) firn_stream_add(&s, &mesh->material[i], 1);
    }
    for (firn_local k = 0; k < m->triangle_count && result == FIRN_OK && s.reason == 0; k++) {
        const unsigned char corners = 3;
        firn_stream_add(&s, &corners, 1);
        firn_stream_add(&s, m->triangles[k], sizeof m->triangles[k]);
    }
    return firn_stream_commit(&s, result);
}

// As 32-bit floats, whose nine digits are read back as the same numbers.
static void put_line(firn_stream* s, const char* name, firn_vec3 v, bool z_up)
{
    const float x = (float)v.x, y = (float)v.y, z = (float)v.z;
    char line[160];
    const int length = snprintf(line, sizeof line, "%s %.9g %.9g %.9g\n", name, (double)x,
                                (double)(z_up ? -z : y), (double)(z_up ? y : z));
    firn_stream_add(s, line, (size_t)length);
}

firn_result firn_mesh_obj_write(const char* path, const firn_snow_mesh* mesh,
                                const firn_frame_info* info, bool z_up, firn_error* error)
{
    const firn_isosurface* m = &mesh->surface;
    firn_stream s;
    firn_text t = {0};
    FIRN_TRY(firn_stream_open(&s, path, error));
    firn_text_add(&t, "# ");
    add_origin(&t, info);
    firn_text_add(&t, "\n# metres; %s is up\no snow\ns 1\n", z_up ? "z" : "y");
    const firn_result result = firn_stream_add_text(&s, &t);
    firn_locale locale = firn_locale_open();
    for (firn_local i = 0; i < m->vertex_count && s.reason == 0; i++)
        put_line(&s, "v", m->vertices[i], z_up);
    for (firn_local i = 0; i < m->vertex_count && s.reason == 0; i++)
        put_line(&s, "vn", m->normals[i], z_up);
    for (firn_local k = 0; k < m->triangle_count && s.reason == 0; k++) {
        char line[96];
        const int a = m->triangles[k][0] + 1, b = m->triangles[k][1] + 1,
                  c = m->triangles[k][2] + 1;
        const int length =
            snprintf(line, sizeof line, "f %d//%d %d//%d %d//%d\n", a, a, b, b, c, c);
        firn_stream_add(&s, line, (size_t)length);
    }
    firn_locale_close(&locale);
    return firn_stream_commit(&s, result);
}

// ---- GLB: a header, a JSON chunk, a chunk of arrays ------------------------------------------

// An array of the file.
typedef struct view {
    const char* attribute;    // null: indices
    const char* type;         // "VEC3", "SCALAR"
    int component;            // 5126 float, 5125 unsigned int
    const firn_vec3* vector;  // one of these, or indices
    const float* number;
    const uint8_t* small;  // written as floats: vertices of attributes are multiples of 4 bytes
    uint64_t bytes;
} view;
#define VIEWS_MAX 6

static int list_views(const firn_snow_mesh* mesh, view out[VIEWS_MAX])
{
    const firn_isosurface* m = &mesh->surface;
    const uint64_t n = (uint64_t)m->vertex_count;
    int k = 0;
    if (n == 0) return 0;
    out[k++] = (view){"POSITION", "VEC3", 5126, m->vertices, NULL, NULL, 12 * n};
    out[k++] = (view){"NORMAL", "VEC3", 5126, m->normals, NULL, NULL, 12 * n};
    if (m->carried[0] != NULL)
        out[k++] = (view){"_VELOCITY", "VEC3", 5126, m->carried[0], NULL, NULL, 12 * n};
    if (mesh->temperature != NULL)
        out[k++] = (view){"_TEMPERATURE", "SCALAR", 5126, NULL, mesh->temperature, NULL, 4 * n};
    if (mesh->material != NULL)
        out[k++] = (view){"_MATERIAL", "SCALAR", 5126, NULL, NULL, mesh->material, 4 * n};
    out[k++] = (view){NULL, "SCALAR", 5125, NULL, NULL, NULL, 12 * (uint64_t)m->triangle_count};
    return k;
}

static void add_bounds(firn_text* t, const firn_isosurface* m)
{
    firn_vec3 low = m->vertices[0], high = low;
    for (firn_local i = 1; i < m->vertex_count; i++) {
        low = firn_v3_min(low, m->vertices[i]);
        high = firn_v3_max(high, m->vertices[i]);
    }
    firn_text_add(t, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low.x,
                  (double)low.y, (double)low.z, (double)high.x, (double)high.y, (double)high.z);
}

static void add_mesh(firn_text* t, const firn_isosurface* m, const view* views, int count)
{
    firn_text_add(t, ",\"nodes\":[{\"name\":\"snow\",\"mesh\":0}],\"meshes\":[{\"primitives\":"
                     "[{\"mode\":4,\"attributes\":{");
    for (int k = 0; k < count - 1; k++)
        firn_text_add(t, "%s\"%s\":%d", k > 0 ? "," : "", views[k].attribute, k);
    firn_text_add(t, "},\"indices\":%d}]}],\"accessors\":[", count - 1);
    for (int k = 0; k < count; k++) {
        const bool indices = views[k].attribute == NULL;
        firn_text_add(t, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%lld,\"type\":\"%s\"",
                      k > 0 ? "," : "", k, views[k].component,
                      (long long)(indices ? 3 * (int64_t)m->triangle_count : m->vertex_count),
                      views[k].type);
        if (k == 0) add_bounds(t, m);
        firn_text_add(t, "}");
    }
    uint64_t at = 0;
    firn_text_add(t, "],\"bufferViews\":[");
    for (int k = 0; k < count; k++) {
        firn_text_add(
            t,
            "%s{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64 ",\"target\":%d}",
            k > 0 ? "," : "", at, views[k].bytes, views[k].attribute == NULL ? 34963 : 34962);
        at += views[k].bytes;
    }
    firn_text_add(t, "],\"buffers\":[{\"byteLength\":%" PRIu64 "}]", at);
}

static void put_word(firn_stream* s, uint32_t word)
{
    firn_stream_add(s, &word, sizeof word);
}

static void put_view(firn_stream* s, const firn_isosurface* m, const view* v)
{
    if (v->attribute == NULL) firn_stream_add(s, m->triangles, (size_t)v->bytes);
    if (v->number != NULL) firn_stream_add(s, v->number, (size_t)v->bytes);
    for (firn_local i = 0; i < m->vertex_count && s->reason == 0; i++) {
        if (v->vector != NULL) put_vec3(s, v->vector[i], false);
        if (v->small == NULL) continue;
        const float value = (float)v->small[i];
        firn_stream_add(s, &value, sizeof value);
    }
}

static firn_result put_glb(firn_stream* s, const firn_snow_mesh* mesh, const firn_frame_info* info)
{
    view views[VIEWS_MAX];
    const int count = list_views(mesh, views);
    uint64_t bytes = 0;
    for (int k = 0; k < count; k++) bytes += views[k].bytes;
    if (bytes > UINT32_MAX - (1 << 16))
        return firn_fail(s->error, FIRN_REFUSED_ARGUMENT,
                         "cannot write '%s': a .glb file of %.1f GB, which has 4 GB at most; use a "
                         "larger --voxel, or PLY",
                         s->path, (double)bytes * 1e-9);
    firn_text t = {0}, origin = {0};
    add_origin(&origin, info);
    firn_text_add(&t, "{\"asset\":{\"version\":\"2.0\",\"generator\":");
    firn_text_add_json(&t, origin.data != NULL ? origin.data : "firn");
    firn_text_add(&t, "},\"scene\":0,\"scenes\":[%s]", count > 0 ? "{\"nodes\":[0]}" : "{}");
    if (count > 0) add_mesh(&t, &mesh->surface, views, count);
    firn_text_add(&t, "}");
    while (!t.failed && t.length % 4 != 0) firn_text_add(&t, " ");
    t.failed = t.failed || origin.failed;
    firn_text_destroy(&origin);
    const uint32_t json = (uint32_t)t.length, body = (uint32_t)bytes;
    firn_stream_add(s, "glTF", 4);
    put_word(s, 2);
    put_word(s, 12 + 8 + json + (count > 0 ? 8 + body : 0));
    put_word(s, json);
    firn_stream_add(s, "JSON", 4);
    FIRN_TRY(firn_stream_add_text(s, &t));
    if (count == 0) return FIRN_OK;
    put_word(s, body);
    firn_stream_add(s, "BIN", 4);  // with its zero
    for (int k = 0; k < count; k++) put_view(s, &mesh->surface, &views[k]);
    return FIRN_OK;
}

firn_result firn_mesh_glb_write(const char* path, const firn_snow_mesh* mesh,
                                const firn_frame_info* info, bool z_up, firn_error* error)
{
    (void)z_up;
    firn_stream s;
    FIRN_TRY(firn_stream_open(&s, path, error));
    return firn_stream_commit(&s, put_glb(&s, mesh, info));
}
