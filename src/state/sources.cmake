firn_sources(state particles.c sort_keys.c sparse_grid.c density_volume.c)
