// SPDX-License-Identifier: MIT
// The fluids of a picture: materials that look smooth (scene/data/material_look.h) become closed
// surfaces, one for each look; the other particles stay snow. Used by the preview and by the path
// tracer.
#pragma once
#include "scene/data/material_look.h"
#include "state/surface/isosurface.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

#define FIRN_FLUIDS_MAX 16  // looks of a scene that are drawn as surfaces; the others as snow

// The particles of a picture; borrowed.
typedef struct firn_fluid_particles {
    const firn_vec3* x;       // [m]
    const firn_real* mass;    // [kg]; null: by `cell` and the scene's particles per cell
    const uint8_t* material;  // null: all are the scene's only material, or snow if it has several
    firn_local count;
    double cell;  // [m] of the simulation
} firn_fluid_particles;

typedef struct firn_fluid {
    firn_material_look look;
    firn_isosurface surface;  // owned
} firn_fluid;

typedef struct firn_fluids {
    firn_fluid items[FIRN_FLUIDS_MAX];
    int32_t count;
} firn_fluids;

// True: some material of the scene looks smooth.
bool firn_fluids_exist(const firn_scene_data* scene);
// Lists the particles that are drawn as snow, in their order: out_list[particles->count]. Returns
// their number.
firn_local firn_fluids_list_snow(const firn_scene_data* scene,
                                 const firn_fluid_particles* particles, firn_local* out_list);
// Builds the surfaces, with colliders at `time`. Particles at non-finite positions are left out.
// Bitwise independent of the number of threads. On failure there is nothing to destroy.
firn_result firn_fluids_create(firn_fluids* fluids, const firn_scene_data* scene,
                               const firn_fluid_particles* particles, double time,
                               firn_error* error);
void firn_fluids_destroy(firn_fluids* fluids);
// Extends a box by the surfaces [m].
void firn_fluids_bound(const firn_fluids* fluids, firn_vec3* low, firn_vec3* high);

// Moves vertices near a collider onto it: a fluid at rest touches what holds it, but its particles
// end about half a spacing before. (fluid_contact.c)
firn_result firn_fluid_touch_colliders(firn_isosurface* surface, const firn_scene_data* scene,
                                       double time, double spacing, firn_error* error);
