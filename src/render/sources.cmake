firn_sources(render body_look.c image.c tone.c camera_path.c contact_sheet.c)
firn_sources(render exr_stream.c exr_write.c exr_read.c)
