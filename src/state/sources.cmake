firn_sources(state particles.c sparse_grid.c density_volume.c fragments.c)
