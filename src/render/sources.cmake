firn_sources(render
    image.c tone.c contact_sheet.c
    snow_volume.c snow_fill.c snow_rays.c
    depth_map.c bodies.c shade.c stamp.c grains.c
    preview.c)
