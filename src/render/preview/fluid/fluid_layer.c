// SPDX-License-Identifier: MIT
// Each thread draws bands of rows, all triangles of a band in their order: first the front faces,
// nearest first, then the back faces behind them. Edges are evaluated from the vertex with the
// smaller index, so that a sample on an edge belongs to exactly one of its two triangles.
#include "render/preview/fluid/fluid_layer.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"

#define SAMPLES 2  // per pixel, along each axis
#define BAND 32    // [rows of samples]

// A vertex in the picture.
typedef struct corner {
    double x, y;  // [samples]
    float depth;  // [m] along the camera's axis; negative: not in front of the eye
    float normal[3];
} corner;

typedef struct raster {
    const firn_camera* camera;
    const firn_isosurface* surface;
    corner* corners;  // owned; [vertex_count]
    firn_fluid_sample* samples;
    int32_t width, height;
} raster;

static void project(const void* self, firn_local begin, firn_local end)
{
    const raster* r = self;
    for (firn_local v = begin; v < end; v++) {
        firn_real px = 0, py = 0, depth = -1;
        if (!firn_camera_project(r->camera, r->surface->vertices[v], &px, &py, &depth)) depth = -1;
        const firn_vec3 n = r->surface->normals[v];
        r->corners[v] = (corner){SAMPLES * (double)px,
                                 SAMPLES * (double)py,
                                 (float)depth,
                                 {(float)n.x, (float)n.y, (float)n.z}};
    }
}

// Twice the signed area of the triangle of an edge and a point; exactly opposite for the opposite
// edge. 0 counts as positive along one direction only.
static double side_of(const raster* r, int32_t a, int32_t b, double x, double y)
{
    const int32_t from = a < b ? a : b, to = a < b ? b : a;
    const corner *p = &r->corners[from], *q = &r->corners[to];
    double s = (q->x - p->x) * (y - p->y) - (q->y - p->y) * (x - p->x);
    if (s == 0) s = 1e-300;
    return a < b ? s : -s;
}

static void put(firn_fluid_sample* s, const corner* const c[3], const double weight[3], bool front)
{
    // 1 / depth is linear in the picture
    const double sum = weight[0] + weight[1] + weight[2];
    double per_depth = 0, w[3];
    for (int k = 0; k < 3; k++) {
        w[k] = weight[k] / (sum * (double)c[k]->depth);
        per_depth += w[k];
    }
    const float depth = (float)(1 / per_depth);
    if (!front) {
        if (depth > s->depth && depth < s->back) s->back = depth;
        return;
    }
    if (!(depth < s->depth)) return;
    s->depth = depth;
    for (int d = 0; d < 3; d++)
        s->normal[d] = (float)((w[0] * (double)c[0]->normal[d] + w[1] * (double)c[1]->normal[d] +
                                w[2] * (double)c[2]->normal[d]) /
                               per_depth);
}

// The rows [low, high) of a triangle; front faces or back faces.
static void draw_triangle(const raster* r, const int32_t v[3], int32_t low, int32_t high,
                          bool front)
{
    const corner* const c[3] = {&r->corners[v[0]], &r->corners[v[1]], &r->corners[v[2]]};
    if (!(c[0]->depth > 0 && c[1]->depth > 0 && c[2]->depth > 0)) return;
    const double top = fmin(c[0]->y, fmin(c[1]->y, c[2]->y));
    const double bottom = fmax(c[0]->y, fmax(c[1]->y, c[2]->y));
    if (!(bottom > low && top < high)) return;
    const double left = fmin(c[0]->x, fmin(c[1]->x, c[2]->x));
    const double right = fmax(c[0]->x, fmax(c[1]->x, c[2]->x));
    if (!(right > 0 && left < r->width)) return;
    // counter-clockwise seen from outside; y points down in the picture
    const double area =
        (c[1]->x - c[0]->x) * (c[2]->y - c[0]->y) - (c[1]->y - c[0]->y) * (c[2]->x - c[0]->x);
    if ((area < 0) != front) return;
    const double sign = front ? -1 : 1;
    const int32_t x0 = (int32_t)fmax(floor(left), 0), x1 = (int32_t)fmin(right + 1, r->width);
    const int32_t y0 = (int32_t)fmax(floor(top), low), y1 = (int32_t)fmin(bottom + 1, high);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++) {
            double w[3];
            for (int k = 0; k < 3; k++)
                w[k] = sign * side_of(r, v[(k + 1) % 3], v[(k + 2) % 3], x + 0.5, y + 0.5);
            if (w[0] > 0 && w[1] > 0 && w[2] > 0)
                put(&r->samples[(size_t)y * (size_t)r->width + (size_t)x], c, w, front);
        }
}

static void draw_bands(const void* self, firn_local begin, firn_local end)
{
    const raster* r = self;
    for (firn_local band = begin; band < end; band++) {
        const int32_t low = band * BAND;
        const int32_t high = low + BAND < r->height ? low + BAND : r->height;
        for (int pass = 0; pass < 2; pass++)
            for (firn_local t = 0; t < r->surface->triangle_count; t++)
                draw_triangle(r, r->surface->triangles[t], low, high, pass == 0);
    }
}

static firn_result draw_fluid(const firn_fluid_layer* layer, const firn_isosurface* surface,
                              const firn_camera* camera, int32_t fluid, firn_error* error)
{
    const size_t size = (size_t)layer->width * (size_t)layer->height;
    raster r = {.camera = camera,
                .surface = surface,
                .samples = layer->samples + size * (size_t)fluid,
                .width = layer->width,
                .height = layer->height};
    for (size_t k = 0; k < size; k++)
        r.samples[k] = (firn_fluid_sample){.depth = INFINITY, .back = INFINITY};
    if (surface->triangle_count == 0) return FIRN_OK;
    r.corners = firn_alloc((size_t)surface->vertex_count, sizeof *r.corners);
    if (r.corners == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a fluid of %d triangles",
                         (int)surface->triangle_count);
    firn_share(surface->vertex_count, 4096, project, &r);
    firn_share((r.height + BAND - 1) / BAND, 1, draw_bands, &r);
    firn_free(r.corners);
    return FIRN_OK;
}

firn_result firn_fluid_layer_create(firn_fluid_layer* layer, const firn_fluids* fluids,
                                    const firn_camera* camera, firn_error* error)
{
    *layer = (firn_fluid_layer){.width = SAMPLES * camera->width,
                                .height = SAMPLES * camera->height,
                                .count = fluids->count};
    if (fluids->count == 0) return FIRN_OK;
    const size_t size = (size_t)layer->width * (size_t)layer->height;
    layer->samples = firn_alloc(size * (size_t)fluids->count, sizeof *layer->samples);
    firn_result r = FIRN_OK;
    if (layer->samples == NULL)
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the fluids of a picture");
    for (int32_t k = 0; k < fluids->count && r == FIRN_OK; k++)
        r = draw_fluid(layer, &fluids->items[k].surface, camera, k, error);
    if (r != FIRN_OK) firn_fluid_layer_destroy(layer);
    return r;
}

void firn_fluid_layer_destroy(firn_fluid_layer* layer)
{
    firn_free(layer->samples);
    *layer = (firn_fluid_layer){0};
}

firn_fluid_span firn_fluid_layer_at(const firn_fluid_layer* layer, const firn_camera* camera,
                                    int32_t fluid, int32_t px, int32_t py, firn_ray ray)
{
    const size_t width = (size_t)layer->width,
                 first = width * (size_t)layer->height * (size_t)fluid;
    float depth = 0, back = 0;
    firn_vec3 normal = firn_v3(0, 0, 0);
    int hits = 0, ends = 0;
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        const size_t x = (size_t)(SAMPLES * px + k % SAMPLES),
                     y = (size_t)(SAMPLES * py + k / SAMPLES);
        const firn_fluid_sample* s = &layer->samples[first + y * width + x];
        if (!isfinite(s->depth)) continue;
        hits++;
        depth += s->depth;
        normal = firn_v3_add(normal, firn_v3((firn_real)s->normal[0], (firn_real)s->normal[1],
                                             (firn_real)s->normal[2]));
        if (!isfinite(s->back)) continue;
        ends++;
        back += s->back;
    }
    firn_fluid_span span = {.cover = (float)hits / (SAMPLES * SAMPLES)};
    if (hits == 0) return span;
    const firn_real per_depth = 1 / firn_v3_dot(ray.direction, camera->forward);
    span.t = (firn_real)(depth / (float)hits) * per_depth;
    span.out = ends > 0 ? (firn_real)(back / (float)ends) * per_depth : span.t;
    span.normal = firn_v3_normalize(normal, firn_v3_scale(ray.direction, -1));
    return span;
}
