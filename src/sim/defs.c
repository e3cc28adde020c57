// SPDX-License-Identifier: MIT
// Default functions of the definition structs. The cookie detects defs that were not initialised by
// them.
#include <math.h>

#include "core/text.h"
#include "scene/data/emitter.h"
#include "scene/data/snow.h"
#include "sim/sim.h"

firn_material_def firn_default_material_def(void)
{
    // Stomakhin et al. 2013, table 2
    return (firn_material_def){.name = "snow",
                               .density = 400,
                               .young = (firn_real)1.4e5,
                               .poisson = (firn_real)0.2,
                               .hardening = 10,
                               .critical_compression = (firn_real)0.025,
                               .critical_stretch = (firn_real)0.0075,
                               .cookie = FIRN_COOKIE};
}

firn_measured_def firn_default_measured_def(void)
{
    return (firn_measured_def){
        .name = "snow", .density = 250, .temperature = -5, .cookie = FIRN_COOKIE};
}

firn_text_def firn_default_text_def(void)
{
    return (firn_text_def){.font = "DejaVuSans-Bold",
                           .size = 0.3,
                           .depth = 0.1,
                           .line_height = 1,
                           .align = FIRN_ALIGN_LEFT,
                           .voxel = 0.005,
                           .cookie = FIRN_COOKIE};
}

firn_mesh_def firn_default_mesh_def(void)
{
    return (firn_mesh_def){.scale = 1, .cookie = FIRN_COOKIE};
}

firn_layer_def firn_default_layer_def(void)
{
    firn_layer_def def = {0};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) def.factor[q] = 1;
    return def;
}

firn_snow_def firn_default_snow_def(void)
{
    firn_snow_def def = {.particles_per_cell = 8,
                         .loose = 1,
                         .seed = 1,
                         .temperature = FIRN_SNOW_TEMPERATURE,
                         .cookie = FIRN_COOKIE};
    for (int q = 0; q < FIRN_VARY_COUNT; q++) {
        def.vary[q] = (firn_factor_def){
            .noise_octaves = 3, .noise_seed = 1, .texture_low = 1, .texture_high = 1};
        def.shell.factor[q] = 1;
    }
    return def;
}

firn_emitter_def firn_default_emitter_def(void)
{
    return (firn_emitter_def){.flake_size = FIRN_FLAKE_SIZE,
                              .flake_density = FIRN_FLAKE_DENSITY,
                              .stop = INFINITY,
                              .seed = 1,
                              .temperature = FIRN_SNOW_TEMPERATURE,
                              .cookie = FIRN_COOKIE};
}

firn_collider_def firn_default_collider_def(void)
{
    return (firn_collider_def){.rotation = {1, 0, 0, 0},
                               .scale = 1,
                               .friction = (firn_real)0.4,
                               .viscosity = -1,
                               .temperature = (firn_real)NAN,
                               .heat_transfer = 50,
                               .cookie = FIRN_COOKIE};
}

firn_body_animation_def firn_default_body_animation_def(void)
{
    return (firn_body_animation_def){.first = 1,
                                     .last = 1,
                                     .fps = 24,
                                     .speed = 1,
                                     .memory_bytes = (uint64_t)256 << 20,
                                     .cookie = FIRN_COOKIE};
}

firn_load_def firn_default_load_def(void)
{
    return (firn_load_def){.cookie = FIRN_COOKIE};
}

firn_sim_def firn_default_sim_def(void)
{
    return (firn_sim_def){.backend = "cpu", .frame_end = -1, .cookie = FIRN_COOKIE};
}

firn_height_def firn_default_height_def(void)
{
    return (firn_height_def){.columns = 256, .rows = 256, .cookie = FIRN_COOKIE};
}

firn_surface_def firn_default_surface_def(void)
{
    return (firn_surface_def){.threshold = 0.5, .cookie = FIRN_COOKIE};
}
