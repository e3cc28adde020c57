firn_sources(solver/grains grains_def.c grains_seed.c grains_work.c grains_prepare.c grains_run.c grains_step.c
    grains_fault.c grains_bodies.c grains_dispatch.c grains_solver.c step01_neighbours.c step02_cohesion.c step03_heat.c step04_compression.c
    step05_velocity.c step06_advect.c grains_gpu.c grains_gpu_report.c)
# The fast loops (step01_neighbours_simd.c …) are included by this file.
firn_simd_sources(solver/grains grains_cpu.c)
firn_cuda_sources(solver/grains grains_cuda.cu grains_cuda_batch.cu grains_cuda_state.cu grains_prepare.cu
    step01_neighbours.cu fused_02_06.cu ELSE grains_cuda_none.c)
