// SPDX-License-Identifier: MIT
// The preview's cost grows with its pixels, with the particles, and with the parts that colliders
// consist of: every ray, shadow and sky direction checks their bounds.
#include "sim/scene/scene_cost.h"

#include "geometry/collider/collider.h"
#include "geometry/sdf/parts.h"
#include "scene/data/scene.h"

// Fitted to runs on one core with 0.5 and 2 megapixels, 0 to 64 boxes, 2e4 and 5e5 particles [s].
#define PER_PIXEL 2.9e-7            // sky, ground, snow
#define PER_PIXEL_WITH_BODY 1.5e-7  // more where there is anything but planes
#define PER_PIXEL_AND_PART 3.5e-8
#define PER_PARTICLE 3e-7
#define PER_PARTICLE_AND_PART 1.3e-8

typedef struct count {
    const firn_shapes* shapes;
    double parts;
} count;

static firn_result count_part(void* user, firn_local shape, const firn_pose* pose)
{
    (void)pose;
    count* c = user;
    c->parts += c->shapes->nodes[shape].kind != FIRN_SHAPE_PLANE;
    return FIRN_OK;
}

// Parts of all visible colliders that are not planes.
static double count_parts(const firn_scene_data* scene)
{
    count c = {.shapes = &scene->shapes};
    for (firn_local i = 0; i < scene->collider_count; i++) {
        const firn_collider* b = &scene->colliders[i];
        if (b->look.kind == FIRN_LOOK_HIDDEN) continue;
        if (b->shape < 0)
            c.parts++;
        else
            firn_shape_walk_parts(&scene->shapes, b->shape, &b->pose, count_part, &c);
    }
    return c.parts;
}

double firn_scene_preview_seconds(const firn_scene_data* scene, double particles)
{
    const double pixels = (double)scene->render.width * (double)scene->render.height;
    const double parts = count_parts(scene);
    const double per_pixel = PER_PIXEL + (parts > 0 ? PER_PIXEL_WITH_BODY : 0);
    return pixels * (per_pixel + parts * PER_PIXEL_AND_PART) +
           particles * (PER_PARTICLE + parts * PER_PARTICLE_AND_PART);
}
