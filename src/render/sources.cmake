firn_sources(render image/image.c image/tone.c camera_path.c daylight_scene.c image/contact_sheet.c)
firn_sources(render image/exr_stream.c image/exr_write.c image/exr_read.c image/hdr_read.c
             image/light_picture.c)
firn_sources(render fluid/fluids.c fluid/fluid_contact.c)
firn_sources(render paint/paint.c)
