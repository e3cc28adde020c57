// SPDX-License-Identifier: MIT
// Surfaces of parts whose glTF file has materials.
#include <string.h>

#include "core/memory.h"
#include "render/path/geometry/geometry_part.h"

#define METAL_FROM 0.5f  // materials between a metal and none are drawn as the nearer
#define SPECULAR 0.04f   // reflectance of what is none, as glTF has it

static firn_result no_memory(firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the materials of a picture");
}

static firn_surface surface_of(const firn_paint_material* m, int64_t first_texel, int32_t owner)
{
    firn_surface s = {.kind = m->metal >= METAL_FROM ? FIRN_SURFACE_METAL : FIRN_SURFACE_ROUGH,
                      .colour = m->colour,
                      .roughness = m->roughness > 0.02f ? m->roughness : 0.02f,
                      .specular = SPECULAR,
                      .picture = m->picture,
                      .painted = owner + 1};
    s.picture.first += first_texel;
    return s;
}

static firn_result add_texels(firn_geometry* g, const firn_paint* paint, firn_error* error)
{
    const size_t before = (size_t)g->texel_count, more = (size_t)paint->texel_count;
    if (more == 0) return FIRN_OK;
    firn_rgb16* texels = firn_realloc(g->texels, before, before + more, sizeof *texels);
    if (texels == NULL) return no_memory(error);
    memcpy(texels + before, paint->texels, more * sizeof *texels);
    g->texels = texels;
    g->texel_count += paint->texel_count;
    return FIRN_OK;
}

firn_result firn_geometry_paint(firn_geometry* g, firn_part* part, const firn_paint* paint,
                                firn_error* error)
{
    if (paint->material_count == 0) return FIRN_OK;
    const firn_local first = g->painted_count;
    const int64_t first_texel = g->texel_count;
    const size_t count = part->triangle_count;
    if (!firn_reserve((void**)&g->painted, &g->painted_capacity, first + paint->material_count,
                      sizeof *g->painted))
        return no_memory(error);
    FIRN_TRY(add_texels(g, paint, error));
    for (firn_local k = 0; k < paint->material_count; k++)
        g->painted[first + k] = surface_of(&paint->materials[k], first_texel, part->owner);
    g->painted_count += paint->material_count;
    part->painted = firn_alloc(count, sizeof *part->painted);
    if (paint->uv != NULL) part->uv = firn_alloc(count, sizeof *part->uv);
    if (part->painted == NULL || (paint->uv != NULL && part->uv == NULL)) return no_memory(error);
    for (size_t t = 0; t < count; t++)
        part->painted[t] = paint->material[t] < 0 ? -1 : (int32_t)(first + paint->material[t]);
    if (paint->uv != NULL) memcpy(part->uv, paint->uv, count * sizeof *part->uv);
    return FIRN_OK;
}
