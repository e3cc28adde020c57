// SPDX-License-Identifier: MIT
// Boundary particles: samples of the surfaces of colliders for SPH. Gissler 2020, section 3.4;
// Akinci et al. 2012. Works for any collider: infinite planes, shapes, booleans, height fields and
// level sets; the particles move with it, also when it deforms.
// Samples surfaces near snow as a maximal Poisson-disc sample (surface_sample.h), on both sides of
// thin plates, and poses the particles with their colliders. The interior of colliders is not
// sampled, and particles of one collider inside another are not removed.
// The particles depend only on the colliders, their poses and where snow has been near, not on
// threads, and their order is fixed, so that sums over them are the same after a resume.
#pragma once
#include "core/result.h"
#include "core/sort_keys.h"
#include "math/vec3.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_shapes firn_shapes;      // geometry/sdf/shape.h

#define FIRN_BOUNDARY_MAX (1 << 26)  // particles

struct firn_boundary_body;
typedef struct firn_deforming_samples firn_deforming_samples;  // boundary_deforming.h

typedef struct firn_boundary {
    firn_local count;
    firn_vec3* position;  // owned [count] x_b [m], world, for the poses of the last update
    firn_vec3* velocity;  // owned [count] v_b [m/s]
    firn_vec3* normal;    // owned [count] of the surface, outward
    firn_real* volume;    // owned [count] V_b [m^3] = factor / sum_j W_bj, j: particles of the same
                          //     collider, itself included
    int32_t* body;        // owned [count] index of the collider; ascending

    // Set by the caller: deforming colliders have particles wherever snow is, for a device that
    // finds out by itself which of them are near snow.
    bool deforming_everywhere;

    // private
    firn_vec3* own;         // owned [count] [m] local positions, of rigid colliders
    firn_vec3* own_normal;  // owned [count] local, of rigid colliders
    firn_real* own_volume;  // owned [count] [m^3] V_b at the sampled scale, of rigid colliders
    firn_local array_capacity[8];
    struct firn_boundary_body* bodies;  // owned [body_count]
    firn_local body_count;
    double spacing, factor, depth;
    firn_key_sort sort;  // for the particles of a deforming collider
} firn_boundary;

#ifdef __cplusplus
extern "C" {
#endif

// For particles `spacing` h [m] apart, as W has support 2 h; `volume_factor`: the phi of the paper,
// 0.8; `depth` [m]: how far particles lie below the surface where the collider is thick enough, so
// that snow, whose particles keep one spacing from them, ends at the surface, at half a spacing.
// There are no particles before the first update. `out_boundary` is overwritten; zeroed on
// failure.
firn_result firn_boundary_create(firn_local collider_count, double spacing, double volume_factor,
                                 double depth, firn_boundary* out_boundary, firn_error* error);
// One collider more, behind the others. FIRN_BROKEN_MEMORY: nothing is changed.
firn_result firn_boundary_add(firn_boundary* boundary, firn_error* error);
// The caller has posed the colliders (firn_collider_move), always the same ones in the same order;
// removed ones have no particles.
// Afterwards every part of the surface within `reach` [m] of any of the points `near` has its
// particles; others may have some too. *out_changed: some array differs from before the call.
// Allocates only when snow reaches a new tile, or a deforming collider a new key frame. Beyond 2^20
// tiles of 8 h from the origin of a collider there are none: floats do not resolve particles there.
// Refused: over FIRN_BOUNDARY_MAX particles. On failure the arrays are as they were, and the call
// may be repeated.
firn_result firn_boundary_update(firn_boundary* boundary, const firn_collider* colliders,
                                 const firn_shapes* shapes, const firn_vec3* near,
                                 firn_local near_count, double reach, bool* out_changed,
                                 firn_error* error);
void firn_boundary_destroy(firn_boundary* boundary);  // zeroes the struct
// The scale for which a collider was sampled; 0: never.
double firn_boundary_scale(const firn_boundary* boundary, firn_local collider);
// What moves the particles of a deforming collider, and the index of the first of them; null: it
// has none. Borrowed until the next update.
const firn_deforming_samples* firn_boundary_deforming(const firn_boundary* boundary,
                                                      firn_local collider, firn_local* out_first);

#ifdef __cplusplus
}
#endif
