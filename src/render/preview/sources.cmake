firn_sources(render/preview
    snow_volume.c snow_fill.c snow_rays.c
    depth_map.c bodies.c shade.c stamp.c grains.c
    preview.c)
