firn_sources(mesh ply_header.c)
