// SPDX-License-Identifier: MIT
// Kernels of single particles leave bumps of a spacing's wavelength. Smoothing particle positions
// (Yu and Turk 2013, eq. 6) removes them, but sinks a flat surface by 0.7 spacings. Smoothing the
// mesh by Taubin's filter (1995, "A signal processing approach to fair surface design") does not: a
// step towards the mean of the neighbours by LAMBDA, and one away from it by MU,
//
//     transfer of a wave after both:  (1 - LAMBDA k) (1 - MU k),   k = 0 .. 2
//                                                                  flat .. next vertex opposite
// which is 1 at k = 0 and at k = 1 / LAMBDA + 1 / MU, and falls beyond.
#include "state/surface/smooth_surface.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/vec3.h"
#include "state/volume/density_anisotropic.h"

#define VOXEL 0.5  // [spacings]: kernels at a surface are half a spacing thin
#define LEVEL 0.5  // of the volume fraction: half-way between inside and outside
#define PASSES 12  // waves of two spacings (k = 0.2 in cells of half a spacing) shrink to 0.45
#define LAMBDA ((firn_real)0.5)
#define MU ((firn_real)-0.52)  // passes all below k = 0.077: waves longer than 3.5 spacings

// The neighbours of vertices: those of vertex i are next[begin[i] .. begin[i + 1]), one per
// triangle at i. Around a vertex of a closed surface that is each of them once.
typedef struct rings {
    firn_local vertex_count;
    int64_t* begin;      // owned; [vertex_count + 1]
    int32_t (*next)[2];  // owned; [3 * triangle_count] the other two vertices of the triangle
} rings;

static void destroy_rings(rings* r)
{
    firn_free(r->begin);
    firn_free(r->next);
}

static firn_result make_rings(const firn_isosurface* s, rings* r)
{
    const size_t corners = 3 * (size_t)s->triangle_count;
    *r = (rings){s->vertex_count, firn_alloc((size_t)s->vertex_count + 2, sizeof *r->begin),
                 firn_alloc(corners + 1, sizeof *r->next)};
    if (r->begin == NULL || r->next == NULL) {
        destroy_rings(r);
        return FIRN_BROKEN_MEMORY;
    }
    // Counts of vertex i at i + 2; their sums at i + 1; filling moves these to the ends, i + 2.
    int64_t* at = r->begin + 1;
    for (firn_local t = 0; t < s->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            if (s->triangles[t][c] + 1 < s->vertex_count) at[s->triangles[t][c] + 1]++;
    for (firn_local i = 1; i < s->vertex_count; i++) at[i] += at[i - 1];
    for (firn_local t = 0; t < s->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            const int32_t* v = s->triangles[t];
            int32_t* next = r->next[at[v[c]]++];
            next[0] = v[(c + 1) % 3];
            next[1] = v[(c + 2) % 3];
        }
    return FIRN_OK;
}

typedef struct step {
    const rings* r;
    const firn_vec3* x;
    firn_vec3* out;
    firn_real factor;
} step;

static void move_vertices(const void* self, firn_local begin, firn_local end)
{
    const step* s = self;
    for (firn_local i = begin; i < end; i++) {
        const int64_t from = s->r->begin[i], to = s->r->begin[i + 1];
        const firn_vec3 x = s->x[i];
        firn_vec3 sum = firn_v3(0, 0, 0);
        for (int64_t k = from; k < to; k++)
            sum = firn_v3_add(sum, firn_v3_sub(s->x[s->r->next[k][0]], x));
        s->out[i] = to > from ? firn_v3_madd(x, s->factor / (firn_real)(to - from), sum) : x;
    }
}

// The mean of the normals of its triangles, weighted by their areas.
static void find_normals(const void* self, firn_local begin, firn_local end)
{
    const step* s = self;
    for (firn_local i = begin; i < end; i++) {
        firn_vec3 sum = firn_v3(0, 0, 0);
        for (int64_t k = s->r->begin[i]; k < s->r->begin[i + 1]; k++) {
            const int32_t* next = s->r->next[k];
            sum = firn_v3_add(sum, firn_v3_cross(firn_v3_sub(s->x[next[0]], s->x[i]),
                                                 firn_v3_sub(s->x[next[1]], s->x[i])));
        }
        s->out[i] = firn_v3_normalize(sum, s->out[i]);
    }
}

firn_result firn_surface_smooth(firn_isosurface* surface, int32_t passes, firn_error* error)
{
    const firn_local count = surface->vertex_count;
    if (count == 0) return FIRN_OK;
    rings r = {0};
    firn_vec3* other = firn_alloc((size_t)count, sizeof *other);
    if (other == NULL || make_rings(surface, &r) != FIRN_OK) {
        firn_free(other);
        return firn_fail(error, FIRN_BROKEN_MEMORY,
                         "out of memory for a smooth surface of %d vertices: use a larger voxel",
                         (int)count);
    }
    for (int32_t k = 0; k < passes; k++) {
        firn_share(count, 1024, move_vertices, &(step){&r, surface->vertices, other, LAMBDA});
        firn_share(count, 1024, move_vertices, &(step){&r, other, surface->vertices, MU});
    }
    firn_share(count, 1024, find_normals, &(step){&r, surface->vertices, surface->normals, 0});
    destroy_rings(&r);
    firn_free(other);
    return FIRN_OK;
}

firn_result firn_smooth_surface_make(const firn_smooth_surface_def* def,
                                     firn_isosurface* out_surface, firn_error* error)
{
    const double voxel = def->voxel > 0 ? def->voxel : VOXEL * def->spacing;
    firn_density_volume volume = {0};
    FIRN_TRY(firn_density_anisotropic_build(def->x, def->v, def->volume, def->count, def->spacing,
                                            voxel, &volume, error));
    const firn_isosurface_def iso = {
        .volume = &volume, .level = LEVEL, .carried = {volume.velocity}};
    firn_isosurface surface = {0};
    firn_result r = firn_isosurface_make(&iso, &surface, error);
    firn_density_volume_destroy(&volume);
    if (r == FIRN_OK)
        r = firn_surface_smooth(&surface, def->passes < 0 ? PASSES : def->passes, error);
    if (r == FIRN_OK)
        *out_surface = surface;
    else
        firn_isosurface_destroy(&surface);
    return r;
}
