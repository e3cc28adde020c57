// SPDX-License-Identifier: MIT
// Binary glTF of colliders. One accessor per buffer view; per body:
//     node       at its first pose
//     mesh       POSITION, NORMAL where known, indices; a material with its colour
//     animation  translation, rotation, scale where they change, with a key per sample
//     targets    of a body that deforms: displacements from the first sample, of which exactly one
//                has weight 1 at each key
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "math/vec3.h"
#include "output/export/stage.h"
#include "output/run/stream.h"

#define FLOATS 5126
#define UINTS 5125

typedef enum content {
    POSITIONS,
    NORMALS,
    INDICES,
    TARGET,
    TIMES,
    TRANSLATIONS,
    ROTATIONS,
    SCALES,
    WEIGHTS
} content;
static const char* const paths[] = {[TRANSLATIONS] = "translation",
                                    [ROTATIONS] = "rotation",
                                    [SCALES] = "scale",
                                    [WEIGHTS] = "weights"};

typedef struct view {
    content what;
    const firn_stage_body* body;  // null: TIMES
    firn_local sample;            // TARGET: of the mesh
    uint64_t count, each;         // elements, bytes of one
} view;

typedef struct glb {
    const firn_stage* stage;
    view* views;  // owned
    firn_local view_count, view_capacity;
    firn_local mesh_count;
} glb;

static bool is_written(const firn_stage* stage, const firn_stage_body* body)
{
    return stage->sample_count > 0 && body->meshes[0].triangle_count > 0 &&
           firn_stage_glb_misfit(stage, body) == NULL;
}

const char* firn_stage_glb_misfit(const firn_stage* stage, const firn_stage_body* body)
{
    const firn_body_mesh* first = body->meshes;
    for (firn_local k = 1; k < stage->sample_count && body->deforms; k++) {
        const firn_body_mesh* m = &body->meshes[k];
        const size_t bytes = 3 * (size_t)first->triangle_count * sizeof *first->triangles;
        if (m->vertex_count != first->vertex_count || m->triangle_count != first->triangle_count ||
            (bytes > 0 && memcmp(m->triangles, first->triangles, bytes) != 0))
            return "its triangles change from frame to frame, which glTF cannot hold: use usd";
    }
    return NULL;
}

// ---- the list of arrays -------------------------------------------------------------------------

static bool add_view(glb* g, content what, const firn_stage_body* body, firn_local sample)
{
    const uint64_t samples = (uint64_t)g->stage->sample_count;
    const firn_body_mesh* mesh = body != NULL ? &body->meshes[0] : NULL;
    view v = {.what = what, .body = body, .sample = sample, .count = samples, .each = 12};
    if (what == POSITIONS || what == NORMALS || what == TARGET)
        v.count = (uint64_t)mesh->vertex_count;
    if (what == INDICES) v.count = 3 * (uint64_t)mesh->triangle_count;
    if (what == WEIGHTS) v.count = samples * (samples - 1);
    if (what == INDICES || what == TIMES || what == WEIGHTS) v.each = 4;
    if (what == ROTATIONS) v.each = 16;
    if (!firn_reserve((void**)&g->views, &g->view_capacity, g->view_count + 1, sizeof v))
        return false;
    g->views[g->view_count++] = v;
    return true;
}

// Which parts of the pose change, as bits of `content`.
static unsigned changes_of(const firn_stage* stage, const firn_stage_body* body)
{
    unsigned bits = 0;
    const firn_stage_pose* first = body->poses;
    for (firn_local k = 1; k < stage->sample_count; k++) {
        const firn_stage_pose* p = &body->poses[k];
        if (memcmp(&p->position, &first->position, sizeof p->position) != 0)
            bits |= 1u << TRANSLATIONS;
        if (memcmp(&p->rotation, &first->rotation, sizeof p->rotation) != 0)
            bits |= 1u << ROTATIONS;
        if (memcmp(&p->scale, &first->scale, sizeof p->scale) != 0) bits |= 1u << SCALES;
    }
    if (body->deforms && stage->sample_count > 1) bits |= 1u << WEIGHTS;
    return bits;
}

static bool list_views(glb* g)
{
    const firn_stage* s = g->stage;
    bool good = add_view(g, TIMES, NULL, 0);
    for (firn_local b = 0; b < s->body_count && good; b++) {
        const firn_stage_body* body = &s->bodies[b];
        if (!is_written(s, body)) continue;
        const unsigned changes = changes_of(s, body);
        g->mesh_count++;
        good = add_view(g, POSITIONS, body, 0);
        if (good && body->meshes[0].normals != NULL) good = add_view(g, NORMALS, body, 0);
        if (good) good = add_view(g, INDICES, body, 0);
        for (firn_local k = 1; k < s->sample_count && body->deforms && good; k++)
            good = add_view(g, TARGET, body, k);
        for (unsigned what = TRANSLATIONS; what <= WEIGHTS && good; what++)
            if ((changes >> what & 1) != 0) good = add_view(g, (content)what, body, 0);
    }
    return good;
}

// ---- values -------------------------------------------------------------------------------------

static void value_of(const glb* g, const view* v, uint64_t k, float out[4])
{
    const firn_stage* s = g->stage;
    const firn_body_mesh* mesh = v->body != NULL ? &v->body->meshes[0] : NULL;
    const firn_stage_pose* pose =
        v->body != NULL ? &v->body->poses[k % (uint64_t)s->sample_count] : NULL;
    const uint64_t targets = (uint64_t)s->sample_count - 1;
    firn_vec3 x = {0};
    switch (v->what) {
    case POSITIONS: x = mesh->vertices[k]; break;
    case NORMALS: x = firn_v3_normalize(mesh->normals[k], firn_v3(0, 1, 0)); break;
    case TARGET: x = firn_v3_sub(v->body->meshes[v->sample].vertices[k], mesh->vertices[k]); break;
    case TRANSLATIONS: x = pose->position; break;
    case SCALES: x = firn_v3(pose->scale, pose->scale, pose->scale); break;
    case TIMES: x.x = (firn_real)s->times[k]; break;
    case WEIGHTS: x.x = k / targets == k % targets + 1 ? 1 : 0; break;
    case ROTATIONS:
    case INDICES: break;
    }
    const float value[4] = {(float)x.x, (float)x.y, (float)x.z, 0};
    memcpy(out, value, sizeof value);
    if (v->what != ROTATIONS) return;
    const firn_quat q = pose->rotation;
    const float turn[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    memcpy(out, turn, sizeof turn);
}

static void put_view(firn_stream* s, const glb* g, const view* v)
{
    if (v->what == INDICES) {
        firn_stream_add(s, v->body->meshes[0].triangles, (size_t)(v->count * v->each));
        return;
    }
    for (uint64_t k = 0; k < v->count && s->reason == 0; k++) {
        float value[4];
        value_of(g, v, k, value);
        firn_stream_add(s, value, (size_t)v->each);
    }
}

// ---- JSON ---------------------------------------------------------------------------------------

static void add_bounds(firn_text* t, const glb* g, const view* v)
{
    const int components = v->what == TIMES ? 1 : 3;
    float low[3], high[3];
    for (uint64_t k = 0; k < v->count; k++) {
        float x[4];
        value_of(g, v, k, x);
        for (int d = 0; d < 3; d++) {
            low[d] = k == 0 || x[d] < low[d] ? x[d] : low[d];
            high[d] = k == 0 || x[d] > high[d] ? x[d] : high[d];
        }
    }
    for (int which = 0; which < 2; which++) {
        firn_text_add(t, ",\"%s\":[", which == 0 ? "min" : "max");
        for (int d = 0; d < components; d++)
            firn_text_add(t, "%s%.9g", d > 0 ? "," : "", (double)(which == 0 ? low : high)[d]);
        firn_text_add(t, "]");
    }
}

static void add_accessors(firn_text* t, const glb* g)
{
    uint64_t at = 0;
    firn_text_add(t, ",\"accessors\":[");
    for (firn_local k = 0; k < g->view_count; k++) {
        const view* v = &g->views[k];
        firn_text_add(
            t, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%" PRIu64 ",\"type\":\"%s\"",
            k > 0 ? "," : "", (int)k, v->what == INDICES ? UINTS : FLOATS, v->count,
            v->each == 4    ? "SCALAR"
            : v->each == 12 ? "VEC3"
                            : "VEC4");
        if (v->what == POSITIONS || v->what == TARGET || v->what == TIMES) add_bounds(t, g, v);
        firn_text_add(t, "}");
    }
    firn_text_add(t, "],\"bufferViews\":[");
    for (firn_local k = 0; k < g->view_count; k++) {
        const view* v = &g->views[k];
        firn_text_add(t, "%s{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64,
                      k > 0 ? "," : "", at, v->count * v->each);
        if (v->what <= TARGET)
            firn_text_add(t, ",\"target\":%d", v->what == INDICES ? 34963 : 34962);
        firn_text_add(t, "}");
        at += v->count * v->each;
    }
    firn_text_add(t, "],\"buffers\":[{\"byteLength\":%" PRIu64 "}]", at);
}

// The meshes, in the order of the nodes; nodes, meshes and materials have the same numbers.
static void add_meshes(firn_text* t, const glb* g)
{
    firn_text_add(t, ",\"meshes\":[");
    bool first = true;
    for (firn_local k = 0; k < g->view_count; k++) {
        if (g->views[k].what != POSITIONS) continue;
        const firn_stage_body* body = g->views[k].body;
        const bool has_normals = body->meshes[0].normals != NULL;
        firn_text_add(t, "%s{\"primitives\":[{\"mode\":4,\"attributes\":{\"POSITION\":%d",
                      first ? "" : ",", (int)k);
        if (has_normals) firn_text_add(t, ",\"NORMAL\":%d", (int)k + 1);
        const firn_local indices = k + 1 + has_normals;
        firn_text_add(t, "},\"indices\":%d,\"material\":%d", (int)indices,
                      (int)(body - g->stage->bodies));
        const firn_local targets = body->deforms ? g->stage->sample_count - 1 : 0;
        for (firn_local n = 0; n < targets; n++)
            firn_text_add(t, "%s{\"POSITION\":%d}", n == 0 ? ",\"targets\":[" : ",",
                          (int)(indices + 1 + n));
        firn_text_add(t, targets > 0 ? "]}]}" : "}]}");
        first = false;
    }
    firn_text_add(t, "],\"materials\":[");
    for (firn_local b = 0; b < g->stage->body_count; b++) {
        const float* c = g->stage->bodies[b].colour;
        firn_text_add(t,
                      "%s{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                      "\"roughnessFactor\":0.8,\"baseColorFactor\":[%.6g,%.6g,%.6g,1]}}",
                      b > 0 ? "," : "", (double)c[0], (double)c[1], (double)c[2]);
    }
    firn_text_add(t, "]");
}

static void add_nodes(firn_text* t, const glb* g)
{
    int n = 0;
    firn_text_add(t, ",\"nodes\":[");
    for (firn_local b = 0; b < g->stage->body_count; b++) {
        const firn_stage_body* body = &g->stage->bodies[b];
        if (!is_written(g->stage, body)) continue;
        const firn_stage_pose* p = &body->poses[0];
        firn_text_add(t,
                      "%s{\"name\":\"%s\",\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],"
                      "\"rotation\":[%.9g,%.9g,%.9g,%.9g],\"scale\":[%.9g,%.9g,%.9g]%s}",
                      n > 0 ? "," : "", body->name, n, (double)p->position.x, (double)p->position.y,
                      (double)p->position.z, (double)p->rotation.x, (double)p->rotation.y,
                      (double)p->rotation.z, (double)p->rotation.w, (double)p->scale,
                      (double)p->scale, (double)p->scale,
                      body->hidden ? ",\"extras\":{\"hidden\":true}" : "");
        n++;
    }
    firn_text_add(t, "],\"scenes\":[{\"nodes\":[");
    for (int k = 0; k < n; k++) firn_text_add(t, "%s%d", k > 0 ? "," : "", k);
    firn_text_add(t, "]}]");
}

static void add_animation(firn_text* t, const glb* g)
{
    int node = -1, sampler = 0;
    firn_text channels = {0};
    for (firn_local k = 0; k < g->view_count; k++) {
        const view* v = &g->views[k];
        node += v->what == POSITIONS;
        if (v->what < TRANSLATIONS) continue;
        firn_text_add(&channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                      sampler > 0 ? "," : "", sampler, node, paths[v->what]);
        if (sampler == 0) firn_text_add(t, ",\"animations\":[{\"name\":\"run\",\"samplers\":[");
        firn_text_add(t, "%s{\"input\":0,\"output\":%d}", sampler > 0 ? "," : "", (int)k);
        sampler++;
    }
    if (sampler > 0) {
        firn_text_add(t, "],\"channels\":[");
        firn_text_add_bytes(t, channels.data, channels.length);
        firn_text_add(t, "]}]");
    }
    t->failed = t->failed || channels.failed;
    firn_text_destroy(&channels);
}

static void put_word(firn_stream* s, uint32_t word)
{
    firn_stream_add(s, &word, sizeof word);
}

static firn_result put_glb(firn_stream* s, const glb* g)
{
    uint64_t bytes = 0;
    for (firn_local k = 0; k < g->view_count; k++) bytes += g->views[k].count * g->views[k].each;
    if (bytes > UINT32_MAX - (1u << 26))
        return firn_fail(s->error, FIRN_REFUSED_ARGUMENT,
                         "cannot write '%s': %.1f GB of colliders, but a .glb file holds 4 GB: "
                         "export fewer frames, or usd",
                         s->path, (double)bytes * 1e-9);
    firn_text t = {0};
    firn_text_add(&t, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"firn\"},\"scene\":0");
    if (g->mesh_count > 0) {
        add_nodes(&t, g);
        add_meshes(&t, g);
        add_animation(&t, g);
        add_accessors(&t, g);
    } else {
        firn_text_add(&t, ",\"scenes\":[{}]");
    }
    firn_text_add(&t, "}");
    while (!t.failed && t.length % 4 != 0) firn_text_add(&t, " ");
    const uint32_t json = (uint32_t)t.length, body = (uint32_t)bytes;
    firn_stream_add(s, "glTF", 4);
    put_word(s, 2);
    put_word(s, 12 + 8 + json + (g->mesh_count > 0 ? 8 + body : 0));
    put_word(s, json);
    firn_stream_add(s, "JSON", 4);
    FIRN_TRY(firn_stream_add_text(s, &t));
    if (g->mesh_count == 0) return FIRN_OK;
    put_word(s, body);
    firn_stream_add(s, "BIN", 4);  // with its zero
    for (firn_local k = 0; k < g->view_count; k++) put_view(s, g, &g->views[k]);
    return FIRN_OK;
}

firn_result firn_stage_glb_write(const char* path, const firn_stage* stage, firn_error* error)
{
    firn_stream s;
    glb g = {.stage = stage};
    firn_result r = list_views(&g)
                        ? FIRN_OK
                        : firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory writing '%s'", path);
    if (r == FIRN_OK) r = firn_stream_open(&s, path, error);
    if (r == FIRN_OK) r = firn_stream_commit(&s, put_glb(&s, &g));
    firn_free(g.views);
    return r;
}
