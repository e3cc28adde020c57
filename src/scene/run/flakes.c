// SPDX-License-Identifier: MIT
// Creates the flakes of emitters.
#include "scene/run/flakes.h"

#include <math.h>

#include "core/memory.h"
#include "math/elementary.h"
#include "math/random.h"
#include "math/vec3.h"
#include "scene/data/emitter.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"

// Rejection samples of the bounding box per flake. A shape that fills a thousandth of its box, the
// least that `firn check` accepts, rejects all of them with probability e^-65.
#define TRIES 65536
// Random numbers of a flake: first its velocity, then positions.
#define FIRST_POINT 8

// [s] time at which flake k is created.
static double due_at(const firn_emitter* e, int64_t k)
{
    return e->start + (double)(k + 1) / e->rate;
}

int64_t firn_emitter_due(const firn_emitter* e, double time)
{
    const double until = fmin(time, e->stop), most = fmin((double)e->limit, 9e15);
    const double about = floor((until - e->start) * e->rate);
    if (!(about > -1)) return 0;
    int64_t n = (int64_t)fmin(about, most);
    // The product above is rounded; due_at alone decides.
    while (n > 0 && due_at(e, n - 1) > until) n--;
    while ((double)n < most && due_at(e, n) <= until) n++;
    return n;
}

// Two independent standard normal variates (Box-Muller).
static void find_normals(uint64_t seed, uint64_t index, double out[2])
{
    const double u = 1 - firn_random_unit(seed, index);  // above 0
    const double turn = 6.283185307179586 * firn_random_unit(seed, index + 1);
    const double radius = sqrt(-2 * firn_log_double(u));
    double sine, cosine;
    firn_sincos_double(turn, &sine, &cosine);
    out[0] = radius * cosine;
    out[1] = radius * sine;
}

static firn_vec3 find_velocity(const firn_emitter* e, uint64_t flake)
{
    double n[4] = {0};
    if (e->spread > 0) {
        find_normals(flake, 0, n);
        find_normals(flake, 2, n + 2);
    }
    return firn_v3((firn_real)(e->velocity[0] + e->spread * n[0]),
                   (firn_real)(e->velocity[1] + e->spread * n[1]),
                   (firn_real)(e->velocity[2] + e->spread * n[2]));
}

// A uniformly distributed point in the shape, by rejection sampling of its bounding box.
static bool find_position(const firn_scene_data* scene, const firn_emitter* e, const firn_box3* box,
                          uint64_t flake, firn_vec3* out_place)
{
    const double low[3] = {(double)box->low.x, (double)box->low.y, (double)box->low.z};
    const double high[3] = {(double)box->high.x, (double)box->high.y, (double)box->high.z};
    for (uint64_t t = 0; t < TRIES; t++) {
        double x[3];
        for (uint64_t d = 0; d < 3; d++)
            x[d] = low[d] + (high[d] - low[d]) * firn_random_unit(flake, FIRST_POINT + 3 * t + d);
        *out_place = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
        if (firn_shape_distance(&scene->shapes, e->shape, *out_place) <= 0) return true;
    }
    return false;
}

static void dress(const firn_scene_data* scene, const firn_emitter* e, double spacing,
                  firn_seeds* seeds, firn_local p)
{
    const double size = e->size > 0 ? e->size : spacing;
    const double volume = size * size * size;
    seeds->mass[p] = (firn_real)((double)scene->materials[e->material].snow.density * volume);
    seeds->volume[p] = (firn_real)volume;
    seeds->stiffness[p] = 1;
    seeds->material[p] = (uint8_t)e->material;
    if (seeds->hardening != NULL)
        seeds->hardening[p] = seeds->compression[p] = seeds->stretch[p] = 1;
    if (seeds->temperature != NULL) seeds->temperature[p] = (firn_real)e->temperature;
}

// Creates flakes first .. end - 1 of emitter `index`.
static firn_result add_flakes(const firn_scene_data* scene, firn_local index, int64_t first,
                              int64_t end, double now, double spacing, firn_seeds* seeds,
                              firn_error* error)
{
    const firn_emitter* e = &scene->emitters[index];
    const firn_box3 box = firn_shape_bounds(&scene->shapes, e->shape);
    for (int64_t k = first; k < end; k++) {
        const uint64_t flake = firn_random_bits((uint64_t)e->seed, (uint64_t)k);
        firn_vec3 x;
        if (!find_position(scene, e, &box, flake, &x))
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "emitters.%d: no place for a flake was found: the shape is too thin "
                             "for its bounding box; use a simpler one, or several emitters",
                             (int)index);
        const firn_vec3 v = find_velocity(e, flake);
        const firn_local p = seeds->count++;
        seeds->velocity[p] = v;
        seeds->position[p] = firn_v3_madd(x, (firn_real)(now - due_at(e, k)), v);
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
