firn_sources(solver/sph sph_def.c support/sph_prepare.c support/sph_work.c
    support/boundary_contact.c support/sph_run.c sph_step.c
    support/sph_fault.c support/sph_loads.c support/sph_solver.c
    step03_other_accelerations.c step09_advect.c
    step10_heat.c step11_phases.c rigid/sph_lumps.c)
# The other steps' loops (step01_rest_density.c …) are included by this file.
firn_simd_sources(solver/sph support/sph_cpu.c)
firn_sources(solver/sph boundary/boundary.c boundary/boundary_deforming.c boundary/boundary_tiles.c
    boundary/boundary_volume.c)
