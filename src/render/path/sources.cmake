# What light meets, what a picture accumulates, the integrator, the denoiser.
firn_sources(render/path medium.c medium/nee_by_depth.c medium/nee_by_sun.c surface.c lights.c environment.c)
firn_sources(render/path
    geometry/geometry.c geometry/geometry_gather.c geometry/geometry_mesh.c
    geometry/geometry_paint.c geometry/geometry_shape.c bvh/bvh_build.c bvh/bvh_trace.c)
firn_sources(render/path glints/facets.c glints/glint_cells.c glints/glints.c)
firn_sources(render/path film.c develop.c path.c path_fluid.c shutter.c picture.c
    visible/visible.c visible/motion_grid.c visible/crypto_name.c
    machine/picture_cpu.c lanes/lane_scene.c simd/path_dispatch.c)
# The loop over eight paths (simd/path_simd.c) is included by this file.
firn_simd_sources(render/path simd/path_cpu.c)
firn_sources(render/path
    denoise/denoise.c denoise/denoise_planes.c denoise/denoise_outliers.c
    denoise/denoise_features.c)
# On a GPU.
firn_cuda_sources(render/path cuda/picture_cuda.cu cuda/picture_trace.cu cuda/picture_upload.cu
    ELSE cuda/picture_cuda_none.c)
