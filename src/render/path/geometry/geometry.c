// SPDX-License-Identifier: MIT
// Ray intersection with all surfaces. One Embree device per geometry; the BVH is built by the
// caller's thread only, so that it is the same for any number of threads.
#include "render/path/geometry/geometry.h"

#include <float.h>
#include <math.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/collider/collider_look.h"
#include "geometry/collider/collider_sample.h"
#include "render/fluid/fluids.h"
#include "render/path/geometry/geometry_part.h"
#include "scene/data/scene.h"

#define BEYOND 20  // extent of unbounded shapes, in diagonals of the visible bounds

// ---- creation -----------------------------------------------------------------------------------

firn_part* firn_geometry_add_part(firn_geometry* g)
{
    if (!firn_reserve((void**)&g->parts, &g->part_capacity, g->part_count + 1, sizeof *g->parts))
        return NULL;
    firn_part* part = &g->parts[g->part_count++];
    *part = (firn_part){0};
    return part;
}

// Floors are drawn as the preview does: with haze, and uneven if they have no surface of their own.
// Patterns need the width of a pixel.
static void set_ground(firn_surface* surface, const firn_scene_data* scene, bool is_floor)
{
    const firn_render_block* r = &scene->render;
    double square = 0;
    for (int d = 0; d < 3; d++) square += (r->look_at[d] - r->eye[d]) * (r->look_at[d] - r->eye[d]);
    if (is_floor) surface->ground = (float)sqrt(square);
    surface->ground_pixel =
        (float)(2 * tan(r->fov_deg * 3.14159265358979 / 360) / (double)r->height);
}

static firn_surface surface_of(const firn_collider* c, const firn_shapes* shapes, int32_t index)
{
    static const firn_surface_kind kinds[] = {[FIRN_LOOK_CHOSEN] = FIRN_SURFACE_DIFFUSE,
                                              [FIRN_LOOK_DIFFUSE] = FIRN_SURFACE_DIFFUSE,
                                              [FIRN_LOOK_ROUGH] = FIRN_SURFACE_ROUGH,
                                              [FIRN_LOOK_METAL] = FIRN_SURFACE_METAL,
                                              [FIRN_LOOK_SHADOW_CATCHER] =
                                                  FIRN_SURFACE_SHADOW_CATCHER,
                                              [FIRN_LOOK_HIDDEN] = FIRN_SURFACE_DIFFUSE,
                                              [FIRN_LOOK_ASPHALT] = FIRN_SURFACE_ROUGH,
                                              [FIRN_LOOK_ROCK] = FIRN_SURFACE_ROUGH,
                                              [FIRN_LOOK_WOOD] = FIRN_SURFACE_ROUGH,
                                              [FIRN_LOOK_ICE] = FIRN_SURFACE_ROUGH,
                                              [FIRN_LOOK_SNOW] = FIRN_SURFACE_DIFFUSE};
    return (firn_surface){.kind = kinds[c->look.kind],
                          .colour = firn_collider_colour(c, shapes, index),
                          .roughness = c->look.roughness,
                          .specular = c->look.specular,
                          .pattern = firn_collider_has_pattern(c) ? c->look.kind : 0,
                          .pattern_scale = c->look.scale};
}

static firn_box3 far_box(firn_vec3 low, firn_vec3 high, firn_vec3 eye)
{
    low = firn_v3_min(low, eye);
    high = firn_v3_max(high, eye);
    const firn_real r = BEYOND * firn_max(firn_v3_length(firn_v3_sub(high, low)), (firn_real)1e-3);
    const firn_vec3 more = firn_v3(r, r, r);
    return (firn_box3){firn_v3_sub(low, more), firn_v3_add(high, more)};
}

static firn_result add_colliders(firn_geometry* g, double time, firn_vec3 eye, firn_box3 within,
                                 firn_error* error)
{
    const firn_scene_data* scene = g->scene;
    const size_t count = (size_t)scene->collider_count;
    g->colliders = firn_alloc(count + 1, sizeof *g->colliders);
    g->surfaces = firn_alloc(count + FIRN_FLUIDS_MAX, sizeof *g->surfaces);
    if (g->colliders == NULL || g->surfaces == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the picture's %d colliders",
                         (int)count);
    for (int32_t i = 0; i < scene->collider_count; i++) {
        firn_collider* c = &g->colliders[i];
        if (firn_collider_copy(&scene->colliders[i], c) != FIRN_OK)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the picture's colliders");
        g->collider_count++;
        FIRN_TRY(firn_collider_move(c, &scene->shapes, time, error));
        g->surfaces[i] = surface_of(c, &scene->shapes, i);
        const bool is_floor = firn_collider_is_plain_floor(c, &scene->shapes) ||
                              firn_collider_is_patterned_floor(c, &scene->shapes);
        if (is_floor || firn_collider_has_pattern(c)) set_ground(&g->surfaces[i], scene, is_floor);
        if (c->look.kind == FIRN_LOOK_HIDDEN) continue;
        if (firn_collider_distance(c, &scene->shapes, eye) <= 0) continue;
        FIRN_TRY(firn_geometry_add_collider(g, i, time, within, error));
    }
    return FIRN_OK;
}

static firn_surface surface_of_fluid(const firn_material_look* look, int32_t fluid)
{
    const float *c = look->colour, *a = look->absorption;
    return (firn_surface){.kind = look->ior > 0 ? FIRN_SURFACE_DIELECTRIC : FIRN_SURFACE_ROUGH,
                          .colour = firn_rgb_of(c[0], c[1], c[2]),
                          .roughness = look->roughness,
                          .specular = look->specular,
                          .fluid = fluid,
                          .ior = look->ior,
                          .absorption = firn_rgb_of(a[0], a[1], a[2]),
                          .scattering = look->scattering};
}

static firn_result add_fluids(firn_geometry* g, const firn_fluids* fluids, firn_error* error)
{
    for (int32_t k = 0; fluids != NULL && k < fluids->count; k++) {
        const int32_t owner = g->collider_count + g->fluid_count++;
        g->surfaces[owner] = surface_of_fluid(&fluids->items[k].look, k);
        if (fluids->items[k].surface.triangle_count == 0) continue;
        firn_part* part = firn_geometry_add_part(g);
        if (part == NULL)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the picture's fluids");
        part->owner = owner;
        FIRN_TRY(firn_part_set_fluid(part, &fluids->items[k].surface, error));
    }
    return FIRN_OK;
}

static firn_result add_area_lights(firn_geometry* g, firn_error* error)
{
    const firn_render_block* render = &g->scene->render;
    for (int32_t k = 0; k < render->light_count; k++) {
        firn_part* part = firn_geometry_add_part(g);
        if (part == NULL)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the picture's lights");
        part->owner = k;
        FIRN_TRY(firn_part_set_area_light(part, &render->lights[k], error));
    }
    return FIRN_OK;
}

static firn_result embree_failed(RTCDevice device, firn_error* error)
{
    const int code = (int)rtcGetDeviceError(device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "Embree has no memory for the colliders");
    return firn_fail(
        error, FIRN_REFUSED_BACKEND,
        "Embree cannot build the picture's geometry (Embree error %d): is a libembree3 "
        "for this machine installed?",
        code);
}

static firn_result build_tree(firn_geometry* g, firn_error* error)
{
    if (g->part_count == 0) return FIRN_OK;
    g->device = rtcNewDevice("threads=1,set_affinity=0");
    if (g->device == NULL) return embree_failed(NULL, error);
    g->tree = rtcNewScene(g->device);
    if (g->tree == NULL) return embree_failed(g->device, error);
    rtcSetSceneFlags(g->tree, RTC_SCENE_FLAG_ROBUST);  // no cracks between triangles
    for (firn_local k = 0; k < g->part_count; k++) {
        const firn_part* part = &g->parts[k];
        RTCGeometry geometry = part->kind == FIRN_PART_SHAPE
                                   ? firn_part_geometry_of_shape(g->device, part)
                                   : firn_part_geometry_of_mesh(g->device, part);
        if (geometry == NULL) return embree_failed(g->device, error);
        rtcAttachGeometryByID(g->tree, geometry, (unsigned)k);
        rtcReleaseGeometry(geometry);
    }
    rtcCommitScene(g->tree);
    const int code = (int)rtcGetDeviceError(g->device);
    if (code == RTC_ERROR_NONE) return FIRN_OK;
    return firn_fail(error,
                     code == RTC_ERROR_OUT_OF_MEMORY ? FIRN_BROKEN_MEMORY : FIRN_REFUSED_BACKEND,
                     "Embree could not build the picture's BVH (Embree error %d)", code);
}

firn_result firn_geometry_create(const firn_scene_data* scene, const firn_fluids* fluids,
                                 double time, firn_vec3 eye, firn_vec3 low, firn_vec3 high,
                                 firn_geometry** out_geometry, firn_error* error)
{
    firn_geometry* g = firn_alloc(1, sizeof *g);
    if (g == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a picture's geometry");
    g->scene = scene;
    firn_result result = add_colliders(g, time, eye, far_box(low, high, eye), error);
    if (result == FIRN_OK) result = add_fluids(g, fluids, error);
    if (result == FIRN_OK) result = add_area_lights(g, error);
    if (result == FIRN_OK) result = build_tree(g, error);
    if (result == FIRN_OK)
        *out_geometry = g;
    else
        firn_geometry_destroy(g);
    return result;
}

void firn_geometry_destroy(firn_geometry* g)
{
    if (g == NULL) return;
    if (g->tree != NULL) rtcReleaseScene(g->tree);
    if (g->device != NULL) rtcReleaseDevice(g->device);
    for (firn_local k = 0; k < g->part_count; k++) firn_part_destroy(&g->parts[k]);
    firn_colliders_destroy(g->colliders, g->collider_count);
    firn_free(g->colliders);
    firn_free(g->surfaces);
    firn_free(g->painted);
    firn_free(g->texels);
    firn_free(g->parts);
    firn_free(g->planes);
    firn_free(g);
}

// ---- rays ---------------------------------------------------------------------------------------

static struct RTCRay make_ray(firn_ray ray, float far)
{
    return (struct RTCRay){.org_x = (float)ray.origin.x,
                           .org_y = (float)ray.origin.y,
                           .org_z = (float)ray.origin.z,
                           .dir_x = (float)ray.direction.x,
                           .dir_y = (float)ray.direction.y,
                           .dir_z = (float)ray.direction.z,
                           .tfar = far,
                           .mask = ~0u};
}

static firn_surface_hit part_hit(const firn_geometry* g, const struct RTCRayHit* r, firn_ray ray)
{
    const firn_part* part = &g->parts[r->hit.geomID];
    firn_surface_hit hit = part->kind == FIRN_PART_SHAPE
                               ? firn_hit_solid(&part->solid, ray, r->ray.tfar)
                               : firn_hit_triangle(firn_part_triangle(part, r->hit.primID),
                                                   r->hit.u, r->hit.v, ray, r->ray.tfar);
    const int32_t painted = part->painted != NULL ? part->painted[r->hit.primID] : -1;
    if (part->kind == FIRN_PART_LIGHT)
        hit.light = part->owner;
    else if (painted < 0)
        hit.surface = &g->surfaces[part->owner];
    else
        firn_hit_set_painted(&hit, &g->painted[painted],
                             part->uv != NULL ? (const float(*)[2])part->uv[r->hit.primID] : NULL,
                             g->texels, r->hit.u, r->hit.v);
    return hit;
}

firn_surface_hit firn_geometry_trace(const firn_geometry* g, firn_ray ray, float far)
{
    const firn_plane* plane = NULL;
    for (firn_local k = 0; k < g->plane_count; k++) {
        const float t = firn_plane_intersect(&g->planes[k], ray, far);
        if (!(t < far)) continue;
        far = t;
        plane = &g->planes[k];
    }
    if (g->tree != NULL) {
        struct RTCRayHit r = {.ray = make_ray(ray, far)};
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(g->tree, &context, &r);
        if (r.hit.geomID != RTC_INVALID_GEOMETRY_ID) return part_hit(g, &r, ray);
    }
    firn_surface_hit hit = firn_geometry_miss(far);
    if (plane == NULL) return hit;
    hit = firn_hit_plane(plane, ray, far);
    hit.surface = &g->surfaces[plane->collider];
    return hit;
}

bool firn_geometry_blocked(const firn_geometry* g, firn_ray ray, float far)
{
    for (firn_local k = 0; k < g->plane_count; k++)
        if (firn_plane_intersect(&g->planes[k], ray, far) < far) return true;
    if (g->tree == NULL) return false;
    struct RTCRay r = make_ray(ray, far);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(g->tree, &context, &r);
    return r.tfar < 0;
}

// ---- proximity ----------------------------------------------------------------------------------

typedef struct near_query {
    const firn_geometry* g;
    firn_vec3 x;
    float radius;
    bool found;
} near_query;

// Called for primitives whose box is near. Accept triangles; evaluate the SDF for shapes.
static bool check_near_part(struct RTCPointQueryFunctionArguments* a)
{
    near_query* q = a->userPtr;
    const firn_part* part = &q->g->parts[a->geomID];
    if (part->kind == FIRN_PART_SHAPE &&
        fabsf((float)firn_solid_distance(&part->solid, q->x)) > q->radius + part->solid.step)
        return false;
    q->found = true;
    a->query->radius = 0;  // end the query
    return true;
}

bool firn_geometry_near(const firn_geometry* g, firn_vec3 x, float radius)
{
    const float r = radius + firn_hit_least_offset(x);
    for (firn_local k = 0; k < g->plane_count; k++) {
        const firn_plane* p = &g->planes[k];
        if (fabsf((float)firn_v3_dot(p->normal, firn_v3_sub(x, p->point))) <= r) return true;
    }
    if (g->tree == NULL) return false;
    near_query query = {g, x, r, false};
    struct RTCPointQuery at = {.x = (float)x.x, .y = (float)x.y, .z = (float)x.z, .radius = r};
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(g->tree, &at, &context, check_near_part, &query);
    return query.found;
}

// ---- fluids -------------------------------------------------------------------------------------

int32_t firn_geometry_number(const firn_geometry* g, const firn_surface* surface)
{
    return surface->painted > 0 ? surface->painted - 1 : (int32_t)(surface - g->surfaces);
}

int32_t firn_geometry_colliders(const firn_geometry* g)
{
    return g->collider_count;
}

firn_vec3 firn_geometry_velocity(const firn_geometry* g, int32_t number, firn_vec3 x)
{
    if (number >= g->collider_count) return firn_v3(0, 0, 0);
    return firn_collider_velocity(&g->colliders[number], x);
}

const firn_surface* firn_geometry_fluid(const firn_geometry* g, int32_t k)
{
    return g != NULL && k < g->fluid_count ? &g->surfaces[g->collider_count + k] : NULL;
}

// Along any ray, the first hit of a closed surface tells on which side of it the ray began.
uint32_t firn_geometry_submerged(const firn_geometry* g, firn_vec3 x)
{
    enum { HITS_MAX = 1000 };
    uint32_t inside = 0, known = 0;
    firn_ray ray = {x, firn_v3(0, 1, 0)};
    for (int k = 0; g->fluid_count > 0 && k < HITS_MAX; k++) {
        const firn_surface_hit hit = firn_geometry_trace(g, ray, FLT_MAX);
        if (hit.surface == NULL) break;
        if (hit.surface->kind == FIRN_SURFACE_DIELECTRIC) {
            const uint32_t bit = (uint32_t)1 << hit.surface->fluid;
            if ((known & bit) == 0 && hit.from_inside) inside |= bit;
            known |= bit;
        }
        ray.origin = firn_geometry_pass(&hit);
    }
    return inside;
}
