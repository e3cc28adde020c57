// SPDX-License-Identifier: MIT
// A default camera: all snow and emitters in view, from the front, the right and above.
#include <math.h>

#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/parse/parse.h"

static void add_box(firn_box3 box, double low[3], double high[3])
{
    const double l[3] = {box.low.x, box.low.y, box.low.z};
    const double h[3] = {box.high.x, box.high.y, box.high.z};
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], l[k]);
        high[k] = fmax(high[k], h[k]);
    }
}

void firn_scene_frame_camera(firn_scene_data* scene)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (firn_local i = 0; i < scene->snow_count; i++) {
        if (scene->snow[i].shape < 0) continue;  // a point file: not read yet
        add_box(firn_shape_bounds(&scene->shapes, scene->snow[i].shape), low, high);
    }
    for (firn_local i = 0; i < scene->emitter_count; i++)
        add_box(firn_shape_bounds(&scene->shapes, scene->emitters[i].shape), low, high);
    double radius = 0;
    for (int k = 0; k < 3; k++) {
        const double extent = high[k] - low[k];
        if (!(extent > 0) || extent > 1e6) return;  // nothing to frame: keep the default
        radius += 0.25 * extent * extent;
    }
    radius = sqrt(radius);
    // Leave room for the snow to fall and spread: look slightly below its centre, from 2.5 times
    // the distance that the snow alone would need.
    static const double direction[3] = {0.50, 0.33, 0.80};  // unit length within 1 %
    const double half = 0.5 * scene->render.fov_deg * 0.017453292519943295;
    const double distance = 2.5 * radius / sin(half);
    for (int k = 0; k < 3; k++) {
        scene->render.look_at[k] = 0.5 * (low[k] + high[k]);
        if (k == 1) scene->render.look_at[k] -= 0.5 * radius;
        scene->render.eye[k] = scene->render.look_at[k] + distance * direction[k];
    }
}
