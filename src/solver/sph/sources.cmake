firn_sources(solver/sph sph_def.c sph_dispatch.c sph_prepare.c sph_work.c sph_touch.c sph_run.c sph_step.c
    sph_fault.c sph_solver.c step03_other_accelerations.c step09_advect.c step10_heat.c)
# The other steps' loops (step01_rest_density.c …) are included by this file.
firn_simd_sources(solver/sph sph_cpu.c)
