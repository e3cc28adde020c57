firn_sources(solver/mpm mpm_def.c mpm_dispatch.c mpm_floor.c mpm_prepare.c mpm_args.c mpm_choose.c mpm_run.c
             mpm_solver.c mpm_step.c mpm_fault.c mpm_gpu.c
             mpm_gpu_report.c)
# The steps' loops (step01_rasterize.c … step10_advect.c) are included by this file.
firn_simd_sources(solver/mpm mpm_cpu.c)
firn_cuda_sources(solver/mpm mpm_cuda.cu mpm_cuda_batch.cu mpm_cuda_state.cu mpm_prepare.cu mpm_cull.cu
    fused_01_03.cu step02_volumes.cu step04_grid_velocity.cu step05_grid_collide.cu step06_solve.cu fused_07_10.cu
    ELSE mpm_cuda_none.c)
