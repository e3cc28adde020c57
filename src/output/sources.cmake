firn_sources(output
    seal.c h5_driver.c h5_file.c h5_write.c h5_read.c frame_info.c frame.c frame_read.c checkpoint.c
    text.c manifest.c manifest_json.c stream.c ply.c vtp.c)
