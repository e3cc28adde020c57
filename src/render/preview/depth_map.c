// SPDX-License-Identifier: MIT
// Depth maps: each block of snow is merged into all cells of the screen rectangle of its corners.
#include "render/preview/depth_map.h"

#include "core/memory.h"

#define SUN_CELLS_MAX 2048  // along one side of the sun's map

static firn_result create(firn_depth_map* map, int32_t nx, int32_t ny, firn_error* error)
{
    map->nx = nx;
    map->ny = ny;
    map->spans = firn_alloc((size_t)nx * (size_t)ny + 1, sizeof *map->spans);
    if (map->spans == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the preview's depth map");
    for (int64_t i = 0; i < (int64_t)nx * ny; i++) map->spans[i] = (firn_depth_span){1e30f, -1e30f};
    return FIRN_OK;
}

void firn_depth_map_destroy(firn_depth_map* map)
{
    firn_free(map->spans);
    *map = (firn_depth_map){0};
}

// [cells] rectangle that a block covers
typedef struct rect {
    double low_x, low_y, high_x, high_y;
} rect;

static void grow(rect* c, double x, double y)
{
    c->low_x = fmin(c->low_x, x);
    c->low_y = fmin(c->low_y, y);
    c->high_x = fmax(c->high_x, x);
    c->high_y = fmax(c->high_y, y);
}

static void write_span(firn_depth_map* map, const rect* c, float near, float far)
{
    const int32_t x0 = (int32_t)fmin(fmax(c->low_x, 0), map->nx);
    const int32_t y0 = (int32_t)fmin(fmax(c->low_y, 0), map->ny);
    const int32_t x1 = (int32_t)fmax(fmin(c->high_x, map->nx - 1), -1);
    const int32_t y1 = (int32_t)fmax(fmin(c->high_y, map->ny - 1), -1);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            firn_depth_span* s = &map->spans[(int64_t)y * map->nx + x];
            s->near = near < s->near ? near : s->near;
            s->far = far > s->far ? far : s->far;
        }
}

// Corner k of a block enlarged by half a voxel, the reach of interpolation.
static firn_vec3 corner(const firn_snow_volume* v, const int32_t at[3], int k)
{
    const double block = (double)v->voxel * FIRN_SNOW_BLOCK, margin = 0.5 * (double)v->voxel;
    double x[3];
    for (int a = 0; a < 3; a++) {
        const int high = k >> a & 1;
        x[a] = v->low[a] + block * (at[a] + high) + (high ? margin : -margin);
    }
    return firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
}

// Half the diagonal of the enlarged block [m].
static firn_real block_radius(const firn_snow_volume* v)
{
    return 0.8660254f * (FIRN_SNOW_BLOCK + 1) * v->voxel;
}

static firn_vec3 block_center(const firn_snow_volume* v, const int32_t at[3])
{
    return firn_v3_scale(firn_v3_add(corner(v, at, 0), corner(v, at, 7)), 0.5f);
}

static void write_block(firn_depth_map* map, const firn_snow_volume* v, const firn_camera* camera,
                        int32_t block)
{
    const int32_t* at = v->at[block];
    rect c = {1e30, 1e30, -1e30, -1e30};
    for (int k = 0; k < 8; k++) {
        firn_real px, py, depth;
        if (firn_camera_project(camera, corner(v, at, k), &px, &py, &depth))
            grow(&c, (double)px / FIRN_DEPTH_CELL_PIXELS, (double)py / FIRN_DEPTH_CELL_PIXELS);
        else
            c = (rect){-1, -1, 1e30, 1e30};  // crosses the eye's plane: may cover any pixel
        if (c.high_x >= 1e30) break;
    }
    const firn_vec3 center = block_center(v, at);
    const firn_real away = firn_v3_length(firn_v3_sub(center, camera->eye));
    const firn_real radius = block_radius(v);
    if (firn_v3_dot(firn_v3_sub(center, camera->eye), camera->forward) < -radius) return;
    write_span(map, &c, (float)firn_max(away - radius, 0), (float)(away + radius));
}

firn_result firn_depth_map_camera(firn_depth_map* map, const firn_snow_volume* volume,
                                  const firn_camera* camera, firn_error* error)
{
    *map = (firn_depth_map){0};
    const int32_t n = FIRN_DEPTH_CELL_PIXELS;
    FIRN_TRY(create(map, (camera->width + n - 1) / n, (camera->height + n - 1) / n, error));
    for (int32_t block = 0; block < volume->block_count; block++)
        if (volume->solid[block] != 0) write_block(map, volume, camera, block);
    return FIRN_OK;
}

// Two unit vectors that form an orthogonal basis with `n`.
static void axes_across(firn_vec3 n, firn_vec3* out_a, firn_vec3* out_b)
{
    const firn_vec3 other = firn_abs(n.y) < 0.9f ? firn_v3(0, 1, 0) : firn_v3(1, 0, 0);
    *out_a = firn_v3_normalize(firn_v3_cross(other, n), firn_v3(1, 0, 0));
    *out_b = firn_v3_cross(n, *out_a);
}

// Bounds of all blocks in the plane perpendicular to the sun [m].
static rect sun_extent(const firn_depth_map* map, const firn_snow_volume* v)
{
    rect c = {1e300, 1e300, -1e300, -1e300};
    const int32_t last[3] = {v->size[0] - 1, v->size[1] - 1, v->size[2] - 1};
    for (int k = 0; k < 8; k++) {
        const int32_t at[3] = {k & 1 ? last[0] : 0, k & 2 ? last[1] : 0, k & 4 ? last[2] : 0};
        const firn_vec3 x = corner(v, at, k);
        grow(&c, (double)firn_v3_dot(x, map->across), (double)firn_v3_dot(x, map->along));
    }
    return c;
}

firn_result firn_depth_map_sun(firn_depth_map* map, const firn_snow_volume* volume, firn_vec3 sun,
                               firn_error* error)
{
    *map = (firn_depth_map){.to = sun};
    axes_across(sun, &map->across, &map->along);
    if (volume->block_count == 0) return FIRN_OK;
    const rect all = sun_extent(map, volume);
    const double extent = fmax(all.high_x - all.low_x, all.high_y - all.low_y);
    const double block = (double)volume->voxel * FIRN_SNOW_BLOCK;
    map->low_x = all.low_x;
    map->low_y = all.low_y;
    map->scale = 1 / fmax(block, extent / SUN_CELLS_MAX);
    FIRN_TRY(create(map, (int32_t)((all.high_x - all.low_x) * map->scale) + 1,
                    (int32_t)((all.high_y - all.low_y) * map->scale) + 1, error));
    const firn_real radius = block_radius(volume);
    for (int32_t b = 0; b < volume->block_count; b++) {
        rect c = {1e300, 1e300, -1e300, -1e300};
        for (int k = 0; k < 8; k++) {
            const firn_vec3 x = corner(volume, volume->at[b], k);
            grow(&c, ((double)firn_v3_dot(x, map->across) - map->low_x) * map->scale,
                 ((double)firn_v3_dot(x, map->along) - map->low_y) * map->scale);
        }
        const firn_real s = firn_v3_dot(block_center(volume, volume->at[b]), sun);
        write_span(map, &c, (float)(s - radius), (float)(s + radius));
    }
    return FIRN_OK;
}
