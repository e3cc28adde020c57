// SPDX-License-Identifier: MIT
// One path of light, followed backwards from the camera: through the snow by free flights, off
// surfaces, until it escapes to the sky. At every turn a light is asked directly as well, and both
// ways are weighed by the balance heuristic (Veach 1997). No limit on bounces: light in snow turns
// hundreds of times, and a cap would darken it (VALIDATION.md, T32).
#pragma once
#include "render/camera.h"
#include "render/path/film.h"
#include "render/path/geometry/geometry.h"
#include "render/path/lights.h"
#include "render/path/walk.h"

// Everything that a path can meet; constant while a picture is made.
typedef struct firn_path_view {
    const firn_medium* medium;
    const firn_geometry* geometry;  // null: no bodies
    const firn_lights* lights;
    bool transparent;  // the backdrop is left out: a catcher's picture goes over another
} firn_path_view;

typedef struct firn_path_count {
    int64_t events;   // scatterings in the snow
    int64_t lookups;  // tentative collisions, of flights and of shadow rays
    int64_t bounces;  // off surfaces
    int64_t asked;    // rays traced against bodies
} firn_path_count;

firn_film_sample firn_path_trace(const firn_path_view* view, firn_ray ray, firn_rng r,
                                 firn_path_count* count);

// A path to follow.
typedef struct firn_path_job {
    firn_ray ray;
    firn_rng rng;
} firn_path_job;

// The same for many paths, several at a time (path_simd.c), as fast as this machine can: the bits
// are those of firn_path_trace.
void firn_paths_trace(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                      firn_film_sample* out_samples, firn_path_count* tally);
