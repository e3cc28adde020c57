firn_sources(state
    particles.c particle_rows.c field_table.c field_values.c snapshot.c sparse_grid.c block_sort.c block_spread.c
    neighbours.c pair_list.c
    surface/columns.c surface/columns_ray.c surface/cubes.c surface/height_map.c
    surface/height_tile.c surface/heights.c surface/isosurface.c surface/smooth_surface.c
    surface/surface_bubbles.c
    volume/density_volume.c volume/density_sized.c volume/density_anisotropic.c
    volume/density_detail.c volume/detail_grid.c
    volume/detail_noise.c volume/detail_mass.c volume/detail_blocks.c volume/fragments.c)
firn_cuda_sources(state block_sort.cu)
