firn_sources(render image.c tone.c camera_path.c contact_sheet.c)
