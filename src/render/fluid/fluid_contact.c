// SPDX-License-Identifier: MIT
// Without this, a picture shows a film of air between water and its basin: dark rims, and light
// that is reflected there.
#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/collider/collider.h"
#include "math/rgb.h"
#include "math/vec3.h"
#include "render/fluid/fluids.h"
#include "scene/data/scene.h"
#include "state/surface/smooth_surface.h"

#define NEAR ((firn_real)1)    // [spacings] of a vertex that is moved
#define SINK ((firn_real)0.1)  // [spacings] into a collider that is drawn, which hides it
// Cosines between the fluid's normal and the way to the wall: from here a vertex moves, to there it
// moves all the way. Between, at the rim of a pool, it moves in part, so that the rim stays smooth.
#define FACING_FROM 0.3f
#define FACING_TO 0.7f

typedef struct contact {
    firn_isosurface* surface;
    const firn_collider* colliders;  // posed
    const firn_shapes* shapes;
    firn_local count;
    firn_real spacing;
} contact;

// A vertex that faces the collider moves to it.
static firn_vec3 move_to(const contact* c, const firn_collider* collider, firn_vec3 x, firn_vec3 n)
{
    firn_vec3 out;
    const firn_real distance = firn_collider_sample(collider, c->shapes, x, &out);
    if (!(distance < NEAR * c->spacing && distance > -NEAR * c->spacing)) return x;
    const float share = firn_smooth_between(FACING_FROM, FACING_TO, -(float)firn_v3_dot(n, out));
    const bool hidden = collider->look.kind == FIRN_LOOK_HIDDEN;
    const firn_real to = hidden ? 0 : -SINK * c->spacing;
    return firn_v3_madd(x, (firn_real)share * (to - distance), out);
}

static void move_vertices(const void* self, firn_local begin, firn_local end)
{
    const contact* c = self;
    for (firn_local v = begin; v < end; v++) {
        firn_vec3 x = c->surface->vertices[v];
        for (firn_local k = 0; k < c->count; k++)
            x = move_to(c, &c->colliders[k], x, c->surface->normals[v]);
        c->surface->vertices[v] = x;
    }
}

firn_result firn_fluid_touch_colliders(firn_isosurface* surface, const firn_scene_data* scene,
                                       double time, double spacing, firn_error* error)
{
    const firn_local count = scene->collider_count;
    if (count == 0 || surface->vertex_count == 0) return FIRN_OK;
    firn_collider* posed = firn_alloc((size_t)count, sizeof *posed);
    firn_result r =
        posed != NULL ? firn_colliders_copy(scene->colliders, count, posed) : FIRN_BROKEN_MEMORY;
    if (r != FIRN_OK) {
        firn_free(posed);
        return firn_fail(error, r, "no memory for the colliders of a picture");
    }
    for (firn_local k = 0; k < count && r == FIRN_OK; k++)
        r = firn_collider_move(&posed[k], &scene->shapes, time, error);
    if (r == FIRN_OK) {
        const contact c = {surface, posed, &scene->shapes, count, (firn_real)spacing};
        firn_share(surface->vertex_count, 256, move_vertices, &c);
        r = firn_surface_smooth(surface, 0, error);  // new normals
    }
    firn_colliders_destroy(posed, count);
    firn_free(posed);
    return r;
}
