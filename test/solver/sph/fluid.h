// SPDX-License-Identifier: MIT
// Fluids for tests of sph: materials, boxes of walls, and what is measured of them.
#pragma once
#include "solver/sph/world.h"

static inline firn_snow_material fluid_material(double density, double viscosity)
{
    return (firn_snow_material){.density = (firn_real)density,
                                .young = (firn_real)1.4e5,
                                .poisson = (firn_real)0.2,
                                .hardening = 10,
                                .critical_compression = (firn_real)0.025,
                                .critical_stretch = (firn_real)0.0075,
                                .hardening_max = 1000,
                                .viscosity = (firn_real)viscosity,
                                .conductivity = (firn_real)0.56,
                                .heat_capacity = 4217,
                                .phase = viscosity > 0 ? FIRN_PHASE_VISCOUS : FIRN_PHASE_WATER};
}

// A world whose only material is a fluid; gravity points down.
static inline world* fluid_world(double h, double density, double viscosity)
{
    world* w = world_create(h);
    w->material.name = (char*)"test fluid";
    w->material.snow = fluid_material(density, viscosity);
    w->scene.gravity[1] = -9.81;
    return w;
}

// Walls around [0, x] and [0, z], and a floor at 0.
static inline void fluid_basin(world* w, double x, double z)
{
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(1, 0, 0), 0);
    world_plane(w, firn_v3((firn_real)x, 0, 0), firn_v3(-1, 0, 0), 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 0, 1), 0);
    world_plane(w, firn_v3(0, 0, (firn_real)z), firn_v3(0, 0, -1), 0);
}
