// SPDX-License-Identifier: MIT
#include "render/paint/paint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"
#include "mesh/io/gltf.h"
#include "mesh/io/gltf_paint.h"
#include "mesh/io/sequence.h"
#include "render/image/image.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"

#define TEXELS_MAX ((int64_t)1 << 27)  // of all pictures of a file: 1 GiB

static firn_result no_memory(const char* path, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory for its materials", path);
}

// ---- pictures -----------------------------------------------------------------------------------

// IEC 61966-2-1.
static uint16_t linear_of(int byte)
{
    const double s = byte / 255.0;
    const double x = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
    return (uint16_t)(65535 * x + 0.5);
}

static firn_result add_texels(firn_paint* paint, const char* path, const firn_image* image,
                              firn_error* error)
{
    const int64_t count = (int64_t)image->width * image->height;
    if (count > TEXELS_MAX - paint->texel_count)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: its pictures have more than %lld pixels: make them smaller", path,
                         (long long)TEXELS_MAX);
    firn_rgb16* texels = firn_realloc(paint->texels, (size_t)paint->texel_count,
                                      (size_t)(paint->texel_count + count), sizeof *texels);
    if (texels == NULL) return no_memory(path, error);
    uint16_t linear[256];
    for (int k = 0; k < 256; k++) linear[k] = linear_of(k);
    paint->texels = texels;
    for (int64_t k = 0; k < count; k++) {
        const uint8_t* c = image->rgb + 3 * k;
        texels[paint->texel_count + k] = (firn_rgb16){linear[c[0]], linear[c[1]], linear[c[2]], 0};
    }
    paint->texel_count += count;
    return FIRN_OK;
}

static firn_result decode(firn_paint* paint, const char* path, const firn_gltf_image* from,
                          firn_paint_picture* out, firn_error* error)
{
    char name[300];
    firn_image image = {0};
    snprintf(name, sizeof name, "%.180s: %s", path, from->name);
    FIRN_TRY(firn_png_parse(name, from->bytes, from->size, &image, error));
    *out = (firn_paint_picture){paint->texel_count, image.width, image.height, {0, 0}};
    const firn_result result = add_texels(paint, path, &image, error);
    firn_image_destroy(&image);
    return result;
}

// A picture that several materials share is decoded once.
static firn_result add_materials(firn_paint* paint, const char* path, const firn_gltf_paint* from,
                                 firn_error* error)
{
    const size_t images = (size_t)from->image_count + 1;
    firn_paint_picture* pictures = firn_alloc(images, sizeof *pictures);
    paint->materials = firn_alloc((size_t)from->material_count, sizeof *paint->materials);
    firn_result result =
        pictures != NULL && paint->materials != NULL ? FIRN_OK : no_memory(path, error);
    for (firn_local k = 0; result == FIRN_OK && k < from->material_count; k++) {
        const firn_gltf_material* m = &from->materials[k];
        firn_paint_picture picture = {0};
        if (m->image >= 0 && pictures[m->image].width == 0)
            result = decode(paint, path, &from->images[m->image], &pictures[m->image], error);
        if (m->image >= 0) picture = pictures[m->image];
        for (int i = 0; i < 2; i++)
            picture.wrap[i] = m->wrap[i] == FIRN_GLTF_CLAMP    ? FIRN_PAINT_CLAMP
                              : m->wrap[i] == FIRN_GLTF_MIRROR ? FIRN_PAINT_MIRROR
                                                               : FIRN_PAINT_REPEAT;
        paint->materials[k] = (firn_paint_material){
            firn_rgb_of(m->colour[0], m->colour[1], m->colour[2]), m->metal, m->roughness, picture};
    }
    paint->material_count = from->material_count;
    firn_free(pictures);
    return result;
}

// ---- triangles ----------------------------------------------------------------------------------

static firn_result add_triangles(firn_paint* paint, const char* path, firn_gltf_paint* from,
                                 const firn_mesh* mesh, firn_error* error)
{
    paint->triangle_count = mesh->triangle_count;
    paint->material = from->material;
    from->material = NULL;
    if (from->uv == NULL) return FIRN_OK;
    paint->uv = firn_alloc((size_t)mesh->triangle_count, sizeof *paint->uv);
    if (paint->uv == NULL) return no_memory(path, error);
    for (firn_local t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            memcpy(paint->uv[t][k], from->uv[mesh->triangles[t][k]], sizeof paint->uv[t][k]);
    return FIRN_OK;
}

static firn_result read_gltf(const char* path, const char* node, const firn_mesh* mesh,
                             firn_paint* out_paint, firn_error* error)
{
    firn_gltf_paint from;
    firn_paint paint = {0};
    FIRN_TRY(firn_gltf_read_paint(path, node, &from, error));
    firn_result result = FIRN_OK;
    if (from.material_count > 0 && from.triangle_count == mesh->triangle_count &&
        from.vertex_count == mesh->vertex_count) {
        result = add_materials(&paint, path, &from, error);
        if (result == FIRN_OK) result = add_triangles(&paint, path, &from, mesh, error);
    }
    firn_gltf_paint_destroy(&from);
    if (result == FIRN_OK)
        *out_paint = paint;
    else
        firn_paint_destroy(&paint);
    return result;
}

firn_result firn_paint_read(const firn_scene_data* scene, const firn_collider* collider,
                            firn_local level_set, const firn_mesh* mesh, firn_paint* out_paint,
                            firn_error* error)
{
    *out_paint = (firn_paint){0};
    if (collider->look.kind != FIRN_LOOK_CHOSEN || mesh->triangle_count == 0) return FIRN_OK;
    if (level_set < 0) {
        const firn_animation_def* from = &firn_deforming_read_def(collider->deforming)->animation;
        if (!firn_gltf_is_file(from->file) || firn_sequence_is_pattern(from->file)) return FIRN_OK;
        return read_gltf(from->file, from->node, mesh, out_paint, error);
    }
    char *file, *node;
    FIRN_TRY(firn_scene_mesh_file(scene, level_set, &file, &node, error));
    firn_result result = FIRN_OK;
    if (file != NULL) result = read_gltf(file, node, mesh, out_paint, error);
    firn_free(file);
    firn_free(node);
    return result;
}

void firn_paint_destroy(firn_paint* paint)
{
    firn_free(paint->materials);
    firn_free(paint->texels);
    firn_free(paint->material);
    firn_free(paint->uv);
    *paint = (firn_paint){0};
}
