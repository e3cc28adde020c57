# export/vdb_shim.cc, in C++, is added by firn_add_variant where OpenVDB is found.
firn_sources(output
    run/stream.c film/spawn.c hdf5/seal.c
    hdf5/h5_type.c hdf5/h5_driver.c hdf5/h5_file.c hdf5/h5_write.c hdf5/h5_pack.c
    hdf5/h5_deflate.c
    hdf5/h5_input.c hdf5/h5_object.c hdf5/h5_dense.c hdf5/h5_message.c hdf5/h5_chunks.c
    hdf5/h5_read.c hdf5/h5_list.c
    frame/frame_info.c frame/frame_bodies.c frame/frame.c frame/checkpoint.c
    run/manifest.c run/manifest_json.c run/cache.c run/run_lock.c
    export/points.c export/ply.c export/vtp.c export/vdb.c export/height_files.c
    export/png16.c export/snow_mesh.c export/frame_density.c export/mesh_files.c
    export/narrow_band.c
    export/stage.c export/stage_glb.c export/stage_usd.c export/stage_usd_values.c
    export/export.c export/export_run.c export/export_record.c
    run/measure.c run/trim.c run/trim_files.c run/load_means.c run/describe.c
    run/stats.c film/encoder.c film/movie.c film/recording.c)
if(FIRN_HAVE_LIBDEFLATE)
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/output/hdf5/h5_deflate.c PROPERTIES
        COMPILE_DEFINITIONS FIRN_HAVE_LIBDEFLATE INCLUDE_DIRECTORIES "${LIBDEFLATE_INCLUDE_DIR}")
endif()
