firn_sources(render image.c tone.c contact_sheet.c)
