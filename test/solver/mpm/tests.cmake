# The tests of the method run on the machine's best level; here also with the plain steps, and with
# the fast passes of the levels below.
set(levels plain baseline)
if(3 IN_LIST FIRN_SIMD_LEVELS)
    list(APPEND levels x86-64-v3)
endif()
firn_test(solver/mpm mpm_roofline LABEL unit VARIANTS float double asan)
firn_test(solver/mpm mpm_lattice LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/mpm mpm_transfer LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/mpm mpm_motion LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/mpm mpm_forces LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/mpm mpm_solve LABEL unit VARIANTS float double asan SIMD ${levels})
firn_test(solver/mpm mpm_def LABEL unit VARIANTS float double asan)
firn_test(solver/mpm mpm_choose LABEL unit VARIANTS float double)  # asan: 20 s of what mpm_promises does there
firn_test(solver/mpm mpm_faults LABEL unit VARIANTS float asan SIMD ${levels})
firn_test(solver/mpm mpm_promises LABEL physics VARIANTS float double SIMD ${levels})
firn_test(solver/mpm mpm_bar LABEL physics VARIANTS float double SIMD ${levels})
firn_test(solver/mpm mpm_volumes LABEL physics VARIANTS float double)
firn_test(solver/mpm mpm_fracture LABEL physics VARIANTS float double SIMD plain)
firn_test(solver/mpm mpm_cam_clay LABEL physics VARIANTS float double asan SIMD plain)
firn_test(solver/mpm mpm_incline LABEL physics VARIANTS float double SIMD ${levels})
firn_test(solver/mpm mpm_sticky LABEL physics VARIANTS float double SIMD ${levels})
firn_test(solver/mpm mpm_deforming LABEL physics VARIANTS float double asan SIMD ${levels})
firn_test(solver/mpm mpm_varied LABEL backend VARIANTS float double SIMD ${levels})  # asan: 40 s of what mpm_fused does there
firn_test(solver/mpm mpm_solve_simd LABEL backend VARIANTS float double asan)
firn_test(solver/mpm mpm_fused_faults LABEL backend VARIANTS float double asan)
firn_test(solver/mpm mpm_fused LABEL backend VARIANTS float double asan)

# On a GPU; skipped where there is none.
firn_test(solver/mpm mpm_cuda_every_kernel LABEL backend)
firn_test(solver/mpm mpm_cuda_steps LABEL backend)
firn_test(solver/mpm mpm_cuda_run LABEL backend)
firn_test(solver/mpm mpm_cuda_bodies LABEL backend)
firn_test(solver/mpm mpm_cuda_spray LABEL backend)
firn_test(solver/mpm mpm_cuda_resume LABEL backend)
firn_test(solver/mpm mpm_cuda_memory LABEL backend)

# Minutes each; `ctest -L slow` runs them.
firn_test(solver/mpm mpm_iterations LABEL physics slow VARIANTS float double)
firn_test(solver/mpm mpm_stability LABEL physics slow VARIANTS float double)
firn_test(solver/mpm mpm_compression LABEL physics slow VARIANTS float double)
firn_test(solver/mpm mpm_column LABEL physics slow VARIANTS float double)
firn_test(solver/mpm mpm_volumes_order LABEL physics slow VARIANTS float double)
firn_test(solver/mpm mpm_drop LABEL physics slow VARIANTS float)
