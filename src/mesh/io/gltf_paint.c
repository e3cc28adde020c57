// SPDX-License-Identifier: MIT
#include "mesh/io/gltf_paint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/io/gltf.h"

#define IMAGE_FILE_MAX ((size_t)1 << 30)  // [bytes]

static firn_result no_memory(const char* path, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read its materials", path);
}

// ---- materials ----------------------------------------------------------------------------------

// A number between 0 and 1 in member `name`; `value` is the default.
static firn_result read_share(const firn_gltf_file* f, firn_local object, const char* name,
                              float* value, firn_error* error)
{
    const firn_local at = firn_json_member(&f->json, object, name);
    double number;
    if (at < 0) return FIRN_OK;
    if (!firn_json_number(&f->json, at, &number) || number < 0 || number > 1)
        return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: '%s' must be from 0 to 1",
                         f->path, firn_json_offset(&f->json, at), name);
    *value = (float)number;
    return FIRN_OK;
}

static int32_t wrap_of(int64_t code)
{
    return code == 33071 ? FIRN_GLTF_CLAMP : code == 33648 ? FIRN_GLTF_MIRROR : FIRN_GLTF_REPEAT;
}

// Of the base colour. `out_set`: number of its texture coordinates.
static firn_result read_texture(const firn_gltf_file* f, firn_local info, firn_gltf_material* m,
                                int64_t* out_set, firn_error* error)
{
    firn_local texture, sampler = -1;
    int64_t wrap[2] = {0, 0};
    FIRN_TRY(firn_gltf_count(f, info, "texCoord", 0, out_set, error));
    FIRN_TRY(firn_gltf_index(f, info, "index", FIRN_GLTF_TEXTURES, &texture, error));
    if (texture < 0) return FIRN_OK;
    const firn_local row = f->rows[FIRN_GLTF_TEXTURES][texture];
    FIRN_TRY(firn_gltf_index(f, row, "source", FIRN_GLTF_IMAGES, &m->image, error));
    FIRN_TRY(firn_gltf_index(f, row, "sampler", FIRN_GLTF_SAMPLERS, &sampler, error));
    if (sampler < 0) return FIRN_OK;
    const firn_local how = f->rows[FIRN_GLTF_SAMPLERS][sampler];
    FIRN_TRY(firn_gltf_count(f, how, "wrapS", 0, &wrap[0], error));
    FIRN_TRY(firn_gltf_count(f, how, "wrapT", 0, &wrap[1], error));
    for (int i = 0; i < 2; i++) m->wrap[i] = wrap_of(wrap[i]);
    return FIRN_OK;
}

static firn_result read_material(const firn_gltf_file* f, firn_local row, firn_gltf_material* m,
                                 int64_t* out_set, firn_error* error)
{
    const firn_local look = firn_json_member(&f->json, row, "pbrMetallicRoughness");
    double factor[4] = {1, 1, 1, 1};
    bool found;
    *m = (firn_gltf_material){.metal = 1, .roughness = 1, .image = -1};
    FIRN_TRY(firn_gltf_numbers(f, look, "baseColorFactor", 4, factor, &found, error));
    for (int i = 0; i < 3; i++) m->colour[i] = (float)fmin(fmax(factor[i], 0), 1);
    FIRN_TRY(read_share(f, look, "metallicFactor", &m->metal, error));
    FIRN_TRY(read_share(f, look, "roughnessFactor", &m->roughness, error));
    const firn_local info = firn_json_member(&f->json, look, "baseColorTexture");
    return info < 0 ? FIRN_OK : read_texture(f, info, m, out_set, error);
}

// ---- pictures -----------------------------------------------------------------------------------

static bool is_png(const unsigned char* bytes, size_t size)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size > sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

// The bytes of a buffer view, borrowed from the file.
static firn_result find_view(const firn_gltf_file* f, firn_local view, firn_gltf_buffer* out,
                             firn_error* error)
{
    const firn_local row = f->rows[FIRN_GLTF_BUFFER_VIEWS][view];
    firn_local buffer;
    int64_t start, length;
    FIRN_TRY(firn_gltf_index(f, row, "buffer", FIRN_GLTF_BUFFERS, &buffer, error));
    FIRN_TRY(firn_gltf_count(f, row, "byteOffset", 0, &start, error));
    FIRN_TRY(firn_gltf_count(f, row, "byteLength", 0, &length, error));
    const uint64_t whole = buffer < 0 ? 0 : f->buffers[buffer].bytes;
    if (buffer < 0 || (uint64_t)start > whole || (uint64_t)length > whole - (uint64_t)start)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: bufferViews[%d] reaches beyond its buffer", f->path,
                         firn_json_offset(&f->json, row), (int)view);
    *out = (firn_gltf_buffer){.data = f->buffers[buffer].data + start, .bytes = (size_t)length};
    return FIRN_OK;
}

static firn_result read_image(const firn_gltf_file* f, firn_local image, firn_gltf_image* out,
                              firn_error* error)
{
    const firn_local row = f->rows[FIRN_GLTF_IMAGES][image];
    const firn_local uri = firn_json_member(&f->json, row, "uri");
    firn_gltf_buffer from = {0};
    firn_local view;
    FIRN_TRY(firn_gltf_index(f, row, "bufferView", FIRN_GLTF_BUFFER_VIEWS, &view, error));
    firn_result result = FIRN_OK;
    if (uri >= 0)
        result = firn_gltf_read_uri(f, uri, "picture", IMAGE_FILE_MAX, &from, error);
    else if (view >= 0)
        result = find_view(f, view, &from, error);
    char name[90];
    firn_gltf_row_text(f, FIRN_GLTF_IMAGES, image, name, sizeof name);
    out->name = firn_strdup(name);
    if (out->name == NULL && result == FIRN_OK) result = no_memory(f->path, error);
    if (result == FIRN_OK && is_png(from.data, from.bytes)) {
        out->bytes = firn_alloc(from.bytes, 1);
        out->size = from.bytes;
        if (out->bytes == NULL)
            result = no_memory(f->path, error);
        else
            memcpy(out->bytes, from.data, from.bytes);
    }
    firn_free(from.own);
    return result;
}

// Reads the pictures that materials use.
static firn_result read_images(const firn_gltf_file* f, firn_gltf_paint* paint, firn_error* error)
{
    paint->image_count = f->row_count[FIRN_GLTF_IMAGES];
    paint->images = firn_alloc((size_t)paint->image_count + 1, sizeof *paint->images);
    if (paint->images == NULL) return no_memory(f->path, error);
    for (firn_local k = 0; k < paint->material_count; k++) {
        firn_gltf_material* m = &paint->materials[k];
        if (m->image < 0) continue;
        firn_gltf_image* image = &paint->images[m->image];
        if (image->name == NULL) FIRN_TRY(read_image(f, m->image, image, error));
        if (image->bytes == NULL) m->image = -1;
    }
    return FIRN_OK;
}

// ---- triangles and vertices ---------------------------------------------------------------------

typedef struct painter {
    const firn_gltf_file* file;
    const firn_gltf* gltf;
    const int64_t* sets;  // texture coordinates of each material
    firn_gltf_paint* paint;
    firn_error* error;
} painter;

// Texture coordinates of a primitive whose material has a picture.
static firn_result paint_vertices(const painter* p, firn_local attributes, int64_t set,
                                  firn_local count, firn_local first)
{
    char name[40], purpose[60];
    firn_local accessor, found;
    float* uv;
    snprintf(name, sizeof name, "TEXCOORD_%lld", (long long)set);
    FIRN_TRY(firn_gltf_index(p->file, attributes, name, FIRN_GLTF_ACCESSORS, &accessor, p->error));
    if (accessor < 0)
        return firn_fail(p->error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: a material has a picture, but the mesh has no %s: export "
                         "it with texture coordinates",
                         p->file->path, firn_json_offset(&p->file->json, attributes), name);
    snprintf(purpose, sizeof purpose, "%s of a mesh", name);
    FIRN_TRY(firn_gltf_read_floats(p->file, accessor, 2, purpose, &uv, &found, p->error));
    const bool good = found == count;
    if (good) memcpy(p->paint->uv[first], uv, (size_t)count * sizeof *p->paint->uv);
    firn_free(uv);
    if (good) return FIRN_OK;
    return firn_fail(p->error, FIRN_REFUSED_SCENE, "%s: %s: %d elements for %d vertices",
                     p->file->path, purpose, (int)found, (int)count);
}

static firn_result paint_primitive(const painter* p, firn_local row,
                                   const firn_gltf_primitive* shape)
{
    firn_gltf_paint* paint = p->paint;
    firn_local material;
    FIRN_TRY(firn_gltf_index(p->file, row, "material", FIRN_GLTF_MATERIALS, &material, p->error));
    for (firn_local t = 0; t < shape->triangle_count; t++)
        paint->material[paint->triangle_count + t] = material;
    if (material >= 0 && paint->materials[material].image >= 0 && shape->triangle_count > 0)
        FIRN_TRY(paint_vertices(p, firn_json_member(&p->file->json, row, "attributes"),
                                p->sets[material], shape->vertex_count, paint->vertex_count));
    paint->triangle_count += shape->triangle_count;
    paint->vertex_count += shape->vertex_count;
    return FIRN_OK;
}

static firn_result paint_mesh(const painter* p, firn_local mesh)
{
    const firn_gltf_file* f = p->file;
    const firn_gltf_mesh* shape = &p->gltf->meshes[mesh];
    const firn_local list =
        mesh < f->row_count[FIRN_GLTF_MESHES]
            ? firn_json_member(&f->json, f->rows[FIRN_GLTF_MESHES][mesh], "primitives")
            : -1;
    // geometry is read from the path once more, where another file may be by now
    if (list < 0 || f->json.values[list].count != shape->primitive_count)
        return firn_fail(p->error, FIRN_REFUSED_SCENE, "%s: it was changed while it was read",
                         f->path);
    firn_local row = list + 1;
    for (firn_local k = 0; k < shape->primitive_count; k++) {
        FIRN_TRY(paint_primitive(p, row, &shape->primitives[k]));
        row = f->json.values[row].next;
    }
    return FIRN_OK;
}

static bool is_shown(const firn_gltf* g, firn_local i, firn_local node)
{
    return g->nodes[i].mesh >= 0 && g->nodes[i].in_scene && firn_gltf_is_below(g, i, node);
}

// In the order of firn_gltf_pose.
static firn_result paint_nodes(const painter* p, firn_local node)
{
    const firn_gltf* g = p->gltf;
    firn_gltf_paint* paint = p->paint;
    int64_t triangles = 0, vertices = 0;
    bool pictures = false;
    for (firn_local i = 0; i < g->node_count; i++) {
        if (!is_shown(g, i, node)) continue;
        const firn_gltf_mesh* m = &g->meshes[g->nodes[i].mesh];
        for (firn_local k = 0; k < m->primitive_count; k++) {
            triangles += m->primitives[k].triangle_count;
            vertices += m->primitives[k].vertex_count;
        }
    }
    if (triangles > FIRN_MESH_COUNT_MAX || vertices > FIRN_MESH_COUNT_MAX)
        return firn_fail(p->error, FIRN_REFUSED_SCENE, "%s: more than %d vertices or triangles",
                         g->path, FIRN_MESH_COUNT_MAX);
    for (firn_local k = 0; k < paint->material_count; k++)
        pictures = pictures || paint->materials[k].image >= 0;
    paint->material = firn_alloc((size_t)triangles + 1, sizeof *paint->material);
    if (pictures) paint->uv = firn_alloc((size_t)vertices + 1, sizeof *paint->uv);
    if (paint->material == NULL || (pictures && paint->uv == NULL))
        return no_memory(g->path, p->error);
    for (firn_local i = 0; i < g->node_count; i++)
        if (is_shown(g, i, node)) FIRN_TRY(paint_mesh(p, g->nodes[i].mesh));
    return FIRN_OK;
}

// ---- the file -----------------------------------------------------------------------------------

static firn_result paint_all(const firn_gltf_file* f, const char* node, int64_t* sets,
                             firn_gltf_paint* paint, firn_error* error)
{
    for (firn_local k = 0; k < paint->material_count; k++)
        FIRN_TRY(read_material(f, f->rows[FIRN_GLTF_MATERIALS][k], &paint->materials[k], &sets[k],
                               error));
    FIRN_TRY(read_images(f, paint, error));
    firn_gltf* gltf = NULL;
    FIRN_TRY(firn_gltf_read(f->path, false, NULL, &gltf, error));
    firn_local number = -1;
    firn_result result = node != NULL ? firn_gltf_find_node(gltf, node, &number, error) : FIRN_OK;
    const painter p = {f, gltf, sets, paint, error};
    if (result == FIRN_OK) result = paint_nodes(&p, number);
    firn_gltf_destroy(gltf);
    return result;
}

firn_result firn_gltf_read_paint(const char* path, const char* node, firn_gltf_paint* out_paint,
                                 firn_error* error)
{
    firn_gltf_file f;
    firn_gltf_paint paint = {0};
    *out_paint = paint;
    FIRN_TRY(firn_gltf_file_open(path, &f, error));
    const size_t count = (size_t)f.row_count[FIRN_GLTF_MATERIALS];
    firn_result result = FIRN_OK;
    if (count > 0) {
        int64_t* sets = firn_alloc(count, sizeof *sets);
        paint.material_count = (firn_local)count;
        paint.materials = firn_alloc(count, sizeof *paint.materials);
        result = sets != NULL && paint.materials != NULL ? paint_all(&f, node, sets, &paint, error)
                                                         : no_memory(path, error);
        firn_free(sets);
    }
    firn_gltf_file_close(&f);
    if (result == FIRN_OK)
        *out_paint = paint;
    else
        firn_gltf_paint_destroy(&paint);
    return result;
}

void firn_gltf_paint_destroy(firn_gltf_paint* paint)
{
    for (firn_local k = 0; paint->images != NULL && k < paint->image_count; k++) {
        firn_free(paint->images[k].name);
        firn_free(paint->images[k].bytes);
    }
    firn_free(paint->images);
    firn_free(paint->materials);
    firn_free(paint->material);
    firn_free(paint->uv);
    *paint = (firn_gltf_paint){0};
}
