firn_sources(solver/sph sph_def.c support/sph_prepare.c support/sph_work.c
    support/boundary_contact.c support/sph_run.c sph_step.c
    support/sph_fault.c support/sph_loads.c support/sph_solver.c
    step03_other_accelerations.c step09_advect.c
    step10_heat.c step11_phases.c rigid/sph_lumps.c
    rigid/sph_lumps_shear.c)
# The other steps' loops (step01_rest_density.c …) are included by this file.
firn_simd_sources(solver/sph support/sph_cpu.c)
firn_sources(solver/sph boundary/boundary.c boundary/boundary_deforming.c boundary/boundary_tiles.c
    boundary/boundary_volume.c)
firn_cuda_sources(solver/sph cuda/sph_cuda.cu cuda/sph_cuda_batch.cu cuda/sph_cuda_grow.cu
    cuda/sph_cuda_state.cu cuda/sph_prepare.cu cuda/sph_emit.cu cuda/sph_sort.cu cuda/sph_lists.cu
    cuda/fluid/sph_phases.cu cuda/fluid/step03_cohesion.cu cuda/fluid/step04_viscosity.cu
    cuda/fluid/step11_phases.cu
    cuda/boundary_contact.cu cuda/boundary/boundary_deforming.cu cuda/boundary/sph_cuda_deforming.cu
    cuda/rigid/rigid_holds.cu cuda/rigid/rigid_shear.cu cuda/rigid/rigid_solve.cu
    cuda/rigid/rigid_upload.cu
    cuda/sph_loads.cu cuda/device_bicgstab.cu
    cuda/step01_rest_density.cu cuda/step02_gradient_correction.cu
    cuda/step03_other_accelerations.cu cuda/step04_friction.cu cuda/step05_pressure.cu
    cuda/step06_friction.cu cuda/step06_shear.cu cuda/step07_velocity.cu cuda/step08_deformation.cu
    cuda/step09_advect.cu cuda/step10_heat.cu)
firn_optional_sources(solver/sph cuda/sph_gpu.c)
