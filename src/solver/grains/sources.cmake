firn_sources(solver/grains
    grains_def.c support/grains_constants.c support/grains_edit.c support/grains_seed.c
    support/grains_work.c
    support/grains_prepare.c support/grains_run.c grains_step.c
    support/grains_fault.c support/grains_impact.c
    support/grains_solver.c step01_neighbours.c
    step02_cohesion.c step03_heat.c step04_compression.c
    step05_velocity.c step06_advect.c fast/fused_02_06.c)
# The fast loops (step01_neighbours_simd.c …) are included by this file.
firn_simd_sources(solver/grains support/grains_cpu.c)
firn_cuda_sources(solver/grains cuda/grains_cuda.cu cuda/grains_cuda_batch.cu
    cuda/grains_cuda_state.cu cuda/grains_prepare.cu
    cuda/step01_neighbours.cu cuda/fused_02_06.cu)
firn_optional_sources(solver/grains cuda/grains_gpu.c)
