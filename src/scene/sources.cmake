firn_sources(scene
    diagnostics.c units.c
    characters.c document.c document_read.c document_edit.c document_write.c
    keys_scalar.c keys_read.c keys_write.c
    shape_keys.c text_keys.c mesh_keys.c material_keys.c snow_keys.c animation_keys.c collider_keys.c emitter_keys.c air_keys.c output_keys.c render_keys.c root.c presets.c
    scene_data.c view.c places.c parse.c assign.c shape_write.c scene_write.c check.c
    reference.c schema.c
    vary_keys.c vary.c vary_sample.c seed.c
    cull_keys.c cull.c
    air.c wind.c emit.c)
