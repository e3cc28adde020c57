firn_sources(solver/ballistic ballistic.c ballistic_def.c step01_fall.c)
firn_cuda_sources(solver/ballistic cuda/ballistic_cuda.cu)
firn_optional_sources(solver/ballistic cuda/ballistic_gpu.c)
