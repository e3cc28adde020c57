# vdb_shim.cc, the one C++ file, is added by firn_add_variant where OpenVDB is found.
firn_sources(output
    stream.c spawn.c seal.c
    h5_driver.c h5_file.c h5_write.c h5_read.c h5_list.c
    frame_info.c frame_bodies.c frame.c frame_fields.c frame_read.c checkpoint.c
    manifest.c manifest_json.c cache.c run_lock.c
    ply.c vtp.c vdb.c heights.c height_files.c png16.c export.c measure.c describe.c
    stats.c encoder.c movie.c recording.c)
