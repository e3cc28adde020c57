firn_sources(render/preview
    snow_volume.c snow_fill.c snow_rays.c snow_medium.c snow_light.c
    depth_map.c bodies.c sky_cones.c surroundings.c shade.c stamp.c grains.c
    preview.c)
