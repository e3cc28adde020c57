firn_sources(solver/mpm mpm_def.c support/mpm_roofline.c support/mpm_prepare.c support/mpm_args.c
    support/mpm_choose.c outside/mpm_emit.c outside/mpm_air.c outside/mpm_powder.c
    material/mpm_materials.c support/mpm_run.c
             support/mpm_solver.c support/mpm_density.c support/mpm_add_fields.c mpm_step.c support/mpm_fault.c
             rigid/mpm_contacts.c
             rigid/contact_sums.c rigid/contact_settle.c rigid/contact_solve.c
             ranks/rank_crew.c ranks/rank_crew_rows.c ranks/rank_share.c ranks/rank_step.c ranks/rank_particles.c
             ranks/rank_cuts.c ranks/rank_fill.c ranks/rank_rows.c ranks/rank_work.c)
# The steps' loops (step01_rasterize.c … step10_advect.c) are included by this file.
firn_simd_sources(solver/mpm support/mpm_cpu.c)
firn_cuda_sources(solver/mpm cuda/mpm_cuda.cu cuda/mpm_cuda_batch.cu cuda/mpm_cuda_state.cu
    cuda/mpm_prepare.cu cuda/mpm_materials.cu cuda/mpm_cull.cu cuda/mpm_emit.cu cuda/mpm_powder.cu cuda/mpm_push.cu
    cuda/mpm_air.cu
    cuda/fused_01_03.cu cuda/step02_volumes.cu cuda/step04_grid_velocity.cu
    cuda/step05_grid_collide.cu cuda/step06_solve.cu cuda/step06_solve_reaction.cu
    cuda/fused_07_10.cu cuda/rigid/contact_settle.cu cuda/rigid/contact_solve.cu
    cuda/rigid/rigid_upload.cu)
firn_optional_sources(solver/mpm cuda/mpm_gpu.c)
