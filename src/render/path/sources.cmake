# One call per line of work: what light meets; what a picture gathers.
firn_sources(render/path medium.c medium_depth.c)
firn_sources(render/path surface.c)
firn_sources(render/path film.c develop.c environment.c)
firn_sources(render/path lights.c geometry/geometry.c geometry/geometry_gather.c geometry/geometry_mesh.c geometry/geometry_shape.c)
firn_sources(render/path path.c path_dispatch.c moments.c picture.c)
# The wide loop (path_wide.c) is included by this file.
firn_simd_sources(render/path path_cpu.c)
firn_sources(render/path denoise/denoise.c denoise/denoise_planes.c denoise/denoise_outliers.c denoise/denoise_features.c)
