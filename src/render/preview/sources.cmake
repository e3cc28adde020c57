firn_sources(render/preview
    snow/snow_volume.c snow/snow_fill.c snow/snow_rays.c snow/snow_medium.c snow/snow_light.c
    snow/snow_light_write.c
    depth_map.c empty_space.c preview_parts.c preview_paint.c preview_colliders.c sky_cones.c
    ambient.c shade.c stamp.c splats.c
    preview.c preview_fluids.c fluid/fluid_layer.c fluid/fluid_shade.c)
