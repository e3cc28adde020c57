// SPDX-License-Identifier: MIT
// Creates the flakes of emitters.
#include "scene/run/flakes.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/flake.h"

// [kg] of one flake, as particles store it.
static firn_real mass_of(const firn_scene_data* scene, const firn_emitter* e, double spacing)
{
    return (firn_real)((double)scene->materials[e->material].snow.density *
                       firn_flake_volume(e, spacing));
}

firn_emitter firn_emitter_settled(const firn_scene_data* scene, const firn_emitter* emitter,
                                  double spacing)
{
    firn_emitter e = *emitter;
    const double mass = (double)mass_of(scene, emitter, spacing);
    if (e.flow > 0) e.rate = e.flow / mass;
    // a hair more, so that 0.3 kg of flakes of 0.1 kg are three
    if (e.mass > 0) e.limit = (int64_t)fmin(floor(e.mass / mass * (1 + 1e-6)), 9e15);
    return e;
}

void firn_emitters_settle(firn_scene_data* scene, double spacing)
{
    for (firn_local i = 0; i < scene->emitter_count; i++)
        scene->emitters[i] = firn_emitter_settled(scene, &scene->emitters[i], spacing);
}

static void dress(const firn_scene_data* scene, const firn_emitter* e, double spacing,
                  firn_seeds* seeds, firn_local p)
{
    seeds->mass[p] = mass_of(scene, e, spacing);
    seeds->volume[p] = (firn_real)firn_flake_volume(e, spacing);
    seeds->stiffness[p] = 1;
    seeds->material[p] = (uint8_t)e->material;
    if (seeds->hardening != NULL)
        seeds->hardening[p] = seeds->compression[p] = seeds->stretch[p] = 1;
    if (seeds->temperature != NULL) seeds->temperature[p] = (firn_real)e->temperature;
}

firn_result firn_flakes_no_place(firn_local emitter, firn_error* error)
{
    return firn_fail(error, FIRN_REFUSED_SCENE,
                     "emitters.%d: no place for a flake was found: the shape is too thin "
                     "for its bounding box; use a simpler one, or several emitters",
                     (int)emitter);
}

// False: there is none.
static bool find_place(const firn_scene_data* scene, const firn_emitter* e, const firn_box3* box,
                       uint64_t flake, firn_vec3* out)
{
    for (uint64_t t = 0; t < FIRN_FLAKE_TRIES; t++) {
        *out = firn_flake_point(box, flake, t);
        if (firn_flake_fits(e, firn_shape_distance(&scene->shapes, e->shape, *out))) return true;
    }
    return false;
}

static firn_vec3 find_velocity(const firn_scene_data* scene, const firn_emitter* e, uint64_t flake,
                               firn_vec3 x)
{
    const firn_vec3 v = firn_flake_velocity(e, flake);
    if (e->speed == 0) return v;
    firn_vec3 normal;
    firn_shape_sample(&scene->shapes, e->shape, x, &normal);
    return firn_flake_thrown(e, v, normal);
}

// Creates flakes first .. end - 1 of emitter `index`.
static firn_result add_flakes(const firn_scene_data* scene, firn_local index, int64_t first,
                              int64_t end, double now, double spacing, firn_seeds* seeds,
                              firn_error* error)
{
    const firn_emitter* e = &scene->emitters[index];
    const firn_box3 box = firn_shape_bounds(&scene->shapes, e->shape);
    for (int64_t k = first; k < end; k++) {
        const uint64_t flake = firn_flake_seed(e, k);
        firn_vec3 x;
        if (!find_place(scene, e, &box, flake, &x)) return firn_flakes_no_place(index, error);
        firn_vec3 v = find_velocity(scene, e, flake, x);
        if (e->follow1 > 0 && e->follow1 <= scene->collider_count)
            firn_flake_carry(&scene->colliders[e->follow1 - 1].motion, firn_flake_due_at(e, k), &x,
                             &v);
        const firn_local p = seeds->count++;
        seeds->velocity[p] = v;
        seeds->position[p] = firn_flake_moved(e, k, now, x, v);
        dress(scene, e, spacing, seeds, p);
    }
    return FIRN_OK;
}

firn_result firn_flakes_emit(const firn_scene_data* scene, double time, double dt, double spacing,
                             int64_t* emitted, firn_seeds* out_seeds, firn_error* error)
{
    const double now = time + dt;
    int64_t due_count = 0;
    out_seeds->count = 0;
    out_seeds->lightest = 1;
    for (firn_local i = 0; i < scene->emitter_count; i++) {
        const int64_t due = firn_emitter_due(&scene->emitters[i], now) - emitted[i];
        if (due > 0) due_count += due;
        if (due_count > INT32_MAX)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "emitters.%d: more than %d flakes in one step of %g s: lower its rate",
                             (int)i, INT32_MAX, dt);
    }
    if (due_count == 0) return FIRN_OK;
    if (!firn_seeds_reserve(out_seeds, (firn_local)due_count, firn_scene_varies(scene),
                            firn_scene_heats(scene)))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for %lld new flakes",
                         (long long)due_count);
    for (firn_local i = 0; i < scene->emitter_count; i++) {
        const firn_result result =
            add_flakes(scene, i, emitted[i], firn_emitter_due(&scene->emitters[i], now), now,
                       spacing, out_seeds, error);
        if (result == FIRN_OK) continue;
        out_seeds->count = 0;
        return result;
    }
    for (firn_local i = 0; i < scene->emitter_count; i++) {
        const int64_t due = firn_emitter_due(&scene->emitters[i], now);
        if (due > emitted[i]) emitted[i] = due;
    }
    return FIRN_OK;
}

double firn_flakes_until(const firn_scene_data* scene, const int64_t* emitted)
{
    double time = -INFINITY;
    for (firn_local i = 0; i < scene->emitter_count; i++)
        if (emitted[i] > 0)
            time = fmax(time, firn_flake_due_at(&scene->emitters[i], emitted[i] - 1));
    return time;
}

int64_t firn_flakes_due(const firn_scene_data* scene, const int64_t* emitted, double time)
{
    int64_t count = 0;
    for (firn_local i = 0; i < scene->emitter_count; i++) {
        const int64_t due = firn_emitter_due(&scene->emitters[i], time) - emitted[i];
        if (due > 0) count += due;
    }
    return count;
}

void firn_flakes_begin(const firn_scene_data* scene, int64_t* emitted)
{
    for (firn_local k = 0; k < scene->emitter_count && scene->time.first > 0; k++)
        emitted[k] = firn_emitter_due(&scene->emitters[k], firn_scene_begin(scene));
}
