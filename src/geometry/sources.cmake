firn_sources(geometry
    sdf/shape.c
    sdf/shape_check.c
    sdf/height_field.c
    levelset/level_set.c
    levelset/level_set_build.c
    levelset/level_set_cache.c
    levelset/repair/level_set_repair.c
    levelset/level_set_triangles.c
    levelset/repair/level_set_union.c
    text/outline.c
    text/outline_edges.c
    text/outline_grid.c
    text/font_file.c
    text/text_shape.c
    sdf/bounds.c
    sdf/parts.c
    sdf/contour.c
    sdf/solid_mesh.c
    sdf/ground_mesh.c
    sdf/volume.c
    motion/motion.c
    motion/node_motion.c
    deform/velocity_grid.c
    deform/deform_velocity.c
    deform/deform_source.c
    deform/deform_mesh.c
    deform/deform_pose.c
    deform/deform_keys.c
    deform/deform_ahead.c
    deform/deforming.c
    collider/collider.c
    collider/collider_look.c
    collider/collider_drive.c
    collider/inertia.c
    collider/moments.c
    collider/contact_points.c
    collider/dynamic_collider.c
    sampling/cell_table.c
    sampling/surface_sample.c
    sampling/seeding.c sampling/packing.c
    sampling/ply_points.c)
firn_cuda_sources(geometry collider/colliders_cuda.cu)
firn_optional_sources(geometry
    text/font_face.c levelset/level_set_mesh.c levelset/velocity_volume.c levelset/texture.c
    deform/deform_vdb.c deform/deform_check.c)
firn_feature_sources(PNG geometry sdf/height_png.c ELSE sdf/height_png_none.c)
