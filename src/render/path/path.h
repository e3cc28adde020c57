// SPDX-License-Identifier: MIT
// Unidirectional volumetric path tracing from the camera: free-flight sampling in the snow, BSDF
// sampling at surfaces, until the path escapes to the sky or Russian roulette ends it. Every
// vertex also samples a light (next-event estimation, NEE); both techniques are combined by the
// balance heuristic (Veach 1997). There is no limit on path length: light scatters hundreds of
// times in snow, and a cap would darken it (VALIDATION.md, T32).
#pragma once
#include "render/camera.h"
#include "render/path/bvh/bvh.h"
#include "render/path/film.h"
#include "render/path/geometry/geometry.h"
#include "render/path/lights.h"
#include "render/path/walk.h"

// Everything that a path can hit; constant while a picture is traced.
typedef struct firn_path_view {
    const firn_medium* medium;
    // Surfaces, in one of two forms or none: Embree's BVH, or our own, which GPUs have.
    const firn_geometry* geometry;
    const firn_bvh* bvh;
    const firn_lights* lights;
    bool transparent;     // the sky is not drawn behind a shadow catcher: the picture is composited
    bool has_interfaces;  // of transparent fluids: use firn_path_trace_fluid
    uint32_t submerged;   // bits of the fluids that the eye is in
} firn_path_view;

typedef struct firn_path_count {
    int64_t events;   // real collisions in the snow
    int64_t lookups;  // tentative collisions, of flights and of shadow rays
    int64_t bounces;  // at surfaces
    int64_t rays;     // rays traced against surfaces
} firn_path_count;

firn_film_sample firn_path_trace(const firn_path_view* view, firn_ray ray, firn_rng r,
                                 firn_path_count* count);

// The same with interfaces of fluids (path_fluid.c).
firn_film_sample firn_path_trace_fluid(const firn_path_view* view, firn_ray ray, firn_rng r,
                                       firn_path_count* count);

// Start of a path.
typedef struct firn_path_job {
    firn_ray ray;
    firn_rng rng;
} firn_path_job;

// Traces many paths with the fastest code for this machine, eight at a time where that pays off
// (simd/path_simd.c). Bitwise equal to firn_path_trace.
void firn_paths_trace(const firn_path_view* view, const firn_path_job* jobs, int64_t count,
                      firn_film_sample* out_samples, firn_path_count* tally);
