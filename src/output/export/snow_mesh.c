// SPDX-License-Identifier: MIT
// The surface, and for each of its vertices the nearest particle.
#include "output/export/snow_mesh.h"

#include <inttypes.h>
#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/sampling/packing.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "state/neighbours.h"
#include "state/surface/surface_bubbles.h"

#define REACH 2.0   // [spacings] within which a vertex looks for particles
#define VOXEL 0.5   // [spacings]
#define BUBBLE 2.0  // [spacings] edge of the largest gap between particles that is closed

void firn_snow_mesh_destroy(firn_snow_mesh* mesh)
{
    firn_isosurface_destroy(&mesh->surface);
    firn_free(mesh->temperature);
    firn_free(mesh->material);
    *mesh = (firn_snow_mesh){0};
}

// [m^3] of particle p at rest.
static double volume_of(const firn_frame* f, const firn_rest_state* rest, firn_local p)
{
    if (f->radius != NULL) {  // grains
        const double side = 2 * (double)f->radius[p];
        return side * side * side / FIRN_PACKING_DENSITY;
    }
    const firn_local m = f->material != NULL ? f->material[p] : 0;
    if (f->mass != NULL && m < rest->material_count && rest->density[m] > 0)
        return (double)f->mass[p] / (double)rest->density[m];
    return f->info.cell * f->info.cell * f->info.cell / (rest->per_cell > 0 ? rest->per_cell : 8);
}

// Particles in memory of their own: those at finite positions.
typedef struct body {
    firn_vec3 *x, *v;    // owned; v null: the frame has no velocities
    firn_real* volume;   // owned
    firn_local* number;  // owned; in the frame
    firn_local count;
    double spacing;  // [m] of packed particles, mean
} body;

static void destroy_body(body* b)
{
    firn_free(b->x);
    firn_free(b->v);
    firn_free(b->volume);
    firn_free(b->number);
}

static bool is_finite(firn_vec3 x)
{
    return isfinite(x.x) && isfinite(x.y) && isfinite(x.z);
}

static firn_result gather(const firn_frame* f, const firn_rest_state* rest, body* b,
                          firn_error* error)
{
    const size_t room = (size_t)f->count + 1;
    *b = (body){.x = firn_alloc(room, sizeof *b->x),
                .v = f->velocity != NULL ? firn_alloc(room, sizeof *b->v) : NULL,
                .volume = firn_alloc(room, sizeof *b->volume),
                .number = firn_alloc(room, sizeof *b->number)};
    if (b->x == NULL || b->volume == NULL || b->number == NULL ||
        (b->v == NULL && f->velocity != NULL))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the surface of %d particles",
                         (int)f->count);
    double sum = 0;
    for (firn_local p = 0; p < f->count; p++) {
        const double volume = volume_of(f, rest, p);
        if (!is_finite(f->position[p]) || !isfinite(volume) || !(volume > 0)) continue;
        if (b->v != NULL) b->v[b->count] = f->velocity[p];
        b->x[b->count] = f->position[p];
        b->number[b->count] = p;
        b->volume[b->count++] = (firn_real)volume;
        sum += volume;
    }
    b->spacing = b->count > 0 ? firn_cbrt_double(sum / b->count) : 0;
    return FIRN_OK;
}

typedef struct nearest_pass {
    const firn_frame* frame;
    const body* b;
    const firn_neighbours* cells;
    const firn_snow_mesh* mesh;
} nearest_pass;

// Index in the frame of the particle nearest to x; -1: none within reach.
static firn_local nearest(const nearest_pass* a, firn_vec3 x)
{
    const firn_neighbours* cells = a->cells;
    const firn_neighbour_runs runs =
        firn_neighbours_around(cells, firn_neighbours_key(x, cells->radius));
    firn_local best = -1;
    firn_real least = 0;
    for (int r = 0; r < runs.count; r++)
        for (firn_local k = runs.begin[r]; k < runs.end[r]; k++) {
            const firn_vec3 d = firn_v3_sub(cells->x[k], x);
            const firn_real d2 = firn_v3_dot(d, d);
            const firn_local p = cells->order != NULL ? cells->order[k] : k;
            if (best >= 0 && (d2 > least || (d2 >= least && p > best))) continue;
            best = p;
            least = d2;
        }
    return best < 0 ? -1 : a->b->number[best];
}

static void take_range(const void* self, firn_local begin, firn_local end)
{
    const nearest_pass* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_local p = nearest(a, a->mesh->surface.vertices[i]);
        if (a->mesh->temperature != NULL)
            a->mesh->temperature[i] = p < 0 ? 0 : (float)a->frame->temperature[p];
        if (a->mesh->material != NULL) a->mesh->material[i] = p < 0 ? 0 : a->frame->material[p];
    }
}

static firn_result take_values(const firn_frame* f, const body* b, firn_snow_mesh* mesh,
                               firn_error* error)
{
    if (f->temperature == NULL && f->material == NULL) return FIRN_OK;
    const size_t room = (size_t)mesh->surface.vertex_count + 1;
    firn_neighbours cells = {0};
    if (f->temperature != NULL) mesh->temperature = firn_alloc(room, sizeof *mesh->temperature);
    if (f->material != NULL) mesh->material = firn_alloc(room, sizeof *mesh->material);
    if ((f->temperature != NULL && mesh->temperature == NULL) ||
        (f->material != NULL && mesh->material == NULL) ||
        firn_neighbours_create(b->x, b->count, REACH * b->spacing, &cells) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a surface of %d vertices",
                         (int)mesh->surface.vertex_count);
    firn_share(mesh->surface.vertex_count, 256, take_range, &(nearest_pass){f, b, &cells, mesh});
    firn_neighbours_destroy(&cells);
    return FIRN_OK;
}

firn_result firn_snow_mesh_make(const firn_frame* frame, const firn_rest_state* rest, double voxel,
                                firn_snow_mesh* out_mesh, firn_error* error)
{
    body b = {0};
    *out_mesh = (firn_snow_mesh){0};
    firn_result r = gather(frame, rest, &b, error);
    if (r == FIRN_OK && b.count > 0) {
        out_mesh->voxel = voxel > 0 ? voxel : VOXEL * b.spacing;
        const firn_smooth_surface_def def = {.x = b.x,
                                             .v = b.v,
                                             .volume = b.volume,
                                             .count = b.count,
                                             .spacing = b.spacing,
                                             .voxel = out_mesh->voxel,
                                             .passes = -1};
        r = firn_smooth_surface_make(&def, &out_mesh->surface, error);
        const double bubble = BUBBLE * BUBBLE * BUBBLE * b.spacing * b.spacing * b.spacing;
        if (r == FIRN_OK) r = firn_surface_drop_bubbles(&out_mesh->surface, bubble, error);
        if (r == FIRN_OK) r = take_values(frame, &b, out_mesh, error);
    }
    destroy_body(&b);
    if (r != FIRN_OK) firn_snow_mesh_destroy(out_mesh);
    return r;
}
