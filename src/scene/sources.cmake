firn_sources(scene
    parse/diagnostics.c parse/units.c
    parse/characters.c parse/document.c parse/document_edit.c
    parse/document_write.c
    parse/keys_scalar.c parse/keys_read.c write/keys_write.c
    keys/shape_keys.c keys/text_keys.c keys/mesh_keys.c keys/material_keys.c keys/snow_keys.c
    keys/look_keys.c data/material_look.c
    keys/animation_keys.c keys/collider_keys.c keys/surface_keys.c keys/joint_keys.c keys/emitter_keys.c keys/air_keys.c
    keys/output_keys.c keys/render_keys.c keys/camera_keys.c keys/root.c data/presets.c data/measured.c
    data/scene_data.c data/scene_import.c run/frame_camera.c run/camera_key.c run/sun_position.c data/render_block.c parse/locations.c
    parse/parse.c parse/assign.c
    write/shape_write.c write/source_write.c write/scene_write.c parse/check.c
    write/reference.c write/schema.c
    keys/vary_keys.c data/vary.c run/vary_sample.c run/seed.c run/seed_facts.c run/seeds_keep.c run/seed_state.c
    run/check_files.c
    run/check_fill.c run/snow_mass.c
    keys/cull_keys.c keys/ageing_keys.c keys/powder_keys.c run/cull.c
    data/air.c run/wind.c run/gravity.c keys/force_keys.c run/flakes.c)
firn_feature_sources(YAML scene parse/document_read.c ELSE parse/document_value.c)
