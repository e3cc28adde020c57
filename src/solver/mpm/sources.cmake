firn_sources(solver/mpm mpm_def.c mpm_dispatch.c mpm_floor.c mpm_prepare.c mpm_args.c mpm_choose.c mpm_run.c
             mpm_solver.c mpm_step.c)
# The steps' loops (step01_rasterize.c … step10_advect.c) are included by this file.
firn_simd_sources(solver/mpm mpm_cpu.c)
