firn_sources(state particles.c field_table.c field_values.c snapshot.c sparse_grid.c block_sort.c
    density_volume.c fragments.c block_spread.c neighbours.c pair_list.c density_anisotropic.c
    surface/heights.c)
firn_cuda_sources(state block_sort.cu)
