// SPDX-License-Identifier: MIT
// Stiffness of springs by the fastest impact of a scene. Springs of grains are softer than snow, so
// that steps may be long; what matters of them is that snow is not compressed much before it is
// stopped: an impact at v strains it by v/c, with the speed of sound c of the packing. Soft
// spheres are stiff enough from c = 5 v to 10 v on (SPH: c = 10 v, Monaghan 1994; cited from
// memory, not checked).
#include <math.h>

#include "geometry/collider/collider.h"
#include "geometry/sdf/shape.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "solver/grains/support/grains_solver.h"

#define FALL_STEPS 64   // of sphere tracing
#define FALL_NEAR 1e-3  // [m]

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// [m] to the nearest collider at the start; deforming ones are not seen.
static double distance(const firn_scene_data* scene, firn_vec3 x)
{
    double nearest = INFINITY;
    for (firn_local b = 0; b < scene->collider_count; b++) {
        firn_collider posed = scene->colliders[b];  // shares keys with the scene's
        firn_error error;
        if (posed.deforming != NULL) continue;
        if (firn_collider_move(&posed, &scene->shapes, 0, &error) != FIRN_OK) continue;
        nearest = fmin(nearest, (double)firn_collider_distance(&posed, &scene->shapes, x));
    }
    return nearest;
}

// [m] that a snow body falls along gravity, by the way of its centre; 0 if it meets nothing.
static double fall(const firn_scene_data* scene, const firn_snow* snow)
{
    const double g = length(scene->gravity);
    if (!(g > 0) || snow->shape < 0) return 0;
    const firn_box3 box = firn_shape_bounds(&scene->shapes, snow->shape);
    const firn_vec3 centre = firn_v3_scale(firn_v3_add(box.low, box.high), (firn_real)0.5);
    const firn_vec3 half = firn_v3_scale(firn_v3_sub(box.high, box.low), (firn_real)0.5);
    if (!firn_v3_is_finite(half) || !firn_v3_is_finite(centre)) return 0;
    const firn_vec3 down =
        firn_v3((firn_real)(scene->gravity[0] / g), (firn_real)(scene->gravity[1] / g),
                (firn_real)(scene->gravity[2] / g));
    const double own = fabs((double)(down.x * half.x)) + fabs((double)(down.y * half.y)) +
                       fabs((double)(down.z * half.z));
    double way = 0;
    for (int k = 0; k < FALL_STEPS; k++) {
        const double d = distance(scene, firn_v3_madd(centre, (firn_real)way, down));
        if (!isfinite(d)) return 0;
        if (d < FALL_NEAR) return fmax(way - own, 0);
        way += d;
    }
    return 0;
}

double firn_grains_impact_speed(const firn_scene_data* scene, const firn_snow* snow)
{
    const firn_grains_def* d = scene->solver_def;
    if (d->impact_speed > 0) return d->impact_speed;
    const double v = length(snow->velocity);
    return sqrt(v * v + 2 * length(scene->gravity) * fall(scene, snow));
}

double firn_grains_stiffening(const firn_scene_data* scene)
{
    const firn_grains_def* d = scene->solver_def;
    double factor = 1;
    for (firn_local k = 0; d->solid && k < scene->snow_count; k++) {
        const firn_snow* snow = &scene->snow[k];
        if (snow->material >= scene->material_count) continue;
        const double density =
            fmin(fmax((double)scene->materials[snow->material].snow.density, d->density),
                 d->ice_density);
        // r and r_i in units of r_s; c^2 = (2 r)^2 k/m with k = E r and m = rho_s r_s^3
        const double r = cbrt(d->density / density), r_ice = cbrt(d->density / d->ice_density);
        const double eta = (r - r_ice) / (1 - r_ice);
        const double young = d->young_ice + eta * (d->young_snow - d->young_ice);
        const double sound2 = 4 * r * r * r * young / d->density;
        const double v = firn_grains_impact_speed(scene, snow) / FIRN_GRAINS_MACH;
        factor = fmax(factor, v * v / sound2);
    }
    return factor;
}
